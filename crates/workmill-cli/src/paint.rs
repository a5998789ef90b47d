//! Colours. Who renders an answer paints it; where colours are not wanted they are taken out again.

use std::io::IsTerminal;

use workmill_core::agent::AgentStatus;
use workmill_core::graph::GraphStatus;
use workmill_core::lifecycle::State;

use crate::plain_text::plain_lines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Bold,
    Faint,
    Red,
    Green,
    Yellow,
    Cyan,
}

const END: &str = "\x1b[0m";

impl Paint {
    const ALL: [Paint; 6] = [
        Paint::Bold,
        Paint::Faint,
        Paint::Red,
        Paint::Green,
        Paint::Yellow,
        Paint::Cyan,
    ];

    const fn begin(self) -> &'static str {
        match self {
            Paint::Bold => "\x1b[1m",
            Paint::Faint => "\x1b[2m",
            Paint::Red => "\x1b[31m",
            Paint::Green => "\x1b[32m",
            Paint::Yellow => "\x1b[33m",
            Paint::Cyan => "\x1b[36m",
        }
    }

    pub(crate) fn on(self, text: &str) -> String {
        format!("{}{text}{END}", self.begin())
    }

    /// `None` is as everything else is written.
    pub(crate) const fn of_state(state: State) -> Option<Paint> {
        match state {
            State::Created | State::Pending => Some(Paint::Faint),
            State::Ready => None,
            State::Claimed | State::Running | State::Validating => Some(Paint::Cyan),
            State::Blocked | State::Retrying => Some(Paint::Yellow),
            State::Completed => Some(Paint::Green),
            State::DeadLettered | State::Cancelled | State::Stale => Some(Paint::Red),
        }
    }

    pub(crate) const fn of_graph(status: GraphStatus) -> Paint {
        match status {
            GraphStatus::Pending => Paint::Faint,
            GraphStatus::Running => Paint::Cyan,
            GraphStatus::Completed => Paint::Green,
            GraphStatus::Failed | GraphStatus::Cancelled => Paint::Red,
        }
    }

    pub(crate) const fn of_agent(status: AgentStatus) -> Paint {
        match status {
            AgentStatus::Active => Paint::Green,
            AgentStatus::Draining => Paint::Yellow,
            AgentStatus::Offline => Paint::Faint,
        }
    }
}

pub(crate) fn painted(text: &str, paint: Option<Paint>) -> String {
    paint.map_or_else(|| text.to_owned(), |paint| paint.on(text))
}

/// On a terminal that has them, unless somebody has asked for none.
pub(crate) fn is_wanted() -> bool {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|no| !no.is_empty());
    let has_none = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    std::io::stdout().is_terminal() && !is_refused && !has_none
}

/// The text as it may be written to a terminal: with the colours of this module or without them, and
/// with no other escape sequence.
pub(crate) fn finished(text: &str, with_colours: bool) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('\x1b') {
        let (before, escape) = rest.split_at(place);
        safe.push_str(&plain_lines(before));
        let own = Paint::ALL.map(Paint::begin).into_iter().chain([END]);
        let own = own.into_iter().find(|own| escape.starts_with(own));
        if let Some(own) = own.filter(|_| with_colours) {
            safe.push_str(own);
        }
        if own.is_none() {
            safe.push_str(&plain_lines("\x1b"));
        }
        rest = &escape[own.map_or(1, str::len)..];
    }
    safe.push_str(&plain_lines(rest));
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_colours_reach_the_terminal() {
        let text = format!("{} \x1b[2J\u{9b}31m", Paint::Red.on("no"));
        let rest = " \\u{1b}[2J\\u{9b}31m";
        assert_eq!(finished(&text, true), format!("\x1b[31mno\x1b[0m{rest}"));
        assert_eq!(finished(&text, false), format!("no{rest}"));
    }
}
