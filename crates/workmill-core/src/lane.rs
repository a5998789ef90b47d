//! Lanes: the ordered queues of ready tasks that ask the same of an agent.
//!
//! What a task asks is interned when it is submitted. The id is a hash of the ask itself, so
//! servers agree on it without a counter to share. A claim first finds the lanes that the agent
//! matches, which are few, then looks only at their heads.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::admission::DEFAULT_COST;
use crate::capability;
use crate::money::Micros;
use crate::policy::Profile;
use crate::rank::Boost;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub i64);

/// The bucket of the largest cost that an amount of money can have.
pub(crate) const LARGEST_COST_BUCKET: u8 = 62;

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
    /// The type of the task; none in lanes of releases that did not write it. Tasks of such a lane
    /// may have any type and profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Of a task that says what it may cost: an attempt may cost at least two to the power of this,
    /// in millionths of a dollar, and less than twice as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<u8>,
}

/// Which tasks an agent is to be given by one claim; all that it matches, if this says nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Selection {
    /// Only tasks of these types; of any type if there are none.
    pub task_types: Vec<String>,
    /// Only tasks of this profile.
    pub profile: Option<Profile>,
}

impl Selection {
    pub fn admits(&self, task_type: &str, profile: Profile) -> bool {
        takes_type(&self.task_types, task_type)
            && self.profile.is_none_or(|wanted| wanted == profile)
    }

    /// Returns whether the lane may hold tasks that are wanted. Of a lane that does not say its
    /// type, [`Selection::admits`] tells for each task.
    pub fn admits_lane(&self, lane: &Lane) -> bool {
        let has_type = |task_type: &String| takes_type(&self.task_types, task_type);
        let has_profile = |profile| self.profile.is_none_or(|wanted| wanted == profile);
        lane.task_type.as_ref().is_none_or(has_type) && lane.profile.is_none_or(has_profile)
    }
}

fn takes_type(task_types: &[String], task_type: &str) -> bool {
    task_types.is_empty() || task_types.iter().any(|taken| taken == task_type)
}

/// What an agent brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Offer {
    pub agent: String,
    pub agent_type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    /// The types of tasks that it takes; any if there are none.
    pub task_types: Vec<String>,
}

/// Returns whether one of these live agents other than `agent` could run the tasks of a lane. Only then is
/// an agent that failed a task kept from it.
pub fn has_another(lane: &Lane, agent: &str, live: &[Offer]) -> bool {
    let mut others = live.iter().filter(|offer| offer.agent != agent);
    others.any(|offer| lane.matches(offer))
}

impl Offer {
    pub fn takes_type(&self, task_type: &str) -> bool {
        takes_type(&self.task_types, task_type)
    }
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

    /// Returns the lane of tasks that ask the same and whose attempts may cost this much; none: the
    /// task does not say.
    #[must_use]
    pub fn costing(self, most: Option<Micros>) -> Self {
        let bucket = |most: Micros| u64::try_from(most.0).ok()?.checked_ilog2();
        let bucket = |most| bucket(most).and_then(|bucket| u8::try_from(bucket).ok());
        Lane {
            cost: most.map(|most| bucket(most).unwrap_or(0)),
            ..self
        }
    }

    /// Returns whether what attempts cost can move a task of this lane to a cheaper one.
    pub fn can_get_cheaper(&self) -> bool {
        self.cost.is_some_and(|bucket| bucket > 0)
    }

    /// Returns the least that an attempt at a task of this lane may cost, where such attempts
    /// usually cost this much. An agent that has less left need not look at the lane.
    pub fn least_cost(&self, usual: Option<Micros>) -> Micros {
        match (self.cost, &self.task_type) {
            (Some(0), _) | (None, None) => Micros::ZERO,
            (Some(bucket), _) => Micros(1_i64.checked_shl(bucket.into()).unwrap_or(i64::MAX)),
            (None, Some(_)) => usual.unwrap_or(DEFAULT_COST),
        }
    }

    /// The same ask as releases wrote it that knew neither types, profiles nor costs of lanes.
    #[must_use]
    pub fn untyped(self) -> Self {
        Lane {
            task_type: None,
            profile: None,
            cost: None,
            ..self
        }
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
            && self
                .task_type
                .as_ref()
                .is_none_or(|task_type| offer.takes_type(task_type))
            && capability::covers(&offer.capabilities, &self.capabilities)
            && models_meet(&self.models, &offer.models)
    }
}

