//! The transcripts in the pages of `docs/` are what the program says: the commands of a page are run,
//! one after the other in one shell, against a server of their own. That every command has one is
//! tested where the commands are (`src/arguments.rs`).
//!
//! What differs from run to run (ids, times, ports, spaces between columns) is not compared. With
//! `WORKMILL_WRITE_TRANSCRIPTS=1` the pages are written anew instead.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::everyday::Server;

/// Stands between the outputs of two commands.
const BORDER: &str = "=== border of a transcript ===";

/// A part of the page.
enum Part {
    /// Stays as it is.
    Line(String),
    /// A command as it is written, and what it says.
    Command {
        lines: Vec<String>,
        output: Vec<String>,
    },
}

fn path_of(page: &str) -> PathBuf {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    PathBuf::from(docs).join(page)
}

fn parse(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut is_console = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if is_fence {
            is_console = line == "```console";
        }
        if !is_console || is_fence {
            parts.push(Part::Line(line.to_owned()));
        } else if line.starts_with("$ ") {
            parts.push(Part::Command {
                lines: vec![line.to_owned()],
                output: Vec::new(),
            });
        } else if let Some(Part::Command { lines, output }) = parts.last_mut() {
            if output.is_empty() && (line.starts_with("> ") || line == ">") {
                lines.push(line.to_owned());
            } else {
                output.push(line.to_owned());
            }
        }
    }
    parts
}

/// All commands as one script, with a border after each.
fn script(parts: &[Part]) -> String {
    let mut script = String::from("exec 2>&1\n");
    for part in parts {
        if let Part::Command { lines, .. } = part {
            for line in lines {
                // A blank line of a file is written without the space behind the sign.
                script.push_str(line.get(2..).unwrap_or_default());
                script.push('\n');
            }
            script.extend(["echo '", BORDER, "'\n"]);
        }
    }
    script
}

