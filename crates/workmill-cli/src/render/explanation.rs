//! Why a task is not running: one line a condition.

use workmill_protocol::explain::{AgentView, AttemptMatrix, Count, Explanation, Line, Suspect};

use super::{line, plain, table, trimmed};
use crate::paint::Paint;

pub(crate) fn explanation(said: &Explanation) -> String {
    let mut lines = vec![
        format!("{}  {}", said.task, said.status.name()),
        format!("  {}", plain(&said.summary)),
        String::new(),
    ];
    lines.extend(said.conditions.iter().map(|condition| {
        let mark = if condition.met {
            Paint::Green.on("✓")
        } else {
            Paint::Red.on("✗")
        };
        format!("  {mark} {}", plain(&condition.sentence))
    }));
    let mut facts = Vec::new();
    if let Some(position) = &said.position {
        let more = if position.more { "more than " } else { "" };
        let tasks = if position.ahead == 1 { "task" } else { "tasks" };
        let ahead = format!("{more}{} {tasks}", position.ahead);
        facts.push(line("ahead", &ahead));
    }
    if let Some(wait) = &said.wait {
        let seconds = format!("about {} s: {}", wait.seconds, wait.basis);
        facts.push(line("wait", &seconds));
    }
    let counted = &said.priority;
    let parts = format!(
        "{} = base {} − age {} − deadline {} − critical path {}",
        counted.effective, counted.base, counted.age, counted.deadline, counted.critical_path
    );
    facts.push(line("priority", &parts));
    if let Some(claim) = &said.claim {
        let left = claim.expires_in_ms.map(|left| match left {
            left if left < 0 => "; the lease has run out".to_owned(),
            left => format!("; the lease has {} left", super::seconds(left)),
        });
        let ended = claim.outcome.as_ref().map(|how| format!("; {how}"));
        let rest = left.or(ended).unwrap_or_default();
        let who = format!("{} since {}{rest}", claim.agent, claim.claimed_at);
        facts.push(line("claimed", &who));
        facts.push(line("why", &claim.why));
    }
    if let Some(cause) = &said.cause {
        let through = match cause.through.len() {
            0 => String::new(),
            1 => ", through 1 task".to_owned(),
            many => format!(", through {many} tasks"),
        };
        let status = cause.status.name();
        facts.push(line("cause", &format!("{} {status}{through}", cause.task)));
    }
    facts.extend(said.next.iter().map(|next| line("next", next)));
    lines.push(String::new());
    lines.extend(facts);
    lines.extend(said.attempt_matrix.as_ref().map(attempt_matrix));
    let kept: Vec<&AgentView> = said
        .agents
        .items
        .iter()
        .filter(|one| !one.reasons.is_empty())
        .collect();
    if !kept.is_empty()
        && said
            .claim
            .as_ref()
            .is_none_or(|claim| claim.outcome.is_some())
    {
        lines.push("\nagents:".to_owned());
        lines.extend(kept.into_iter().map(agent));
    }
    lines.join("\n")
}

fn attempt_matrix(matrix: &AttemptMatrix) -> String {
    let mut table = table(&[
        "~ agent",
        "~model",
        "~here",
        "elsewhere",
        "~model elsewhere",
    ]);
    for line in &matrix.lines {
        let here = line.here.iter();
        let here = here.map(|one| format!("{} × {}", one.ended, one.times));
        let Line { agent, model, .. } = line;
        table.add_row([
            format!(" {}", plain(agent)),
            plain(model.as_deref().unwrap_or("")),
            plain(&here.collect::<Vec<_>>().join(", ")),
            completed(line.agent_elsewhere),
            line.model_elsewhere.map(completed).unwrap_or_default(),
        ]);
    }
    let suspect = match &matrix.suspect {
        Suspect::Unknown => "cannot be told yet".to_owned(),
        Suspect::Task => "the task".to_owned(),
        Suspect::Agent(name) => format!("the agent `{name}`"),
        Suspect::Model(name) => format!("the model `{name}`"),
        Suspect::Provider(name) => format!("the provider `{name}`"),
    };
    let suspect = line("suspect", &format!("{suspect}: {}", matrix.because));
    format!("\nattempts:\n{}\n{suspect}", trimmed(&table))
}

fn completed(count: Count) -> String {
    match count.completed + count.failed {
        0 => "nothing".to_owned(),
        all => format!("{} of {all} completed", count.completed),
    }
}

fn agent(agent: &AgentView) -> String {
    let reasons: Vec<&str> = agent
        .reasons
        .iter()
        .map(|one| one.sentence.as_str())
        .collect();
    let name = format!("{} ({})", agent.agent, agent.status);
    format!("  {} {}", plain(&name), plain(&reasons.join("; ")))
}

#[cfg(test)]
mod tests {
    use workmill_protocol::explain::Ending;

    use super::*;

    #[test]
    fn the_attempt_matrix_is_a_table_with_the_suspect_below() {
        let line = |agent: &str, model: Option<&str>| Line {
            agent: agent.to_owned(),
            model: model.map(str::to_owned),
            here: vec![Ending {
                ended: "crash".to_owned(),
                times: 2,
            }],
            agent_elsewhere: Count {
                completed: 1,
                failed: 3,
            },
            model_elsewhere: model.map(|_| Count::default()),
        };
        let matrix = AttemptMatrix {
            lines: vec![line("sick", Some("opus")), line("evil\u{1b}[2J", None)],
            elsewhere: None,
            suspect: Suspect::Agent("sick".to_owned()),
            because: "It fails.".to_owned(),
        };
        let text = crate::paint::finished(&attempt_matrix(&matrix), false);
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|row| {
                row.split("  ")
                    .map(str::trim)
                    .filter(|cell| !cell.is_empty())
            })
            .map(Iterator::collect)
            .collect();
        assert_eq!(rows[1], ["attempts:"]);
        let sick = ["sick", "opus", "crash × 2", "1 of 4 completed", "nothing"];
        assert_eq!(rows[3], sick, "{text}");
        assert_eq!(rows[5], ["suspect", "the agent `sick`: It fails."]);
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
