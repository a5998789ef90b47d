-- Reading without locks, for people and programs that look.

--! find_tasks : (due?, parent?, project?, heartbeat_ms?)
select
    s.task, s.graph, s.project, s.state, s.due, s.epoch, s.attempts, s.spec_version,
    p.submitted_at, p.created_by, p.parent, p.body, p.policy ->> 'boost' as boost,
    (p.policy ->> 'heartbeat_ms')::bigint as heartbeat_ms,
    coalesce(s.updated_at, p.submitted_at) as updated_at
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.ns = :ns and p.ns = :ns and s.task = any(:tasks::uuid[])
order by s.task;

--! find_tasks_of_graph
select task
from workmill.state
where ns = :ns and graph = :graph and in_graph;

--! find_budget_of_graph : (cap?)
-- Budgets of graphs that have ended are in retired_gate.
select cap from workmill.gate where ns = :ns and gate = :gate and not is_removed
union all
select cap from workmill.retired_gate where ns = :ns and graph = :graph and gate = :gate
limit 1;

--! find_graph : (project?)
select graph, project, title, created_by, created_at, status
from workmill.graph
where ns = :ns and graph = :graph;

--! find_edges
-- What these tasks depend on, with how it stands.
select e.task, e.depends_on, s.state, s.freed_runners
from workmill.edge e
join workmill.state s on s.ns = e.ns and s.task = e.depends_on
where e.ns = :ns and s.ns = :ns and e.task = any(:tasks::uuid[])
order by e.task, e.depends_on;

--! find_late : (output?, output_bytes?, artifacts?, message?, usage?, adopted_by?, adopted_at?)
-- What came in after its attempt had ended; large outputs are to be fetched by themselves.
select
    r.task, r.epoch, r.at, r.outcome, r.was_accepted, b.output_bytes,
    case when b.output_bytes <= :largest then r.output end as output, r.artifacts, r.message,
    r.cost_micros, r.usage, r.adopted_by, r.adopted_at
from workmill.late_result r
cross join lateral (select octet_length(r.output::text) as output_bytes) as b
where r.ns = :ns and r.task = any(:tasks::uuid[])
order by r.task, r.epoch;

--! find_output
-- The outcome of a task, as text: it is handed on as it is.
select output::text as output from workmill.result where ns = :ns and task = :task;

--! find_late_output
-- What an attempt put out too late, accepted or not.
select output::text as output
from workmill.late_result
where ns = :ns and task = :task and epoch = :epoch and output is not null;

--! find_output_of_attempt
select output::text as output
from workmill.result
where ns = :ns and task = :task and epoch = :epoch;

--! find_tasks_of_key
-- The tasks that agents of a key hold.
select l.task
from workmill.agent a
join workmill.lease l on l.ns = a.ns and l.agent = a.agent
where a.ns = :ns and l.ns = :ns and a.key = :key;

--! find_waiting_for
-- Those of the tasks that were handed the result of another one.
select e.task
from workmill.edge e
where e.ns = :ns and e.depends_on = :task and e.task = any(:tasks::uuid[])
limit 1;

--! find_context_refs : (refs?)
-- What these tasks refer to.
select c.body -> 'spec' -> 'context_refs' as refs
from workmill.state s
join workmill.spec c on c.ns = s.ns and c.task = s.task and c.version = s.spec_version
where s.ns = :ns and c.ns = :ns and s.task = any(:tasks::uuid[]);

--! find_leases : (started_at?, progress?, usage?)
select
    task, epoch, agent, claimed_at, started_at, renewed_at, ttl_ms, progress, cost_micros, usage
from workmill.lease
where ns = :ns and task = any(:tasks::uuid[])
order by task, epoch;

--! has_task
select task from workmill.state where ns = :ns and task = :task;

--! find_submitter : (created_by_key?)
-- The key that submitted a task.
select created_by_key from workmill.spec where ns = :ns and task = :task and version = 1;

--! find_submitter_of_graph : (created_by_key?)
-- A standalone task is a graph without a row.
select created_by_key from workmill.graph where ns = :ns and graph = :graph
union all
select p.created_by_key
from workmill.state s
cross join lateral (
    select c.created_by_key
    from workmill.spec c
    where c.ns = :ns and c.task = s.task and c.version = 1
    limit 1
) as p
where s.ns = :ns and s.task = :graph and s.graph = :graph and not s.in_graph;

--! find_holders
-- The keys whose agents hold the task, or one that was handed its result.
select g.key
from (
    select l.agent
    from workmill.lease l
    where l.ns = :ns and l.task = :task
    union all
    select d.agent
    from workmill.edge e
    join workmill.lease d on d.ns = e.ns and d.task = e.task
    where e.ns = :ns and d.ns = :ns and e.depends_on = :task
) as h
cross join lateral (
    select a.key from workmill.agent a where a.ns = :ns and a.agent = h.agent limit 1
) as g;

--! find_key_of_lease
-- The key whose agent holds the lease.
select g.key
from workmill.lease l
cross join lateral (
    select a.key from workmill.agent a where a.ns = :ns and a.agent = l.agent limit 1
) as g
where l.ns = :ns and l.task = :task and l.epoch = :epoch;

--! find_end_of_attempt : (reason?, message?, details?)
-- How the attempt with this epoch ended, and the key of its agent, unless the agent of that name is a
-- later one. An attempt that was resumed has
-- several rows; the last one counts. Called when an agent asks what became of its lease.
select
    t.outcome, t.reason, t.message,
    case when octet_length(t.details::text) <= :largest then t.details end as details, g.key
from workmill.attempt t
cross join lateral (
    select a.key, a.created_at
    from workmill.agent a
    where a.ns = :ns and a.agent = t.agent
    limit 1
) as g
where
    t.ns = :ns and t.task = :task and t.epoch = :epoch
    and (g.created_at is null or t.ended_at >= g.created_at)
order by t.resumed desc
limit 1;

--! find_agents_of_key
-- The agents that a key has registered. Called when one of them spawns tasks for named agents.
select agent, type
from workmill.agent
where ns = :ns and key = :key;
