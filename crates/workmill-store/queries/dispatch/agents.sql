-- Registered workers. Called by store::dispatch::agents.

--! lock_agent : (status_set_by?)
select key, status, status_set_by, poll_interval_ms
from workmill.agent
where ns = :ns and agent = :agent
for update;

--! lock_agent_status
select status, slots, capabilities
from workmill.agent
where ns = :ns and agent = :agent
for update;

--! insert_agent (claim_ttl_ms?)
insert into workmill.agent (
    ns, agent, type, capabilities, models, slots, status, poll_interval_ms, claim_ttl_ms, key,
    registered_at, seen_at
)
values (
    :ns, :agent, :type_, :capabilities, :models, :slots, 'active', :poll_interval_ms,
    :claim_ttl_ms, :key, :now, :now
)
on conflict do nothing;

--! update_agent (claim_ttl_ms?)
-- The agent registers again; its row is locked.
update workmill.agent
set
    type = :type_, capabilities = :capabilities, models = :models, slots = :slots,
    status = :status, poll_interval_ms = :poll_interval_ms, claim_ttl_ms = :claim_ttl_ms,
    registered_at = :now, seen_at = :now
where ns = :ns and agent = :agent;

--! change_agent (status?, status_set_by?, slots?, capabilities?)
-- What somebody else changes; what is not named stays.
update workmill.agent
set
    status = coalesce(:status::text, status),
    status_set_by = case
        when :status::text is null then status_set_by else :status_set_by::text
    end,
    slots = coalesce(:slots::integer, slots),
    capabilities = coalesce(:capabilities::text[], capabilities)
where ns = :ns and agent = :agent;

--! see_agents
-- The agents' rows are locked.
update workmill.agent
set seen_at = :now
where ns = :ns and agent = any(:agents::text[]);

--! find_agents
select agent, type, capabilities, models, slots, status
from workmill.agent
where ns = :ns
order by agent;
