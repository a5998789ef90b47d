//! Metrics as Prometheus reads them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_engine::upkeep::{experience_recorder, lease_reaper};
use workmill_protocol::role::Role;
use workmill_server::Listening;

use crate::actors::Server;

/// What a scrape has answered.
struct Scraped {
    text: String,
    /// By name and labels, as they are written.
    samples: BTreeMap<String, String>,
    /// By name.
    kinds: BTreeMap<String, String>,
}

impl Scraped {
    fn read(text: String) -> Result<Self> {
        let (mut samples, mut kinds) = (BTreeMap::new(), BTreeMap::new());
        for line in text.lines() {
            if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').context("a kind")?;
                kinds.insert(name.to_owned(), kind.to_owned());
            } else if !line.starts_with('#') {
                let (series, value) = line.rsplit_once(' ').context("a value")?;
                value.parse::<f64>()?;
                let earlier = samples.insert(series.to_owned(), value.to_owned());
                ensure!(earlier.is_none(), "{series} is there twice");
            }
        }
        Ok(Scraped {
            text,
            samples,
            kinds,
        })
    }

    fn value(&self, series: &str) -> &str {
        let value = self.samples.get(series).map(String::as_str);
        value.unwrap_or_else(|| panic!("there is no {series} in\n{}", self.text))
    }

    /// The name under which a sample is described.
    fn described<'a>(&self, series: &'a str) -> Option<&'a str> {
        let name = series.split('{').next()?;
        let of_histogram = ["_bucket", "_sum", "_count"].into_iter();
        let mut names = of_histogram.filter_map(|suffix| name.strip_suffix(suffix));
        let histogram = names.find(|name| {
            self.kinds
                .get(*name)
                .is_some_and(|kind| kind == "histogram")
        });
        histogram.or_else(|| self.kinds.contains_key(name).then_some(name))
    }
}

/// Somebody with a key.
struct Actor<'a> {
    server: &'a Server,
    token: String,
}

