//! Work from files: YAML or JSON, and where in them something is wrong.

use anyhow::{Context, Result};
use serde_json::json;

use crate::everyday::Server;
use crate::support::{assert_exit, data, stderr};

const GRAPH: &str = "\
title: Release
budget_usd: 5
tasks:
  - name: build
    title: Build
    type: build
  - name: ship
    title: Ship
    type: ship
    depends_on: [build]
    spec:
      prompt: |
        Ship it.
        Not on a Friday.
";

#[tokio::test]
async fn a_graph_is_read_from_yaml_and_from_json_alike() -> Result<()> {
    let server = Server::start().await?;
    let weekly = GRAPH.replace("tasks:\n", "created_by: cron:weekly\ntasks:\n");
    std::fs::write(server.home().join("graph.yaml"), weekly)?;
    let created = server.json(&["graph", "create", "-f", "graph.yaml"])?;
    let graph = server.json(&["show", created["id"].as_str().context("an id")?])?;
    assert_eq!(graph["title"], "Release");
    assert_eq!(graph["created_by"], "cron:weekly");
    let ship = &graph["tasks"][1];
    assert_eq!(
        ship["task"]["spec"]["prompt"],
        "Ship it.\nNot on a Friday.\n"
    );
    assert_eq!(ship["depends_on"], json!([created["tasks"]["build"]]));

    let as_json = json!({"title": "J", "tasks": [{"title": "a", "type": "t"}]}).to_string();
    for text in [GRAPH, &as_json] {
        let output = server.run_with(&["--json", "graph", "create", "-f", "-"], text)?;
        assert_exit(&output, 0);
        assert_eq!(data(&output)?["status"], "running");
    }
    let tasks = "tasks:\n- {title: a, type: t}\n- {title: b, type: t}\n";
    let output = server.run_with(&["--json", "submit", "-f", "-"], tasks)?;
    assert_exit(&output, 0);
    assert_eq!(data(&output)?["tasks"].as_array().map(Vec::len), Some(2));
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_told_with_line_column_and_field() -> Result<()> {
    let server = Server::start().await?;
    let graph = |from: &str, to: &str| GRAPH.replace(from, to);
    let refused = |name: &str, text: &str, place: &str| -> Result<()> {
        std::fs::write(server.home().join(name), text)?;
        let output = server.run(&["--json", "graph", "create", "-f", name])?;
        assert_exit(&output, 6);
        assert!(output.stdout.is_empty(), "only answers go there");
        let told: serde_json::Value = serde_json::from_str(&stderr(&output))?;
        let told = told["error"]["message"].as_str().context("a message")?;
        let place = format!("{name}, {place}");
        assert!(
            told.starts_with(&place),
            "{place} is not the start of {told}"
        );
        Ok(())
    };
    let unknown = graph("    type: ship\n", "    type: ship\n    colour: red\n");
    refused("g.yaml", &unknown, "line 10, column 5, `tasks[1].colour`: ")?;
    let no_number = graph("budget_usd: 5", "budget_usd: five");
    refused("g.yaml", &no_number, "line 2, column 1, `budget_usd`: ")?;
    let no_list = graph("depends_on: [build]", "depends_on: build");
    refused(
        "g.yaml",
        &no_list,
        "line 10, column 5, `tasks[1].depends_on`: ",
    )?;
    let nobody = graph("[build]", "[built]");
    refused(
        "g.yaml",
        &nobody,
        "line 10, column 18, `tasks[1].depends_on[0]`: ",
    )?;
    refused("g.yaml", "title: [a\ntasks: []\n", "line 2, column 6: ")?;
    refused(
        "g.json",
        "{\n  \"title\": \"a\",\n  tasks\n}",
        "line 3, column 3: ",
    )?;
    let json = "{\n  \"title\": \"a\",\n  \"tasks\": [{\"title\": \"b\", \"type\": 7}]\n}";
    refused("g.json", json, "line 3, column 28, `tasks[0].type`: ")?;
    // What is missing is named, at the place where it should be.
    let no_type = graph("    type: ship\n", "");
    refused("g.yaml", &no_type, "line 7, column 5, `tasks[1].type`: ")?;
    let alone = server.run_with(&["submit", "-f", "-"], "\ntitle: a\n")?;
    assert_exit(&alone, 6);
    let told = stderr(&alone);
    assert!(
        told.contains("standard input, line 2, column 1, `type`: "),
        "{told}"
    );
    let twice = graph("budget_usd: 5", "title: again");
    refused("g.yaml", &twice, "line 2, column 1: ")?;
    assert_eq!(
        server.json(&["list"])?["items"],
        json!([]),
        "nothing came in"
    );
    Ok(())
}

#[tokio::test]
async fn a_file_that_is_not_there_exits_3() -> Result<()> {
    let server = Server::start().await?;
    assert_exit(&server.run(&["submit", "-f", "nowhere.yaml"])?, 3);
    assert_exit(&server.run(&["graph", "create"])?, 64);
    std::fs::create_dir(server.home().join("folder"))?;
    assert_exit(&server.run(&["submit", "-f", "folder"])?, 6);
    Ok(())
}
