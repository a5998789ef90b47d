-- Hands ready tasks to an agent. Called by store::dispatch::claim in one transaction.
-- Locks: the agent's row (so that its slots are exact), then ready and state rows, both with
-- SKIP LOCKED: a claim never waits for another claim, nor for whoever holds a task.

--! lock_agent
select agent, type, capabilities, models, slots, status, key
from workmill.agent
where ns = :ns and agent = :agent
for update;

--! count_leases
select count(*)::integer as leases
from workmill.lease
where ns = :ns and agent = :agent;

--! find_lanes
select lane, asks
from workmill.lane
where ns = :ns;

--! take_ready
-- Looks at the heads of the lanes without locking, settles how many to take from each, locks
-- only those, and moves them from ready to claimed. `offset` is what ageing has taken off each
-- lane's ranks by now, so that heads of different lanes compare at their effective priority.
with heads as (
    select l.lane, row_number() over (order by h.rank - l.aged, h.task) as place
    from unnest(:lanes::bigint[], :aged::bigint[]) as l (lane, aged)
    cross join lateral (
        select r.rank, r.task
        from workmill.ready r
        where r.ns = :ns and r.lane = l.lane
        order by r.rank, r.task
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
        select r.lane, r.rank, r.task
        from workmill.ready r
        join workmill.state s on s.ns = r.ns and s.task = r.task
        where r.ns = :ns and s.ns = :ns and r.lane = shares.lane
        order by r.rank, r.task
        limit shares.wanted
        for update skip locked
    ) as p
),
gone as (
    delete from workmill.ready r
    using picked p
    where r.ns = :ns and r.lane = p.lane and r.rank = p.rank and r.task = p.task
)
update workmill.state s
set state = :claimed, epoch = s.epoch + 1, attempts = s.attempts + 1
from picked p
where s.ns = :ns and s.task = p.task
returning s.task, s.graph, s.lane, s.rank, s.epoch, s.attempts, s.spec_version;

--! find_specs
select s.task, p.submitted_at, p.created_by, p.body, p.policy
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.ns = :ns and s.task = any(:tasks::uuid[]);

--! find_dependency_results
-- What the dependencies of these tasks have put out.
select e.task, e.depends_on, r.output
from workmill.edge e
join workmill.result r on r.ns = e.ns and r.task = e.depends_on
where e.ns = :ns and r.ns = :ns and e.task = any(:tasks::uuid[])
order by e.task, e.depends_on;

--! insert_leases (max_durations[?])
insert into workmill.lease (
    ns, task, epoch, agent, claimed_at, started_at, renewed_at, ttl_ms, lease_ms, max_duration_ms
)
select a.ns, u.task, u.epoch, :agent, :now, null, :now, u.ttl_ms, u.lease_ms, u.max_duration_ms
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :ttls::bigint[], :lease_mss::bigint[],
        :max_durations::bigint[]
    ) as u (task, epoch, ttl_ms, lease_ms, max_duration_ms)
where a.ns = :ns;
