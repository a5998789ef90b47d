-- Reads and changes the edges of a graph. Called by store::intake under the graph's lock.

--! find_dependencies
-- What these tasks wait for.
select task, depends_on
from workmill.edge
where ns = :ns and task = any(:tasks::uuid[])
order by task, depends_on;

--! delete_edge
delete from workmill.edge
where ns = :ns and task = :task and depends_on = :depends_on;

--! find_members
-- Which of these tasks are in the graph. A task never changes its graph.
select task
from workmill.state
where ns = :ns and graph = :graph and task = any(:tasks::uuid[]);
