//! What an attempt has used: tokens and money, model by model, as its agent reports them.
//!
//! Every report tells what was used since the attempt began, so two reports of one attempt are not
//! added up: of each figure the greater one counts. Reports that are repeated, come late or in
//! another order never count twice, and no later report takes back what an earlier one said.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::money::Micros;

/// How many models an attempt is told apart by.
pub const MOST_MODELS: usize = 32;
/// The longest name of a model, in characters.
pub const LONGEST_MODEL_NAME: usize = 128;
/// The most tokens of a kind that a report may name.
pub const MOST_TOKENS: u64 = 1_000_000_000_000_000;

/// The figures of one model, or of an attempt that does not tell its models apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelUsage {
    #[serde(skip_serializing_if = "is_zero")]
    pub input_tokens: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub output_tokens: u64,
    /// Those of the input tokens that the model had read before.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached_input_tokens: u64,
    /// What the agent says it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<Micros>,
    /// What the price table makes of the tokens; it counts where the agent names no cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_usd: Option<Micros>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(figure: &u64) -> bool {
    *figure == 0
}

impl ModelUsage {
    pub fn cost(&self) -> Micros {
        self.cost_usd.or(self.estimated_usd).unwrap_or_default()
    }

    /// Tokens were used, and nobody knows what they cost.
    pub fn is_unpriced(&self) -> bool {
        let tokens = self.input_tokens | self.output_tokens | self.cached_input_tokens;
        tokens > 0 && self.cost_usd.is_none() && self.estimated_usd.is_none()
    }

    fn merge(&self, other: &ModelUsage) -> ModelUsage {
        ModelUsage {
            input_tokens: self.input_tokens.max(other.input_tokens),
            output_tokens: self.output_tokens.max(other.output_tokens),
            cached_input_tokens: self.cached_input_tokens.max(other.cached_input_tokens),
            // None is less than anything.
            cost_usd: self.cost_usd.max(other.cost_usd),
            estimated_usd: self.estimated_usd.max(other.estimated_usd),
        }
    }

    fn check(&self, at: &str) -> Result<(), InvalidUsage> {
        for (field, tokens) in [
            ("input_tokens", self.input_tokens),
            ("output_tokens", self.output_tokens),
            ("cached_input_tokens", self.cached_input_tokens),
        ] {
            if tokens > MOST_TOKENS {
                let problem = format!("{tokens} tokens; at most {MOST_TOKENS} are accepted");
                return Err(InvalidUsage::new(at, field, problem));
            }
        }
        let costs = self.cost_usd.into_iter().chain(self.estimated_usd);
        for cost in costs {
            if !(Micros::ZERO..=Micros::LARGEST).contains(&cost) {
                let problem = "must be between 0 and a billion dollars";
                return Err(InvalidUsage::new(at, "cost_usd", problem));
            }
        }
        Ok(())
    }
}

/// What an attempt has used so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// What was reported of the attempt as a whole, without the name of a model. It says the same
    /// as the models do, in less detail, so the greater of the two counts, not their sum.
    #[serde(skip_serializing_if = "is_nothing")]
    pub whole: ModelUsage,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, ModelUsage>,
}

fn is_nothing(figures: &ModelUsage) -> bool {
    *figures == ModelUsage::default()
}

/// What cannot be the usage of an attempt; `at` is the place inside of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{at}: {problem}")]
pub struct InvalidUsage {
    pub at: String,
    pub problem: String,
}

impl InvalidUsage {
    pub fn new(at: &str, field: &str, problem: impl Into<String>) -> Self {
        let dot = if at.is_empty() { "" } else { "." };
        InvalidUsage {
            at: format!("{at}{dot}{field}"),
            problem: problem.into(),
        }
    }
}

impl Usage {
    pub fn of_whole(whole: ModelUsage) -> Usage {
        Usage {
            whole,
            models: BTreeMap::new(),
        }
    }

    pub fn of_model(model: impl Into<String>, figures: ModelUsage) -> Usage {
        Usage {
            whole: ModelUsage::default(),
            models: BTreeMap::from([(model.into(), figures)]),
        }
    }