/// What has to be the same in every run.
fn essence(line: &str) -> String {
    let mut essence = String::new();
    let mut word = String::new();
    for letter in line.chars().chain(['\n']) {
        if letter.is_alphanumeric() || "_.:-".contains(letter) {
            word.push(letter);
            continue;
        }
        essence.push_str(&essence_of_word(&std::mem::take(&mut word)));
        if !(letter.is_whitespace() && essence.ends_with(' ')) {
            essence.push(if letter.is_whitespace() { ' ' } else { letter });
        }
    }
    // Seconds are never the same.
    let words: Vec<&str> = essence.split(' ').collect();
    let seconds = |at: usize| {
        words
            .get(at + 1)
            .is_some_and(|unit| unit.starts_with('s') && unit.len() <= 2)
    };
    let words = words.iter().enumerate().map(|(at, word)| {
        if seconds(at) && word.parse::<f64>().is_ok() {
            "…"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn essence_of_word(word: &str) -> String {
    for kind in ["task_", "dag_", "lease_", "proj_"] {
        if let Some(place) = word.find(kind)
            && word.len() >= place + kind.len() + 26
        {
            return format!("{}{kind}…", &word[..place]);
        }
    }
    let is_time = word.len() >= 17 && word.ends_with('Z') && word.contains('T');
    let is_digits = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    let is_uuid = word.len() == 36 && word.matches('-').count() == 4;
    if is_time {
        "time".to_owned()
    } else if is_uuid {
        "uuid".to_owned()
    } else if word.starts_with("127.0.0.1:") {
        "127.0.0.1".to_owned()
    } else if word.len() >= 15 && is_digits(word.trim_start_matches('-')) {
        // A fingerprint.
        "number".to_owned()
    } else {
        word.to_owned()
    }
}

#[tokio::test]
async fn the_page_about_the_command_line_says_what_it_says() -> Result<()> {
    check("cli.md").await
}

#[tokio::test]
async fn the_page_about_plans_says_what_is_said() -> Result<()> {
    check("plan.md").await
}

#[tokio::test]
async fn the_page_about_commands_as_agents_says_what_is_said() -> Result<()> {
    check("agent-run.md").await
}

#[tokio::test]
async fn the_page_about_running_a_server_says_what_is_said() -> Result<()> {
    check("operation.md").await
}

/// The first hour of a new user: a graph, a question with its answer, a dead letter with its
/// resolution, by the page alone.
#[tokio::test]
async fn the_page_about_the_first_hour_works_when_pasted() -> Result<()> {
    check("first-hour.md").await
}

#[tokio::test]
async fn the_readme_works_when_pasted() -> Result<()> {
    check("../README.md").await
}

async fn check(page: &str) -> Result<()> {
    let server = Server::start().await?;
    let text = std::fs::read_to_string(path_of(page))?;
    let parts = parse(&text);
    std::fs::write(server.home().join("script"), script(&parts))?;
    let program = PathBuf::from(env!("CARGO_BIN_EXE_workmill"));
    let folder = program.parent().context("it is in a folder")?;
    let path = std::env::var("PATH").unwrap_or_default();
    let output = server
        .program("timeout")
        .args(["120", "bash", "script"])
        .env("PATH", format!("{}:{path}", folder.display()))
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    let border = format!("{BORDER}\n");
    let mut said = said.split(border.as_str()).map(|said| {
        let lines = said.lines().map(|line| line.trim_end().to_owned());
        lines.collect::<Vec<_>>()
    });
    if std::env::var_os("WORKMILL_WRITE_TRANSCRIPTS").is_some() {
        return write(page, &parts, said);
    }
    let mut count = 0;
    for part in &parts {
        if let Part::Command { lines, output } = part {
            let said = said.next().context("the shell has ended early")?;
            let essences = |lines: &[String]| -> Vec<String> {
                lines.iter().map(|line| essence(line)).collect()
            };
            assert_eq!(
                essences(&said),
                essences(output),
                "{lines:?} says\n{}",
                said.join("\n")
            );
            count += 1;
        }
    }
    ensure!(count > 0, "there are transcripts");
    Ok(())
}

fn write(page: &str, parts: &[Part], mut said: impl Iterator<Item = Vec<String>>) -> Result<()> {
    let mut text = Vec::new();
    for part in parts {
        match part {
            Part::Line(line) => text.push(line.clone()),
            Part::Command { lines, .. } => {
                text.extend(lines.iter().cloned());
                let said = said.next().context("the shell has ended early")?;
                text.extend(said.iter().map(|line| with_usual_port(line)));
            }
        }
    }
    Ok(std::fs::write(path_of(page), text.join("\n") + "\n")?)
}

/// Where a reader's server is.
fn with_usual_port(line: &str) -> String {
    let host = "http://127.0.0.1:";
    match line.split_once(host) {
        Some((before, rest)) => {
            let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            format!("{before}{host}7070{rest}")
        }
        None => line.to_owned(),
    }
}

#[test]
fn a_file_in_a_command_may_have_blank_lines() {
    let page = "```console\n$ cat <<END\n> a\n>\n> b\n> END\na\n```";
    let expected = format!("exec 2>&1\ncat <<END\na\n\nb\nEND\necho '{BORDER}'\n");
    assert_eq!(script(&parse(page)), expected);
}

#[test]
fn only_what_differs_from_run_to_run_is_left_out() {
    assert_eq!(
        essence(" task_01M7H67QHSQ9PEBYNVP167R25X  ready   2026-11-16T03:25:58.20177Z by admin"),
        "task_… ready time by admin"
    );
    assert_eq!(
        essence("at http://127.0.0.1:34567: ready"),
        "at http://127.0.0.1 ready"
    );
    assert_eq!(essence("expires in 59.9 s"), "expires in … s");
    assert_ne!(essence("1 ready"), essence("2 ready"));
    assert_ne!(essence("ready"), essence("running"));
}
