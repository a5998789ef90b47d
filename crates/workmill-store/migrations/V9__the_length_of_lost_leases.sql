-- How long a lease was that was lost: it is as long when it is taken up again. Not said of attempts
-- that ended otherwise, nor of those from before this column.
alter table workmill.attempt add column lease_ms bigint;
