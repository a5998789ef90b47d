-- What there is to do. Called by store::upkeep::agenda at every turn of the duties, and mostly the
-- only statement of a server that has nothing to do.

--! read_agenda (now?) : (alive_at?)
-- One look over all namespaces: a hint, looked at again by the duty that has something to do. The
-- sign of life is part of it, unless the last one is so old that leases are to be spared first.
with turn as materialized (
    select coalesce(:now::timestamptz, clock_timestamp()) as now
),
alive as (
    insert into workmill.liveness as l (one_row, at)
    select true, t.now
    from turn t
    where
        (
            select count(*)
            from workmill.liveness o
            where o.at < t.now - :longest_silence_ms::bigint * interval '1 millisecond'
        ) = 0
    on conflict (one_row) do update set at = greatest(l.at, excluded.at)
)
select
    t.now,
    (select l.at from workmill.liveness l) as alive_at,
    (
        select count(*) > 0
        from (
            select l.task
            from workmill.lease l
            where
                l.renewed_at + l.ttl_ms * interval '1 millisecond' <= t.now
                or l.started_at + l.max_duration_ms * interval '1 millisecond' <= t.now
                or l.stop_at + l.lease_ms * interval '1 millisecond' <= t.now
            limit 1
        ) as k
    ) as has_lost_leases,
    (
        select count(*) > 0
        from (select b.task from workmill.blocked b where b.until <= t.now limit 1) as k
    ) as has_expired_blocks,
    (
        select count(*) > 0
        from workmill.anchor a
        cross join lateral (
            select d.task
            from workmill.deadline d
            where d.ns = a.ns and d.presses_at <= t.now
            order by d.presses_at, d.task
            limit 1
        ) as k
    ) as has_pressing_deadlines,
    (
        select count(*) > 0
        from workmill.anchor a
        cross join lateral (
            select d.task
            from workmill.due d
            where d.ns = a.ns and d.at <= t.now
            order by d.at, d.task
            limit 1
        ) as k
    ) as has_due_tasks,
    (
        select count(*) > 0
        from workmill.anchor a
        cross join lateral (
            select p.batch
            from workmill.event_pending p
            where p.ns = a.ns
            order by p.written_at, p.batch
            limit 1
        ) as k
    ) as has_pending_events,
    (
        select count(*) > 0
        from workmill.gate g
        where
            g.has_waiters or g.is_removed or g.reserved_for is not null or g.cap is null
    ) as has_restless_gates,
    (
        select count(*) > 0
        from workmill.anchor a
        cross join lateral (
            select r.task
            from workmill.ready r
            where r.ns = a.ns
            order by r.lane, r.rank, r.task
            limit 1
        ) as k
        where a.ns = any(:waited_in)
    ) as has_ready_tasks
from turn t;
