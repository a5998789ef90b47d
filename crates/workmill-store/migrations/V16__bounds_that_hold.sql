-- The type of the agent when it claimed: an agent that registers again with another type while it works
-- spawns tasks for agents of the first one. Null: the lease is older than this column.
alter table workmill.lease add column agent_type text;

-- A row that whoever adds lanes to a namespace locks, so that two submissions at the same time do not
-- go beyond the most lanes together.
create table workmill.lane_bound (
    ns bigint primary key,
    most integer not null default 10000 check (most >= 0)
);
