//! Which agents could run a task, and what keeps those that could from it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::json;

use super::gate_decision::GateDecisions;
use super::words::{list, moment};
use super::{
    AgentCode, AgentFacts, AgentReason, AgentView, Agents, Code, Condition, Facts, MOST_NAMED,
};
use crate::agent::AgentStatus;
use crate::gate::{Gate, Paused};
use crate::lane::{Lane, Mismatch, Offer, has_another};
use crate::money::Micros;

/// Every agent with what keeps it from the task.
pub(super) fn look_at(facts: &Facts) -> Vec<AgentView> {
    let agents = facts.agents.iter();
    agents.map(|agent| look_at_one(facts, agent)).collect()
}

fn look_at_one(facts: &Facts, agent: &AgentFacts) -> AgentView {
    let mut reasons: Vec<AgentReason> = facts
        .asks
        .mismatches(&agent.offer)
        .into_iter()
        .map(mismatch)
        .collect();
    let could = reasons.is_empty();
    if could {
        reasons.extend(status(agent));
        reasons.extend(pause(&facts.gate_decisions, &agent.offer.agent));
        reasons.extend(shunned(facts, &agent.offer.agent));
        if agent.leases >= agent.slots {
            let sentence = format!("{} of {} slots are taken", agent.leases, agent.slots);
            reasons.push(reason(AgentCode::NoFreeSlot, sentence));
        }
        reasons.extend(gates(facts, &agent.offer.agent));
    }
    AgentView {
        agent: agent.offer.agent.clone(),
        status: agent.shown_status(),
        could,
        reasons,
    }
}

fn reason(code: AgentCode, sentence: String) -> AgentReason {
    AgentReason { code, sentence }
}

fn mismatch(mismatch: Mismatch) -> AgentReason {
    match mismatch {
        Mismatch::Type { wanted } => reason(AgentCode::Type, format!("is not of type `{wanted}`")),
        Mismatch::Target { wanted } => {
            let sentence = format!("the task is addressed to `{wanted}`");
            reason(AgentCode::Target, sentence)
        }
        Mismatch::Excluded => {
            let sentence = "the task excludes it by name".to_owned();
            reason(AgentCode::Excluded, sentence)
        }
        Mismatch::Capabilities { missing } => {
            let sentence = format!("lacks {}", list(&missing));
            reason(AgentCode::Capability, sentence)
        }
        Mismatch::Models { wanted } => {
            let sentence = format!("has none of the models {}", list(&wanted));
            reason(AgentCode::Model, sentence)
        }
        Mismatch::TaskType { taken } => {
            let sentence = format!("takes only tasks of type {}", list(&taken));
            reason(AgentCode::TaskType, sentence)
        }
    }
}

fn status(agent: &AgentFacts) -> Option<AgentReason> {
    match agent.shown_status() {
        AgentStatus::Active => None,
        AgentStatus::Draining => {
            let sentence = "is draining: it finishes what it holds".to_owned();
            Some(reason(AgentCode::Draining, sentence))
        }
        AgentStatus::Offline => {
            let sentence = format!("is offline, last seen at {}", moment(agent.seen_at));
            Some(reason(AgentCode::Offline, sentence))
        }
    }
}

fn pause(gate_decisions: &GateDecisions, agent: &str) -> Option<AgentReason> {
    let seen = gate_decisions.gate(&Gate::Pause(Paused::Agent(agent.to_owned())))?;
    let why = seen
        .note
        .map(|note| format!(": {note}"))
        .unwrap_or_default();
    let sentence = format!(
        "was paused by {} at {}{why}",
        seen.set_by,
        moment(seen.set_at)
    );
    Some(reason(AgentCode::Paused, sentence))
}

/// Returns what the live agents bring that do not claim by hand.
pub fn workers(agents: &[AgentFacts]) -> Vec<Offer> {
    let workers = agents.iter();
    let workers = workers.filter(|agent| agent.is_live() && !agent.is_by_hand);
    workers.map(|agent| agent.offer.clone()).collect()
}

