-- Puts tasks where they rest next. Called inside the transactions of intake, settlement and
-- upkeep, which hold the locks of the tasks (or have just made them).

--! insert_ready
insert into workmill.ready (ns, lane, rank, task)
select a.ns, u.lane, u.rank, u.task
from
    workmill.anchor a,
    unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[]) as u (lane, rank, task)
where a.ns = :ns;

--! insert_due
insert into workmill.due (ns, at, task)
select a.ns, u.at, u.task
from workmill.anchor a, unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
where a.ns = :ns;

--! insert_finished
insert into workmill.finished (ns, at, task)
select a.ns, :now, u.task
from workmill.anchor a, unnest(:tasks::uuid[]) as u (task)
where a.ns = :ns;

--! insert_dead_letters
insert into workmill.dead_letter (ns, task, at, cause, fingerprint)
select a.ns, u.task, :now, u.cause, u.fingerprint
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :causes::text[], :fingerprints::bigint[]) as u (task, cause, fingerprint)
where a.ns = :ns;

--! delete_ready
delete from workmill.ready r
using unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[]) as u (lane, rank, task)
where r.ns = :ns and r.lane = u.lane and r.rank = u.rank and r.task = u.task;

--! delete_due
delete from workmill.due d
using unnest(:ats::timestamptz[], :tasks::uuid[]) as u (at, task)
where d.ns = :ns and d.at = u.at and d.task = u.task;
