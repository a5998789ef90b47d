//! The private database in a file and back; psql on it.

use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result};
use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::{Home, Running, assert_exit, data, stderr};

fn json(home: &Home, url: &str, arguments: &[&str]) -> Result<serde_json::Value> {
    let mut command = home.command(&[&["--json"], arguments].concat());
    let output = command.env("WORKMILL_URL", url).output()?;
    assert_exit(&output, 0);
    data(&output)
}

/// A backup of a running server, the loss of the data folder, and the server on what was restored. An agent
/// that held a lease at the time of the backup, or has one from after it, holds none any more.
#[test]
fn what_was_backed_up_is_there_again_and_no_old_lease_holds() -> Result<()> {
    let home = Home::new()?;
    let up = Running::start(home.command(&["up"]))?;
    let url = up.url.clone();
    let submit = |title: &str| -> Result<String> {
        let submitted = json(&home, &url, &["submit", "--title", title])?;
        let id = submitted["tasks"][0]["id"].as_str();
        Ok(id.context("an id")?.to_owned())
    };
    let held = submit("held")?;
    json(&home, &url, &["claim", "--agent", "a", "--start"])?;
    let waiting = submit("waiting")?;

    let file = home.path().join("mill.backup");
    let path = file.to_str().context("a path")?;
    let backup = home.run(&["--json", "backup", path])?;
    let written = data(&backup).context(stderr(&backup))?;
    assert_eq!(written["bytes"], file.metadata()?.len());
    let mode = file.metadata()?.permissions().mode() & 0o777;
    assert_eq!(mode, 0o600, "it holds what agents have written");
    let again = home.run(&["backup", path])?;
    assert_exit(&again, 5);
    assert_exit(&home.run(&["backup", path, "--overwrite"])?, 0);

    // After the backup the first agent loses its lease and a second one gets the next epoch.
    json(&home, &url, &["release", &held, "--agent", "a"])?;
    let claimed = json(
        &home,
        &url,
        &["claim", "--agent", "b", "--max", "2", "--start"],
    )?;
    let claims = claimed["claims"].as_array().context("claims")?;
    let later: Vec<String> = claims
        .iter()
        .filter_map(|claim| claim["lease"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(later.len(), 2);
    submit("after")?;

    // The database is in use by a server.
    assert_exit(&home.run(&["restore", path, "--overwrite"])?, 1);
    let looked = home.run(&["--json", "restore", path, "--dry-run"])?;
    assert_eq!(data(&looked).context(stderr(&looked))?["tasks"], 2);
    assert_eq!(up.stop(Signal::SIGTERM)?.0, Some(0));
    let refused = home.run(&["restore", path])?;
    assert_exit(&refused, 5);
    assert!(
        stderr(&refused).contains("holds 3 tasks"),
        "{}",
        stderr(&refused)
    );
    let restored = home.run(&["--json", "restore", path, "--overwrite"])?;
    let restored = data(&restored).context(stderr(&restored))?;
    assert_eq!(
        (&restored["tasks"], &restored["dry_run"]),
        (&json!(2), &json!(false))
    );

    let up = Running::start(home.command(&["up"]))?;
    let list = json(&home, &up.url, &["list", "--all"])?;
    let mut titles: Vec<_> = list["items"]
        .as_array()
        .context("items")?
        .iter()
        .filter_map(|task| task["title"].as_str())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["held", "waiting"]);
    let old = format!("lease_{}_1", held.trim_start_matches("task_"));
    for lease in later.iter().chain([&old]) {
        let mut stale = home.command(&["done", "--lease", lease]);
        let stale = stale.env("WORKMILL_URL", &up.url).output()?;
        assert_exit(&stale, 5);
    }
    let claimed = json(&home, &up.url, &["claim", "--agent", "c", "--start"])?;
    let lease = claimed["claims"][0]["lease"].as_str().context("a lease")?;
    assert!(lease.starts_with(&format!("lease_{}", waiting.trim_start_matches("task_"))));
    assert!(
        !later.iter().any(|one| one == lease),
        "{lease} is granted once"
    );

    // psql sees the tables, and arguments hold no password.
    let mut psql = home.command(&["psql", "--", "-At", "-c", "select count(*) from state"]);
    let psql = psql.output()?;
    assert_exit(&psql, 0);
    assert_eq!(String::from_utf8(psql.stdout)?.trim(), "2");
    assert_eq!(up.stop(Signal::SIGTERM)?.0, Some(0));
    // No server: the backup starts the database for itself.
    assert_exit(&home.run(&["backup", path, "--overwrite"])?, 0);
    assert!(home.postmaster().is_none(), "and stops it again");
    assert_exit(&home.run(&["psql"])?, 8);
    Ok(())
}

#[test]
fn what_is_no_backup_is_refused_and_changes_nothing() -> Result<()> {
    let home = Home::new()?;
    assert_exit(&home.run(&["backup", "x.backup"])?, 3);
    std::fs::write(home.path().join("poem"), "Roses are red")?;
    assert_exit(&home.run(&["restore", "poem"])?, 6);
    assert_exit(&home.run(&["restore", "nowhere"])?, 3);
    std::fs::write(home.path().join("half"), b"PGDMP and then nothing")?;
    let half = home.run(&["restore", "half"])?;
    assert_exit(&half, 1);
    assert!(
        stderr(&half).contains("could not read the backup"),
        "{}",
        stderr(&half)
    );
    let mut own = home.command(&["backup", "x.backup"]);
    let own = own
        .env("DATABASE_URL", "postgres://u:p@localhost/db")
        .output()?;
    assert_exit(&own, 64);
    assert!(stderr(&own).contains("docs/backup.md"), "{}", stderr(&own));
    Ok(())
}
