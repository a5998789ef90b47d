-- Gates. Called by store::gates. Whoever changes anything here holds the lock of the namespace's
-- anchor, taken after those of tasks and leases; looked up row by row, see dispatch/claim.sql.

--! find_gates_version
select gates_version from workmill.anchor where ns = :ns;

--! find_known_gates : (gate?, time_zone?)
-- The names of the gates, in one statement with their version. Locks are asked for by tasks.
select a.gates_version, g.gate, g.time_zone
from workmill.anchor a
left join workmill.gate g
    on
        g.ns = a.ns and g.ns = :ns and not g.is_removed and not starts_with(g.gate, 'lock:')
where a.ns = :ns;

--! find_all_gates : (cap?, note?, time_zone?, reserved_for?, reserved_at?, reserved_locks?)
select
    g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed,
    g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks
from workmill.gate g
where g.ns = :ns
order by g.gate;

--! lock_anchor
-- A statement of its own: what is read after it is read as others have left it.
select a.gates_version from workmill.anchor a where a.ns = :ns for update;

--! bump_gates_version
-- `at` is the time in microseconds: a version that was rolled back, or was there before a database was
-- restored, is not used again.
update workmill.anchor
set gates_version = greatest(gates_version + 1, :at::bigint)
where ns = :ns;

--! set_lock_timeout
select set_config('lock_timeout', :timeout, true) as timeout;

--! find_agents_that_may_claim
select a.agent from workmill.agent a where a.ns = :ns order by a.agent;

--! find_agents_without_claims
-- Those whose rows no claim holds at this moment: claims lock them for update (lock_agents), which
-- is all that a key share conflicts with.
select a.agent from workmill.agent a where a.ns = :ns order by a.agent for key share skip locked;

--! await_claims_of_agent
-- Returns when the claims of an agent that began before are over.
select from workmill.agent where ns = :ns and agent = :agent for key share;

--! find_leases_that_may_end
select l.task from workmill.lease l where l.ns = :ns order by l.task;

--! find_leases_without_change
-- Those that nothing settles or renews at this moment.
select l.task from workmill.lease l where l.ns = :ns order by l.task for key share skip locked;

--! await_changes_of_lease
select from workmill.lease where ns = :ns and task = :task for key share;

--! find_gates : (cap?, note?, time_zone?, reserved_for?, reserved_at?, reserved_locks?)
select
    g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed,
    g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks
from unnest(:gates::text[]) as u (gate)
cross join lateral (
    select
        t.gate, t.cap, t.used, t.spent, t.has_waiters, t.is_nearly_used_up, t.is_used_up,
        t.is_removed, t.set_by, t.set_at, t.note, t.time_zone, t.reserved_for, t.reserved_at,
        t.reserved_locks
    from workmill.gate t
    where t.ns = :ns and t.gate = u.gate
    limit 1
) as g;

--! find_gates_of_holds : (cap?, note?, time_zone?, reserved_for?, reserved_at?, reserved_locks?)
-- The gates that these attempts hold something of, and some more.
select
    g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed,
    g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks
from (
    select h.gate
    from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
    cross join lateral (
        select unnest(t.gates) as gate
        from workmill.hold t
        where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
        offset 0
    ) as h
    union
    select unnest(:more::text[])
) as w
cross join lateral (
    select
        t.gate, t.cap, t.used, t.spent, t.has_waiters, t.is_nearly_used_up, t.is_used_up,
        t.is_removed, t.set_by, t.set_at, t.note, t.time_zone, t.reserved_for, t.reserved_at,
        t.reserved_locks
    from workmill.gate t
    where t.ns = :ns and t.gate = w.gate
    limit 1
) as g;

--! find_holds
select h.task, h.epoch, h.gates, h.amounts
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select t.task, t.epoch, t.gates, t.amounts
    from workmill.hold t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    limit 1
) as h;

--! find_held_locks
select u.root, l.task, l.path, l.is_shared, l.agent
from unnest(:roots::text[]) as u (root)
cross join lateral (
    select t.task, t.path, t.is_shared, t.agent
    from workmill.held_lock t
    where t.ns = :ns and t.root = u.root
    offset 0
) as l;

