-- Writes new graphs and tasks. Called by store::intake::submit, in this order, in one
-- transaction. Nothing else can see the rows before it commits, so no lock is needed.
-- Where a task rests is written with the statements of settlement/rest.sql.

--! insert_lanes
-- Interning is idempotent: the id is a hash of the ask.
insert into workmill.lane (ns, lane, asks)
select a.ns, u.lane, u.asks
from workmill.anchor a, unnest(:lanes::bigint[], :asks::jsonb[]) as u (lane, asks)
where a.ns = :ns
on conflict do nothing;

--! insert_graph
insert into workmill.graph (
    ns, graph, title, created_by, created_at, is_draft, status,
    tasks, completed, cancelled, stale, dead, moving
)
select
    a.ns, :graph, :title, :created_by, :now, :is_draft, :status,
    :tasks, 0, 0, 0, 0, :moving
from workmill.anchor a
where a.ns = :ns;

--! insert_specs
insert into workmill.spec (ns, task, version, submitted_at, created_by, body, policy)
select a.ns, u.task, 1, :now, :created_by, u.body, u.policy
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :bodies::jsonb[], :policies::jsonb[]) as u (task, body, policy)
where a.ns = :ns;

--! insert_states (dues[?])
insert into workmill.state (
    ns, task, graph, lane, rank, due, state, spec_version, epoch, attempts, crashes, unmet
)
select a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.state, 1, 0, 0, 0, u.unmet
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :graphs::uuid[], :lanes::bigint[], :ranks::bigint[],
        :dues::timestamptz[], :states::smallint[], :unmets::integer[]
    ) as u (task, graph, lane, rank, due, state, unmet)
where a.ns = :ns;

--! insert_edges
insert into workmill.edge (ns, task, depends_on)
select a.ns, u.task, u.depends_on
from workmill.anchor a, unnest(:tasks::uuid[], :depends_on::uuid[]) as u (task, depends_on)
where a.ns = :ns;
