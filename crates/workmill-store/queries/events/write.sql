-- What happened, in the transaction that makes it true. Called last in every transaction.

--! insert_events
insert into workmill.event (ns, batch, at, facts) values (:ns, :batch, :now, :facts);

--! insert_pending
-- Dated by the database itself, after everything that the transaction has read.
insert into workmill.event_pending (ns, written_at, batch, facts)
values (:ns, clock_timestamp(), :batch, :facts);
