//! What the worst bodies cost: the memory of a real server while it reads them, and how long other
//! clients wait meanwhile. `./dev memory` measures all calls; `./dev test` a few.
#![cfg(target_os = "linux")]

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use reqwest::{Body, Client, Method};
use serde_json::Value;
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

/// Of a hundred other requests, ninety-nine are answered within this time.
const LONGEST: Duration = Duration::from_millis(250);

/// A body that is sent to a call.
struct Case {
    name: String,
    method: Method,
    path: String,
    body: Vec<u8>,
    /// Its length is not announced.
    is_chunked: bool,
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

fn post(name: &str, path: &str, body: Vec<u8>) -> Case {
    Case {
        name: name.to_owned(),
        method: Method::POST,
        path: path.to_owned(),
        body,
        is_chunked: false,
    }
}

/// A task of this size, with a prompt or with many small values.
fn large_task(at: usize, size: usize) -> String {
    let prompt = "x".repeat(size.saturating_sub(100));
    format!(r#"{{"name":"t{at}","title":"t","type":"x","spec":{{"prompt":"{prompt}"}}}}"#)
}

/// The shapes that cost most: they are found by these calls first.
fn worst() -> Vec<Case> {
    let valid = |size: usize| move |at| large_task(at, size);
    let (before, graph) = (r#"{"tasks":["#, r#"{"title":"g","tasks":["#);
    let free = |member: &str| format!(r#"{{"tasks":[{{"title":"t","type":"x",{member}:["#);
    vec![
        post("empty tasks", "/v1/tasks", endless(before, "{}", "]}")),
        post(
            "60 tasks of 1 MiB",
            "/v1/tasks",
            filled(before, valid(MIB - 1000), "]}", 60),
        ),
        post(
            "10,000 tasks of 6 KiB",
            "/v1/tasks",
            filled(before, valid(6_500), "]}", 10_000),
        ),
        post(
            "10,000 tasks of a graph",
            "/v1/graphs",
            filled(graph, valid(6_500), "]}", 10_000),
        ),
        post(
            "small objects as metadata",
            "/v1/tasks",
            endless(&free("\"metadata\""), r#"{"":0}"#, "]}]}"),
        ),
        post(
            "numbers as dependencies",
            "/v1/graphs",
            endless(&format!(r#"{graph}{{"depends_on":["#), r#""""#, "]}]}"),
        ),
        post(
            "an output of small objects",
            "/v1/leases/lease_01J8K2M0000000000000000000_1/complete",
            endless(r#"{"output":["#, r#"{"":0}"#, "]}"),
        ),
        post(
            "bad lines of a plan",
            "/v1/plan-sync",
            b"{\"\":\n".repeat(BODY / 6),
        ),
        post("a plan of 200,000 tasks", "/v1/plan-sync", plan(200_000)),
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

/// Every call that takes a body, with shapes that any parser has to look at.
fn all() -> Result<Vec<Case>> {
    let document: Value = serde_json::from_str(openapi::document())?;
    let mut cases = worst();
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
            let lists = schema["properties"].as_object().into_iter().flatten();
            let lists = lists.map(|(member, _)| member.as_str());
            let mut shapes = vec![
                (
                    "unknown members".to_owned(),
                    filled("{", |n| format!("\"{n}\":0"), "}", usize::MAX),
                ),
                (
                    "deep lists".to_owned(),
                    endless(
                        "{\"x\":[",
                        &format!("{}{}", "[".repeat(60), "]".repeat(60)),
                        "]}",
                    ),
                ),
                ("one text".to_owned(), endless("{\"x\":\"", "x", "\"}")),
            ];
            for member in lists {
                for item in ["{}", r#"{"":{"":0}}"#, r#""""#] {
                    let body = endless(&format!("{{\"{member}\":["), item, "]}");
                    shapes.push((format!("{member}: {item}"), body));
                }
            }
            for (shape, body) in shapes {
                for is_chunked in [false, true] {
                    let parts = path
                        .split('/')
                        .map(|part| if part.starts_with('{') { "x" } else { part });
                    cases.push(Case {
                        name: format!("{shape}{}", if is_chunked { ", chunked" } else { "" }),
                        method: method.to_uppercase().parse()?,
                        path: parts.collect::<Vec<_>>().join("/"),
                        body: body.clone(),
                        is_chunked,
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

    /// Sends the body while others call.
    async fn measure(&self, case: Case) -> Result<Measured> {
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
            let pieces: Vec<_> = case
                .body
                .chunks(MIB)
                .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
                .collect();
            Body::wrap_stream(futures_util::stream::iter(pieces))
        } else {
            Body::from(case.body)
        };
        let began = Instant::now();
        let answer = self
            .request(case.method, &case.path)
            .body(body)
            .send()
            .await;
        let took = began.elapsed();
        let status = match answer {
            Ok(answer) => answer.status().as_u16().to_string(),
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
    for case in cases {
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
        let Measured {
            status,
            memory,
            took,
            p99,
            others,
        } = server.measure(case).await?;
        println!(
            "| {} | {status} | {took:.1?} | {p99:.0?} of {others} | {name} |",
            memory / MIB
        );
        if memory > MOST_MEMORY {
            too_much.push(format!("{name}: {} MiB", memory / MIB));
        }
        // What a debug build computes takes ten times as long, and the machine may be busy.
        if p99 > LONGEST && !cfg!(debug_assertions) {
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
            "60 tasks of 1 MiB",
            "small objects as metadata",
            "bad lines of a plan",
        ];
        worst()
            .into_iter()
            .filter(|case| few.contains(&case.name.as_str()))
            .collect()
    } else {
        all()?
    };
    measure_all(cases).await
}
