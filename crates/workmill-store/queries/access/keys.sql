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

--! find_key_by_hash
select ns, id, name, role
from workmill.api_key
where hash = :hash and revoked_at is null;
