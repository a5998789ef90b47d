-- Which lanes have tasks, and what they ask. Called by store::lanes and store::upkeep::lanes.
--
-- Lanes without tasks cost nothing here: from the first task of a lane the index leads to the first
-- one of the next lane.

--! find_ready_lanes
with recursive heads as (
    (select r.lane from workmill.ready r where r.ns = :ns order by r.lane limit 1)
    union all
    select n.lane
    from heads h
    cross join lateral (
        select r.lane
        from workmill.ready r
        where r.ns = :ns and r.lane > h.lane
        order by r.lane
        limit 1
    ) as n
)
select h.lane from heads h;

--! count_ready_lanes
-- Of these namespaces, with up to a hundred tasks of each lane.
with recursive heads as (
    select a.ns, f.lane
    from workmill.anchor a
    cross join lateral (
        select r.lane from workmill.ready r where r.ns = a.ns order by r.lane limit 1
    ) as f
    where a.ns = any(:namespaces)
    union all
    select h.ns, n.lane
    from heads h
    cross join lateral (
        select r.lane
        from workmill.ready r
        where r.ns = h.ns and r.lane > h.lane
        order by r.lane
        limit 1
    ) as n
)
select h.ns, h.lane, k.tasks
from heads h
cross join lateral (
    select count(*) as tasks
    from (
        select r.task
        from workmill.ready r
        where r.ns = h.ns and r.lane = h.lane
        order by r.rank, r.task
        limit 100
    ) as t
) as k;

--! find_gated_lanes
-- Of the tasks that wait at these gates.
with recursive heads as (
    select u.gate, f.lane
    from unnest(:gates::text[]) as u (gate)
    cross join lateral (
        select g.lane
        from workmill.gated g
        where g.ns = :ns and g.gate = u.gate
        order by g.lane
        limit 1
    ) as f
    union all
    select h.gate, n.lane
    from heads h
    cross join lateral (
        select g.lane
        from workmill.gated g
        where g.ns = :ns and g.gate = h.gate and g.lane > h.lane
        order by g.lane
        limit 1
    ) as n
)
select distinct h.lane from heads h;

--! find_lanes
select l.lane, l.asks
from unnest(:lanes::bigint[]) as u (lane)
cross join lateral (
    select k.lane, k.asks from workmill.lane k where k.ns = :ns and k.lane = u.lane limit 1
) as l;

--! find_members_of_lanes
-- One task of each of these lanes, ready or at one of these gates, with what it asks.
select m.lane, p.body, p.policy
from unnest(:lanes::bigint[]) as u (lane)
cross join lateral (
    select t.lane, t.task
    from (
        (
            select r.lane, r.task
            from workmill.ready r
            where r.ns = :ns and r.lane = u.lane
            order by r.rank, r.task
            limit 1
        )
        union all
        (
            select f.lane, f.task
            from unnest(:gates::text[]) as w (gate)
            cross join lateral (
                select g.lane, g.task
                from workmill.gated g
                where g.ns = :ns and g.gate = w.gate and g.lane = u.lane
                order by g.rank, g.task
                limit 1
            ) as f
            limit 1
        )
    ) as t
    limit 1
) as m
cross join lateral (
    select t.spec_version
    from workmill.state t
    where t.ns = :ns and t.task = m.task
    limit 1
) as s
cross join lateral (
    select t.body, t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = m.task and t.version = s.spec_version
    limit 1
) as p;

--! insert_lanes
-- Interning is idempotent: the id is a hash of the ask.
insert into workmill.lane (ns, lane, asks, seen_at)
select a.ns, u.lane, u.asks, :now
from workmill.anchor a, unnest(:lanes::bigint[], :asks::jsonb[]) as u (lane, asks)
where a.ns = :ns
on conflict do nothing;

--! lock_lane_bound
-- Locks the bound of a namespace until the transaction ends, and returns it. Taken by submissions that
-- add lanes, behind the locks of graphs, tasks and leases; nobody who holds it waits for a claim.
insert into workmill.lane_bound (ns) values (:ns)
on conflict (ns) do update set most = workmill.lane_bound.most
returning most;

--! count_lanes
-- Counted to `most`; with how many of these are there already.
select
    (
        select count(*)
        from (
            select k.lane from workmill.lane k where k.ns = :ns order by k.lane limit :most
        ) as t
    ) as lanes,
    (
        select count(*)
        from unnest(:lanes::bigint[]) as u (lane)
        cross join lateral (
            select k.lane from workmill.lane k where k.ns = :ns and k.lane = u.lane limit 1
        ) as t
    ) as known;

--! find_namespaces_with_old_lanes
select a.ns
from workmill.anchor a
cross join lateral (
    select k.lane from workmill.lane k where k.ns = a.ns and k.seen_at < :before limit 1
) as t;

--! find_lane_ids
select lane from workmill.lane where ns = :ns;

--! touch_lanes
-- Those that tasks were submitted to lately, in the order of their ids.
update workmill.lane l
set seen_at = :now
where l.ns = :ns and l.lane = any(:lanes::bigint[]) and l.seen_at < :stale;

--! find_old_lanes
select k.lane
from workmill.lane k
where k.ns = :ns and k.seen_at < :before and k.lane <> all(:except::bigint[])
order by k.lane
limit :most;

--! find_all_gated_lanes
-- Of the tasks that wait at any gate.
with recursive heads as (
    (
        select g.gate, g.lane
        from workmill.gated g
        where g.ns = :ns
        order by g.gate, g.lane
        limit 1
    )
    union all
    select n.gate, n.lane
    from heads h
    cross join lateral (
        select g.gate, g.lane
        from workmill.gated g
        where g.ns = :ns and (g.gate, g.lane) > (h.gate, h.lane)
        order by g.gate, g.lane
        limit 1
    ) as n
)
select distinct h.lane from heads h;

--! delete_lanes
-- One that was used since stays.
delete from workmill.lane l
where l.ns = :ns and l.lane = any(:lanes::bigint[]) and l.seen_at < :before;
