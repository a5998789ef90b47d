//! Dependencies point one way. Each rule is a function over the dependency graph that cargo resolved; it
//! returns its violations as text. Normal and build dependencies count, development dependencies do not.
//!
//! The graph is that of the whole workspace with all features, on the platform that runs the test. A feature that one
//! member turns on in a shared dependency therefore counts for every member, as it does in a workspace build.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// Which workspace crates a workspace crate may depend on. A new crate needs a row here.
const ALLOWED_EDGES: &[(&str, &[&str])] = &[
    ("workmill-core", &[]),
    ("workmill-protocol", &["workmill-core"]),
    ("workmill-queries", &[]),
    ("workmill-store", &["workmill-core", "workmill-queries"]),
    ("workmill-engine", &["workmill-core", "workmill-store"]),
    (
        "workmill-server",
        &["workmill-core", "workmill-protocol", "workmill-engine"],
    ),
    ("workmill-sdk", &["workmill-core", "workmill-protocol"]),
    ("workmill-local-postgres", &[]),
    (
        "workmill-cli",
        &[
            "workmill-core",
            "workmill-protocol",
            "workmill-store",
            "workmill-engine",
            "workmill-server",
            "workmill-sdk",
            "workmill-local-postgres",
        ],
    ),
    (
        "workmill-testkit",
        &[
            "workmill-core",
            "workmill-protocol",
            "workmill-queries",
            "workmill-store",
            "workmill-engine",
            "workmill-server",
            "workmill-sdk",
            "workmill-local-postgres",
            "workmill-cli",
        ],
    ),
    (
        "workmill-generate",
        &[
            "workmill-core",
            "workmill-local-postgres",
            "workmill-protocol",
            "workmill-server",
        ],
    ),
];

const DRIVER: &[&str] = &["tokio-postgres", "postgres-types", "deadpool-postgres"];
const DRIVER_USERS: &[&str] = &[
    "workmill-store",
    "workmill-queries",
    "workmill-testkit",
    "workmill-generate",
];
const WEB_FRAMEWORK: &[&str] = &["axum", "tower"];
const WEB_FRAMEWORK_USERS: &[&str] = &["workmill-server"];
const FOR_DEVELOPMENT: &[&str] = &["workmill-testkit", "workmill-generate"];
const IMPURE: &[&str] = &["tokio", "tokio-postgres", "axum", "reqwest"];

static WORKSPACE: LazyLock<Graph> = LazyLock::new(|| Graph::parse(&cargo_metadata()));

#[test]
fn core_reaches_no_runtime_no_driver_and_no_http() {
    assert_holds(&unreachable(&WORKSPACE, "workmill-core", IMPURE));
}

#[test]
fn of_what_ships_only_the_store_and_its_queries_depend_on_the_postgres_driver() {
    assert_holds(&only_used_by(&WORKSPACE, DRIVER, DRIVER_USERS));
}

#[test]
fn only_the_server_depends_on_the_web_framework() {
    assert_holds(&only_used_by(
        &WORKSPACE,
        WEB_FRAMEWORK,
        WEB_FRAMEWORK_USERS,
    ));
}

#[test]
fn the_engine_does_not_reach_the_web_framework() {
    assert_holds(&unreachable(&WORKSPACE, "workmill-engine", &["axum"]));
}

#[test]
fn workspace_crates_depend_on_each_other_only_as_the_table_allows() {
    assert_holds(&only_allowed_edges(&WORKSPACE, ALLOWED_EDGES));
}

#[test]
fn nothing_depends_on_the_testkit_or_the_generator() {
    assert_holds(&only_used_by(&WORKSPACE, FOR_DEVELOPMENT, &[]));
}

#[test]
fn a_runtime_deep_below_core_is_reported_with_the_way_to_it() {
    let graph = Graph::of(&[
        ("workmill-core", "retry"),
        ("retry", "timer"),
        ("timer", "tokio"),
    ]);
    assert_eq!(
        unreachable(&graph, "workmill-core", IMPURE),
        ["workmill-core must not reach tokio: workmill-core -> retry -> timer -> tokio"]
    );
}

#[test]
fn a_rule_about_a_crate_that_is_gone_fails() {
    let graph = Graph::of(&[("workmill-kernel", "serde")]);
    assert_eq!(
        unreachable(&graph, "workmill-core", IMPURE),
        ["workmill-core is not in the workspace"]
    );
}

