//! What can be done about a task that does not run: commands that can be pasted into a shell, or a
//! sentence where no command helps.

use super::agents::look_at;
use super::words::moment;
use super::{AgentCode, AgentFacts, CauseFacts, Code, Condition, Facts};
use crate::agent::AgentStatus;
use crate::gate::Gate;
use crate::lane::{Lane, Mismatch};
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
            vec![format!("workmill show {task}")]
        }
        State::Stale => say("submit it again with a later deadline"),
        State::Cancelled => say("submit it again"),
        State::Completed | State::Pending | State::Ready | State::Retrying => Vec::new(),
    }
}

fn of_the_condition(facts: &Facts, condition: &Condition) -> Vec<String> {
    match condition.code {
        Code::AgentExists | Code::AgentNotExcluded => vec![start_an_agent(facts)],
        Code::AgentSlot => vec![match &facts.asks.target_agent {
            Some(name) => format!("wait until `{name}` has ended one of its tasks"),
            None => start_an_agent(facts),
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
            Some(cause) => of_the_cause(facts, cause),
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

/// Returns what can be done about the task that is waited for in the end. No command ends its work: the
/// tasks behind it wait for the result.
fn of_the_cause(facts: &Facts, cause: &CauseFacts) -> Vec<String> {
    let task = cause.facts.task;
    match cause.facts.state {
        State::Claimed | State::Running | State::Validating => vec![match &cause.facts.held {
            Some(held) => format!("wait: {task} is with `{}`", held.agent),
            None => format!("workmill show {task}"),
        }],
        // Neither ever completes. A task that is submitted in its place is another task.
        State::Cancelled | State::Stale => {
            let waiting = cause.through.last().copied().unwrap_or(facts.task);
            vec![format!("workmill task unblock {waiting} --by {task}")]
        }
        State::Created
        | State::Pending
        | State::Ready
        | State::Blocked
        | State::Retrying
        | State::Completed
        | State::DeadLettered => next(&cause.facts, &super::conditions_of(&cause.facts)),
    }
}

/// The command that starts an agent that meets what the task asks.
fn start_an_agent(facts: &Facts) -> String {
    let asks = &facts.asks;
    if let Some(target) = &asks.target_agent {
        let mut agents = facts.agents.iter();
        if let Some(agent) = agents.find(|agent| agent.offer.agent == *target) {
            return start_again(&with_what_is_asked(agent, asks));
        }
    }
    let mut flags = Flags::default();
    flags.add("--agent", asks.target_agent.as_ref());
    flags.add("--type", asks.agent_type.as_ref());
    flags.add("--cap", &asks.capabilities);
    flags.add("--model", asks.models.first());
    flags.of_agent_run()
}

/// Returns the agent with what it lacks to meet what the task asks.
fn with_what_is_asked(agent: &AgentFacts, asks: &Lane) -> AgentFacts {
    let mut agent = agent.clone();
    let mismatches = asks.mismatches(&agent.offer);
    let offer = &mut agent.offer;
    for mismatch in mismatches {
        match mismatch {
            Mismatch::Type { wanted } => offer.agent_type = wanted,
            Mismatch::Capabilities { missing } => offer.capabilities.extend(missing),
            Mismatch::Models { wanted } => offer.models.extend(wanted.into_iter().take(1)),
            Mismatch::TaskType { .. } => offer.task_types.extend(asks.task_type.clone()),
            // No flag changes these.
            Mismatch::Target { .. } | Mismatch::Excluded => {}
        }
    }
    agent
}

/// `workmill agent run --slots` takes no larger number.
const MOST_SLOTS_OF_A_RUNNER: i32 = 1_000;

/// The command that starts this agent again. A registration replaces the one before it, so the command
/// repeats all that the agent has registered, not only what this task asks.
fn start_again(agent: &AgentFacts) -> String {
    let offer = &agent.offer;
    let agent_type = Some(&offer.agent_type).filter(|agent_type| !agent_type.is_empty());
    // The slots of an agent that claims by hand say nothing.
    let slots = (agent.slots > 1 && !agent.is_by_hand)
        .then(|| agent.slots.min(MOST_SLOTS_OF_A_RUNNER).to_string());
    let mut flags = Flags::default();
    flags.add("--agent", [&offer.agent]);
    flags.add("--type", agent_type);
    flags.add("--cap", &offer.capabilities);
    flags.add("--model", &offer.models);
    flags.add("--task-type", &offer.task_types);
    flags.add("--slots", slots.as_ref());
    flags.of_agent_run()
}

/// Flags of a command, each with its value.
#[derive(Default)]
struct Flags(String);

impl Flags {
    fn add<'a>(&mut self, flag: &str, values: impl IntoIterator<Item = &'a String>) {
        for value in values {
            self.0.extend([" ", flag, " ", &quoted(value)]);
        }
    }

    fn of_agent_run(self) -> String {
        format!("workmill agent run{} -- YOUR_COMMAND", self.0)
    }
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
    // A silent agent that was drained comes back as a draining one.
    if agent.status != AgentStatus::Active {
        commands.push(format!("workmill agent activate {}", quoted(name)));
    }
    if agent.is_silent {
        commands.push(start_again(agent));
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
    let checks = facts
        .gate_decisions
        .checks(&facts.candidate(), "", facts.now);
    let closed = checks.into_iter().filter(|check| !check.passes());
    closed
        .filter(|check| !check.ask.gate.is_of_an_agent())
        .filter_map(|check| open(&check.ask.gate, check.seen.capacity.used, check.ask.amount))
        .collect()
}

fn open_a_gate_of_an_agent(facts: &Facts) -> Option<String> {
    let could = facts.agents.iter();
    let mut could = could.filter(|agent| facts.asks.matches(&agent.offer));
    could.find_map(|agent| {
        let candidate = facts.candidate();
        let checks = facts
            .gate_decisions
            .checks(&candidate, &agent.offer.agent, facts.now);
        let mut closed = checks.into_iter().filter(|check| !check.passes());
        let check = closed.find(|check| check.ask.gate.is_of_an_agent())?;
        open(&check.ask.gate, check.seen.capacity.used, check.ask.amount)
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
