-- What happened, in the transaction that makes it true. Called last in every transaction.

--! insert_events
-- The batch waits for its place. It is dated by the database itself, after everything that the
-- transaction has read.
with
batch as (
    insert into workmill.event (ns, batch, at, facts) values (:ns, :batch, :now, :facts)
)

insert into workmill.event_pending (ns, written_at, batch, facts)
values (:ns, clock_timestamp(), :batch, :count);
