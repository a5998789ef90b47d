//! Agents that claim, start, show signs of life, complete, fail, release and forget, and come
//! back to what they forgot.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;
use workmill_testkit::chance::Chance;

use super::acknowledged::Claim;
use super::client::{Client, Stage};
use super::submitters::spawn_once;
use super::wire::{Answer, Call, Claimed, Ending};

pub const AGENTS: u64 = 10;
pub const SLOTS: i32 = 3;

/// One agent, until everybody goes home.
pub async fn live(stage: Arc<Stage>, number: u64, seed: u64) {
    let agent = format!("agent {number}");
    let mut client = Client {
        stage: Arc::clone(&stage),
        chance: Chance(seed ^ (number << 32)),
    };
    let call = Call::Register {
        agent: agent.clone(),
        slots: SLOTS,
    };
    let told = client.ask(call).await;
    if !matches!(told.answer, Answer::Registered) {
        client.wonder("registering", &told);
        return;
    }
    let mut forgotten: Vec<LeaseId> = Vec::new();
    while !stage.is_over() {
        if client.chance.one_in(4)
            && let Some(lease) = forgotten.pop()
        {
            // It does not know whether it was given up.
            start(&mut client, lease).await;
            Box::pin(work_on(&mut client, lease, true)).await;
        }
        for Claimed { lease, is_started } in claim(&mut client, &agent).await {
            // Once nothing more is submitted, everybody hurries to come to an end.
            if client.chance.one_in(8) && !stage.hunger.is_closed() {
                forgotten.push(lease);
            } else if is_started || start(&mut client, lease).await {
                Box::pin(work_on(&mut client, lease, false)).await;
            }
        }
    }
}

async fn claim(client: &mut Client, agent: &str) -> Vec<Claimed> {
    let most = 1 + client.chance.below(3);
    let call = Call::Claim {
        agent: agent.to_owned(),
        most: i32::try_from(most).expect("few"),
        start: client.chance.one_in(2),
        request: Uuid::from_u128(rand::random()),
    };
    let told = client.ask(call).await;
    let Answer::Claimed { leases } = &told.answer else {
        if matches!(&told.answer, Answer::Refused { why } if why.contains("draining")) {
            // By chance it failed one task after the other, and counted as sick.
            let agent = agent.to_owned();
            let told = client.ask(Call::LetWork { agent }).await;
            if !matches!(told.answer, Answer::Registered) {
                client.wonder("another chance", &told);
            }
        } else {
            client.wonder("a claim", &told);
        }
        return vec![];
    };
    let stage = &client.stage;
    if u64::try_from(leases.len()).is_ok_and(|many| many < most) {
        stage.hunger.add_permits(1);
    }
    let ids: Vec<LeaseId> = leases.iter().map(|one| one.lease).collect();
    stage.history.note(&stage.history.claims, told.asked, &ids);
    let claim = Claim {
        agent: agent.to_owned(),
        leases: ids,
        asked_at: told.asked_at,
        last_asked_at: told.last_asked_at,
        answered_at: Timestamp::now(),
        was_in_doubt: told.was_in_doubt,
    };
    stage.note(|acknowledged| acknowledged.claims.push(claim));
    leases.clone()
}

/// Whether the attempt may go on.
async fn start(client: &mut Client, lease: LeaseId) -> bool {
    let told = client.ask(Call::Start { lease }).await;
    match told.answer {
        Answer::Alive => client.stage.note(|told| {
            told.starts.push(lease);
            true
        }),
        Answer::LeaseGone => false,
        _ => {
            client.wonder("a start", &told);
            false
        }
    }
}

async fn work_on(client: &mut Client, lease: LeaseId, comes_back: bool) {
    let beats = client.chance.below(3);
    for number in 0..beats {
        let checkpoint = json!({"lease": lease, "number": number});
        let call = Call::Heartbeat {
            lease,
            checkpoint: checkpoint.clone(),
        };
        let told = client.ask(call).await;
        match told.answer {
            Answer::Alive => client.stage.note(|told| {
                told.checkpoints.insert(lease, checkpoint);
            }),
            Answer::LeaseGone => break,
            _ => client.wonder("a heartbeat", &told),
        }
    }
    if !comes_back && client.chance.one_in(8) && !client.stage.hunger.is_closed() {
        spawn_once(client, lease).await;
    }
    let fail = |reason| Ending::Fail {
        reason,
        message: format!("{lease} broke"),
    };
    let complete = Ending::Complete {
        output: json!({"lease": lease, "by": Uuid::from_u128(rand::random())}),
    };
    let ending = match client.chance.below(20) {
        _ if comes_back || client.stage.hunger.is_closed() => complete,
        0..=2 => fail(Reason::Crash),
        3 => fail(Reason::InvalidInput),
        4..=5 => Ending::Release,
        _ => complete,
    };
    settle(client, lease, ending).await;
}

async fn settle(client: &mut Client, lease: LeaseId, ending: Ending) {
    let call = Call::Settle {
        lease,
        ending: ending.clone(),
    };
    let told = client.ask(call).await;
    match told.answer {
        Answer::Settled { is_repeat } if is_repeat && !told.was_in_doubt => {
            client.wonder("an ending that was sent once", &told);
        }
        Answer::Settled { is_repeat } => {
            let stage = &client.stage;
            if matches!(ending, Ending::Complete { .. }) {
                let completions = &stage.history.completions;
                stage.history.note(completions, told.asked, &[lease]);
            }
            stage.note(|told| {
                told.doubts.settlements_found += usize::from(is_repeat);
                told.endings.push((lease, ending));
            });
        }
        Answer::LeaseGone => client.stage.note(|told| told.refused.push((lease, ending))),
        _ => client.wonder("an ending", &told),
    }
}
