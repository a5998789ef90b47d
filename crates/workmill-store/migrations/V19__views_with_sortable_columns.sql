-- Views whose columns can be sorted and compared, and that agree with the API.

-- Tasks for people who debug with SELECT. Each branch has a literal status, so that a query for one
-- status reads only the place where tasks of that status rest. `agent_id` and `started_at` are those of
-- the running or last attempt.
drop view workmill.tasks;
create view workmill.tasks as
select
    r.status, s.ns, s.task as id, s.graph as dag_id, p.body ->> 'type' as type,
    p.body ->> 'title' as title,
    coalesce(
        r.agent_id,
        (
            select a.agent
            from workmill.attempt a
            where a.ns = s.ns and a.task = s.task
            order by a.epoch desc, a.resumed desc
            limit 1
        )
    ) as agent_id,
    s.attempts, s.epoch, p.created_by, p.submitted_at as created_at,
    coalesce(
        r.started_at,
        (
            select a.started_at
            from workmill.attempt a
            where a.ns = s.ns and a.task = s.task and a.started_at is not null
            order by a.epoch desc, a.resumed desc
            limit 1
        )
    ) as started_at,
    s.due as due_at,
    p.body ->> 'key' as key, p.parent as parent_id, s.project as project_id,
    (p.body ->> 'priority')::bigint as priority, (p.body -> 'tags')::jsonb as tags,
    (p.policy ->> 'max_attempts')::integer as max_attempts, s.unmet as unresolved_blockers,
    r.claimed_at, r.heartbeat_at, r.lease_expires_at,
    coalesce(s.updated_at, p.submitted_at) as updated_at, r.ended_at as completed_at,
    (
        select a.reason
        from workmill.attempt a
        where a.ns = s.ns and a.task = s.task and a.outcome = 'failed' and s.state <> 8
        order by a.epoch desc, a.resumed desc
        limit 1
    ) as failure_reason,
    round(s.spent_micros / 1000000.0, 6) as cost_usd
from (
    select
        'CREATED' as status, t.ns, t.task, null::text as agent_id,
        null::timestamptz as claimed_at, null::timestamptz as started_at,
        null::timestamptz as heartbeat_at, null::timestamptz as lease_expires_at,
        null::timestamptz as ended_at
    from workmill.state t
    where t.state = 0
    union all
    select 'PENDING', t.ns, t.task, null, null, null, null, null, null
    from workmill.state t
    where t.state = 1
    union all
    select 'READY', t.ns, t.task, null, null, null, null, null, null
    from workmill.ready t
    union all
    select 'READY', t.ns, t.task, null, null, null, null, null, null
    from workmill.gated t
    where t.ns <> 0
    union all
    select
        'CLAIMED', l.ns, l.task, l.agent, l.claimed_at, l.started_at, l.renewed_at,
        l.renewed_at + l.ttl_ms * interval '1 millisecond', null
    from workmill.lease l
    join workmill.state t on t.ns = l.ns and t.task = l.task and t.epoch = l.epoch
    where t.state = 3
    union all
    select
        'RUNNING', l.ns, l.task, l.agent, l.claimed_at, l.started_at, l.renewed_at,
        l.renewed_at + l.ttl_ms * interval '1 millisecond', null
    from workmill.lease l
    join workmill.state t on t.ns = l.ns and t.task = l.task and t.epoch = l.epoch
    where t.state = 4
    union all
    select
        'VALIDATING', l.ns, l.task, l.agent, l.claimed_at, l.started_at, l.renewed_at,
        l.renewed_at + l.ttl_ms * interval '1 millisecond', null
    from workmill.lease l
    join workmill.state t on t.ns = l.ns and t.task = l.task and t.epoch = l.epoch
    where t.state = 5
    union all
    select 'BLOCKED', t.ns, t.task, null, null, null, null, null, null
    from workmill.blocked t
    union all
    select 'RETRYING', d.ns, d.task, null, null, null, null, null, null
    from workmill.due d
    join workmill.state t on t.ns = d.ns and t.task = d.task
    where t.state = 7
    union all
    select 'COMPLETED', f.ns, f.task, null, null, null, null, null, f.at
    from workmill.finished f
    join workmill.state t on t.ns = f.ns and t.task = f.task
    where t.state = 8
    union all
    select 'DEAD_LETTERED', t.ns, t.task, null, null, null, null, null, null
    from workmill.dead_letter t
    union all
    select 'CANCELLED', f.ns, f.task, null, null, null, null, null, null
    from workmill.finished f
    join workmill.state t on t.ns = f.ns and t.task = f.task
    where t.state = 10
    union all
    select 'STALE', f.ns, f.task, null, null, null, null, null, null
    from workmill.finished f
    join workmill.state t on t.ns = f.ns and t.task = f.task
    where t.state = 11
) as r
join workmill.state s on s.ns = r.ns and s.task = r.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version;

-- Which task waits for which, with the planners' own ids. A blocker is resolved once it is completed (8);
-- for a task that runs when dependencies fail (3), also once the blocker is dead-lettered (9), cancelled
-- (10) or stale (11), or was before it was revived.
create or replace view workmill.task_deps as
select
    e.ns, e.task as task_id, e.depends_on as blocker_id, p.body ->> 'key' as task_key,
    b.body ->> 'key' as blocker_key,
    o.state = 8
    or (s.on_dependency_failure = 3 and (o.state in (9, 10, 11) or o.freed_runners)) as is_resolved
from workmill.edge e
join workmill.state s on s.ns = e.ns and s.task = e.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
join workmill.state o on o.ns = e.ns and o.task = e.depends_on
join workmill.spec b on b.ns = o.ns and b.task = o.task and b.version = o.spec_version;
