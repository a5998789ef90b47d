-- What stands between a task and running, and what a claim would return. Called by
-- store::look::explain in a transaction that only reads, so that all of it is true of one moment.
-- No locks. Looked up row by row, see dispatch/claim.sql; bounded by literal limits, so that it takes
-- no longer where a million tasks wait.

--! find_explained_task : (due?, shunned_until?, shunned?, is_draft?, is_draining?)
select
    s.task, s.graph, s.state, s.lane, s.rank, s.due, s.critical_path, s.on_dependency_failure,
    s.unmet, s.shunned_until, s.shunned, s.spent_micros, p.submitted_at, p.created_by, p.policy,
    g.is_draft, g.is_draining
from workmill.state s
cross join lateral (
    select t.submitted_at, t.created_by, t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = s.task and t.version = s.spec_version
    limit 1
) as p
left join lateral (
    select t.is_draft, t.is_draining
    from workmill.graph t
    where t.ns = :ns and t.graph = s.graph
    limit 1
) as g on true
where s.ns = :ns and s.task = :task;

--! find_explained_dependencies
-- Of very many only some: how many are not met is counted in the task's own row.
select e.depends_on, s.state, s.freed_runners
from (
    select t.depends_on
    from workmill.edge t
    where t.ns = :ns and t.task = :task
    order by t.depends_on
    limit 1000
) as e
cross join lateral (
    select t.state, t.freed_runners
    from workmill.state t
    where t.ns = :ns and t.task = e.depends_on
    limit 1
) as s;

--! find_waited_for
-- What several tasks depend on, each with the rule of the task that waits; of very many only some.
select u.task, w.on_dependency_failure, e.depends_on, s.state, s.freed_runners
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.on_dependency_failure
    from workmill.state t
    where t.ns = :ns and t.task = u.task
    limit 1
) as w
cross join lateral (
    select t.depends_on
    from workmill.edge t
    where t.ns = :ns and t.task = u.task
    order by t.depends_on
    limit 1000
) as e
cross join lateral (
    select t.state, t.freed_runners
    from workmill.state t
    where t.ns = :ns and t.task = e.depends_on
    limit 1
) as s;

--! find_explained_gate
select g.gate, g.since
from workmill.gated g
where g.ns = :ns and g.task = :task
limit 1;

--! find_explained_lease : (started_at?, stop?)
select l.epoch, l.agent, l.claimed_at, l.started_at, l.renewed_at, l.ttl_ms, l.stop
from workmill.lease l
where l.ns = :ns and l.task = :task
order by l.epoch desc
limit 1;

--! find_last_attempt : (started_at?)
select a.epoch, a.agent, a.outcome, a.claimed_at, a.started_at
from workmill.attempt a
where a.ns = :ns and a.task = :task
order by a.epoch desc, a.resumed desc
limit 1;

--! find_explained_attempts : (reason?, fingerprint?, usage?)
-- The last one first; of very many only the last ones.
select a.agent, a.outcome, a.reason, a.fingerprint, a.ended_at, a.usage
from workmill.attempt a
where a.ns = :ns and a.task = :task
order by a.epoch desc, a.resumed desc
limit 1000;

--! find_tallies
-- How attempts of all agents ended in some hours; of very many agents only in the last ones.
select t.agent, t.model, sum(t.completed)::bigint as completed, sum(t.failed)::bigint as failed
from (
    select k.agent, k.model, k.completed, k.failed
    from workmill.attempt_tally k
    where k.ns = :ns and k.hour >= :since and k.hour < :before_hour
    order by k.hour desc, k.agent desc, k.model desc
    limit 20000
) as t
group by t.agent, t.model;

--! find_explained_block : (question?, until?)
select b.at, b.waits_for, b.question, b.until
from workmill.blocked b
where b.ns = :ns and b.task = :task;

--! find_explained_dead_letter
select d.at, d.cause, d.reason
from workmill.dead_letter d
where d.ns = :ns and d.task = :task;

