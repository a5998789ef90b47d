//! The store's answers in the words of the model.

use workmill_core::lifecycle::State;
use workmill_store::execution::Alive;
use workmill_store::settlement::dead_letters::Unresolved;
use workmill_store::settlement::{Refusal, Settled};

pub fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Illegal(illegal) => format!("Illegal: {illegal}"),
        other => format!("{other:?}"),
    }
}

pub fn alive(answer: Result<Alive, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(refusal),
        Ok(alive) => format!("alive for {} stop {:?}", alive.expires_in_ms, alive.stop),
    }
}

pub fn state(answer: Result<State, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(refusal),
        Ok(state) => state.to_string(),
    }
}

pub fn resolved(answer: Result<State, Unresolved>) -> String {
    match answer {
        Err(unresolved) => format!("{unresolved:?}"),
        Ok(state) => state.to_string(),
    }
}

pub fn settled(answer: Result<Settled, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(refusal),
        Ok(settled) if settled.is_repeat => format!("{} again", settled.state),
        Ok(Settled {
            state,
            retry_in_ms: Some(ms),
            ..
        }) => format!("{state} in {ms}"),
        Ok(settled) => settled.state.to_string(),
    }
}
