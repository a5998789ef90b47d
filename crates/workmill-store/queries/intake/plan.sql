-- Brings the plan of a namespace up to date. Called by store::intake::plan, under the lock of the
-- plan and of its graph.

--! lock_plan
select graph from workmill.plan where ns = :ns for update;

--! find_plan
select graph from workmill.plan where ns = :ns;

--! insert_plan
insert into workmill.plan (ns, graph) values (:ns, :graph)
on conflict (ns) do nothing;

--! update_plan
update workmill.plan set graph = :graph where ns = :ns;

--! find_plan_tasks
-- Those with these ids, and all of these documents.
select p.key, p.spec_ref, p.task
from unnest(:keys::text[]) as u (key)
cross join lateral (
    select t.key, t.spec_ref, t.task
    from workmill.plan_task t
    where t.ns = :ns and t.key = u.key
    limit 1
) as p
union
select p.key, p.spec_ref, p.task
from unnest(:spec_refs::text[]) as u (spec_ref)
cross join lateral (
    select t.key, t.spec_ref, t.task
    from workmill.plan_task t
    where t.ns = :ns and t.spec_ref = u.spec_ref
    offset 0
) as p;

--! write_plan_tasks
insert into workmill.plan_task (ns, key, spec_ref, task)
select a.ns, u.key, u.spec_ref, u.task
from
    workmill.anchor a,
    unnest(:keys::text[], :spec_refs::text[], :tasks::uuid[]) as u (key, spec_ref, task)
where a.ns = :ns
on conflict (ns, key) do update
set spec_ref = excluded.spec_ref, task = excluded.task;

--! find_edges_of_graph
select e.task, e.depends_on
from (select s.task from workmill.state s where s.ns = :ns and s.graph = :graph offset 0) as m
cross join lateral (
    select t.task, t.depends_on
    from workmill.edge t
    where t.ns = :ns and t.task = m.task
    offset 0
) as e;

--! find_states
select s.task, s.state
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.task, t.state from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s;

--! find_lengths_of_graph
select s.task, s.critical_path
from workmill.state s
where s.ns = :ns and s.graph = :graph;

--! find_planned
-- Those of these tasks that are of the plan. Found by the key that each was submitted with.
select u.task
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select c.body ->> 'key' as key
    from workmill.spec c
    where c.ns = :ns and c.task = u.task
    order by c.version desc
    limit 1
) as p
cross join lateral (
    select t.task from workmill.plan_task t where t.ns = :ns and t.key = p.key limit 1
) as t
where t.task = u.task;

--! delete_edges
delete from workmill.edge e
where
    e.ns = :ns
    and e.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.edge k
                where k.ns = :ns and k.task = u.task and k.depends_on = u.depends_on
            )
            from unnest(:tasks::uuid[], :depends_on::uuid[]) as u (task, depends_on)
        )
    );
