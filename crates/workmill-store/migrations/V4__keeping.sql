-- What is kept for how long: the record of what was done by hand, and when finished work goes.

-- Who did what to which thing, with before and after; written in the transaction of the change.
-- Insert-only. The id is time-ordered, so the order of the ids is the order of the years.
create table workmill.audit (
    ns bigint not null,
    id uuid not null,
    at timestamptz not null,
    -- The name of the key that was presented, and its id; none where Workmill acted by itself.
    actor text not null,
    actor_key uuid,
    action text not null,
    -- task, graph, dead_letter, agent, key, limit, pause or namespace
    subject_kind text not null,
    subject text not null,
    before jsonb,
    after jsonb,
    note text,
    primary key (ns, id)
);
create index audit_by_subject on workmill.audit (ns, subject, id);

-- How long the tasks of a namespace are kept after they have ended; no row, or null: for ever.
create table workmill.retention (
    ns bigint primary key,
    completed_ms bigint check (completed_ms >= 0),
    cancelled_ms bigint check (cancelled_ms >= 0),
    stale_ms bigint check (stale_ms >= 0),
    changed_at timestamptz not null
);

-- How attempts ended, by agent and model, hour by hour; model '' where none was reported. Written as
-- agent_record is, and lost with the server that has not written it yet: it tells a bad task from a
-- bad agent from a bad model. Only rows of the hour are updated, each at most once a second by each
-- server; hours are removed after three days. One index, so no ballast.
create table workmill.attempt_tally (
    ns bigint not null,
    hour timestamptz not null,
    agent text not null,
    model text not null,
    completed bigint not null,
    failed bigint not null,
    primary key (ns, hour, agent, model)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
