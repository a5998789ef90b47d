-- Deadlines that press. Called by the duties of store::upkeep::deadlines.

--! find_passed_deadlines
-- A hint over all namespaces; looked at again under the locks. Who was told to stop keeps its
-- deadline until it has, and is passed over meanwhile.
select d.ns, d.task
from workmill.anchor a
cross join lateral (
    select p.ns, p.task
    from workmill.deadline p
    where
        p.ns = a.ns and p.presses_at <= :now and p.at <= :now
        and not exists (
            select from workmill.lease l
            where l.ns = a.ns and l.task = p.task and l.stop is not null
        )
    order by p.presses_at, p.task
    limit :most
) as d;

--! find_passed_deadlines_of_namespace
select p.task
from workmill.deadline p
where
    p.ns = :ns and p.presses_at <= :now and p.at <= :now
    and not exists (
        select from workmill.lease l
        where l.ns = :ns and l.task = p.task and l.stop is not null
    )
order by p.presses_at, p.task
limit :most;

--! find_passed_deadlines_among
-- The same under the lock: what was found may have been edited since.
select d.task
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.task
    from workmill.deadline t
    where t.ns = :ns and t.task = u.task and t.at <= :now
    limit 1
) as d;

--! find_namespaces_with_pressing_tasks
-- One look at the head of each namespace.
select a.ns
from workmill.anchor a
cross join lateral (
    select d.presses_at
    from workmill.deadline d
    where d.ns = a.ns and d.presses_at <= :now
    order by d.presses_at, d.task
    limit 1
) as head;

--! find_pressing_tasks
-- What the rank of each is composed of, with the rank as it is stored; from where the last look
-- ended. The chain below counts only where the policy says so.
select
    d.presses_at, d.task, d.at, d.submitted_at, d.estimate_ms, d.base, d.boost, s.rank,
    case when (c.policy ->> 'critical_path')::boolean
        then least(s.critical_path, (c.policy ->> 'most_critical_path')::smallint)
        else 0::smallint
    end as critical_path
from (
    select p.presses_at, p.task, p.at, p.submitted_at, p.estimate_ms, p.base, p.boost
    from workmill.deadline p
    where
        p.ns = :ns and p.presses_at <= :now
        and (p.presses_at, p.task) > (:after::timestamptz, :after_task::uuid)
    order by p.presses_at, p.task
    limit :most
) as d
cross join lateral (
    select t.rank, t.critical_path, t.spec_version
    from workmill.state t
    where t.ns = :ns and t.task = d.task
    limit 1
) as s
cross join lateral (
    select t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = d.task and t.version = s.spec_version
    limit 1
) as c
order by d.presses_at, d.task;
