-- What a task that spawns others allows, and the graph that it founds. Called by store::intake::spawn
-- and store::intake::spawning.

--! find_spawner
-- The task of a lease as it was asked for, what it has cost so far, and the agent that holds it, with
-- the type that it claimed the task with.
select
    p.body, p.policy, p.depth, s.critical_path, s.spent_micros, l.cost_micros, l.agent,
    coalesce(l.agent_type, g.type) as type, g.key
from workmill.lease l
cross join lateral (
    select t.spec_version, t.critical_path, t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = l.task
    limit 1
) as s
cross join lateral (
    select c.body, c.policy, c.depth
    from workmill.spec c
    where c.ns = :ns and c.task = l.task and c.version = s.spec_version
    limit 1
) as p
cross join lateral (
    select a.type, a.key from workmill.agent a where a.ns = :ns and a.agent = l.agent limit 1
) as g
where l.ns = :ns and l.task = :task and l.epoch = :epoch;

--! find_origin : (project?, created_by_key?)
-- What a standalone task gives to the row of its graph. The task is locked.
select s.project, p.created_by, p.created_by_key, p.title
from workmill.state s
cross join lateral (
    select c.created_by, c.created_by_key, c.body ->> 'title' as title
    from workmill.spec c
    where c.ns = :ns and c.task = s.task and c.version = s.spec_version
    limit 1
) as p
where s.ns = :ns and s.task = :task;

--! count_under_lease
-- The lease is locked. How many tasks were spawned under it, these included.
update workmill.lease
set spawned = spawned + :more
where ns = :ns and task = :task and epoch = :epoch
returning spawned;

--! count_in_graph
-- The graph is locked. How many of its tasks were spawned, these included.
update workmill.graph
set spawned = spawned + :more
where ns = :ns and graph = :graph
returning spawned;

--! find_spawning
select most_per_lease, most_per_graph, most_depth, spawn_for, locks
from workmill.spawning
where ns = :ns;

--! write_spawning
insert into workmill.spawning (
    ns, most_per_lease, most_per_graph, most_depth, spawn_for, locks, changed_at
)
values (
    :ns, :most_per_lease, :most_per_graph, :most_depth, :spawn_for, :locks, :now
)
on conflict (ns) do update
set
    most_per_lease = excluded.most_per_lease, most_per_graph = excluded.most_per_graph,
    most_depth = excluded.most_depth, spawn_for = excluded.spawn_for, locks = excluded.locks,
    changed_at = excluded.changed_at;
