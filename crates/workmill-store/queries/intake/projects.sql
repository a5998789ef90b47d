-- Projects. Called by store::intake::projects and store::look::projects.

--! insert_project (description?, external_ref?, metadata?)
insert into workmill.project (
    ns, project, name, description, status, external_ref, metadata, version, created_by,
    created_at, updated_at
)
values (
    :ns, :project, :name, :description, :status, :external_ref, :metadata, 1, :created_by,
    :now, :now
);

--! find_idempotent_project : (project?)
-- What an earlier call with this key was answered; no project: it was about something else.
select digest, project from workmill.idempotency where ns = :ns and key = :key;

--! insert_idempotent_project
-- Waits for another transaction that is at the same key; nothing is inserted when it commits.
insert into workmill.idempotency (ns, key, digest, at, tasks, project)
values (:ns, :key, :digest, :now, '{}', :project)
on conflict do nothing;

--! lock_project : (description?, external_ref?, metadata?)
select
    project, name, description, status, external_ref, metadata, version, created_by, created_at,
    updated_at
from workmill.project
where ns = :ns and project = :project
for update;

--! update_project (description?, external_ref?, metadata?)
-- Under the lock.
update workmill.project p
set
    name = :name, description = :description, status = :status, external_ref = :external_ref,
    metadata = :metadata, version = :version, updated_at = :now
where p.ns = :ns and p.project = :project;

--! find_known_projects
-- Which of these there are.
select p.project
from unnest(:projects::uuid[]) as u (project)
cross join lateral (
    select t.project
    from workmill.project t
    where t.ns = :ns and t.project = u.project
    limit 1
) as p;

--! find_projects : (description?, external_ref?, metadata?)
-- In the order they were made, after the one named.
select
    project, name, description, status, external_ref, metadata, version, created_by, created_at,
    updated_at
from workmill.project
where ns = :ns and project > :after
order by project
limit :most;

--! count_tasks_of_project
-- By state; no more than so many are looked at.
select t.state, count(*) as tasks
from (
    select s.state
    from workmill.state s
    where s.ns = :ns and s.project = :project
    limit :most
) as t
group by t.state;

--! find_project_of_graph : (project?)
-- For tasks that are added to it; the graph is locked.
select project from workmill.graph where ns = :ns and graph = :graph;
