-- Writes new graphs and tasks. Called by store::intake, in one transaction. Nothing else can see
-- the rows before it commits, so no lock is needed; where tasks rest is written with the
-- statements of task/write_back.sql.

--! insert_graphs (keys[?], projects[?])
insert into workmill.graph (
    ns, graph, title, created_by, created_by_key, created_at, is_draft, is_draining, status,
    tasks, completed, cancelled, stale, dead, moving, project
)
select
    a.ns, u.graph, u.title, u.created_by, u.created_by_key, :now, u.is_draft, false, u.status,
    u.tasks, 0, 0, 0, 0, u.moving, u.project
from
    workmill.anchor a,
    unnest(
        :graphs::uuid[], :titles::text[], :creators::text[], :keys::uuid[],
        :is_draft::boolean[], :statuses::text[], :tasks::integer[], :moving::integer[],
        :projects::uuid[]
    ) as u (graph, title, created_by, created_by_key, is_draft, status, tasks, moving, project)
where a.ns = :ns;

--! insert_specs (keys[?], parents[?])
insert into workmill.spec (
    ns, task, version, submitted_at, created_by, created_by_key, parent, depth, body, policy
)
select
    a.ns, u.task, 1, :now, u.created_by, u.created_by_key, u.parent, u.depth, u.body, u.policy
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :creators::text[], :keys::uuid[], :parents::uuid[],
        :depths::smallint[], :bodies::json[], :policies::json[]
    ) as u (task, created_by, created_by_key, parent, depth, body, policy)
where a.ns = :ns;

--! insert_requests (request_graphs[?])
-- The idempotency keys of calls and tasks: each stands for the tasks from its first to its last place in
-- `answered`. In the order of the keys, so that two batches with the same keys do not wait in a circle. Waits
-- for another transaction that writes one of the keys, and fails if that one commits.
insert into workmill.idempotency (ns, key, digest, at, graph, tasks)
select a.ns, u.key, u.digest, :now, u.graph, (:answered::uuid[])[u.first_task : u.last_task]
from
    workmill.anchor a,
    unnest(
        :request_keys::text[], :digests::bytea[], :request_graphs::uuid[], :firsts::integer[],
        :lasts::integer[]
    ) as u (key, digest, graph, first_task, last_task)
where a.ns = :ns
order by u.key;

--! insert_tasks (dues[?], projects[?])
insert into workmill.state (
    ns, task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure,
    in_graph, has_deadline, spec_version, epoch, attempts, crashes, freed_runners, spent_micros,
    project
)
select
    a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.state, u.unmet, u.critical_path,
    u.on_dependency_failure, u.in_graph, u.has_deadline, 1, u.epoch, u.attempts, 0, false, 0,
    u.project
from
    workmill.anchor a,
    unnest(
        :tasks::uuid[], :graphs::uuid[], :lanes::bigint[], :ranks::bigint[],
        :dues::timestamptz[], :states::smallint[], :epochs::integer[], :attempts::integer[],
        :unmets::integer[], :critical_paths::smallint[], :on_dependency_failures::smallint[],
        :in_graphs::boolean[], :has_deadlines::boolean[], :projects::uuid[]
    ) as u (
        task, graph, lane, rank, due, state, epoch, attempts, unmet, critical_path,
        on_dependency_failure, in_graph, has_deadline, project
    )
where a.ns = :ns;

--! insert_edges
insert into workmill.edge (ns, task, depends_on)
select a.ns, u.task, u.depends_on
from workmill.anchor a, unnest(:tasks::uuid[], :depends_on::uuid[]) as u (task, depends_on)
where a.ns = :ns;

--! find_idempotent : (digest?, graph?, tasks?)
-- What earlier requests with these keys were answered.
select u.key, i.digest, i.graph, i.tasks
from unnest(:keys::text[]) as u (key)
left join lateral (
    select t.digest, t.graph, t.tasks
    from workmill.idempotency t
    where t.ns = :ns and t.key = u.key
    limit 1
) as i on true;

--! find_task_keys
select k.key, k.task
from unnest(:keys::text[]) as u (key)
cross join lateral (
    select t.key, t.task from workmill.task_key t where t.ns = :ns and t.key = u.key limit 1
) as k;

--! insert_task_keys
-- In the order of the keys, as above.
insert into workmill.task_key (ns, key, task)
select a.ns, u.key, u.task
from workmill.anchor a, unnest(:keys::text[], :tasks::uuid[]) as u (key, task)
where a.ns = :ns
order by u.key;

--! insert_spec_versions
-- A new version of tasks that are there; who submitted them and when stays.
insert into workmill.spec (
    ns, task, version, submitted_at, created_by, created_by_key, parent, depth, body, policy
)
select
    a.ns, p.task, p.version + 1, p.submitted_at, p.created_by, p.created_by_key, p.parent, p.depth,
    u.body, u.policy
from workmill.anchor a
cross join unnest(:tasks::uuid[], :versions::integer[], :bodies::json[], :policies::json[])
    as u (task, version, body, policy)
cross join lateral (
    select
        c.task, c.version, c.submitted_at, c.created_by, c.created_by_key, c.parent, c.depth
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = u.version
    limit 1
) as p
where a.ns = :ns;
