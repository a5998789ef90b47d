-- Lanes that are not used go, agents that fall silent are offline, and agents say which types of
-- tasks they take.

-- When it was last written or used; one that no ready task is in is removed some time later.
alter table workmill.lane add column seen_at timestamptz not null default now();

alter table workmill.agent
    -- The types of tasks that it takes; any if there are none.
    add column task_types text[] not null default '{}',
    -- Named anew each time it registers; none: it has registered before this column.
    add column session uuid,
    -- It claims by hand: its slots are not counted, and after a day of silence it is removed.
    add column is_by_hand boolean not null default false,
    -- Since when it has been silent for three of its intervals; it is offline until its next call.
    add column silent_since timestamptz;

-- Planned tasks may have any integer as their priority.
alter table workmill.deadline alter column base type integer;

-- What `task claim` has registered before.
update workmill.agent
set is_by_hand = true
where type = '' and slots = 10000 and capabilities = '{}' and models = '{}';
