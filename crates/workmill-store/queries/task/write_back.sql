-- Writes back what an operation has decided. Called by store::write_back; the tasks are locked.

--! update_states (dues[?], shunned_untils[?])
update workmill.state s
set
    lane = u.lane,
    rank = u.rank,
    due = u.due,
    shunned_until = u.shunned_until,
    spec_version = u.spec_version,
    epoch = u.epoch,
    attempts = u.attempts,
    crashes = u.crashes,
    unmet = u.unmet,
    state = u.state,
    critical_path = u.critical_path,
    in_graph = u.in_graph,
    has_deadline = u.has_deadline,
    freed_runners = u.freed_runners,
    shunned = string_to_array(nullif(u.shunned, ''), chr(10))
from
    unnest(
        :tasks::uuid[], :lanes::bigint[], :ranks::bigint[], :dues::timestamptz[],
        :shunned_untils::timestamptz[], :spec_versions::integer[], :epochs::integer[],
        :attempts::integer[], :crashes::integer[], :unmets::integer[], :states::smallint[],
        :critical_paths::smallint[], :in_graphs::boolean[], :has_deadlines::boolean[], :freed_runners::boolean[],
        :shunned::text[]
    ) as u (
        task, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes, unmet,
        state, critical_path, in_graph, has_deadline, freed_runners, shunned
    )
where s.ns = :ns and s.task = u.task;

--! update_graphs
update workmill.graph g
set
    is_draft = u.is_draft,
    is_draining = u.is_draining,
    status = u.status,
    tasks = u.tasks,
    completed = u.completed,
    cancelled = u.cancelled,
    stale = u.stale,
    dead = u.dead,
    moving = u.moving
from
    unnest(
        :graphs::uuid[], :is_draft::boolean[], :is_draining::boolean[], :statuses::text[],
        :tasks::integer[], :completed::integer[], :cancelled::integer[], :stale::integer[], :dead::integer[],
        :moving::integer[]
    ) as u (graph, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving)
where g.ns = :ns and g.graph = u.graph;

--! insert_ready (shunned_untils[?])
insert into workmill.ready (ns, lane, rank, task, shunned_until, shunned)
select
    a.ns, u.lane, u.rank, u.task, u.shunned_until,
    string_to_array(nullif(u.shunned, ''), chr(10))
from
    workmill.anchor a,
    unnest(
        :lanes::bigint[], :ranks::bigint[], :tasks::uuid[], :shunned_untils::timestamptz[],
        :shunned::text[]
    ) as u (lane, rank, task, shunned_until, shunned)
where a.ns = :ns;

--! insert_due
insert into workmill.due (ns, at, task)
select a.ns, u.at, u.task
from workmill.anchor a, unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
where a.ns = :ns;

--! insert_finished
insert into workmill.finished (ns, at, task)
select a.ns, :now, u.task
from workmill.anchor a, unnest(:tasks::uuid[]) as u (task)
where a.ns = :ns;

--! insert_dead_letters
insert into workmill.dead_letter (ns, task, at, cause, reason, fingerprint, is_reviewed)
select a.ns, u.task, :now, u.cause, u.reason, u.fingerprint, false
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :causes::text[], :reasons::text[], :fingerprints::bigint[])
        as u (task, cause, reason, fingerprint)
where a.ns = :ns;

--! insert_blocked (questions[?], untils[?])
insert into workmill.blocked (ns, task, at, waits_for, question, until)
select a.ns, u.task, :now, u.waits_for, u.question, u.until
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :waits_for::text[], :questions::jsonb[], :untils::timestamptz[])
        as u (task, waits_for, question, until)
where a.ns = :ns;

--! delete_ready
delete from workmill.ready r
using unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[]) as u (lane, rank, task)
where r.ns = :ns and r.lane = u.lane and r.rank = u.rank and r.task = u.task;

--! delete_due
delete from workmill.due d
using unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
where d.ns = :ns and d.at = u.at and d.task = u.task;

--! delete_finished
delete from workmill.finished f
using unnest(:tasks::uuid[]) as u (task)
where f.ns = :ns and f.task = u.task;

--! delete_dead_letters
delete from workmill.dead_letter d
where d.ns = :ns and d.task = any(:tasks::uuid[]);

--! delete_blocked
delete from workmill.blocked b
where b.ns = :ns and b.task = any(:tasks::uuid[]);

--! insert_lanes
-- Interning is idempotent: the id is a hash of the ask.
insert into workmill.lane (ns, lane, asks)
select a.ns, u.lane, u.asks
from workmill.anchor a, unnest(:lanes::bigint[], :asks::jsonb[]) as u (lane, asks)
where a.ns = :ns
on conflict do nothing;

--! insert_deadlines
insert into workmill.deadline (ns, presses_at, task, at, submitted_at, estimate_ms, base, boost)
select a.ns, u.presses_at, u.task, u.at, u.submitted_at, u.estimate_ms, u.base, u.boost
from
    workmill.anchor a,
    unnest(
        :presses_ats::timestamptz[], :tasks::uuid[], :ats::timestamptz[],
        :submitted_ats::timestamptz[], :estimates::bigint[], :bases::smallint[], :boosts::text[]
    ) as u (presses_at, task, at, submitted_at, estimate_ms, base, boost)
where a.ns = :ns;

--! delete_deadlines
delete from workmill.deadline d
where d.ns = :ns and d.task = any(:tasks::uuid[]);
