-- Deadlines that press. Called by the duties of store::upkeep::deadlines.

--! find_passed_deadlines
-- A hint over all namespaces; looked at again under the locks.
select d.ns, d.task
from workmill.anchor a
cross join lateral (
    select p.ns, p.task
    from workmill.deadline p
    where p.ns = a.ns and p.presses_at <= :now and p.at <= :now
    order by p.presses_at, p.task
    limit :most
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
    case when (c.policy ->> 'critical_path')::boolean then s.critical_path else 0::smallint end
        as critical_path
from (
    select p.ns, p.presses_at, p.task, p.at, p.submitted_at, p.estimate_ms, p.base, p.boost
    from workmill.deadline p
    where
        p.ns = :ns and p.presses_at <= :now
        and (p.presses_at, p.task) > (:after::timestamptz, :after_task::uuid)
    order by p.presses_at, p.task
    limit :most
) as d
join workmill.state s on s.ns = d.ns and s.task = d.task
join workmill.spec c on c.ns = d.ns and c.task = d.task and c.version = s.spec_version
where s.ns = :ns and c.ns = :ns
order by d.presses_at, d.task;
