-- Hands what comes in to agents that wait for it. Called by store::intake::hand_over, in one
-- transaction, under the locks of the agents.

--! look_before (key?) : (digest?, graph?, tasks?)
-- What there is before a submission is handed over: which gates, whether something is ready in one of
-- these lanes, and what an earlier submission with the key was answered.
select
    a.gates_version,
    exists (
        select
        from unnest(:lanes::bigint[]) as l (lane)
        cross join lateral (
            select from workmill.ready r where r.ns = :ns and r.lane = l.lane limit 1
        ) as r
    ) as is_ready,
    i.digest, i.graph, i.tasks
from workmill.anchor a
left join lateral (
    select t.digest, t.graph, t.tasks
    from workmill.idempotency t
    where t.ns = :ns and t.key = :key
    limit 1
) as i on true
where a.ns = :ns;

--! lock_agent
-- A statement of its own: what follows sees what those have written who held it before.
select from workmill.agent where ns = :ns and agent = :agent for update;

--! hand_over_at_once (told?, request?, request_key?, digest?, created_by_key?, max_duration_ms?)
-- Writes a lone task as it is handed to an agent, with its lease and what is told of it, if everything
-- is as expected: the agent (`xmin` tells who has written its row) has a slot free, and nothing for
-- this request; there is no other gate, nothing is ready that the agent might have to take first, the
-- key of the submission is new, the clock was not set back, and the expected time is past, but
-- hardly. Otherwise writes nothing and answers nothing.
--
-- The columns are those of insert_tasks, insert_leases and insert_events. The lease is dated here,
-- under the lock of the agent: see store::seats.
with
premise as materialized (
    select a.ns, t.now
    from workmill.anchor a
    cross join (select coalesce(:told::timestamptz, clock_timestamp()) as now) as t
    cross join lateral (
        select k.slots
        from workmill.agent k
        where k.ns = :ns and k.agent = :agent and k.xmin::text = :agent_version
        limit 1
    ) as g
    cross join lateral (
        select count(*) as leases, coalesce(bool_or(k.request = :request), false) as is_repeat
        from workmill.lease k
        where k.ns = :ns and k.agent = :agent and k.claimed_at >= :since
    ) as l
    where
        a.ns = :ns and a.gates_version = :gates_version
        and l.leases < g.slots and not l.is_repeat
        and t.now >= :since and t.now - :now between interval '0' and interval '1 second'
        and not exists (
            select
            from unnest(:lanes::bigint[]) as u (lane)
            cross join lateral (
                select from workmill.ready r where r.ns = :ns and r.lane = u.lane limit 1
            ) as r
        )
        and not exists (
            select from workmill.idempotency k where k.ns = :ns and k.key = :request_key
        )
),

requests as (
    insert into workmill.idempotency (ns, key, digest, at, graph, tasks)
    select p.ns, :request_key, :digest, :now, null, array[:task::uuid]
    from premise p
    where :request_key::text is not null
),

specs as (
    insert into workmill.spec (
        ns, task, version, submitted_at, created_by, created_by_key, parent, body, policy
    )
    select p.ns, :task, 1, :now, :created_by, :created_by_key, null, :body, :policy
    from premise p
),

states as (
    insert into workmill.state (
        ns, task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure,
        in_graph, has_deadline, spec_version, epoch, attempts, crashes, freed_runners,
        spent_micros, project
    )
    select
        p.ns, :task, :graph, :lane, :rank, null, :state, 0, :critical_path,
        :on_dependency_failure, false, false, 1, :epoch, :attempts, 0, false, 0, null
    from premise p
),

leases as (
    insert into workmill.lease (
        ns, task, epoch, resumed, agent, request, claimed_at, started_at, renewed_at, ttl_ms,
        lease_ms, max_duration_ms, has_holds
    )
    select
        p.ns, :task, :epoch, 0, :agent, :request, p.now, case when :starts then p.now end, p.now,
        :ttl_ms, :lease_ms, :max_duration_ms, false
    from premise p
),

events as (
    insert into workmill.event (ns, batch, at, facts)
    select p.ns, :batch, :now, :facts
    from premise p
),

pending as (
    insert into workmill.event_pending (ns, written_at, batch, facts)
    select p.ns, clock_timestamp(), :batch, :count
    from premise p
)

select p.now from premise p;
