//! Lanes: the ordered queues of ready tasks that ask the same of an agent.
//!
//! What a task asks is interned when it is submitted. The id is a hash of the ask itself, so
//! servers agree on it without a counter to share. A claim first finds the lanes that the agent
//! matches, which are few, then looks only at their heads.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::capability;
use crate::rank::Boost;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub i64);

/// What a task asks of an agent. Two tasks with equal asks share a lane.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lane {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_agent: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded_agents: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    pub boost: Boost,
}

/// What an agent brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offer {
    pub agent: String,
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
}

impl Lane {
    /// Equal asks become equal texts: lists are sorted and without repeats.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        self.excluded_agents = capability::normalise(self.excluded_agents);
        self.capabilities = capability::normalise(self.capabilities);
        self.models = capability::normalise(self.models);
        self
    }

    /// The first 64 bits of the hash of the ask.
    pub fn id(&self) -> LaneId {
        let text = serde_json::to_vec(self).expect("a lane has only strings and lists of them");
        let hash: [u8; 32] = Sha256::digest(&text).into();
        let (first, _) = hash
            .split_first_chunk()
            .expect("the hash is longer than eight bytes");
        LaneId(i64::from_be_bytes(*first))
    }

    pub fn matches(&self, offer: &Offer) -> bool {
        self.agent_type
            .as_ref()
            .is_none_or(|wanted| *wanted == offer.agent_type)
            && self
                .target_agent
                .as_ref()
                .is_none_or(|wanted| *wanted == offer.agent)
            && !self.excluded_agents.contains(&offer.agent)
            && capability::covers(&offer.capabilities, &self.capabilities)
            && models_meet(&self.models, &offer.models)
    }
}

/// What of a lane's ask an agent does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    Type { wanted: String },
    Target { wanted: String },
    Excluded,
    Capabilities { missing: Vec<String> },
    Models { wanted: Vec<String> },
}

impl Lane {
    /// Everything that keeps an agent from this lane; nothing where it matches.
    pub fn mismatches(&self, offer: &Offer) -> Vec<Mismatch> {
        let mut found = Vec::new();
        let other_than = |wanted: &Option<String>, is: &str| {
            wanted.as_ref().filter(|wanted| **wanted != is).cloned()
        };
        if let Some(wanted) = other_than(&self.agent_type, &offer.agent_type) {
            found.push(Mismatch::Type { wanted });
        }
        if let Some(wanted) = other_than(&self.target_agent, &offer.agent) {
            found.push(Mismatch::Target { wanted });
        }
        if self.excluded_agents.contains(&offer.agent) {
            found.push(Mismatch::Excluded);
        }
        let missing: Vec<String> = self
            .capabilities
            .iter()
            .filter(|name| !offer.capabilities.contains(name))
            .cloned()
            .collect();
        if !missing.is_empty() {
            found.push(Mismatch::Capabilities { missing });
        }
        if !models_meet(&self.models, &offer.models) {
            let wanted = self.models.clone();
            found.push(Mismatch::Models { wanted });
        }
        found
    }
}

/// Models match when the lists intersect, when the task names none, or the agent lists none.
fn models_meet(wanted: &[String], offered: &[String]) -> bool {
    wanted.is_empty() || offered.is_empty() || wanted.iter().any(|model| offered.contains(model))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn coder() -> Offer {
        Offer {
            agent: "coder_01".into(),
            agent_type: "coder".into(),
            capabilities: names("git python"),
            models: names("sonnet haiku"),
        }
    }

    #[test]
    fn an_agent_matches_a_lane_only_when_it_meets_every_ask() {
        let asks = [
            (Lane::default(), true),
            (
                Lane {
                    agent_type: Some("coder".into()),
                    ..Lane::default()
                },
                true,
            ),
            (
                Lane {
                    agent_type: Some("tester".into()),
                    ..Lane::default()
                },
                false,
            ),
            (
                Lane {
                    target_agent: Some("coder_01".into()),
                    ..Lane::default()
                },
                true,
            ),
            (
                Lane {
                    target_agent: Some("coder_02".into()),
                    ..Lane::default()
                },
                false,
            ),
            (
                Lane {
                    excluded_agents: names("coder_01"),
                    ..Lane::default()
                },
                false,
            ),
            (
                Lane {
                    capabilities: names("git"),
                    ..Lane::default()
                },
                true,
            ),
            (
                Lane {
                    capabilities: names("git gpu"),
                    ..Lane::default()
                },
                false,
            ),
            (
                Lane {
                    models: names("haiku gpt"),
                    ..Lane::default()
                },
                true,
            ),
            (
                Lane {
                    models: names("gpt"),
                    ..Lane::default()
                },
                false,
            ),
        ];
        for (lane, expected) in asks {
            assert_eq!(lane.matches(&coder()), expected, "{lane:?}");
            assert_eq!(
                lane.mismatches(&coder()).is_empty(),
                expected,
                "what does not match is told: {lane:?}"
            );
        }
        let any_model = Offer {
            models: vec![],
            ..coder()
        };
        assert!(
            Lane {
                models: names("gpt"),
                ..Lane::default()
            }
            .matches(&any_model)
        );
    }

    #[test]
    fn equal_asks_share_an_id_whatever_their_order() {
        let one = Lane {
            capabilities: names("b a a"),
            ..Lane::default()
        }
        .normalised();
        let other = Lane {
            capabilities: names("a b"),
            ..Lane::default()
        }
        .normalised();
        assert_eq!(one.id(), other.id());
        assert_ne!(one.id(), Lane::default().id());
    }

    /// The ids are stored: a change of the hash would strand every waiting task.
    #[test]
    fn the_id_of_the_plain_lane_is_what_it_always_was() {
        assert_eq!(Lane::default().id(), LaneId(7_509_766_632_256_582_725));
    }
}
