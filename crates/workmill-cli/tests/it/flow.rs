//! The way through the command line: what `submit` takes, namespaces, the record, errors for programs, help.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::everyday::Server;
use crate::support::{Home, assert_exit, stderr};

/// What standard error holds: a line of JSON.
fn error_of(output: &std::process::Output) -> Result<Value> {
    assert!(output.stdout.is_empty(), "nothing stands where answers do");
    let text = stderr(output);
    let last = text.lines().last().context("an error")?;
    let mut document: Value = serde_json::from_str(last).context(text.clone())?;
    assert_eq!(document["schema_version"], 1);
    Ok(document["error"].take())
}

#[tokio::test]
async fn submit_takes_a_prompt_from_a_file_a_time_and_locks() -> Result<()> {
    let server = Server::start().await?;
    std::fs::write(
        server.home().join("prompt.md"),
        "Read *this*.\nThen that.\n",
    )?;
    let id = server.submit(&[
        "--title",
        "t",
        "--prompt",
        "@prompt.md",
        "--lock",
        "src/a",
        "--lock",
        "shared:docs",
        "--at",
        "2077-01-01T00:00:00Z",
    ])?;
    let task = server.json(&["show", &id])?;
    assert_eq!(task["task"]["spec"]["prompt"], "Read *this*.\nThen that.\n");
    let locks = json!(["src/a", {"path": "docs", "shared": true}]);
    let locks = locks.as_array().context("a list")?;
    let path = |lock: &Value| lock["path"].as_str().or(lock.as_str()).map(str::to_owned);
    let shown = task["task"]["locks"].as_array().context("locks")?;
    assert_eq!(
        shown.iter().map(path).collect::<Vec<_>>(),
        locks.iter().map(path).collect::<Vec<_>>()
    );
    assert_eq!(shown[1]["shared"], true);
    assert_eq!(task["due_at"], "2077-01-01T00:00:00Z");
    let read = server.run_with(&["submit", "--title", "t", "--prompt", "-"], "from a pipe")?;
    assert_exit(&read, 0);
    let id = String::from_utf8(read.stdout)?;
    let task = server.json(&["show", id.trim()])?;
    assert_eq!(task["task"]["spec"]["prompt"], "from a pipe");
    for (flags, code) in [
        (&["--prompt", "@nowhere.md"][..], 3),
        (&["--at", "soon"], 64),
        (&["--lock", "a//b"], 64),
    ] {
        let refused = server.run(&[&["submit", "--title", "t"], flags].concat())?;
        assert_exit(&refused, code);
    }
    Ok(())
}

#[tokio::test]
async fn a_task_that_depends_on_another_joins_its_graph() -> Result<()> {
    let server = Server::start().await?;
    let graph = r#"{"title": "g", "tasks": [{"title": "first", "type": "x", "name": "first"}]}"#;
    let made = server.run_with(&["--json", "graph", "create", "-f", "-"], graph)?;
    let made = crate::support::data(&made)?;
    let first = made["tasks"]["first"].as_str().context("an id")?;
    let second = server.submit(&["--title", "second", "--depends-on", first])?;
    let task = server.json(&["show", &second])?;
    assert_eq!(task["dag_id"], made["id"]);
    assert_eq!(task["depends_on"], json!([first]));
    assert_eq!(task["status"], "pending");
    // One that was submitted by itself becomes a graph.
    let alone = server.submit(&["--title", "alone"])?;
    let after = server.submit(&["--title", "after", "--depends-on", &alone])?;
    let task = server.json(&["show", &after])?;
    assert_eq!(
        (&task["depends_on"], &task["status"]),
        (&json!([&alone]), &json!("pending"))
    );
    server.json(&["claim", "--agent", "a", "--start", "--max", "9"])?;
    server.json(&["done", &alone, "--agent", "a"])?;
    assert_eq!(server.json(&["show", &after])?["status"], "ready");
    // Tasks of two graphs have no graph in common.
    let both = [
        "submit",
        "--title",
        "t",
        "--depends-on",
        first,
        "--depends-on",
        &alone,
    ];
    assert_exit(&server.run(&both)?, 3);
    let lost = [
        "submit",
        "--title",
        "t",
        "--depends-on",
        "task_01M7HMRKXS1JNRSM27H7W3YKXE",
    ];
    assert_exit(&server.run(&lost)?, 3);
    Ok(())
}

