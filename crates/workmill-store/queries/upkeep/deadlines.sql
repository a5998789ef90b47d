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

--! find_pressing_tasks
-- What the rank of each is composed of, with the rank as it is stored.
select
    d.ns, d.task, d.at, d.submitted_at, d.estimate_ms, d.base, d.boost, s.critical_path, s.rank
from workmill.anchor a
cross join lateral (
    select p.ns, p.task, p.at, p.submitted_at, p.estimate_ms, p.base, p.boost
    from workmill.deadline p
    where p.ns = a.ns and p.presses_at <= :now
    order by p.presses_at, p.task
    limit :most
) as d
join workmill.state s on s.ns = d.ns and s.task = d.task;
