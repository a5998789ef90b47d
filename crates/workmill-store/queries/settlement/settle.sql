-- Ends attempts. Called by store::settlement; the tasks are locked.

--! find_agents_of_leases
-- The agents of leases, whether their attempts run or have ended. Called before any lock is taken:
-- the agent of a lease never changes.
select u.task, u.epoch, g.agent
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select l.agent
    from workmill.lease l
    where l.ns = :ns and l.task = u.task and l.epoch = u.epoch
    union all
    select t.agent
    from workmill.attempt t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    limit 1
) as g;

--! delete_leases
-- By their places, found one by one: see task/write_back.sql.
delete from workmill.lease l
where
    l.ns = :ns
    and l.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.lease k
                where k.ns = :ns and k.task = u.task and k.epoch = u.epoch
            )
            from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
        )
    );

--! insert_attempts (reasons[?], messages[?], details[?], fingerprints[?], started_ats[?], usages[?], lease_mss[?], agent_types[?])
insert into workmill.attempt (
    ns, task, epoch, resumed, agent, outcome, said_by_agent, reason, message, details,
    fingerprint, claimed_at, started_at, ended_at, cost_micros, usage, lease_ms,
    spawned, agent_type
)
select
    a.ns, u.task, u.epoch, u.resumed, u.agent, u.outcome, u.said_by_agent, u.reason, u.message,
    u.details, u.fingerprint, u.claimed_at, u.started_at, :now, u.cost_micros, u.usage,
    u.lease_ms, u.spawned, u.agent_type
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :resumed::smallint[], :agents::text[],
        :outcomes::text[], :said_by_agent::boolean[], :reasons::text[], :messages::text[], :details::jsonb[],
        :fingerprints::bigint[], :claimed_ats::timestamptz[], :started_ats::timestamptz[],
        :costs::bigint[], :usages::jsonb[], :lease_mss::bigint[], :spawned::integer[],
        :agent_types::text[]
    ) as u (
        task, epoch, resumed, agent, outcome, said_by_agent, reason, message, details,
        fingerprint, claimed_at, started_at, cost_micros, usage, lease_ms, spawned, agent_type
    )
where a.ns = :ns;

--! insert_results (artifacts[?])
insert into workmill.result (ns, task, epoch, output, artifacts)
select a.ns, u.task, u.epoch, u.output, u.artifacts
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :outputs::jsonb[], :artifacts::jsonb[])
        as u (task, epoch, output, artifacts)
where a.ns = :ns;

--! insert_late_results (outputs[?], artifacts[?], messages[?], usages[?])
-- A result takes the place of a failure that came late before it.
insert into workmill.late_result (
    ns, task, epoch, at, outcome, was_accepted, output, artifacts, message, cost_micros, usage
)
select
    a.ns, u.task, u.epoch, :now, u.outcome, u.was_accepted, u.output, u.artifacts, u.message,
    u.cost_micros, u.usage
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :outcomes::text[], :was_accepted::boolean[],
        :outputs::jsonb[], :artifacts::jsonb[], :messages::text[], :costs::bigint[],
        :usages::jsonb[]
    ) as u (task, epoch, outcome, was_accepted, output, artifacts, message, cost_micros, usage)
where a.ns = :ns
on conflict (ns, task, epoch) do update
set
    at = excluded.at,
    outcome = excluded.outcome,
    was_accepted = excluded.was_accepted,
    output = excluded.output,
    artifacts = excluded.artifacts,
    message = excluded.message,
    cost_micros = late_result.cost_micros + excluded.cost_micros,
    usage = excluded.usage;

--! adopt_late_result
update workmill.late_result
set was_accepted = true, adopted_by = :adopted_by, adopted_at = :now
where ns = :ns and task = :task and epoch = :epoch;

--! insert_answer
-- With the question, which leaves `blocked` in the same transaction.
insert into workmill.answer (ns, task, at, answered_by, input, waits_for, question)
select b.ns, b.task, :now, :answered_by, :input, b.waits_for, b.question
from workmill.blocked b
where b.ns = :ns and b.task = :task;

--! upsert_revivals
insert into workmill.revival (ns, task, epoch)
select a.ns, u.task, u.epoch
from workmill.anchor a, unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
where a.ns = :ns
on conflict (ns, task) do update set epoch = excluded.epoch;
