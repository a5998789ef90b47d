use proptest::prelude::*;
use serde_json::json;

use super::*;

fn tokens(input_tokens: u64, output_tokens: u64) -> ModelUsage {
    ModelUsage {
        input_tokens,
        output_tokens,
        ..ModelUsage::default()
    }
}

fn costing(micros: i64) -> ModelUsage {
    ModelUsage {
        cost_usd: Some(Micros(micros)),
        ..ModelUsage::default()
    }
}

fn model_usage() -> impl Strategy<Value = ModelUsage> {
    let cost = || proptest::option::of((0..5_000_000_i64).prop_map(Micros));
    (0..1000_u64, 0..1000_u64, 0..1000_u64, cost(), cost()).prop_map(
        |(input_tokens, output_tokens, cached_input_tokens, cost_usd, estimated_usd)| ModelUsage {
            input_tokens,
            output_tokens,
            cached_input_tokens,
            cost_usd,
            estimated_usd,
        },
    )
}

fn usage() -> impl Strategy<Value = Usage> {
    let models = proptest::collection::btree_map("[a-d]", model_usage(), 0..4);
    (model_usage(), models).prop_map(|(whole, models)| Usage { whole, models })
}

fn is_covered(figures: &ModelUsage, by: &ModelUsage) -> bool {
    figures.input_tokens <= by.input_tokens
        && figures.output_tokens <= by.output_tokens
        && figures.cached_input_tokens <= by.cached_input_tokens
        && figures.cost_usd <= by.cost_usd
        && figures.estimated_usd <= by.estimated_usd
}

proptest! {
    /// F-37
    #[test]
    fn reports_may_come_in_any_order_and_any_number_of_times(
        one in usage(), two in usage(), three in usage()
    ) {
        prop_assert_eq!(one.merge(&two), two.merge(&one));
        prop_assert_eq!(one.merge(&two).merge(&three), one.merge(&two.merge(&three)));
        prop_assert_eq!(one.merge(&one), one.clone());
        prop_assert_eq!(one.merge(&two).merge(&one), one.merge(&two));
        prop_assert_eq!(one.merge(&Usage::default()), one);
    }

    #[test]
    fn no_report_takes_back_what_another_one_said(one in usage(), two in usage()) {
        let both = one.merge(&two);
        prop_assert!(is_covered(&one.whole, &both.whole));
        for (model, figures) in &one.models {
            prop_assert!(is_covered(figures, &both.models[model]));
        }
        prop_assert!(both.input_tokens() >= one.input_tokens().max(two.input_tokens()));
        prop_assert!(both.output_tokens() >= one.output_tokens().max(two.output_tokens()));
    }

    #[test]
    fn cumulative_reports_come_to_what_the_last_one_says(
        steps in proptest::collection::vec((0..3_usize, 0..100_u64, 0..1000_i64), 1..20),
        order in any::<prop::sample::Index>(),
    ) {
        let mut so_far = Usage::default();
        let mut reports = Vec::new();
        for (model, spent, micros) in steps {
            let figures = so_far.models.entry(format!("model-{model}")).or_default();
            figures.input_tokens += spent;
            figures.cost_usd = Some(Micros(figures.cost().0 + micros));
            reports.push(so_far.clone());
        }
        let first = order.index(reports.len());
        reports.rotate_left(first);
        reports.push(reports[0].clone());
        let merged = reports.iter().fold(Usage::default(), |known, report| known.merge(report));
        prop_assert_eq!(merged, so_far);
    }

    #[test]
    fn what_is_stored_is_read_back_as_it_was(usage in usage()) {
        let stored = serde_json::to_string(&usage).unwrap();
        prop_assert_eq!(serde_json::from_str::<Usage>(&stored).unwrap(), usage);
    }
}

#[test]
fn models_add_up_and_a_figure_for_the_whole_is_not_added_to_them() {
    let models = Usage::of_model("a", tokens(100, 10)).merge(&Usage::of_model("b", tokens(50, 5)));
    assert_eq!((models.input_tokens(), models.output_tokens()), (150, 15));
    let both = models.merge(&Usage::of_whole(tokens(120, 40)));
    assert_eq!((both.input_tokens(), both.output_tokens()), (150, 40));

    let models = Usage::of_model("a", costing(300)).merge(&Usage::of_model("b", costing(200)));
    assert_eq!(models.cost(), Micros(500));
    assert_eq!(
        models.merge(&Usage::of_whole(costing(400))).cost(),
        Micros(500)
    );
    assert_eq!(
        models.merge(&Usage::of_whole(costing(600))).cost(),
        Micros(600)
    );
}

