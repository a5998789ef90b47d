-- Gives committed batches their place. Called by the event sequencer, one namespace at a time:
-- whoever holds the namespace's row in event_sequence.

--! find_namespaces_with_pending_events
-- One look at the head of each namespace: `exists` may be answered by reading everything that is
-- pending.
select a.ns
from workmill.anchor a
cross join lateral (
    select p.batch
    from workmill.event_pending p
    where p.ns = a.ns
    order by p.written_at, p.batch
    limit 1
) as head;

--! insert_sequence
insert into workmill.event_sequence (ns, seq) values (:ns, 0) on conflict do nothing;

--! lock_sequence
select seq from workmill.event_sequence where ns = :ns for update skip locked;

--! take_pending
with picked as (
    select p.written_at, p.batch
    from workmill.event_pending p
    where p.ns = :ns
    order by p.written_at, p.batch
    limit :most
)
delete from workmill.event_pending p
using picked k
where p.ns = :ns and p.written_at = k.written_at and p.batch = k.batch
returning p.written_at, p.batch, p.facts;

--! insert_order
insert into workmill.event_order (ns, seq, batch)
select a.ns, u.seq, u.batch
from workmill.anchor a, unnest(:seqs::bigint[], :batches::uuid[]) as u (seq, batch)
where a.ns = :ns;

--! find_last_place
-- The place of the last event that has one.
select seq from workmill.event_sequence where ns = :ns;

--! update_sequence
update workmill.event_sequence set seq = :seq where ns = :ns;

--! read_after
-- What followed a place, in order, up to another one: whole batches, and the first in any case.
select o.seq, e.batch, e.at, e.facts
from workmill.event_order o
join workmill.event e on e.ns = o.ns and e.batch = o.batch
where
    o.ns = :ns
    and e.ns = :ns
    and o.seq > :after
    and o.seq <= greatest(
        :until::bigint,
        (
            select k.seq
            from workmill.event_order k
            where k.ns = :ns and k.seq > :after
            order by k.seq
            limit 1
        )
    )
order by o.seq;
