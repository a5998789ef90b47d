//! How attempts end, as the model sees it.

use workmill_core::agent::AgentStatus;
use workmill_core::attempt::Outcome;
use workmill_core::failure::{self, Reason};
use workmill_core::lane::Offer;
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::money::Micros;
use workmill_core::retry::LEAST_EXCLUSION_MS;
use workmill_core::verdict::{self, Failure, Verdict};

use super::super::step::{Ask, End, Hold, Label};
use super::{Attempt, Lease, Task, World};

/// Why an attempt failed.
pub(super) struct Failed {
    reason: Reason,
    message: String,
    retry_after_ms: Option<i64>,
    said_by_agent: bool,
}

impl Failed {
    fn new(reason: Reason, message: impl Into<String>) -> Failed {
        Failed {
            reason,
            message: message.into(),
            retry_after_ms: None,
            said_by_agent: false,
        }
    }
}

impl World {
    /// Settles, and returns what the agents of the accepted settlements claim.
    pub(super) fn settle_with_claims(
        &mut self,
        endings: &[(Hold, u8, End)],
        most: i32,
        request: u8,
    ) -> Vec<Ask> {
        let mut asks = Vec::new();
        for (hold, key, end) in endings {
            let agent = self.agent_of(*hold);
            let answer = self.settle(*hold, *key, end);
            if let (Ok(_), Some(agent)) = (&answer, agent) {
                asks.push(Ask {
                    agent,
                    key: *key,
                    most,
                    start: true,
                    request: Some(request),
                });
            }
            self.answer.push(answer.unwrap_or_else(|refusal| refusal));
        }
        asks
    }

    /// The agent of a lease, whether it is held or has ended.
    fn agent_of(&self, hold: Hold) -> Option<u8> {
        let running = self.leases.get(&hold).map(|lease| lease.agent);
        let ended = || {
            let mut ended = self.tasks.get(&hold.task)?.ended.iter();
            let past = ended.find(|past| past.epoch == hold.epoch)?;
            Some(past.agent)
        };
        running.or_else(ended)
    }

    pub(super) fn settle(&mut self, hold: Hold, key: u8, end: &End) -> Result<String, String> {
        match self.held_by(hold, key) {
            Err(refusal) if refusal == "LeaseLost" => return self.come_back(hold, key, end),
            Err(refusal) => return Err(refusal),
            Ok(_) => {}
        }
        if !self.tasks[&hold.task].state.is_leased() {
            return self.confirm_stop(hold, end);
        }
        match end {
            End::Complete(output) => {
                let task = self.task(hold.task);
                task.clone().follow(Trigger::SubmitOutput)?;
                task.state = State::Completed;
                task.crashes = 0;
                task.result = Some((hold.epoch, *output));
                self.end(hold, Outcome::Completed, None);
            }
            End::Release => {
                let is_draining = self.is_draining(hold.task);
                let task = self.task(hold.task);
                task.follow(if is_draining {
                    Trigger::Cancel
                } else {
                    Trigger::Release
                })?;
                task.attempts -= 1;
                self.end(hold, Outcome::Released, None);
            }
            End::Block { timeout_ms } => {
                let until = timeout_ms.map(|ms| self.now + ms);
                self.block(hold, until)?;
            }
            End::Fail {
                reason,
                message,
                retry_after_ms,
            } => {
                if !reason.may_be_reported(false) {
                    return Err(format!("ReservedReason({reason:?})"));
                }
                let failed = Failed {
                    retry_after_ms: *retry_after_ms,
                    said_by_agent: true,
                    ..Failed::new(*reason, *message)
                };
                return Ok(self.fail(hold, &failed));
            }
        }
        Ok(self.tasks[&hold.task].state.to_string())
    }

    /// Only what runs can ask. A graph that is being drained starts nothing anew, so nobody waits
    /// for an answer there.
    fn block(&mut self, hold: Hold, until: Option<i64>) -> Result<(), String> {
        let is_draining = self.is_draining(hold.task);
        let task = self.task(hold.task);
        if task.state != State::Running {
            let (from, trigger) = (task.state, Trigger::Block);
            return Err(super::refuse(workmill_core::lifecycle::IllegalTransition {
                from,
                trigger,
            }));
        }
        task.follow(if is_draining {
            Trigger::Cancel
        } else {
            Trigger::Block
        })?;
        task.attempts -= 1;
        task.blocked_until = until;
        self.end(hold, Outcome::Blocked, None);
        Ok(())
    }

