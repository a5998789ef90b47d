-- What agents may spawn below the tasks that they hold.

-- How many tasks lie above it on the way by which it was spawned.
alter table workmill.spec add column depth smallint not null default 0;

-- How many tasks were spawned under this lease, and in this graph.
alter table workmill.lease add column spawned integer not null default 0;
alter table workmill.graph add column spawned integer not null default 0;

-- How far the agents of a namespace may go. A namespace without a row has the defaults.
create table workmill.spawning (
    ns bigint primary key,
    most_per_lease integer not null check (most_per_lease >= 0),
    most_per_graph integer not null check (most_per_graph >= 0),
    most_depth smallint not null check (most_depth >= 0),
    -- by_profile, own_kind or any
    spawn_for text not null,
    -- held or any
    locks text not null,
    changed_at timestamptz not null
);
