//! The statements of `queries/`, and the plans that PostgreSQL makes for them.
//!
//! A statement is read from its file by its name, prepared as the generated code prepares it, and
//! explained with a value for each parameter that follows from the parameter's type.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tokio_postgres::Client;

/// Whether a plan knows the parameters. Prepared statements get either kind, as PostgreSQL likes.
#[derive(Debug, Clone, Copy)]
pub enum PlanKind {
    Custom,
    Generic,
}

impl PlanKind {
    fn setting(self) -> &'static str {
        match self {
            PlanKind::Custom => "force_custom_plan",
            PlanKind::Generic => "force_generic_plan",
        }
    }
}

#[derive(Debug)]
pub struct Statement {
    pub name: String,
    /// As it is written, without comments.
    pub named: String,
    /// With `$1`, `$2`, … for parameters.
    pub text: String,
    parameters: Vec<String>,
}

/// The statements of a file below `queries/`, in its order.
pub fn read_statements(file: &Path) -> Result<Vec<Statement>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("there is no file {}", file.display()))?;
    let blocks = text.split("--! ").skip(1);
    Ok(blocks.map(parse).collect())
}

/// One statement, by the stage and file and its name: `("dispatch/claim", "pick_ready")`.
pub fn read_statement(file: &str, name: &str) -> Result<Statement> {
    let path = folder().join(file).with_extension("sql");
    let mut statements = read_statements(&path)?.into_iter();
    statements
        .find(|statement| statement.name == name)
        .with_context(|| format!("there is no statement {name} in {file}.sql"))
}

/// All files below `queries/`.
pub fn read_all_statements() -> Result<Vec<Statement>> {
    let mut statements = Vec::new();
    for stage in std::fs::read_dir(folder())? {
        for file in std::fs::read_dir(stage?.path())? {
            statements.extend(read_statements(&file?.path())?);
        }
    }
    Ok(statements)
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("queries")
}

fn parse(block: &str) -> Statement {
    let (title, body) = block.split_once('\n').unwrap_or((block, ""));
    let name = title
        .split(|letter: char| !is_of_a_name(letter))
        .next()
        .unwrap_or("");
    let lines = body
        .lines()
        .map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    let named = lines.collect::<Vec<_>>().join("\n");
    let named = named.trim().trim_end_matches(';').to_owned();
    let (text, parameters) = number_parameters(&named);
    Statement {
        name: name.to_owned(),
        named,
        text,
        parameters,
    }
}

/// `:name` becomes `$1`, in the order of first appearance; `::type` and ` : ` stay.
fn number_parameters(named: &str) -> (String, Vec<String>) {
    let mut parameters: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut rest = named;
    while let Some(at) = rest.find(':') {
        text.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(kind) = after.strip_prefix(':') {
            text.push_str("::");
            rest = kind;
            continue;
        }
        let end = after
            .find(|letter| !is_of_a_name(letter))
            .unwrap_or(after.len());
        let name = &after[..end];
        if name.is_empty() {
            text.push(':');
            rest = after;
            continue;
        }
        let place = parameters.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            parameters.push(name.to_owned());
            parameters.len() - 1
        });
        text.push('$');
        text.push_str(&(place + 1).to_string());
        rest = &after[end..];
    }
    text.push_str(rest);
    (text, parameters)
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

impl Statement {
    /// What it does with these values, carried out on a connection as the store has them.
    pub async fn analyze(&self, client: &Client, values: &[String]) -> Result<Plan> {
        let prepare = format!("deallocate all; prepare analyzed as {}", self.text);
        client.batch_execute(&prepare).await?;
        let values = values.join(", ");
        let analyze = format!("explain (analyze, format json) execute analyzed ({values})");
        let answer: Value = client.query_one(&analyze, &[]).await?.get(0);
        Ok(Plan(answer[0]["Plan"].clone()))
    }