#[tokio::test]
async fn the_same_idempotency_key_submits_once() -> Result<()> {
    let server = Server::start().await?;
    let flags = ["--title", "once", "--idempotency-key", "nightly-7"];
    let first = server.submit(&flags)?;
    assert_eq!(server.submit(&flags)?, first);
    assert_eq!(
        server.json(&["list"])?["items"].as_array().map(Vec::len),
        Some(1)
    );
    let other = [
        "submit",
        "--title",
        "other",
        "--idempotency-key",
        "nightly-7",
    ];
    assert_exit(&server.run(&other)?, 5);
    Ok(())
}

/// `+2h` is another moment in each call, so the repeated one would be another request.
#[tokio::test]
async fn a_relative_time_is_refused_together_with_an_idempotency_key() -> Result<()> {
    let server = Server::start().await?;
    let relative = ["submit", "--title", "t", "--at", "+2h"];
    let key = ["--idempotency-key", "k"];
    let refused = server.run(&[&relative[..], &key].concat())?;
    assert_exit(&refused, 64);
    let text = stderr(&refused);
    assert!(
        text.contains("--idempotency-key") && text.contains("like 2027-01-15T08:00:00Z"),
        "{text}"
    );
    assert_exit(&server.run(&relative)?, 0);
    let absolute = ["--title", "t", "--at", "2077-01-01T00:00:00Z"];
    let absolute = [&absolute[..], &key].concat();
    assert_eq!(server.submit(&absolute)?, server.submit(&absolute)?);
    Ok(())
}

/// Commands that know no namespace refuse the option; those of other keys are not told what exists.
#[tokio::test]
async fn an_admin_acts_in_another_namespace_wherever_one_matters() -> Result<()> {
    let server = Server::start().await?;
    server.json(&["namespace", "create", "west"])?;
    let there = |rest: &[&str]| server.json(&[&["--namespace", "west"], rest].concat());
    let submitted = there(&["submit", "--title", "over there"])?;
    let id = submitted["tasks"][0]["id"].as_str().context("an id")?;
    assert_exit(&server.run(&["show", id])?, 3);
    assert_eq!(there(&["show", id])?["task"]["title"], "over there");
    assert_eq!(there(&["list"])?["items"][0]["id"], id);
    let claimed = there(&["claim", "--agent", "a", "--start"])?;
    assert_eq!(claimed["claims"][0]["task"]["id"], id);
    there(&["done", id, "--agent", "a"])?;
    let events = server
        .command(&[
            "--json",
            "events",
            "tail",
            "--after",
            "0",
            "--namespace",
            "west",
        ])
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut events = events?;
    let mut line = String::new();
    let mut out = std::io::BufReader::new(events.stdout.take().context("a pipe")?);
    std::io::BufRead::read_line(&mut out, &mut line)?;
    events.kill()?;
    events.wait()?;
    assert!(line.contains("task."), "{line}");
    let key = there(&["key", "create", "--role", "producer"])?;
    assert_eq!(key["namespace"], "west");

    for arguments in [
        &["doctor"][..],
        &["migrate"],
        &["key", "list"],
        &["namespace", "list"],
        &["completions", "bash"],
        &["psql"],
    ] {
        let refused = server.run(&[&["--namespace", "west"], arguments].concat())?;
        assert_exit(&refused, 64);
        let name = format!("no effect on `workmill {}", arguments[0]);
        assert!(stderr(&refused).contains(&name), "{}", stderr(&refused));
    }
    let mut stranger = server.command(&["list"]);
    stranger
        .env("WORKMILL_TOKEN", key["token"].as_str().context("a token")?)
        .env("WORKMILL_NAMESPACE", "default");
    assert_exit(&stranger.output()?, 3);
    let nowhere = server.run(&["--namespace", "nope", "list"])?;
    assert_exit(&nowhere, 3);
    assert!(
        stderr(&nowhere).contains("the namespace `nope` does not exist"),
        "{}",
        stderr(&nowhere)
    );
    Ok(())
}

