//! Agents, and what they claim.

use workmill_core::schema::PlainName;
use workmill_protocol::agents::{Agent, AgentList, ChangeAgent, RegisterAgent, RegisteredAgent};
use workmill_protocol::claims::{ClaimTasks, ClaimedTasks, PreviewClaim, WouldClaim};
use workmill_protocol::error::ErrorCode::Conflict;
use workmill_protocol::role::Permission::{Look, Operate, Work};

use super::Group;
use super::call::Call;
use crate::routes::agents::Page;

pub(super) fn group() -> Group {
    Group {
        name: "Agents",
        description: "Agents register, show signs of life and claim work.",
        calls: vec![
            Call::post("/v1/agents", "register_agent", "Register an agent")
                .says("Again under the same name with the same key: it is described anew.")
                .needs(Work)
                .taking::<RegisterAgent>()
                .answering::<RegisteredAgent>(201, "How it stands."),
            Call::get("/v1/agents", "list_agents", "List agents")
                .says("By name.")
                .needs(Look)
                .asking::<Page>()
                .answering::<AgentList>(200, "A page of agents."),
            Call::get("/v1/agents/{id}", "show_agent", "Show an agent")
                .needs(Look)
                .naming::<PlainName>("id", "The agent's name.")
                .answering::<Agent>(200, "The agent, with what it holds."),
            Call::patch("/v1/agents/{id}", "change_agent", "Change an agent")
                .says("What is not named stays.")
                .needs(Operate)
                .naming::<PlainName>("id", "The agent's name.")
                .guarded()
                .taking::<ChangeAgent>()
                .answering::<Agent>(200, "How it stands now."),
            Call::delete("/v1/agents/{id}", "remove_agent", "Remove an agent")
                .says("Of an agent that holds nothing. Its name is free then, also for another key.")
                .needs(Operate)
                .naming::<PlainName>("id", "The agent's name.")
                .answering_nothing(204, "It is removed.")
                .refusing(&[Conflict]),
            Call::post("/v1/agents/{id}/heartbeat", "see_agent", "Show a sign of life")
                .says("Of an agent that holds nothing.")
                .needs(Work)
                .naming::<PlainName>("id", "The agent's name.")
                .answering::<RegisteredAgent>(200, "How it stands."),
            Call::post("/v1/claims", "claim_tasks", "Claim tasks")
                .says(
                    "Waits for some where there are none, up to `wait_ms`, at most 50 seconds. Asking again with the same \
                     `request_id` returns what the first call was given.",
                )
                .needs(Work)
                .taking::<ClaimTasks>()
                .answering::<ClaimedTasks>(200, "What was claimed.")
                .answering_nothing(204, "There was nothing to claim.")
                .refusing(&[Conflict]),
            Call::post("/v1/claims/preview", "preview_claim", "What a claim would return now")
                .says("Nothing is claimed.")
                .needs(Look)
                .taking::<PreviewClaim>()
                .answering::<WouldClaim>(200, "What it would return, and what it would pass over."),
        ],
    }
}
