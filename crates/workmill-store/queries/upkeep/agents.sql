-- Agents whose silence is to be judged. Called by store::upkeep::agents while parts of the database
-- cannot be reached; dispatch/agents.sql has the same over all namespaces.

--! find_restless_agents_of_namespace
select a.agent
from workmill.agent a
cross join lateral (
    select count(*) > 0 as is_holding
    from (
        select l.task
        from workmill.lease l
        where
            l.ns = :ns and l.agent = a.agent
            and l.renewed_at + l.ttl_ms * interval '1 millisecond' > :now
        limit 1
    ) as t
) as h
where
    a.ns = :ns
    and case
        when a.silent_since is not null then
            h.is_holding or a.is_by_hand and a.silent_since <= :removed_since
        else
            not h.is_holding
            and a.seen_at + greatest(a.poll_interval_ms, :least_interval_ms::bigint)
                * :intervals::bigint * interval '1 millisecond' <= :written_until
    end
order by a.agent
limit :most;
