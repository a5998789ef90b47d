-- Projects: a label over graphs and tasks, with an outside reference.

create table workmill.project (
    ns bigint not null,
    project uuid not null,
    name text not null,
    description text,
    status text not null check (status in ('active', 'archived')),
    -- What it is called elsewhere: a repository, an issue tracker's id.
    external_ref text,
    metadata jsonb,
    -- Grows with every change.
    version integer not null,
    created_by text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (ns, project)
);

-- Which project a task or graph belongs to. It never changes, so tasks are still updated in place; who
-- belongs to none is in no index.
alter table workmill.state add column project uuid;
create index state_by_project on workmill.state (ns, project, task) where project is not null;
alter table workmill.graph add column project uuid;
create index graph_by_project on workmill.graph (ns, project, graph) where project is not null;

-- What a call that created a project was answered.
alter table workmill.idempotency add column project uuid;
