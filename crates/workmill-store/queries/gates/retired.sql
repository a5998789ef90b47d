-- Gates of graphs that have ended. Called by store::gates::retire.

--! find_namespaces_with_gates_of_graphs
select distinct g.ns
from workmill.gate g
where
    starts_with(g.gate, concat('budget', chr(58), 'graph', chr(58)))
    or starts_with(g.gate, concat('pause', chr(58), 'graph', chr(58)));

--! find_gates_of_graphs
-- Those that nobody waits at and nobody holds anything of.
select g.gate
from workmill.gate g
where
    g.ns = :ns and not g.is_removed and not g.has_waiters and g.used = g.spent
    and (
        starts_with(g.gate, concat('budget', chr(58), 'graph', chr(58)))
        or starts_with(g.gate, concat('pause', chr(58), 'graph', chr(58)))
    );

--! lock_ended_graphs
-- Those of these graphs that have ended, with what they have cost; in the order of their ids.
select g.graph, g.spent_micros
from (select k.graph from unnest(:graphs::uuid[]) as k (graph) order by k.graph) as u
cross join lateral (
    select t.graph, t.spent_micros
    from workmill.graph t
    where t.ns = :ns and t.graph = u.graph and t.status in ('completed', 'cancelled')
    for update
) as g
limit :most;

--! lock_ended_standalone_tasks
-- The same of standalone tasks: each is its own graph without a row.
select s.graph, s.spent_micros
from (select k.graph from unnest(:graphs::uuid[]) as k (graph) order by k.graph) as u
cross join lateral (
    select t.graph, t.spent_micros
    from workmill.state t
    where
        t.ns = :ns and t.task = u.graph and t.graph = u.graph and not t.in_graph
        and t.state = any(:ended::smallint[])
    for update
) as s
limit :most;

--! insert_retired_gates (caps[?], notes[?])
insert into workmill.retired_gate (
    ns, graph, gate, cap, spent, graph_spent, set_by, set_at, note
)
select
    a.ns, u.graph, u.gate, u.cap, u.spent, u.graph_spent, u.set_by, u.set_at, u.note
from
    workmill.anchor a,
    unnest(
        :graphs::uuid[], :gates::text[], :caps::bigint[], :spent::bigint[],
        :graphs_spent::bigint[], :set_by::text[], :set_ats::timestamptz[], :notes::text[]
    ) as u (graph, gate, cap, spent, graph_spent, set_by, set_at, note)
where a.ns = :ns;

--! find_retired_gates : (cap?, note?)
-- With what their graph has cost since.
select r.graph, r.gate, r.cap, r.spent, r.graph_spent, r.set_by, r.set_at, r.note, g.spent_micros
from unnest(:graphs::uuid[]) as u (graph)
cross join lateral (
    select
        t.graph, t.gate, t.cap, t.spent, t.graph_spent, t.set_by, t.set_at, t.note
    from workmill.retired_gate t
    where t.ns = :ns and t.graph = u.graph
    order by t.gate
    limit 2
) as r
cross join lateral (
    select t.spent_micros from workmill.graph t where t.ns = :ns and t.graph = r.graph
    union all
    select t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = r.graph and t.graph = r.graph and not t.in_graph
    limit 1
) as g;

--! find_last_retired_gates : (cap?, note?)
-- Those of the newest graphs.
select r.gate, r.cap, r.spent, r.set_by, r.set_at, r.note
from workmill.retired_gate r
where r.ns = :ns
order by r.graph desc, r.gate desc
limit :most;

--! has_gates
-- Whether any of these graphs has a gate, set or put aside.
select
    exists (
        select from workmill.gate g where g.ns = :ns and g.gate = any(:gates::text[])
    )
    or exists (
        select from workmill.retired_gate r where r.ns = :ns and r.graph = any(:graphs::uuid[])
    ) as has_gates;

--! delete_retired_gates
delete from workmill.retired_gate where ns = :ns and graph = any(:graphs::uuid[]);