    /// The task was cancelled under the attempt; its output is kept and refused.
    fn confirm_stop(&mut self, hold: Hold, end: &End) -> Result<String, String> {
        self.end(hold, Outcome::Cancelled, None);
        let task = self.task(hold.task);
        let state = task.state.to_string();
        if let End::Complete(_) = end {
            let late = super::Late {
                said: end.clone(),
                was_accepted: false,
            };
            task.late.insert(hold.epoch, late);
            return Err("TooLate".to_owned());
        }
        Ok(state)
    }

    fn fail(&mut self, hold: Hold, failed: &Failed) -> String {
        let agent = self.leases[&hold].agent;
        let retry_in_ms = self.apply_failure(hold.task, agent, failed, true);
        self.end(hold, Outcome::Failed, Some(failed));
        let state = self.tasks[&hold.task].state;
        match retry_in_ms {
            Some(ms) => format!("{state} in {ms}"),
            None => state.to_string(),
        }
    }

    /// Another attempt, a person's look or a dead letter.
    fn apply_failure(
        &mut self,
        label: Label,
        agent: u8,
        failed: &Failed,
        is_the_agents_fault: bool,
    ) -> Option<i64> {
        let now = self.now;
        let is_draining = self.is_draining(label);
        let others: Vec<Offer> = self
            .agents
            .iter()
            .filter(|(other, known)| **other != agent && known.status == AgentStatus::Active)
            .map(|(other, _)| self.offer(*other))
            .collect();
        let task = self.tasks.get_mut(&label).expect("it exists");
        task.crashes = if failed.reason.is_expiry() {
            task.crashes + 1
        } else {
            0
        };
        let verdict = task.verdict(agent, failed);
        match verdict {
            Verdict::Retry { .. } | Verdict::Block if is_draining => {
                task.state = State::Cancelled;
                None
            }
            Verdict::Retry {
                after_ms,
                burns_attempt,
            } => {
                task.attempts -= i32::from(!burns_attempt);
                if let Some(lane) = task.fallback() {
                    task.lane = lane;
                }
                let somebody_else = others.iter().any(|offer| task.lane.matches(offer));
                if task.policy.soft_exclusion && somebody_else && is_the_agents_fault {
                    task.shun(agent, now, after_ms);
                }
                task.due = (after_ms > 0).then(|| now + after_ms);
                task.state = if after_ms > 0 {
                    State::Retrying
                } else {
                    State::Ready
                };
                Some(after_ms)
            }
            Verdict::Block => {
                task.state = State::Blocked;
                task.blocked_until = None;
                None
            }
            Verdict::DeadLetter(_) => {
                task.state = State::DeadLettered;
                None
            }
        }
    }

    /// The lease becomes an attempt.
    fn end(&mut self, hold: Hold, outcome: Outcome, failed: Option<&Failed>) {
        let lease = self.leases.remove(&hold).expect("it is held");
        let attempt = ended(hold.epoch, &lease, outcome, failed);
        self.task(hold.task).ended.push(attempt);
    }

    /// Ends what lost its agent, ran too long, or did not stop when it was told to.
    pub(super) fn reap(&mut self) {
        let lost: Vec<(Hold, Failed)> = self
            .leases
            .iter()
            .filter_map(|(hold, lease)| {
                let lease_ms = self.tasks[&hold.task].policy.lease_ms;
                Some((*hold, why_lost(lease, lease_ms, self.now)?))
            })
            .collect();
        for (hold, failed) in lost {
            let answer = if self.tasks[&hold.task].state.is_leased() {
                self.fail(hold, &failed)
            } else {
                self.end(hold, Outcome::Cancelled, None);
                self.tasks[&hold.task].state.to_string()
            };
            self.answer.push(format!("{hold:?} {answer}"));
        }
    }

    /// A question that nobody answers in time fails the attempt that asked it.
    pub(super) fn expire_blocks(&mut self) {
        let now = self.now;
        let late = |task: &Task| {
            let is_over = task.blocked_until.is_some_and(|until| until <= now);
            task.state == State::Blocked && is_over
        };
        let expired: Vec<Label> = self
            .tasks
            .iter()
            .filter(|(_, task)| late(task))
            .map(|(label, _)| *label)
            .collect();
        for label in &expired {
            let task = self.task(*label);
            task.attempts += 1;
            let asker = task.ended.last().expect("somebody asked").clone();
            let failed = Failed::new(Reason::Timeout, "no answer came in time");
            self.apply_failure(*label, asker.agent, &failed, false);
            let waiting = Attempt {
                resumed: asker.resumed + 1,
                outcome: Outcome::Failed,
                reason: Some(failed.reason),
                fingerprint: Some(failure::fingerprint(failed.reason, &failed.message)),
                message: failed.message,
                said_by_agent: false,
                ..asker
            };
            self.task(*label).ended.push(waiting);
        }
        self.answer.push(expired.len().to_string());
    }

