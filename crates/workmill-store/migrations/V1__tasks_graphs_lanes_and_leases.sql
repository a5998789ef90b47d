-- The tables of the queue.
--
-- Every table starts with `ns`, the namespace: it is the first column of every primary key and
-- every hot index, so that each statement touches one namespace, and one shard where the
-- database is distributed. What changes at every claim or heartbeat is narrow (state, ready,
-- lease); what is wide is written once (spec, result, attempt).
--
-- Where a task rests:
--   pending     nowhere while a dependency is unmet; due when only its time has not come
--   ready       ready          retrying    due          blocked        blocked
--   claimed, running, validating           lease
--   completed, cancelled, stale            finished
--   dead_lettered                          dead_letter

-- Which servers may use this schema. A migration that takes something away raises the minimum.
create table workmill.compatibility (
    one_row boolean primary key check (one_row),
    minimum_server integer not null
);
insert into workmill.compatibility values (true, 1);

-- The names of namespaces. Nothing refers to this table: names are resolved once, in the server.
create table workmill.namespace (
    ns bigint primary key,
    name text not null unique,
    created_at timestamptz not null
);

-- One row a namespace. Bulk inserts select from it, so that they carry their namespace along.
create table workmill.anchor (
    ns bigint primary key
);

-- Keys are stored as a hash; the key itself is shown once.
create table workmill.api_key (
    ns bigint not null,
    id uuid not null,
    name text not null,
    role text not null,
    hash bytea not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (ns, id)
);
create index api_key_by_hash on workmill.api_key (hash);

-- What tasks ask of an agent, interned. The lane's id is a hash of the ask.
create table workmill.lane (
    ns bigint not null,
    lane bigint not null,
    asks jsonb not null,
    primary key (ns, lane)
);

-- A graph of tasks. A task of its own has no row here: it is its own graph.
-- The tally changes under this row's lock; claims never touch it.
create table workmill.graph (
    ns bigint not null,
    graph uuid not null,
    title text not null,
    created_by text not null,
    created_at timestamptz not null,
    is_draft boolean not null,
    -- Cancelled, but what runs may finish.
    is_draining boolean not null,
    status text not null,
    tasks integer not null,
    completed integer not null,
    cancelled integer not null,
    stale integer not null,
    dead integer not null,
    moving integer not null,
    primary key (ns, graph)
) with (fillfactor = 70);

-- The work itself and its policy, as submitted. Insert-only; an edit adds a version. Read as a whole
-- and hardly ever looked into: as text it is written and read with less effort.
create table workmill.spec (
    ns bigint not null,
    task uuid not null,
    version integer not null,
    submitted_at timestamptz not null,
    created_by text not null,
    -- The task that spawned it.
    parent uuid,
    body json not null,
    policy json not null,
    primary key (ns, task, version)
);

