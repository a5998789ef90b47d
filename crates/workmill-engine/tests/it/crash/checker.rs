//! Whether what the clients were told is what the database holds.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_testkit::history::History;

use super::acknowledged::{Acknowledged, Claim, number_of};
use super::stored::{Fact, Stored};
use super::story;
use super::wire::Ending;

/// What cannot be true.
pub fn check(history: &History, told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let facts: Vec<Value> = stored.events.iter().map(|one| one.fact.clone()).collect();
    // Nobody is there to decide about dead letters.
    let is_end = |state: State| state.is_finished() || state == State::DeadLettered;
    let mut found = history.check(&stored.rows, &told.submitted, &facts, is_end);
    found.extend(told.strange.iter().cloned());
    found.extend(check_tasks(told, stored));
    found.extend(check_endings(told, stored));
    found.extend(check_attempts_under_way(told, stored));
    found.extend(check_checkpoints(told, stored));
    found.extend(check_leases_of_nobody(told, stored));
    found.extend(story::check(stored));
    found
}

/// Claims that asking again found to have been committed.
pub fn claims_found(told: &Acknowledged, stored: &Stored) -> usize {
    found_again(told, stored).count()
}

/// Claims whose leases are dated before the last time of asking.
fn found_again<'a>(told: &'a Acknowledged, stored: &Stored) -> impl Iterator<Item = &'a Claim> {
    let claimed_at: BTreeMap<LeaseId, Timestamp> = claimed(stored)
        .into_iter()
        .map(|(lease, fact)| (lease, fact.at))
        .collect();
    told.claims.iter().filter(move |claim| {
        let mut leases = claim
            .leases
            .iter()
            .filter_map(|lease| claimed_at.get(lease));
        leases.any(|at| *at < claim.last_asked_at)
    })
}

fn claimed(stored: &Stored) -> BTreeMap<LeaseId, &Fact> {
    let claims = stored.events.iter().filter(|fact| fact.is("task.claimed"));
    claims
        .filter_map(|fact| Some((fact.lease()?, fact)))
        .collect()
}

/// A submission that was repeated has made its tasks once.
fn check_tasks(told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let tasks = stored.rows.states.keys();
    tasks
        .filter(|task| !told.submitted.contains_key(task))
        .map(|task| format!("{task} is there and nobody was told"))
        .collect()
}

/// What is stored of an attempt is what its agent said.
fn is_stored(stored: &Stored, lease: LeaseId, ending: &Ending) -> bool {
    let mut attempts = stored.attempts.get(&lease).into_iter().flatten();
    match ending {
        Ending::Complete { output } => stored.outputs.get(&lease.task) == Some(output),
        Ending::Fail { message, .. } => attempts.any(|one| one.message.as_ref() == Some(message)),
        Ending::Release => attempts.any(|one| one.outcome == "released"),
    }
}

/// What was acknowledged is stored as it was said, and what was refused is not.
fn check_endings(told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let mut found = Vec::new();
    for (lease, ending) in &told.endings {
        if !is_stored(stored, *lease, ending) {
            found.push(format!("acknowledged, not stored: {lease} {ending:?}"));
        }
    }
    for (lease, ending) in &told.refused {
        if is_stored(stored, *lease, ending) {
            found.push(format!("refused, and stored: {lease} {ending:?}"));
        }
    }
    found
}

/// Claims and starts that were acknowledged have happened.
fn check_attempts_under_way(told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let mut found = Vec::new();
    let claimed = claimed(stored);
    for claim in &told.claims {
        for lease in &claim.leases {
            if claimed
                .get(lease)
                .is_none_or(|fact| fact.agent() != claim.agent)
            {
                found.push(format!(
                    "acknowledged, not claimed: {lease} {}",
                    claim.agent
                ));
            }
        }
    }
    for claim in found_again(told, stored).filter(|claim| !claim.was_in_doubt) {
        found.push(format!("said not to be done, and done: {claim:?}"));
    }
    let started = stored.events.iter().filter(|fact| fact.is("task.started"));
    let started: BTreeSet<LeaseId> = started.filter_map(Fact::lease).collect();
    for lease in &told.starts {
        if !started.contains(lease) {
            found.push(format!("acknowledged, not started: {lease}"));
        }
    }
    found
}

/// The checkpoint of a task is the last one that was acknowledged, or a later one.
fn check_checkpoints(told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let mut found = Vec::new();
    for (lease, checkpoint) in &told.checkpoints {
        let is_kept = stored
            .checkpoints
            .get(&lease.task)
            .is_some_and(|(last, data)| {
                last.epoch > lease.epoch
                    || (last == lease && number_of(data) >= number_of(checkpoint))
            });
        if !is_kept {
            let last = stored.checkpoints.get(&lease.task);
            found.push(format!(
                "acknowledged, not kept: {checkpoint}, but {last:?}"
            ));
        }
    }
    found
}

/// A lease that no agent heard of was given in a claim whose answer was lost. While it lasts,
/// asking again finds it; so it had ended before the repeated claim was answered.
fn check_leases_of_nobody(told: &Acknowledged, stored: &Stored) -> Vec<String> {
    let heard: BTreeSet<&LeaseId> = told.claims.iter().flat_map(|one| &one.leases).collect();
    let claimed = claimed(stored);
    let unheard = claimed.iter().filter(|(lease, _)| !heard.contains(lease));
    let mut found = Vec::new();
    for (lease, fact) in unheard {
        let asked = told.claims.iter().find(|claim| {
            claim.agent == fact.agent() && claim.asked_at <= fact.at && fact.at <= claim.answered_at
        });
        let attempts = stored.attempts.get(lease);
        let ended_at = attempts.and_then(|attempts| Some(attempts.first()?.ended_at));
        match (asked, ended_at) {
            (None, _) => found.push(format!("nobody had asked for {lease}: {fact:?}")),
            (Some(claim), Some(ended_at)) if ended_at <= claim.answered_at => {}
            (Some(claim), _) => found.push(format!("kept from who asked: {lease}: {claim:?}")),
        }
    }
    found
}
