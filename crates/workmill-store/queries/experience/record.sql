-- What is learnt from attempts that have ended. Called by store::experience, a moment after.

--! find_types
-- The types of tasks, as their policy has them.
select u.task, p.task_type
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.spec_version from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s
cross join lateral (
    select coalesce(t.policy -> 'admission' ->> 'type', '') as task_type
    from workmill.spec t
    where t.ns = :ns and t.task = u.task and t.version = s.spec_version
    limit 1
) as p;

--! lock_usual
-- Those that are there, in order.
select g.task_type, g.model, g.attempts, g.cost_micros, g.duration_ms
from unnest(:types::text[], :models::text[]) as u (task_type, model)
cross join lateral (
    select t.task_type, t.model, t.attempts, t.cost_micros, t.duration_ms
    from workmill.usual t
    where t.ns = :ns and t.task_type = u.task_type and t.model = u.model
    for update
) as g;

--! write_usual
insert into workmill.usual (ns, task_type, model, attempts, cost_micros, duration_ms)
select a.ns, u.task_type, u.model, u.attempts, u.cost_micros, u.duration_ms
from
    workmill.anchor a,
    unnest(
        :types::text[], :models::text[], :attempts::bigint[], :costs::bigint[],
        :durations::bigint[]
    ) as u (task_type, model, attempts, cost_micros, duration_ms)
where a.ns = :ns
on conflict (ns, task_type, model) do update
set
    attempts = excluded.attempts,
    cost_micros = excluded.cost_micros,
    duration_ms = excluded.duration_ms;

--! find_usual
select task_type, model, attempts, cost_micros, duration_ms
from workmill.usual
where ns = :ns;

--! lock_records : (completed_at?, failing_since?)
-- Those that are there, in order.
select g.agent, g.completed, g.failed, g.completed_at, g.failing_since, g.failing
from unnest(:agents::text[]) as u (agent)
cross join lateral (
    select t.agent, t.completed, t.failed, t.completed_at, t.failing_since, t.failing
    from workmill.agent_record t
    where t.ns = :ns and t.agent = u.agent
    for update
) as g;

--! write_records (completed_ats[?], failing_since[?])
insert into workmill.agent_record (
    ns, agent, completed, failed, completed_at, failing_since, failing
)
select
    a.ns, u.agent, u.completed, u.failed, u.completed_at, u.failing_since,
    string_to_array(u.failing, ',')::uuid[]
from
    workmill.anchor a,
    unnest(
        :agents::text[], :completed::bigint[], :failed::bigint[], :completed_ats::timestamptz[],
        :failing_since::timestamptz[], :failing::text[]
    ) as u (agent, completed, failed, completed_at, failing_since, failing)
where a.ns = :ns
on conflict (ns, agent) do update
set
    completed = excluded.completed,
    failed = excluded.failed,
    completed_at = excluded.completed_at,
    failing_since = excluded.failing_since,
    failing = excluded.failing;

--! find_last_success : (completed_at?)
-- When anybody but this agent last completed something.
select max(t.completed_at) as completed_at
from workmill.agent_record t
where t.ns = :ns and t.agent <> :agent;

--! has_completed_since
-- Whether an agent has completed anything since it ended the first of these tasks, of the last
-- 20,000 that anybody has. What records say of that is lost with a server that has not written it.
select exists (
    select 1
    from (
        select min(l.ended_at) as since
        from unnest(:tasks::uuid[]) as u (task)
        cross join lateral (
            select max(t.ended_at) as ended_at
            from workmill.attempt t
            where t.ns = :ns and t.task = u.task and t.agent = :agent
        ) as l
    ) as first
    cross join lateral (
        select t.task
        from workmill.finished t
        where t.ns = :ns and t.at > first.since
        order by t.at desc
        limit 20000
    ) as f
    cross join lateral (
        select 1
        from workmill.attempt t
        where
            t.ns = :ns and t.task = f.task and t.agent = :agent and t.outcome = 'completed'
        limit 1
    ) as a
) as has_completed;

--! count_bounded_tasks
-- Those of these tasks whose attempts come to an end.
select count(*)
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.spec_version from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s
cross join lateral (
    select t.policy ->> 'max_attempts' as max_attempts
    from workmill.spec t
    where t.ns = :ns and t.task = u.task and t.version = s.spec_version
    limit 1
) as p
where p.max_attempts is not null;

--! drain_agent
-- Only one that is in service.
update workmill.agent
set status = 'draining', status_set_by = :by
where ns = :ns and agent = :agent and status = 'active';

--! forget_failures
-- The agent is given another chance.
update workmill.agent_record
set failing = '{}', failing_since = null
where ns = :ns and agent = :agent;