fn shunned(facts: &Facts, agent: &str) -> Option<AgentReason> {
    let until = facts.shunned_until.filter(|until| *until > facts.now)?;
    facts.shunned.iter().find(|shunned| *shunned == agent)?;
    if !has_another(&facts.asks, agent, &workers(&facts.agents)) {
        return None;
    }
    let sentence = format!(
        "failed it recently and is kept from it until {}",
        moment(until)
    );
    Some(reason(AgentCode::FailedLately, sentence))
}

/// The limit and the budget of the agent itself.
fn gates(facts: &Facts, agent: &str) -> Vec<AgentReason> {
    let checks = facts
        .gate_decisions
        .checks(&facts.candidate(), agent, facts.now);
    let closed = checks
        .into_iter()
        .filter(|check| check.ask.gate.is_of_an_agent() && !check.passes());
    closed
        .map(|check| {
            let (used, cap) = (
                check.seen.capacity.used,
                check.seen.capacity.cap.unwrap_or(i64::MAX),
            );
            if matches!(check.ask.gate, Gate::Budget(_)) {
                let sentence = format!(
                    "has {} of its {} left, and this would reserve {}",
                    Micros(cap.saturating_sub(used).max(0)),
                    Micros(cap),
                    Micros(check.ask.amount),
                );
                reason(AgentCode::Budget, sentence)
            } else {
                reason(
                    AgentCode::Limit,
                    format!("is at its limit: {used} of {cap}"),
                )
            }
        })
        .collect()
}

/// From all agents to those that would take it: at each step somebody has to be left.
pub(super) fn conditions(facts: &Facts, agents: &[AgentView]) -> Vec<Condition> {
    let steps: [(Code, &[AgentCode]); 4] = [
        (
            Code::AgentAvailable,
            &[AgentCode::Draining, AgentCode::Offline, AgentCode::Paused],
        ),
        (Code::AgentNotExcluded, &[AgentCode::FailedLately]),
        (Code::AgentSlot, &[AgentCode::NoFreeSlot]),
        (Code::AgentGate, &[AgentCode::Limit, AgentCode::Budget]),
    ];
    let mut left: Vec<&AgentView> = agents.iter().filter(|agent| agent.could).collect();
    let mut conditions = vec![exists(&facts.asks, agents, &left)];
    for (code, stopping) in steps {
        if left.is_empty() {
            break;
        }
        let (kept, stopped): (Vec<&AgentView>, Vec<&AgentView>) = left.iter().partition(|agent| {
            let mut reasons = agent.reasons.iter();
            !reasons.any(|reason| stopping.contains(&reason.code))
        });
        conditions.push(step(facts, code, stopping, &kept, &stopped));
        left = kept;
    }
    conditions
}

fn exists(asks: &Lane, agents: &[AgentView], could: &[&AgentView]) -> Condition {
    let mut missed: BTreeMap<AgentCode, usize> = BTreeMap::new();
    for reason in agents
        .iter()
        .filter(|agent| !agent.could)
        .flat_map(|agent| &agent.reasons)
    {
        *missed.entry(reason.code).or_default() += 1;
    }
    let sentence = match could.len() {
        0 if agents.is_empty() => format!("No agent is registered; {}.", needed(asks, false)),
        0 => format!(
            "No registered agent could ever run this: {}.",
            needed(asks, missed.contains_key(&AgentCode::TaskType))
        ),
        1 => format!(
            "`{}` meets its requirements: {}.",
            could[0].agent,
            met(asks)
        ),
        many => format!(
            "{many} registered agents meet its requirements: {}.",
            met(asks)
        ),
    };
    Condition {
        code: Code::AgentExists,
        met: !could.is_empty(),
        sentence,
        data: json!({
            "asks": asks, "registered": agents.len(), "could": could.len(), "missed": missed,
        }),
    }
}

/// Lists the requirements of the task that an agent meets.
fn met(asks: &Lane) -> String {
    requirements(asks, false).unwrap_or_else(|| ANY_AGENT.to_owned())
}

