//! One thing that was looked at, how it stands, and what to do about it.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Level {
    Ok,
    Warning,
    Problem,
}

#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// What was looked at; stays the same from release to release.
    pub(super) check: &'static str,
    pub(super) level: Level,
    pub(super) found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) what_to_do: Option<String>,
}

impl Finding {
    pub(super) fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Finding {
            check,
            level: Level::Ok,
            found: found.into(),
            what_to_do: None,
        }
    }

    pub(super) fn warning(
        check: &'static str,
        found: impl Into<String>,
        what_to_do: impl Into<String>,
    ) -> Self {
        let what_to_do = Some(what_to_do.into());
        Finding {
            check,
            level: Level::Warning,
            found: found.into(),
            what_to_do,
        }
    }

    pub(super) fn problem(
        check: &'static str,
        found: impl Into<String>,
        what_to_do: impl Into<String>,
    ) -> Self {
        let what_to_do = Some(what_to_do.into());
        Finding {
            check,
            level: Level::Problem,
            found: found.into(),
            what_to_do,
        }
    }

    pub(super) fn for_people(&self) -> String {
        let level = match self.level {
            Level::Ok => "ok",
            Level::Warning => "warning",
            Level::Problem => "problem",
        };
        let advice = self
            .what_to_do
            .as_ref()
            .map(|advice| format!("\n{:27}{advice}", ""));
        format!(
            "{level:<8} {:<17} {}{}",
            self.check,
            self.found,
            advice.unwrap_or_default()
        )
    }
}
