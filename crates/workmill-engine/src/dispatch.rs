//! Dispatch: agents register, claim, and wait when there is nothing to claim.

mod agents;

use std::ops::RangeInclusive;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_core::lane::Selection;
use workmill_core::policy::Profile;
use workmill_store::StoreError;
use workmill_store::dispatch::claim::{
    Claim, ClaimAnswer, ClaimRefusal, ClaimRequest as AgentRequest,
};

pub use agents::{AgentChange, AgentDescription, AgentStatus, Registered};
pub use workmill_store::dispatch::claim::{Claimed, DependencyOutput, Reference};

use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::Batch;
use crate::intake::limits::check_words;
use crate::metrics::ClaimOutcome;
use crate::upkeep::lease_reaper;

/// The longest a claim may wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(50);

/// How long leases may be asked for.
const LEASES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);

/// The most tasks handed out in one call.
pub const MOST_CLAIMS: i32 = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    pub agent: String,
    pub most: i32,
    pub start: bool,
    pub wait: Duration,
    /// Asking again with the same id returns what the first call was given.
    pub request_id: Option<Uuid>,
    /// How long its leases last without a sign of life, where that is not for the tasks to say.
    pub lease: Option<Duration>,
    /// Which tasks it wants, of those that the agent matches.
    pub selection: Selection,
}

impl Engine {
    /// Hands out ready tasks; waits for some when there are none and the request allows it.
    pub async fn claim(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
    ) -> Result<Vec<Claimed>, EngineError> {
        let answer = self.claim_or_wait(caller, request).await;
        self.count_claim(&request.agent, &answer);
        answer
    }

    pub(crate) fn count_claim(&self, agent: &str, answer: &Result<Vec<Claimed>, EngineError>) {
        let outcome = match answer {
            Ok(claimed) if claimed.is_empty() => ClaimOutcome::Nothing,
            Ok(_) => ClaimOutcome::Claimed,
            Err(_) => ClaimOutcome::Refused,
        };
        self.shared.metrics.count_claim(agent, outcome);
    }

    async fn claim_or_wait(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
    ) -> Result<Vec<Claimed>, EngineError> {
        check_agent_name("agent", &request.agent)?;
        let lease_ms = request.lease.map(milliseconds);
        check_claim("", request.most, lease_ms, &request.selection)?;
        if request.wait > LONGEST_WAIT {
            let problem = format!("more than {}", LONGEST_WAIT.as_millis());
            return Err(EngineError::invalid("wait_ms", problem));
        }
        if request.wait.is_zero() {
            return self.claim_now(caller, request).await;
        }
        let deadline = Instant::now() + request.wait;
        let claims = &self.shared.waiting_claims;
        let mut waiting = claims.enter(caller.ns, asked(caller, request));
        let mut brought: Option<ClaimAnswer> = None;
        loop {
            let claimed = match brought {
                Some(answer) => answer.map_err(|refusal| refused(&request.agent, refusal))?,
                None => self.claim_now(caller, request).await?,
            };
            waiting.took(claimed.len());
            if !claimed.is_empty() {
                return Ok(claimed);
            }
            let call = waiting.called(self.store().known_lanes(caller.ns));
            let came = timeout_at(deadline, self.closing.run_until_cancelled(call)).await;
            let Ok(Some(answer)) = came else {
                // Whoever is being served at this moment waits for what it gets.
                return match waiting.leave().await {
                    Some(answer) => answer.map_err(|refusal| refused(&request.agent, refusal)),
                    None => self.claim_now(caller, request).await,
                };
            };
            brought = answer;
        }
    }

    async fn claim_now(
        &self,
        caller: &Caller,
        request: &ClaimRequest,
    ) -> Result<Vec<Claimed>, EngineError> {
        self.claims
            .call(&self.shared, caller.ns, asked(caller, request))
            .await?
            .map_err(|refusal| refused(&request.agent, refusal))
    }
}

