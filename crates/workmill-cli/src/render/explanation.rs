//! Why a task is not running: one line a condition.

use workmill_protocol::explain::{AgentView, Explanation};

use super::{line, plain};

pub(crate) fn explanation(said: &Explanation) -> String {
    let mut lines = vec![
        format!("{}  {}", said.task, said.status.name()),
        format!("  {}", plain(&said.summary)),
        String::new(),
    ];
    lines.extend(said.conditions.iter().map(|condition| {
        let mark = if condition.met { '✓' } else { '✗' };
        format!("  {mark} {}", plain(&condition.sentence))
    }));
    let mut facts = Vec::new();
    if let Some(position) = &said.position {
        let more = if position.more { "more than " } else { "" };
        facts.push(line("ahead", &format!("{more}{} tasks", position.ahead)));
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
    facts.extend(said.next.iter().map(|next| line("next", next)));
    lines.push(String::new());
    lines.extend(facts);
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

fn agent(agent: &AgentView) -> String {
    let reasons: Vec<&str> = agent
        .reasons
        .iter()
        .map(|one| one.sentence.as_str())
        .collect();
    let name = format!("{} ({})", agent.agent, agent.status);
    format!("  {} {}", plain(&name), plain(&reasons.join("; ")))
}
