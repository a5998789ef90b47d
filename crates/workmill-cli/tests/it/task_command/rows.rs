//! The rows of a plan: priorities without a scale, times that move with the work, and the same in SQL.

use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Plan, text};
use crate::support::{assert_exit, stderr};

/// The times of a task in one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times {
    updated_at: Timestamp,
    lease_expires_at: Option<Timestamp>,
}

impl Times {
    fn of(row: &Value) -> Result<Times> {
        let expires = &row["lease_expires_at"];
        let expires = expires.as_str().map(str::parse).transpose()?;
        Ok(Times {
            updated_at: row["updated_at"].as_str().context("a time")?.parse()?,
            lease_expires_at: expires,
        })
    }
}

impl Plan {
    fn times(&self, id: &str) -> Result<Times> {
        Times::of(&self.json(&["show", id])?)
    }

    /// The rows of a query, as psql prints them; fields are separated by spaces.
    fn sql(&self, query: &str) -> Result<Vec<String>> {
        let mut psql = self
            .home
            .command(&["psql", "--", "-At", "-F", " ", "-c", query]);
        let output = psql.output()?;
        ensure!(output.status.success(), "{query}: {}", stderr(&output));
        Ok(text(&output).lines().map(str::to_owned).collect())
    }

    /// The times of a task as the view has them.
    fn times_in_sql(&self, id: &str) -> Result<Times> {
        let query = format!(
            "select jsonb_build_object('updated_at', updated_at, 'lease_expires_at', lease_expires_at)
             from workmill.tasks where key = '{id}'"
        );
        let row = self.sql(&query)?.pop().context("a row")?;
        Times::of(&serde_json::from_str(&row)?)
    }
}

/// T-13: any integer is a priority; `updated_at` and `lease_expires_at` move with claim, done and fail
/// and are printed by `task show` and `task claim`; both, and `task_deps`, can be read in SQL.
#[test]
fn rows_have_any_priority_and_times_that_move_and_can_be_read_in_sql() -> Result<()> {
    let plan = Plan::start()?;
    let add = |id: &str, priority: &str, more: &[&str]| {
        let flags = ["--title", id, "--spec-ref", "r.md", "--priority", priority];
        plan.json(&[&["add", "--id", id], &flags[..], more].concat())
    };
    let (least, most) = (i32::MIN.to_string(), i32::MAX.to_string());
    add("most", &most, &[])?;
    add("over", "101", &[])?;
    add("below", "-7", &["--dep", "over"])?;
    add("least", &least, &[])?;
    let ids = ["least", "below", "over", "most"];
    for (id, priority) in ids.iter().zip([i32::MIN, -7, 101, i32::MAX]) {
        assert_eq!(plan.json(&["show", id])?["priority"], priority, "{id}");
    }
    let ranked = "select key, priority from workmill.tasks order by priority";
    assert_eq!(
        plan.sql(ranked)?,
        [
            format!("least {least}"),
            "below -7".to_owned(),
            "over 101".to_owned(),
            format!("most {most}")
        ]
    );
    let no_integer = [
        "add",
        "--id",
        "x",
        "--title",
        "x",
        "--spec-ref",
        "r",
        "--priority",
        "1.5",
    ];
    assert_exit(&plan.task(&no_integer)?, 64);

    // The smallest comes first; a claim moves both times, which are the same everywhere.
    let added = plan.times("least")?;
    assert_eq!(added.lease_expires_at, None);
    let claimed = plan.json(&["claim", "--agent", "ada"])?;
    assert_eq!(claimed["id"], "least");
    let held = Times::of(&claimed)?;
    assert!(held.updated_at > added.updated_at, "{added:?} {held:?}");
    assert!(held.lease_expires_at > Some(held.updated_at), "{held:?}");
    assert_eq!(plan.times("least")?, held);
    assert_eq!(plan.times_in_sql("least")?, held);
    let shown = plan.task(&["show", "least"])?;
    let expires = held.lease_expires_at.context("it is held")?;
    for line in [
        format!("updated_at {}\n", held.updated_at),
        format!("lease_expires_at {expires}\n"),
    ] {
        assert!(text(&shown).contains(&line), "{}", text(&shown));
    }

    // A failure moves `updated_at` and ends the lease; so does a completion.
    plan.json(&["fail", "least", "--agent", "ada", "--reason", "no disk"])?;
    let failed = plan.times("least")?;
    assert!(failed.updated_at > held.updated_at, "{held:?} {failed:?}");
    assert_eq!(failed.lease_expires_at, None);
    assert_eq!(plan.times_in_sql("least")?, failed);
    let again = plan.task(&["claim", "--agent", "ada"])?;
    assert_exit(&again, 0);
    let again = text(&again);
    assert!(again.starts_with("least "), "{again}");
    let held = plan.times("least")?;
    assert!(held.updated_at > failed.updated_at, "{failed:?} {held:?}");
    for line in [
        format!("updated_at {}\n", held.updated_at),
        format!(
            "lease_expires_at {}\n",
            held.lease_expires_at.context("held")?
        ),
    ] {
        assert!(again.contains(&line), "{again}");
    }
    plan.json(&["done", "least", "--agent", "ada"])?;
    let done = plan.times("least")?;
    assert!(done.updated_at > held.updated_at, "{held:?} {done:?}");
    assert_eq!(done.lease_expires_at, None);
    assert_eq!(plan.times_in_sql("least")?, done);

    // The more urgent one waits for the other, as `task_deps` says until that is done.
    let deps = "select task_key, blocker_key, is_resolved from workmill.task_deps";
    assert_eq!(plan.sql(deps)?, ["below over f"]);
    let waited_for = plan.json(&["claim", "--agent", "ada"])?;
    assert_eq!(waited_for["id"], json!("over"));
    plan.json(&["done", "over", "--agent", "ada"])?;
    assert_eq!(plan.sql(deps)?, ["below over t"]);
    for id in ["below", "most"] {
        assert_eq!(plan.json(&["claim", "--agent", "ada"])?["id"], json!(id));
    }
    Ok(())
}
