-- Finding graphs: what each has cost, and an index of those that have not ended.

-- What the attempts of its tasks have cost, in millionths of a dollar; changed with the tally. What
-- was paid for tasks that were removed stays in it.
alter table workmill.graph add column spent_micros bigint not null default 0;
update workmill.graph g
set spent_micros = s.spent_micros
from (
    select t.ns, t.graph, sum(t.spent_micros)::bigint as spent_micros
    from workmill.state t
    where t.in_graph
    group by t.ns, t.graph
) as s
where s.ns = g.ns and s.graph = g.graph and s.spent_micros <> 0;

-- Graphs that have not ended, and those that failed: few, however many have completed. Only a new status
-- changes it, so tallies are still updated in place.
create index graph_open on workmill.graph (ns, status, graph)
where status in ('pending', 'running', 'failed');

-- What the attempts of a namespace have cost, by the day (UTC) on which they ended. Recorded a moment
-- later, and lost with the server that has not recorded it yet: a figure for watching, no account. Only
-- the row of the day is updated, at most once a second by each server.
create table workmill.daily_spend (
    ns bigint not null,
    -- Its beginning.
    day timestamptz not null,
    spent_micros bigint not null,
    primary key (ns, day)
) with (fillfactor = 50);

-- Budgets and pauses of graphs that have completed or were cancelled: nobody passes them any more, so they
-- are out of the way of whoever reads the gates. They come back when their graph goes on. In and out
-- under the lock of the graph, then of the namespace's anchor.
create table workmill.retired_gate (
    ns bigint not null,
    graph uuid not null,
    gate text not null,
    cap bigint,
    spent bigint not null,
    -- What the graph had cost then; what it has cost since is charged when the gate comes back.
    graph_spent bigint not null,
    set_by text not null,
    set_at timestamptz not null,
    note text,
    primary key (ns, graph, gate)
);