--! find_held_paths
-- What is held below these roots, shared or not, by others than these tasks; once.
select distinct l.path, l.is_shared
from unnest(:roots::text[], :are_shared::boolean[]) as u (root, is_shared)
cross join lateral (
    select t.path, t.is_shared
    from workmill.held_lock t
    where
        t.ns = :ns and t.root = u.root and t.is_shared = u.is_shared
        and t.task <> all(:except::uuid[])
    offset 0
) as l;

--! insert_holds
-- Over what an attempt already holds: a gate that was set up later is added to it.
insert into workmill.hold (ns, task, epoch, gates, amounts)
select
    a.ns, u.task, u.epoch, string_to_array(u.gates, chr(10)),
    string_to_array(u.amounts, ',')::bigint[]
from
    workmill.anchor a,
    unnest(:tasks::uuid[], :epochs::integer[], :gates::text[], :amounts::text[])
        as u (task, epoch, gates, amounts)
where a.ns = :ns
on conflict (ns, task, epoch) do update
set gates = excluded.gates, amounts = excluded.amounts;

--! delete_holds
delete from workmill.hold h
where
    h.ns = :ns
    and h.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.hold k
                where k.ns = :ns and k.task = u.task and k.epoch = u.epoch
            )
            from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
        )
    );

--! insert_held_locks
insert into workmill.held_lock (ns, root, task, path, is_shared, agent)
select a.ns, u.root, u.task, u.path, u.is_shared, u.agent
from
    workmill.anchor a,
    unnest(
        :roots::text[], :tasks::uuid[], :paths::text[], :are_shared::boolean[], :agents::text[]
    ) as u (root, task, path, is_shared, agent)
where a.ns = :ns
on conflict (ns, root, is_shared, task, path) do nothing;

--! delete_held_locks
delete from workmill.held_lock l
where
    l.ns = :ns
    and l.ctid = any(
        array(
            select k.ctid
            from unnest(:roots::text[], :tasks::uuid[]) as u (root, task)
            cross join unnest(array[false, true]) as b (is_shared)
            cross join lateral (
                select t.ctid
                from workmill.held_lock t
                where
                    t.ns = :ns and t.root = u.root and t.is_shared = b.is_shared
                    and t.task = u.task
                offset 0
            ) as k
        )
    );

--! update_gates (caps[?], notes[?], time_zones[?], reserved_for[?], reserved_ats[?], reserved_locks[?])
-- Set up, changed, or with another use.
insert into workmill.gate as g (
    ns, gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed, set_by,
    set_at, note, time_zone, reserved_for, reserved_at, reserved_locks
)
select
    a.ns, u.gate, u.cap, u.used, u.spent, u.has_waiters, u.is_nearly_used_up, u.is_used_up,
    u.is_removed, u.set_by, u.set_at, u.note, u.time_zone, u.reserved_for, u.reserved_at,
    u.reserved_locks
from
    workmill.anchor a,
    unnest(
        :gates::text[], :caps::bigint[], :used::bigint[], :spent::bigint[],
        :have_waiters::boolean[], :are_nearly_used_up::boolean[], :are_used_up::boolean[],
        :are_removed::boolean[], :set_by::text[], :set_ats::timestamptz[], :notes::text[],
        :time_zones::text[], :reserved_for::uuid[], :reserved_ats::timestamptz[],
        :reserved_locks::jsonb[]
    ) as u (
        gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed, set_by,
        set_at, note, time_zone, reserved_for, reserved_at, reserved_locks
    )
where a.ns = :ns
on conflict (ns, gate) do update
set
    cap = excluded.cap,
    used = excluded.used,
    spent = excluded.spent,
    has_waiters = excluded.has_waiters,
    is_nearly_used_up = excluded.is_nearly_used_up,
    is_used_up = excluded.is_used_up,
    is_removed = excluded.is_removed,
    set_by = excluded.set_by,
    set_at = excluded.set_at,
    note = excluded.note,
    time_zone = excluded.time_zone,
    reserved_for = excluded.reserved_for,
    reserved_at = excluded.reserved_at,
    reserved_locks = excluded.reserved_locks;

--! delete_gates
delete from workmill.gate g
where
    g.ns = :ns
    and g.ctid = any(
        array(
            select (select k.ctid from workmill.gate k where k.ns = :ns and k.gate = u.gate)
            from unnest(:gates::text[]) as u (gate)
        )
    );