#[tokio::test]
async fn the_record_of_what_was_done_by_hand_is_listed() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t"])?;
    server.json(&["cancel", &id])?;
    server.json(&["pause", "type:review", "--note", "lunch"])?;
    let all = server.json(&["audit"])?;
    let actions = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().into_iter().flatten();
        items
            .filter_map(|item| item["action"].as_str().map(str::to_owned))
            .collect()
    };
    assert!(actions(&all).len() >= 2, "{all}");
    let some = server.json(&["audit", "--action", "task.cancel", "--subject", &id])?;
    assert_eq!(actions(&some), ["task.cancel"]);
    assert_eq!(
        server.json(&["audit", "--actor", "nobody"])?["items"],
        json!([])
    );
    let page = server.json(&["audit", "--limit", "1"])?;
    assert_eq!(actions(&page).len(), 1);
    let every = server.json(&["audit", "--all"])?;
    assert_eq!(actions(&every), actions(&all));
    let text = String::from_utf8(server.run(&["audit"])?.stdout)?;
    assert!(text.contains("task.cancel") && text.contains(&id), "{text}");
    for (flag, word, meant) in [
        ("--action", "task.cancl", "task.cancel"),
        ("--kind", "dead-leter", "dead_letter"),
    ] {
        let refused = server.run(&["audit", flag, word])?;
        assert_exit(&refused, 6);
        let text = stderr(&refused);
        assert!(text.contains(&format!("did you mean `{meant}`?")), "{text}");
    }
    assert_exit(&server.run(&["audit", "--kind", "x"])?, 6);
    let bogus = server.run(&["events", "tail", "--after", "0", "--type", "task.complted"])?;
    assert_exit(&bogus, 6);
    let text = stderr(&bogus);
    assert!(text.contains("did you mean `task.completed`?"), "{text}");
    Ok(())
}

#[tokio::test]
async fn retention_is_set_only_when_somebody_has_said_so() -> Result<()> {
    let server = Server::start().await?;
    let shown = server.json(&["retention", "show"])?;
    assert_eq!(shown["completed_sec"], json!(null));
    // Nothing is old enough yet, but tasks that end later will be.
    for age in ["0d", "30d"] {
        let unsure = server.run(&["retention", "set", "--cancelled", age])?;
        assert_exit(&unsure, 64);
    }
    assert_eq!(
        server.json(&["retention", "show"])?["cancelled_sec"],
        json!(null)
    );
    let set = server.json(&["retention", "set", "--cancelled", "10d", "--yes"])?;
    assert_eq!(set["cancelled_sec"], 864_000.0);
    // Nothing is removed by keeping tasks longer.
    let set = server.json(&["retention", "set", "--cancelled", "30d"])?;
    assert_eq!(set["cancelled_sec"], 2_592_000.0);
    let id = server.submit(&["--title", "t"])?;
    server.json(&["cancel", &id])?;
    let now = ["retention", "set", "--cancelled", "0s"];
    let unsure = server.run(&now)?;
    assert_exit(&unsure, 64);
    assert!(
        stderr(&unsure).contains("1 cancelled"),
        "{}",
        stderr(&unsure)
    );
    let looked = server.json(&[&now[..], &["--dry-run"]].concat())?;
    assert_eq!(looked["due"]["tasks"]["cancelled"], 1);
    assert_eq!(
        server.json(&["retention", "show"])?["cancelled_sec"],
        2_592_000.0
    );
    let done = server.json(&[&now[..], &["--yes"]].concat())?;
    assert_eq!(
        (&done["cancelled_sec"], &done["completed_sec"]),
        (&json!(0.0), &json!(null))
    );
    let back = server.json(&["retention", "set", "--cancelled", "forever"])?;
    assert_eq!(back["cancelled_sec"], json!(null));
    assert_exit(&server.run(&["retention", "set"])?, 64);
    assert_exit(&server.run(&["retention", "set", "--stale", "soon"])?, 64);
    Ok(())
}

