//! Settlement: attempts end, and their agents claim the next tasks if they ask for some; blocked tasks
//! are answered, tasks and graphs are cancelled, dead letters are decided about.

pub mod bulk;
pub mod dead_letters;

use serde_json::Value;
use workmill_core::failure::LARGEST_DETAILS;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::json_look;
use workmill_core::lifecycle::State;
use workmill_core::plain_words::in_plain_words;
use workmill_core::question::LARGEST_QUESTION;
use workmill_core::usage::Usage;
use workmill_store::StoreError;
use workmill_store::beside::beside;
use workmill_store::settlement::adopt::{Adopt, AdoptRefusal};
use workmill_store::settlement::and_claim::{
    NextClaims, SettleAndClaim, SettleRequest, SettledAndClaimed,
};
use workmill_store::settlement::answer::Answer;
use workmill_store::settlement::cancel::{CancelGraph, CancelTasks};
use workmill_store::settlement::{Refusal, Settlement, Settler, Spent};

pub use workmill_store::settlement::and_claim::NextClaim;
pub use workmill_store::settlement::cancel::CancelMode;
pub use workmill_store::settlement::{Ending, Settled, WaitsFor};

use crate::dispatch::{Claimed, check_claim, refused};
use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::Batch;
use crate::intake::limits::{
    MANY_BYTES, check_artifacts, check_delay, check_json, check_no_nul, check_size,
};
use crate::intake::{LONGEST_TITLE, check_text};

/// An ending whose JSON can be stored.
#[derive(Debug)]
pub struct CheckedEnding(Ending);

impl CheckedEnding {
    /// Looks at all JSON of an ending.
    pub fn new(ending: Ending) -> Result<Self, EngineError> {
        check_ending(&ending)?;
        Ok(CheckedEnding(ending))
    }
}

/// Whether looking at the JSON of these endings takes longer than a change of threads. Values are not
/// measured: they count as long.
pub fn is_long<'a>(endings: impl IntoIterator<Item = &'a Ending>) -> bool {
    let bytes = |ending: &Ending| match ending {
        Ending::Complete { output, .. } => output.get().len(),
        Ending::Fail { details, .. } => details.as_ref().map_or(0, |_| MANY_BYTES),
        Ending::Block { question, .. } => question.as_ref().map_or(0, |_| MANY_BYTES),
        Ending::Release | Ending::Expire => 0,
    };
    endings.into_iter().map(bytes).sum::<usize>() >= MANY_BYTES
}

/// An accepted settlement, with the claim that it asked for.
#[derive(Debug)]
pub struct SettledWithClaims {
    pub settled: Settled,
    /// `None` if nothing was to be claimed.
    pub claims: Option<Result<Vec<Claimed>, EngineError>>,
}

impl Engine {
    pub async fn settle(
        &self,
        caller: &Caller,
        lease: LeaseId,
        ending: Ending,
        usage: Usage,
    ) -> Result<Settled, EngineError> {
        let ending = beside(is_long([&ending]), || CheckedEnding::new(ending))?;
        self.settle_checked(caller, lease, ending, usage).await
    }

    /// Settles a lease with an ending that was looked at.
    pub async fn settle_checked(
        &self,
        caller: &Caller,
        lease: LeaseId,
        ending: CheckedEnding,
        usage: Usage,
    ) -> Result<Settled, EngineError> {
        let settled = self.settle_and_claim(caller, lease, ending, usage, None);
        Ok(settled.await?.settled)
    }

    /// Settles a lease and claims the next tasks for its agent in the same transaction.
    pub async fn settle_and_claim(
        &self,
        caller: &Caller,
        lease: LeaseId,
        CheckedEnding(ending): CheckedEnding,
        usage: Usage,
        next: Option<NextClaim>,
    ) -> Result<SettledWithClaims, EngineError> {
        let spent = Spent::reported(self.priced(usage)?);
        // Whether it was told to stop, the store knows.
        if let Ending::Fail { reason, .. } = &ending
            && !reason.may_be_reported(true)
        {
            return Err(EngineError::reserved_reason(*reason));
        }
        let has_output = matches!(ending, Ending::Complete { .. });
        let settler = Settler::Key(caller.key);
        let settlement = Settlement {
            settler,
            lease,
            ending,
            spent,
            random: rand::random(),
        };
        if let Some(next) = &next {
            check_claim("claim.", next.most, next.lease_ms, &next.selection)?;
        }
        let request = SettleRequest { settlement, next };
        let SettledAndClaimed { settled, claims } = self
            .settlements
            .call(&self.shared, caller.ns, request)
            .await?;
        match settled {
            Ok(settled) => Ok(SettledWithClaims {
                settled,
                claims: claims.map(|claims| self.next_claims(claims)),
            }),
            Err(Refusal::TooLate) if !has_output => Err(EngineError::LateReport { lease }),
            Err(refusal) => Err(self.lease_refused(caller, lease, refusal).await),
        }
    }

    /// Counts what a settled lease's agent got and words a refusal.
    fn next_claims(&self, claims: NextClaims) -> Result<Vec<Claimed>, EngineError> {
        let NextClaims { agent, answer } = claims;
        let answer = answer.map_err(|refusal| refused(&agent, refusal));
        self.count_claim(&agent, &answer);
        answer
    }

