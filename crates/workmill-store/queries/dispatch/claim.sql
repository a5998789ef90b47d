-- Hands ready tasks to agents. Called by store::dispatch::claim in one transaction.
-- Locks: the agents' rows in id order (so that their slots are exact), then the tasks' rows in
-- state with SKIP LOCKED: a claim never waits for another claim, nor for whoever holds a task.
-- A row in ready changes only under the lock of its task, so it needs none of its own.
--
-- What is looked up by a list is looked up row by row (`cross join lateral`, not flattened thanks
-- to its lock, limit or offset): a join would leave PostgreSQL the choice to read all of a
-- namespace, which it takes while the tables are small, and the plan stays when they have grown.

--! lock_agents : (claim_ttl_ms?, silent_since?)
-- The names come in order.
select
    g.agent, g.type, g.capabilities, g.models, g.task_types, g.slots, g.status, g.claim_ttl_ms,
    g.key, g.seen_at, g.silent_since
from unnest(:agents::text[]) as u (agent)
cross join lateral (
    select
        a.agent, a.type, a.capabilities, a.models, a.task_types, a.slots, a.status,
        a.claim_ttl_ms, a.key, a.seen_at, a.silent_since
    from workmill.agent a
    where a.ns = :ns and a.agent = u.agent
    for update
) as g;

--! count_leases : (oldest?)
-- None is older than `since`. While somebody keeps a snapshot open, the leases that have ended are
-- still in the index, and they are passed over that way. Tells as well whether an earlier call with
-- one of these request ids was given something that is still held.
select
    u.agent, c.leases, c.oldest,
    cardinality(:requests::uuid[]) > 0 and exists (
        select
        from workmill.lease t
        where
            t.ns = :ns and t.agent = u.agent and t.claimed_at >= u.since
            and t.request = any(:requests::uuid[])
    ) as is_repeat
from unnest(:agents::text[], :since::timestamptz[]) as u (agent, since)
cross join lateral (
    select count(*)::integer as leases, min(l.claimed_at) as oldest
    from workmill.lease l
    where l.ns = :ns and l.agent = u.agent and l.claimed_at >= u.since
) as c;

--! find_requested_leases : (request?, started_at?)
-- What an earlier call with one of these request ids was given and still holds.
select
    l.task, l.epoch, u.agent, l.request, l.started_at, l.ttl_ms, s.graph, s.in_graph, s.lane,
    s.attempts, s.spent_micros
from unnest(:agents::text[]) as u (agent)
cross join lateral (
    select t.task, t.epoch, t.request, t.started_at, t.ttl_ms
    from workmill.lease t
    where t.ns = :ns and t.agent = u.agent and t.request = any(:requests::uuid[])
    offset 0
) as l
cross join lateral (
    select t.graph, t.in_graph, t.lane, t.attempts, t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = l.task
    limit 1
) as s
order by l.task;

--! find_lanes_with_excluded_tasks
-- Those of the lanes in which an agent is kept from tasks that it failed; a thousand tasks of each lane are
-- looked at. Called when a claim finds nothing else in lanes that have tasks.
select l.lane
from unnest(:lanes::bigint[]) as l (lane)
cross join lateral (
    select f.task
    from (
        select r.task, r.shunned, r.shunned_until
        from workmill.ready r
        where r.ns = :ns and r.lane = l.lane
        order by r.rank, r.task
        limit 1000
    ) as f
    where f.shunned_until > :now and f.shunned && array[:agent::text]
    limit 1
) as e;

