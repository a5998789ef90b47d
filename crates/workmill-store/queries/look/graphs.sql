-- Graphs for lists, the newest first: ids grow with time, so the order of the ids is the order in which
-- graphs were made. Called by store::look::graphs; nothing is locked.

--! find_newest_graphs : (project?)
select
    g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks,
    g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros
from workmill.graph g
where g.ns = :ns and g.graph < :before and g.graph >= :from_
order by g.graph desc
limit :most;

--! find_newest_graphs_of_project : (project?)
select
    g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks,
    g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros
from workmill.graph g
where g.ns = :ns and g.project = :project and g.graph < :before and g.graph >= :from_
order by g.graph desc
limit :most;

--! find_newest_open_graphs : (project?)
-- Of each status so many; the statuses are written out for the index of graphs that have not ended.
select
    g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks,
    g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros
from unnest(:statuses::text[]) as u (status)
cross join lateral (
    select
        t.graph, t.project, t.title, t.created_by, t.created_at, t.status, t.is_draft, t.tasks,
        t.completed, t.cancelled, t.stale, t.dead, t.moving, t.spent_micros
    from workmill.graph t
    where
        t.ns = :ns and t.status = u.status and t.status in ('pending', 'running', 'failed')
        and t.graph < :before and t.graph >= :from_
    order by t.graph desc
    limit :most
) as g
order by g.graph desc
limit :most;

--! count_waiting_tasks
-- Tasks that rest nowhere, added up from the tallies of the graphs that have not ended, of each
-- status at most so many: those that wait for a dependency, and those of drafts.
select
    coalesce(sum(g.waiting) filter (where not g.is_draft), 0)::bigint as pending,
    coalesce(sum(g.waiting) filter (where g.is_draft), 0)::bigint as created,
    coalesce(bool_or(g.nth >= :most), false) as is_cut
from workmill.anchor n
cross join unnest(array['pending', 'running', 'failed']) as u (status)
cross join lateral (
    select k.is_draft, k.waiting, row_number() over () as nth
    from (
        select
            t.is_draft,
            t.tasks - t.completed - t.cancelled - t.stale - t.dead - t.moving as waiting
        from workmill.graph t
        where
            t.ns = n.ns and t.status = u.status
            and t.status in ('pending', 'running', 'failed')
        limit :most
    ) as k
) as g
where n.ns = any(:namespaces::bigint[]);
