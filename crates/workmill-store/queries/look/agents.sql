-- Agents, for people and programs that look. Called by store::look::agents.

--! find_agents : (status_set_by?, claim_ttl_ms?, renewed_at?, budget_left?, silent_since?)
-- The agents from this name on, with what they hold. An agent was last seen when its row
-- says so or when it renewed one of its leases, whichever is later: neither a claim nor a
-- heartbeat writes the agent's row for it.
select
    a.agent, a.type, a.capabilities, a.models, a.task_types, a.slots, a.status, a.status_set_by,
    a.poll_interval_ms, a.claim_ttl_ms, a.is_by_hand, a.silent_since, a.registered_at, a.seen_at,
    l.leases, l.renewed_at, g.budget_left
from workmill.agent a
cross join lateral (
    select count(*)::integer as leases, max(t.renewed_at) as renewed_at
    from workmill.lease t
    where t.ns = :ns and t.agent = a.agent
) as l
left join lateral (
    select t.cap - t.used as budget_left
    from workmill.gate t
    where t.ns = :ns and t.gate = concat('budget', chr(58), 'agent', chr(58), a.agent) and not t.is_removed
    limit 1
) as g on true
where a.ns = :ns and a.agent >= :from_
order by a.agent
limit :most;

--! find_tasks_of_agent
select task
from workmill.lease
where ns = :ns and agent = :agent
order by task;