    /// The model that cost most, if any was named.
    pub fn main_model(&self) -> Option<&str> {
        let models = self.models.iter();
        let main = models.max_by_key(|(_, figures)| figures.cost());
        main.map(|(model, _)| model.as_str())
    }

    /// Nothing was reported.
    pub fn is_empty(&self) -> bool {
        *self == Usage::default()
    }

    /// What two reports of one attempt say together: the greater of each figure.
    ///
    /// An attempt is told apart by a bounded number of models. What further ones have used is
    /// kept as part of the whole, so that the sums do not fall.
    #[must_use]
    pub fn merge(&self, other: &Usage) -> Usage {
        let mut models = self.models.clone();
        for (model, figures) in &other.models {
            let known = models.entry(model.clone()).or_default();
            *known = known.merge(figures);
        }
        let mut merged = Usage {
            whole: self.whole.merge(&other.whole),
            models,
        };
        if merged.models.len() > MOST_MODELS {
            merged.whole = ModelUsage {
                input_tokens: merged.input_tokens(),
                output_tokens: merged.output_tokens(),
                cached_input_tokens: merged.cached_input_tokens(),
                cost_usd: Some(merged.cost().min(Micros::LARGEST)),
                estimated_usd: None,
            };
            let is_known = |model: &String| self.models.contains_key(model);
            let new = merged.models.keys().filter(|model| !is_known(model));
            let capacity = MOST_MODELS.saturating_sub(self.models.len());
            let left_out: Vec<String> = new.skip(capacity).cloned().collect();
            for model in left_out {
                merged.models.remove(&model);
            }
        }
        merged
    }

    pub fn input_tokens(&self) -> u64 {
        self.tokens(|figures| figures.input_tokens)
    }

    pub fn output_tokens(&self) -> u64 {
        self.tokens(|figures| figures.output_tokens)
    }

    pub fn cached_input_tokens(&self) -> u64 {
        self.tokens(|figures| figures.cached_input_tokens)
    }

    fn tokens(&self, figure: impl Fn(&ModelUsage) -> u64) -> u64 {
        let models = self.models.values().map(&figure);
        models.fold(0, u64::saturating_add).max(figure(&self.whole))
    }

    /// What it comes to: as the agent says, or as the price table makes it.
    pub fn cost(&self) -> Micros {
        let models = self.models.values().map(ModelUsage::cost);
        models
            .fold(Micros::ZERO, Micros::saturating_add)
            .max(self.whole.cost())
    }

    /// Tokens were used that nobody knows the price of: the true cost is higher.
    pub fn is_unpriced(&self) -> bool {
        let has_price = self.whole.cost_usd.is_some();
        let unpriced_model = self.models.values().any(ModelUsage::is_unpriced);
        !has_price && (unpriced_model || (self.models.is_empty() && self.whole.is_unpriced()))
    }

    /// Whether a report can be taken as it is.
    pub fn check(&self) -> Result<(), InvalidUsage> {
        if self.models.len() > MOST_MODELS {
            let problem = format!("{} models; at most {MOST_MODELS}", self.models.len());
            return Err(InvalidUsage::new("", "models", problem));
        }
        self.whole.check("")?;
        for (model, figures) in &self.models {
            check_name(model)?;
            figures.check(&format!("models.{model}"))?;
        }
        Ok(())
    }
}

fn check_name(model: &str) -> Result<(), InvalidUsage> {
    let problem = if model.trim().is_empty() {
        "a model needs a name".to_owned()
    } else if model.chars().count() > LONGEST_MODEL_NAME {
        format!("the name of a model has at most {LONGEST_MODEL_NAME} characters")
    } else if model.chars().any(char::is_control) {
        "the name of a model has no control characters".to_owned()
    } else {
        return Ok(());
    };
    Err(InvalidUsage::new("", "models", problem))
}

/// Dollars as agents report them: floats that were added up and have any number of decimals. They
/// are rounded to millionths, half of one upwards.
#[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
pub fn reported_dollars(dollars: f64) -> Option<Micros> {
    let largest = Micros::LARGEST.dollars();
    let is_money = (0.0..=largest).contains(&dollars);
    is_money.then(|| Micros((dollars * 1e6).round() as i64))
}

#[cfg(test)]
mod tests;
