//! What the worst bodies cost: the memory of a real server while it reads them, and how long other
//! clients wait meanwhile. `./dev memory` measures all calls; `./dev test` a few.
#![cfg(target_os = "linux")]

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use reqwest::{Body, Client, Method};
use serde_json::{Value, json};
use workmill_server::{keys, openapi};
use workmill_store::Store;
use workmill_store::access::{CreateKey, EnsureNamespace};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::setting;

use crate::support::{Home, Running};

const MIB: usize = 1024 * 1024;

/// Each body is this large.
const BODY: usize = 64 * MIB;

/// What one request may cost.
const MOST_MEMORY: usize = 256 * MIB;

/// Of a hundred other requests, ninety-nine are answered within this time. What a debug build computes takes
/// ten times as long, and the machine may be busy.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 250 });

/// Builds a body: a case is kept as long as the others are measured, its body is not.
type MakeBody = Box<dyn Fn() -> Vec<u8> + Send>;

/// A body that is sent to a call.
struct Case {
    name: String,
    method: Method,
    path: String,
    body: MakeBody,
    /// Its length is not announced.
    is_chunked: bool,
    needs: Needs,
    /// The status that the answer must have. `None` accepts any.
    status: Option<u16>,
    /// Sent in place of the key.
    token: Option<String>,
}

/// What is there before a body is sent. `{task}`, `{graph}` and `{lease}` stand for it in path and body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// A task that nobody has claimed.
    Task,
    /// A graph of one task.
    Graph,
    /// A held lease, and how many tasks one lease may spawn.
    Spawning(usize),
    /// So many held leases; `{lease}` is the next one wherever it stands.
    Leases(usize),
    /// A graph of three tasks that have put out small objects of so many bytes.
    Outputs(usize),
    /// So many ready tasks that depend on one that has put out small objects.
    Dependents(usize),
}

/// As many items as fit, with what stands around them.
fn filled(before: &str, item: impl Fn(usize) -> String, after: &str, most: usize) -> Vec<u8> {
    let mut body = before.as_bytes().to_vec();
    for at in 0..most {
        let item = item(at);
        if body.len() + item.len() + after.len() + 1 > BODY {
            break;
        }
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(item.as_bytes());
    }
    body.extend_from_slice(after.as_bytes());
    body
}

fn endless(before: &str, item: &str, after: &str) -> Vec<u8> {
    filled(before, |_| item.to_owned(), after, usize::MAX)
}

fn post(name: &str, path: &str, body: impl Fn() -> Vec<u8> + Send + 'static) -> Case {
    Case {
        name: name.to_owned(),
        method: Method::POST,
        path: path.to_owned(),
        body: Box::new(body),
        is_chunked: false,
        needs: Needs::Nothing,
        status: None,
        token: None,
    }
}

impl Case {
    fn needing(self, needs: Needs) -> Case {
        Case { needs, ..self }
    }

    fn answered(self, status: u16) -> Case {
        Case {
            status: Some(status),
            ..self
        }
    }
}

