-- What becomes of late results and dead letters, when a task last changed, and views that show it.

-- When its state, its description or its holder last changed; none: not since this migration.
alter table workmill.state add column updated_at timestamptz;

-- A late result that an operator made the outcome, and when.
alter table workmill.late_result
    add column adopted_by text,
    add column adopted_at timestamptz;

-- Dead letters that were decided about. Insert-only; they go with their task.
create table workmill.resolution (
    ns bigint not null,
    task uuid not null,
    -- Since when it had been a dead letter, and of which attempt.
    dead_at timestamptz not null,
    epoch integer not null,
    at timestamptz not null,
    cause text not null,
    reason text not null,
    fingerprint bigint not null,
    is_reviewed boolean not null,
    resolution text not null,
    resolved_by text not null,
    note text,
    primary key (ns, task, dead_at, epoch)
);

-- Tasks for people who debug with SELECT. Each branch has a literal status, so that a query for one
-- status reads only the place where tasks of that status rest.
drop view workmill.tasks;
create view workmill.tasks as
select
    r.status, s.ns, s.task as id, s.graph as dag_id, p.body ->> 'type' as type,
    p.body ->> 'title' as title, r.agent_id, s.attempts, s.epoch, p.created_by,
    p.submitted_at as created_at, r.started_at, s.due as due_at,
    p.body ->> 'key' as key, p.parent as parent_id, s.project as project_id,
    p.body -> 'priority' as priority, p.body -> 'tags' as tags,
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
    s.spent_micros / 1000000.0 as cost_usd
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

-- Which task waits for which, with the planners' own ids. A blocker that is done or deleted blocks
-- no more.
create view workmill.task_deps as
select
    e.ns, e.task as task_id, e.depends_on as blocker_id, p.body ->> 'key' as task_key,
    b.body ->> 'key' as blocker_key, o.state in (8, 10, 11) as is_resolved
from workmill.edge e
join workmill.state s on s.ns = e.ns and s.task = e.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
join workmill.state o on o.ns = e.ns and o.task = e.depends_on
join workmill.spec b on b.ns = o.ns and b.task = o.task and b.version = o.spec_version;