--! insert_gated (locks[?])
-- Ready tasks that a gate has stopped; they are locked, and leave their lanes next. Who has waited for
-- locks before, and now waits for others, goes on waiting.
insert into workmill.gated (
    ns, gate, lane, rank, task, amount, since, shunned_until, shunned, locks
)
select
    a.ns, u.gate, r.lane, r.rank, r.task, u.amount,
    case when u.locks is null then :now else coalesce(r.waiting_since, :now) end,
    r.shunned_until, r.shunned, u.locks
from
    workmill.anchor a,
    unnest(
        :gates::text[], :amounts::bigint[], :locks::jsonb[], :lanes::bigint[], :ranks::bigint[],
        :tasks::uuid[]
    ) as u (gate, amount, locks, lane, rank, task)
cross join lateral (
    select t.lane, t.rank, t.task, t.shunned_until, t.shunned, t.waiting_since
    from workmill.ready t
    where t.ns = :ns and t.lane = u.lane and t.rank = u.rank and t.task = u.task
    limit 1
) as r
where a.ns = :ns;

--! find_still_ready
-- Those of the picked tasks that are still in their lanes. A task that was stopped and is locked by
-- nobody any more looks to a statement that began before as if it were.
select r.task
from unnest(:lanes::bigint[], :ranks::bigint[], :tasks::uuid[]) as u (lane, rank, task)
cross join lateral (
    select t.task
    from workmill.ready t
    where t.ns = :ns and t.lane = u.lane and t.rank = u.rank and t.task = u.task
    limit 1
) as r;

--! lock_waiters : (locks?)
-- The best-ranked at each gate that ask for no more than is left of it, locked; those who ask for
-- more are looked past, up to a thousand in each lane. The order is that of workmill_core::rank::effective.
-- Who takes a task out by its own lock has it locked: such a task is passed over, that one sees to it.
with heads as (
    select h.gate, h.lane, h.rank, h.task
    from (
        select
            u.gate, u.most, f.lane, f.rank, f.task,
            row_number() over (
                partition by u.gate order by f.rank - f.aged, f.task
            ) as place
        from unnest(:gates::text[], :most::bigint[], :left::bigint[]) as u (gate, most, room)
        cross join lateral (
            select l.lane, l.aged, c.rank, c.task
            from unnest(:lanes::bigint[], :aged::bigint[]) as l (lane, aged)
            cross join lateral (
                select k.rank, k.task
                from (
                    select t.rank, t.task, t.amount
                    from workmill.gated t
                    where t.ns = :ns and t.gate = u.gate and t.lane = l.lane
                    order by t.rank, t.task
                    limit 1000
                ) as k
                where k.amount <= u.room
                order by k.rank, k.task
                limit u.most
            ) as c
        ) as f
    ) as h
    where h.place <= h.most
)
select g.gate, g.lane, g.rank, g.task, g.amount, g.since, g.locks
from heads
cross join lateral (
    select t.gate, t.lane, t.rank, t.task, t.amount, t.since, t.locks
    from workmill.gated t
    where
        t.ns = :ns and t.gate = heads.gate and t.lane = heads.lane and t.rank = heads.rank
        and t.task = heads.task
    for update skip locked
) as g;

--! return_to_ready
-- What was locked goes back to its lane.
insert into workmill.ready (ns, lane, rank, task, shunned_until, shunned, waiting_since)
select
    a.ns, r.lane, r.rank, r.task, r.shunned_until, r.shunned,
    case when r.locks is not null then r.since end
from
    workmill.anchor a,
    unnest(:gates::text[], :lanes::bigint[], :ranks::bigint[], :tasks::uuid[])
        as u (gate, lane, rank, task)
cross join lateral (
    select t.lane, t.rank, t.task, t.shunned_until, t.shunned, t.locks, t.since
    from workmill.gated t
    where
        t.ns = :ns and t.gate = u.gate and t.lane = u.lane and t.rank = u.rank
        and t.task = u.task
    limit 1
) as r
where a.ns = :ns;

--! delete_gated
delete from workmill.gated g
where
    g.ns = :ns
    and g.ctid = any(
        array(
            select (
                select k.ctid
                from workmill.gated k
                where
                    k.ns = :ns and k.gate = u.gate and k.lane = u.lane and k.rank = u.rank
                    and k.task = u.task
            )
            from
                unnest(:gates::text[], :lanes::bigint[], :ranks::bigint[], :tasks::uuid[])
                    as u (gate, lane, rank, task)
        )
    );

