//! What a command is given, and what it tells while it runs.

use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::{CompleteTask, SendHeartbeat, Usage};
use workmill_sdk::{Client, ClientError};
use workmill_testkit::factory::task;

use super::{Mill, WAIT, assert_gone, counted, once, output};

#[tokio::test]
async fn a_command_gets_the_claim_and_the_results_before_it_on_standard_input() -> Result<()> {
    let mill = Mill::start().await?;
    let named = |name: &str, above: &[&str]| NewTask {
        name: Some(name.to_owned()),
        depends_on: above.iter().map(|&above| above.to_owned()).collect(),
        ..once(name)
    };
    let graph = CreateGraph {
        title: "two".to_owned(),
        project_id: None,
        created_by: None,
        draft: false,
        budget_usd: None,
        tasks: vec![named("first", &[]), named("second", &["first"])],
    };
    let tasks = mill.admin.create_graph(&graph).await?.tasks;
    let arguments = ["--json", "--max-tasks", "2", "--", "sh", "-c", "cat"];
    let runner = mill.start_runner(&arguments)?;
    assert_eq!(runner.ended()?["completed"], 2);
    let first = output(&mill.admin.task(tasks["first"]).await?);
    assert_eq!(first["task"]["title"], "first");
    let second = output(&mill.admin.task(tasks["second"]).await?);
    let results = &second["context"]["dependency_results"];
    assert_eq!(results[0]["output"]["task"]["title"], "first");
    Ok(())
}

/// The agent's key stays with the runner; what the command has is good for its own task alone, and
/// when the task is ended with it, the command is stopped.
#[tokio::test]
async fn a_command_gets_a_token_for_its_lease_and_no_key() -> Result<()> {
    let mill = Mill::start().await?;
    let id = mill.submit(once("secretive")).await?;
    let script = format!("echo $$ > leader; env > here; mv here variables; {WAIT}");
    let arguments = ["--json", "--max-tasks", "1", "--", "sh", "-c", &script];
    let mut command = mill.command(&arguments);
    command
        .env("WORKMILL_KEY", "planted-key")
        .env("WORKMILL_DATABASE_URL", "postgres://planted")
        .env("DATABASE_URL", "postgres://planted")
        .env("WORKMILL_DATA", "/planted")
        .env("PGPASSWORD", "planted")
        .env("PGPASSFILE", "/planted")
        .env("PGHOST", "planted")
        .env("POSTGRES_PASSWORD", "planted")
        .env("TEST_DATABASE_URL", "postgres://planted")
        .env("UNTOUCHED", "stays")
        .stdout(std::process::Stdio::piped());
    let runner = super::Runner(Some(command.spawn()?));
    crate::support::wait_until("variables", || mill.path("variables").exists())?;
    let variables = std::fs::read_to_string(mill.path("variables"))?;
    assert!(!variables.contains(&mill.key), "the agent's key");
    assert!(!variables.contains("planted"), "{variables}");
    let get = |name: &str| {
        let found = variables.lines().find_map(|line| line.strip_prefix(name));
        found
            .and_then(|rest| rest.strip_prefix('='))
            .context(name.to_owned())
    };
    assert_eq!(get("UNTOUCHED")?, "stays");
    assert_eq!(get("WORKMILL_TASK_ID")?, id.to_string());
    assert_eq!(get("WORKMILL_URL")?, mill.url);

    let lease: LeaseId = get("WORKMILL_LEASE")?.parse()?;
    let client = Client::new(&mill.url, get("WORKMILL_TOKEN")?)?;
    client.heartbeat(lease, &SendHeartbeat::default()).await?;
    let refused = client.submit(vec![task("more")]).await;
    let Err(ClientError::Refused(problem)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(problem.code, ErrorCode::Forbidden);
    let completion = CompleteTask {
        output: serde_json::value::to_raw_value(&json!("by itself"))?,
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    };
    client.complete(lease, &completion).await?;
    assert_eq!(runner.ended()?["completed"], 1);
    assert_eq!(output(&mill.admin.task(id).await?), "by itself");
    assert_gone(&[mill.process("leader")?]);
    Ok(())
}

#[tokio::test]
async fn progress_is_seen_while_it_runs_and_a_checkpoint_by_the_next_attempt() -> Result<()> {
    let mill = Mill::start().await?;
    let new = NewTask {
        max_attempts: Some(2),
        retry: serde_json::from_value(json!({"strategy": "immediate"}))?,
        ..once("long")
    };
    let id = mill.submit(new).await?;
    let script = format!(
        r#"echo '{{"progress": {{"percent": 40}}, "cost_usd": 0.1}}' >> $WORKMILL_PROGRESS
        echo 'no JSON' >> $WORKMILL_PROGRESS
        {WAIT} echo '{{"checkpoint": {{"line": 7}}}}' >> $WORKMILL_PROGRESS; exit 75"#
    );
    let arguments = [
        "--json",
        "--max-tasks",
        "1",
        "--agent",
        "one",
        "--",
        "sh",
        "-c",
        &script,
    ];
    let runner = mill.start_runner(&arguments)?;
    let percent = json!({"percent": 40});
    let told = |progress: &Option<Value>| progress.as_ref() == Some(&percent);
    mill.task_when(id, |task| {
        let is_told = |cost: f64| (cost - 0.1).abs() < 1e-9;
        let claim = task.claim.as_ref();
        claim.is_some_and(|claim| told(&claim.progress) && is_told(claim.cost_usd))
    })
    .await?;
    mill.open_gate()?;
    assert_eq!(runner.ended()?["failed"], 1);
    mill.task_in(id, State::Ready).await?;
    let arguments = ["--json", "--max-tasks", "1", "--agent", "two", "--", "cat"];
    assert_eq!(mill.start_runner(&arguments)?.ended()?["completed"], 1);
    let pack = output(&mill.admin.task(id).await?);
    assert_eq!(pack["context"]["checkpoint"], json!({"line": 7}));
    Ok(())
}

#[tokio::test]
async fn each_command_can_have_a_folder_of_its_own() -> Result<()> {
    let mill = Mill::start().await?;
    // Named from here, and started there.
    let script = mill.path("tidy");
    std::fs::write(&script, "#!/bin/sh\nls -A; touch mine; pwd\n")?;
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755))?;
    let mut folders = Vec::new();
    for _ in 0..2 {
        let id = mill.submit(once("tidy")).await?;
        let arguments = ["--once", "--workdir-per-task", "--", "./tidy"];
        crate::support::assert_exit(&mill.command(&arguments).output()?, 0);
        let folder = output(&mill.admin.task(id).await?);
        folders.push(
            folder
                .as_str()
                .context("only a folder, and empty")?
                .to_owned(),
        );
    }
    assert_ne!(folders[0], folders[1]);
    for folder in &folders {
        assert!(!folder.contains('\n'), "it was not empty: {folder}");
        assert!(
            !std::path::Path::new(folder).exists(),
            "{folder} is left behind"
        );
    }
    Ok(())
}