#[tokio::test]
async fn with_json_an_error_is_a_document_on_standard_error() -> Result<()> {
    let server = Server::start().await?;
    let missing = server.run(&["--json", "show", "task_01M7HMRKXS1JNRSM27H7W3YKXE"])?;
    assert_exit(&missing, 3);
    let error = error_of(&missing)?;
    assert_eq!(
        (&error["code"], &error["exit_code"]),
        (&json!("not_found"), &json!(3))
    );
    assert_eq!(error["problem"]["status"], 404);
    // It may be what a planner calls a task.
    let unnamed = server.run(&["--json", "show", "x"])?;
    assert_exit(&unnamed, 3);
    assert_eq!(error_of(&unnamed)?["code"], "not_found");
    let invalid = server.run(&["--json", "edit", "x", "--changes", "{"])?;
    assert_exit(&invalid, 6);
    assert_eq!(error_of(&invalid)?["code"], "invalid_input");
    let usage = server.run(&["list", "--json", "--colour"])?;
    assert_exit(&usage, 64);
    let error = error_of(&usage)?;
    assert_eq!(error["code"], "usage");
    let message = error["message"].as_str().context("a message")?;
    assert!(message.contains("--colour"), "{message}");
    let mut alone = server.command(&["--json", "status"]);
    let alone = alone.env("WORKMILL_URL", "http://127.0.0.1:1").output()?;
    assert_exit(&alone, 8);
    let error = error_of(&alone)?;
    assert_eq!(error["code"], "unreachable");
    let hint = error["hint"].as_str().context("a hint")?;
    assert!(hint.contains("workmill up"), "{hint}");
    // What is no error is a line of JSON, too.
    let made = server.run(&["--json", "key", "create", "--role", "agent"])?;
    let note: Value = serde_json::from_str(stderr(&made).trim())?;
    assert!(
        note["note"]
            .as_str()
            .is_some_and(|note| note.contains("role agent"))
    );
    Ok(())
}

/// What an agent's worker logs is no answer either.
#[tokio::test]
async fn with_json_the_log_is_lines_of_json() -> Result<()> {
    let server = Server::start().await?;
    let worker = ["--json", "agent", "run", "--agent", "a", "--once", "--"];
    server.submit(&["--title", "t"])?;
    let done = server.run(&[&worker[..], &["true"]].concat())?;
    assert_exit(&done, 0);
    let text = stderr(&done);
    assert!(!text.is_empty(), "the worker logs what it does");
    for line in text.lines() {
        serde_json::from_str::<Value>(line).context(line.to_owned())?;
    }
    Ok(())
}

