-- Gates: pauses, limits, budgets and locks, what they hold back and who holds them.
--
-- Whoever takes from a gate, gives back to it or changes it holds the lock of the namespace's row
-- in anchor, so that gates are exact; who touches no gate never asks for it. The name of a gate
-- says what it is: pause:graph:…, limit:type:…, budget:day:…, lock:….

-- What gates there are: grows with every change of them, so that servers know when to read again.
alter table workmill.anchor add column gates_version bigint not null default 0;

create table workmill.gate (
    ns bigint not null,
    gate text not null,
    -- The most that may be used at a time; none: no end. A pause has -1: not even nothing fits.
    cap bigint,
    -- Attempts, units, or millionths of a dollar, spent and reserved.
    used bigint not null,
    -- Of that, what is spent.
    spent bigint not null,
    -- Tasks may wait at it.
    has_waiters boolean not null,
    -- It was told that most of it, that all of it is used up.
    is_nearly_used_up boolean not null,
    is_used_up boolean not null,
    -- Nobody has to pass it any more; it stays until those who waited are back in their lanes.
    is_removed boolean not null,
    set_by text not null,
    set_at timestamptz not null,
    note text,
    -- Where a day begins, for the budget of each day.
    time_zone text,
    -- At a lock: the task that has waited longest in vain, since when those behind it have to make
    -- way for it, and the locks it asks for.
    reserved_for uuid,
    reserved_at timestamptz,
    reserved_locks jsonb,
    primary key (ns, gate)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Ready tasks that a gate has stopped, out of their lanes' way. In and out under the lock of the
-- namespace's anchor, or out under the lock of the task.
create table workmill.gated (
    ns bigint not null,
    gate text not null,
    lane bigint not null,
    rank bigint not null,
    task uuid not null,
    -- How much of the gate it asks for.
    amount bigint not null,
    since timestamptz not null,
    shunned_until timestamptz,
    shunned text[],
    -- The locks it asks for, where it waits for locks.
    locks jsonb,
    primary key (ns, gate, lane, rank, task)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index gated_by_task on workmill.gated (ns, task);

-- Of a ready task that has waited for locks: since when. It may have to wait for others of them.
alter table workmill.ready add column waiting_since timestamptz;

-- What the running attempts have taken from gates.
create table workmill.hold (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    gates text[] not null,
    amounts bigint[] not null,
    primary key (ns, task, epoch)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- The locks that running attempts hold. Who shares is only in the way of who does not: the key has the
-- two apart.
create table workmill.held_lock (
    ns bigint not null,
    root text not null,
    task uuid not null,
    path text not null,
    is_shared boolean not null,
    agent text not null,
    primary key (ns, root, is_shared, task, path)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Ballast, as in the first migration: gated has two indexes that begin with ns.
insert into workmill.gated (ns, gate, lane, rank, task, amount, since)
select 0, i::text, i, 0, lpad(to_hex(i), 32, '0')::uuid, 0, '-infinity'
from generate_series(1, 200) as i;
alter table workmill.gated alter column ns set (n_distinct = 1);
analyze workmill.gated;

-- What attempts usually cost and take, by type and model; model '' is all of them. Recorded a
-- moment after they have ended, and lost with the server that has not recorded it yet: it is for
-- estimates.
create table workmill.usual (
    ns bigint not null,
    task_type text not null,
    model text not null,
    attempts bigint not null,
    cost_micros bigint not null,
    duration_ms bigint not null,
    primary key (ns, task_type, model)
);

-- How each agent has done lately: the different tasks it has failed since it last completed one.
create table workmill.agent_record (
    ns bigint not null,
    agent text not null,
    completed bigint not null,
    failed bigint not null,
    completed_at timestamptz,
    failing_since timestamptz,
    failing uuid[] not null,
    primary key (ns, agent)
);
