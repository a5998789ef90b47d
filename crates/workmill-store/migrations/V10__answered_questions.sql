-- An answer keeps the question that it answers. Answers from before this migration have none.
alter table workmill.answer
    add column waits_for text,
    add column question jsonb;

-- A graph that was cancelled as a whole is cancelled, also when some of its tasks completed.
update workmill.graph
set status = 'cancelled'
where is_draining and cancelled > 0 and moving = 0 and status in ('completed', 'failed');