--! pick_ready : (parent?)
-- Looks at the heads of the lanes without locking, settles how many to take from each, and locks
-- only those, with what is known of the work. `aged` is what ageing has taken off each lane's
-- ranks by now, so that heads of different lanes compare at their effective priority. What shuns
-- one of the agents is looked past. Who had the task in the meantime has left another state,
-- lane or rank behind: such a task is looked past, too. A lane is read from its cursor on: see
-- store::lane_cursors, for which the statement says how many seconds it has been at work.
--
-- For a limit that is not a literal the planner reckons with a tenth of the lane. Hence the
-- literal limits: no call wants more than 1000. Pinned by tests/it/plans.rs.
with heads as (
    select
        l.lane, l.cursor_rank, l.cursor_task,
        row_number() over (order by h.rank - l.aged, h.task) as place
    from
        unnest(
            :lanes::bigint[], :aged::bigint[], :cursor_ranks::bigint[], :cursor_tasks::uuid[]
        ) as l (lane, aged, cursor_rank, cursor_task)
    cross join lateral (
        select f.rank, f.task
        from (
            select r.rank, r.task
            from workmill.ready r
            where
                r.ns = :ns and r.lane = l.lane and (r.rank, r.task) >= (l.cursor_rank, l.cursor_task)
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
    select lane, cursor_rank, cursor_task, count(*) as wanted
    from heads
    where place <= :wanted
    group by lane, cursor_rank, cursor_task
)
select
    p.lane, p.rank, p.task, p.graph, p.in_graph, p.epoch, p.attempts, p.spent_micros,
    d.submitted_at, d.created_by, d.parent, d.body, d.policy,
    date_part('epoch', clock_timestamp() - statement_timestamp()) as took
from shares
cross join lateral (
    select
        f.lane, f.rank, s.task, s.graph, s.in_graph, s.epoch, s.attempts, s.spec_version,
        s.spent_micros
    from (
        select r.lane, r.rank, r.task
        from workmill.ready r
        where
            r.ns = :ns and r.lane = shares.lane
            and (r.rank, r.task) >= (shares.cursor_rank, shares.cursor_task)
            and (
                r.shunned is null or r.shunned_until <= :now
                or not r.shunned && :agents::text[]
            )
        order by r.rank, r.task
        limit 1000
    ) as f
    cross join lateral (
        select
            s.task, s.graph, s.in_graph, s.epoch, s.attempts, s.spec_version, s.spent_micros
        from workmill.state s
        where
            s.ns = :ns and s.task = f.task and s.state = :ready and s.lane = f.lane
            and s.rank = f.rank
        for update skip locked
    ) as s
    limit shares.wanted
) as p
cross join lateral (
    select c.submitted_at, c.created_by, c.parent, c.body, c.policy
    from workmill.spec c
    where c.ns = :ns and c.task = p.task and c.version = p.spec_version
    limit 1
) as d;

--! claim_states
-- The picked tasks leave their lanes and are claimed (or running): a new epoch, and an attempt that
-- counts. By their places: see task/write_back.sql.
with
left_lanes as (
    delete from workmill.ready r
    where
        r.ns = :ns
        and r.ctid = any(
            array(
                select (
                    select k.ctid
                    from workmill.ready k
                    where k.ns = :ns and k.lane = u.lane and k.rank = u.rank and k.task = u.task
                )
                from
                    unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[])
                        as u (lane, rank, task)
            )
        )
)

update workmill.state s
set state = :state, epoch = s.epoch + 1, attempts = s.attempts + 1, updated_at = :now
where
    s.ns = :ns
    and s.ctid = any(
        array(
            select (
                select k.ctid from workmill.state k where k.ns = :ns and k.task = u.task
            )
            from unnest(:tasks::uuid[]) as u (task)
        )
    );

--! find_dependency_results : (name?, output_bytes?, output?, artifacts?)
-- What the dependencies of these tasks are and have put out; those that failed have no output. What
-- a dependency of several tasks has put out comes once, with the first of them, and not at all if it
-- is larger than :largest.
select
    d.task, d.depends_on, d.state, d.name, d.title, d.type_name, b.output_bytes,
    case when b.output_bytes <= :largest then d.output end as output,
    case when d.is_first then d.artifacts end as artifacts
from (
    select
        u.task, d.*, row_number() over (partition by d.depends_on order by u.task) = 1 as is_first
    from unnest(:tasks::uuid[]) as u (task)
    cross join lateral (
        select e.depends_on, s.state, p.name, p.title, p.type_name, r.output, r.artifacts
        from workmill.edge e
        cross join lateral (
            select t.state, t.spec_version
            from workmill.state t
            where t.ns = :ns and t.task = e.depends_on
            limit 1
        ) as s
        cross join lateral (
            select
                b.body ->> 'name' as name, b.body ->> 'title' as title, b.body ->> 'type' as type_name
            from workmill.spec b
            where b.ns = :ns and b.task = e.depends_on and b.version = s.spec_version
            limit 1
        ) as p
        left join lateral (
            select t.output, t.artifacts
            from workmill.result t
            where t.ns = :ns and t.task = e.depends_on
            limit 1
        ) as r on true
        where e.ns = :ns and e.task = u.task
        order by e.depends_on
        offset 0
    ) as d
    offset 0
) as d
left join lateral (
    select octet_length(d.output::text) as output_bytes where d.is_first
) as b on true
order by d.depends_on, d.task;

--! find_checkpoints
select c.task, c.epoch, c.at, c.data
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.task, t.epoch, t.at, t.data
    from workmill.checkpoint t
    where t.ns = :ns and t.task = u.task
    limit 1
) as c;

--! find_answers : (waits_for?, question?)
select a.task, a.at, a.answered_by, a.input, a.waits_for, a.question
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.task, t.at, t.answered_by, t.input, t.waits_for, t.question
    from workmill.answer t
    where t.ns = :ns and t.task = u.task
    order by t.at
    offset 0
) as a;

--! insert_leases (agent_types[?], started_ats[?], max_durations[?], requests[?])
insert into workmill.lease (
    ns, task, epoch, resumed, task_type, agent, agent_type, request, claimed_at, started_at, renewed_at,
    ttl_ms, lease_ms, max_duration_ms, has_holds, spawned
)
select
    a.ns, u.task, u.epoch, u.resumed, u.task_type, u.agent, u.agent_type, u.request, :now, u.started_at, :now,
    u.ttl_ms, u.lease_ms, u.max_duration_ms, u.has_holds, u.spawned
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :resumed::smallint[], :task_types::text[], :agents::text[],
        :agent_types::text[], :requests::uuid[], :started_ats::timestamptz[], :ttls::bigint[],
        :lease_mss::bigint[], :max_durations::bigint[], :have_holds::boolean[], :spawned::integer[]
    ) as u (
        task, epoch, resumed, task_type, agent, agent_type, request, started_at, ttl_ms, lease_ms,
        max_duration_ms, has_holds, spawned
    )
where a.ns = :ns;
