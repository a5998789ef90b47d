-- How attempts ended, by agent and model, hour by hour. Called by store::experience::tally.

--! add_to_tallies
-- In the order of the key, so that servers that write the same rows wait for one another, never in a
-- circle.
insert into workmill.attempt_tally (ns, hour, agent, model, completed, failed)
select a.ns, u.hour, u.agent, u.model, u.completed, u.failed
from
    workmill.anchor a,
    unnest(
        :hours::timestamptz[], :agents::text[], :models::text[], :completed::bigint[],
        :failed::bigint[]
    ) as u (hour, agent, model, completed, failed)
where a.ns = :ns
order by u.hour, u.agent, u.model
on conflict (ns, hour, agent, model) do update
set
    completed = attempt_tally.completed + excluded.completed,
    failed = attempt_tally.failed + excluded.failed;

--! find_namespaces_with_old_tallies
-- One look at the oldest of each namespace: mostly nothing is old.
select a.ns
from workmill.anchor a
cross join lateral (
    select t.hour
    from workmill.attempt_tally t
    where t.ns = a.ns
    order by t.hour, t.agent, t.model
    limit 1
) as oldest
where oldest.hour < :before
order by a.ns;

--! delete_old_tallies
delete from workmill.attempt_tally t
where
    t.ns = :ns
    and t.ctid = any(
        array(
            select k.ctid
            from workmill.attempt_tally k
            where k.ns = :ns and k.hour < :before
            order by k.hour, k.agent, k.model
            limit :most
        )
    );
