//! What people decide: answers, cancellations, dead letters.

use anyhow::Result;
use serde_json::json;
use uuid::Uuid;
use workmill_core::ids::GraphId;
use workmill_store::settlement::answer::Answer;
use workmill_store::settlement::cancel::{CancelGraph, CancelTasks};
use workmill_store::settlement::dead_letters::{Decision, ResolveDeadLetters};

use super::super::step::Step;
use super::Driver;
use super::words::{refused, resolved, state};

impl Driver {
    pub(super) async fn decide(&self, step: &Step) -> Result<Vec<String>> {
        let ns = self.ns;
        Ok(match step {
            Step::Answer(label) => {
                let operation = Answer {
                    ns,
                    task: self.task(*label),
                    answered_by: "model".to_owned(),
                    input: json!("yes"),
                };
                vec![state(self.store.run(&operation).await?.0)]
            }
            Step::Cancel(labels) => {
                let operation = CancelTasks {
                    ns,
                    tasks: labels.iter().map(|label| self.task(*label)).collect(),
                    cancelled_by: "model".to_owned(),
                };
                let answers = self.store.run(&operation).await?.0;
                answers.into_iter().map(state).collect()
            }
            Step::CancelGraph(graph, mode) => {
                let nobody = GraphId(Uuid::nil());
                let operation = CancelGraph {
                    ns,
                    graph: self.graphs.get(graph).copied().unwrap_or(nobody),
                    mode: *mode,
                    cancelled_by: "model".to_owned(),
                };
                let answer = self.store.run(&operation).await?.0;
                vec![answer.map_or_else(refused, |count| count.to_string())]
            }
            Step::Resolve(labels, resolution) => {
                let operation = ResolveDeadLetters {
                    ns,
                    tasks: labels.iter().map(|label| self.task(*label)).collect(),
                    decision: Decision {
                        resolution: *resolution,
                        by: "model",
                        note: None,
                    },
                };
                let answers = self.store.run(&operation).await?.0;
                answers.into_iter().map(resolved).collect()
            }
            other => unreachable!("{other:?} is nobody's decision"),
        })
    }
}
