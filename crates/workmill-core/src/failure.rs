//! Why an attempt failed: the closed list of reasons, their classes, and the fingerprint that
//! groups failures of one kind.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The largest details of a failure as JSON text, in bytes: they are shown with its attempt and handed
/// to the next one.
pub const LARGEST_DETAILS: usize = 64 * 1024;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Timeout,
    Crash,
    RateLimit,
    InvalidOutput,
    HeartbeatTimeout,
    ClaimExpired,
    DeadlineExceeded,
    AuthFailure,
    BudgetExceeded,
    Cancelled,
    PermissionDenied,
    InvalidInput,
    NotFound,
    Network,
    Unknown,
}

/// What a reason says about where to look for the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Likely to pass by itself.
    Transient,
    /// The agent is at fault: try another one.
    AgentFailure,
    /// It took too long: try with more time.
    Timeout,
    /// Trying again changes nothing.
    Permanent,
}

impl Reason {
    pub const ALL: [Reason; 15] = [
        Reason::Timeout,
        Reason::Crash,
        Reason::RateLimit,
        Reason::InvalidOutput,
        Reason::HeartbeatTimeout,
        Reason::ClaimExpired,
        Reason::DeadlineExceeded,
        Reason::AuthFailure,
        Reason::BudgetExceeded,
        Reason::Cancelled,
        Reason::PermissionDenied,
        Reason::InvalidInput,
        Reason::NotFound,
        Reason::Network,
        Reason::Unknown,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Crash => "crash",
            Reason::RateLimit => "rate_limit",
            Reason::InvalidOutput => "invalid_output",
            Reason::HeartbeatTimeout => "heartbeat_timeout",
            Reason::ClaimExpired => "claim_expired",
            Reason::DeadlineExceeded => "deadline_exceeded",
            Reason::AuthFailure => "auth_failure",
            Reason::BudgetExceeded => "budget_exceeded",
            Reason::Cancelled => "cancelled",
            Reason::PermissionDenied => "permission_denied",
            Reason::InvalidInput => "invalid_input",
            Reason::NotFound => "not_found",
            Reason::Network => "network",
            Reason::Unknown => "unknown",
        }
    }

    pub fn from_name(name: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == name)
    }

    pub const fn class(self) -> FailureClass {
        match self {
            Reason::RateLimit | Reason::Network | Reason::Unknown => FailureClass::Transient,
            Reason::Crash
            | Reason::InvalidOutput
            | Reason::HeartbeatTimeout
            | Reason::ClaimExpired => FailureClass::AgentFailure,
            Reason::Timeout => FailureClass::Timeout,
            Reason::DeadlineExceeded
            | Reason::AuthFailure
            | Reason::BudgetExceeded
            | Reason::Cancelled
            | Reason::PermissionDenied
            | Reason::InvalidInput
            | Reason::NotFound => FailureClass::Permanent,
        }
    }

    /// Whether an agent may give this reason when its attempt fails. What only Workmill can know
    /// it may not: a failure that passes for a lost lease would count as a crash, and its output
    /// could still become the outcome. Why it was told to stop, it may confirm.
    pub const fn may_be_reported(self, was_told_to_stop: bool) -> bool {
        match self {
            Reason::HeartbeatTimeout | Reason::ClaimExpired => false,
            Reason::DeadlineExceeded | Reason::BudgetExceeded | Reason::Cancelled => {
                was_told_to_stop
            }
            Reason::Timeout
            | Reason::Crash
            | Reason::RateLimit
            | Reason::InvalidOutput
            | Reason::AuthFailure
            | Reason::PermissionDenied
            | Reason::InvalidInput
            | Reason::NotFound
            | Reason::Network
            | Reason::Unknown => true,
        }
    }

    /// Whether it says something about the agent, the model or the task. What a budget, a deadline,
    /// a person or a provider's limit ends does not.
    pub const fn is_telling(self) -> bool {
        !matches!(
            self,
            Reason::BudgetExceeded
                | Reason::DeadlineExceeded
                | Reason::RateLimit
                | Reason::Cancelled
        )
    }

    /// The agent went away without a word.
    pub const fn is_expiry(self) -> bool {
        matches!(self, Reason::HeartbeatTimeout | Reason::ClaimExpired)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Equal for failures that differ only in numbers, ids and white space.
pub fn fingerprint(reason: Reason, message: &str) -> i64 {
    let mut shape = String::from(reason.name());
    let mut after_digit = false;
    for word in message.split_whitespace() {
        shape.push(' ');
        for letter in word.chars() {
            let is_digit = letter.is_ascii_hexdigit() && word.chars().any(|c| c.is_ascii_digit());
            if !(is_digit && after_digit) {
                shape.push(if is_digit { '#' } else { letter });
            }
            after_digit = is_digit;
        }
        after_digit = false;
    }
    let hash: [u8; 32] = Sha256::digest(shape.as_bytes()).into();
    let (first, _) = hash
        .split_first_chunk()
        .expect("the hash is longer than eight bytes");
    i64::from_be_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H-12 (part)
    #[test]
    fn every_reason_has_a_class_and_what_nobody_knows_is_transient() {
        assert_eq!(Reason::Unknown.class(), FailureClass::Transient);
        assert_eq!(Reason::Network.class(), FailureClass::Transient);
        assert_eq!(Reason::HeartbeatTimeout.class(), FailureClass::AgentFailure);
        assert_eq!(Reason::Timeout.class(), FailureClass::Timeout);
        assert_eq!(Reason::InvalidInput.class(), FailureClass::Permanent);
        for reason in Reason::ALL {
            assert_eq!(Reason::from_name(reason.name()), Some(reason));
        }
    }

    #[test]
    fn what_only_workmill_can_know_is_not_reported_by_agents() {
        let reserved = |was_told: bool| -> Vec<Reason> {
            let reasons = Reason::ALL.into_iter();
            reasons
                .filter(|reason| !reason.may_be_reported(was_told))
                .collect()
        };
        let lost = [Reason::HeartbeatTimeout, Reason::ClaimExpired];
        assert_eq!(reserved(true), lost);
        assert_eq!(
            reserved(false),
            [
                Reason::HeartbeatTimeout,
                Reason::ClaimExpired,
                Reason::DeadlineExceeded,
                Reason::BudgetExceeded,
                Reason::Cancelled
            ]
        );
    }

    #[test]
    fn a_fingerprint_ignores_numbers_and_ids_but_not_words() {
        let one = fingerprint(Reason::Crash, "worker 17 at 0x7f3a died after 31 s");
        let other = fingerprint(Reason::Crash, "worker 4  at 0x11bb died after 2 s");
        assert_eq!(one, other);
        assert_ne!(
            one,
            fingerprint(Reason::Crash, "worker 17 at 0x7f3a hung after 31 s")
        );
        assert_ne!(
            one,
            fingerprint(Reason::Timeout, "worker 17 at 0x7f3a died after 31 s")
        );
    }
}
