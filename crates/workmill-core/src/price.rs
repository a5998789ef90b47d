//! What tokens cost: a table of prices, for agents that report tokens but no money.
//!
//! The table has the form of `LiteLLM`'s `model_prices_and_context_window.json`: for each model the
//! dollars a token. A small one is built in as a starting point; who wants other prices gives a
//! file. Prices are kept as whole numbers, and the sum for a model is rounded once.

mod name;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::money::Micros;
use crate::usage::{ModelUsage, Usage};
use name::{Family, Standing};

const BUILT_IN: &str = include_str!("price/starting_point.json");

/// Prices have many decimals: one token of a small model is some hundredths of a millionth. A
/// millionth of a billionth of a dollar is fine enough for all of them.
const UNITS_A_DOLLAR: f64 = 1e15;
const UNITS_A_MICRO: i128 = 1_000_000_000;
/// A price above this is a mistake in the file.
const DEAREST_TOKEN_USD: f64 = 1.0;

/// What a token costs, in the unit above, and who sells it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Price {
    input: i64,
    output: i64,
    cached_input: i64,
    provider: Option<String>,
}

impl Price {
    /// Rounded once, half a millionth upwards.
    fn of(&self, used: &ModelUsage) -> Micros {
        let times = |tokens: u64, price: i64| i128::from(tokens) * i128::from(price);
        let uncached = used.input_tokens.saturating_sub(used.cached_input_tokens);
        let units = times(uncached, self.input)
            + times(used.cached_input_tokens, self.cached_input)
            + times(used.output_tokens, self.output);
        let micros = (units + UNITS_A_MICRO / 2) / UNITS_A_MICRO;
        Micros(i64::try_from(micros).unwrap_or(i64::MAX)).min(Micros::LARGEST)
    }
}

/// What makes a table of prices unusable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidPrices {
    #[error("it is not JSON: {0}")]
    NoJson(String),
    #[error("it is not an object with the names of models as keys")]
    NoObject,
    #[error("`{model}` is not an object")]
    NoModel { model: String },
    #[error("`{field}` of `{model}` is {found}, not a price between 0 and 1 dollar a token")]
    NoPrice {
        model: String,
        field: &'static str,
        found: String,
    },
    #[error("it names no model with a price for tokens")]
    Empty,
}

/// The prices of models. By default it knows none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PriceTable {
    exact: BTreeMap<String, Price>,
    /// For names that the table does not have as they are: the entry that speaks for all of their
    /// kind.
    families: BTreeMap<Family, (Standing, Price)>,
}

impl PriceTable {
    /// The starting point.
    pub fn built_in() -> PriceTable {
        PriceTable::read(BUILT_IN).expect("the table that is built in can be read")
    }

    /// Reads a table. Models without a price for tokens, and fields that are not known, are left
    /// out: `LiteLLM`'s table has pictures and voices, too.
    pub fn read(json: &str) -> Result<PriceTable, InvalidPrices> {
        let table: Value =
            serde_json::from_str(json).map_err(|error| InvalidPrices::NoJson(error.to_string()))?;
        let Value::Object(entries) = table else {
            return Err(InvalidPrices::NoObject);
        };
        let mut table = PriceTable::default();
        // How `LiteLLM` documents its fields.
        for (model, entry) in entries.iter().filter(|(model, _)| *model != "sample_spec") {
            let Value::Object(entry) = entry else {
                let model = model.clone();
                return Err(InvalidPrices::NoModel { model });
            };
            if let Some(price) = read_price(model, entry)? {
                table.add(model, price);
            }
        }
        if table.exact.is_empty() {
            return Err(InvalidPrices::Empty);
        }
        Ok(table)
    }

    pub fn len(&self) -> usize {
        self.exact.len()
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    fn add(&mut self, model: &str, price: Price) {
        let (family, standing) = name::place(model);
        let speaks = self.families.get(&family);
        if speaks.is_none_or(|(other, _)| standing < *other) {
            self.families.insert(family, (standing, price.clone()));
        }
        self.exact.insert(model.to_lowercase(), price);
    }

    fn find(&self, model: &str) -> Option<&Price> {
        self.exact.get(&model.to_lowercase()).or_else(|| {
            let (family, _) = name::place(model);
            self.families.get(&family).map(|(_, price)| price)
        })
    }

    /// Who runs a model: whom the table names; otherwise what stands before the first `/` of the
    /// name; otherwise nobody is known but the model itself. The table's word for all models of a
    /// kind counts only for plain names: whoever sells the same model too has a name of its own.
    pub fn provider<'a>(&'a self, model: &'a str) -> &'a str {
        let named = |price: &'a Price| price.provider.as_deref();
        let exact = self.exact.get(&model.to_lowercase()).and_then(named);
        let before_slash = || model.split_once('/').map(|(provider, _)| provider);
        let of_its_kind = || {
            let (family, standing) = name::place(model);
            let (_, price) = self.families.get(&family)?;
            named(price).filter(|_| standing.is_plain())
        };
        let known = exact.or_else(before_slash).or_else(of_its_kind);
        known.filter(|known| !known.is_empty()).unwrap_or(model)
    }

    /// Estimates what the models cost for which the agent has named no cost. Those that the table
    /// does not know stay without a price.
    #[must_use]
    pub fn estimate(&self, mut usage: Usage) -> Usage {
        for (model, figures) in &mut usage.models {
            if figures.cost_usd.is_none() {
                figures.estimated_usd = self.find(model).map(|price| price.of(figures));
            }
        }
        usage
    }
}

fn read_price(model: &str, entry: &Map<String, Value>) -> Result<Option<Price>, InvalidPrices> {
    let input = read_field(model, entry, "input_cost_per_token")?;
    let output = read_field(model, entry, "output_cost_per_token")?;
    let cached_input = read_field(model, entry, "cache_read_input_token_cost")?;
    if input.is_none() && output.is_none() {
        return Ok(None);
    }
    let input = input.unwrap_or(0);
    Ok(Some(Price {
        input,
        output: output.unwrap_or(0),
        // No discount that nobody has granted.
        cached_input: cached_input.unwrap_or(input),
        provider: entry
            .get("litellm_provider")
            .and_then(Value::as_str)
            .map(str::to_owned),
    }))
}

#[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
fn read_field(
    model: &str,
    entry: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<i64>, InvalidPrices> {
    match entry.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => match found.as_f64() {
            Some(dollars) if (0.0..=DEAREST_TOKEN_USD).contains(&dollars) => {
                Ok(Some((dollars * UNITS_A_DOLLAR).round() as i64))
            }
            _ => Err(InvalidPrices::NoPrice {
                model: model.to_owned(),
                field,
                found: found.to_string(),
            }),
        },
    }
}

#[cfg(test)]
mod tests;
