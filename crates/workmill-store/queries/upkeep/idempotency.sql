-- Idempotency keys that have served. Called by store::upkeep::idempotency, a page of keys at a
-- time.

--! find_served_keys : (ended_at?)
-- A page of keys, each with when its tasks were first seen to have ended, and whether they have
-- now; those that are kept for a while yet are not looked into.
with page as (
    select i.key, i.ended_at, i.tasks
    from workmill.idempotency i
    where i.ns = :ns and i.key > :after
    order by i.key
    limit :most
)
select
    p.key, p.ended_at,
    (p.ended_at is null or p.ended_at <= :ended_before)
    and (
        select count(*) = 0
        from unnest(p.tasks) as t (task)
        cross join lateral (
            select o.state from workmill.state o where o.ns = :ns and o.task = t.task limit 1
        ) as s
        where s.state not in (8, 10, 11)
    ) as has_ended
from page p
order by p.key;

--! mark_ended_keys
update workmill.idempotency i
set ended_at = :now
where i.ns = :ns and i.key = any(:keys::text[]) and i.ended_at is null;

--! unmark_ended_keys
-- Their tasks were brought back.
update workmill.idempotency i
set ended_at = null
where i.ns = :ns and i.key = any(:keys::text[]) and i.ended_at <= :ended_before;

--! delete_served_keys
delete from workmill.idempotency i
where i.ns = :ns and i.key = any(:keys::text[]) and i.ended_at <= :ended_before;
