//! The names of models: the same model is called `claude-sonnet-4-5`, `claude-sonnet-4-5-20250929`,
//! `anthropic/claude-sonnet-4.5` or `us.anthropic.claude-sonnet-4-5-20250929-v1:0`.

use std::cmp::Reverse;

/// A model's name without provider, date and spelling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Family(String);

/// How well a name stands for its family; the smaller one speaks for it. A plain name is better
/// than one with a provider, whose price may be its own, and one without a date than the latest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing {
    providers: usize,
    has_date: bool,
    date: Reverse<String>,
}

impl Standing {
    /// No provider is part of the name.
    pub(super) fn is_plain(&self) -> bool {
        self.providers == 0
    }
}

pub(super) fn place(name: &str) -> (Family, Standing) {
    let name = name.trim().to_lowercase();
    let mut parts: Vec<&str> = name.split('/').collect();
    let model = parts.pop().unwrap_or_default();
    let (model, dotted) = without_dotted_providers(model);
    let model = without_context_window(model);
    let model = without_revision(model);
    let model = model.strip_suffix("-latest").unwrap_or(model);
    let (model, date) = without_date(model);
    let standing = Standing {
        providers: parts.len() + dotted,
        has_date: date.is_some(),
        date: Reverse(date.unwrap_or_default()),
    };
    (Family(model.replace('.', "-")), standing)
}

/// `us.anthropic.claude-…`: words of letters before a dot. A version has a digit before its dot.
fn without_dotted_providers(name: &str) -> (&str, usize) {
    match name.split_once('.') {
        Some((provider, model))
            if !provider.is_empty() && provider.bytes().all(|byte| byte.is_ascii_lowercase()) =>
        {
            let (model, more) = without_dotted_providers(model);
            (model, more + 1)
        }
        _ => (name, 0),
    }
}

/// `claude-…[1m]`
fn without_context_window(name: &str) -> &str {
    match name.split_once('[') {
        Some((model, window)) if window.ends_with(']') => model,
        _ => name,
    }
}

/// `…-v1:0`
fn without_revision(name: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once("-v") {
        Some((model, revision))
            if revision
                .split_once(':')
                .is_some_and(|(major, minor)| is_number(major) && is_number(minor)) =>
        {
            model
        }
        _ => name,
    }
}

/// `…-20250929`, `…@20250929`, `…-2024-11-20`; the date without its dashes.
fn without_date(name: &str) -> (&str, Option<String>) {
    for length in ["20250929".len(), "2025-09-29".len()] {
        let Some((model, date)) = name
            .len()
            .checked_sub(length)
            .and_then(|at| name.split_at_checked(at))
        else {
            continue;
        };
        let is_dashed = date.char_indices().all(|(at, char)| match at {
            4 | 7 if length == 10 => char == '-',
            _ => char.is_ascii_digit(),
        });
        if let Some(model) = model.strip_suffix(['-', '@'])
            && is_dashed
            && date.starts_with("20")
        {
            return (model, Some(date.replace('-', "")));
        }
    }
    (name, None)
}
