//! Leases: acting on what was claimed.

use workmill_core::ids::LeaseId;
use workmill_protocol::batches::{
    HeartbeatAnswers, SendHeartbeats, SettleLeases, SettlementAnswers,
};
use workmill_protocol::error::ErrorCode::{
    Conflict, Cycle, IllegalTransition, LeaseLost, LimitReached,
};
use workmill_protocol::leases::{
    BlockTask, CompleteTask, FailTask, LeaseAlive, LeaseState, LeaseToken, ReleaseTask,
    SendHeartbeat, SettledTask, SpawnTasks, SpawnedTasks,
};
use workmill_protocol::role::Permission::{ActOnLease, Work};

use super::Group;
use super::call::{Call, MIB};

pub(super) fn group() -> Group {
    let act = |path, id, summary| {
        Call::post(path, id, summary)
            .needs(ActOnLease)
            .naming::<LeaseId>("lease", "The lease.")
            .refusing(&[LeaseLost, IllegalTransition])
    };
    Group {
        name: "Leases",
        description: "Act on a claimed task, with the key that registered the agent or with a lease token.",
        calls: vec![
            Call::get("/v1/leases/{lease}", "get_lease", "Show the state of a lease")
                .says("Returns whether the lease is held, or how its attempt ended. Allowed for \
                       the key that registered the agent and for the token of the lease.")
                .needs(ActOnLease)
                .naming::<LeaseId>("lease", "The lease.")
                .answering::<LeaseState>(200, "The lease."),
            act("/v1/leases/{lease}/start", "start_lease", "Start the task")
                .says("A claim with `\"start\": true` claims and starts in one call.")
                .answering::<LeaseAlive>(200, "The lease is renewed."),
            act("/v1/leases/{lease}/heartbeat", "renew_lease", "Send a heartbeat of a lease")
                .says("Renews the lease, and reports progress, a checkpoint and usage if given.")
                .taking_up_to::<SendHeartbeat>(16 * MIB)
                .answering::<LeaseAlive>(200, "The lease is renewed; `directive` says whether to continue."),
            act("/v1/leases/{lease}/complete", "complete_lease", "Complete the task")
                .says("With `claim`, the agent of the lease claims its next tasks in the same \
                       transaction. A repeated call returns the same claims. Lease tokens may not claim.")
                .taking_up_to::<CompleteTask>(16 * MIB)
                .answering::<SettledTask>(200, "The new status of the task."),
            act("/v1/leases/{lease}/fail", "fail_lease", "Fail the attempt")
                .says("The answer says whether the task is retried or dead-lettered. With `claim`, the \
                       agent of the lease claims its next tasks in the same transaction.")
                .taking_up_to::<FailTask>(16 * MIB)
                .answering::<SettledTask>(200, "The new status of the task."),
            act("/v1/leases/{lease}/release", "release_lease", "Release the task")
                .says("Without a result.")
                .taking::<ReleaseTask>()
                .answering::<SettledTask>(200, "The new status of the task."),
            act("/v1/leases/{lease}/block", "block_lease", "Block the task")
                .says("The task waits for input, an approval or an outside event until `POST /v1/tasks/{id}/answer`.")
                .taking_up_to::<BlockTask>(16 * MIB)
                .answering::<SettledTask>(200, "The new status of the task."),
            act("/v1/leases/{lease}/spawn", "spawn_tasks", "Spawn tasks")
                .says(
                    "The spawned tasks belong to the graph of the spawning task; `\"wait\": true` \
                     waits for them. A task whose `idempotency_key` belongs to a task of the graph \
                     is not added again: the answer contains the existing task. With the key of an \
                     agent, they must stay within the bounds of the spawning task and of the \
                     namespace's settings.",
                )
                .repeatable()
                .taking_up_to::<SpawnTasks>(64 * MIB)
                .answering::<SpawnedTasks>(201, "The tasks were submitted.")
                .answering::<SpawnedTasks>(200, "All of them were submitted before.")
                .refusing(&[Conflict, Cycle, LimitReached]),
            Call::post("/v1/leases/{lease}/token", "create_lease_token", "Create a lease token")
                .says("For a program that does the work and must not have a key: the token is valid for calls on this lease only.")
                .needs(Work)
                .naming::<LeaseId>("lease", "The lease.")
                .answering::<LeaseToken>(201, "The token.")
                .refusing(&[LeaseLost]),
            Call::post("/v1/heartbeats", "renew_leases", "Send heartbeats of many leases")
                .says("The answer has an item per lease, in the order of the request: `result`, or the \
                       `problem` that a single call would have returned.")
                .needs(Work)
                .taking_up_to::<SendHeartbeats>(64 * MIB)
                .answering_inline::<HeartbeatAnswers>(200, "A result per lease."),
            Call::post("/v1/settlements", "settle_leases", "Settle many leases")
                .says(
                    "Each item has one of `complete`, `fail`, `release`, `block` with the body of that call. The answer has an item \
                     per lease, in the order of the request: `result`, or the `problem` that a \
                     single call would have returned. All items together may claim 1,000 tasks.",
                )
                .needs(Work)
                .taking_up_to::<SettleLeases>(64 * MIB)
                .answering_inline::<SettlementAnswers>(200, "An outcome per lease."),
        ],
    }
}
