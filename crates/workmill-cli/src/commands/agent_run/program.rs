//! Which program is started for a task, with which arguments, and how its output is read.

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Result;
use serde_json::value::RawValue;
use workmill_core::money::Micros;
use workmill_protocol::claims::ClaimedTask;
use workmill_protocol::leases::Usage;
use workmill_sdk::worker::Failure;

use super::kept::{Kept, Part};
use super::process::Launch;
use super::{preset, prompt};
use crate::arguments::{AgentRunArguments, Preset};
use crate::exit::Exit;

#[derive(Debug)]
pub(super) struct Program {
    preset: Option<Preset>,
    name: OsString,
    arguments: Vec<OsString>,
    /// Those that the agent can use; none: all.
    models: Vec<String>,
}

/// What the output says, where a tool says more than its result.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) output: Option<Box<RawValue>>,
    pub(super) usage: Option<Usage>,
    pub(super) failure: Option<Failure>,
}

/// What a tool may use for a task.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Allowance {
    /// The preferred one first.
    pub(super) models: Vec<String>,
    pub(super) budget: Option<Micros>,
}

impl Program {
    /// Looks whether it is there: otherwise each task would fail for want of it.
    pub(super) fn find(arguments: &AgentRunArguments) -> Result<Self> {
        let mut words = arguments.command.iter().cloned();
        let program = match arguments.preset {
            Some(preset) => preset::program(preset).into(),
            None => from_any_folder(words.next().unwrap_or_default())?,
        };
        if !is_there(&program) {
            let name = program.display();
            let problem = format!("there is no program `{name}` that can be run");
            return Err(Exit::NotFound.because(problem));
        }
        Ok(Program {
            preset: arguments.preset,
            name: program,
            arguments: words.collect(),
            models: arguments.models.clone(),
        })
    }

    pub(super) fn launch(&self, claim: &ClaimedTask) -> serde_json::Result<Launch> {
        let mut launch = Launch {
            program: self.name.clone(),
            arguments: self.arguments.clone(),
            input: Vec::new(),
            keeps: Part::Beginning,
        };
        match self.preset {
            None => launch.input = serde_json::to_vec(claim)?,
            Some(tool) => {
                launch.arguments = preset::arguments(tool, &self.allowance(claim), &self.arguments);
                launch.input = prompt::of(claim).into_bytes();
                // They say the result last.
                launch.keeps = Part::End;
            }
        }
        Ok(launch)
    }

    pub(super) fn read(&self, output: &Kept, complaints: &Kept, claim: &ClaimedTask) -> Reading {
        let Some(tool) = self.preset else {
            return Reading::default();
        };
        let models = self.allowance(claim).models;
        let model = models.first().map(String::as_str);
        preset::read(tool, &output.text(), &complaints.text(), model)
    }

    fn allowance(&self, claim: &ClaimedTask) -> Allowance {
        let asked = &claim.context.models;
        let can_use = |model: &&String| self.models.is_empty() || self.models.contains(model);
        let mut models: Vec<String> = asked.iter().filter(can_use).cloned().collect();
        if models.is_empty() {
            models.clone_from(&self.models);
        }
        let constraints = &claim.task.asked.spec.constraints;
        let attempts = claim.context.earlier_attempts.iter();
        let costs = attempts.map(|attempt| Micros::from_dollars(attempt.cost_usd));
        let spent: i64 = costs.flatten().map(|Micros(cost)| cost).sum();
        let left = |Micros(most): Micros| Micros((most - spent).max(0));
        Allowance {
            models,
            budget: constraints.max_cost_usd.map(left),
        }
    }
}

/// A command may be started in another folder than this.
fn from_any_folder(program: OsString) -> std::io::Result<OsString> {
    if Path::new(&program).components().count() < 2 {
        return Ok(program);
    }
    std::path::absolute(program).map(Into::into)
}

fn is_there(program: &OsStr) -> bool {
    if Path::new(program).components().count() > 1 {
        return can_be_run(Path::new(program));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| can_be_run(&folder.join(program)))
}

fn can_be_run(path: &Path) -> bool {
    let is_for_somebody = |file: Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(is_for_somebody)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use workmill_sdk::worker::testkit::TestTask;

    use super::*;

    fn allowed(own: &[&str], asked: &[&str]) -> Vec<String> {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let program = Program {
            preset: Some(Preset::Claude),
            name: "claude".into(),
            arguments: Vec::new(),
            models: names(own),
        };
        let mut task = TestTask::with_prompt("");
        task.claim().context.models = names(asked);
        program.allowance(task.claim()).models
    }

    #[test]
    fn the_models_are_those_asked_for_as_far_as_the_agent_has_them() {
        assert_eq!(allowed(&[], &["a", "b"]), ["a", "b"]);
        assert_eq!(allowed(&["b", "c"], &["a", "b"]), ["b"]);
        assert_eq!(allowed(&["c", "d"], &[]), ["c", "d"], "its own");
        assert!(allowed(&[], &[]).is_empty(), "as the tool likes");
    }

    #[test]
    fn what_earlier_attempts_have_cost_is_not_there_any_more() {
        let program = Program {
            preset: Some(Preset::Claude),
            name: "claude".into(),
            arguments: Vec::new(),
            models: Vec::new(),
        };
        let mut task = TestTask::with_prompt("");
        let claim = task.claim();
        assert_eq!(program.allowance(claim).budget, None);
        claim.task.asked.spec.constraints.max_cost_usd = Some(Micros(2_500_000));
        for _ in 0..3 {
            let attempt = json!({
                "epoch": 1, "agent": "a", "outcome": "failed", "cost_usd": 0.7,
                "claimed_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T00:00:01Z",
                "duration_sec": 1.0,
            });
            let attempt = serde_json::from_value(attempt).unwrap();
            claim.context.earlier_attempts.push(attempt);
        }
        let left = program.allowance(claim).budget.unwrap();
        assert_eq!(left.dollars().to_string(), "0.4", "to the cent");
        claim.task.asked.spec.constraints.max_cost_usd = Some(Micros(1_000_000));
        assert_eq!(program.allowance(claim).budget, Some(Micros::ZERO));
    }
}
