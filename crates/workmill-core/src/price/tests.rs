use proptest::prelude::*;

use super::*;

fn table(json: &Value) -> PriceTable {
    PriceTable::read(&json.to_string()).unwrap()
}

fn used(input_tokens: u64, cached_input_tokens: u64, output_tokens: u64) -> ModelUsage {
    ModelUsage {
        input_tokens,
        output_tokens,
        cached_input_tokens,
        ..ModelUsage::default()
    }
}

fn cost(table: &PriceTable, model: &str, figures: ModelUsage) -> Option<i64> {
    let usage = table.estimate(Usage::of_model(model, figures));
    (!usage.is_unpriced()).then(|| usage.cost().0)
}

/// A million tokens of each kind, in dollars: input, output, cached input.
fn dollars_a_million(table: &PriceTable, model: &str) -> Option<[f64; 3]> {
    let of = |figures| cost(table, model, figures).map(|micros| Micros(micros).dollars());
    Some([
        of(used(1_000_000, 0, 0))?,
        of(used(0, 0, 1_000_000))?,
        of(used(1_000_000, 1_000_000, 0))?,
    ])
}

/// F-37
#[test]
fn tokens_are_turned_into_money_exactly_and_rounded_once_for_a_model() {
    let table = table(&serde_json::json!({
        "m": {
            "input_cost_per_token": 2.5e-07,
            "output_cost_per_token": 2e-06,
            "cache_read_input_token_cost": 2.5e-08,
        },
    }));
    // 0.25 a token: each kind by itself would be rounded up.
    assert_eq!(cost(&table, "m", used(2, 0, 0)), Some(1), "half upwards");
    assert_eq!(cost(&table, "m", used(1, 0, 0)), Some(0));
    assert_eq!(cost(&table, "m", used(12, 10, 0)), Some(1), "0.5 + 0.25");
    assert_eq!(
        cost(&table, "m", used(12, 10, 1)),
        Some(3),
        "0.5 + 0.25 + 2"
    );
    assert_eq!(
        cost(&table, "m", used(1_000_000, 400_000, 5_000)),
        Some(170_000)
    );
    // Sums of floats would be off by now.
    assert_eq!(
        cost(&table, "m", used(333_333_333_333, 0, 0)),
        Some(83_333_333_333)
    );
}

proptest! {
    #[test]
    fn more_tokens_never_cost_less(
        input in 0..1_000_000_u64, cached in 0..1_000_000_u64, output in 0..1_000_000_u64,
        more in 0..1000_u64, more_cached in 0..1000_u64, more_output in 0..1000_u64,
    ) {
        let table = PriceTable::built_in();
        let cached = cached.min(input);
        // What is read from the cache is input, too.
        let later = used(input + more + more_cached, cached + more_cached, output + more_output);
        let first = cost(&table, "claude-haiku-4-5", used(input, cached, output));
        prop_assert!(first <= cost(&table, "claude-haiku-4-5", later));
    }

    #[test]
    fn the_largest_report_has_a_price(
        input in 0..=crate::usage::MOST_TOKENS, output in 0..=crate::usage::MOST_TOKENS
    ) {
        let table = table(&serde_json::json!({
            "m": {"input_cost_per_token": 1, "output_cost_per_token": 1},
        }));
        let micros = cost(&table, "m", used(input, 0, output)).unwrap();
        prop_assert!((0..=Micros::LARGEST.0).contains(&micros));
    }
}

#[test]
fn what_the_agent_says_it_cost_is_not_estimated() {
    let told = ModelUsage {
        cost_usd: Some(Micros(7)),
        ..used(1_000_000, 0, 0)
    };
    let usage = PriceTable::built_in().estimate(Usage::of_model("gpt-5", told));
    assert_eq!(usage.cost(), Micros(7));
    assert_eq!(usage.models["gpt-5"].estimated_usd, None);
}

#[test]
fn a_model_without_a_price_costs_nothing_and_is_marked() {
    let usage = PriceTable::built_in().estimate(Usage::of_model("homemade-1", used(1, 0, 1)));
    assert_eq!((usage.cost(), usage.is_unpriced()), (Micros::ZERO, true));
}

#[test]
fn cached_input_costs_what_input_costs_where_the_table_grants_no_discount() {
    let table = table(&serde_json::json!({"m": {"input_cost_per_token": 1e-06}}));
    assert_eq!(dollars_a_million(&table, "m"), Some([1.0, 0.0, 1.0]));
    assert_eq!(
        cost(&table, "m", used(5, 100, 0)),
        Some(100),
        "agents that count the cached ones apart pay for them"
    );
}

#[test]
fn the_table_that_is_built_in_knows_current_models() {
    let table = PriceTable::built_in();
    assert!(table.len() >= 12 && !table.is_empty());
    for (model, prices) in [
        ("claude-sonnet-4-5", [3.0, 15.0, 0.3]),
        ("claude-haiku-4-5", [1.0, 5.0, 0.1]),
        ("gpt-5", [1.25, 10.0, 0.125]),
        ("gpt-5.4-mini", [0.75, 4.5, 0.075]),
        ("gemini-2.5-flash", [0.3, 2.5, 0.03]),
    ] {
        assert_eq!(dollars_a_million(&table, model), Some(prices), "{model}");
    }
    assert_eq!(dollars_a_million(&table, "sample_spec"), None);
}

