-- The inbox. Called by store::intake::inbox. Rows are known by the name of their namespace.

--! find_inboxes
-- Names of namespaces with rows that wait: one look at the index for each, however many rows. A
-- hint over all namespaces.
with recursive waiting as (
    (
        select i.ns
        from workmill.inbox i
        where i.handled_at is null
        order by i.ns
        limit 1
    )
    union all
    select n.ns
    from waiting w
    cross join lateral (
        select i.ns
        from workmill.inbox i
        where i.handled_at is null and i.ns > w.ns
        order by i.ns
        limit 1
    ) as n
)
select ns from waiting;

--! find_letters
-- What waits, oldest first, with its size. A hint: looked at again under the lock.
select i.id, octet_length(i.task::text) as size
from workmill.inbox i
where i.ns = :name and i.handled_at is null
order by i.created_at, i.id
limit :most;

--! lock_letters
-- Those that no other server is handling now; whether they still wait is asked of each, for with that
-- as a condition a plan may go over all that wait.
select i.id, i.task, i.created_by, i.waits
from unnest(:ids::uuid[]) as u (id)
cross join lateral (
    select t.id, t.task::text as task, t.created_by, t.handled_at is null as waits
    from workmill.inbox t
    where t.id = u.id
    for update skip locked
) as i;

--! write_outcomes (task_ids[?], error_codes[?], error_details[?], error_fields[?])
-- Under the locks of lock_letters, in the transaction of the tasks.
update workmill.inbox i
set
    handled_at = :now, outcome = u.outcome, task_id = u.task_id, error_code = u.error_code,
    error_detail = u.error_detail, error_field = u.error_field
from unnest(
    :ids::uuid[], :outcomes::text[], :task_ids::text[], :error_codes::text[],
    :error_details::text[], :error_fields::text[]
) as u (id, outcome, task_id, error_code, error_detail, error_field)
where i.id = u.id;

--! find_old_inboxes
-- Names of namespaces with rows that were handled before this moment. A hint over all namespaces.
with recursive handled as (
    (
        select i.ns
        from workmill.inbox i
        where i.handled_at is not null
        order by i.ns
        limit 1
    )
    union all
    select n.ns
    from handled h
    cross join lateral (
        select i.ns
        from workmill.inbox i
        where i.handled_at is not null and i.ns > h.ns
        order by i.ns
        limit 1
    ) as n
)
select h.ns
from handled h
cross join lateral (
    select i.id
    from workmill.inbox i
    where i.ns = h.ns and i.handled_at is not null and i.handled_at < :before
    order by i.handled_at
    limit 1
) as oldest;

--! delete_old_letters
delete from workmill.inbox i
using (
    select o.id
    from workmill.inbox o
    where o.ns = :name and o.handled_at is not null and o.handled_at < :before
    order by o.handled_at, o.id
    limit :most
    for update skip locked
) as old
where i.id = old.id;

--! insert_inbox_grant
-- Called by the command that grants, which says `grant` first.
insert into workmill.inbox_grant (ns, role) values (:name, :role::text::name)
on conflict do nothing;

--! delete_inbox_grant
delete from workmill.inbox_grant where ns = :name and role = :role::text::name;

--! count_inbox_grants
select count(*) from workmill.inbox_grant where role = :role::text::name;

--! is_role
select count(*) > 0 from pg_catalog.pg_roles where rolname = :role::text::name;

--! has_citus
select count(*) > 0 from pg_catalog.pg_extension where extname = 'citus';
