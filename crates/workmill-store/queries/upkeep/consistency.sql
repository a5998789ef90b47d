-- Looks for rows that disagree. Called by the consistency sweep, a page of tasks at a time; what
-- it finds is looked at again under the locks, so that a page that was read while others wrote
-- shows nothing.

--! find_disagreements
-- Tasks whose row and whose resting place, or whose counter and whose edges, disagree. Counted,
-- not asked with `exists`, which PostgreSQL may answer by reading all of a namespace.
with page as (
    select s.task, s.state, s.lane, s.rank, s.due, s.unmet, s.epoch, s.on_dependency_failure
    from workmill.state s
    where s.ns = :ns and s.task > :after
    order by s.task
    limit :most
)
select
    p.task,
    (p.state = 2) is distinct from (
        (
            select count(*)
            from workmill.ready r
            where r.ns = :ns and r.lane = p.lane and r.rank = p.rank and r.task = p.task
        ) + (
            select count(*)
            from workmill.gated g
            where g.ns = :ns and g.task = p.task and g.lane = p.lane and g.rank = p.rank
        ) = 1
    ) as is_wrong_in_ready,
    (p.state = 7 or (p.state = 1 and p.unmet = 0)) is distinct from (
        select count(*) > 0 from workmill.due d where d.ns = :ns and d.at = p.due and d.task = p.task
    ) as is_wrong_in_due,
    p.state in (3, 4, 5) and (
        select count(*) = 0
        from workmill.lease l
        where l.ns = :ns and l.task = p.task and l.epoch = p.epoch
    ) as has_lost_its_lease,
    p.unmet is distinct from (
        select count(*)::integer
        from workmill.edge g
        cross join lateral (
            select t.state, t.freed_runners
            from workmill.state t
            where t.ns = :ns and t.task = g.depends_on
            limit 1
        ) as o
        where
            g.ns = :ns and g.task = p.task
            and o.state <> 8
            and not (p.on_dependency_failure = 3 and (o.state in (9, 10, 11) or o.freed_runners))
    ) as has_wrong_counter
from page p
order by p.task;

--! find_ready_rows
-- In their lanes, or stopped at a gate.
select r.lane, r.rank, r.task, false as is_gated
from workmill.ready r
where r.ns = :ns and r.task = any(:tasks::uuid[])
union all
select g.lane, g.rank, g.task, true
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.lane, t.rank, t.task from workmill.gated t where t.ns = :ns and t.task = u.task offset 0
) as g;

--! find_due_rows
select task
from workmill.due
where ns = :ns and task = any(:tasks::uuid[]);
