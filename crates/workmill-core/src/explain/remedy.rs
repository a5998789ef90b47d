//! What can be done about a task that does not run: commands that can be pasted into a shell, or a
//! sentence where no command helps.

use super::agents::look_at;
use super::words::moment;
use super::{AgentCode, AgentFacts, Code, Condition, Facts};
use crate::gate::Gate;
use crate::lane::Lane;
use crate::lifecycle::State;
use crate::money::Micros;

/// Returns what can be done about a task, the most useful first.
pub(super) fn next(facts: &Facts, conditions: &[Condition]) -> Vec<String> {
    let mut next = of_the_state(facts);
    for condition in conditions.iter().filter(|condition| !condition.met) {
        next.extend(of_the_condition(facts, condition));
    }
    let mut seen = std::collections::BTreeSet::new();
    next.retain(|command| seen.insert(command.clone()));
    next
}

fn of_the_state(facts: &Facts) -> Vec<String> {
    let task = facts.task;
    let say = |text: &str| vec![text.to_owned()];
    match facts.state {
        State::DeadLettered => vec![
            format!("workmill dead-letter show {task}"),
            format!("workmill dead-letter resolve {task} --retry"),
        ],
        State::Blocked => vec![format!("workmill answer {task} --text 'your answer'")],
        State::Created => vec![format!("workmill graph submit {}", facts.graph)],
        State::Claimed | State::Running | State::Validating => {
            vec![format!("workmill cancel {task}")]
        }
        State::Stale => say("submit it again with a later deadline"),
        State::Cancelled => say("submit it again"),
        State::Completed | State::Pending | State::Ready | State::Retrying => Vec::new(),
    }
}

fn of_the_condition(facts: &Facts, condition: &Condition) -> Vec<String> {
    match condition.code {
        Code::AgentExists | Code::AgentNotExcluded => vec![start_an_agent(&facts.asks, None)],
        Code::AgentSlot => vec![match &facts.asks.target_agent {
            Some(name) => format!("wait until `{name}` has ended one of its tasks"),
            None => start_an_agent(&facts.asks, None),
        }],
        Code::AgentAvailable => bring_agents_back(facts),
        Code::AgentGate => open_a_gate_of_an_agent(facts).into_iter().collect(),
        Code::Pause | Code::Limit | Code::Budget => open_the_gates(facts),
        Code::Lock => {
            let holder = condition.data.get("task").and_then(|task| task.as_str());
            let show = |task| format!("workmill show {task}");
            holder.map(show).into_iter().collect()
        }
        Code::Dependencies => match &facts.cause {
            Some(cause) => next(&cause.facts, &super::conditions_of(&cause.facts)),
            None => Vec::new(),
        },
        Code::Due | Code::RetryDelay => vec![wait_until_due(facts)],
        Code::GraphNotDraining => {
            let task = facts.task;
            vec![format!(
                "submit {task} again in another graph, because its graph is being cancelled"
            )]
        }
        Code::LockReservation => {
            let before = condition.data.get("task").and_then(|task| task.as_str());
            let wait = |task| format!("wait: {task} runs first");
            before.map(wait).into_iter().collect()
        }
        // What can be done follows from the state, or from the gate that the task waits at.
        Code::NotEnded | Code::NotHeld | Code::GraphSubmitted | Code::Answer | Code::InLane => {
            Vec::new()
        }
    }
}

/// No command makes a task due.
fn wait_until_due(facts: &Facts) -> String {
    let task = facts.task;
    match facts.due.filter(|due| *due > facts.now) {
        Some(due) => format!("wait: {task} becomes ready by itself at {}", moment(due)),
        None => format!("wait: {task} becomes ready by itself within a second"),
    }
}

/// An agent that meets what the task asks.
fn start_an_agent(asks: &Lane, name: Option<&str>) -> String {
    let mut command = "workmill agent run".to_owned();
    let mut say = |flag: &str, value: &str| {
        command.extend([" ", flag, " ", &quoted(value)]);
    };
    if let Some(name) = name.or(asks.target_agent.as_deref()) {
        say("--agent", name);
    }
    if let Some(agent_type) = &asks.agent_type {
        say("--type", agent_type);
    }
    for capability in &asks.capabilities {
        say("--cap", capability);
    }
    if let Some(model) = asks.models.first() {
        say("--model", model);
    }
    command.push_str(" -- YOUR_COMMAND");
    command
}

/// Of the agents that could run it, the one that was seen last.
fn bring_agents_back(facts: &Facts) -> Vec<String> {
    let could = facts.agents.iter();
    let could = could.filter(|agent| facts.asks.matches(&agent.offer));
    let Some(agent) = could.max_by_key(|agent| agent.seen_at) else {
        return Vec::new();
    };
    let mut commands = Vec::new();
    let name = agent.offer.agent.as_str();
    if is_paused(facts, agent) {
        commands.push(format!(
            "workmill resume {}",
            quoted(&format!("agent:{name}"))
        ));
    }
    if agent.is_silent {
        commands.push(start_an_agent(&facts.asks, Some(name)));
    } else if !agent.is_live() {
        commands.push(format!("workmill agent activate {}", quoted(name)));
    }
    commands
}

fn is_paused(facts: &Facts, agent: &AgentFacts) -> bool {
    let views = look_at(facts);
    let mut views = views.iter().filter(|view| view.agent == agent.offer.agent);
    views.any(|view| {
        let mut reasons = view.reasons.iter();
        reasons.any(|reason| reason.code == AgentCode::Paused)
    })
}

/// Of those that no agent gets it through.
fn open_the_gates(facts: &Facts) -> Vec<String> {
    let checks = facts.door.checks(&facts.candidate(), "", facts.now);
    let closed = checks.into_iter().filter(|check| !check.passes());
    closed
        .filter(|check| !check.ask.gate.is_of_an_agent())
        .filter_map(|check| open(&check.ask.gate, check.seen.room.used, check.ask.amount))
        .collect()
}

fn open_a_gate_of_an_agent(facts: &Facts) -> Option<String> {
    let could = facts.agents.iter();
    let mut could = could.filter(|agent| facts.asks.matches(&agent.offer));
    could.find_map(|agent| {
        let candidate = facts.candidate();
        let checks = facts.door.checks(&candidate, &agent.offer.agent, facts.now);
        let mut closed = checks.into_iter().filter(|check| !check.passes());
        let check = closed.find(|check| check.ask.gate.is_of_an_agent())?;
        open(&check.ask.gate, check.seen.room.used, check.ask.amount)
    })
}

/// The least that lets this much more in.
fn open(gate: &Gate, used: i64, amount: i64) -> Option<String> {
    let name = gate.to_string();
    let (_, scope) = name.split_once(':')?;
    let needed = used.saturating_add(amount);
    match gate {
        Gate::Pause(_) => Some(format!("workmill resume {}", quoted(scope))),
        Gate::Limit(_) => Some(format!("workmill limits set {} {needed}", quoted(scope))),
        Gate::Budget(_) => {
            let scope = if scope.starts_with("day:") {
                "each_day"
            } else {
                scope
            };
            let dollars = Micros(needed).dollars();
            Some(format!("workmill budget set {} {dollars}", quoted(scope)))
        }
        Gate::Locks(_) => None,
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@%+=,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("type:review"), "type:review");
        assert_eq!(quoted("label:a b"), "'label:a b'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