#[test]
fn a_driver_in_the_engine_is_reported_but_not_one_inside_a_dependency() {
    let graph = Graph::of(&[
        ("workmill-store", "tokio-postgres"),
        ("workmill-engine", "deadpool-postgres"),
        ("deadpool-postgres", "tokio-postgres"),
    ]);
    assert_eq!(
        only_used_by(&graph, DRIVER, DRIVER_USERS),
        ["workmill-engine must not depend on deadpool-postgres"]
    );
}

#[test]
fn a_web_framework_in_the_command_is_reported() {
    let graph = Graph::of(&[
        ("workmill-server", "axum"),
        ("workmill-cli", "axum"),
        ("workmill-cli", "tower"),
    ]);
    assert_eq!(
        only_used_by(&graph, WEB_FRAMEWORK, WEB_FRAMEWORK_USERS),
        [
            "workmill-cli must not depend on axum",
            "workmill-cli must not depend on tower"
        ]
    );
}

#[test]
fn an_edge_against_the_flow_is_reported() {
    let graph = Graph::of(&[
        ("workmill-server", "workmill-engine"),
        ("workmill-store", "workmill-engine"),
    ]);
    assert_eq!(
        only_allowed_edges(&graph, ALLOWED_EDGES),
        ["workmill-store -> workmill-engine is not in the table of allowed edges"]
    );
}

#[test]
fn a_new_crate_without_a_row_in_the_table_is_reported() {
    let graph = Graph::of(&[("workmill-extra", "serde")]);
    assert_eq!(
        only_allowed_edges(&graph, ALLOWED_EDGES),
        ["workmill-extra has no row in the table of allowed edges"]
    );
}

#[test]
fn a_shipped_crate_with_the_testkit_inside_is_reported() {
    let graph = Graph::of(&[("workmill-cli", "workmill-testkit")]);
    assert_eq!(
        only_used_by(&graph, FOR_DEVELOPMENT, &[]),
        ["workmill-cli must not depend on workmill-testkit"]
    );
}

#[test]
fn normal_and_build_dependencies_count_and_development_dependencies_do_not() {
    let metadata = serde_json::json!({
        "workspace_members": ["core-id"],
        "packages": [
            { "id": "core-id", "name": "workmill-core" },
            { "id": "serde-id", "name": "serde" },
            { "id": "codegen-id", "name": "codegen" },
            { "id": "tokio-id", "name": "tokio" },
            { "id": "both-id", "name": "both" }
        ],
        "resolve": { "nodes": [
            { "id": "core-id", "deps": [
                { "pkg": "serde-id", "dep_kinds": [{ "kind": null }] },
                { "pkg": "codegen-id", "dep_kinds": [{ "kind": "build" }] },
                { "pkg": "tokio-id", "dep_kinds": [{ "kind": "dev" }] },
                { "pkg": "both-id", "dep_kinds": [{ "kind": "dev" }, { "kind": null }] }
            ] }
        ] }
    });
    let graph = Graph::parse(&metadata);
    assert_eq!(
        graph.direct("core-id").collect::<Vec<_>>(),
        ["both", "codegen", "serde"]
    );
}

/// No crate of `targets` is anywhere below `from`.
fn unreachable(graph: &Graph, from: &str, targets: &[&str]) -> Vec<String> {
    let Some(start) = graph.members.iter().find(|id| graph.name(id) == from) else {
        return vec![format!("{from} is not in the workspace")];
    };
    graph
        .ways_from(start)
        .into_iter()
        .filter(|way| way.last().is_some_and(|name| targets.contains(name)))
        .map(|way| {
            let target = way.last().copied().unwrap_or_default();
            format!("{from} must not reach {target}: {}", way.join(" -> "))
        })
        .collect()
}

/// Of the workspace's crates only `users` depend directly on one of `targets`.
fn only_used_by(graph: &Graph, targets: &[&str], users: &[&str]) -> Vec<String> {
    graph
        .member_edges()
        .filter(|(from, to)| targets.contains(to) && !users.contains(from))
        .map(|(from, to)| format!("{from} must not depend on {to}"))
        .collect()
}