/// F-32 (part): register, claim up to as many as there are slots, run, complete, and go on.
#[tokio::test]
async fn an_agent_works_on_as_many_tasks_as_it_has_slots_and_no_more() -> Result<()> {
    let mill = Mill::start().await?;
    let tasks = (0..8).map(|n| once(&n.to_string())).collect();
    let tasks = mill.admin.submit(tasks).await?.tasks;
    std::fs::create_dir(mill.path("running"))?;
    let script = format!(
        "touch running/$WORKMILL_TASK_ID; ls running | wc -l; {WAIT}
        rm running/$WORKMILL_TASK_ID"
    );
    let arguments = [
        "--json",
        "--agent",
        "crew-1",
        "--type",
        "worker",
        "--cap",
        "rust",
        "--slots",
        "3",
        "--max-tasks",
        "8",
        "--",
        "sh",
        "-c",
        &script,
    ];
    let runner = mill.start_runner(&arguments)?;
    let count = || std::fs::read_dir(mill.path("running")).map_or(0, Iterator::count);
    crate::support::wait_until("three run", || count() == 3)?;
    let agent = mill.admin.agent("crew-1").await?;
    assert_eq!((agent.current_tasks, agent.max_concurrent_tasks), (3, 3));
    assert_eq!(
        (agent.agent_type.as_str(), agent.capabilities),
        ("worker", vec!["rust".to_owned()])
    );
    mill.open_gate()?;
    let tally = runner.ended()?;
    assert_eq!(tally, counted("completed", 8));
    for one in tasks {
        let task = mill.admin.task(one.id).await?;
        assert_eq!((task.status, task.attempts.len()), (State::Completed, 1));
        let at_a_time: u32 = output(&task).to_string().trim_matches('"').parse()?;
        assert!((1..=3).contains(&at_a_time), "{at_a_time} at a time");
    }
    Ok(())
}

/// A-2 (part): a lease lasts 30 seconds where that is the rule, and one that is not renewed makes the task
/// eligible again. Its owner is named after the host and the folder, the same after a restart, and only
/// one process at a time has the name.
#[tokio::test]
async fn a_lease_lives_on_the_heartbeats_of_the_runner_and_ends_with_it() -> Result<()> {
    let mill = Mill::start().await?;
    let workflow = NewTask {
        profile: Profile::Workflow,
        ..task("of a workflow")
    };
    let pack = output(&mill.run_once(workflow, "cat").await?);
    assert_eq!(pack["expires_in_ms"], 30_000);

    let short = NewTask {
        lease_sec: Some(1.0),
        max_attempts: Some(5),
        retry: serde_json::from_value(json!({"strategy": "immediate"}))?,
        ..once("long")
    };
    let id = mill.submit(short).await?;
    let script = "echo $$ > leader; exec sleep 1000";
    let runner = mill.start_runner(&["--", "sh", "-c", script])?;
    let leader = mill.process("leader")?;
    let host = nix::unistd::gethostname()?;
    let folder = mill.path("");
    let folder = folder.file_name().context("it has a name")?;
    let named = format!("{}-{}-", host.to_string_lossy(), folder.to_string_lossy());
    // The command says nothing, and yet the lease outlives its time.
    let outlived = mill
        .task_when(id, |task| {
            let claim = task.claim.as_ref();
            let lived = claim.map(|claim| claim.heartbeat_at - claim.claimed_at);
            lived.is_some_and(|lived| lived.get_seconds() >= 3)
        })
        .await?;
    let claim = outlived.claim.context("it runs")?;
    assert_eq!(claim.epoch, 1);
    assert!(claim.agent.starts_with(&named), "{}", claim.agent);
    drop(runner);
    // Nobody could stop the command, as when a machine goes down.
    nix::sys::signal::kill(leader, nix::sys::signal::Signal::SIGKILL)?;
    let arguments = ["--json", "--max-tasks", "1", "--", "echo", "again"];
    assert_eq!(mill.start_runner(&arguments)?.ended()?["completed"], 1);
    let task = mill.admin.task(id).await?;
    assert_eq!(output(&task), "again");
    let agents: Vec<&str> = task.attempts.iter().map(|one| one.agent.as_str()).collect();
    assert_eq!(agents, [&claim.agent, &claim.agent]);
    Ok(())
}
