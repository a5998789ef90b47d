-- What happened, in the transaction that makes it true. Called last in every transaction.

--! insert_events (graphs[?], tasks[?])
insert into workmill.event (ns, batch, place, at, type, graph, task, data)
select a.ns, :batch, u.place, :now, u.type, u.graph, u.task, u.data
from
    workmill.anchor a,
    unnest(
        :places::integer[], :types::text[], :graphs::uuid[], :tasks::uuid[], :data::jsonb[]
    ) as u (place, type, graph, task, data)
where a.ns = :ns;
