//! `workmill up`: one folder, one owner, one orderly end.

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use workmill_testkit::database::TestDatabase;

use crate::support::{
    Home, Running, assert_exit, data, is_alive, postmaster_of, stderr, wait_until,
};

/// F-1
#[test]
fn a_second_up_on_the_same_folder_is_refused_and_the_first_is_unharmed() -> Result<()> {
    let home = Home::new()?;
    let first = Running::start(home.command(&["up"]))?;
    let postmaster = home.postmaster();
    let port = first.url.rsplit(':').next().context("a port")?;
    for port in ["0", port] {
        let second = home.run(&["up", "--port", port])?;
        assert_exit(&second, 1);
        let said = stderr(&second);
        assert!(
            said.contains(&format!("workmill up on {}", first.url)),
            "{said}"
        );
        assert!(said.contains(&first.child.id().to_string()), "{said}");
    }
    assert_eq!(home.postmaster(), postmaster);
    assert_exit(
        &home.run(&["submit", "--url", &first.url, "--title", "t"])?,
        0,
    );
    assert_eq!(first.stop(Signal::SIGTERM)?.0, Some(0));
    Ok(())
}

#[test]
fn sigterm_stops_server_then_database() -> Result<()> {
    let home = Home::new()?;
    let up = Running::start(home.command(&["up"]))?;
    let postmaster = home.postmaster().context("it runs")?;
    let (code, said) = up.stop(Signal::SIGTERM)?;
    assert_eq!(code, Some(0), "{said}");
    let places = [
        "stopping the server",
        "stopping the duties",
        "stopping PostgreSQL",
        "stopped",
    ]
    .map(|step| said.find(&format!("{step}\n")));
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{said}"
    );
    wait_until("it is gone", || !is_alive(postmaster))?;
    assert_eq!(home.postmaster(), None);
    Ok(())
}

/// Whoever reads the log may go away, as a terminal does.
#[test]
fn a_server_whose_log_nobody_reads_goes_on_and_can_be_stopped() -> Result<()> {
    let home = Home::new()?;
    let mut server = Running::start(home.command(&["up"]))?;
    drop(server.child.stderr.take());
    let postmaster = home.postmaster().context("the database runs")?;
    let listed = home.run(&["list", "--url", &server.url])?;
    assert_exit(&listed, 0);
    kill(server.pid(), Signal::SIGTERM)?;
    wait_until("the server has stopped", || {
        server.child.try_wait().is_ok_and(|ended| ended.is_some())
    })?;
    assert_eq!(server.child.wait()?.code(), Some(0));
    assert!(!is_alive(postmaster), "and so has the database");
    Ok(())
}

#[test]
fn ephemeral_leaves_nothing_behind() -> Result<()> {
    let home = Home::new()?;
    let mut up = Running::start(home.command(&["up", "--ephemeral"]))?;
    let mut folder = None;
    while folder.is_none() {
        let line = up.line()?;
        folder = line
            .trim()
            .strip_prefix("data ")
            .map(|path| home.path().join(path.trim()));
    }
    let folder = folder.context("a folder")?;
    let postmaster = postmaster_of(&folder).context("it runs")?;
    let (code, said) = up.stop(Signal::SIGINT)?;
    assert_eq!(code, Some(0), "{said}");
    assert!(!folder.exists() && !home.data().exists());
    wait_until("it is gone", || !is_alive(postmaster))?;
    Ok(())
}

/// F-1
#[test]
fn a_database_that_dies_is_started_again_with_everything_in_it() -> Result<()> {
    let home = Home::new()?;
    let up = Running::start(home.command(&["up"]))?;
    let submitted = home.run(&["--json", "--url", &up.url, "submit", "--title", "kept"])?;
    let id = data(&submitted)?["tasks"][0]["id"]
        .as_str()
        .context("an id")?
        .to_owned();
    let postmaster = home.postmaster().context("it runs")?;
    kill(postmaster, Signal::SIGKILL)?;
    wait_until("another server runs", || {
        home.postmaster().is_some_and(|pid| pid != postmaster)
    })?;
    wait_until("it answers", || {
        home.run(&["show", "--url", &up.url, &id])
            .is_ok_and(|output| output.status.success())
    })?;
    assert_eq!(up.stop(Signal::SIGTERM)?.0, Some(0));
    Ok(())
}