/// JSON of so many bytes that takes most memory as values.
fn small_objects(bytes: usize) -> String {
    let items = vec![r#"{"":0}"#; (bytes - 16) / 7];
    format!("[{}]", items.join(","))
}

/// JSON of so many bytes that takes long to look at.
fn small_lists(bytes: usize) -> String {
    format!("[{}]", vec!["[]"; (bytes - 16) / 3].join(","))
}

/// Bodies and answers about what is there already.
fn of_existing() -> Vec<Case> {
    let case = |name: &str, method, path: &str, body: String, needs| Case {
        name: name.to_owned(),
        method,
        path: path.to_owned(),
        body: Box::new(move || body.clone().into_bytes()),
        is_chunked: false,
        needs,
        status: Some(200),
        token: None,
    };
    let (get, objects) = (Method::GET, small_objects);
    // As much as is read of so long a body.
    let changes = format!(r#"{{"metadata":{{"a":{}}}}}"#, objects(600_000));
    let patch = format!("{changes}{}", " ".repeat(MIB - changes.len()));
    let items = |list: &str, count: usize, item: String| {
        let items = vec![item; count];
        format!(r#"{{"{list}":[{}]}}"#, items.join(","))
    };
    let beat = format!(
        r#"{{"lease":"{{lease}}","checkpoint":{}}}"#,
        small_lists(64_000)
    );
    let end = small_lists(64_000);
    let end = format!(r#"{{"lease":"{{lease}}","complete":{{"output":{end}}}}}"#);
    vec![
        case(
            "small objects as metadata",
            Method::PATCH,
            "/v1/tasks/{task}",
            patch,
            Needs::Task,
        ),
        case(
            "1,000 outputs",
            Method::POST,
            "/v1/settlements",
            items("settlements", 1_000, end),
            Needs::Leases(1_000),
        ),
        case(
            "an output of 14 MiB",
            Method::POST,
            "/v1/leases/{lease}/complete",
            format!(r#"{{"output":{}}}"#, objects(14 * MIB)),
            Needs::Leases(1),
        ),
        case(
            "an output",
            get.clone(),
            "/v1/tasks/{task}",
            String::new(),
            Needs::Outputs(13 * MIB),
        ),
        case(
            "three outputs",
            get,
            "/v1/graphs/{graph}",
            String::new(),
            Needs::Outputs(3_500_000),
        ),
        case(
            "ten tasks below one output",
            Method::POST,
            "/v1/claims",
            r#"{"agent":"ann","max":10,"start":true}"#.to_owned(),
            Needs::Dependents(10),
        ),
        // Last: these leases are lost after a while, and their tasks are ready again.
        case(
            "1,000 checkpoints",
            Method::POST,
            "/v1/heartbeats",
            items("heartbeats", 1_000, beat),
            Needs::Leases(1_000),
        ),
    ]
}

/// A plan whose tasks depend on all earlier ones.
fn dense_plan(tasks: usize) -> Vec<u8> {
    let line = |n: usize| {
        let deps: Vec<String> = (0..n).map(|on| format!("\"t{on}\"")).collect();
        let deps = deps.join(",");
        format!("{{\"id\":\"t{n}\",\"spec_ref\":\"s\",\"title\":\"T\",\"deps\":[{deps}]}}\n")
    };
    (0..tasks).map(line).collect::<String>().into_bytes()
}

/// A plan of so many bytes whose lines depend on as many others as they may.
fn plan_of_dependencies(bytes: usize) -> Vec<u8> {
    let deps = vec!["\"a\""; 9_990].join(",");
    let line = |n: usize| {
        format!("{{\"id\":\"t{n}\",\"spec_ref\":\"s\",\"title\":\"T\",\"deps\":[{deps}]}}\n")
    };
    let lines = bytes / line(1_000).len();
    (0..lines).map(line).collect::<String>().into_bytes()
}

/// A task of this size, with a prompt or with many small values.
fn large_task(at: usize, size: usize) -> String {
    let prompt = "x".repeat(size.saturating_sub(100));
    format!(r#"{{"name":"t{at}","title":"t","type":"x","spec":{{"prompt":"{prompt}"}}}}"#)
}

/// The shapes that cost most: they are found by these calls first.
fn worst() -> Vec<Case> {
    const TASKS: &str = r#"{"tasks":["#;
    const GRAPH: &str = r#"{"title":"g","tasks":["#;
    let valid = |size: usize| move |at| large_task(at, size);
    let tasks = |size| move || filled(TASKS, valid(size), "]}", 10_000);
    vec![
        post("empty tasks", "/v1/tasks", || endless(TASKS, "{}", "]}")),
        post("60 tasks of 1 MiB", "/v1/tasks", move || {
            filled(TASKS, valid(MIB - 1000), "]}", 60)
        }),
        post("10,000 tasks of 6 KiB", "/v1/tasks", tasks(6_500)).answered(201),
        post("10,000 tasks of a graph", "/v1/graphs", move || {
            filled(GRAPH, valid(6_500), "]}", 10_000)
        })
        .answered(201),
        post(
            "10,000 tasks more for a graph",
            "/v1/graphs/{graph}/tasks",
            tasks(6_400),
        )
        .needing(Needs::Graph)
        .answered(201),
        post(
            "10,000 tasks that an agent spawns",
            "/v1/leases/{lease}/spawn",
            tasks(6_400),
        )
        .needing(Needs::Spawning(10_000))
        .answered(201),
        post(
            "10,000 tasks that an agent may not spawn",
            "/v1/leases/{lease}/spawn",
            tasks(6_400),
        )
        .needing(Needs::Spawning(1_000))
        .answered(403),
        post("small objects as metadata", "/v1/tasks", || {
            let before = r#"{"tasks":[{"title":"t","type":"x","metadata":["#;
            endless(before, r#"{"":0}"#, "]}]}")
        }),
        post("numbers as dependencies", "/v1/graphs", || {
            endless(&format!(r#"{GRAPH}{{"depends_on":["#), r#""""#, "]}]}")
        }),
        post(
            "an output of small objects",
            "/v1/leases/lease_01J8K2M0000000000000000000_1/complete",
            || endless(r#"{"output":["#, r#"{"":0}"#, "]}"),
        ),
        post("bad lines of a plan", "/v1/plan-sync", || {
            b"{\"\":\n".repeat(BODY / 6)
        }),
        post("a plan of 100,000 tasks", "/v1/plan-sync", || plan(100_000)),
        post(
            "a plan of dependencies",
            "/v1/plan-sync?dry_run=true",
            || plan_of_dependencies(BODY),
        ),
        post(
            "a plan of 890 tasks that depend on all earlier ones",
            "/v1/plan-sync?dry_run=true",
            || dense_plan(890),
        ),
    ]
}

fn plan(tasks: usize) -> Vec<u8> {
    let description = "d".repeat(BODY / tasks - 70);
    let line = |n| {
        format!(
            "{{\"id\":\"t{n}\",\"spec_ref\":\"s\",\"title\":\"T\",\"description\":\"{description}\"}}\n"
        )
    };
    (0..tasks).map(line).collect::<String>().into_bytes()
}

/// What the body of any call may look like.
#[derive(Clone)]
enum Shape {
    UnknownMembers,
    DeepLists,
    OneText,
    List { member: String, item: &'static str },
}

impl Shape {
    fn name(&self) -> String {
        match self {
            Shape::UnknownMembers => "unknown members".to_owned(),
            Shape::DeepLists => "deep lists".to_owned(),
            Shape::OneText => "one text".to_owned(),
            Shape::List { member, item } => format!("{member}: {item}"),
        }
    }

    fn body(&self) -> Vec<u8> {
        match self {
            Shape::UnknownMembers => filled("{", |n| format!("\"{n}\":0"), "}", usize::MAX),
            Shape::DeepLists => {
                let deep = format!("{}{}", "[".repeat(60), "]".repeat(60));
                endless("{\"x\":[", &deep, "]}")
            }
            Shape::OneText => endless("{\"x\":\"", "x", "\"}"),
            Shape::List { member, item } => endless(&format!("{{\"{member}\":["), item, "]}"),
        }
    }
}

/// Every call that takes a body, with shapes that any parser has to look at.
fn all() -> Result<Vec<Case>> {
    let document: Value = serde_json::from_str(openapi::document())?;
    // Those about what is there come first: the others leave tasks that agents could claim.
    let mut cases = of_existing();
    cases.extend(worst());
    for (path, methods) in document["paths"].as_object().context("paths")? {
        for (method, operation) in methods.as_object().context("methods")? {
            let Some(body) = operation.get("requestBody") else {
                continue;
            };
            let schema = &body["content"]["application/json"]["schema"];
            let name = schema["$ref"]
                .as_str()
                .and_then(|path| path.rsplit('/').next());
            let schema = &document["components"]["schemas"][name.unwrap_or_default()];
            let members = schema["properties"].as_object().into_iter().flatten();
            let mut shapes = vec![Shape::UnknownMembers, Shape::DeepLists, Shape::OneText];
            for (member, _) in members {
                for item in ["{}", r#"{"":{"":0}}"#, r#""""#] {
                    let member = member.clone();
                    shapes.push(Shape::List { member, item });
                }
            }
            let parts = path
                .split('/')
                .map(|part| if part.starts_with('{') { "x" } else { part });
            let path = parts.collect::<Vec<_>>().join("/");
            for shape in shapes {
                for is_chunked in [false, true] {
                    let (name, shape) = (shape.name(), shape.clone());
                    cases.push(Case {
                        name: format!("{name}{}", if is_chunked { ", chunked" } else { "" }),
                        method: method.to_uppercase().parse()?,
                        path: path.clone(),
                        body: Box::new(move || shape.body()),
                        is_chunked,
                        needs: Needs::Nothing,
                        status: None,
                        token: None,
                    });
                }
            }
        }
    }
    Ok(cases)
}

struct Measured {
    status: String,
    memory: usize,
    took: Duration,
    /// Of other clients.
    p99: Duration,
    others: usize,
}

struct Server {
    running: Running,
    http: Client,
    token: String,
}

impl Server {
    /// In bytes: `VmRSS`, what it has now; `VmHWM`, the most since [`Self::forget_peak`].
    fn memory(&self, name: &str) -> Result<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.running.child.id()))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kib.context("a figure")?.trim().parse::<usize>()? * 1024)
    }

    fn forget_peak(&self) -> Result<()> {
        Ok(std::fs::write(
            format!("/proc/{}/clear_refs", self.running.child.id()),
            "5",
        )?)
    }

    async fn call(&self, method: Method, path: &str, body: impl Into<Body>) -> Result<Value> {
        let answer = self.request(method, path).body(body).send().await?;
        let status = answer.status();
        ensure!(status.is_success(), "{path}: {status}");
        let text = answer.text().await?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    async fn create_graph(&self, tasks: Vec<Value>) -> Result<String> {
        let graph = json!({"title": "g", "tasks": tasks}).to_string();
        let created = self.call(Method::POST, "/v1/graphs", graph).await?;
        Ok(created["id"].as_str().context("an id")?.to_owned())
    }

    async fn claim(&self, most: usize) -> Result<Vec<String>> {
        let agent = json!({"id": "ann", "type": "x", "max_concurrent_tasks": 5_000}).to_string();
        self.call(Method::POST, "/v1/agents", agent).await?;
        let mut leases = Vec::new();
        while leases.len() < most {
            let claim = json!({"agent": "ann", "max": most.min(100), "start": true}).to_string();
            let claimed = self.call(Method::POST, "/v1/claims", claim).await?;
            let claims = claimed["claims"].as_array().context("claims")?;
            let held = claims.iter().filter_map(|claim| claim["lease"].as_str());
            leases.extend(held.map(str::to_owned));
        }
        Ok(leases)
    }

    async fn complete(&self, lease: &str, output: &str) -> Result<()> {
        let path = format!("/v1/leases/{lease}/complete");
        let body = format!(r#"{{"output":{output}}}"#);
        self.call(Method::POST, &path, body).await.map(drop)
    }

    /// Makes what the case needs, and puts its names into path and body.
    async fn prepare(&self, case: &mut Case, body: &mut Vec<u8>) -> Result<()> {
        let task = |name: String, on: &[&str]| json!({"name": name, "title": "t", "type": "x", "depends_on": on});
        match case.needs {
            Needs::Nothing => {}
            Needs::Task => {
                let one = json!({"title": "t", "type": "y"}).to_string();
                let submitted = self.call(Method::POST, "/v1/tasks", one).await?;
                let id = submitted["tasks"][0]["id"].as_str().context("an id")?;
                case.path = case.path.replace("{task}", id);
            }
            Needs::Graph => {
                let graph = self.create_graph(vec![task("t".to_owned(), &[])]).await?;
                case.path = case.path.replace("{graph}", &graph);
            }
            Needs::Spawning(most) => {
                let settings = json!({"spawning": {"most_tasks_per_lease": most, "most_tasks_per_graph": most}});
                let path = "/v1/namespaces/default/settings";
                self.call(Method::PUT, path, settings.to_string()).await?;
                let one = json!({"title": "t", "type": "x", "lease_sec": 3600}).to_string();
                self.call(Method::POST, "/v1/tasks", one).await?;
                let lease = self.claim(1).await?.remove(0);
                case.path = case.path.replace("{lease}", &lease);
                let path = format!("/v1/leases/{lease}/token");
                let token = self.call(Method::POST, &path, String::new()).await?;
                let token = token["token"].as_str().context("a token")?;
                // Of the agent's work, which is bounded.
                case.token = Some(token.to_owned());
            }
            Needs::Leases(count) => {
                let tasks = vec![json!({"title": "t", "type": "x"}); count];
                let tasks = json!({"tasks": tasks}).to_string();
                self.call(Method::POST, "/v1/tasks", tasks).await?;
                let leases = self.claim(count).await?;
                case.path = case.path.replace("{lease}", &leases[0]);
                let pattern = String::from_utf8(std::mem::take(body))?;
                let mut parts = pattern.split("{lease}");
                let mut filled = parts.next().unwrap_or_default().to_owned();
                for (part, lease) in parts.zip(&leases) {
                    filled.push_str(lease);
                    filled.push_str(part);
                }
                *body = filled.into_bytes();
            }
            Needs::Outputs(bytes) => {
                let tasks = (0..3).map(|n| task(format!("t{n}"), &[])).collect();
                let graph = self.create_graph(tasks).await?;
                let output = small_objects(bytes);
                let leases = self.claim(3).await?;
                for lease in &leases {
                    self.complete(lease, &output).await?;
                }
                let parts = leases[0].strip_prefix("lease_").context("a lease")?;
                let id = parts.split('_').next().context("a task")?;
                case.path = case.path.replace("{graph}", &graph);
                case.path = case.path.replace("{task}", &format!("task_{id}"));
            }
            Needs::Dependents(count) => {
                let below = (0..count).map(|n| task(format!("t{n}"), &["root"]));
                let tasks = std::iter::once(task("root".to_owned(), &[])).chain(below);
                self.create_graph(tasks.collect()).await?;
                let leases = self.claim(1).await?;
                self.complete(&leases[0], &small_objects(700_000)).await?;
            }
        }
        Ok(())
    }

    /// Sends the body while others call.
    async fn measure(&self, case: Case, body: Vec<u8>) -> Result<Measured> {
        let is_over = Arc::new(AtomicBool::new(false));
        let others: Vec<_> = ["/health", "/v1/agents"]
            .map(|path| {
                tokio::spawn(call_on(
                    self.request(Method::GET, path),
                    Arc::clone(&is_over),
                ))
            })
            .into();
        self.forget_peak()?;
        let before = self.memory("VmRSS")?;
        let body = if case.is_chunked {
            let pieces: Vec<_> = body
                .chunks(MIB)
                .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
                .collect();
            Body::wrap_stream(futures_util::stream::iter(pieces))
        } else {
            Body::from(body)
        };
        let began = Instant::now();
        let token = case.token.as_deref().unwrap_or(&self.token);
        let url = format!("{}{}", self.running.url, case.path);
        let request = self.http.request(case.method, url).bearer_auth(token);
        let answer = request.body(body).send().await;
        let took = began.elapsed();
        let status = match answer {
            Ok(answer) => {
                let status = answer.status().as_u16();
                let expected = case.status.unwrap_or(status);
                ensure!(status == expected, "{}: {status}", case.name);
                status.to_string()
            }
            // The server hangs up on those that send more than it takes.
            Err(_) => "hung up".to_owned(),
        };
        is_over.store(true, Ordering::Relaxed);
        let mut times = Vec::new();
        for other in others {
            times.extend(other.await??);
        }
        times.sort();
        Ok(Measured {
            status,
            memory: self.memory("VmHWM")?.saturating_sub(before),
            took,
            p99: times[(times.len() * 99 / 100).min(times.len() - 1)],
            others: times.len(),
        })
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.running.url);
        self.http.request(method, url).bearer_auth(&self.token)
    }
}

/// Calls until it is over, at least twenty times; answers how long each took.
async fn call_on(
    request: reqwest::RequestBuilder,
    is_over: Arc<AtomicBool>,
) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    while !is_over.load(Ordering::Relaxed) || times.len() < 20 {
        let began = Instant::now();
        let answer = request.try_clone().context("no body")?.send().await?;
        ensure!(answer.status().is_success(), "{}", answer.status());
        answer.bytes().await?;
        times.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(times)
}

async fn measure_all(cases: Vec<Case>) -> Result<()> {
    let database = TestDatabase::new().await?;
    let store = Store::new(database.url(), 1)?;
    let (ns, _) = store.run(&EnsureNamespace { name: "default" }).await?;
    let token = keys::mint();
    let hash = keys::hash(&token);
    store
        .run(&CreateKey {
            ns,
            name: "tester",
            role: "admin",
            hash: &hash,
        })
        .await?;
    // Making a client installs the TLS provider that plain requests need too.
    workmill_sdk::Client::new("http://localhost", "")?;
    let mut too_much = Vec::new();
    println!("| MiB | status | took | p99 of others | call and body |\n|---|---|---|---|---|");
    for mut case in cases {
        let home = Home::new()?;
        let mut command = home.command(&["serve"]);
        command.env("DATABASE_URL", database.url());
        // A fresh server for each: what one has freed does not hide what the next one takes.
        let server = Server {
            running: Running::start_on(command, 0, Stdio::null())?,
            http: Client::new(),
            token: token.clone(),
        };
        let name = format!("{} {}: {}", case.method, case.path, case.name);
        let mut body = (case.body)();
        if case.needs != Needs::Nothing {
            server.prepare(&mut case, &mut body).await?;
        }
        let Measured {
            status,
            memory,
            took,
            p99,
            others,
        } = server.measure(case, body).await?;
        println!(
            "| {} | {status} | {took:.1?} | {p99:.0?} of {others} | {name} |",
            memory / MIB
        );
        if memory > MOST_MEMORY {
            too_much.push(format!("{name}: {} MiB", memory / MIB));
        }
        if p99 > LONGEST {
            too_much.push(format!("{name}: others wait {p99:?}"));
        }
    }
    ensure!(too_much.is_empty(), "too much:\n{}", too_much.join("\n"));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_the_worst_shape_costs_a_bounded_amount_of_memory() -> Result<()> {
    let cases = if setting("WORKMILL_MEMORY_ALL", 0) == 0 {
        let few = [
            "empty tasks",
            "10,000 tasks that an agent spawns",
            "10,000 tasks that an agent may not spawn",
            "small objects as metadata",
            "bad lines of a plan",
            "a plan of dependencies",
            "an output of 14 MiB",
            "three outputs",
            "ten tasks below one output",
        ];
        let all = of_existing().into_iter().chain(worst());
        all.filter(|case| few.contains(&case.name.as_str()))
            .collect()
    } else {
        all()?
    };
    measure_all(cases).await
}
