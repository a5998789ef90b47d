-- Events that are old enough to go. Called by store::upkeep::events. Whole days are dropped with
-- their partition, which is no statement of this kind; what is left is deleted here.

--! find_partitions
select c.relname::text as name
from pg_catalog.pg_inherits i
join pg_catalog.pg_class c on c.oid = i.inhrelid
where i.inhparent = 'workmill.event'::regclass
order by c.relname;

--! find_namespaces_with_old_events
-- One look at the oldest of each namespace: mostly nothing is old.
select a.ns
from workmill.anchor a
left join lateral (
    select o.batch from workmill.event_order o where o.ns = a.ns order by o.seq limit 1
) as place on true
left join lateral (
    select e.batch from workmill.event_default e where e.ns = a.ns order by e.batch limit 1
) as event on true
where place.batch < :before_id or event.batch < :before_id
order by a.ns;

--! delete_old_order
-- Places are given in the order of the commits, which is that of time but for seconds: what is old
-- stands at the head.
delete from workmill.event_order o
where
    o.ns = :ns
    and o.ctid = any(
        array(
            select h.ctid
            from (
                select k.ctid, k.batch
                from workmill.event_order k
                where k.ns = :ns
                order by k.seq
                limit :most
            ) as h
            where h.batch < :before_id
        )
    );

--! delete_old_events
-- Events of days that had no partition when they were written.
delete from workmill.event_default e
where
    e.ns = :ns
    and e.ctid = any(
        array(
            select k.ctid
            from workmill.event_default k
            where k.ns = :ns and k.batch < :before_id
            order by k.batch
            limit :most
        )
    );
