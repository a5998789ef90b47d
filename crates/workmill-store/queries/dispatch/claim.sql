-- Hands ready tasks to agents. Called by store::dispatch::claim in one transaction.
-- Locks: the agents' rows in id order (so that their slots are exact), then ready and state
-- rows, both with SKIP LOCKED: a claim never waits for another claim, nor for whoever holds a
-- task.

--! lock_agents
select agent, type, capabilities, models, slots, status, key
from workmill.agent
where ns = :ns and agent = any(:agents::text[])
order by agent
for update;

--! count_leases
select agent, count(*)::integer as leases
from workmill.lease
where ns = :ns and agent = any(:agents::text[])
group by agent;

--! find_requested_leases : (request?, started_at?)
-- What an earlier call with one of these request ids was given and still holds.
select
    l.task, l.epoch, l.agent, l.request, l.started_at, l.ttl_ms, s.graph, s.lane, s.attempts
from workmill.lease l
join workmill.state s on s.ns = l.ns and s.task = l.task
where
    l.ns = :ns and s.ns = :ns
    and l.agent = any(:agents::text[]) and l.request = any(:requests::uuid[])
order by l.task;

--! find_lanes
select lane, asks
from workmill.lane
where ns = :ns;

--! take_ready
-- Looks at the heads of the lanes without locking, settles how many to take from each, locks
-- only those, and moves them from ready to claimed (or running). `aged` is what ageing has taken
-- off each lane's ranks by now, so that heads of different lanes compare at their effective
-- priority. What shuns one of the agents is looked past.
--
-- For a limit that is not a literal the planner reckons with a tenth of the lane, and then with
-- reading all of ready and state. Hence the literal limits (no call wants more than 1000), and
-- the arrays, which count as ten rows. Pinned by tests/it/plans.rs.
with heads as (
    select l.lane, row_number() over (order by h.rank - l.aged, h.task) as place
    from unnest(:lanes::bigint[], :aged::bigint[]) as l (lane, aged)
    cross join lateral (
        select f.rank, f.task
        from (
            select r.rank, r.task
            from workmill.ready r
            where
                r.ns = :ns and r.lane = l.lane
                and (
                    r.shunned is null or r.shunned_until <= :now
                    or not r.shunned && :agents::text[]
                )
            order by r.rank, r.task
            limit 1000
        ) as f
        order by f.rank, f.task
        limit :wanted
    ) as h
),
shares as (
    select lane, count(*) as wanted
    from heads
    where place <= :wanted
    group by lane
),
picked as (
    select p.lane, p.rank, p.task
    from shares
    cross join lateral (
        select f.lane, f.rank, f.task
        from (
            select r.lane, r.rank, r.task
            from workmill.ready r
            join workmill.state s on s.ns = r.ns and s.task = r.task
            where
                r.ns = :ns and s.ns = :ns and r.lane = shares.lane
                and (
                    r.shunned is null or r.shunned_until <= :now
                    or not r.shunned && :agents::text[]
                )
            order by r.rank, r.task
            limit 1000
            for update skip locked
        ) as f
        limit shares.wanted
    ) as p
),
gone as (
    delete from workmill.ready r
    using
        unnest(
            array(select k.lane from picked k), array(select k.rank from picked k),
            array(select k.task from picked k)
        ) as p (lane, rank, task)
    where r.ns = :ns and r.lane = p.lane and r.rank = p.rank and r.task = p.task
)
update workmill.state s
set state = :state, epoch = s.epoch + 1, attempts = s.attempts + 1
from unnest(array(select k.task from picked k)) as p (task)
where s.ns = :ns and s.task = p.task
returning s.task, s.graph, s.lane, s.rank, s.epoch, s.attempts;

--! find_dependency_results : (output?)
-- What the dependencies of these tasks have put out; those that failed have no output.
select e.task, e.depends_on, s.state, r.output
from workmill.edge e
join workmill.state s on s.ns = e.ns and s.task = e.depends_on
left join workmill.result r on r.ns = e.ns and r.task = e.depends_on
where e.ns = :ns and s.ns = :ns and e.task = any(:tasks::uuid[])
order by e.task, e.depends_on;

--! find_checkpoints
select task, epoch, at, data
from workmill.checkpoint
where ns = :ns and task = any(:tasks::uuid[]);

--! find_answers
select task, at, answered_by, input
from workmill.answer
where ns = :ns and task = any(:tasks::uuid[])
order by task, at;

--! insert_leases (started_ats[?], max_durations[?], requests[?])
insert into workmill.lease (
    ns, task, epoch, resumed, agent, request, claimed_at, started_at, renewed_at, ttl_ms,
    lease_ms, max_duration_ms
)
select
    a.ns, u.task, u.epoch, u.resumed, u.agent, u.request, :now, u.started_at, :now, u.ttl_ms,
    u.lease_ms, u.max_duration_ms
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :resumed::smallint[], :agents::text[],
        :requests::uuid[], :started_ats::timestamptz[], :ttls::bigint[], :lease_mss::bigint[],
        :max_durations::bigint[]
    ) as u (
        task, epoch, resumed, agent, request, started_at, ttl_ms, lease_ms, max_duration_ms
    )
where a.ns = :ns;
