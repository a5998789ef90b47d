-- Plans: tasks that a planner keeps in step with its own list, by ids of its own.

-- The graph that the planned tasks of a namespace share. Locked by whoever brings the plan up to date.
create table workmill.plan (
    ns bigint primary key,
    graph uuid not null
);

-- What a planner calls its tasks, and which document each belongs to. It outlives a completed task
-- that is removed: a planner that still names it must not have it done again.
create table workmill.plan_task (
    ns bigint not null,
    key text not null,
    spec_ref text not null,
    task uuid not null,
    primary key (ns, key)
);
create index plan_task_by_spec_ref on workmill.plan_task (ns, spec_ref, key);
