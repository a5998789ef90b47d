-- Dead letters, for those who decide about them. Called by store::look::dead_letters, and by
-- store::settlement::dead_letters under the tasks' locks.

--! find_end_of_look
-- The last dead letter of a stretch of so many: a look at a stretch has an end, however few of
-- it fit the filter. None: fewer are left.
select d.task
from workmill.dead_letter d
where d.ns = :ns and d.task > :after
order by d.task
offset :letters_before
limit 1;

--! find_dead_letters (type_name?, tag?, created_by?, graph?, agent?, reason?, cause?, fingerprint?, is_reviewed?, since?, until?)
-- Those of a stretch that fit the filter, by id, oldest task first: what they have cost so far
-- and what follows when they are decided about. What is laid beside each letter is looked up
-- for that one alone: `limit 1` keeps a plan that does not know the filter from reading all
-- tasks for a handful of letters.
select
    d.task, d.at, d.cause, d.reason, d.fingerprint, d.is_reviewed,
    (
        (
            select coalesce(sum(t.cost_micros), 0)
            from workmill.attempt t
            where t.ns = :ns and t.task = d.task
        ) + (
            select coalesce(sum(r.cost_micros), 0)
            from workmill.late_result r
            where r.ns = :ns and r.task = d.task
        )
    )::bigint as cost_micros,
    (
        select count(*)
        from workmill.edge e
        where e.ns = :ns and e.depends_on = d.task
    ) as dependents
from workmill.dead_letter d
cross join lateral (
    select s.graph, p.created_by, p.body ->> 'type' as type_name, p.body -> 'tags' as tags
    from workmill.state s
    join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
    where s.ns = :ns and p.ns = :ns and s.task = d.task
    limit 1
) as w
where
    d.ns = :ns and d.task > :after and d.task <= :upto
    and (:since::timestamptz is null or d.at >= :since)
    and (:until::timestamptz is null or d.at <= :until)
    and (:reason::text is null or d.reason = :reason)
    and (:cause::text is null or d.cause = :cause)
    and (:fingerprint::bigint is null or d.fingerprint = :fingerprint)
    and (:is_reviewed::boolean is null or d.is_reviewed = :is_reviewed)
    and (:graph::uuid is null or w.graph = :graph)
    and (:created_by::text is null or w.created_by = :created_by)
    and (:type_name::text is null or w.type_name = :type_name)
    and (:tag::text is null or w.tags::jsonb @> to_jsonb(:tag::text))
    and (
        :agent::text is null
        or (
            select count(*) > 0
            from workmill.attempt t
            where t.ns = :ns and t.task = d.task and t.agent = :agent and t.outcome = 'failed'
        )
    )
order by d.task
limit :most;

--! find_resolutions : (note?)
-- What was decided about a task each time that it was a dead letter, the last time first.
select
    r.dead_at, r.at, r.cause, r.reason, r.fingerprint, r.is_reviewed, r.resolution, r.resolved_by,
    r.note
from workmill.resolution r
where r.ns = :ns and r.task = :task
order by r.dead_at desc, r.epoch desc;

--! find_end_of_resolved
-- The last resolved dead letter of a stretch of so many, the newest resolution first.
select r.at, r.task, r.epoch
from workmill.resolution r
where r.ns = :ns and (r.at, r.task, r.epoch) < (:at, :task, :epoch)
order by r.at desc, r.task desc, r.epoch desc
offset :letters_before
limit 1;

--! find_resolved (type_name?, tag?, created_by?, graph?, agent?, reason?, cause?, fingerprint?, is_reviewed?, since?, until?) : (note?)
-- Those of a stretch that fit the filter, the newest resolution first.
select
    r.task, r.dead_at, r.epoch, r.at, r.cause, r.reason, r.fingerprint, r.is_reviewed, r.resolution,
    r.resolved_by, r.note,
    (
        select count(*)
        from workmill.edge e
        where e.ns = :ns and e.depends_on = r.task
    ) as dependents
from workmill.resolution r
cross join lateral (
    select s.graph, p.created_by, p.body ->> 'type' as type_name, p.body -> 'tags' as tags
    from workmill.state s
    join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
    where s.ns = :ns and p.ns = :ns and s.task = r.task
    limit 1
) as w
where
    r.ns = :ns and (r.at, r.task, r.epoch) < (:at, :task, :epoch)
    and (r.at, r.task, r.epoch) >= (:upto_at, :upto_task, :upto_epoch)
    and (:since::timestamptz is null or r.dead_at >= :since)
    and (:until::timestamptz is null or r.dead_at <= :until)
    and (:reason::text is null or r.reason = :reason)
    and (:cause::text is null or r.cause = :cause)
    and (:fingerprint::bigint is null or r.fingerprint = :fingerprint)
    and (:is_reviewed::boolean is null or r.is_reviewed = :is_reviewed)
    and (:graph::uuid is null or w.graph = :graph)
    and (:created_by::text is null or w.created_by = :created_by)
    and (:type_name::text is null or w.type_name = :type_name)
    and (:tag::text is null or w.tags::jsonb @> to_jsonb(:tag::text))
    and (
        :agent::text is null
        or (
            select count(*) > 0
            from workmill.attempt t
            where
                t.ns = :ns and t.task = r.task and t.agent = :agent and t.outcome = 'failed'
                and t.ended_at <= r.dead_at
        )
    )
order by r.at desc, r.task desc, r.epoch desc
limit :most;

--! count_dependents
select count(*) as dependents from workmill.edge where ns = :ns and depends_on = :task;

--! group_dead_letters
-- What has failed alike, the largest groups first.
select
    d.fingerprint, d.reason, count(*) as letters, min(d.at) as first_at, max(d.at) as last_at,
    (array_agg(d.task order by d.at desc))[1] as example
from workmill.dead_letter d
where d.ns = :ns
group by d.fingerprint, d.reason
order by count(*) desc, d.fingerprint
limit :most;

--! mark_reviewed
-- Somebody has looked, or takes it back. The tasks are locked.
update workmill.dead_letter d
set is_reviewed = :is_reviewed
where d.ns = :ns and d.task = any(:tasks::uuid[])
returning d.task;
