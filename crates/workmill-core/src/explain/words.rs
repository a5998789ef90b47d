//! Sentences for people.

use jiff::Timestamp;

use super::{Claim, Code, Condition, Facts, Held, Position};
use crate::lifecycle::State;

/// To the second: nobody reads further.
pub(super) fn moment(at: Timestamp) -> String {
    let seconds = Timestamp::from_second(at.as_second()).unwrap_or(at);
    seconds.to_string()
}

pub(super) fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

pub(super) fn summary(
    facts: &Facts,
    conditions: &[Condition],
    claimable_by: &[String],
    position: Option<&Position>,
) -> String {
    let mut unmet = conditions.iter().filter(|condition| !condition.met);
    let Some(first) = unmet.next() else {
        let ahead = position.map_or(0, |position| position.ahead);
        let more = position.is_some_and(|position| position.more);
        let who = match claimable_by {
            [] => return format!("It is {}.", facts.state),
            [one] => format!("`{one}`"),
            [one, rest @ ..] => format!("`{one}` and {} more", rest.len()),
        };
        return match ahead {
            0 => format!("Nothing holds it back: it is next when {who} claims."),
            _ if more => format!("It waits for its turn: more than {ahead} tasks are ahead of it."),
            1 => format!("It waits for its turn: 1 task is ahead of it for {who}."),
            many => format!("It waits for its turn: {many} tasks are ahead of it for {who}."),
        };
    };
    match unmet.count() {
        0 => first.sentence.clone(),
        more => format!("{} ({more} more below)", first.sentence),
    }
}

/// Nothing is written down at a claim but who and when: the rest follows from it.
pub(super) fn claim(facts: &Facts, held: &Held) -> Claim {
    let effective = facts.urgency.composition(held.claimed_at).effective();
    let why = format!(
        "`{}` asked for work at {}, meets all that the task asks, and nothing that it could take was \
         better ranked than {}.",
        held.agent,
        moment(held.claimed_at),
        super::points(effective),
    );
    let stop = held
        .stop
        .as_ref()
        .map(|stop| format!(" It was told to stop: {stop}."));
    let expires_in = held
        .expires_at
        .map(|at| at.duration_since(facts.now).as_millis());
    Claim {
        agent: held.agent.clone(),
        epoch: held.epoch,
        claimed_at: held.claimed_at,
        started_at: held.started_at,
        expires_in_ms: expires_in.map(|left| i64::try_from(left).unwrap_or(i64::MAX)),
        outcome: held.outcome.clone(),
        why: format!("{why}{}", stop.unwrap_or_default()),
    }
}

/// What can be done, and by which call.
pub(super) fn next(facts: &Facts, conditions: &[Condition]) -> Vec<String> {
    let mut next: Vec<String> = Vec::new();
    let mut say = |text: &str| next.push(text.to_owned());
    match facts.state {
        State::DeadLettered => {
            say(
                "retry it, change it and retry it, or cancel it: POST /v1/dead-letters/{task}/resolve",
            );
        }
        State::Blocked => say("answer it: POST /v1/tasks/{id}/answer"),
        State::Created => say("submit its graph: POST /v1/graphs/{id}/submit"),
        State::Stale => say("submit it again with a later deadline"),
        State::Cancelled => say("submit it again"),
        State::Claimed | State::Running | State::Validating => {
            say("wait for it, or cancel it: POST /v1/tasks/{id}/cancel");
        }
        State::Completed | State::Pending | State::Ready | State::Retrying => {}
    }
    for condition in conditions.iter().filter(|condition| !condition.met) {
        match condition.code {
            Code::AgentExists => say("register an agent that meets what it asks, or edit the task"),
            Code::AgentAvailable => say("bring one of the agents that could back"),
            Code::Pause => say("resume what is paused"),
            Code::Limit => say("wait until one ends, or raise the limit"),
            Code::Budget => say("raise the budget"),
            Code::Lock => say("wait until the lock is free"),
            Code::NotEnded
            | Code::NotHeld
            | Code::GraphSubmitted
            | Code::GraphNotDraining
            | Code::Dependencies
            | Code::Due
            | Code::RetryDelay
            | Code::Answer
            | Code::AgentNotExcluded
            | Code::AgentSlot
            | Code::AgentGate
            | Code::LockReservation
            | Code::InLane => {}
        }
    }
    next.dedup();
    next
}
