//! `workmill.toml`: what the user's own may set, and how little that of the working folder may.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use anyhow::Result;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::support::{Home, assert_exit, stderr};

fn of_the_folder(home: &Home) -> PathBuf {
    home.path().join("workmill.toml")
}

/// PostgreSQL runs what `archive_command` says, and includes `user.conf` of its data folder.
#[test]
fn up_in_a_hostile_folder_neither_runs_its_code_nor_uses_its_data() -> Result<()> {
    let home = Home::new()?;
    let evil = home.path().join("evil");
    std::fs::create_dir(&evil)?;
    std::fs::write(evil.join("owner.lock"), "")?;
    let pwned = home.path().join("pwned");
    let conf = format!(
        "archive_mode = on\narchive_command = 'touch {}'\n",
        pwned.display()
    );
    std::fs::write(evil.join("user.conf"), conf)?;
    std::fs::write(of_the_folder(&home), "data = \"evil\"\n")?;
    let mut command = home.command(&["up", "--port", "0"]);
    let output = command.env_remove("WORKMILL_DATA").output()?;
    assert_exit(&output, 6);
    let said = stderr(&output);
    assert!(
        said.contains("`data`") && said.contains("WORKMILL_DATA"),
        "{said}"
    );
    assert!(!pwned.exists() && !evil.join("postgres").exists());
    Ok(())
}

#[test]
fn what_a_folder_may_not_set_is_refused_by_name_with_where_to_put_it() -> Result<()> {
    let home = Home::new()?;
    let own = home.path().join(".config/workmill/workmill.toml");
    for (line, instead) in [
        ("url = \"http://127.0.0.1:9\"", "WORKMILL_URL"),
        ("token = \"wm_secret\"", "WORKMILL_TOKEN"),
        ("database_url = \"postgres://u:secret@h/d\"", "DATABASE_URL"),
        ("data = \"/secret\"", "WORKMILL_DATA"),
        ("prices = \"/secret\"", "WORKMILL_PRICES"),
        ("event_days = 1", "WORKMILL_EVENT_DAYS"),
        ("inbox_days = 1", "WORKMILL_INBOX_DAYS"),
    ] {
        std::fs::write(of_the_folder(&home), format!("agent = \"a\"\n{line}\n"))?;
        let output = home.run(&["list"])?;
        assert_exit(&output, 6);
        let said = stderr(&output);
        let name = line.split(' ').next().unwrap_or_default();
        assert!(said.contains(&format!("`{name}`")), "{said}");
        assert!(said.contains(instead), "{said}");
        assert!(said.contains(&own.display().to_string()), "{said}");
        assert!(!said.contains("secret"), "{said}");
    }
    // Both are named where there are two.
    std::fs::write(of_the_folder(&home), "url = \"u\"\ntoken = \"t\"\n")?;
    let said = stderr(&home.run(&["list"])?);
    assert!(said.contains("`url`, `token`"), "{said}");

    // The user's own file sets all of it, also when it is the one of the working folder.
    std::fs::remove_file(of_the_folder(&home))?;
    std::fs::create_dir_all(home.path().join(".config/workmill"))?;
    std::fs::write(
        &own,
        "url = \"http://127.0.0.1:9\"\ntoken = \"wm_secret\"\n",
    )?;
    assert_exit(&home.run(&["list"])?, 8);
    let mut there = home.command(&["list"]);
    let there = there.current_dir(home.path().join(".config/workmill"));
    assert_exit(&there.output()?, 8);
    Ok(())
}

#[test]
fn the_file_of_a_folder_is_read_only_if_it_is_a_plain_one_of_bounded_size() -> Result<()> {
    let home = Home::new()?;
    let file = of_the_folder(&home);
    let elsewhere = home.path().join("elsewhere");
    std::fs::write(&elsewhere, "agent = \"a\"\n")?;
    let refused = |problem: &str| -> Result<()> {
        let output = home.run(&["list"])?;
        assert_exit(&output, 6);
        let said = stderr(&output);
        assert!(
            said.contains(problem) && said.contains("working folder"),
            "{said}"
        );
        Ok(std::fs::remove_file(&file)?)
    };
    // Reading it would wait for a writer for ever.
    mkfifo(&file, Mode::S_IRWXU)?;
    refused("not a plain file")?;
    for target in [elsewhere.as_path(), "/dev/zero".as_ref()] {
        symlink(target, &file)?;
        refused("a symbolic link")?;
    }
    std::fs::write(&file, "# long\n".repeat(20_000))?;
    refused("larger than")?;
    std::fs::create_dir(&file)?;
    assert_exit(&home.run(&["list"])?, 6);
    Ok(())
}

#[test]
fn setup_writes_nothing_through_a_link_of_the_folder() -> Result<()> {
    let home = Home::new()?;
    let folder = home.path().join("folder");
    let outside = home.path().join("outside");
    std::fs::create_dir(&folder)?;
    std::fs::create_dir(&outside)?;
    std::fs::write(outside.join("profile"), "export A=1\n")?;
    symlink(outside.join("profile"), folder.join("AGENTS.md"))?;
    symlink(&outside, folder.join(".claude"))?;
    let path = folder.to_str().unwrap_or_default();
    for tool in ["codex", "claude"] {
        let output = home.run(&["setup", tool, "--folder", path])?;
        assert_exit(&output, 6);
        assert!(stderr(&output).contains("a symbolic link"));
    }
    let profile = std::fs::read_to_string(outside.join("profile"))?;
    assert_eq!(profile, "export A=1\n");
    assert_eq!(std::fs::read_dir(&outside)?.count(), 1);
    Ok(())
}