#[test]
fn submit_without_a_task_names_both_ways_to_give_one() -> Result<()> {
    for command in ["submit", "spawn"] {
        let refused = Home::new()?.run(&[command])?;
        assert_exit(&refused, 64);
        let text = stderr(&refused);
        assert!(
            text.contains("--file <FILE>") && text.contains("--title <TITLE>"),
            "{text}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_field_that_is_nearly_right_is_named_in_answers_and_in_files() -> Result<()> {
    let server = Server::start().await?;
    let said = |input: &str| -> Result<String> {
        let refused = server.run_with(&["graph", "create", "-f", "-"], input)?;
        assert_exit(&refused, 6);
        Ok(stderr(&refused))
    };
    let text = said(
        "title: g\ntasks:\n  - {title: a, type: x, name: a}\n  - {title: b, type: x, dependson: [a]}\n",
    )?;
    assert!(
        text.contains("line 4") && text.contains("did you mean `depends_on`?"),
        "{text}"
    );
    let text = said("title: g\ntasks:\n  - {title: a, type: x, prompt: Mend it}\n")?;
    assert!(text.contains("did you mean `spec.prompt`?"), "{text}");
    let text = said("title: g\nbudget: 5\ntasks:\n  - {title: a, type: x}\n")?;
    assert!(text.contains("did you mean `budget_usd`?"), "{text}");
    let text = said("title: g\nbudget_ceiling_usd: 5\ntasks:\n  - {title: a, type: x}\n")?;
    assert!(text.contains("did you mean `budget_usd`?"), "{text}");
    let text = said("title: g\ntasks:\n  - {title: a, type: x, capabilities: [rust]}\n")?;
    assert!(
        text.contains("did you mean `spec.constraints.required_capabilities`?"),
        "{text}"
    );
    std::fs::write(server.home().join("workmill.toml"), "agnet = \"me\"\n")?;
    let text = stderr(&server.run(&["list"])?);
    assert!(
        text.contains("there is no field `agnet`; did you mean `agent`?"),
        "{text}"
    );
    Ok(())
}

/// Tasks that cannot be read, as JSON or YAML.
const UNREADABLE: &[&str] = &[
    r#"{"title": 1}"#,
    r#"{"title": "t", "max_attempts": "many"}"#,
    r#"{"title": "t", "max_attempts": 99999999999}"#,
    r#"{"title": "t", "spec": []}"#,
    r#"{"title": "t", "tags": {}}"#,
    r#"{"title": "t", "retry": {"strategy": "hope"}}"#,
    r#"{"title": "t", "profile": 3}"#,
    r#"{"title": "t", "locks": [3]}"#,
    r#"{"title": "t", "scheduled_for": "soon"}"#,
    r#"{"title": "t", "project_id": "x"}"#,
    r#"{"title": "t", "title": "t"}"#,
    r#"{"tasks": {}}"#,
    r#"{"tasks": [1]}"#,
    r#"{"title": "t""#,
    r#"{"title": tes}"#,
    r#"{"title": yes}"#,
    r#"{"title": }"#,
    r#"{"title" "t"}"#,
    r#"{"title": "t" "type": "x"}"#,
    r#"{"title": "t", "tags": ["a" "b"]}"#,
    r#"{"title": "t",}"#,
    r#"{title: "t"}"#,
    r#"{"title": "t"} x"#,
    r#"{"title": "\q"}"#,
    r#"{"title": "\uD800"}"#,
    "{\"title\": \"a\tb\"}",
    r#"{"title": "t", "priority": 1.}"#,
    r#"{"title": "t", "max_attempts": 1.5}"#,
    r#"{"title": "t", "type": "x", "priority": 99999999999}"#,
    r#"{"title": "t", "deadline": "soon"}"#,
    r#"{"title": "t", "locks": [{"pth": "a"}]}"#,
    r#"{"title": "t", "locks": [{"shared": true}]}"#,
    "title: t\ndeadline: soon\n",
    "title: t\nmax_attempts: many\n",
];

/// Arguments that cannot be used; `ID` stands for a task.
const UNUSABLE: &[&[&str]] = &[
    &["edit", "ID", "--changes", r#"{"max_attempts": "x"}"#],
    &["edit", "ID", "--changes", r#"{"deadline": "soon"}"#],
    &["edit", "ID", "--changes", "{title: 1}"],
    &["edit", "ID", "--changes", "[1]"],
    &["edit", "ID", "--deadline", "soon"],
    &["edit", "ID", "--max-attempts", "x"],
    &["edit", "ID", "--title", "t", "--if-version", "x"],
    &["edit", "ID", "--priority", "99999999999"],
    &["submit", "--title", "t", "--max-attempts", "x"],
    &["submit", "--title", "t", "--max-cost-usd", "x"],
    &["submit", "--title", "t", "--project", "x"],
    &["submit", "--title", "t", "--wait", "--timeout", "x"],
    &["claim", "--agent", "a", "--max", "x"],
    &["claim", "--agent", "a", "--max", "0"],
    &["claim", "--agent", "a", "--slots", "99999999999"],
    &["claim", "--agent", "a", "--wait", "x"],
    &["task", "claim", "--agent", "a", "--lease-sec", "0"],
    &["adopt", "ID", "--epoch", "x"],
    &["events", "tail", "--after", "x"],
    &["limits", "set", "namespace", "x"],
    &["limits", "set", "namespace", "-5"],
    &["budget", "set", "namespace", "x"],
    &["namespace", "settings", "default", "--most-depth", "x"],
    &["key", "rotate", "x", "--grace", "x"],
    &["key", "create", "--role", "x"],
    &["agent", "run", "--slots", "x", "--", "true"],
    &["agent", "run", "--poll-interval", "0", "--", "true"],
    &["agent", "run", "--budget", "x", "--", "true"],
    &["agent", "run", "--grace", "x", "--", "true"],
    &["done", "ID", "--cost-usd", "x"],
    &["done", "ID", "--input-tokens", "x"],
    &["fail", "ID", "--retry-after-ms", "x"],
    &["block", "ID", "--timeout", "x"],
    &["dead-letter", "list", "--reviewed", "x"],
    &["list", "--graph", "x"],
    &["up", "--port", "99999"],
    &["list", "--limit", "0"],
    &["list", "--limit", "x"],
    &["list", "--limit", "900"],
    &["done", "ID", "--lease", "lease_1"],
    &[
        "heartbeat",
        "--lease",
        "lease_01M7HMRKXS1JNRSM27H7W3YKXE_1",
        "--usage",
        r#"{"models": 1}"#,
    ],
];

/// Words of Rust and of its libraries.
const OF_RUST: &[&str] = &[
    "digit",
    "float",
    "..=",
    "2147483648",
    "32 bits",
    "expected ident",
    "expected value",
    "key must be",
    "`…`",
    "as year",
    "failed to",
    "Failed to deserialize",
    "a whole number, not a number",
    "unexpected",
    "struct ",
    "enum ",
    "u32",
    "i32",
    "i64",
    "u64",
    "f64",
    "usize",
    "invalid type",
    "missing field",
    "unknown variant",
    "untagged",
    "sequence",
    " a map",
    "Option",
    "serde",
    "EOF",
    "ParseIntError",
    "Err(",
];

/// Nobody who writes YAML has to know what a `u32` or a struct is.
#[tokio::test]
async fn no_message_speaks_of_types_of_rust() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t"])?;
    let mut said = Vec::new();
    for body in UNREADABLE {
        let refused = server.run_with(&["submit", "-f", "-"], body)?;
        assert_exit(&refused, 6);
        said.push(format!("{body}: {}", stderr(&refused)));
    }
    for arguments in UNUSABLE {
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|word| if *word == "ID" { &id } else { *word })
            .collect();
        let refused = server.run(&arguments)?;
        assert!(!refused.status.success());
        said.push(format!("{arguments:?}: {}", stderr(&refused)));
    }
    for address in ["postgres://", "postgres://h:x/d", "host=", "nonsense"] {
        let mut migrate = server.command(&["migrate"]);
        let refused = migrate.env("DATABASE_URL", address).output()?;
        assert_exit(&refused, 64);
        said.push(format!("{address}: {}", stderr(&refused)));
    }
    for text in &said {
        for word in OF_RUST {
            assert!(!text.contains(word), "`{word}` in {text}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn quiet_commands_that_succeed_say_nothing_but_their_answer() -> Result<()> {
    let server = Server::start().await?;
    let id = server.submit(&["--title", "t", "--type", "chore"])?;
    for arguments in [
        &["list"][..],
        &["show", &id],
        &["audit", "--limit", "1"],
        &["key", "create", "--role", "agent"],
        &[
            "agent",
            "run",
            "--agent",
            "a",
            "--once",
            "--",
            "sh",
            "-c",
            "echo loud >&2; exit 1",
        ],
        &["status"],
        &["retention", "set", "--stale", "1d", "--yes"],
    ] {
        let output = server.run(&[&["--quiet"], arguments].concat())?;
        assert_exit(&output, 0);
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
    let nothing = server.run(&["--quiet", "claim", "--agent", "b"])?;
    assert_exit(&nothing, 2);
    assert_eq!(
        (stderr(&nothing).as_str(), nothing.stdout.as_slice()),
        ("", &[][..])
    );
    Ok(())
}

/// Every page of help, found by following the commands that the help names.
#[test]
fn no_line_of_help_is_wider_than_eighty_columns() -> Result<()> {
    let home = Home::new()?;
    let mut pages = 0;
    let mut rest: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(words) = rest.pop() {
        let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        arguments.push("--help");
        let output = home.run(&arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
        }
        pages += 1;
        let commands = text.lines().skip_while(|line| *line != "Commands:").skip(1);
        let commands = commands.take_while(|line| !line.is_empty());
        let names = commands.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
        for name in names.filter(|name| *name != "help" && !name.starts_with(' ')) {
            // The second line of a description begins further right.
            if text.contains(&format!("\n  {name}")) {
                rest.push([words.clone(), vec![name.to_owned()]].concat());
            }
        }
    }
    assert!(pages > 60, "{pages} pages");
    Ok(())
}

#[tokio::test]
async fn no_table_is_wider_than_eighty_columns() -> Result<()> {
    let server = Server::start().await?;
    let long = "a-very-long-name-that-somebody-has-chosen-without-thinking-of-others";
    let title = "A title that goes on and on, because its author had so much to say about it";
    server.submit(&["--title", title, "--type", long])?;
    server.submit(&["--title", title, "--type", long])?;
    let agent = ["--agent", long];
    let claimed = server.json(&[&["claim", "--start", "--type", long], &agent[..]].concat())?;
    let id = claimed["claims"][0]["task"]["id"]
        .as_str()
        .context("an id")?;
    let graph = format!(
        "title: {title}\ntasks:\n  - {{name: {long}, title: {title}, type: x}}\n  - {{name: b, title: b, type: x, depends_on: [{long}]}}\n"
    );
    let graph = server.run_with(
        &["graph", "create", "-f", "-"],
        &graph.replace(", because", ""),
    )?;
    let graph = String::from_utf8(graph.stdout)?;
    let graph = graph.split_whitespace().next().context("an id")?;
    let fail = ["fail", id, "--reason", "invalid_input", "--message", title];
    server.json(&[&fail[..], &agent[..]].concat())?;
    server.json(&[
        "limits",
        "set",
        &format!("type:{long}"),
        "3",
        "--note",
        title,
    ])?;
    server.json(&["pause", &format!("type:{long}"), "--note", title])?;
    server.json(&["budget", "set", "each_day", "123456.5", "--note", title])?;
    let as_agent = ["--agent", "asker"];
    let asked = server.json(&[&["claim", "--start"], &as_agent[..]].concat())?;
    let asked = asked["claims"][0]["task"]["id"].as_str().context("an id")?;
    let question = title.repeat(3);
    let block = ["block", asked, "--question", &question];
    server.json(&[&block[..], &as_agent[..]].concat())?;
    server.json(&["project", "create", title, "--external-ref", long])?;
    server.json(&["key", "create", "--role", "orchestrator", "--name", long])?;
    for arguments in [
        &["list"][..],
        &["agent", "list"],
        &["dead-letter", "list"],
        &["dead-letter", "groups"],
        &["dead-letter", "show", id],
        &["show", id],
        &["graph", "show", graph],
        &["graph", "list"],
        &["limits", "list"],
        &["budget", "list"],
        &["pause"],
        &["project", "list"],
        &["key", "list"],
        &["audit"],
        &["status"],
    ] {
        let output = server.run(arguments)?;
        assert_exit(&output, 0);
        let text = String::from_utf8(output.stdout)?;
        // Fields and texts of one thing are not cut off; tables have several columns.
        let is_of_table = |line: &&str| {
            line.trim_start()
                .split("  ")
                .filter(|part| !part.trim().is_empty())
                .count()
                > 2
        };
        let is_question = |line: &&str| arguments == ["status"] && line.contains(asked);
        assert!(arguments != ["status"] || text.contains(asked), "{text}");
        for line in text
            .lines()
            .filter(|line| is_of_table(line) || is_question(line))
        {
            assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
        }
    }
    Ok(())
}
