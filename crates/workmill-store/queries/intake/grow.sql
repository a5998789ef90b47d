-- Reads and changes the edges of a graph. Called by store::intake under the graph's lock.

--! find_dependencies
-- What these tasks wait for.
select task, depends_on
from workmill.edge
where ns = :ns and task = any(:tasks::uuid[])
order by task, depends_on;

--! find_edges_above
-- Everything that these tasks wait for, and what that waits for, to the top: in one look, because
-- chains are long.
with recursive above as (
    select e.task, e.depends_on
    from workmill.edge e
    where e.ns = :ns and e.task = any(:tasks::uuid[])
    union
    select e.task, e.depends_on
    from above a
    cross join lateral (
        select t.task, t.depends_on
        from workmill.edge t
        where t.ns = :ns and t.task = a.depends_on
        offset 0
    ) as e
)
select task, depends_on from above;

--! delete_edge
delete from workmill.edge
where ns = :ns and task = :task and depends_on = :depends_on;

--! find_members
-- Which of these tasks are in the graph. A task never changes its graph.
select task
from workmill.state
where ns = :ns and graph = :graph and task = any(:tasks::uuid[]);

--! find_chains_below
-- What waits for these tasks, with the chain below each. Chains change only under the graph's
-- lock.
select e.depends_on, e.task, s.critical_path
from workmill.edge e
cross join lateral (
    select t.critical_path from workmill.state t where t.ns = :ns and t.task = e.task limit 1
) as s
where e.ns = :ns and e.depends_on = any(:tasks::uuid[]);

--! find_tasks_with_urgent_chains : (most?)
-- Which of these tasks become more urgent by what waits behind them, and by how many points at most:
-- their policy says.
select u.task, (p.policy ->> 'most_critical_path')::smallint as most
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.spec_version from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s
cross join lateral (
    select t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = u.task and t.version = s.spec_version
    limit 1
) as p
where (p.policy ->> 'critical_path')::boolean;

--! count_spawned
-- How many of these tasks were spawned below one task by one key.
select count(*)
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select c.parent, c.created_by_key
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = 1
    limit 1
) as p
where p.parent = :parent and p.created_by_key = :key;
