-- What a running attempt does before it ends. Called by store::execution; guarded by task and
-- epoch, so that a stale caller finds no row.

--! start_leases
-- The tasks are locked, so nobody else holds these leases.
update workmill.lease l
set started_at = :now, renewed_at = :now, ttl_ms = l.lease_ms
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
where l.ns = :ns and l.task = u.task and l.epoch = u.epoch;

--! start_states
update workmill.state s
set state = :running
where s.ns = :ns and s.task = any(:tasks::uuid[]);

--! stop_leases
update workmill.lease l
set stop = u.stop, stop_at = :now
from unnest(:tasks::uuid[], :epochs::integer[], :stops::text[]) as u (task, epoch, stop)
where l.ns = :ns and l.task = u.task and l.epoch = u.epoch;

--! renew_leases (progress[?]) : (stop?)
-- A sign of life. Only the narrow lease row changes, and nothing that is indexed. A lease that
-- ran out but was not noticed yet lives on: nobody else has the task. Each beat is good only with
-- the key that registered the agent, whatever other keys the batch holds.
with locked as (
    select l.task, l.epoch, g.key, u.progress
    from workmill.lease l
    join unnest(:tasks::uuid[], :epochs::integer[], :keys::uuid[], :progress::jsonb[])
        as u (task, epoch, key, progress) on l.task = u.task and l.epoch = u.epoch
    join workmill.agent g on g.ns = l.ns and g.agent = l.agent and g.key = u.key
    where l.ns = :ns and g.ns = :ns
    order by l.task, l.epoch
    for update of l
)
update workmill.lease l
set renewed_at = :now, progress = coalesce(k.progress, l.progress)
from locked k
where l.ns = :ns and l.task = k.task and l.epoch = k.epoch
returning l.task, l.epoch, k.key, l.ttl_ms, l.stop;

--! upsert_checkpoints
insert into workmill.checkpoint (ns, task, epoch, at, data)
select a.ns, u.task, u.epoch, :now, u.data
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :data::jsonb[]) as u (task, epoch, data)
where a.ns = :ns
on conflict (ns, task) do update
set epoch = excluded.epoch, at = excluded.at, data = excluded.data;
