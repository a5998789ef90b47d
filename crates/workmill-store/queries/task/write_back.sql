-- Writes back what an operation has decided. Called by store::write_back; the tasks are locked.
--
-- Rows are updated by inserting over them, and deleted by their places, found one by one: both
-- reach each row through its key. A join would leave PostgreSQL the choice to read all of a
-- namespace, see dispatch/claim.sql. What is locked keeps its place.

--! update_states (dues[?], shunned_untils[?])
insert into workmill.state as s (
    ns, task, graph, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes, unmet,
    state, critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners, shunned,
    spent_micros, updated_at
)
select
    a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.shunned_until, u.spec_version, u.epoch,
    u.attempts, u.crashes, u.unmet, u.state, u.critical_path, u.on_dependency_failure, u.in_graph,
    u.has_deadline, u.freed_runners, string_to_array(nullif(u.shunned, ''), chr(10)),
    u.spent_micros, :now
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :graphs::uuid[], :lanes::bigint[], :ranks::bigint[], :dues::timestamptz[],
        :shunned_untils::timestamptz[], :spec_versions::integer[], :epochs::integer[],
        :attempts::integer[], :crashes::integer[], :unmets::integer[], :states::smallint[],
        :critical_paths::smallint[], :on_dependency_failures::smallint[], :in_graphs::boolean[],
        :has_deadlines::boolean[], :freed_runners::boolean[], :shunned::text[],
        :spent::bigint[]
    ) as u (
        task, graph, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes,
        unmet, state, critical_path, on_dependency_failure, in_graph, has_deadline,
        freed_runners, shunned, spent_micros
    )
where a.ns = :ns
on conflict (ns, task) do update
set
    lane = excluded.lane,
    rank = excluded.rank,
    due = excluded.due,
    shunned_until = excluded.shunned_until,
    spec_version = excluded.spec_version,
    epoch = excluded.epoch,
    attempts = excluded.attempts,
    crashes = excluded.crashes,
    unmet = excluded.unmet,
    state = excluded.state,
    critical_path = excluded.critical_path,
    in_graph = excluded.in_graph,
    has_deadline = excluded.has_deadline,
    freed_runners = excluded.freed_runners,
    shunned = excluded.shunned,
    spent_micros = excluded.spent_micros,
    -- A new place in the order is no change that anybody looks for.
    updated_at = case
        when
            s.state <> excluded.state or s.epoch <> excluded.epoch
            or s.spec_version <> excluded.spec_version
        then excluded.updated_at
        else s.updated_at
    end;

--! update_graphs
-- The graphs are there and locked: nothing is inserted.
insert into workmill.graph as g (
    ns, graph, title, created_by, created_at, is_draft, is_draining, status, tasks, completed,
    cancelled, stale, dead, moving, spent_micros
)
select
    a.ns, u.graph, '', '', '-infinity', u.is_draft, u.is_draining, u.status, u.tasks, u.completed,
    u.cancelled, u.stale, u.dead, u.moving, u.spent_micros
from
    workmill.anchor a,
    unnest(
        :graphs::uuid[], :is_draft::boolean[], :is_draining::boolean[], :statuses::text[],
        :tasks::integer[], :completed::integer[], :cancelled::integer[], :stale::integer[], :dead::integer[],
        :moving::integer[], :spent::bigint[]
    ) as u (
        graph, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving,
        spent_micros
    )
where a.ns = :ns
on conflict (ns, graph) do update
set
    is_draft = excluded.is_draft,
    is_draining = excluded.is_draining,
    status = excluded.status,
    tasks = excluded.tasks,
    completed = excluded.completed,
    cancelled = excluded.cancelled,
    stale = excluded.stale,
    dead = excluded.dead,
    moving = excluded.moving,
    spent_micros = excluded.spent_micros;

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
where
    r.ns = :ns
    and r.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.ready k
                where k.ns = :ns and k.lane = u.lane and k.rank = u.rank and k.task = u.task
            )
            from unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[]) as u (lane, rank, task)
        )
    );

--! delete_due
delete from workmill.due d
where
    d.ns = :ns
    and d.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.due k
                where k.ns = :ns and k.at = u.at and k.task = u.task
            )
            from unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
        )
    );

--! delete_finished
delete from workmill.finished f
using unnest(:tasks::uuid[]) as u (task)
where f.ns = :ns and f.task = u.task;

--! insert_resolutions (notes[?])
-- Before the dead letters are deleted, in the same transaction.
insert into workmill.resolution (
    ns, task, dead_at, epoch, at, cause, reason, fingerprint, is_reviewed, resolution, resolved_by,
    note
)
select
    a.ns, u.task, d.at, s.epoch, :now, d.cause, d.reason, d.fingerprint, d.is_reviewed, u.resolution,
    u.resolved_by, u.note
from
    workmill.anchor a
cross join
    unnest(
        :tasks::uuid[], :resolutions::text[], :resolved_by::text[], :notes::text[]
    ) as u (task, resolution, resolved_by, note)
cross join lateral (
    select l.at, l.cause, l.reason, l.fingerprint, l.is_reviewed
    from workmill.dead_letter l
    where l.ns = :ns and l.task = u.task
    limit 1
) as d
cross join lateral (
    select t.epoch from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s
where a.ns = :ns;

--! delete_dead_letters
delete from workmill.dead_letter d
where
    d.ns = :ns
    and d.ctid = any(
        array(
            select (
                select k.ctid from workmill.dead_letter k where k.ns = :ns and k.task = u.task
            )
            from unnest(:tasks::uuid[]) as u (task)
        )
    );

--! delete_blocked
delete from workmill.blocked b
where
    b.ns = :ns
    and b.ctid = any(
        array(
            select (
                select k.ctid from workmill.blocked k where k.ns = :ns and k.task = u.task
            )
            from unnest(:tasks::uuid[]) as u (task)
        )
    );

--! insert_deadlines
insert into workmill.deadline (ns, presses_at, task, at, submitted_at, estimate_ms, base, boost)
select a.ns, u.presses_at, u.task, u.at, u.submitted_at, u.estimate_ms, u.base, u.boost
from
    workmill.anchor a,
    unnest(
        :presses_ats::timestamptz[], :tasks::uuid[], :ats::timestamptz[],
        :submitted_ats::timestamptz[], :estimates::bigint[], :bases::integer[], :boosts::text[]
    ) as u (presses_at, task, at, submitted_at, estimate_ms, base, boost)
where a.ns = :ns;

--! delete_deadlines
delete from workmill.deadline d
where
    d.ns = :ns
    and d.ctid = any(
        array(
            select (
                select k.ctid from workmill.deadline k where k.ns = :ns and k.task = u.task
            )
            from unnest(:tasks::uuid[]) as u (task)
        )
    );