impl<'a> Actor<'a> {
    async fn new(server: &'a Server, role: Role) -> Result<Self> {
        let token = server.token(server.test.ns, role).await?;
        Ok(Actor { server, token })
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Result<Value> {
        let url = format!("{}{path}", self.server.url);
        let request = reqwest::Client::new().request(method, url).json(&body);
        let response = request.bearer_auth(&self.token).send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path}: {status} {text}");
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    async fn post(&self, path: &str, body: Value) -> Result<Value> {
        self.call(Method::POST, path, body).await
    }

    /// Claims and starts the task that comes next.
    async fn claim(&self) -> Result<String> {
        let asked = json!({"agent": "ann", "start": true});
        let claimed = self.post("/v1/claims", asked).await?;
        let lease = claimed["claims"][0]["lease"].as_str().context("a lease")?;
        Ok(lease.to_owned())
    }

    async fn scrape(&self) -> Result<Scraped> {
        let url = format!("{}/metrics", self.server.url);
        let request = reqwest::Client::new().get(url).bearer_auth(&self.token);
        let response = request.send().await?.error_for_status()?;
        let kind = &response.headers()["content-type"];
        assert_eq!(kind, "text/plain; version=0.0.4; charset=utf-8");
        Scraped::read(response.text().await?)
    }
}

/// Goes through what a task can meet with: done, failed, buried, lost, and left waiting.
async fn live(server: &Server, admin: &Actor<'_>) -> Result<()> {
    let put = async |path: &str, body: Value| admin.call(Method::PUT, path, body).await;
    put("/v1/budgets/agent:ann", json!({"budget_usd": 5})).await?;
    put("/v1/budgets/each_day", json!({"budget_usd": 100})).await?;
    put("/v1/pauses/type:later", json!({})).await?;
    let agent = json!({"id": "ann", "max_concurrent_tasks": 8});
    admin.post("/v1/agents", agent).await?;
    for (title, task_type, priority) in [
        ("done", "code", "critical"),
        ("failed", "research", "high"),
        ("buried", "review", "high"),
        ("lost", "code", "high"),
        ("held", "code", "high"),
        ("waits", "code", "low"),
        ("stopped", "later", "critical"),
    ] {
        let task = json!({"title": title, "type": task_type, "priority": priority});
        admin.post("/v1/tasks", task).await?;
        server.pass_a_second();
    }
    let lease = admin.claim().await?;
    let usage = json!({"model": "opus", "cost_usd": 0.1});
    let path = |lease: &str, verb: &str| format!("/v1/leases/{lease}/{verb}");
    admin
        .post(&path(&lease, "heartbeat"), json!({"usage": usage}))
        .await?;
    server.pass_a_second();
    let usage = json!({"model": "opus", "cost_usd": 0.25});
    let done = json!({"output": 1, "usage": usage});
    admin.post(&path(&lease, "complete"), done.clone()).await?;
    // Saying it again counts nothing.
    admin.post(&path(&lease, "complete"), done).await?;
    let lease = admin.claim().await?;
    admin
        .post(&path(&lease, "fail"), json!({"reason": "network"}))
        .await?;
    let lease = admin.claim().await?;
    admin
        .post(&path(&lease, "fail"), json!({"reason": "not_found"}))
        .await?;
    admin.claim().await?;
    server.test.clock.advance(SignedDuration::from_hours(1));
    let now = server.test.clock.now();
    lease_reaper::run_once(&server.engine, now).await?;
    experience_recorder::run_once(&server.engine).await?;
    admin.claim().await?;
    Ok(())
}

/// F-36 (part), H-16 (part): the metrics, without the log.
#[tokio::test]
async fn a_tasks_life_is_told_by_the_metrics() -> Result<()> {
    let server = Server::start().await?;
    let admin = Actor::new(&server, Role::Admin).await?;
    live(&server, &admin).await?;
    let seen = admin.scrape().await?;
    for (series, value) in [
        // Queue health
        (
            r#"task_queue_depth{status="ready",priority_tier="low"}"#,
            "1",
        ),
        (
            r#"task_queue_depth{status="ready",priority_tier="critical"}"#,
            "1",
        ),
        (
            r#"task_queue_depth{status="running",priority_tier="high"}"#,
            "1",
        ),
        (
            r#"task_queue_depth{status="retrying",priority_tier="high"}"#,
            "2",
        ),
        (
            r#"task_queue_depth{status="dead_lettered",priority_tier="high"}"#,
            "1",
        ),
        ("workmill_queue_wait_seconds_count", "5"),
        (r#"workmill_queue_wait_seconds_bucket{le="15.0"}"#, "4"),
        // Throughput
        ("tasks_enqueued_total", "7"),
        (r#"tasks_completed_total{type="code"}"#, "1"),
        (r#"tasks_failed_total{reason="network"}"#, "1"),
        (r#"tasks_failed_total{reason="not_found"}"#, "1"),
        (r#"tasks_failed_total{reason="heartbeat_timeout"}"#, "1"),
        ("tasks_retried_total", "2"),
        ("tasks_dead_lettered_total", "1"),
        (r#"task_execution_seconds_sum{outcome="completed"}"#, "1.0"),
        (r#"task_execution_seconds_count{outcome="failed"}"#, "3"),
        // Cost
        (r#"task_cost_usd_total{type="code",model="opus"}"#, "0.25"),
        ("daily_spend_usd", "0.25"),
        (
            r#"task_cost_usd{type="code",agent="ann",model="opus"}"#,
            "0.25",
        ),
        (r#"budget_remaining_usd{scope="agent"}"#, "4.5"),
        (r#"budget_remaining_usd{agent="ann"}"#, "4.5"),
        // Agent health
        ("agent_utilization_ratio", "0.125"),
        ("agent_slots", "8"),
        ("agent_slots_used", "1"),
        (r#"agents{status="active"}"#, "1"),
        ("agents_busy", "1"),
        (r#"agent_heartbeat_misses_total{agent_id="ann"}"#, "1"),
        (r#"agent_claim_success_rate{agent_id="ann"}"#, "1.0"),
        (r#"agent_utilization{agent_id="ann"}"#, "0.125"),
        (r#"agent_claims_total{outcome="claimed"}"#, "5"),
        // Besides
        (r#"workmill_gated_tasks{kind="pause"}"#, "1"),
        (r#"workmill_ready_tasks{source="admin"}"#, "2"),
        (r#"workmill_gates{kind="pause"}"#, "1"),
        (r#"workmill_events_total{type="task.claimed"}"#, "5"),
        (
            r#"workmill_http_requests_total{route="/v1/claims",method="POST",status="2xx"}"#,
            "5",
        ),
        ("workmill_queue_look_whole", "1"),
        ("workmill_claims_waiting", "0"),
    ] {
        assert_eq!(seen.value(series), value, "{series}");
    }
    // The queue is not looked at again so soon, however often somebody asks.
    let late = json!({"title": "late", "type": "code", "priority": "low"});
    admin.post("/v1/tasks", late).await?;
    let again = admin.scrape().await?;
    let waiting = r#"task_queue_depth{status="ready",priority_tier="low"}"#;
    assert_eq!(again.value(waiting), "1");
    assert_eq!(again.value("tasks_enqueued_total"), "8");
    Ok(())
}

/// F-36 (part): what `promtool check metrics` asks for, and a bound for labels.
#[tokio::test]
async fn metrics_keep_to_the_conventions() -> Result<()> {
    let server = Server::start().await?;
    let admin = Actor::new(&server, Role::Admin).await?;
    live(&server, &admin).await?;
    let seen = admin.scrape().await?;
    let (mut wrong, units) = (
        Vec::new(),
        ["_ms", "_sec", "_minutes", "_cents", "_percent"],
    );
    for (name, kind) in &seen.kinds {
        let mut check = |is_right: bool, rule: &str| {
            if !is_right {
                wrong.push(format!("{name}: {rule}"));
            }
        };
        let help = format!("# HELP {name} ");
        check(
            seen.text
                .lines()
                .any(|line| line.starts_with(&help) && line.len() > help.len() + 5),
            "help",
        );
        check(
            (kind == "counter") == name.ends_with("_total"),
            "counters, and only they, are totals",
        );
        check(
            ["counter", "gauge", "histogram"].contains(&kind.as_str()),
            "a known kind",
        );
        check(!units.iter().any(|unit| name.ends_with(unit)), "base units");
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        check(name.chars().all(is_plain), "plain letters");
        if kind == "histogram" {
            check(name.ends_with("_seconds"), "a unit");
            let end = seen
                .samples
                .keys()
                .any(|one| one.starts_with(name) && one.contains(r#"le="+Inf""#));
            check(end, "a last bucket");
        }
    }
    for series in seen.samples.keys() {
        if seen.described(series).is_none() {
            wrong.push(format!("{series} is not described"));
        }
        for unbounded in ["task_0", "dag_0", "lease_0"] {
            let labels = series.split_once('{').map_or("", |(_, labels)| labels);
            if labels.contains(unbounded) {
                wrong.push(format!("{series} names {unbounded}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[tokio::test]
async fn types_are_told_apart_up_to_a_bound_and_none_breaks_the_format() -> Result<()> {
    let server = Server::start().await?;
    let admin = Actor::new(&server, Role::Admin).await?;
    let agent = json!({"id": "ann", "max_concurrent_tasks": 100});
    admin.post("/v1/agents", agent).await?;
    let evil = "x\"} 1\\";
    let types = (0..60).map(|number| format!("type {number}"));
    for task_type in [evil.to_owned()].into_iter().chain(types) {
        let task = json!({"title": "t", "type": task_type});
        admin.post("/v1/tasks", task).await?;
        let lease = admin.claim().await?;
        let path = format!("/v1/leases/{lease}/complete");
        admin.post(&path, json!({"output": 1})).await?;
        experience_recorder::run_once(&server.engine).await?;
    }
    let seen = admin.scrape().await?;
    let evil = r#"tasks_completed_total{type="x\"} 1\\"}"#;
    assert_eq!(seen.value(evil), "1");
    assert_eq!(seen.value(r#"tasks_completed_total{type="other"}"#), "11");
    let series = seen.samples.keys();
    let series = series.filter(|one| one.starts_with("tasks_completed_total"));
    assert_eq!(series.count(), 51);
    Ok(())
}

#[tokio::test]
async fn metrics_are_for_admins_unless_they_are_open() -> Result<()> {
    let server = Server::start().await?;
    let scrape = async |url: &str| -> Result<u16> {
        let response = reqwest::get(format!("{url}/metrics")).await?;
        Ok(response.status().as_u16())
    };
    assert_eq!(scrape(&server.url).await?, 401);
    let operator = Actor::new(&server, Role::Operator).await?;
    assert!(operator.scrape().await.is_err());
    let open = Server::start_listening(Listening {
        has_open_metrics: true,
        ..Listening::default()
    })
    .await?;
    assert_eq!(scrape(&open.url).await?, 200);
    Ok(())
}

#[tokio::test]
async fn counters_are_told_without_the_database() -> Result<()> {
    let server = Server::start_listening(Listening {
        has_open_metrics: true,
        ..Listening::default()
    })
    .await?;
    server.test.store.close();
    let text = reqwest::get(format!("{}/metrics", server.url)).await?;
    let seen = Scraped::read(text.error_for_status()?.text().await?)?;
    assert_eq!(seen.value("workmill_queue_look_failures_total"), "1");
    assert_eq!(seen.value("tasks_enqueued_total"), "0");
    Ok(())
}

/// Tasks that wait for a dependency rest nowhere; they are counted by their graphs.
#[tokio::test]
async fn waiting_tasks_are_counted_from_the_tallies_of_their_graphs() -> Result<()> {
    let server = Server::start().await?;
    let admin = Actor::new(&server, Role::Admin).await?;
    let chain = json!({"title": "g", "tasks": [
        {"name": "a", "title": "a", "type": "x"},
        {"name": "b", "title": "b", "type": "x", "depends_on": ["a"]},
        {"name": "c", "title": "c", "type": "x", "depends_on": ["b"]},
    ]});
    admin.post("/v1/graphs", chain.clone()).await?;
    let mut draft = chain;
    draft["draft"] = json!(true);
    admin.post("/v1/graphs", draft).await?;
    let later = json!({"title": "l", "type": "x", "scheduled_for": "2099-01-01T00:00:00Z"});
    admin.post("/v1/tasks", later).await?;
    let counts = async || -> Result<Value> {
        let stats = admin.call(Method::GET, "/v1/stats", json!({})).await?;
        Ok(json!([
            stats["created"]["tasks"],
            stats["pending"]["tasks"],
            stats["due"]["tasks"]
        ]))
    };
    assert_eq!(counts().await?, json!([3, 2, 1]));
    let seen = admin.scrape().await?;
    for (status, tier, tasks) in [
        ("created", "other", "3"),
        ("pending", "other", "2"),
        ("pending", "normal", "1"),
        ("ready", "normal", "1"),
    ] {
        let series = format!(r#"task_queue_depth{{status="{status}",priority_tier="{tier}"}}"#);
        assert_eq!(seen.value(&series), tasks, "{series}");
    }
    admin.post("/v1/agents", json!({"id": "ann"})).await?;
    let lease = admin.claim().await?;
    let path = format!("/v1/leases/{lease}/complete");
    admin.post(&path, json!({"output": 1})).await?;
    assert_eq!(counts().await?, json!([3, 1, 1]));
    Ok(())
}

#[tokio::test]
async fn what_is_spent_today_is_told_without_a_budget_too() -> Result<()> {
    let server = Server::start().await?;
    let admin = Actor::new(&server, Role::Admin).await?;
    admin.post("/v1/agents", json!({"id": "ann"})).await?;
    admin
        .post("/v1/tasks", json!({"title": "t", "type": "x"}))
        .await?;
    let lease = admin.claim().await?;
    let done = json!({"output": 1, "usage": {"cost_usd": 0.25}});
    let path = format!("/v1/leases/{lease}/complete");
    admin.post(&path, done).await?;
    experience_recorder::run_once(&server.engine).await?;
    assert_eq!(admin.scrape().await?.value("daily_spend_usd"), "0.25");
    Ok(())
}
