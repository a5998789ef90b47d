-- Registered workers. Called by store::dispatch::agents.

--! lock_agent_key
select key from workmill.agent where ns = :ns and agent = :agent for update;

--! lock_agent_status
select status from workmill.agent where ns = :ns and agent = :agent for update;

--! insert_agent
insert into workmill.agent (
    ns, agent, type, capabilities, models, slots, status, key, registered_at
)
values (:ns, :agent, :type_, :capabilities, :models, :slots, 'active', :key, :now)
on conflict do nothing;

--! update_agent
update workmill.agent
set
    type = :type_, capabilities = :capabilities, models = :models, slots = :slots,
    status = 'active', registered_at = :now
where ns = :ns and agent = :agent;

--! update_agent_status
update workmill.agent set status = :status where ns = :ns and agent = :agent;

--! find_agents
select agent, type, capabilities, models, slots, status
from workmill.agent
where ns = :ns
order by agent;
