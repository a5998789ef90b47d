-- Views for people who debug with SELECT. Each branch has a literal status, so a query for one
-- status reads only the place where tasks of that status rest.

create view workmill.tasks as
select
    'CREATED' as status, s.ns, s.task as id, s.graph as dag_id, p.body ->> 'type' as type,
    p.body ->> 'title' as title, null::text as agent_id, s.attempts, s.epoch, p.created_by,
    p.submitted_at as created_at, null::timestamptz as started_at, s.due as due_at
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 0
union all
select
    'PENDING', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.state s
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 1
union all
select
    'READY', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.ready r
join workmill.state s on s.ns = r.ns and s.task = r.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
union all
select
    'READY', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.gated g
join workmill.state s on s.ns = g.ns and s.task = g.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
union all
select
    'CLAIMED', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', l.agent,
    s.attempts, s.epoch, p.created_by, p.submitted_at, l.started_at, s.due
from workmill.lease l
join workmill.state s on s.ns = l.ns and s.task = l.task and s.epoch = l.epoch
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 3
union all
select
    'RUNNING', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', l.agent,
    s.attempts, s.epoch, p.created_by, p.submitted_at, l.started_at, s.due
from workmill.lease l
join workmill.state s on s.ns = l.ns and s.task = l.task and s.epoch = l.epoch
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 4
union all
select
    'VALIDATING', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', l.agent,
    s.attempts, s.epoch, p.created_by, p.submitted_at, l.started_at, s.due
from workmill.lease l
join workmill.state s on s.ns = l.ns and s.task = l.task and s.epoch = l.epoch
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 5
union all
select
    'BLOCKED', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.blocked b
join workmill.state s on s.ns = b.ns and s.task = b.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
union all
select
    'RETRYING', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.due d
join workmill.state s on s.ns = d.ns and s.task = d.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 7
union all
select
    'COMPLETED', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.finished f
join workmill.state s on s.ns = f.ns and s.task = f.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 8
union all
select
    'DEAD_LETTERED', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null,
    s.attempts, s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.dead_letter d
join workmill.state s on s.ns = d.ns and s.task = d.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
union all
select
    'CANCELLED', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.finished f
join workmill.state s on s.ns = f.ns and s.task = f.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 10
union all
select
    'STALE', s.ns, s.task, s.graph, p.body ->> 'type', p.body ->> 'title', null, s.attempts,
    s.epoch, p.created_by, p.submitted_at, null, s.due
from workmill.finished f
join workmill.state s on s.ns = f.ns and s.task = f.task
join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version
where s.state = 11;
