-- What a lease that is taken up again continues with: how many tasks were spawned under it, and the type of
-- the agent when it claimed. Attempts from before these columns count as having spawned none.
alter table workmill.attempt add column spawned integer not null default 0;
alter table workmill.attempt add column agent_type text;
