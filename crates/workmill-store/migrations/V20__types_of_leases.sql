-- The type of a lease's task, so that a settlement need not read the spec. None: a lease from before this
-- column.
alter table workmill.lease add column task_type text;

-- A claim and a settlement each write a new version of a task's row: with room for both on its page, no
-- index entry is written. 70 was too much for pages whose tasks are all claimed together.
alter table workmill.state set (fillfactor = 45);
