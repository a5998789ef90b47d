-- What a running attempt does before it ends. Called by store::execution; guarded by task and
-- epoch, so that a stale caller finds no row.

--! start_leases
-- The tasks and these leases are locked. By their places: see task/write_back.sql.
update workmill.lease l
set started_at = :now, renewed_at = :now, ttl_ms = l.lease_ms
where
    l.ns = :ns
    and l.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.lease k
                where k.ns = :ns and k.task = u.task and k.epoch = u.epoch
            )
            from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
        )
    );

--! stop_leases
update workmill.lease l
set stop = u.stop, stop_at = :now
from unnest(:tasks::uuid[], :epochs::integer[], :stops::text[]) as u (task, epoch, stop)
where l.ns = :ns and l.task = u.task and l.epoch = u.epoch;

--! lock_named_leases : (stop?)
-- Leases that show a sign of life, with the key that may speak for them; they come in order.
select l.task, l.epoch, g.key, l.ttl_ms, l.stop
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select t.task, t.epoch, t.agent, t.ttl_ms, t.stop
    from workmill.lease t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    for update
) as l
cross join lateral (
    select a.key from workmill.agent a where a.ns = :ns and a.agent = l.agent limit 1
) as g;

--! renew_leases
-- Only the narrow lease row changes, and nothing that is indexed. A lease that ran out but was
-- not noticed yet lives on: nobody else has the task.
update workmill.lease l
set renewed_at = :now
where
    l.ns = :ns
    and l.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.lease k
                where k.ns = :ns and k.task = u.task and k.epoch = u.epoch
            )
            from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
        )
    );

--! update_progress
update workmill.lease l
set progress = :progress
where l.ns = :ns and l.task = :task and l.epoch = :epoch;

--! find_reported : (posted_micros?, usage?)
-- What was reported of these leases before; they are locked.
select l.task, l.epoch, l.posted_micros, l.usage
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select t.task, t.epoch, t.posted_micros, t.usage
    from workmill.lease t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    limit 1
) as l;

--! update_reported
-- The leases are there and locked: nothing is inserted.
insert into workmill.lease (
    ns, claimed_at, renewed_at, ttl_ms, lease_ms, cost_micros, task, epoch, resumed, has_holds, agent,
    usage
)
select a.ns, '-infinity', '-infinity', 0, 0, u.cost_micros, u.task, u.epoch, 0, false, '',
    u.usage
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :costs::bigint[], :usages::jsonb[])
        as u (task, epoch, cost_micros, usage)
where a.ns = :ns
on conflict (ns, task, epoch) do update
set cost_micros = excluded.cost_micros, usage = excluded.usage;

--! update_posted
-- A lease that is taken up again goes on from what is known of it.
update workmill.lease l
set posted_micros = :posted_micros, usage = :usage
where l.ns = :ns and l.task = :task and l.epoch = :epoch;

--! upsert_checkpoints
insert into workmill.checkpoint (ns, task, epoch, at, data)
select a.ns, u.task, u.epoch, :now, u.data
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :data::jsonb[]) as u (task, epoch, data)
where a.ns = :ns
on conflict (ns, task) do update
set epoch = excluded.epoch, at = excluded.at, data = excluded.data;
