//! What an attempt has used: as agents report it, and as it is shown.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use workmill_core::bounded::{MOST_MODELS, up_to};
use workmill_core::schema::ModelName;
use workmill_core::usage::{self, InvalidUsage, reported_dollars};

/// Usage of the attempt since its claim. Reports are cumulative: a report repeats the whole usage, and the
/// greatest value that was ever reported counts for each figure.
///
/// `models` contains the usage by model. The figures next to it belong to the model that `model` names or,
/// without `model`, to the attempt as a whole; these are not added to the models. Tokens of a model without
/// a cost are priced by the server's table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Usage {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 1_000_000_000.0)]
    pub cost_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub output_tokens: Option<u64>,
    /// The part of the input tokens that came from the model's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub cached_input_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ModelName>)]
    pub model: Option<String>,
    /// Usage by the name of the model.
    #[serde(
        deserialize_with = "up_to::<{ MOST_MODELS }, _, _>",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    #[schema(value_type = BTreeMap<ModelName, ModelUsage>)]
    pub models: BTreeMap<String, ModelUsage>,
}

/// The usage of one model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ModelUsage {
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub input_tokens: u64,
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub output_tokens: u64,
    /// The part of the input tokens that came from the model's cache.
    #[schema(maximum = 1_000_000_000_000_000u64)]
    pub cached_input_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 1_000_000_000.0)]
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// What is meant, if it can be taken.
    pub fn read(&self) -> Result<usage::Usage, InvalidUsage> {
        let figures = ModelUsage {
            input_tokens: self.input_tokens.unwrap_or(0),
            output_tokens: self.output_tokens.unwrap_or(0),
            cached_input_tokens: self.cached_input_tokens.unwrap_or(0),
            cost_usd: self.cost_usd,
        };
        let figures = figures.read("")?;
        let mut models = BTreeMap::new();
        for (model, figures) in &self.models {
            models.insert(model.clone(), figures.read(&format!("models.{model}"))?);
        }
        let usage = match &self.model {
            None => usage::Usage {
                whole: figures,
                models,
            },
            Some(_) if !models.is_empty() => {
                let problem = "name one model here, or all of them in `models`";
                return Err(InvalidUsage::new("", "model", problem));
            }
            Some(model) => usage::Usage::of_model(model, figures),
        };
        usage.check()?;
        Ok(usage)
    }
}

impl ModelUsage {
    fn read(&self, at: &str) -> Result<usage::ModelUsage, InvalidUsage> {
        let invalid = || {
            let problem = "must be between 0 and a billion dollars";
            InvalidUsage::new(at, "cost_usd", problem)
        };
        let cost_usd = self
            .cost_usd
            .map(|dollars| reported_dollars(dollars).ok_or_else(invalid));
        Ok(usage::ModelUsage {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_input_tokens: self.cached_input_tokens,
            cost_usd: cost_usd.transpose()?,
            estimated_usd: None,
        })
    }
}

