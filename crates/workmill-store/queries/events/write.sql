-- What happened, in the transaction that makes it true. Called last in every transaction.

--! insert_events
insert into workmill.event (ns, batch, at, facts) values (:ns, :batch, :now, :facts);

--! insert_pending
insert into workmill.event_pending (ns, batch) values (:ns, :batch);
