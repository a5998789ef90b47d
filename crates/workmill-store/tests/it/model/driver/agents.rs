//! What agents do: register, claim, start and show signs of life.

use anyhow::Result;
use serde_json::json;
use uuid::Uuid;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::ids::LeaseId;
use workmill_core::json_text::JsonText;
use workmill_store::dispatch::agents::{AgentChange, ChangeAgent, RegisterAgent};
use workmill_store::dispatch::claim::{Claim, ClaimAnswer, ClaimRequest, Claimed};
use workmill_store::execution::{Beat, Heartbeat, Start};

use super::super::step::{Ask, Hold, Step};
use super::super::world::{agent_name, input_state};
use super::words::alive;
use super::{Driver, key};

impl Driver {
    pub(super) async fn set_agent(&self, step: &Step) -> Result<String> {
        let ns = self.ns;
        Ok(match step {
            Step::Register {
                agent,
                key: number,
                slots,
                capabilities,
                models,
            } => {
                let registration = RegisterAgent {
                    ns,
                    key: key(*number),
                    agent: &agent_name(*agent),
                    agent_type: "",
                    capabilities: capabilities.iter().map(ToString::to_string).collect(),
                    models: models.iter().map(ToString::to_string).collect(),
                    slots: *slots,
                    poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
                    task_types: Vec::new(),
                    is_by_hand: false,
                    claim_ttl_ms: None,
                };
                match self.store.run(&registration).await?.0 {
                    Ok(registered) => registered.status.to_string(),
                    Err(refusal) => format!("{refusal:?}"),
                }
            }
            Step::SetStatus(agent, status) => {
                let operation = ChangeAgent {
                    ns,
                    agent: &agent_name(*agent),
                    change: AgentChange {
                        status: Some(*status),
                        ..AgentChange::default()
                    },
                    changed_by: "test",
                };
                self.store.run(&operation).await?.0.is_ok().to_string()
            }
            other => unreachable!("{other:?} is not about an agent"),
        })
    }

    pub(super) async fn start(&self, holds: &[(Hold, u8)]) -> Result<Vec<String>> {
        let leases: Vec<(Uuid, LeaseId)> = holds
            .iter()
            .map(|(hold, by)| (key(*by), self.lease(*hold)))
            .collect();
        let operation = Start {
            ns: self.ns,
            leases: &leases,
        };
        let answers = self.store.run(&operation).await?.0;
        Ok(answers.into_iter().map(alive).collect())
    }

    pub(super) async fn heartbeat(&self, beats: &[(Hold, u8, Option<u8>)]) -> Result<Vec<String>> {
        let beats: Vec<Beat> = beats
            .iter()
            .map(|(hold, by, checkpoint)| Beat {
                key: key(*by),
                lease: self.lease(*hold),
                progress: checkpoint.map(|checkpoint| json!(checkpoint).into()),
                checkpoint: checkpoint.map(|checkpoint| json!(checkpoint).into()),
                usage: None,
            })
            .collect();
        let operation = Heartbeat {
            ns: self.ns,
            beats: &beats,
        };
        let answers = self.store.run(&operation).await?.0;
        Ok(answers.into_iter().map(alive).collect())
    }

    pub(super) async fn claim(&self, asks: &[Ask]) -> Result<Vec<String>> {
        let requests: Vec<ClaimRequest> = asks
            .iter()
            .map(|ask| ClaimRequest {
                key: key(ask.key),
                agent: agent_name(ask.agent),
                most: ask.most,
                start: ask.start,
                request: ask.request.map(|request| Uuid::from_u128(request.into())),
                selection: workmill_core::lane::Selection::default(),
                lease_ms: None,
            })
            .collect();
        let operation = Claim {
            ns: self.ns,
            requests: &requests,
        };
        let answers = self.store.run(&operation).await?.0;
        let told = answers.into_iter().map(|answer| self.claimed(answer));
        Ok(told.collect())
    }

    pub(super) fn claimed(&self, answer: ClaimAnswer) -> String {
        match answer {
            Err(refusal) => format!("{refusal:?}"),
            Ok(claimed) => {
                let told: Vec<String> = claimed.iter().map(|one| self.describe(one)).collect();
                told.join("; ")
            }
        }
    }

    fn describe(&self, claimed: &Claimed) -> String {
        let inputs: Vec<String> = claimed
            .dependencies
            .iter()
            .map(|input| {
                let output = input.output.as_ref().and_then(number);
                let state = input_state(input.state);
                format!("t{} {state} {output:?}", self.label(input.task))
            })
            .collect();
        let checkpoint = claimed.checkpoint.as_ref();
        let checkpoint = checkpoint.and_then(number);
        format!(
            "t{}#{} {} attempt {} ttl {} models {:?} inputs {inputs:?} past {} checkpoint {checkpoint:?} answers {}",
            self.label(claimed.lease.task),
            claimed.lease.epoch,
            claimed.state,
            claimed.attempt,
            claimed.ttl_ms,
            claimed.models,
            claimed.earlier_attempts.len(),
            claimed.answers.len(),
        )
    }
}

fn number(text: &JsonText) -> Option<u64> {
    text.value().as_u64()
}
