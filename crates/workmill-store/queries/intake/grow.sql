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
    join workmill.edge e on e.ns = :ns and e.task = a.depends_on
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
join workmill.state s on s.ns = e.ns and s.task = e.task
where e.ns = :ns and s.ns = :ns and e.depends_on = any(:tasks::uuid[]);

--! find_tasks_with_urgent_chains
-- Which of these tasks become more urgent by what waits behind them: their policy says.
select s.task
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where
    s.ns = :ns and p.ns = :ns and s.task = any(:tasks::uuid[])
    and (p.policy ->> 'critical_path')::boolean;
