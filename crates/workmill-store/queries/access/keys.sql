-- Namespaces and keys. Called by store::access.

--! insert_namespace
insert into workmill.namespace (ns, name, created_at)
values (:ns, :name, :now)
on conflict do nothing;

--! insert_anchor
insert into workmill.anchor (ns) values (:ns) on conflict do nothing;

--! find_namespace
select ns from workmill.namespace where name = :name;

--! insert_key
insert into workmill.api_key (ns, id, name, role, hash, created_at)
values (:ns, :id, :name, :role, :hash, :now);

--! find_namespaces
-- A page of them, by name.
select name, created_at
from workmill.namespace
where name > :after
order by name
limit :most;

--! revoke_key
-- What it was called and could do; nothing when it is not there or was revoked before.
update workmill.api_key
set revoked_at = :now
where ns = :ns and id = :id and revoked_at is null
returning name, role;

--! rotate_key
-- The token that was good until now stays so for a while.
update workmill.api_key
set old_hash = hash, old_until = :old_until, hash = :hash, rotated_at = :now
where ns = :ns and id = :id and revoked_at is null
returning name, role;

--! note_use
update workmill.api_key
set used_at = :now::timestamptz
where
    ns = :ns
    and id = :id
    and (used_at is null or used_at < :now::timestamptz - interval '1 minute');

--! find_key_by_hash : (until?)
-- By the token, or by the one before the last rotation.
select k.ns, k.id, k.name, k.role, k.hash, k.until, n.name as namespace
from (
    select c.ns, c.id, c.name, c.role, c.hash, null::timestamptz as until
    from workmill.api_key c
    where c.hash = :hash and c.revoked_at is null
    union all
    select o.ns, o.id, o.name, o.role, o.old_hash as hash, o.old_until as until
    from workmill.api_key o
    where o.old_hash = :hash and o.revoked_at is null
) as k
join workmill.namespace n on n.ns = k.ns
limit 1;

--! find_key_by_id
select k.ns, k.id, k.name, k.role, n.name as namespace
from workmill.api_key k
join workmill.namespace n on n.ns = k.ns
where k.id = :id and k.revoked_at is null;

--! find_good_keys : (old_hash?, old_until?)
-- Those of some keys that are good, each with its tokens: the one before the last rotation is good until
-- `old_until`.
select k.id, k.hash, k.old_hash, k.old_until
from workmill.api_key k
where
    k.revoked_at is null
    and (
        k.id = any(:ids::uuid[])
        or k.hash = any(:hashes::bytea[])
        or k.old_hash = any(:hashes::bytea[])
    );

--! list_keys (namespace?) : (used_at?, rotated_at?, old_until?, revoked_at?)
-- A page of the keys of all namespaces, or of one, in the order they were made.
select
    k.id, k.name, k.role, n.name as namespace, k.created_at, k.used_at, k.rotated_at,
    k.old_until, k.revoked_at
from workmill.api_key k
join workmill.namespace n on n.ns = k.ns
where
    k.id > :after
    and (:with_revoked::boolean or k.revoked_at is null)
    and (:namespace::text is null or n.name = :namespace)
order by k.id
limit :most;

--! insert_secret
insert into workmill.secret (one_row, lease_tokens)
values (true, :lease_tokens)
on conflict do nothing;

--! find_secret
select lease_tokens from workmill.secret;