fn asked(caller: &Caller, request: &ClaimRequest) -> AgentRequest {
    AgentRequest {
        key: caller.key,
        agent: request.agent.clone(),
        most: request.most,
        start: request.start,
        request: request.request_id,
        selection: request.selection.clone(),
        lease_ms: request.lease.map(milliseconds),
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Checks what a claim asks for. `within` names the object of the request that holds its fields.
pub(crate) fn check_claim(
    within: &str,
    most: i32,
    lease_ms: Option<i64>,
    selection: &Selection,
) -> Result<(), EngineError> {
    let at = |field| format!("{within}{field}");
    if !(1..=MOST_CLAIMS).contains(&most) {
        let problem = format!("{most} is not between 1 and {MOST_CLAIMS}");
        return Err(EngineError::invalid(at("max"), problem));
    }
    check_words(&at("task_types"), &selection.task_types)?;
    let (least, longest) = (LEASES.start(), LEASES.end());
    let leases = milliseconds(*least)..=milliseconds(*longest);
    if lease_ms.is_some_and(|lease_ms| !leases.contains(&lease_ms)) {
        let problem = format!("not between {} and {}", least.as_secs(), longest.as_secs());
        return Err(EngineError::invalid(at("lease_sec"), problem));
    }
    Ok(())
}

pub(crate) fn refused(agent: &str, refusal: ClaimRefusal) -> EngineError {
    match refusal {
        ClaimRefusal::UnknownAgent => EngineError::NotFound {
            what: format!("agent `{agent}`"),
        },
        ClaimRefusal::ForeignAgent => EngineError::Forbidden {
            problem: format!("agent `{agent}` was registered by another key"),
        },
        ClaimRefusal::NotActive => EngineError::Conflict {
            problem: format!("agent `{agent}` is draining or offline"),
        },
    }
}

pub(crate) fn check_agent_name(at: &str, name: &str) -> Result<(), EngineError> {
    let is_plain = |letter: char| !letter.is_control();
    if name.trim().is_empty() || name.chars().count() > 200 || !name.chars().all(is_plain) {
        return Err(EngineError::invalid(
            at,
            "1 to 200 characters, none of them a control character",
        ));
    }
    Ok(())
}

/// Claims of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Claims;

impl Batch for Claims {
    type Request = AgentRequest;
    type Answer = Result<Vec<Claimed>, ClaimRefusal>;
    const MOST: usize = 200;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        requests: &[AgentRequest],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        // In this profile a task whose lease has run out counts as open: it is claimed in its turn.
        let claims_planned = |one: &AgentRequest| one.selection.profile == Some(Profile::Task);
        if requests.iter().any(claims_planned) {
            lease_reaper::reap_for_a_claim(shared, ns).await?;
        }
        let mut answers = claim_to_the_end(shared, ns, requests).await?;
        let left = empty(&answers);
        if left.is_empty() || lease_reaper::reap_for_a_claim(shared, ns).await?.reaped == 0 {
            return Ok(answers);
        }
        let again: Vec<AgentRequest> = left.iter().map(|place| requests[*place].clone()).collect();
        let more = claim_to_the_end(shared, ns, &again).await?;
        for (place, answer) in left.into_iter().zip(more) {
            answers[place] = answer;
        }
        Ok(answers)
    }
}

type Answer = <Claims as Batch>::Answer;

/// Where nothing was found, by place.
fn empty(answers: &[Answer]) -> Vec<usize> {
    let is_empty = |answer: &Answer| answer.as_ref().is_ok_and(Vec::is_empty);
    (0..answers.len())
        .filter(|place| is_empty(&answers[*place]))
        .collect()
}

/// Claims, and goes on where gates stopped so much that the look ended before all was seen.
async fn claim_to_the_end(
    shared: &Shared,
    ns: Namespace,
    requests: &[AgentRequest],
) -> Result<Vec<Answer>, StoreError> {
    let (mut answers, mut effects) = shared.store.run(&Claim { ns, requests }).await?;
    shared.take_effect(ns, &mut effects);
    while effects.is_unfinished {
        let left = empty(&answers);
        let again: Vec<AgentRequest> = left.iter().map(|place| requests[*place].clone()).collect();
        if again.is_empty() {
            break;
        }
        let requests = again.as_slice();
        let (more, mut next) = shared.store.run(&Claim { ns, requests }).await?;
        shared.take_effect(ns, &mut next);
        effects = next;
        for (place, answer) in left.into_iter().zip(more) {
            answers[place] = answer;
        }
    }
    Ok(answers)
}
