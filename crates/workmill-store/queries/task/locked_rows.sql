-- Locks what an operation changes. Called by store::locked_rows, in this order: graphs, tasks, leases;
-- rows of a kind in the order of their ids, which is how they are handed over. Looked up row by
-- row: why is said in dispatch/claim.sql.

--! lock_graphs_of_tasks
-- A task never changes its graph, so finding it needs no lock. A task of its own has no row.
select
    g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving,
    g.spent_micros
from (
    select distinct s.graph
    from unnest(:tasks::uuid[]) as u (task)
    cross join lateral (
        select t.graph, t.in_graph
        from workmill.state t
        where t.ns = :ns and t.task = u.task
        limit 1
    ) as s
    where s.in_graph
    order by s.graph
) as w
cross join lateral (
    select
        r.graph, r.is_draft, r.is_draining, r.status, r.tasks, r.completed, r.cancelled, r.stale,
        r.dead, r.moving, r.spent_micros
    from workmill.graph r
    where r.ns = :ns and r.graph = w.graph
    for update
) as g;

--! lock_graph
select
    g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving,
    g.spent_micros
from workmill.graph g
where g.ns = :ns and g.graph = :graph
for update;

--! lock_states : (due?, shunned_until?, shunned?)
select
    s.lane, s.rank, s.due, s.shunned_until, s.task, s.graph, s.spec_version, s.epoch, s.attempts,
    s.crashes, s.unmet, s.state, s.critical_path, s.on_dependency_failure, s.in_graph,
    s.has_deadline, s.freed_runners, s.shunned, s.spent_micros
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        t.lane, t.rank, t.due, t.shunned_until, t.task, t.graph, t.spec_version, t.epoch,
        t.attempts, t.crashes, t.unmet, t.state, t.critical_path, t.on_dependency_failure,
        t.in_graph, t.has_deadline, t.freed_runners, t.shunned, t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = u.task
    for update
) as s;

--! lock_leases : (started_at?, max_duration_ms?, stop_at?, stop?, posted_micros?, usage?, agent_type?, task_type?)
-- The leases with the key that may act on them.
select
    l.task, l.epoch, l.resumed, l.agent, g.key, l.claimed_at, l.started_at, l.renewed_at,
    l.ttl_ms, l.lease_ms, l.max_duration_ms, l.stop_at, l.stop, l.cost_micros, l.posted_micros,
    l.usage, l.has_holds, l.spawned, l.agent_type, l.task_type
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        t.task, t.epoch, t.resumed, t.agent, t.claimed_at, t.started_at, t.renewed_at, t.ttl_ms,
        t.lease_ms, t.max_duration_ms, t.stop_at, t.stop, t.cost_micros, t.posted_micros, t.usage,
        t.has_holds, t.spawned, t.agent_type, t.task_type
    from workmill.lease t
    where t.ns = :ns and t.task = u.task
    order by t.epoch
    for update
) as l
cross join lateral (
    select a.key from workmill.agent a where a.ns = :ns and a.agent = l.agent limit 1
) as g;

--! find_dependents
-- The tasks that wait for these, each with the one it waits for. Their graph is locked, so the
-- edges stand still.
select e.task, u.depends_on
from unnest(:tasks::uuid[]) as u (depends_on)
cross join lateral (
    select d.task from workmill.edge d where d.ns = :ns and d.depends_on = u.depends_on offset 0
) as e
order by e.task, u.depends_on;

--! find_specs : (parent?)
-- What was asked for, in the version that counts.
select u.task, p.submitted_at, p.created_by, p.parent, p.body, p.policy
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select s.spec_version from workmill.state s where s.ns = :ns and s.task = u.task limit 1
) as s
cross join lateral (
    select c.submitted_at, c.created_by, c.parent, c.body, c.policy
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = s.spec_version
    limit 1
) as p;

--! find_spec_versions
-- What was asked for in these versions, also in those that this transaction has written.
select u.task, p.body, p.policy
from unnest(:tasks::uuid[], :versions::int[]) as u (task, version)
cross join lateral (
    select c.body, c.policy
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = u.version
    limit 1
) as p;

--! find_attempts : (key?, reason?, message?, fingerprint?, started_at?, usage?, lease_ms?, agent_type?)
-- What was tried before, with the key that may speak for its agent: none if the agent was registered
-- later, under a name that had become free. Attempts are never rewritten. What came before the task
-- was last revived is forgiven.
select
    t.task, t.epoch, t.resumed, t.agent, g.key, t.outcome, t.said_by_agent, t.reason, t.message,
    t.fingerprint, t.claimed_at, t.started_at, t.ended_at, t.cost_micros, t.usage, t.lease_ms,
    t.spawned, t.agent_type,
    t.epoch <= coalesce(v.epoch, 0) as is_forgiven
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        a.task, a.epoch, a.resumed, a.agent, a.outcome, a.said_by_agent, a.reason, a.message,
        a.fingerprint, a.claimed_at, a.started_at, a.ended_at, a.cost_micros, a.usage,
        a.lease_ms, a.spawned, a.agent_type
    from workmill.attempt a
    where a.ns = :ns and a.task = u.task
    order by a.epoch, a.resumed
    offset 0
) as t
left join lateral (
    select a.key
    from workmill.agent a
    where
        a.ns = :ns and a.agent = t.agent
        and (a.created_at is null or t.ended_at >= a.created_at)
    limit 1
) as g on true
left join lateral (
    select r.epoch from workmill.revival r where r.ns = :ns and r.task = u.task limit 1
) as v on true;

--! find_details : (details?)
-- What the agents sent with their attempts besides the message, the newest up to `most` bytes in total for
-- each task. Older ones are left out. Called by claims and when a task is shown, not by settlements.
select t.task, t.epoch, t.resumed, case when t.so_far <= :most then t.details end as details
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        a.task, a.epoch, a.resumed, a.details,
        sum(octet_length(a.details::text)) over (
            order by a.epoch desc, a.resumed desc
        ) as so_far
    from workmill.attempt a
    where a.ns = :ns and a.task = u.task and a.details is not null
    offset 0
) as t;

--! find_small_results : (output?, artifacts?)
-- What these tasks have put out, with its size; what is larger than :largest is left out.
select r.task, r.output_bytes, r.output, r.artifacts
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        t.task, b.output_bytes, case when b.output_bytes <= :largest then t.output end as output,
        t.artifacts
    from workmill.result t
    cross join lateral (select octet_length(t.output::text) as output_bytes) as b
    where t.ns = :ns and t.task = u.task
    limit 1
) as r;

--! find_results : (artifacts?)
select r.task, r.epoch, r.output, r.artifacts
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.task, t.epoch, t.output, t.artifacts
    from workmill.result t
    where t.ns = :ns and t.task = u.task
    limit 1
) as r;

--! find_late_results : (output?, artifacts?, message?, usage?)
select
    r.task, r.epoch, r.at, r.outcome, r.was_accepted, r.output, r.artifacts, r.message,
    r.cost_micros, r.usage
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select
        t.task, t.epoch, t.at, t.outcome, t.was_accepted, t.output, t.artifacts, t.message,
        t.cost_micros, t.usage
    from workmill.late_result t
    where t.ns = :ns and t.task = u.task
    order by t.epoch
    offset 0
) as r;