/// The known usage of an attempt since its claim.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UsageShown {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_input_tokens: u64,
    /// Some tokens have no known price: the true cost is higher.
    #[serde(skip_serializing_if = "is_false")]
    pub unpriced: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, ModelUsageShown>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ModelUsageShown {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_input_tokens: u64,
    pub cost_usd: f64,
    /// The cost was not reported; it was computed with the price table.
    #[serde(skip_serializing_if = "is_false")]
    pub estimated: bool,
    /// The cost was not reported, and the model is not in the price table.
    #[serde(skip_serializing_if = "is_false")]
    pub unpriced: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(crate) fn is_false(mark: &bool) -> bool {
    !mark
}

impl From<&usage::Usage> for UsageShown {
    fn from(usage: &usage::Usage) -> Self {
        let models = usage.models.iter();
        UsageShown {
            input_tokens: usage.input_tokens(),
            output_tokens: usage.output_tokens(),
            cached_input_tokens: usage.cached_input_tokens(),
            unpriced: usage.is_unpriced(),
            models: models
                .map(|(model, figures)| (model.clone(), figures.into()))
                .collect(),
        }
    }
}

impl From<&usage::ModelUsage> for ModelUsageShown {
    fn from(figures: &usage::ModelUsage) -> Self {
        ModelUsageShown {
            input_tokens: figures.input_tokens,
            output_tokens: figures.output_tokens,
            cached_input_tokens: figures.cached_input_tokens,
            cost_usd: figures.cost().dollars(),
            estimated: figures.cost_usd.is_none() && figures.estimated_usd.is_some(),
            unpriced: figures.is_unpriced(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use workmill_core::money::Micros;

    fn read(body: Value) -> Result<usage::Usage, InvalidUsage> {
        serde_json::from_value::<Usage>(body).unwrap().read()
    }

    fn figures(input_tokens: u64, output_tokens: u64, micros: Option<i64>) -> usage::ModelUsage {
        usage::ModelUsage {
            input_tokens,
            output_tokens,
            cost_usd: micros.map(Micros),
            ..usage::ModelUsage::default()
        }
    }

    #[test]
    fn usage_is_reported_by_model_for_one_model_or_for_the_whole() {
        let whole = usage::Usage::of_whole;
        let one = |figures| usage::Usage::of_model("gpt-5", figures);
        let by_model = json!({"gpt-5": {"input_tokens": 7, "cost_usd": 0.5}});
        let both = usage::Usage {
            whole: figures(0, 0, Some(600_000)),
            ..one(figures(7, 0, Some(500_000)))
        };
        for (body, meant) in [
            (json!({}), usage::Usage::default()),
            (
                json!({"cost_usd": 0.5}),
                whole(figures(0, 0, Some(500_000))),
            ),
            (json!({"cost_usd": 0}), whole(figures(0, 0, Some(0)))),
            (
                json!({"input_tokens": 7, "output_tokens": 2}),
                whole(figures(7, 2, None)),
            ),
            (
                json!({"model": "gpt-5", "input_tokens": 7, "output_tokens": null}),
                one(figures(7, 0, None)),
            ),
            (
                json!({"models": by_model}),
                one(figures(7, 0, Some(500_000))),
            ),
            (json!({"models": by_model, "cost_usd": 0.6}), both),
        ] {
            assert_eq!(read(body.clone()), Ok(meant), "{body}");
        }
    }

    #[test]
    fn usage_that_cannot_be_is_refused_with_its_place() {
        let many: BTreeMap<String, Value> = (0..33).map(|at| (at.to_string(), json!({}))).collect();
        for (body, at) in [
            (json!({"cost_usd": -0.5}), "cost_usd"),
            (json!({"cost_usd": 1e10}), "cost_usd"),
            (
                json!({"models": {"m": {"cost_usd": -1}}}),
                "models.m.cost_usd",
            ),
            (
                json!({"models": {"m": {"input_tokens": 2_000_000_000_000_000_u64}}}),
                "models.m.input_tokens",
            ),
            (json!({"models": {"": {}}}), "models"),
            (json!({"model": ""}), "models"),
            (json!({"models": {"m".repeat(129): {}}}), "models"),
            (json!({"models": {"m": {}}, "model": "m"}), "model"),
        ] {
            assert_eq!(read(body.clone()).unwrap_err().at, at, "{body}");
        }
        for body in [
            json!({"input_tokens": -1}),
            json!({"input_tokens": 1.5}),
            json!({"models": {"m": {"output_tokens": "7"}}}),
            json!({"models": []}),
            json!({"models": many}),
        ] {
            assert!(serde_json::from_value::<Usage>(body).is_err());
        }
    }

    #[test]
    fn estimates_and_missing_prices_are_shown_as_such() {
        let estimated = usage::ModelUsage {
            estimated_usd: Some(Micros(250_000)),
            ..figures(7, 0, None)
        };
        let usage = usage::Usage::of_model("estimated", estimated)
            .merge(&usage::Usage::of_model("homemade", figures(3, 0, None)))
            .merge(&usage::Usage::of_model("told", figures(1, 0, Some(100))));
        let shown = serde_json::to_value(UsageShown::from(&usage)).unwrap();
        assert_eq!(shown["unpriced"], true);
        assert_eq!(shown["input_tokens"], 11);
        let models = &shown["models"];
        assert_eq!(models["estimated"]["cost_usd"], 0.25);
        assert_eq!(models["estimated"]["estimated"], true);
        assert_eq!(models["homemade"]["unpriced"], true);
        assert_eq!(models["homemade"]["cost_usd"], 0.0);
        assert_eq!(models["told"].get("estimated"), None);
        assert_eq!(models["told"].get("unpriced"), None);
    }
}
