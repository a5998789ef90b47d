//! What a task itself waits for, before gates and agents come in.

use serde_json::{Value, json};

use super::words::moment;
use super::{Code, Condition, Dependency, Facts, MOST_NAMED};
use crate::dependency::OnDependencyFailure;
use crate::lifecycle::State;

/// Whether it may still come to an agent by itself.
pub(super) const fn is_on_its_way(state: State) -> bool {
    match state {
        State::Created | State::Pending | State::Ready | State::Retrying | State::Blocked => true,
        State::Claimed
        | State::Running
        | State::Validating
        | State::Completed
        | State::DeadLettered
        | State::Cancelled
        | State::Stale => false,
    }
}

pub(super) fn of_the_task(facts: &Facts) -> Vec<Condition> {
    let mut found = Vec::new();
    match facts.state {
        State::Claimed | State::Running | State::Validating => found.push(held(facts)),
        State::Completed | State::Cancelled | State::Stale | State::DeadLettered => {
            found.push(ended(facts));
        }
        State::Created | State::Pending | State::Ready | State::Retrying | State::Blocked => {
            if facts.is_draft || facts.state == State::Created {
                let sentence =
                    "Its graph is a draft: none of its tasks runs until it is submitted.";
                found.push(unmet(Code::GraphSubmitted, sentence, Value::Null));
            }
            if facts.is_draining {
                let sentence = "Its graph is being cancelled: none of its tasks starts any more.";
                found.push(unmet(Code::GraphNotDraining, sentence, Value::Null));
            }
            found.extend(dependencies(facts));
            found.extend(time(facts));
            if facts.state == State::Blocked {
                found.push(answer(facts));
            }
        }
    }
    found
}

fn unmet(code: Code, sentence: impl Into<String>, data: Value) -> Condition {
    Condition {
        code,
        met: false,
        sentence: sentence.into(),
        data,
    }
}

fn held(facts: &Facts) -> Condition {
    let agent = facts.held.as_ref().map(|held| held.agent.as_str());
    let by = facts.held.as_ref().map_or_else(String::new, |held| {
        let how = match facts.state {
            State::Validating => "; it was last held",
            _ => "",
        };
        format!("{how} by `{}`", held.agent)
    });
    let sentence = match facts.state {
        State::Claimed => format!("It is claimed{by}, but not started yet."),
        State::Validating => format!("It is done and being validated{by}."),
        _ => format!("It is being worked on{by}."),
    };
    unmet(Code::NotHeld, sentence, json!({"agent": agent}))
}

fn ended(facts: &Facts) -> Condition {
    let sentence = match (&facts.dead_letter, facts.state) {
        (Some(letter), _) => format!(
            "It is a dead letter since {} ({}: {}): it waits for a decision.",
            moment(letter.since),
            letter.cause,
            letter.reason
        ),
        (None, State::Stale) => "Its deadline passed before it ran.".to_owned(),
        (None, state) => format!("It is {}.", state.name().replace('_', " ")),
    };
    unmet(Code::NotEnded, sentence, json!({"status": facts.state}))
}

fn dependencies(facts: &Facts) -> Option<Condition> {
    if facts.dependencies.is_empty() && facts.unmet == 0 {
        return None;
    }
    let waits_for = |dependency: &&Dependency| {
        !facts
            .rule
            .goes_on(dependency.state, dependency.freed_runners)
    };
    let unmet: Vec<&Dependency> = facts.dependencies.iter().filter(waits_for).collect();
    let named: Vec<String> = unmet
        .iter()
        .take(MOST_NAMED)
        .map(|dependency| format!("{} ({})", dependency.task, dependency.state))
        .collect();
    let met = facts.unmet == 0;
    let sentence = if met {
        match facts.rule {
            OnDependencyFailure::Run => {
                "All its dependencies are completed, or have failed, which does not stop this task."
            }
            OnDependencyFailure::Default
            | OnDependencyFailure::Wait
            | OnDependencyFailure::Cancel => "All its dependencies are completed.",
        }
        .to_owned()
    } else {
        let more = facts.unmet.saturating_sub(named.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("It waits for {}{more}.", named.join(", "))
    };
    let items: Vec<Value> = unmet
        .iter()
        .take(MOST_NAMED)
        .map(|dependency| json!({"task": dependency.task, "status": dependency.state}))
        .collect();
    Some(Condition {
        code: Code::Dependencies,
        met,
        sentence,
        data: json!({"unmet": facts.unmet, "waits_for": items}),
    })
}

/// A time that has come is met when the promoter has seen it, which takes a second at the most.
fn time(facts: &Facts) -> Option<Condition> {
    let is_retry = facts.state == State::Retrying;
    let due = facts.due?;
    if !matches!(
        facts.state,
        State::Pending | State::Retrying | State::Created
    ) {
        return None;
    }
    let code = if is_retry {
        Code::RetryDelay
    } else {
        Code::Due
    };
    let seconds = due.duration_since(facts.now).as_secs().max(0);
    let sentence = match (is_retry, due <= facts.now) {
        (_, true) => "Its time has come: it becomes ready within a second.".to_owned(),
        (true, false) => format!("Its retry is due at {}, in {seconds} s.", moment(due)),
        (false, false) => format!("It is scheduled for {}, in {seconds} s.", moment(due)),
    };
    Some(unmet(
        code,
        sentence,
        json!({"at": due, "in_seconds": seconds}),
    ))
}

fn answer(facts: &Facts) -> Condition {
    let Some(blocked) = &facts.blocked else {
        return unmet(Code::Answer, "It is blocked.", Value::Null);
    };
    let until = blocked.until.map_or_else(String::new, |until| {
        format!("; without it the attempt fails at {}", moment(until))
    });
    let question = match &blocked.question {
        None => String::new(),
        Some(Value::String(text)) => format!(" ({})", shortened(text)),
        Some(other) => format!(" ({})", shortened(&other.to_string())),
    };
    let sentence = format!(
        "It is blocked since {} and waits for {}{question}{until}.",
        moment(blocked.since),
        blocked.waits_for.replace('_', " ")
    );
    let data = json!({
        "waits_for": blocked.waits_for, "question": blocked.question, "since": blocked.since,
        "until": blocked.until,
    });
    unmet(Code::Answer, sentence, data)
}

/// A question in a sentence; the data has the whole of it.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(LONGEST - 1).collect();
    format!("{kept}…")
}
