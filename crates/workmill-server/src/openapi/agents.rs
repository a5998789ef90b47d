//! Agents, and what they claim.

use workmill_core::schema::PlainName;
use workmill_protocol::agents::{
    Agent, AgentList, ChangeAgent, RegisterAgent, RegisteredAgent, SignOffAgent,
};
use workmill_protocol::claims::{ClaimTasks, ClaimedTasks, PreviewClaim, WouldClaim};
use workmill_protocol::error::ErrorCode::Conflict;
use workmill_protocol::role::Permission::{Look, Operate, Work};

use super::Group;
use super::call::Call;
use crate::routes::agents::Page;

pub(super) fn group() -> Group {
    Group {
        name: "Agents",
        description: "Agents register, send heartbeats and claim tasks.",
        calls: vec![
            Call::post("/v1/agents", "register_agent", "Register an agent")
                .says("A repeated registration with the same name and key replaces the description of the agent.")
                .needs(Work)
                .taking::<RegisterAgent>()
                .answering::<RegisteredAgent>(201, "The registered agent."),
            Call::get("/v1/agents", "list_agents", "List agents")
                .says("By name.")
                .needs(Look)
                .asking::<Page>()
                .answering::<AgentList>(200, "A page of agents."),
            Call::get("/v1/agents/{id}", "show_agent", "Show an agent")
                .needs(Look)
                .naming::<PlainName>("id", "The agent's name.")
                .answering::<Agent>(200, "The agent with the tasks that it holds."),
            Call::patch("/v1/agents/{id}", "change_agent", "Change an agent")
                .says("Absent fields stay unchanged.")
                .needs(Operate)
                .naming::<PlainName>("id", "The agent's name.")
                .guarded()
                .taking::<ChangeAgent>()
                .answering::<Agent>(200, "The changed agent."),
            Call::delete("/v1/agents/{id}", "remove_agent", "Remove an agent")
                .says("The agent must hold no task. Afterwards its name is free, also for another \
                       key.")
                .needs(Operate)
                .naming::<PlainName>("id", "The agent's name.")
                .answering_nothing(204, "The agent is removed.")
                .refusing(&[Conflict]),
            Call::post("/v1/agents/{id}/heartbeat", "see_agent", "Send a heartbeat of an agent")
                .says("For an agent that holds no task; leases have heartbeats of their own.")
                .needs(Work)
                .naming::<PlainName>("id", "The agent's name.")
                .answering::<RegisteredAgent>(200, "The registered agent."),
            Call::post("/v1/agents/{id}/sign-off", "sign_off_agent", "Sign an agent off")
                .says(
                    "Sets the agent offline until its next call, as its silence would later. Changes nothing while the \
                     agent holds a task.",
                )
                .needs(Work)
                .naming::<PlainName>("id", "The agent's name.")
                .taking::<SignOffAgent>()
                .answering::<RegisteredAgent>(200, "The registered agent."),
            Call::post("/v1/claims", "claim_tasks", "Claim tasks")
                .says(
                    "If there is no task, waits for one up to `wait_ms`, at most 50 seconds. A repeated call with the same \
                     `request_id` returns the claims of the first call.",
                )
                .needs(Work)
                .taking::<ClaimTasks>()
                .answering::<ClaimedTasks>(200, "The claims.")
                .answering_nothing(204, "No task was available.")
                .refusing(&[Conflict]),
            Call::post("/v1/claims/preview", "preview_claim", "Preview a claim")
                .says("Returns the tasks that a claim would return now. Claims nothing.")
                .needs(Look)
                .taking::<PreviewClaim>()
                .answering::<WouldClaim>(200, "The tasks that a claim would return."),
        ],
    }
}
