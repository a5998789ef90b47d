-- Finished tasks that go. Called by store::upkeep::retention, a page at a time, oldest first.
--
-- What is deleted is found row by row through its key, and deleted by its place: tasks and graphs
-- are locked, and what belongs to them is written under their locks.

--! find_retention : (completed_ms?, cancelled_ms?, stale_ms?)
select completed_ms, cancelled_ms, stale_ms from workmill.retention where ns = :ns;

--! lock_retention : (completed_ms?, cancelled_ms?, stale_ms?)
select completed_ms, cancelled_ms, stale_ms from workmill.retention where ns = :ns for update;

--! insert_blank_retention
-- So that there is a row to lock. What it says is what is said without it.
insert into workmill.retention (ns, changed_at) values (:ns, :now)
on conflict do nothing;

--! write_retention (completed_ms?, cancelled_ms?, stale_ms?)
insert into workmill.retention (ns, completed_ms, cancelled_ms, stale_ms, changed_at)
values (:ns, :completed_ms, :cancelled_ms, :stale_ms, :now)
on conflict (ns) do update
set
    completed_ms = excluded.completed_ms,
    cancelled_ms = excluded.cancelled_ms,
    stale_ms = excluded.stale_ms,
    changed_at = excluded.changed_at;

--! find_namespaces_with_old_tasks
-- One look at the oldest of each namespace that lets anything go: mostly nothing is old. What comes
-- first may be kept for longer, or for ever; that is for the look at all of them.
select r.ns
from workmill.retention r
cross join lateral (
    select f.at
    from workmill.finished f
    where f.ns = r.ns
    order by f.at, f.task
    limit 1
) as oldest
where
    oldest.at
    <= :now::timestamptz
    - least(r.completed_ms, r.cancelled_ms, r.stale_ms) * interval '1 millisecond'
order by r.ns;

--! find_finished : (state?, tasks?, completed?, cancelled?, stale?, dead?, moving?)
-- A page of tasks that have ended, oldest first, each with the tally of its graph, if it is in
-- one, and whether an agent still holds it.
select
    f.at, f.task, s.state, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving,
    (
        select count(*) > 0 from workmill.lease l where l.ns = :ns and l.task = f.task
    ) as is_leased
from (
    select k.at, k.task
    from workmill.finished k
    where
        k.ns = :ns and (k.at, k.task) > (:after_at::timestamptz, :after::uuid)
        and k.at <= :latest
    order by k.at, k.task
    limit :most
) as f
left join lateral (
    select t.state, t.graph, t.in_graph
    from workmill.state t
    where t.ns = :ns and t.task = f.task
    limit 1
) as s on true
left join lateral (
    select r.tasks, r.completed, r.cancelled, r.stale, r.dead, r.moving
    from workmill.graph r
    where r.ns = :ns and r.graph = s.graph and s.in_graph
    limit 1
) as g on true
order by f.at, f.task;

--! delete_finished_at
-- Only what ended at that moment: a task that was brought back and ended anew has another one.
delete from workmill.finished f
where
    f.ns = :ns
    and f.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.finished k
                where k.ns = :ns and k.at = u.at and k.task = u.task
            )
            from unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
        )
    )
returning f.task;

--! delete_task_keys
-- Planners' own ids are found by what the task asks for, so this comes before its spec goes.
delete from workmill.task_key t
where
    t.ns = :ns
    and t.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select c.body ->> 'key' as key
                from workmill.spec c
                where c.ns = :ns and c.task = u.task
                order by c.version desc
                limit 1
            ) as p
            cross join lateral (
                select x.ctid
                from workmill.task_key x
                where x.ns = :ns and x.key = p.key and x.task = u.task
                limit 1
            ) as k
        )
    );

--! delete_plan_tasks
-- What is completed is remembered: see V8__plans.sql. Found as the keys are, and by the states, so
-- this comes before them.
delete from workmill.plan_task t
where
    t.ns = :ns
    and t.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.state from workmill.state x where x.ns = :ns and x.task = u.task limit 1
            ) as s
            cross join lateral (
                select c.body ->> 'key' as key
                from workmill.spec c
                where c.ns = :ns and c.task = u.task
                order by c.version desc
                limit 1
            ) as p
            cross join lateral (
                select x.ctid
                from workmill.plan_task x
                where x.ns = :ns and x.key = p.key and x.task = u.task
                limit 1
            ) as k
            where s.state <> :completed
        )
    );

--! delete_edges
-- In both directions.
delete from workmill.edge e
where
    e.ns = :ns
    and e.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.edge x where x.ns = :ns and x.task = u.task offset 0
            ) as k
            union all
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid
                from workmill.edge x
                where x.ns = :ns and x.depends_on = u.task
                offset 0
            ) as k
        )
    );

--! delete_states
delete from workmill.state s
where
    s.ns = :ns
    and s.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.state x where x.ns = :ns and x.task = u.task limit 1
            ) as k
        )
    );

--! delete_specs
delete from workmill.spec p
where
    p.ns = :ns
    and p.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.spec x where x.ns = :ns and x.task = u.task offset 0
            ) as k
        )
    );

--! delete_attempts
delete from workmill.attempt a
where
    a.ns = :ns
    and a.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.attempt x where x.ns = :ns and x.task = u.task offset 0
            ) as k
        )
    );

--! delete_results
delete from workmill.result r
where
    r.ns = :ns
    and r.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.result x where x.ns = :ns and x.task = u.task limit 1
            ) as k
        )
    );

--! delete_late_results
delete from workmill.late_result r
where
    r.ns = :ns
    and r.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid
                from workmill.late_result x
                where x.ns = :ns and x.task = u.task
                offset 0
            ) as k
        )
    );

--! delete_answers
delete from workmill.answer a
where
    a.ns = :ns
    and a.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid from workmill.answer x where x.ns = :ns and x.task = u.task offset 0
            ) as k
        )
    );

--! delete_resolutions
delete from workmill.resolution r
where
    r.ns = :ns
    and r.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid
                from workmill.resolution x
                where x.ns = :ns and x.task = u.task
                offset 0
            ) as k
        )
    );

--! delete_revivals
delete from workmill.revival c
where
    c.ns = :ns
    and c.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid
                from workmill.revival x
                where x.ns = :ns and x.task = u.task
                limit 1
            ) as k
        )
    );

--! delete_checkpoints
delete from workmill.checkpoint c
where
    c.ns = :ns
    and c.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select x.ctid
                from workmill.checkpoint x
                where x.ns = :ns and x.task = u.task
                limit 1
            ) as k
        )
    );

--! delete_graphs
delete from workmill.graph g
where
    g.ns = :ns
    and g.ctid = any(
        array(
            select k.ctid
            from unnest(:graphs::uuid[]) as u (graph)
            cross join lateral (
                select x.ctid from workmill.graph x where x.ns = :ns and x.graph = u.graph limit 1
            ) as k
        )
    );
