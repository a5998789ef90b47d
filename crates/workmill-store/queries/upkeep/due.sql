-- What time has brought about. Called by the duties of store::upkeep. The finding reads go over
-- all namespaces; they are hints, looked at again under the locks.

--! find_namespaces_with_due_tasks
-- One look at the head of each namespace: with `exists`, a plan that does not know `now` takes
-- a third of the table for due and reads all of it.
select a.ns
from workmill.anchor a
cross join lateral (
    select d.at
    from workmill.due d
    where d.ns = a.ns and d.at <= :now
    order by d.at, d.task
    limit 1
) as head;

--! find_due_tasks
select task
from workmill.due
where ns = :ns and at <= :now
order by at, task
limit :most;

--! lock_due_states : (due?, shunned_until?, shunned?)
-- Whoever holds a task comes back to it later.
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
    for update skip locked
) as s;

--! find_lost_leases
-- Leases without a sign of life, that ran too long, or that did not stop when told to.
select l.ns, l.task, l.epoch
from workmill.lease l
where
    l.renewed_at + l.ttl_ms * interval '1 millisecond' <= :now
    or l.started_at + l.max_duration_ms * interval '1 millisecond' <= :now
    or l.stop_at + l.lease_ms * interval '1 millisecond' <= :now
order by l.ns, l.task
limit :most;

--! find_lost_leases_of_namespace
-- The same of one namespace.
select l.task, l.epoch
from workmill.lease l
where
    l.ns = :ns
    and (
        l.renewed_at + l.ttl_ms * interval '1 millisecond' <= :now
        or l.started_at + l.max_duration_ms * interval '1 millisecond' <= :now
        or l.stop_at + l.lease_ms * interval '1 millisecond' <= :now
    )
order by l.task
limit :most;

--! find_expired_blocks_among : (question?)
-- The same under the lock: what was found may have been answered and asked again since.
select b.task, b.waits_for, b.question
from workmill.blocked b
where b.ns = :ns and b.task = any(:tasks::uuid[]) and b.until <= :now;

--! find_expired_blocks
select b.ns, b.task
from workmill.blocked b
where b.until <= :now
order by b.ns, b.task
limit :most;

--! find_expired_blocks_of_namespace
select b.task
from workmill.blocked b
where b.ns = :ns and b.until <= :now
order by b.task
limit :most;

--! renew_all_agents
-- Nobody could be heard; those that were silent before stay so.
update workmill.agent a
set seen_at = :now
where a.ns = :ns and a.silent_since is null and a.seen_at < :now;

--! renew_all_leases
update workmill.lease l
set renewed_at = :now
where l.ns = :ns;
