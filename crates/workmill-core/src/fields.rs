//! The fields that a type knows, and which of them a misspelt one is meant to be.
//!
//! In: a type and the path of a field that it does not know. Out: the sentence that refuses the field,
//! with a proposal if one is near. The type itself is asked, so the answer cannot become stale.

mod asked;

use serde::de::DeserializeOwned;

/// Structs inside of structs are searched this deep for a field that stands at the wrong level.
const DEEPEST: usize = 2;
/// The beginning of a field's name stands for the whole from so many letters on.
const SHORTEST_BEGINNING: usize = 4;

/// Names from answers and from other queues, and the fields that they mean here.
const OTHER_NAMES: [(&str, &str); 5] = [
    ("budget_ceiling_usd", "budget_usd"),
    ("capabilities", "required_capabilities"),
    ("dependencies", "depends_on"),
    ("max_retries", "max_attempts"),
    ("timeout_sec", "max_duration_sec"),
];

/// Writes the path of a field that a type does not know as requests do: `tasks.0.?.title` is
/// `tasks[0].title`. A value that may be left out is a step of its own on the path.
pub fn written(path: &str) -> String {
    let mut written = String::with_capacity(path.len());
    for step in steps(path) {
        if step.bytes().all(|letter| letter.is_ascii_digit()) {
            written = format!("{written}[{step}]");
        } else {
            if !written.is_empty() {
                written.push('.');
            }
            written.push_str(step);
        }
    }
    written
}

fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').filter(|step| *step != "?")
}

/// Says that there is no such field, and which one is probably meant.
pub fn no_such_field<T: DeserializeOwned>(path: &str) -> String {
    let problem = format!("there is no field `{}`", written(path));
    match meant::<T>(path) {
        Some(meant) => format!("{problem}; did you mean `{meant}`?"),
        None => problem,
    }
}

/// The word of the list that a misspelt one is probably meant to be.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = bare(word);
    let rated = known.iter().map(|known| {
        let letters = bare(known);
        let is_beginning = plain.len() >= SHORTEST_BEGINNING && letters.starts_with(&plain);
        let distance = if is_beginning {
            1
        } else {
            distance(&plain, &letters)
        };
        (distance, *known)
    });
    let (distance, best) = rated.min_by_key(|(distance, _)| *distance)?;
    let most = plain.chars().count() / 3;
    (distance <= most).then_some(best)
}

/// Says that a word is not one of a list, and which one is probably meant; all of them if none is near.
pub fn not_one_of(problem: &str, word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(meant) => format!("{problem}; did you mean `{meant}`?"),
        None => format!("{problem}; there are: {}", known.join(", ")),
    }
}

/// The name of a near field, or the place below of a field with just this name.
fn meant<T: DeserializeOwned>(path: &str) -> Option<String> {
    let mut above: Vec<&str> = steps(path).collect();
    let name = above.pop()?;
    let known = asked::fields::<T>(&above)?;
    if let Some(nearest) = nearest(name, known) {
        return Some(nearest.to_owned());
    }
    below::<T>(&above, known, name, DEEPEST).or_else(|| {
        let (_, name) = OTHER_NAMES.into_iter().find(|(other, _)| *other == name)?;
        let is_here = known.contains(&name);
        is_here
            .then(|| name.to_owned())
            .or_else(|| below::<T>(&above, known, name, DEEPEST))
    })
}

fn below<T: DeserializeOwned>(
    above: &[&str],
    known: &'static [&'static str],
    name: &str,
    deep: usize,
) -> Option<String> {
    let inner: Vec<_> = known
        .iter()
        .filter_map(|&field| {
            let path = [above, &[field]].concat();
            let fields = asked::fields::<T>(&path)?;
            Some((field, path, fields))
        })
        .collect();
    let here = inner.iter().find(|(_, _, fields)| fields.contains(&name));
    if let Some((field, ..)) = here {
        return Some(format!("{field}.{name}"));
    }
    if deep <= 1 {
        return None;
    }
    inner.iter().find_map(|(field, path, fields)| {
        let found = below::<T>(path, fields, name, deep - 1)?;
        Some(format!("{field}.{found}"))
    })
}

/// How a name is written matters less than its letters: `dependsOn` is `depends_on`.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// How many letters have to be added, taken away, exchanged or swapped with the next one.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for (at, row) in rows.iter_mut().enumerate() {
        row[0] = at;
    }
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at;
    }
    for i in 1..=one.len() {
        for j in 1..=other.len() {
            let changed = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1)
                .min(rows[i - 1][j - 1] + changed);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::task::NewTask;

    #[derive(Deserialize)]
    struct Graph {
        #[serde(rename = "tasks")]
        _tasks: Vec<NewTask>,
        #[serde(rename = "budget_usd")]
        _budget: Option<f64>,
    }

    #[test]
    fn a_near_field_is_proposed() {
        for (path, said) in [
            (
                "dependson",
                "there is no field `dependson`; did you mean `depends_on`?",
            ),
            (
                "maxAttempts",
                "there is no field `maxAttempts`; did you mean `max_attempts`?",
            ),
            (
                "tittle",
                "there is no field `tittle`; did you mean `title`?",
            ),
            (
                "spec.promt",
                "there is no field `spec.promt`; did you mean `prompt`?",
            ),
            (
                "prompt",
                "there is no field `prompt`; did you mean `spec.prompt`?",
            ),
            (
                "max_cost_usd",
                "there is no field `max_cost_usd`; did you mean `spec.constraints.max_cost_usd`?",
            ),
            (
                "capabilities",
                "there is no field `capabilities`; did you mean `spec.constraints.required_capabilities`?",
            ),
            (
                "max_retries",
                "there is no field `max_retries`; did you mean `max_attempts`?",
            ),
            (
                "budget_ceiling_usd",
                "there is no field `budget_ceiling_usd`",
            ),
            ("colour", "there is no field `colour`"),
            ("x", "there is no field `x`"),
        ] {
            assert_eq!(no_such_field::<NewTask>(path), said);
        }
    }

    #[test]
    fn fields_of_lists_and_of_what_may_be_left_out_are_known() {
        assert_eq!(
            no_such_field::<Graph>("tasks.1.?.dependson"),
            "there is no field `tasks[1].dependson`; did you mean `depends_on`?"
        );
        for near in ["budget", "budgetusd", "bugdet_usd", "budget_ceiling_usd"] {
            let said = no_such_field::<Graph>(near);
            assert!(said.ends_with("did you mean `budget_usd`?"), "{said}");
        }
    }

    #[test]
    fn what_is_no_struct_has_no_fields() {
        assert_eq!(no_such_field::<Vec<u8>>("a.b"), "there is no field `a.b`");
        assert_eq!(
            no_such_field::<serde_json::Value>("a"),
            "there is no field `a`"
        );
    }
}
