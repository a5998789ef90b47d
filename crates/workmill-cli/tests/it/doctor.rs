//! `workmill doctor`: says how things stand, and leaves them as they are.

use anyhow::{Context, Result};
use nix::sys::signal::Signal;
use serde_json::Value;
use workmill_testkit::database::TestDatabase;

use crate::support::{Home, Running, assert_exit, data};

fn level<'a>(answer: &'a Value, check: &str) -> Option<&'a str> {
    let findings = answer["findings"].as_array()?;
    findings.iter().find(|finding| finding["check"] == check)?["level"].as_str()
}

#[test]
fn a_good_set_up_has_no_problem_and_a_resting_one_stays_at_rest() -> Result<()> {
    let home = Home::new()?;
    let before = home.run(&["--json", "doctor"])?;
    assert_exit(&before, 0);
    assert_eq!(level(&data(&before)?, "private database"), Some("warning"));
    assert!(!home.data().exists(), "it only looks");

    let up = Running::start(home.command(&["up"]))?;
    let running = home.run(&["--json", "--url", &up.url, "doctor"])?;
    assert_exit(&running, 0);
    let answer = data(&running)?;
    for check in [
        "database",
        "version",
        "schema",
        "durability",
        "connections",
        "data folder",
        "server",
    ] {
        assert_eq!(level(&answer, check), Some("ok"), "{check}: {answer:#}");
    }
    let url = up.url.clone();
    assert_eq!(up.stop(Signal::SIGTERM)?.0, Some(0));

    let resting = home.run(&["--json", "doctor"])?;
    assert_exit(&resting, 0);
    assert_eq!(level(&data(&resting)?, "private database"), Some("warning"));
    assert_eq!(home.postmaster(), None, "it only looks");
    let without_server = home.run(&["--json", "--url", &url, "doctor"])?;
    assert_exit(&without_server, 1);
    assert_eq!(level(&data(&without_server)?, "server"), Some("problem"));
    Ok(())
}

#[tokio::test]
async fn a_database_without_schema_is_a_problem_with_its_remedy() -> Result<()> {
    let database = TestDatabase::empty().await?;
    let home = Home::new()?;
    let output = home
        .command(&["doctor"])
        .env("DATABASE_URL", database.url())
        .output()?;
    assert_exit(&output, 1);
    let text = String::from_utf8(output.stdout)?;
    let line = text
        .lines()
        .skip_while(|line| !line.starts_with("problem  schema"))
        .nth(1);
    assert!(
        line.context("a remedy")?.contains("workmill migrate"),
        "{text}"
    );
    let client = database.client().await?;
    let made = client
        .query_one("select to_regnamespace('workmill') is not null", &[])
        .await?;
    assert!(!made.get::<_, bool>(0), "it only looks");
    Ok(())
}