--! delete_gated_tasks
-- Tasks that leave whatever gate they wait at; their rows are locked. Before they leave their
-- lanes: who is just returning them to their lanes is waited for.
delete from workmill.gated g
where
    g.ns = :ns
    and g.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select t.ctid from workmill.gated t where t.ns = :ns and t.task = u.task offset 0
            ) as k
        )
    );

--! find_running
-- Everything that runs in a namespace, with what decides which gates it passed.
select
    l.task, l.epoch, l.agent, l.claimed_at, l.cost_micros, s.graph, s.lane, s.spent_micros,
    p.created_by, p.policy
from workmill.lease l
cross join lateral (
    select t.graph, t.lane, t.spec_version, t.spent_micros
    from workmill.state t
    where t.ns = :ns and t.task = l.task
    limit 1
) as s
cross join lateral (
    select t.created_by, t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = l.task and t.version = s.spec_version
    limit 1
) as p
where l.ns = :ns;

--! find_costs
-- What tasks have cost before this attempt, and may cost.
select u.task, s.graph, s.spent_micros, p.policy
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.graph, t.spent_micros, t.spec_version
    from workmill.state t
    where t.ns = :ns and t.task = u.task
    limit 1
) as s
cross join lateral (
    select t.policy
    from workmill.spec t
    where t.ns = :ns and t.task = u.task and t.version = s.spec_version
    limit 1
) as p;

--! find_whereabouts
-- To which agent and graph running attempts belong.
select u.task, u.epoch, l.agent, s.graph
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select t.agent
    from workmill.lease t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    limit 1
) as l
cross join lateral (
    select t.graph from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s;

--! find_all_holds
select h.task, h.epoch, h.gates, h.amounts
from workmill.hold h
where h.ns = :ns;

--! find_all_held_locks
select l.root, l.task, l.path, l.is_shared, l.agent
from workmill.held_lock l
where l.ns = :ns;

--! find_leases_among
select l.task, l.epoch
from unnest(:tasks::uuid[], :epochs::integer[]) as u (task, epoch)
cross join lateral (
    select t.task, t.epoch
    from workmill.lease t
    where t.ns = :ns and t.task = u.task and t.epoch = u.epoch
    limit 1
) as l;

--! find_graph_cost
-- A standalone task is its own graph.
select coalesce(sum(u.spent_micros), 0)::bigint as spent
from (
    select s.spent_micros
    from workmill.state s
    where s.ns = :ns and s.graph = :graph and s.in_graph
    union all
    select s.spent_micros
    from workmill.state s
    where s.ns = :ns and s.task = :graph and s.graph = :graph and not s.in_graph
) as u;

--! find_namespaces_with_gates_in_use
-- Those where something runs or was taken: elsewhere there is nothing to compare.
select distinct g.ns
from workmill.gate g
left join lateral (
    select l.task from workmill.lease l where l.ns = g.ns limit 1
) as leased on true
left join lateral (
    select h.task from workmill.hold h where h.ns = g.ns limit 1
) as held on true
where leased.task is not null or held.task is not null or g.used <> g.spent;

--! find_namespaces_with_restless_gates
-- Those where tasks wait at a gate, or one is to be cleared away: only locks and announced gates have
-- no cap. As in upkeep/agenda.sql.
select distinct g.ns
from workmill.gate g
where
    g.has_waiters or g.is_removed or g.reserved_for is not null or g.cap is null;

--! find_gates_with_waiters
-- Those of the gates that somebody waits at.
select u.gate
from unnest(:gates::text[]) as u (gate)
cross join lateral (
    select t.task from workmill.gated t where t.ns = :ns and t.gate = u.gate limit 1
) as g;

--! find_contenders_for_locks
-- The tasks among these that only locks can hold back: ready, and in a lane or waiting for locks.
select u.task
from unnest(:tasks::uuid[]) as u (task)
cross join lateral (
    select t.state from workmill.state t where t.ns = :ns and t.task = u.task limit 1
) as s
left join lateral (
    select t.locks is null as is_elsewhere
    from workmill.gated t
    where t.ns = :ns and t.task = u.task
    limit 1
) as g on true
where s.state = :ready and g.is_elsewhere is not true;

--! begin_waiting_again
update workmill.gated g
set since = :now
where
    g.ns = :ns
    and g.ctid = any(
        array(
            select k.ctid
            from unnest(:tasks::uuid[]) as u (task)
            cross join lateral (
                select t.ctid from workmill.gated t where t.ns = :ns and t.task = u.task offset 0
            ) as k
        )
    );
