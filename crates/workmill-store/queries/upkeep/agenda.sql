-- Whether the duties have work. Called by store::upkeep::agenda at each of their turns, and mostly all
-- that an idle server sends.

--! read_agenda
-- Looks at the head of each namespace once. The answers are hints, and so is the time in `about_now`: the
-- duty that has work looks again. A list in a condition and a lateral join keep the look on the machine of
-- each namespace.
select
    clock_timestamp() as now,
    coalesce(bool_or(h.task is not null), false) as has_leases,
    coalesce(bool_or(l.task is not null), false) as has_lost_leases,
    coalesce(bool_or(b.task is not null), false) as has_expired_blocks,
    coalesce(bool_or(d.task is not null), false) as has_pressing_deadlines,
    coalesce(bool_or(u.task is not null), false) as has_due_tasks,
    coalesce(bool_or(p.batch is not null), false) as has_pending_events,
    coalesce(bool_or(g.gate is not null), false) as has_restless_gates,
    coalesce(bool_or(r.task is not null), false) as has_ready_tasks
from workmill.anchor a
left join lateral (
    select k.task from workmill.lease k where k.ns = a.ns limit 1
) as h on true
left join lateral (
    select k.task
    from workmill.lease k
    where
        k.ns = a.ns
        and (
            k.renewed_at + k.ttl_ms * interval '1 millisecond' <= :about_now
            or k.started_at + k.max_duration_ms * interval '1 millisecond' <= :about_now
            or k.stop_at + k.lease_ms * interval '1 millisecond' <= :about_now
        )
    limit 1
) as l on true
left join lateral (
    select k.task from workmill.blocked k where k.ns = a.ns and k.until <= :about_now limit 1
) as b on true
left join lateral (
    select k.task
    from workmill.deadline k
    where k.ns = a.ns and k.presses_at <= :about_now
    order by k.presses_at, k.task
    limit 1
) as d on true
left join lateral (
    select k.task
    from workmill.due k
    where k.ns = a.ns and k.at <= :about_now
    order by k.at, k.task
    limit 1
) as u on true
left join lateral (
    select k.batch
    from workmill.event_pending k
    where k.ns = a.ns
    order by k.written_at, k.batch
    limit 1
) as p on true
left join lateral (
    select k.gate
    from workmill.gate k
    where
        k.ns = a.ns
        and (k.has_waiters or k.is_removed or k.reserved_for is not null or k.cap is null)
    limit 1
) as g on true
left join lateral (
    select k.task
    from workmill.ready k
    where k.ns = a.ns and a.ns = any(:waited_in)
    order by k.lane, k.rank, k.task
    limit 1
) as r on true;

--! find_liveness
-- When a server last reached the whole database.
select at from workmill.liveness;

--! touch_liveness
insert into workmill.liveness as l (one_row, at) values (true, :now)
on conflict (one_row) do update set at = greatest(l.at, excluded.at);

--! find_namespaces
-- From the table that every machine has.
select ns from workmill.namespace order by ns;

--! find_next_namespace
select ns from workmill.namespace where ns > :after order by ns limit 1;

--! can_reach
-- Whether the machine of a namespace answers.
select ns from workmill.anchor where ns = :ns;
