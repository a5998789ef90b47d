//! The order in which a transaction locks rows, stated here and nowhere else.
//!
//! A transaction that waits for a row holds only rows that come before it in this list, so that no
//! two transactions wait for each other. Rows of one kind are locked in the order of their ids.
//!
//! 1. **Entry rows**: the row of the namespace's plan, letters of the inbox. A transaction takes them
//!    before anything else, letters with SKIP LOCKED.
//! 2. **Agents**, then the records of their attempts. Claims lock all their agents first; a lease that
//!    is taken up again locks its agent before its task.
//! 3. **Graphs**. A claim locks none.
//! 4. **Tasks** (`state`). [`LockedRows::lock`](crate::locked_rows::LockedRows::lock) locks graphs, tasks and leases. A
//!    transaction that does not hold the graphs takes tasks with SKIP LOCKED (claims and duties), or
//!    locks the tasks that it names and no others (starts).
//! 5. **Leases**. Heartbeats lock leases only.
//! 6. **Lanes**: `lane_bound`, then new rows of `lane`. An insert waits for another transaction that
//!    inserts the same lane. A settlement that moves tasks to other lanes writes these before it locks
//!    the gates.
//! 7. **Keys**: idempotency keys, then planners' keys, both by inserting them. Afterwards a
//!    transaction waits for no agent, for no lease, and for no graph that it does not hold.
//! 8. **Gates**: the namespace's row of `anchor`, whose lock covers all rows of gates, holds and held
//!    locks. Tasks that wait at gates (`gated`) are locked under it with SKIP LOCKED, and a
//!    transaction that holds it waits for no task.
//! 9. **Events** are inserted, and numbered by a duty that locks `event_sequence` with SKIP LOCKED.
//!
//! Two places deviate, on purpose:
//!
//! - A transaction that holds a graph locks further tasks of this graph at any point before the gates:
//!   dependents of tasks that end, and tasks on a chain that becomes longer. They are not in the order
//!   of their ids, but every transaction that waits for several tasks of a graph holds the graph.
//! - A claim that expects gates locks them before it picks tasks. It picks them with SKIP LOCKED, so
//!   it does not wait for a task.
//!
//! Only the hand-over of a submission to a waiting claim
//! ([`HandOver`](crate::dispatch::hand_over::HandOver)) locks both agents and keys.
//!
//! Two rare cases can end in a deadlock; PostgreSQL then ends one of the transactions, and
//! [`Store::run`](crate::Store::run) repeats it. A lane whose row was removed while tasks waited at a
//! gate is written under the lock of the gates. A batch of starts can name, with a lease that has
//! ended, a task that depends on another task of the batch, which is being settled.
