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
        &["done", "not-a-task"],
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
fn what_is_no_id_or_no_json_is_invalid_input() -> Result<()> {
    let home = Home::new()?;
    assert_exit(&home.run(&["show", "everything"])?, 6);
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
    std::fs::write(home.path().join("workmill.toml"), "colour = \"blue\"\n")?;
    let output = home.run(&["show", "everything"])?;
    assert_exit(&output, 6);
    assert!(stderr(&output).contains("colour"), "{}", stderr(&output));
    Ok(())
}

/// Whoever works in a folder of somebody else's has its `workmill.toml`, too.
#[test]
fn a_key_is_not_sent_to_a_server_that_only_the_folder_names() -> Result<()> {
    let home = Home::new()?;
    // A name that nobody has: nothing is there to be asked.
    let elsewhere = "http://workmill.invalid";
    let folder = home.path().join("workmill.toml");
    let own = home.path().join(".config/workmill/workmill.toml");
    std::fs::create_dir_all(home.path().join(".config/workmill"))?;
    let list = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = home.command(&["list"]);
        command.args(flags).envs(variables.iter().copied()).output()
    };
    let key = [("WORKMILL_TOKEN", "wm_secret")];
    let url = format!("url = \"{elsewhere}\"\n");
    let with_token = format!("{url}token = \"wm_theirs\"\n");

    std::fs::write(&folder, &url)?;
    let refused = list(&key, &[])?;
    assert_exit(&refused, 64);
    let said = stderr(&refused);
    assert!(
        said.contains("WORKMILL_URL") && said.contains(elsewhere),
        "{said}"
    );
    assert!(!said.contains("secret"), "{said}");
    std::fs::write(&own, "token = \"wm_secret\"\n")?;
    assert_exit(&list(&[], &[])?, 64);
    std::fs::write(&folder, &with_token)?;
    assert_exit(&list(&key, &[])?, 64);

    // It goes with the key of the same file, to who is named otherwise, too, and to this machine.
    assert_exit(&list(&[], &[])?, 8);
    std::fs::write(&folder, &url)?;
    assert_exit(&list(&key, &["--url", elsewhere])?, 8);
    assert_exit(&list(&[key[0], ("WORKMILL_URL", elsewhere)], &[])?, 8);
    std::fs::write(&own, format!("{url}token = \"wm_secret\"\n"))?;
    assert_exit(&list(&[], &[])?, 8);
    std::fs::write(&folder, "url = \"http://127.0.0.1:9\"\n")?;
    assert_exit(&list(&key, &[])?, 8);
    // Without a key there is nothing to send, and who asks no server is not asked for one.
    std::fs::write(&folder, &url)?;
    assert_exit(&home.run(&["completions", "bash"])?, 0);
    std::fs::remove_file(&own)?;
    assert_exit(&list(&[], &[])?, 8);
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