    pub(super) fn answer_question(&mut self, label: Label) -> Result<String, String> {
        let task = self.tasks.get_mut(&label).ok_or("NotFound")?;
        task.follow(Trigger::Answer)?;
        task.answers += 1;
        Ok(task.state.to_string())
    }
}

impl Task {
    fn failures(&self) -> impl Iterator<Item = &Attempt> {
        self.ended
            .iter()
            .filter(|past| past.outcome == Outcome::Failed)
    }

    /// Those that count: a dead letter that was revived begins anew.
    fn unforgiven(&self) -> impl Iterator<Item = &Attempt> {
        self.failures().filter(|past| past.epoch > self.forgiven)
    }

    /// The lane it moves to, counting the failure that happens now.
    fn fallback(&self) -> Option<workmill_core::lane::Lane> {
        let failed = i32::try_from(self.failures().count() + 1).expect("few");
        self.asked
            .fallback_lane(self.policy.boost, failed, Micros::ZERO)
    }

    fn verdict(&self, agent: u8, failed: &Failed) -> Verdict {
        let mut agents: Vec<u8> = self.unforgiven().map(|past| past.agent).collect();
        agents.push(agent);
        agents.sort_unstable();
        agents.dedup();
        let failure = Failure {
            reason: failed.reason,
            retry_after_ms: failed.retry_after_ms,
            fingerprint: failure::fingerprint(failed.reason, &failed.message),
        };
        let history = verdict::History {
            attempts: self.attempts,
            failed: i32::try_from(self.unforgiven().count() + 1).expect("few"),
            crashes: self.crashes,
            agents: i32::try_from(agents.len()).expect("few"),
            previous_fingerprint: self.unforgiven().last().and_then(|past| past.fingerprint),
            has_untried_fallback_model: self.fallback().is_some_and(|lane| lane != self.lane),
            spent: workmill_core::money::Micros::ZERO,
        };
        verdict::decide(failure, &self.policy, history, 0.5)
    }

    /// Keeps an agent that failed it away for a while.
    fn shun(&mut self, agent: u8, now: i64, after_ms: i64) {
        if self.shunned_until <= now {
            self.shunned.clear();
        }
        self.shunned.insert(agent);
        let until = now + after_ms.max(LEAST_EXCLUSION_MS);
        self.shunned_until = self.shunned_until.max(until);
    }
}

fn ended(epoch: i32, lease: &Lease, outcome: Outcome, failed: Option<&Failed>) -> Attempt {
    Attempt {
        epoch,
        resumed: lease.resumed,
        agent: lease.agent,
        outcome,
        reason: failed.map(|failed| failed.reason),
        message: failed.map_or_else(String::new, |failed| failed.message.clone()),
        said_by_agent: failed.is_some_and(|failed| failed.said_by_agent),
        fingerprint: failed.map(|failed| failure::fingerprint(failed.reason, &failed.message)),
        started: lease.started,
    }
}

fn why_lost(lease: &Lease, lease_ms: i64, now: i64) -> Option<Failed> {
    let told = || Failed::new(Reason::DeadlineExceeded, "the deadline passed while it ran");
    if lease.stopped.is_some_and(|since| now - since >= lease_ms) {
        return Some(told());
    }
    if let (Some(started), Some(most)) = (lease.started, lease.max_duration_ms)
        && now - started >= most
    {
        return Some(Failed::new(
            Reason::Timeout,
            format!("ran longer than {} s", in_seconds(most)),
        ));
    }
    if now - lease.renewed < lease.ttl_ms {
        return None;
    }
    if lease.stopped.is_some() {
        return Some(told());
    }
    let ttl_ms = lease.ttl_ms;
    Some(match lease.started {
        None => Failed::new(
            Reason::ClaimExpired,
            format!("not started within {} s", in_seconds(ttl_ms)),
        ),
        Some(_) => Failed::new(
            Reason::HeartbeatTimeout,
            format!("no heartbeat for {} s", in_seconds(ttl_ms)),
        ),
    })
}

#[expect(clippy::cast_precision_loss, reason = "they are small")]
fn in_seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}
