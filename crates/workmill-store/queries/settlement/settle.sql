-- Ends attempts. Called by store::settlement, in one transaction, locks in this order:
-- graphs, tasks, leases, dependents; rows of a kind in id order.

--! find_graphs
-- Which graphs the tasks belong to; a task never changes its graph, so no lock is needed.
select distinct graph
from workmill.state
where ns = :ns and task = any(:tasks::uuid[]);

--! lock_graphs
-- A task of its own has no row here.
select graph, is_draft, status, tasks, completed, cancelled, stale, dead, moving
from workmill.graph
where ns = :ns and graph = any(:graphs::uuid[])
order by graph
for update;

--! lock_states : (due?)
select task, graph, lane, rank, due, state, spec_version, epoch, attempts, crashes, unmet
from workmill.state
where ns = :ns and task = any(:tasks::uuid[])
order by task
for update;

--! lock_leases : (started_at?, max_duration_ms?)
-- The leases with the key that may act on them.
select
    l.task, l.epoch, l.agent, g.key, l.claimed_at, l.started_at, l.renewed_at, l.ttl_ms,
    l.lease_ms, l.max_duration_ms
from workmill.lease l
join workmill.agent g on g.ns = l.ns and g.agent = l.agent
where l.ns = :ns and g.ns = :ns and l.task = any(:tasks::uuid[])
order by l.task, l.epoch
for update of l;

--! find_attempts : (reason?, message?, fingerprint?, started_at?)
-- What was tried before; attempts are never rewritten.
select task, epoch, agent, outcome, reason, message, fingerprint, claimed_at, started_at,
    ended_at, cost_micros
from workmill.attempt
where ns = :ns and task = any(:tasks::uuid[])
order by task, epoch;

--! find_results
select task, epoch, output
from workmill.result
where ns = :ns and task = any(:tasks::uuid[]);

--! find_policies
select s.task, p.policy
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.ns = :ns and s.task = any(:tasks::uuid[]);

--! find_dependents
-- The tasks that wait for these, and for how many of them. Their graph is locked, so the edges
-- stand still.
select e.task, count(*)::integer as met
from workmill.edge e
where e.ns = :ns and e.depends_on = any(:tasks::uuid[])
group by e.task
order by e.task;

--! delete_leases
delete from workmill.lease l
using unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
where l.ns = :ns and l.task = u.task and l.epoch = u.epoch;

--! insert_attempts (reasons[?], messages[?], details[?], fingerprints[?], started_ats[?], usages[?])
insert into workmill.attempt (
    ns, task, epoch, agent, outcome, reason, message, details, fingerprint,
    claimed_at, started_at, ended_at, cost_micros, usage
)
select
    a.ns, u.task, u.epoch, u.agent, u.outcome, u.reason, u.message, u.details, u.fingerprint,
    u.claimed_at, u.started_at, :now, u.cost_micros, u.usage
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :epochs::integer[], :agents::text[], :outcomes::text[],
        :reasons::text[], :messages::text[], :details::jsonb[], :fingerprints::bigint[],
        :claimed_ats::timestamptz[], :started_ats::timestamptz[], :costs::bigint[],
        :usages::jsonb[]
    ) as u (
        task, epoch, agent, outcome, reason, message, details, fingerprint,
        claimed_at, started_at, cost_micros, usage
    )
where a.ns = :ns;

--! insert_results
insert into workmill.result (ns, task, epoch, output)
select a.ns, u.task, u.epoch, u.output
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :outputs::jsonb[]) as u (task, epoch, output)
where a.ns = :ns;

--! update_states (dues[?])
update workmill.state s
set
    state = u.state,
    due = u.due,
    attempts = u.attempts,
    crashes = u.crashes,
    unmet = u.unmet
from
    unnest(
        :tasks::uuid[], :states::smallint[], :dues::timestamptz[], :attempts::integer[],
        :crashes::integer[], :unmets::integer[]
    ) as u (task, state, due, attempts, crashes, unmet)
where s.ns = :ns and s.task = u.task;

--! update_graphs
update workmill.graph g
set
    status = u.status,
    completed = u.completed,
    cancelled = u.cancelled,
    stale = u.stale,
    dead = u.dead,
    moving = u.moving
from
    unnest(
        :graphs::uuid[], :statuses::text[], :completed::integer[], :cancelled::integer[],
        :stale::integer[], :dead::integer[], :moving::integer[]
    ) as u (graph, status, completed, cancelled, stale, dead, moving)
where g.ns = :ns and g.graph = u.graph;
