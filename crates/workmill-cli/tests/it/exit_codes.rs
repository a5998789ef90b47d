//! Exit codes that need no server.

use anyhow::Result;

use crate::support::{Home, assert_exit, stderr};

#[test]
fn usage_errors_exit_64() -> Result<()> {
    let home = Home::new()?;
    for arguments in [
        &[][..],
        &["no-such-command"],
        &["up", "--no-such-flag"],
        &["up", "--port", "70000"],
        &["up", "--once"],
        &["up", "--demo", "--json"],
        &["submit"],
        &["submit", "--title", "t", "--file", "x"],
        &["submit", "--title", "t", "--priority", "urgent"],
        &["done"],
        &["done", "--lease", "not-a-lease"],
        &["graph", "show", "not-a-graph"],
        &["fail", "--lease", "lease_x_1"],
        &["claim"],
        &["serve"],
        &["migrate"],
        &[
            "show",
            "--url",
            "nowhere",
            "task_01M7FF53TYSCDH2QVJV73XC9NS",
        ],
    ] {
        let output = home.run(arguments)?;
        assert_eq!(
            output.status.code(),
            Some(64),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
    let mut command = home.command(&["up"]);
    let output = command.env("PORT", "many").output()?;
    assert_exit(&output, 64);
    Ok(())
}

#[test]
fn help_and_version_are_no_errors() -> Result<()> {
    let home = Home::new()?;
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help"],
        &["up", "--help"],
    ] {
        let output = home.run(arguments)?;
        assert_exit(&output, 0);
        assert!(
            !output.stdout.is_empty() && output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
    Ok(())
}

#[test]
fn without_a_server_a_call_exits_8_and_says_what_to_do() -> Result<()> {
    let home = Home::new()?;
    // Nobody listens on the discard port.
    let output = home.run(&[
        "--json",
        "--url",
        "http://127.0.0.1:9",
        "submit",
        "--title",
        "t",
    ])?;
    assert_exit(&output, 8);
    assert!(output.stdout.is_empty());
    assert!(
        stderr(&output).contains("workmill up"),
        "{}",
        stderr(&output)
    );
    Ok(())
}

#[test]
fn what_is_no_json_is_invalid_input_and_a_lease_that_is_not_remembered_is_not_found() -> Result<()>
{
    let home = Home::new()?;
    let lease = "lease_01M7FF53TYSCDH2QVJV73XC9NS_1";
    assert_exit(
        &home.run(&["done", "--lease", lease, "--output", "{not json"])?,
        6,
    );
    assert_exit(
        &home.run(&["done", "--lease", lease, "--output", "@missing"])?,
        3,
    );
    assert_exit(
        &home.run(&["heartbeat", "task_01M7FF53TYSCDH2QVJV73XC9NS"])?,
        3,
    );
    // A planner may call a task whatever it likes.
    assert_exit(&home.run(&["done", "not-a-task"])?, 3);
    std::fs::write(home.path().join("workmill.toml"), "colour = \"blue\"\n")?;
    let output = home.run(&["show", "everything"])?;
    assert_exit(&output, 6);
    assert!(stderr(&output).contains("colour"), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_server_does_not_start_with_prices_that_it_cannot_read() -> Result<()> {
    let home = Home::new()?;
    let file = home.path().join("prices.json");
    let name = file.to_str().expect("a plain path");
    for (prices, problem) in [
        (None, "cannot read the prices"),
        (Some("{"), "it is not JSON"),
        (
            Some(r#"{"m": {"input_cost_per_token": "cheap"}}"#),
            "`input_cost_per_token` of `m` is \"cheap\"",
        ),
    ] {
        if let Some(prices) = prices {
            std::fs::write(&file, prices)?;
        }
        let by_flag = home.run(&["up", "--ephemeral", "--port", "0", "--prices", name])?;
        let mut command = home.command(&["up", "--ephemeral", "--port", "0"]);
        let by_environment = command.env("WORKMILL_PRICES", name).output()?;
        for output in [by_flag, by_environment] {
            assert_exit(&output, 6);
            let told = stderr(&output);
            assert!(told.contains(problem) && told.contains(name), "{told}");
        }
    }
    Ok(())
}
