//! Why somebody is suspect, in sentences.

use std::collections::BTreeSet;

use super::elsewhere::{Elsewhere, Health};
use super::{Count, Doubt, Found, History, Points};
use crate::price::PriceTable;

/// More agents or models are not named one by one.
const MOST_NAMED: usize = 5;

fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_at_checked(MOST_NAMED) {
        Some((first, rest)) if !rest.is_empty() => {
            format!("{} and {} more", first.join(", "), rest.len())
        }
        _ => names.join(", "),
    }
}

fn figures(count: Count) -> String {
    let all = count.completed + count.failed;
    format!("{} of {all} completed", count.completed)
}

pub(super) fn task(agents: &BTreeSet<&str>, is_one_kind: bool) -> String {
    let alike = if is_one_kind { " in the same way" } else { "" };
    format!(
        "{} failed it{alike}, and complete other tasks.",
        list(agents.iter().copied())
    )
}

pub(super) fn agent(elsewhere: &Elsewhere<'_>, agent: &str, model: &str) -> String {
    let with_it = |other: &str| model.is_empty() || other == model;
    let mut count = elsewhere.count(|one, other| one == agent && with_it(other));
    if count.health() != Health::Failing {
        count = elsewhere.count(|one, _| one == agent);
    }
    let others = elsewhere.standing(with_it).without(agent);
    let model = match model {
        "" => String::new(),
        model => format!(" with `{model}`"),
    };
    format!(
        "`{agent}` fails other tasks too ({}), while others complete theirs{model}: {}.",
        figures(count),
        list(others.healthy)
    )
}

pub(super) fn model(
    elsewhere: &Elsewhere<'_>,
    prices: &PriceTable,
    agent: &str,
    model: &str,
) -> String {
    let mut failing = elsewhere.standing(|other| other == model).failing;
    failing.insert(agent);
    let count = elsewhere.count(|_, other| other == model);
    let provider = prices.provider(model);
    let of_it = |other: &&str| *other != model && prices.provider(other) == provider;
    let known = elsewhere.models().into_iter();
    let doubt = if provider != model && known.filter(of_it).count() == 0 {
        format!(" It may be all of `{provider}`: no other model of it was tried.")
    } else {
        String::new()
    };
    format!(
        "{} fail with `{model}`, other tasks as well ({}), while others are completed with other \
         models.{doubt}",
        list(failing),
        figures(count)
    )
}

pub(super) fn provider(elsewhere: &Elsewhere<'_>, prices: &PriceTable, provider: &str) -> String {
    let of_it = |model: &str| !model.is_empty() && prices.provider(model) == provider;
    let models = elsewhere.models().into_iter();
    let count = elsewhere.count(|_, model| of_it(model));
    format!(
        "Several agents fail with models of `{provider}` ({}), other tasks as well ({}), while \
         others are completed with models of others.",
        list(models.filter(|model| of_it(model))),
        figures(count)
    )
}

/// Why it cannot be told yet, and what would help.
pub(super) fn unknown(history: &History, found: &[Found<'_>]) -> String {
    let Some(one) = found.first() else {
        let failures = history.here.iter().filter_map(|attempt| attempt.failed);
        let reasons: BTreeSet<&str> = failures.map(|failure| failure.reason.name()).collect();
        return format!(
            "The reasons for which its attempts ended do not point to a suspect: {}.",
            list(reasons)
        );
    };
    let blames = |one: &&Found<'_>| one.points == Points::Task;
    if let Some(one) = found.iter().find(blames) {
        return format!(
            "`{}` failed it and completes other tasks. It takes another agent like that before the \
             task is suspect.",
            one.agent
        );
    }
    let agents: BTreeSet<&str> = found.iter().map(|one| one.agent).collect();
    let doubt = match &one.points {
        Points::Nowhere(doubt) => *doubt,
        Points::Task | Points::Agent | Points::Model | Points::Provider => Doubt::TooLittle,
    };
    match doubt {
        Doubt::Network => {
            "The network failed it: the provider may be the cause. The failure is no evidence \
             against the task."
                .to_owned()
        }
        Doubt::TooLittle => format!(
            "{} tried too few other tasks around that time.",
            list(agents)
        ),
        Doubt::NobodyElse => format!(
            "{} failed it, and too few other attempts were made around that time to compare with.",
            list(agents)
        ),
        Doubt::OthersToo if one.model.is_empty() => {
            "Other agents fail as well, and it was not reported with which model it was tried."
                .to_owned()
        }
        Doubt::OthersToo => {
            "Other agents fail as well, and too few tasks are completed with another model to tell \
             whether it is the model."
                .to_owned()
        }
    }
}