    /// The plan for the namespace `ns`.
    pub async fn explain(&self, client: &Client, kind: PlanKind, ns: i64) -> Result<Plan> {
        let doing = || format!("explain {}", self.name);
        client
            .batch_execute(&format!(
                "set plan_cache_mode = {}; deallocate all; prepare explained as {}",
                kind.setting(),
                self.text
            ))
            .await
            .with_context(doing)?;
        let types = "select parameter_types::text[] from pg_prepared_statements \
                     where name = 'explained'";
        let types: Vec<String> = client.query_one(types, &[]).await?.get(0);
        let values = self.parameters.iter().zip(&types).map(|(name, kind)| {
            if name == "ns" {
                return Ok(ns.to_string());
            }
            // The end of a stretch lies behind its beginning, or there is nothing to plan.
            if ["upto", "before", "before_id"].contains(&name.as_str()) && kind == "uuid" {
                return Ok("'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid".to_owned());
            }
            if name == "before_hour" {
                return Ok("'infinity'::timestamptz".to_owned());
            }
            let value = a_value(kind).with_context(|| format!("{}: {name}", self.name))?;
            Ok(format!("{value}::{kind}"))
        });
        let values = values.collect::<Result<Vec<_>>>()?.join(", ");
        let execute = if values.is_empty() {
            "execute explained".to_owned()
        } else {
            format!("execute explained ({values})")
        };
        let row = client
            .query_one(&format!("explain (format json) {execute}"), &[])
            .await
            .with_context(doing)?;
        let answer: Value = row.get(0);
        Ok(Plan(answer[0]["Plan"].clone()))
    }
}

/// Plausible for each type; lists have two members, which are tasks and lanes of the filled queue.
fn a_value(kind: &str) -> Result<&'static str> {
    Ok(match kind {
        "bigint" | "integer" | "smallint" => "10",
        "boolean" => "true",
        "text" => "'agent 1'",
        "json" | "jsonb" => "'{}'",
        "bytea" => "''",
        "bytea[]" => "'{a,b}'",
        "uuid" => "'00000000-0000-0000-0000-000000000005'",
        "timestamp with time zone" => "'2027-01-01'",
        "bigint[]" | "integer[]" | "smallint[]" | "json[]" | "jsonb[]" => "'{1,2}'",
        "boolean[]" => "'{t,f}'",
        "text[]" => "'{agent 1,agent 2}'",
        "uuid[]" => "'{00000000-0000-0000-0000-000000000005,00000000-0000-0000-0000-000000000006}'",
        "timestamp with time zone[]" => "'{2027-01-01,2027-01-02}'",
        other => bail!("no value for a parameter of the type {other}"),
    })
}

/// A node of a plan, with what is below it.
#[derive(Debug, Clone)]
pub struct Plan(Value);

impl Plan {
    pub fn node(&self) -> &str {
        self.0["Node Type"].as_str().unwrap_or("")
    }

    pub fn relation(&self) -> Option<&str> {
        self.0["Relation Name"].as_str()
    }

    pub fn index(&self) -> Option<&str> {
        self.0["Index Name"].as_str()
    }

    /// What leads into the index.
    pub fn index_condition(&self) -> &str {
        self.0["Index Cond"].as_str().unwrap_or("")
    }

    /// As the planner reckons.
    pub fn rows(&self) -> f64 {
        self.0["Plan Rows"].as_f64().unwrap_or(f64::MAX)
    }

    /// Rows that were looked at here, where the plan was carried out.
    pub fn touched(&self) -> f64 {
        let figure = |name: &str| self.0[name].as_f64().unwrap_or_default();
        let rows = figure("Actual Rows") + figure("Rows Removed by Filter");
        rows * figure("Actual Loops")
    }

    pub fn below(&self) -> Vec<Plan> {
        let below = self.0["Plans"].as_array().cloned().unwrap_or_default();
        below.into_iter().map(Plan).collect()
    }

    /// This node and all below it.
    pub fn nodes(&self) -> Vec<Plan> {
        let mut nodes = vec![self.clone()];
        for plan in self.below() {
            nodes.extend(plan.nodes());
        }
        nodes
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#}", self.0)
    }
}

#[test]
fn parameters_are_numbered_in_the_order_they_appear_and_casts_are_left_alone() {
    let block = "find (b?) : (c?)\n-- Not: this.\nselect :b::text[], :a -- nor :this\nwhere :b;\n";
    let statement = parse(block);
    assert_eq!(statement.name, "find");
    assert_eq!(statement.text, "select $1::text[], $2 \nwhere $1");
    assert_eq!(statement.parameters, ["b", "a"]);
}