    pub async fn cancel_task(&self, caller: &Caller, task: TaskId) -> Result<State, EngineError> {
        let operation = CancelTasks {
            ns: caller.ns,
            tasks: vec![task],
            cancelled_by: caller.name.clone(),
        };
        only(task, self.run_by(caller, &operation).await?)
    }

    /// Cancels what is left of a graph; answers how many tasks that were.
    pub async fn cancel_graph(
        &self,
        caller: &Caller,
        graph: GraphId,
        mode: CancelMode,
    ) -> Result<usize, EngineError> {
        let operation = CancelGraph {
            ns: caller.ns,
            graph,
            mode,
            cancelled_by: caller.name.clone(),
        };
        let cancelled = self.run_by(caller, &operation).await?;
        cancelled.map_err(|_| EngineError::NotFound {
            what: graph.to_string(),
        })
    }

    /// Makes a late result the outcome of its task.
    pub async fn adopt(
        &self,
        caller: &Caller,
        task: TaskId,
        epoch: Option<i32>,
        note: Option<&str>,
    ) -> Result<State, EngineError> {
        check_note(note)?;
        let operation = Adopt {
            ns: caller.ns,
            task,
            epoch,
            adopted_by: &caller.name,
            note,
        };
        let adopted = self.run_by(caller, &operation).await?;
        adopted.map_err(|refusal| adoption_refused(task, epoch, refusal))
    }

    pub async fn answer_task(
        &self,
        caller: &Caller,
        task: TaskId,
        input: Value,
    ) -> Result<State, EngineError> {
        check_json("input", Some(&input))?;
        let operation = Answer {
            ns: caller.ns,
            task,
            answered_by: caller.name.clone(),
            input,
        };
        let answered = self.run_by(caller, &operation).await?;
        answered.map_err(|refusal| EngineError::refused_task(task, refusal))
    }
}

fn adoption_refused(task: TaskId, epoch: Option<i32>, refusal: AdoptRefusal) -> EngineError {
    let problem = match (refusal, epoch) {
        (AdoptRefusal::NotFound, _) => {
            let what = task.to_string();
            return EngineError::NotFound { what };
        }
        (AdoptRefusal::Illegal(illegal), _) => {
            return EngineError::IllegalTransition { task, illegal };
        }
        (AdoptRefusal::NoLateResult, Some(epoch)) => {
            format!("attempt {epoch} of {task} has no late result to adopt")
        }
        (AdoptRefusal::NoLateResult, None) => format!("{task} has no late result to adopt"),
        (AdoptRefusal::Several(epochs), _) => {
            let epochs: Vec<String> = epochs.iter().map(ToString::to_string).collect();
            let epochs = epochs.join(", ");
            format!("{task} has several late results; name one of the epochs {epochs}")
        }
    };
    EngineError::Conflict { problem }
}

/// Refuses a note that is longer than a title.
fn check_note(note: Option<&str>) -> Result<(), EngineError> {
    note.map_or(Ok(()), |note| check_text("note", note, LONGEST_TITLE))
}

fn check_ending(ending: &Ending) -> Result<(), EngineError> {
    match ending {
        Ending::Complete { output, artifacts } => {
            json_look::check(output).map_err(|error| {
                EngineError::invalid("output", in_plain_words(&error.to_string()))
            })?;
            check_no_nul("output", output.get())?;
            check_artifacts(artifacts)
        }
        Ending::Fail {
            message,
            details,
            retry_after_ms,
            ..
        } => {
            if message.contains('\0') {
                let problem = "contains the character U+0000";
                return Err(EngineError::invalid("message", problem));
            }
            check_json("details", details.as_ref())?;
            check_size("details", details.as_ref(), LARGEST_DETAILS)?;
            check_delay("retry_after_ms", *retry_after_ms)
        }
        Ending::Block {
            question,
            timeout_ms,
            ..
        } => {
            check_json("question", question.as_ref())?;
            check_size("question", question.as_ref(), LARGEST_QUESTION)?;
            check_delay("timeout_ms", *timeout_ms)
        }
        Ending::Release | Ending::Expire => Ok(()),
    }
}

fn only(task: TaskId, mut answers: Vec<Result<State, Refusal>>) -> Result<State, EngineError> {
    let answer = answers.pop().unwrap_or(Err(Refusal::NotFound));
    answer.map_err(|refusal| EngineError::refused_task(task, refusal))
}

/// Settlements of one namespace, gathered; those with a claim and those without one share batches.
#[derive(Debug)]
pub(crate) struct Settlements;

impl Batch for Settlements {
    type Request = SettleRequest;
    type Answer = SettledAndClaimed;
    const MOST: usize = 500;

    fn only_once(request: &SettleRequest) -> Option<TaskId> {
        Some(request.settlement.lease.task)
    }

    async fn run(
        shared: &Shared,
        ns: Namespace,
        requests: &[SettleRequest],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        shared.run(&SettleAndClaim { ns, requests }).await
    }
}