/// Every edge between two crates of the workspace is in the table, and every crate has a row.
fn only_allowed_edges(graph: &Graph, table: &[(&str, &[&str])]) -> Vec<String> {
    let rows: BTreeMap<&str, &[&str]> = table.iter().copied().collect();
    let members: BTreeSet<&str> = graph.members.iter().map(|id| graph.name(id)).collect();
    let without_row = members
        .iter()
        .filter(|name| !rows.contains_key(*name))
        .map(|name| format!("{name} has no row in the table of allowed edges"));
    let outside = graph
        .member_edges()
        .filter(|(from, to)| {
            members.contains(to) && rows.get(from).is_some_and(|row| !row.contains(to))
        })
        .map(|(from, to)| format!("{from} -> {to} is not in the table of allowed edges"));
    without_row.chain(outside).collect()
}

fn assert_holds(violations: &[String]) {
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

/// Packages by id, because two versions of a package share a name.
#[derive(Default)]
struct Graph {
    names: BTreeMap<String, String>,
    members: BTreeSet<String>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads what `cargo metadata` prints.
    fn parse(metadata: &Value) -> Self {
        let mut graph = Self::default();
        for member in list(metadata, "workspace_members") {
            graph.members.insert(text(member));
        }
        for package in list(metadata, "packages") {
            graph
                .names
                .insert(text(&package["id"]), text(&package["name"]));
        }
        for node in list(&metadata["resolve"], "nodes") {
            let shipped = list(node, "deps")
                .iter()
                .filter(|dependency| {
                    list(dependency, "dep_kinds")
                        .iter()
                        .any(|kind| kind["kind"] != "dev")
                })
                .map(|dependency| text(&dependency["pkg"]))
                .collect();
            graph.edges.insert(text(&node["id"]), shipped);
        }
        graph
    }

    /// A small graph by hand, whose ids are the names. What is called workmill-… is a member.
    fn of(edges: &[(&str, &str)]) -> Self {
        let mut graph = Self::default();
        for (from, to) in edges {
            for name in [from, to] {
                graph.names.insert((*name).into(), (*name).into());
                if name.starts_with("workmill-") {
                    graph.members.insert((*name).into());
                }
            }
            graph
                .edges
                .entry((*from).into())
                .or_default()
                .insert((*to).into());
        }
        graph
    }

    fn name(&self, id: &str) -> &str {
        self.names
            .get(id)
            .unwrap_or_else(|| panic!("the package {id} has a name"))
    }

    fn dependencies(&self, id: &str) -> impl Iterator<Item = &str> {
        self.edges.get(id).into_iter().flatten().map(String::as_str)
    }

    /// The names of what a package depends on itself.
    fn direct(&self, id: &str) -> impl Iterator<Item = &str> {
        self.dependencies(id)
            .map(|dependency| self.name(dependency))
    }

    /// Every direct dependency of a workspace member, by name.
    fn member_edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members
            .iter()
            .flat_map(|id| self.direct(id).map(|name| (self.name(id), name)))
    }

    /// For every package below `start`, the names on one shortest way to it.
    fn ways_from<'graph>(&'graph self, start: &'graph str) -> Vec<Vec<&'graph str>> {
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, vec![self.name(start)])]);
        let mut ways = Vec::new();
        while let Some((id, way)) = queue.pop_front() {
            for dependency in self.dependencies(id) {
                if seen.insert(dependency) {
                    let mut longer = way.clone();
                    longer.push(self.name(dependency));
                    ways.push(longer.clone());
                    queue.push_back((dependency, longer));
                }
            }
        }
        ways
    }
}

fn list<'value>(value: &'value Value, field: &str) -> &'value [Value] {
    value[field]
        .as_array()
        .unwrap_or_else(|| panic!("cargo metadata has a list called {field}"))
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .expect("an id or a name in cargo metadata is a string")
        .to_owned()
}

/// Asks without the network first. A build of this crate alone has not fetched the dependencies of the
/// others; then cargo may fetch what the lock file names.
fn cargo_metadata() -> Value {
    let platform = host_platform();
    let arguments = [
        "metadata",
        "--format-version=1",
        "--all-features",
        "--filter-platform",
        &platform,
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ];
    let output = cargo(&[&arguments[..], &["--offline"]].concat())
        .or_else(|_| cargo(&arguments))
        .expect("cargo metadata reads the workspace");
    serde_json::from_str(&output).expect("cargo metadata prints JSON")
}

/// Without a platform cargo would also want the packages that only other platforms need.
fn host_platform() -> String {
    cargo(&["-vV"])
        .expect("cargo says its version")
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("cargo -vV names the host platform")
        .to_owned()
}

/// What cargo printed, or what it complained about.
fn cargo(arguments: &[&str]) -> Result<String, String> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
