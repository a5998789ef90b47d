//! A submission for which somebody waits here is handed over as it is taken in.

use std::collections::BTreeMap;

use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::dispatch::claim::ClaimRequest;
use workmill_store::dispatch::hand_over::HandOver;
use workmill_store::intake::submit::Answer;
use workmill_store::intake::{Submission, TaskDraft};
use workmill_store::upkeep::agenda::Ready;

use crate::engine::Shared;
use crate::waiting_claims::InvitedClaim;

/// Those who wait for what a submission brings.
pub(super) fn invite<'a>(
    shared: &'a Shared,
    ns: Namespace,
    submission: &Submission,
) -> Vec<InvitedClaim<'a>> {
    let graph = submission.graph.as_ref();
    if graph.is_some_and(|graph| graph.is_draft) {
        return Vec::new();
    }
    let is_ready = |task: &&TaskDraft| task.depends_on.is_empty() && task.scheduled_for.is_none();
    let (mut ready, mut lanes) = (Ready::new(), BTreeMap::new());
    for task in submission.tasks.iter().filter(is_ready) {
        let lane = task.lane.id();
        *ready.entry(lane).or_default() += 1;
        lanes.entry(lane).or_insert_with(|| task.lane.clone());
    }
    shared.waiting_claims.invite(ns, &ready, &lanes)
}

/// Takes a submission in and brings those who wait what there is for them.
pub(super) async fn serve(
    shared: &Shared,
    ns: Namespace,
    submission: &Submission,
    invited: Vec<InvitedClaim<'_>>,
) -> Result<Answer, StoreError> {
    let requests: Vec<ClaimRequest> = invited.iter().map(|claim| claim.request.clone()).collect();
    let operation = HandOver {
        ns,
        submission,
        requests: &requests,
    };
    let ((entered, claimed), mut effects) = shared.store.run(&operation).await?;
    for (claim, answer) in invited.into_iter().zip(claimed) {
        // Who was not looked for to the end looks on.
        let is_empty = answer.as_ref().is_ok_and(Vec::is_empty);
        if !(is_empty && effects.is_unfinished) {
            claim.bring(answer);
        }
    }
    shared.take_effect(ns, &mut effects);
    Ok(entered)
}