#[test]
fn the_key_is_kept_private_and_made_anew_only_for_a_database_that_does_not_know_it() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new()?;
    let path = home.data().join("admin.key");
    Running::start(home.command(&["up"]))?.stop(Signal::SIGTERM)?;
    let first = std::fs::read_to_string(&path)?;
    assert_eq!(path.metadata()?.permissions().mode() & 0o777, 0o600);
    Running::start(home.command(&["up"]))?.stop(Signal::SIGTERM)?;
    assert_eq!(std::fs::read_to_string(&path)?, first);

    std::fs::remove_dir_all(home.data().join("postgres"))?;
    let up = Running::start(home.command(&["up"]))?;
    assert_ne!(std::fs::read_to_string(&path)?, first);
    assert_exit(&home.run(&["submit", "--url", &up.url, "--title", "t"])?, 0);
    let (_, said) = up.stop(Signal::SIGTERM)?;
    assert!(!said.contains("wm_"), "{said}");
    Ok(())
}

#[test]
fn a_wrong_database_url_exits_8_or_64_and_never_tells_the_password() -> Result<()> {
    let home = Home::new()?;
    for (url, exit) in [
        ("postgres://someone:hunter2@127.0.0.1:9/none", 8),
        (
            "host=127.0.0.1 port=9 password=hunter2 dbname=none user=someone",
            8,
        ),
        // These cannot be read.
        ("postgres://someone:hunter2@127.0.0.1:port/none", 64),
        ("password=hunter2 nonsense", 64),
    ] {
        for command in [
            &["up", "--port", "0"][..],
            &["serve", "--port", "0"],
            &["migrate"],
            &["doctor"],
        ] {
            let output = home.command(command).env("DATABASE_URL", url).output()?;
            let is_a_look = command == ["doctor"];
            assert_eq!(
                output.status.code(),
                Some(if is_a_look { 8 } else { exit }),
                "{command:?} {url}: {}",
                stderr(&output)
            );
            let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            assert!(!said.contains("hunter2"), "{said}");
            assert!(said.contains("DATABASE_URL"), "{said}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_schema_that_needs_a_newer_server_is_refused() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    client
        .execute("update workmill.compatibility set minimum_server = 99", &[])
        .await?;
    let home = Home::new()?;
    for command in [
        &["up", "--port", "0"][..],
        &["serve", "--port", "0"],
        &["migrate"],
        &["doctor"],
    ] {
        let output = home
            .command(command)
            .env("DATABASE_URL", database.url())
            .output()?;
        assert_exit(&output, 1);
        let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("needs a newer server"), "{command:?}: {said}");
    }
    Ok(())
}

#[tokio::test]
async fn serve_refuses_a_database_without_schema_and_runs_after_migrate() -> Result<()> {
    let database = TestDatabase::empty().await?;
    let home = Home::new()?;
    let command = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("DATABASE_URL", database.url());
        command
    };
    let refused = command(&["serve", "--port", "0"]).output()?;
    assert_exit(&refused, 1);
    assert!(
        stderr(&refused).contains("workmill migrate"),
        "{}",
        stderr(&refused)
    );
    assert_exit(&command(&["migrate"]).output()?, 0);
    let serve = Running::start(command(&["serve"]))?;
    let nobody = home.run(&["submit", "--url", &serve.url, "--title", "t"])?;
    assert_exit(&nobody, 4);
    assert!(
        stderr(&nobody).contains("WORKMILL_TOKEN"),
        "{}",
        stderr(&nobody)
    );
    assert_eq!(serve.stop(Signal::SIGTERM)?.0, Some(0));
    Ok(())
}

#[test]
fn a_taken_port_is_refused_before_anything_is_made() -> Result<()> {
    let home = Home::new()?;
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    let output = home.run(&["up", "--port", &port])?;
    assert_exit(&output, 1);
    assert!(stderr(&output).contains("--port"), "{}", stderr(&output));
    assert!(!home.data().exists());
    Ok(())
}
