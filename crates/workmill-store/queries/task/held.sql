-- Locks what an operation changes. Called by store::held, in this order: graphs, tasks, leases;
-- rows of a kind in id order.

--! lock_graphs_of_tasks
-- A task never changes its graph, so finding it needs no lock. A task of its own has no row.
select
    g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving
from workmill.graph g
where
    g.ns = :ns
    and g.graph in (
        select s.graph
        from workmill.state s
        where s.ns = :ns and s.task = any(:tasks::uuid[]) and s.in_graph
    )
order by g.graph
for update;

--! lock_graph
select
    g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving
from workmill.graph g
where g.ns = :ns and g.graph = :graph
for update;

--! lock_states : (due?, shunned_until?, shunned?)
select
    lane, rank, due, shunned_until, task, graph, spec_version, epoch, attempts, crashes, unmet,
    state, critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners, shunned
from workmill.state
where ns = :ns and task = any(:tasks::uuid[])
order by task
for update;

--! lock_leases : (started_at?, max_duration_ms?, stop_at?, stop?)
-- The leases with the key that may act on them.
select
    l.task, l.epoch, l.resumed, l.agent, g.key, l.claimed_at, l.started_at, l.renewed_at,
    l.ttl_ms, l.lease_ms, l.max_duration_ms, l.stop_at, l.stop
from workmill.lease l
join workmill.agent g on g.ns = l.ns and g.agent = l.agent
where l.ns = :ns and g.ns = :ns and l.task = any(:tasks::uuid[])
order by l.task, l.epoch
for update of l;

--! find_dependents
-- The tasks that wait for these, each with the one it waits for. Their graph is locked, so the
-- edges stand still.
select e.task, e.depends_on
from workmill.edge e
where e.ns = :ns and e.depends_on = any(:tasks::uuid[])
order by e.task, e.depends_on;

--! find_specs : (parent?)
-- What was asked for, in the version that counts.
select s.task, p.submitted_at, p.created_by, p.parent, p.body, p.policy
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.ns = :ns and p.ns = :ns and s.task = any(:tasks::uuid[]);

--! find_attempts : (key?, reason?, message?, fingerprint?, started_at?)
-- What was tried before, with the key that may speak for its agent; attempts are never
-- rewritten.
select
    t.task, t.epoch, t.resumed, t.agent, g.key, t.outcome, t.reason, t.message, t.fingerprint,
    t.claimed_at, t.started_at, t.ended_at, t.cost_micros
from workmill.attempt t
left join workmill.agent g on g.ns = t.ns and g.agent = t.agent
where t.ns = :ns and t.task = any(:tasks::uuid[])
order by t.task, t.epoch, t.resumed;

--! find_results
select task, epoch, output
from workmill.result
where ns = :ns and task = any(:tasks::uuid[]);

--! find_late_results : (output?, message?)
select task, epoch, at, outcome, was_accepted, output, message, cost_micros
from workmill.late_result
where ns = :ns and task = any(:tasks::uuid[])
order by task, epoch;
