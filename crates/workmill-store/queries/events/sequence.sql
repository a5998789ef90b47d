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
-- What followed a place, in order, up to another one. Only the first and the last batch may be cut:
-- a transaction of thousands of tasks is one batch.
select
    least(o.seq, :until) as seq,
    e.at,
    case
        when o.seq - c.facts >= :after and o.seq <= :until then e.facts
        else (
            select json_agg(f.fact order by f.place)
            from json_array_elements(e.facts) with ordinality as f (fact, place)
            where
                o.seq - c.facts + f.place > :after
                and o.seq - c.facts + f.place <= :until
        )
    end as facts
from workmill.event_order o
join workmill.event e on e.ns = o.ns and e.batch = o.batch
cross join lateral (select json_array_length(e.facts) as facts offset 0) as c
where
    o.ns = :ns
    and e.ns = :ns
    and o.seq > :after
    and o.seq <= coalesce(
        (
            select k.seq
            from workmill.event_order k
            where k.ns = :ns and k.seq >= :until
            order by k.seq
            limit 1
        ),
        :until::bigint
    )
    and o.seq - c.facts < :until
order by o.seq;
