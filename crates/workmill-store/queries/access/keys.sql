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

--! revoke_key
-- What it was called and could do; nothing when it is not there or was revoked before.
update workmill.api_key
set revoked_at = :now
where ns = :ns and id = :id and revoked_at is null
returning name, role;

--! find_key_by_hash
select ns, id, name, role
from workmill.api_key
where hash = :hash and revoked_at is null;