#[test]
fn a_cost_that_the_agent_names_counts_before_an_estimate() {
    let estimated = ModelUsage {
        estimated_usd: Some(Micros(900)),
        ..tokens(100, 10)
    };
    assert_eq!(Usage::of_model("a", estimated).cost(), Micros(900));
    let told = Usage::of_model("a", estimated).merge(&Usage::of_model("a", costing(700)));
    assert_eq!(told.cost(), Micros(700));
    let free = Usage::of_model("a", estimated).merge(&Usage::of_model("a", costing(0)));
    assert_eq!((free.cost(), free.is_unpriced()), (Micros::ZERO, false));
}

#[test]
fn tokens_without_a_price_are_marked() {
    let unknown = Usage::of_model("homemade", tokens(100, 10));
    assert_eq!(
        (unknown.cost(), unknown.is_unpriced()),
        (Micros::ZERO, true)
    );
    assert!(Usage::of_whole(tokens(1, 0)).is_unpriced());
    assert!(!unknown.merge(&Usage::of_whole(costing(5))).is_unpriced());
    assert!(!Usage::default().is_unpriced());
    assert!(!Usage::of_whole(costing(5)).is_unpriced());
}

#[test]
fn an_attempt_is_told_apart_by_a_bounded_number_of_models_and_its_sums_do_not_fall() {
    let report = |names: std::ops::Range<usize>| Usage {
        whole: ModelUsage::default(),
        models: names
            .map(|name| (format!("model-{name:03}"), costing(10)))
            .collect(),
    };
    let mut known = report(0..MOST_MODELS);
    for step in 1..10 {
        let next = report(step * 30..step * 30 + MOST_MODELS);
        let merged = known.merge(&next);
        assert_eq!(merged.models.len(), MOST_MODELS);
        assert!(merged.cost() >= known.cost() && merged.cost() >= next.cost());
        assert!(
            known
                .models
                .keys()
                .all(|model| merged.models.contains_key(model))
        );
        assert_eq!(merged.merge(&next), merged, "said again, it adds nothing");
        known = merged;
    }
    assert!(
        known.cost() > Micros(10 * 32),
        "what was left out is in the whole"
    );
}

#[test]
fn what_is_out_of_bounds_is_refused_with_its_place() {
    let many = |many: usize| Usage {
        whole: ModelUsage::default(),
        models: (0..many)
            .map(|name| (name.to_string(), tokens(1, 1)))
            .collect(),
    };
    assert_eq!(many(MOST_MODELS).check(), Ok(()));
    let named = |name: &str| Usage::of_model(name, tokens(1, 1));
    assert_eq!(named(&"é".repeat(LONGEST_MODEL_NAME)).check(), Ok(()));
    assert_eq!(Usage::of_whole(tokens(MOST_TOKENS, 0)).check(), Ok(()));
    for (usage, at) in [
        (many(MOST_MODELS + 1), "models"),
        (named(""), "models"),
        (named(" "), "models"),
        (named("a\nb"), "models"),
        (named(&"m".repeat(LONGEST_MODEL_NAME + 1)), "models"),
        (Usage::of_whole(tokens(MOST_TOKENS + 1, 0)), "input_tokens"),
        (
            Usage::of_model("m", tokens(0, u64::MAX)),
            "models.m.output_tokens",
        ),
        (Usage::of_model("m", costing(-1)), "models.m.cost_usd"),
        (Usage::of_whole(costing(Micros::LARGEST.0 + 1)), "cost_usd"),
    ] {
        assert_eq!(usage.check().unwrap_err().at, at);
    }
}

#[test]
fn sums_of_the_largest_figures_do_not_overflow() {
    let most = ModelUsage {
        input_tokens: u64::MAX,
        cost_usd: Some(Micros(i64::MAX)),
        ..ModelUsage::default()
    };
    let usage = Usage::of_model("a", most).merge(&Usage::of_model("b", most));
    assert_eq!(
        (usage.input_tokens(), usage.cost()),
        (u64::MAX, Micros(i64::MAX))
    );
}

#[test]
fn dollars_that_agents_added_up_are_rounded_to_millionths() {
    for (dollars, micros) in [
        (0.1 + 0.2, 300_000),
        (0.012_345_678_9, 12_346),
        (0.000_000_5, 1),
        (0.000_000_4, 0),
        (1e9, Micros::LARGEST.0),
    ] {
        assert_eq!(reported_dollars(dollars), Some(Micros(micros)), "{dollars}");
    }
    for no_money in [-0.01, 1e9 + 1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(reported_dollars(no_money), None, "{no_money}");
    }
}

#[test]
fn little_is_stored_of_little() {
    assert_eq!(json!(Usage::default()), json!({}));
    let usage = Usage::of_model("a", tokens(7, 0)).merge(&Usage::of_whole(costing(250_000)));
    assert_eq!(
        json!(usage),
        json!({"whole": {"cost_usd": 0.25}, "models": {"a": {"input_tokens": 7}}})
    );
}
