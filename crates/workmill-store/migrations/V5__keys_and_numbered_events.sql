-- Keys that are rotated and listed, who has submitted what, and a number for each event.

alter table workmill.api_key
    -- Written now and then, not with every request.
    add column used_at timestamptz,
    add column rotated_at timestamptz,
    -- The token before the last rotation, and until when it is still good.
    add column old_hash bytea,
    add column old_until timestamptz;
create index api_key_by_old_hash on workmill.api_key (old_hash) where old_hash is not null;
-- Only admins name keys by their id alone.
create index api_key_by_id on workmill.api_key (id);

-- What lease tokens are signed with; made once, by the first server that needs it.
create table workmill.secret (
    one_row boolean primary key check (one_row),
    lease_tokens bytea not null
);

-- The key that submitted it; none where a graph grew by it. Names of keys can be given twice.
alter table workmill.spec add column created_by_key uuid;
alter table workmill.graph add column created_by_key uuid;

-- Places are given to events, not to their batches: `seq` in event_order is that of the last event
-- of the batch, and the others stand right before it.
alter table workmill.event_pending add column facts integer not null default 1;
update workmill.event_pending p
set facts = json_array_length(e.facts)
from workmill.event e
where e.ns = p.ns and e.batch = p.batch;
create temporary table renumbered on commit drop as
select
    o.ns, o.batch,
    sum(json_array_length(e.facts)) over (partition by o.ns order by o.seq)::bigint as seq
from workmill.event_order o
join workmill.event e on e.ns = o.ns and e.batch = o.batch;
delete from workmill.event_order;
insert into workmill.event_order (ns, seq, batch) select r.ns, r.seq, r.batch from renumbered r;
update workmill.event_sequence s
set seq = coalesce((select max(r.seq) from renumbered r where r.ns = s.ns), 0);
