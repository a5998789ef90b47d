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
        description: "Act on what was claimed: with the key that registered the agent, or with a token for the lease.",
        calls: vec![
            Call::get("/v1/leases/{lease}", "get_lease", "What became of a lease")
                .says("Whether the lease is held, and otherwise how its attempt ended. The key that registered the agent may ask, and the token of the lease.")
                .needs(ActOnLease)
                .naming::<LeaseId>("lease", "The lease.")
                .answering::<LeaseState>(200, "The lease."),
            act("/v1/leases/{lease}/start", "start_lease", "Start")
                .says("`\"start\": true` in the claim does both.")
                .answering::<LeaseAlive>(200, "The lease lives on."),
            act("/v1/leases/{lease}/heartbeat", "renew_lease", "Show a sign of life")
                .says("Carries progress, a checkpoint and what was used so far, if there is something to tell.")
                .taking_up_to::<SendHeartbeat>(16 * MIB)
                .answering::<LeaseAlive>(200, "The lease lives on; `directive` says whether to go on."),
            act("/v1/leases/{lease}/complete", "complete_lease", "Complete the task")
                .taking_up_to::<CompleteTask>(16 * MIB)
                .answering::<SettledTask>(200, "What became of the task."),
            act("/v1/leases/{lease}/fail", "fail_lease", "Fail the attempt")
                .says("The answer says what becomes of the task: another attempt, or a dead letter.")
                .taking_up_to::<FailTask>(16 * MIB)
                .answering::<SettledTask>(200, "What became of the task."),
            act("/v1/leases/{lease}/release", "release_lease", "Give the task back")
                .says("Without a result.")
                .taking::<ReleaseTask>()
                .answering::<SettledTask>(200, "What became of the task."),
            act("/v1/leases/{lease}/block", "block_lease", "Wait for input")
                .says("Or for an approval, or for an outside event: `POST /v1/tasks/{id}/answer` goes on.")
                .taking_up_to::<BlockTask>(16 * MIB)
                .answering::<SettledTask>(200, "What became of the task."),
            act("/v1/leases/{lease}/spawn", "spawn_tasks", "Spawn tasks")
                .says(
                    "Below the task, in its graph; `\"wait\": true` waits for them. A task whose `idempotency_key` stands for a \
                     task of the graph is not added again: the first one is answered in its place. What a key for agents \
                     spawns stays within the bounds of the spawning task and of the namespace's settings.",
                )
                .repeatable()
                .taking_up_to::<SpawnTasks>(64 * MIB)
                .answering::<SpawnedTasks>(201, "They are submitted.")
                .answering::<SpawnedTasks>(200, "All of them were submitted before.")
                .refusing(&[Conflict, Cycle, LimitReached]),
            Call::post("/v1/leases/{lease}/token", "create_lease_token", "A token for a lease")
                .says("For whoever does the work and shall have no key: good for acting on this lease and for nothing else.")
                .needs(Work)
                .naming::<LeaseId>("lease", "The lease.")
                .answering::<LeaseToken>(201, "The token.")
                .refusing(&[LeaseLost]),
            Call::post("/v1/heartbeats", "renew_leases", "Signs of life for many leases")
                .says("Each is answered for itself, in the order of the request: `result`, or the `problem` that its own call would have answered.")
                .needs(Work)
                .taking_up_to::<SendHeartbeats>(64 * MIB)
                .answering_inline::<HeartbeatAnswers>(200, "What was answered for each."),
            Call::post("/v1/settlements", "settle_leases", "End many leases")
                .says(
                    "Each with one of `complete`, `fail`, `release`, `block` and the body of that call. Each is answered for \
                     itself, in the order of the request: `result`, or the `problem` that its own call would have answered.",
                )
                .needs(Work)
                .taking_up_to::<SettleLeases>(64 * MIB)
                .answering_inline::<SettlementAnswers>(200, "What became of each."),
        ],
    }
}
