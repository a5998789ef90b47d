-- What time has brought about. Called by the duties of store::upkeep, each run one namespace.

--! find_namespaces_with_due_tasks
select a.ns
from workmill.anchor a
where exists (
    select 1 from workmill.due d where d.ns = a.ns and d.at <= :now
);

--! take_due
-- Removes what is due; whoever holds a task comes back to it later.
with picked as (
    select d.at, d.task
    from workmill.due d
    join workmill.state s on s.ns = d.ns and s.task = d.task
    where d.ns = :ns and s.ns = :ns and d.at <= :now
    order by d.at, d.task
    limit :most
    for update skip locked
)
delete from workmill.due d
using picked p
where d.ns = :ns and d.at = p.at and d.task = p.task
returning d.task;

--! find_lost_leases
-- Leases without a sign of life, or that ran too long. A hint: the settlement looks again
-- under the lock.
select l.ns, l.task, l.epoch
from workmill.lease l
where
    l.renewed_at + l.ttl_ms * interval '1 millisecond' <= :now
    or l.started_at + l.max_duration_ms * interval '1 millisecond' <= :now
order by l.ns, l.task
limit :most;
