-- The inbox: producers put tasks in with their own transactions, the servers take them out through
-- the ordinary intake and write down what became of each.
--
-- Namespaces are known to producers by name, so `ns` is a name here. Nothing of the queue refers to
-- these tables.

create table workmill.inbox (
    ns text not null check (octet_length(ns) <= 200),
    -- Alone the key: of two indexes that begin with ns, a plan may take either.
    id uuid primary key default gen_random_uuid(),
    -- One task, as POST /v1/tasks takes it. Refused here, in the producer's own transaction, where
    -- it is no JSON or larger than any task may be.
    task json not null check (octet_length(task::text) <= 1048576),
    created_at timestamptz not null default clock_timestamp(),
    created_by text not null default current_user,
    -- What became of it; nothing before it was handled.
    handled_at timestamptz,
    outcome text check (outcome in ('accepted', 'refused')),
    task_id text,
    error_code text,
    error_detail text,
    -- The part of the task that is at fault.
    error_field text,
    check ((handled_at is null) = (outcome is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index inbox_waiting on workmill.inbox (ns, created_at, id) where handled_at is null;
create index inbox_handled on workmill.inbox (ns, handled_at, id) where handled_at is not null;

-- Which database roles may use the inbox, for which namespaces.
create table workmill.inbox_grant (
    ns text not null,
    role name not null,
    primary key (ns, role)
);

-- A role sees the grants of its own and of the roles it is a member of; a role that was dropped is
-- nobody's. What it may put in and see follows from that. The owner, who runs the servers, sees all.
alter table workmill.inbox_grant enable row level security;
create policy own_grants on workmill.inbox_grant for select using (
    exists (
        select from pg_catalog.pg_roles r
        where r.rolname = role and pg_catalog.pg_has_role(r.oid, 'usage')
    )
);
alter table workmill.inbox enable row level security;
create policy granted_namespaces on workmill.inbox for select using (
    ns in (select g.ns from workmill.inbox_grant g)
);
create policy granted_namespaces_only on workmill.inbox for insert with check (
    ns in (select g.ns from workmill.inbox_grant g)
);

-- The one trigger there is: producers are no servers, so nobody else could tell the servers. It
-- decides nothing, and what it does not tell is found by looking.
create function workmill.ring_for_inbox() returns trigger language plpgsql as $$
begin
    perform pg_catalog.pg_notify('workmill', 'inbox');
    return null;
end
$$;
create trigger ring after insert on workmill.inbox
for each statement execute function workmill.ring_for_inbox();