/// Says which agent the task needs; also names its type, if agents do not take that type.
fn needed(asks: &Lane, names_task_type: bool) -> String {
    match requirements(asks, names_task_type) {
        Some(requirements) => format!("the task needs {requirements}"),
        None => ANY_AGENT.to_owned(),
    }
}

const ANY_AGENT: &str = "the task accepts any agent";

/// `None` if every agent meets them.
fn requirements(asks: &Lane, names_task_type: bool) -> Option<String> {
    let mut parts = Vec::new();
    let task_type = asks.task_type.as_ref().filter(|_| names_task_type);
    parts.extend(task_type.map(|name| format!("an agent that takes tasks of type `{name}`")));
    if let Some(agent_type) = &asks.agent_type {
        parts.push(format!("an agent of type `{agent_type}`"));
    }
    if let Some(target) = &asks.target_agent {
        parts.push(format!("the agent `{target}`"));
    }
    if !asks.capabilities.is_empty() {
        parts.push(list(&asks.capabilities));
    }
    if !asks.models.is_empty() {
        parts.push(format!("one of the models {}", list(&asks.models)));
    }
    if !asks.excluded_agents.is_empty() {
        parts.push(format!("any agent but {}", list(&asks.excluded_agents)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn step(
    facts: &Facts,
    code: Code,
    stopping: &[AgentCode],
    kept: &[&AgentView],
    stopped: &[&AgentView],
) -> Condition {
    let told: Vec<String> = stopped
        .iter()
        .take(MOST_NAMED)
        .map(|agent| {
            let reasons = agent.reasons.iter();
            let reasons = reasons.filter(|reason| stopping.contains(&reason.code));
            let told: Vec<&str> = reasons.map(|reason| reason.sentence.as_str()).collect();
            format!("`{}` {}", agent.agent, told.join(" and "))
        })
        .collect();
    let rest = match stopped.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!("; {more} more"),
    };
    let met = !kept.is_empty();
    let of = (kept.len(), kept.len() + stopped.len());
    let head = head(facts, code, met, of);
    let sentence = if told.is_empty() {
        format!("{head}.")
    } else {
        format!("{head}: {}{rest}.", told.join("; "))
    };
    let names: Vec<&str> = stopped
        .iter()
        .take(MOST_NAMED)
        .map(|agent| agent.agent.as_str())
        .collect();
    Condition {
        code,
        met,
        sentence,
        data: json!({"left": kept.len(), "stopped": stopped.len(), "agents": names}),
    }
}

fn head(facts: &Facts, code: Code, met: bool, (kept, all): (usize, usize)) -> String {
    let of = format!("{kept} of {all}");
    let (are, have) = match kept {
        1 => ("is", "has"),
        _ => ("are", "have"),
    };
    match (code, met) {
        (Code::AgentAvailable, true) => format!("{of} matching agents {are} available"),
        (Code::AgentAvailable, false) => "No matching agent is available".to_owned(),
        (Code::AgentNotExcluded, true) => format!("{of} {have} not failed it recently"),
        (Code::AgentNotExcluded, false) => {
            let until = facts.shunned_until.map_or_else(String::new, until);
            format!("All remaining agents failed it recently{until}")
        }
        (Code::AgentSlot, true) => format!("{of} {have} a free slot"),
        (Code::AgentSlot, false) => "None of the remaining agents has a free slot".to_owned(),
        (_, true) if kept == 1 => format!("{of} is below its own limits and budgets"),
        (_, true) => format!("{of} are below their own limits and budgets"),
        (_, false) => "All remaining agents have reached their own limit or budget".to_owned(),
    }
}

fn until(until: Timestamp) -> String {
    format!(" and are kept from it until {}", moment(until))
}

/// Those that could first; of very many only some.
pub(super) fn view(mut agents: Vec<AgentView>) -> Agents {
    let registered = agents.len();
    let could = agents.iter().filter(|agent| agent.could).count();
    agents.sort_by_key(|agent| (!agent.could, agent.reasons.len()));
    agents.truncate(2 * MOST_NAMED);
    Agents {
        registered,
        could,
        items: agents,
    }
}
