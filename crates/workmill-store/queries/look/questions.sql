-- What blocked tasks ask, for those who answer. Called by store::look; nothing is locked.

--! find_blocks : (question?, until?)
select b.task, b.at, b.waits_for, b.question, b.until
from workmill.blocked b
where b.ns = :ns and b.task = any(:tasks::uuid[]);

--! find_questions (until?) : (question?, until?, project?, agent?)
-- Those that a person can answer, soonest expiry first. All blocked tasks of the namespace are
-- sorted for a page: there are no more of them than people can answer, so an index that every
-- blocked task pays for is not worth it.
select
    b.task, s.graph, s.project, p.type_name, p.title, l.agent, b.waits_for, b.question, b.at,
    b.until
from (
    select w.task, w.waits_for, w.question, w.at, w.until
    from workmill.blocked w
    where
        w.ns = :ns and w.waits_for = any(:kinds::text[])
        and (coalesce(w.until, 'infinity'), w.task)
            > (coalesce(:until::timestamptz, 'infinity'), :after::uuid)
    order by coalesce(w.until, 'infinity'), w.task
    limit :most
) as b
cross join lateral (
    select t.graph, t.project, t.spec_version
    from workmill.state t
    where t.ns = :ns and t.task = b.task
    limit 1
) as s
cross join lateral (
    select c.body ->> 'type' as type_name, c.body ->> 'title' as title
    from workmill.spec c
    where c.ns = :ns and c.task = b.task and c.version = s.spec_version
    limit 1
) as p
left join lateral (
    select t.agent
    from workmill.attempt t
    where t.ns = :ns and t.task = b.task
    order by t.epoch desc, t.resumed desc
    limit 1
) as l on true
order by coalesce(b.until, 'infinity'), b.task;
