-- Whether outputs of tasks may be referred to. Called by store::intake::references. Looked up row by
-- row: why is said in dispatch/claim.sql.

--! find_submitters : (created_by_key?)
-- Those of these tasks that exist, with the key and the name that submitted them.
select u.task, p.created_by_key, p.created_by
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select c.created_by_key, c.created_by
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = 1
    limit 1
) as p;

--! find_handed
-- Those of these tasks whose output a task that is held depends on, that an agent of this key has
-- completed (an earlier agent of the same name may have been another key's), or that lie below the held task on the way by which they were spawned.
select u.task
from unnest(:tasks::uuid[]) as u (task)
where
    exists (
        select from workmill.edge e
        where e.ns = :ns and e.task = :held and e.depends_on = u.task
    )
    or exists (
        select
        from workmill.attempt t
        cross join lateral (
            select a.key, a.created_at
            from workmill.agent a
            where a.ns = :ns and a.agent = t.agent
            limit 1
        ) as g
        where
            t.ns = :ns and t.task = u.task and t.outcome = 'completed' and g.key = :key
            and (g.created_at is null or t.ended_at >= g.created_at)
    )
    or exists (
        with recursive above as (
            select c.parent, 1 as steps
            from workmill.spec c
            where c.ns = :ns and c.task = u.task and c.version = 1
            union all
            select p.parent, b.steps + 1
            from above b
            cross join lateral (
                select c.parent
                from workmill.spec c
                where c.ns = :ns and c.task = b.parent and c.version = 1
                limit 1
            ) as p
            where b.steps < 1000 and b.parent <> :held
        )
        select from above b where b.parent = :held
    );

--! find_states
-- How those of these tasks stand that are referred to.
select u.task, s.state
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.state from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s;