-- Where a task stands. Narrow, updated in place: no index mentions what changes.
create table workmill.state (
    ns bigint not null,
    lane bigint not null,
    rank bigint not null,
    -- What its attempts have cost, in millionths of a dollar.
    spent_micros bigint not null,
    -- Not before this moment: the task's own time, or its retry's.
    due timestamptz,
    -- Until when the agents in `shunned` are kept from it.
    shunned_until timestamptz,
    task uuid not null,
    graph uuid not null,
    spec_version integer not null,
    -- Grows at every claim, never otherwise, and is never reset: the fence.
    epoch integer not null,
    -- Attempts that count.
    attempts integer not null,
    -- Agents lost in a row.
    crashes integer not null,
    -- Dependencies that are not met yet.
    unmet integer not null check (unmet >= 0),
    state smallint not null check (state between 0 and 11),
    -- Tasks on the longest chain below it.
    critical_path smallint not null,
    -- What becomes of it when a dependency fails.
    on_dependency_failure smallint not null,
    -- Its graph has a row. A task of its own has none until it spawns another.
    in_graph boolean not null,
    -- A row in `deadline` goes with it.
    has_deadline boolean not null,
    -- It failed once, and the dependents that run all the same were freed then.
    freed_runners boolean not null,
    -- Agents that failed or lost it lately.
    shunned text[],
    primary key (ns, task)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index state_by_graph on workmill.state (ns, graph, task) where in_graph;

-- Deadlines of tasks that have not ended, by the moment from which they press: far ones cost
-- nothing. With what the rank is composed of.
create table workmill.deadline (
    ns bigint not null,
    presses_at timestamptz not null,
    task uuid not null,
    at timestamptz not null,
    submitted_at timestamptz not null,
    estimate_ms bigint not null,
    base smallint not null,
    boost text not null,
    primary key (ns, presses_at, task)
);
create index deadline_by_task on workmill.deadline (ns, task);

-- What a submission with an idempotency key was answered.
create table workmill.idempotency (
    ns bigint not null,
    key text not null,
    -- Of the request: the same key with another body is a conflict.
    digest bytea not null,
    at timestamptz not null,
    -- When its tasks were first seen to have ended; it is forgotten seven days later.
    ended_at timestamptz,
    graph uuid,
    tasks uuid[] not null,
    primary key (ns, key)
);

-- Ids that planners have given to tasks.
create table workmill.task_key (
    ns bigint not null,
    key text not null,
    task uuid not null,
    primary key (ns, key)
);

-- A task waits for another one of its graph.
create table workmill.edge (
    ns bigint not null,
    task uuid not null,
    depends_on uuid not null,
    primary key (ns, task, depends_on)
);
create index edge_by_dependency on workmill.edge (ns, depends_on, task);

-- Tasks that can be claimed, in the order they will be.
create table workmill.ready (
    ns bigint not null,
    lane bigint not null,
    rank bigint not null,
    task uuid not null,
    shunned_until timestamptz,
    shunned text[],
    primary key (ns, lane, rank, task)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Tasks that wait for nothing but their time: scheduled ones and retries.
create table workmill.due (
    ns bigint not null,
    at timestamptz not null,
    task uuid not null,
    primary key (ns, at, task)
);

-- Tasks that wait for an answer, an approval, an outside event or a person's look.
create table workmill.blocked (
    ns bigint not null,
    task uuid not null,
    at timestamptz not null,
    -- input, approval, outside_event or stale_check
    waits_for text not null,
    question jsonb,
    -- When waiting counts as a failed attempt.
    until timestamptz,
    primary key (ns, task)
);

-- What people and programs have answered; handed to the attempts that follow.
create table workmill.answer (
    ns bigint not null,
    task uuid not null,
    at timestamptz not null,
    answered_by text not null,
    input jsonb not null,
    primary key (ns, task, at)
);

-- The running attempts. Lost when `renewed_at` is older than `ttl_ms`: nothing indexed changes
-- with a heartbeat, and what looks for lost ones reads only what is running.
create table workmill.lease (
    ns bigint not null,
    claimed_at timestamptz not null,
    started_at timestamptz,
    renewed_at timestamptz not null,
    ttl_ms bigint not null,
    -- What ttl_ms becomes when the attempt starts.
    lease_ms bigint not null,
    -- The longest the attempt may run.
    max_duration_ms bigint,
    -- Millionths of a dollar: what the attempt's row will say if it ends now.
    cost_micros bigint not null default 0,
    -- What earlier attempts with this epoch have posted already, for a lease that was taken up again.
    posted_micros bigint,
    -- Since when and why the agent is told to stop.
    stop_at timestamptz,
    stop text,
    task uuid not null,
    -- Names the claim, so that asking again finds it.
    request uuid,
    epoch integer not null,
    -- How often this lease was lost and taken up again.
    resumed smallint not null,
    -- A row in `hold` goes with it.
    has_holds boolean not null,
    agent text not null,
    progress jsonb,
    -- What its agent has reported since the claim.
    usage jsonb,
    primary key (ns, task, epoch)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index lease_by_agent on workmill.lease (ns, agent, claimed_at);

-- The last checkpoint of a task; outlives the attempt that wrote it.
create table workmill.checkpoint (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    at timestamptz not null,
    data jsonb not null,
    primary key (ns, task)
);

-- The attempts that have ended. Insert-only.
create table workmill.attempt (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    resumed smallint not null,
    agent text not null,
    outcome text not null,
    -- Its agent said so; otherwise Workmill found out.
    said_by_agent boolean not null default false,
    reason text,
    message text,
    details jsonb,
    fingerprint bigint,
    claimed_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz not null,
    -- Millionths of a dollar, beyond what earlier rows with this epoch say: costs add up.
    cost_micros bigint not null,
    -- All that was reported since the claim: rows with one epoch do not add up.
    usage jsonb,
    primary key (ns, task, epoch, resumed)
);

-- What came in after its attempt had ended: paid work is kept. Insert-only.
create table workmill.late_result (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    at timestamptz not null,
    outcome text not null,
    -- It became the outcome of the task.
    was_accepted boolean not null,
    output jsonb,
    artifacts jsonb,
    message text,
    -- As in `attempt`.
    cost_micros bigint not null,
    usage jsonb,
    primary key (ns, task, epoch)
);

-- The accepted output of a task. Insert-only: exactly one outcome counts.
create table workmill.result (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    output jsonb not null,
    -- References to what it has put elsewhere: a list, or nothing.
    artifacts jsonb,
    primary key (ns, task)
);

create table workmill.finished (
    ns bigint not null,
    at timestamptz not null,
    task uuid not null,
    primary key (ns, at, task)
);

create table workmill.dead_letter (
    ns bigint not null,
    task uuid not null,
    at timestamptz not null,
    cause text not null,
    reason text not null,
    fingerprint bigint not null,
    is_reviewed boolean not null,
    primary key (ns, task)
);

-- Dead letters that were sent round again. What was tried up to this epoch is forgiven: it counts no
-- more against the task, though it is still told of.
create table workmill.revival (
    ns bigint not null,
    task uuid not null,
    epoch integer not null,
    primary key (ns, task)
);

-- Registered workers. Claims lock the row of the agent they claim for, so its slots are exact.
create table workmill.agent (
    ns bigint not null,
    agent text not null,
    type text not null,
    capabilities text[] not null,
    models text[] not null,
    slots integer not null check (slots > 0),
    status text not null check (status in ('active', 'draining', 'offline')),
    -- Who has set it draining or offline, if it was not the agent: registering again does not undo
    -- it.
    status_set_by text,
    -- How often it is to ask for work.
    poll_interval_ms bigint not null,
    -- How soon it starts what it has claimed, if it promises more than the tasks ask for.
    claim_ttl_ms bigint,
    -- The key that registered it: no other acts for it.
    key uuid not null,
    registered_at timestamptz not null,
    -- When it registered, showed a sign of life, or claimed; of claims only one now and then. Its
    -- leases say more: see look/agents.sql.
    seen_at timestamptz not null,
    primary key (ns, agent)
) with (fillfactor = 70);

-- What happened, written in the transaction that made it true: one row a transaction, with all
-- its facts. The batch id is time-ordered, so partitions by batch are partitions by time.
create table workmill.event (
    ns bigint not null,
    batch uuid not null,
    at timestamptz not null,
    facts json not null,
    primary key (ns, batch)
) partition by range (batch);
create table workmill.event_default partition of workmill.event default;

-- Ids of several writers do not tell the order of their commits. A committed batch waits here
-- until the sequencer gives it its place in event_order; readers follow that. It is written last
-- and dated by the database, so what a transaction has seen of another one is dated before it.
create table workmill.event_pending (
    ns bigint not null,
    written_at timestamptz not null,
    batch uuid not null,
    primary key (ns, written_at, batch)
);
create table workmill.event_order (
    ns bigint not null,
    seq bigint not null,
    batch uuid not null,
    primary key (ns, seq)
);
-- The last place given; whoever gives places holds this row.
create table workmill.event_sequence (
    ns bigint primary key,
    seq bigint not null
);

-- When any server last reached the database. After an outage every lease gets its time again.
create table workmill.liveness (
    one_row boolean primary key check (one_row),
    at timestamptz not null
);

-- Ballast. Of two indexes that begin with `ns`, PostgreSQL takes any one while it believes that a
-- namespace has no more than one row in the table: reading a whole namespace then looks as cheap
-- as reading one row, and the plan stays when the table has filled. So the tables that have two
-- are never empty: namespace 0, which belongs to nobody, has rows in them that nothing reads, and
-- a namespace counts as the whole table.
insert into workmill.lease (
    ns, claimed_at, renewed_at, ttl_ms, lease_ms, task, epoch, resumed, has_holds, agent
)
select 0, '-infinity', 'infinity', 1, 1, lpad(to_hex(i), 32, '0')::uuid, 1, 0, false, i::text
from generate_series(1, 200) as i;
insert into workmill.edge (ns, task, depends_on)
select 0, lpad(to_hex(i), 32, '0')::uuid, lpad(to_hex(i), 32, '1')::uuid
from generate_series(1, 200) as i;
insert into workmill.deadline (
    ns, presses_at, task, at, submitted_at, estimate_ms, base, boost
)
select
    0, '-infinity'::timestamptz, lpad(to_hex(i), 32, '0')::uuid, 'infinity', '-infinity', 0, 0, ''
from generate_series(1, 200) as i;
alter table workmill.lease alter column ns set (n_distinct = 1);
alter table workmill.edge alter column ns set (n_distinct = 1);
alter table workmill.deadline alter column ns set (n_distinct = 1);
analyze workmill.lease, workmill.edge, workmill.deadline;