/// What of a lane's ask an agent does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    Type {
        wanted: String,
    },
    Target {
        wanted: String,
    },
    Excluded,
    Capabilities {
        missing: Vec<String>,
    },
    Models {
        wanted: Vec<String>,
    },
    /// The agent takes tasks of these types only.
    TaskType {
        taken: Vec<String>,
    },
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
        let task_type = self.task_type.as_ref();
        if task_type.is_some_and(|task_type| !offer.takes_type(task_type)) {
            let taken = offer.task_types.clone();
            found.push(Mismatch::TaskType { taken });
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
            task_types: names("code review"),
        }
    }

    /// Returns a lane that asks for nothing but what `ask` sets.
    fn lane(ask: impl FnOnce(&mut Lane)) -> Lane {
        let mut lane = Lane::default();
        ask(&mut lane);
        lane
    }

    #[test]
    fn an_agent_matches_a_lane_whose_asks_it_meets() {
        for lane in [
            Lane::default(),
            lane(|lane| lane.agent_type = Some("coder".into())),
            lane(|lane| lane.target_agent = Some("coder_01".into())),
            lane(|lane| lane.capabilities = names("git")),
            lane(|lane| lane.models = names("haiku gpt")),
            lane(|lane| lane.task_type = Some("review".into())),
        ] {
            assert!(lane.matches(&coder()), "{lane:?}");
            assert_eq!(lane.mismatches(&coder()), [], "{lane:?}");
        }
    }

    #[test]
    fn an_agent_that_misses_one_ask_of_a_lane_does_not_match_and_the_ask_is_named() {
        for lane in [
            lane(|lane| lane.agent_type = Some("tester".into())),
            lane(|lane| lane.target_agent = Some("coder_02".into())),
            lane(|lane| lane.excluded_agents = names("coder_01")),
            lane(|lane| lane.capabilities = names("git gpu")),
            lane(|lane| lane.models = names("gpt")),
            lane(|lane| lane.task_type = Some("research".into())),
        ] {
            assert!(!lane.matches(&coder()), "{lane:?}");
            assert_eq!(lane.mismatches(&coder()).len(), 1, "{lane:?}");
        }
    }

    #[test]
    fn an_agent_that_names_no_models_matches_a_lane_that_asks_for_one() {
        let any_model = Offer {
            models: vec![],
            ..coder()
        };
        assert!(lane(|lane| lane.models = names("gpt")).matches(&any_model));
    }

    #[test]
    fn a_claim_selects_by_type_and_by_profile() {
        let lane = Lane {
            task_type: Some("code".into()),
            profile: Some(Profile::Agent),
            ..Lane::default()
        };
        let selection = |types: &str, profile| Selection {
            task_types: names(types),
            profile,
        };
        for (selection, expected) in [
            (Selection::default(), true),
            (selection("review code", None), true),
            (selection("review", None), false),
            (selection("", Some(Profile::Agent)), true),
            (selection("code", Some(Profile::Task)), false),
        ] {
            assert_eq!(selection.admits_lane(&lane), expected, "{selection:?}");
            let admits = selection.admits("code", Profile::Agent);
            assert_eq!(admits, expected, "{selection:?}");
            assert!(selection.admits_lane(&lane.clone().untyped()));
        }
    }

    /// F-18 (part)
    #[test]
    fn a_lane_knows_the_least_that_its_tasks_may_cost() {
        let lane = Lane {
            task_type: Some("code".into()),
            ..Lane::default()
        };
        let least = |most: i64| lane.clone().costing(Some(Micros(most))).least_cost(None).0;
        for (most, expected) in [
            (0, 0),
            (1, 0),
            (2, 2),
            (1_000_000, 524_288),
            (i64::MAX, 1 << LARGEST_COST_BUCKET),
        ] {
            assert_eq!(least(most), expected, "{most}");
            assert!(expected <= most, "no agent is kept from what it can afford");
        }
        let unsaid = lane.clone().costing(None);
        assert_eq!(unsaid.least_cost(Some(Micros(7))), Micros(7));
        assert_eq!(unsaid.least_cost(None), DEFAULT_COST);
        assert_eq!(unsaid.untyped().least_cost(None), Micros::ZERO);
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