--! find_locks_in_the_way
-- Held locks that conflict with those a task asks for, by the rule of core's resource_lock, which
-- has the last word; of very many only some. What else is held below a root, and it may be much, is
-- not handed over.
select l.task, l.path, l.is_shared, l.agent
from unnest(:roots::text[], :paths::text[], :are_shared::boolean[]) as u (root, path, is_shared)
cross join lateral (
    select t.task, t.path, t.is_shared, t.agent
    from workmill.held_lock t
    where
        t.ns = :ns and t.root = u.root and t.task <> :task and not (t.is_shared and u.is_shared)
        and (
            t.path = u.path or starts_with(t.path, u.path || '/')
            or starts_with(u.path, t.path || '/')
        )
    limit 100
) as l;

--! count_taken_slots
-- How many of its slots an agent uses; who has lost some while it held more uses all of them.
select u.agent, c.leases
from unnest(:agents::text[], :slots::bigint[]) as u (agent, slots)
cross join lateral (
    select count(*)::integer as leases
    from (
        select l.task
        from workmill.lease l
        where l.ns = :ns and l.agent = u.agent
        limit u.slots
    ) as t
) as c;

--! count_ahead
-- Better ranked than a task: below the bound of their lane, which is the task's effective priority
-- there. Counted to one more than a thousand.
select count(*) as ahead
from (
    select h.task
    from unnest(:lanes::bigint[], :bounds::bigint[]) as l (lane, bound)
    cross join lateral (
        select r.task
        from workmill.ready r
        where r.ns = :ns and r.lane = l.lane and (r.rank, r.task) < (l.bound, :task)
        order by r.rank, r.task
        limit 1001
    ) as h
    limit 1001
) as a;

--! find_ahead
-- The best of them, in the order they will be claimed: that of workmill_core::rank::effective.
select h.task
from unnest(:lanes::bigint[], :bounds::bigint[], :aged::bigint[]) as l (lane, bound, aged)
cross join lateral (
    select r.rank, r.task
    from workmill.ready r
    where r.ns = :ns and r.lane = l.lane and (r.rank, r.task) < (l.bound, :task)
    order by r.rank, r.task
    limit 20
) as h
order by h.rank - l.aged, h.task
limit 20;

--! find_recent_attempts : (task_type?, started_at?)
-- How long the tasks that ended last have taken, and of which type they were.
select p.task_type, a.claimed_at, a.started_at, a.ended_at
from (
    select t.task
    from workmill.finished t
    where t.ns = :ns
    order by t.at desc, t.task desc
    limit 100
) as f
cross join lateral (
    select t.policy -> 'admission' ->> 'type' as task_type
    from workmill.spec t
    where t.ns = :ns and t.task = f.task
    order by t.version desc
    limit 1
) as p
cross join lateral (
    select t.claimed_at, t.started_at, t.ended_at, t.outcome
    from workmill.attempt t
    where t.ns = :ns and t.task = f.task
    order by t.epoch desc, t.resumed desc
    limit 1
) as a
where a.outcome = 'completed';

--! find_candidates
-- What would be picked for an agent (dispatch/claim.sql, pick_ready), after one that was looked at:
-- the best of its lanes, in order, with what gates need to know. They are tasks that the agent is kept from
-- or tasks that it is not kept from, as `is_kept_from` says.
select f.lane, f.rank, f.task, s.graph, s.spent_micros, p.created_by, p.policy
from (
    select l.lane, h.rank, h.task, h.rank - l.aged as effective
    from unnest(:lanes::bigint[], :bounds::bigint[], :aged::bigint[]) as l (lane, bound, aged)
    cross join lateral (
        select k.rank, k.task
        from (
            select r.rank, r.task
            from workmill.ready r
            where
                r.ns = :ns and r.lane = l.lane and (r.rank, r.task) > (l.bound, :after)
                and (
                    r.shunned is not null and r.shunned_until > :now
                    and r.shunned && array[:agent::text]
                ) = :is_kept_from
            order by r.rank, r.task
            limit 1000
        ) as k
        order by k.rank, k.task
        limit :wanted
    ) as h
    order by effective, h.task
    limit :wanted
) as f
cross join lateral (
    select t.graph, t.spec_version, t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = f.task
    limit 1
) as s
cross join lateral (
    select t.created_by, t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = f.task and t.version = s.spec_version
    limit 1
) as p
order by f.effective, f.task;
