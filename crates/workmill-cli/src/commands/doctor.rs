//! `workmill doctor`: what is wrong with this set-up, and what to do about it.
//!
//! It only looks: nothing is started, written or changed.

mod database;
mod finding;
mod folder;
mod private_cluster;
mod programs;
mod server;

use anyhow::Result;
use serde_json::json;

use crate::context::CommandContext;
use crate::exit::Exit;

use finding::{Finding, Level};
use private_cluster::PrivateCluster;

pub(crate) async fn run(context: &CommandContext) -> Result<Exit> {
    let configuration = &context.configuration;
    let folder = configuration.data_folder(None);
    let mut findings = Vec::new();
    let mut is_reachable = true;
    if let Some(url) = &configuration.database_url {
        is_reachable = database::examine(url, &mut findings).await;
    } else {
        findings.push(programs::examine());
        folder::examine(&folder, &mut findings);
        match private_cluster::look(&folder) {
            PrivateCluster::Runs { url } => {
                is_reachable = database::examine(&url, &mut findings).await;
            }
            PrivateCluster::Rests(finding) => findings.push(finding),
        }
    }
    findings.push(server::examine(configuration).await);

    let problems = findings
        .iter()
        .filter(|finding| finding.level == Level::Problem)
        .count();
    let answer = json!({ "ok": problems == 0, "findings": findings });
    context
        .output
        .answer(&answer, |_| for_people(&findings, problems))?;
    Ok(match (is_reachable, problems) {
        (false, _) => Exit::Unreachable,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Error,
    })
}

fn for_people(findings: &[Finding], problems: usize) -> String {
    let mut lines: Vec<String> = findings.iter().map(Finding::for_people).collect();
    lines.push(match problems {
        0 => "\nNo problem found.".to_owned(),
        1 => "\n1 problem found.".to_owned(),
        several => format!("\n{several} problems found."),
    });
    lines.join("\n")
}
