//! Sentences for people.

use jiff::Timestamp;

use super::{Claim, Code, Condition, Explanation, Facts, Held, Position};

/// To the second: nobody reads further.
pub(super) fn moment(at: Timestamp) -> String {
    let seconds = Timestamp::from_second(at.as_second()).unwrap_or(at);
    seconds.to_string()
}

pub(super) fn list(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// A number with its noun: `1 task`, `2 tasks`.
pub(super) fn counted(number: i64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

pub(super) fn summary(
    facts: &Facts,
    conditions: &[Condition],
    claimable_by: &[String],
    position: Option<&Position>,
    cause: Option<&Explanation>,
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
    let more = match unmet.count() {
        0 => String::new(),
        more => format!(" ({more} more below)"),
    };
    match (first.code, cause) {
        (Code::Dependencies, Some(cause)) => {
            // Without the number of its other conditions: the ones below are those of this task.
            let mut unmet = cause.conditions.iter().filter(|condition| !condition.met);
            let why = unmet.next().map(|condition| &condition.sentence);
            let (task, why) = (cause.task, why.unwrap_or(&cause.summary));
            format!("It waits for other tasks. The cause is {task}: {why}{more}")
        }
        _ => format!("{}{more}", first.sentence),
    }
}

/// Nothing is written down at a claim but who and when: the rest follows from it.
pub(super) fn claim(facts: &Facts, held: &Held) -> Claim {
    let effective = facts.urgency.composition(held.claimed_at).effective();
    let why = format!(
        "`{}` asked for work at {}, meets all requirements of the task, and no task that it could \
         take was better ranked than {}.",
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
