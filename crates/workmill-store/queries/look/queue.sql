-- How the queue stands as a whole, for who watches over it. Called by store::look::queue, which
-- bounds the namespaces and the rows of each place: a look at a full queue costs no more than one at
-- a small one.

--! find_watched_namespaces
select n.ns
from workmill.namespace n
order by n.ns
limit :most;

--! count_queue : (gate_kind?, priority?, oldest?)
-- Of each place at most so many, with what is known of them; looked up row by row.
select
    u.ns, p.place, s.state, split_part(p.gate, chr(58), 1) as gate_kind, d.priority, d.source,
    count(*) as tasks, min(d.submitted_at) as oldest
from workmill.anchor u
cross join lateral (
    (select 'ready' as place, r.task, null as gate from workmill.ready r where r.ns = u.ns limit :most)
    union all
    (select 'gated', g.task, g.gate from workmill.gated g where g.ns = u.ns limit :most)
    union all
    (select 'due', a.task, null from workmill.due a where a.ns = u.ns limit :most)
    union all
    (select 'held', l.task, null from workmill.lease l where l.ns = u.ns limit :most)
    union all
    (select 'blocked', b.task, null from workmill.blocked b where b.ns = u.ns limit :most)
    union all
    (select 'dead_lettered', b.task, null from workmill.dead_letter b where b.ns = u.ns limit :most)
) as p
cross join lateral (
    select t.state, t.spec_version from workmill.state t where t.ns = u.ns and t.task = p.task limit 1
) as s
cross join lateral (
    select
        (t.policy -> 'admission' ->> 'priority')::integer as priority,
        split_part(t.created_by, chr(58), 1) as source, t.submitted_at
    from workmill.spec t
    where t.ns = u.ns and t.task = p.task and t.version = s.spec_version
    limit 1
) as d
where u.ns = any(:namespaces::bigint[])
group by 1, 2, 3, 4, 5, 6;

--! count_agents
-- Of each namespace at most so many agents, and of each agent at most so many leases. Who claims by
-- hand has no slots but those it uses.
select
    a.status, count(*) as agents, count(*) filter (where l.leases > 0) as busy,
    sum(case when a.is_by_hand then l.leases else a.slots end)::bigint as slots,
    sum(l.leases)::bigint as leases
from workmill.anchor u
cross join lateral (
    select
        t.agent, case when t.silent_since is null then t.status else 'offline' end as status,
        t.slots, t.is_by_hand
    from workmill.agent t
    where t.ns = u.ns
    order by t.agent
    limit :most
) as a
cross join lateral (
    select count(*) as leases
    from (
        select t.task from workmill.lease t where t.ns = u.ns and t.agent = a.agent limit :most
    ) as x
) as l
where u.ns = any(:namespaces::bigint[])
group by a.status;

--! find_agents_at_work
-- How much of what it can hold each active agent holds; bounded as above.
select
    a.agent, case when a.is_by_hand then l.leases else a.slots end as slots, l.leases
from workmill.anchor u
cross join lateral (
    select t.agent, t.status, t.slots, t.is_by_hand, t.silent_since
    from workmill.agent t
    where t.ns = u.ns
    order by t.agent
    limit :most
) as a
cross join lateral (
    select count(*) as leases
    from (
        select t.task from workmill.lease t where t.ns = u.ns and t.agent = a.agent limit :most
    ) as x
) as l
where u.ns = any(:namespaces::bigint[]) and a.status = 'active' and a.silent_since is null
order by a.agent;

--! find_daily_spend
select d.ns, d.spent_micros
from workmill.anchor u
cross join lateral (
    select t.ns, t.spent_micros
    from workmill.daily_spend t
    where t.ns = u.ns and t.day = :day
    limit 1
) as d
where u.ns = any(:namespaces::bigint[]);

--! find_watched_gates : (cap?, time_zone?)
-- Budgets come first.
select u.ns, g.gate, g.cap, g.used, g.spent, g.time_zone
from workmill.anchor u
cross join lateral (
    select t.gate, t.cap, t.used, t.spent, t.time_zone, t.is_removed
    from workmill.gate t
    where t.ns = u.ns
    order by t.gate
    limit :most
) as g
where u.ns = any(:namespaces::bigint[]) and not g.is_removed and g.cap is not null;

--! find_oldest_pending_events
-- The first one of each namespace that has no place yet.
select p.written_at
from workmill.anchor u
cross join lateral (
    select t.written_at
    from workmill.event_pending t
    where t.ns = u.ns
    order by t.written_at
    limit 1
) as p
where u.ns = any(:namespaces::bigint[]);
