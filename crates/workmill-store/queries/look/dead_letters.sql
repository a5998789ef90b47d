-- Dead letters, for those who decide about them.

--! find_dead_letters (type_name?, fingerprint?)
-- A page, oldest first, of those that fit the filter.
select d.task, d.at, d.cause, d.reason, d.fingerprint, d.is_reviewed
from workmill.dead_letter d
join workmill.state s on s.ns = d.ns and s.task = d.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where
    d.ns = :ns and s.ns = :ns and p.ns = :ns
    and d.task > :after
    and (:type_name::text is null or p.body ->> 'type' = :type_name)
    and (:fingerprint::bigint is null or d.fingerprint = :fingerprint)
order by d.task
limit :most;

--! count_dead_letters (type_name?, fingerprint?)
select count(*) as letters
from workmill.dead_letter d
join workmill.state s on s.ns = d.ns and s.task = d.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where
    d.ns = :ns and s.ns = :ns and p.ns = :ns
    and (:type_name::text is null or p.body ->> 'type' = :type_name)
    and (:fingerprint::bigint is null or d.fingerprint = :fingerprint);

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
