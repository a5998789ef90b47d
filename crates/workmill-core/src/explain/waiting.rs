//! Where a task stands, and how long it is likely to wait.

use super::words::counted;
use super::{
    AgentCode, AgentView, Code, Condition, Facts, MOST_COUNTED, MOST_NAMED, Position, Wait,
};
use crate::lifecycle::State;

/// Better ranked at their effective value, in the lanes of all agents that could run it. What nobody
/// could run competes with nothing.
pub(super) fn position(facts: &Facts) -> Option<Position> {
    let mut agents = facts.agents.iter();
    let ahead = facts.ahead.as_ref()?;
    agents.find(|agent| facts.asks.matches(&agent.offer))?;
    Some(Position {
        ahead: ahead.count.min(MOST_COUNTED),
        more: ahead.count > MOST_COUNTED,
        first: ahead.first.iter().take(MOST_NAMED).copied().collect(),
    })
}

/// Reckoned only where nothing but its turn is missing: how long a limit, a budget or a person takes
/// is anybody's guess.
pub(super) fn wait(facts: &Facts, agents: &[AgentView], conditions: &[Condition]) -> Option<Wait> {
    if facts.state != State::Ready {
        return None;
    }
    let is_its_turn = |condition: &&Condition| condition.code == Code::AgentSlot;
    let mut missing = conditions.iter().filter(|condition| !condition.met);
    if !missing.all(|condition| is_its_turn(&condition)) {
        return None;
    }
    let ahead = i64::try_from(facts.ahead.as_ref()?.count).unwrap_or(i64::MAX);
    let (mut slots, mut free) = (0_i64, 0_i64);
    for (agent, view) in facts.agents.iter().zip(agents) {
        let takes = |reason: &super::AgentReason| reason.code == AgentCode::NoFreeSlot;
        // An agent that claims by hand takes what its user asks for, whenever that is.
        if view.could && !agent.is_by_hand && view.reasons.iter().all(takes) {
            slots += i64::from(agent.slots);
            free += i64::from((agent.slots - agent.leases).max(0));
        }
    }
    if slots == 0 {
        return None;
    }
    if ahead < free {
        let are = |number| if number == 1 { "is" } else { "are" };
        let basis = format!(
            "{} {} free and {} {} ahead: at the next claim",
            counted(free, "slot"),
            are(free),
            counted(ahead, "task"),
            are(ahead),
        );
        return Some(Wait { seconds: 0, basis });
    }
    let (each_ms, of) = usual_duration(facts)?;
    let turns = ahead - free + 1;
    let seconds = turns.saturating_mul(each_ms) / slots / 1000;
    let more = if facts.ahead.as_ref()?.count > MOST_COUNTED {
        "more than "
    } else {
        ""
    };
    let basis = format!(
        "{more}{} ahead, {free} of {slots} slots free among the matching agents, and {} s a task, \
         {of}",
        counted(
            ahead.min(i64::try_from(MOST_COUNTED).unwrap_or(i64::MAX)),
            "task"
        ),
        each_ms / 1000,
    );
    Some(Wait { seconds, basis })
}

/// How long a task takes, and how that is known.
fn usual_duration(facts: &Facts) -> Option<(i64, String)> {
    let mean = |of_type: bool| -> Option<(i64, usize)> {
        let ran: Vec<i64> = facts
            .recent
            .iter()
            .filter(|recent| !of_type || recent.task_type == facts.admission.task_type)
            .map(|recent| recent.ran_ms)
            .collect();
        let many = i64::try_from(ran.len()).ok().filter(|many| *many > 0)?;
        Some((ran.iter().sum::<i64>() / many, ran.len()))
    };
    if let Some((ms, many)) = mean(true) {
        let task_type = &facts.admission.task_type;
        let of = format!("the mean of the last {many} completed of type `{task_type}`");
        return Some((ms, of));
    }
    if let Some(ms) = facts.admission.estimate_ms {
        return Some((ms, "its own estimate".to_owned()));
    }
    let (ms, many) = mean(false)?;
    Some((
        ms,
        format!("the mean of the last {many} completed of any type"),
    ))
}