#[test]
fn a_model_is_found_under_the_names_that_providers_give_it() {
    let table = PriceTable::built_in();
    let sonnet = dollars_a_million(&table, "claude-sonnet-4-5");
    for name in [
        "Claude-Sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-sonnet-4-5@20250929",
        "claude-sonnet-4-5-latest",
        "claude-sonnet-4-5-20250929[1m]",
        "anthropic/claude-sonnet-4-5",
        "openrouter/anthropic/claude-sonnet-4.5",
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ] {
        assert_eq!(dollars_a_million(&table, name), sonnet, "{name}");
    }
    assert_eq!(
        dollars_a_million(&table, "openai/gpt-4o-2024-11-20"),
        dollars_a_million(&table, "gpt-4o")
    );
    for other in [
        "claude-sonnet-4-5-turbo",
        "claude-sonnet-4",
        "claude-sonnet-4-50",
        "gpt-5-codex-20250929-x",
        "anthropic/",
        "[1m]",
        "é20250929",
        "",
    ] {
        assert_eq!(dollars_a_million(&table, other), None, "{other}");
    }
}

#[test]
fn the_name_as_it_is_comes_first_and_a_plain_name_speaks_for_the_others() {
    let priced = |dollars: f64| serde_json::json!({"input_cost_per_token": dollars * 1e-6});
    let table = table(&serde_json::json!({
        "azure/gpt-4o": priced(2.75),
        "gpt-4o": priced(2.5),
        "gpt-4o-2024-05-13": priced(5.0),
        "haiku-20240307": priced(0.25),
        "haiku-20241022": priced(0.8),
    }));
    for (model, dollars) in [
        ("azure/gpt-4o", 2.75),
        ("gpt-4o-2024-05-13", 5.0),
        ("openai/gpt-4o", 2.5),
        ("gpt-4o-2024-11-20", 2.5),
        ("haiku", 0.8),
        ("haiku-20240307", 0.25),
    ] {
        let found = dollars_a_million(&table, model).map(|[input, ..]| input);
        assert_eq!(found, Some(dollars), "{model}");
    }
}

#[test]
fn the_oddities_of_a_real_table_are_left_out() {
    let table = table(&serde_json::json!({
        "sample_spec": {"input_cost_per_token": "dollars", "max_tokens": "how many"},
        "1024-x-1024/dall-e-2": {"input_cost_per_pixel": 1.9e-08, "mode": "image_generation"},
        "m": {
            "input_cost_per_token": 1e-06,
            "input_cost_per_token_above_200k_tokens": 2e-06,
            "output_cost_per_token": null,
            "search_context_cost_per_query": {"search_context_size_low": 0.01},
            "supports_vision": true,
        },
    }));
    assert_eq!(table.len(), 1);
    assert_eq!(dollars_a_million(&table, "m"), Some([1.0, 0.0, 1.0]));
}

#[test]
fn a_bad_table_is_refused_with_what_is_wrong() {
    for (json, problem) in [
        ("{\"m\": ", "it is not JSON"),
        ("[]", "not an object with the names of models"),
        ("{\"m\": 3}", "`m` is not an object"),
        ("{}", "names no model"),
        ("{\"m\": {\"max_tokens\": 7}}", "names no model"),
        (
            "{\"m\": {\"input_cost_per_token\": -1e-06}}",
            "`input_cost_per_token` of `m` is -1e-6",
        ),
        (
            "{\"m\": {\"output_cost_per_token\": \"3e-06\"}}",
            "`output_cost_per_token` of `m` is \"3e-06\"",
        ),
        (
            "{\"m\": {\"input_cost_per_token\": 3}}",
            "not a price between 0 and 1 dollar a token",
        ),
    ] {
        let refusal = PriceTable::read(json).unwrap_err().to_string();
        assert!(refusal.contains(problem), "{json}: {refusal}");
    }
}

#[test]
fn a_provider_is_that_of_the_table_or_of_the_name() {
    let table = table(&serde_json::json!({
        "claude-opus-5": { "input_cost_per_token": 1e-06, "litellm_provider": "anthropic" },
        "bedrock/nova": { "input_cost_per_token": 1e-06, "litellm_provider": "amazon" },
        "nameless": { "input_cost_per_token": 1e-06 },
    }));
    for (model, provider) in [
        ("claude-opus-5", "anthropic"),
        ("Claude-Opus-5", "anthropic"),
        ("claude-opus-5-20260101", "anthropic"),
        ("bedrock/nova", "amazon"),
        // Sold by somebody else.
        ("openrouter/anthropic/claude-opus-5", "openrouter"),
        ("us.anthropic.claude-opus-5", "us.anthropic.claude-opus-5"),
        ("nameless", "nameless"),
        ("llama", "llama"),
        ("/llama", "/llama"),
    ] {
        assert_eq!(table.provider(model), provider);
    }
    assert_eq!(PriceTable::default().provider("openai/gpt-5"), "openai");
}
