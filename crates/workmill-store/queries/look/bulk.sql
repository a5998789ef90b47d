-- Tasks for a list or an action on many, found where they rest: each place in stretches of bounded
-- length, in the order of its key. Called by store::look::bulk and store::settlement::bulk; nothing
-- is locked here.

--! find_stretch_of_everything
select s.task
from workmill.state s
where s.ns = :ns and s.task > :after and s.task <= :upto
order by s.task
limit :most;

--! find_stretch_of_graph
select s.task
from workmill.state s
where s.ns = :ns and s.graph = :graph and s.task > :after and s.in_graph
order by s.task
limit :most;

--! find_stretch_of_project
select s.task
from workmill.state s
where s.ns = :ns and s.project = :project and s.task > :after
order by s.task
limit :most;

--! find_stretch_of_ready
select r.lane, r.rank, r.task
from workmill.ready r
where r.ns = :ns and (r.lane, r.rank, r.task) > (:lane::bigint, :rank::bigint, :after::uuid)
order by r.lane, r.rank, r.task
limit :most;

--! find_stretch_of_gated
select g.task
from workmill.gated g
where g.ns = :ns and g.task > :after
order by g.task
limit :most;

--! find_stretch_of_due
select d.at, d.task
from workmill.due d
where d.ns = :ns and (d.at, d.task) > (:at::timestamptz, :after::uuid)
order by d.at, d.task
limit :most;

--! find_stretch_of_leases
-- A task that was cancelled while it ran and claimed by nobody since can have a lease still.
select l.task
from workmill.lease l
where l.ns = :ns and l.task > :after
order by l.task, l.epoch
limit :most;

--! find_stretch_of_blocked
select b.task
from workmill.blocked b
where b.ns = :ns and b.task > :after
order by b.task
limit :most;

--! find_stretch_of_dead_letters
select d.task
from workmill.dead_letter d
where d.ns = :ns and d.task > :after
order by d.task
limit :most;

--! find_stretch_of_finished
select f.at, f.task
from workmill.finished f
where f.ns = :ns and (f.at, f.task) > (:at::timestamptz, :after::uuid)
order by f.at, f.task
limit :most;

--! find_newest_of_everything
-- From the newest to the oldest: ids grow with time. So do the statements below.
select s.task
from workmill.state s
where s.ns = :ns and s.task < :before and s.task >= :from_
order by s.task desc
limit :most;

--! find_newest_of_graph
select s.task
from workmill.state s
where s.ns = :ns and s.graph = :graph and s.task < :before and s.in_graph
order by s.task desc
limit :most;

--! find_newest_of_project
select s.task
from workmill.state s
where s.ns = :ns and s.project = :project and s.task < :before
order by s.task desc
limit :most;

--! find_newest_of_leases
select l.task
from workmill.lease l
where l.ns = :ns and l.task < :before
order by l.task desc, l.epoch desc
limit :most;

--! find_newest_of_blocked
select b.task
from workmill.blocked b
where b.ns = :ns and b.task < :before
order by b.task desc
limit :most;

--! find_newest_of_dead_letters
select d.task
from workmill.dead_letter d
where d.ns = :ns and d.task < :before
order by d.task desc
limit :most;

--! find_last_finished
-- What has ended last comes first.
select f.at, f.task
from workmill.finished f
where f.ns = :ns and (f.at, f.task) < (:at::timestamptz, :before::uuid)
order by f.at desc, f.task desc
limit :most;

--! describe_tasks : (due?, project?, tags?, target_agent?, key?, dead_since?, waits_for?, last_agent?)
-- What a filter asks of these tasks and a list shows; each is looked up for itself.
select
    u.task, s.state, s.graph, s.project, s.due, s.attempts, s.spent_micros, p.created_by, p.submitted_at,
    p.type_name, p.title, p.tags, p.priority, p.target_agent, p.key,
    array(
        select l.agent
        from workmill.lease l
        where l.ns = :ns and l.task = u.task
        order by l.epoch
    )::text[] as held_by,
    (
        select a.agent
        from workmill.attempt a
        where a.ns = :ns and a.task = u.task
        order by a.epoch desc, a.resumed desc
        limit 1
    ) as last_agent,
    (
        select d.at from workmill.dead_letter d where d.ns = :ns and d.task = u.task
    ) as dead_since,
    (
        select b.waits_for from workmill.blocked b where b.ns = :ns and b.task = u.task
    ) as waits_for
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.state, t.graph, t.project, t.due, t.attempts, t.spent_micros, t.spec_version
    from workmill.state t
    where t.ns = :ns and t.task = u.task
    limit 1
) as s
cross join lateral (
    select
        c.created_by, c.submitted_at, c.body ->> 'type' as type_name,
        c.body ->> 'title' as title, c.body -> 'tags' as tags,
        c.body -> 'priority' as priority, c.body ->> 'target_agent' as target_agent,
        c.body ->> 'key' as key
    from workmill.spec c
    where c.ns = :ns and c.task = u.task and c.version = s.spec_version
    limit 1
) as p;
