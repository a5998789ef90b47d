-- Registered workers. Called by store::dispatch::agents and store::upkeep::agents.

--! lock_agent : (status_set_by?, session?, silent_since?)
select
    key, type, capabilities, models, task_types, status, status_set_by, poll_interval_ms, session,
    is_by_hand, silent_since
from workmill.agent
where ns = :ns and agent = :agent
for update;

--! lock_agent_status : (silent_since?)
select status, slots, capabilities, silent_since
from workmill.agent
where ns = :ns and agent = :agent
for update;

--! insert_agent (claim_ttl_ms?)
insert into workmill.agent (
    ns, agent, type, capabilities, models, task_types, slots, status, poll_interval_ms,
    claim_ttl_ms, key, session, is_by_hand, created_at, registered_at, seen_at
)
values (
    :ns, :agent, :type_, :capabilities, :models, :task_types, :slots, 'active', :poll_interval_ms,
    :claim_ttl_ms, :key, :session, :is_by_hand, :now, :now, :now
)
on conflict do nothing;

--! update_agent (claim_ttl_ms?)
-- The agent registers again; its row is locked.
update workmill.agent
set
    type = :type_, capabilities = :capabilities, models = :models, task_types = :task_types,
    slots = :slots, status = :status, poll_interval_ms = :poll_interval_ms,
    claim_ttl_ms = :claim_ttl_ms, session = :session, is_by_hand = :is_by_hand,
    silent_since = null, registered_at = :now, seen_at = :now
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
set seen_at = :now, silent_since = null
where ns = :ns and agent = any(:agents::text[]);

--! find_agents : (silent_since?)
select
    agent, type, capabilities, models, task_types, slots, status, seen_at, silent_since, is_by_hand
from workmill.agent
where ns = :ns
order by agent;

--! find_live_agents
-- Those that may claim. Called where it matters which agents could run a task.
select agent, type, capabilities, models, task_types, is_by_hand
from workmill.agent
where ns = :ns and status = 'active' and silent_since is null;

--! count_leases_of_agent
select count(*) from workmill.lease where ns = :ns and agent = :agent;

--! delete_agents
delete from workmill.agent where ns = :ns and agent = any(:agents::text[]);

--! delete_agent_records
delete from workmill.agent_record where ns = :ns and agent = any(:agents::text[]);

--! find_restless_agents
-- Agents that may have fallen silent, that may be back though they are told to be silent, or that
-- claimed by hand long ago: core's agent::watch decides, under their locks.
select a.ns, a.agent
from workmill.agent a
cross join lateral (
    select count(*) > 0 as is_holding
    from (
        select l.task
        from workmill.lease l
        where
            l.ns = a.ns and l.agent = a.agent
            and l.renewed_at + l.ttl_ms * interval '1 millisecond' > :now
        limit 1
    ) as t
) as h
where
    case
        when a.silent_since is not null then
            h.is_holding or a.is_by_hand and a.silent_since <= :removed_since
        else
            not h.is_holding
            and a.seen_at + greatest(a.poll_interval_ms, :least_interval_ms::bigint)
                * :intervals::bigint * interval '1 millisecond' <= :written_until
    end
order by a.ns, a.agent
limit :most;

--! lock_watched_agents : (silent_since?)
-- The names come in order.
select g.agent, g.seen_at, g.poll_interval_ms, g.silent_since, g.is_by_hand, g.status
from unnest(:agents::text[]) as u (agent)
cross join lateral (
    select a.agent, a.seen_at, a.poll_interval_ms, a.silent_since, a.is_by_hand, a.status
    from workmill.agent a
    where a.ns = :ns and a.agent = u.agent
    for update
) as g;

--! find_holding_agents
-- Those among these that hold a lease which has not run out; and whether they hold any.
select u.agent, h.leases, h.is_holding
from unnest(:agents::text[]) as u (agent)
cross join lateral (
    select
        count(*) as leases,
        coalesce(bool_or(l.renewed_at + l.ttl_ms * interval '1 millisecond' > :now), false)
            as is_holding
    from workmill.lease l
    where l.ns = :ns and l.agent = u.agent
) as h;

--! silence_agents
update workmill.agent
set silent_since = :now
where ns = :ns and agent = any(:agents::text[]);

--! note_agents
-- When agents were last heard, in the order of their names; their rows are locked.
update workmill.agent a
set seen_at = u.at, silent_since = null
from unnest(:agents::text[], :ats::timestamptz[]) as u (agent, at)
where a.ns = :ns and a.agent = u.agent and a.seen_at < u.at;
