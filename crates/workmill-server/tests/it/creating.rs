//! What is created: once, however often it is asked for, within what the caller may.

mod spawning;

use anyhow::{Context, Result};
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;
use workmill_protocol::leases::{CompleteTask, FailTask, SendHeartbeat, Usage};
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};
use crate::roles::TABLE;

/// Somebody with a key, who writes requests by hand.
struct Hand {
    url: String,
    token: String,
    client: Client,
}

impl Hand {
    async fn new(server: &Server, role: Role) -> Result<Hand> {
        let token = server.token(server.test.ns, role).await?;
        Ok(Hand {
            client: Client::new(&server.url, &token)?,
            url: server.url.clone(),
            token,
        })
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: &Value,
    ) -> Result<(u16, Value)> {
        let mut request = reqwest::Client::new()
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(&self.token);
        if !body.is_null() {
            request = request.json(body);
        }
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let response = request.send().await?;
        Ok((response.status().as_u16(), response.json().await?))
    }

    async fn post(&self, path: &str, key: Option<&str>, body: &Value) -> Result<(u16, Value)> {
        self.call(Method::POST, path, key, body).await
    }

    /// Registers an agent and claims a task for it.
    async fn claim_as(&self, name: &str) -> Result<LeaseId> {
        self.client.register(&agent(name)).await?;
        self.claim_again(name).await
    }

    async fn claim_again(&self, name: &str) -> Result<LeaseId> {
        let mut claimed = self.client.claim(&claim(name, 0)).await?;
        Ok(claimed.pop().context("nothing to claim")?.lease)
    }

    async fn spawn(&self, lease: LeaseId, task: Value) -> Result<(u16, Value)> {
        let path = format!("/v1/leases/{lease}/spawn");
        self.post(&path, None, &json!({"tasks": [task]})).await
    }

    /// The id of the only task that a call has created.
    async fn submit(&self, task: &Value) -> Result<String> {
        let (status, answer) = self.post("/v1/tasks", None, task).await?;
        assert_eq!(status, 201, "{answer}");
        Ok(answer["tasks"][0]["id"]
            .as_str()
            .context("an id")?
            .to_owned())
    }
}

async fn count(server: &Server) -> Result<i64> {
    let client = server.test.database.client().await?;
    let count = "select count(*) from workmill.state where ns = $1";
    Ok(client.query_one(count, &[&server.test.ns.0]).await?.get(0))
}

fn of(title: &str) -> Value {
    json!({"title": title, "type": "code"})
}

fn keyed(title: &str, key: &str) -> Value {
    json!({"title": title, "type": "code", "idempotency_key": key})
}

/// F-3: also for graphs that grow and tasks that spawn.
#[tokio::test]
async fn growing_again_with_the_same_key_adds_nothing() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let graph = json!({"title": "g", "tasks": [keyed("a", "ka"), of("b")]});
    let (status, first) = planner.post("/v1/graphs", None, &graph).await?;
    assert_eq!(status, 201, "{first}");
    let again = planner.post("/v1/graphs", None, &graph).await?;
    assert_eq!(again, (200, first.clone()), "known by the key of its task");
    let other = json!({"title": "other", "tasks": [keyed("a", "ka"), of("b")]});
    let (status, refused) = planner.post("/v1/graphs", None, &other).await?;
    assert_eq!(status, 409, "{refused}");

    let path = format!(
        "/v1/graphs/{}/tasks",
        first["id"].as_str().context("an id")?
    );
    let growth = json!({"tasks": [of("c"), of("d")]});
    let (status, grown) = planner.post(&path, Some("grow"), &growth).await?;
    assert_eq!(status, 201, "{grown}");
    assert_eq!(
        planner.post(&path, Some("grow"), &growth).await?,
        (200, grown.clone())
    );
    let other = json!({"tasks": [of("c")]});
    assert_eq!(planner.post(&path, Some("grow"), &other).await?.0, 409);

    // The first task of a key takes the place of the second, also for what depends on it.
    let mixed = json!({"tasks": [
        {"name": "x", "title": "x", "type": "code", "idempotency_key": "kx"},
        {"title": "y", "type": "code", "depends_on": ["x"]},
    ]});
    let (status, one) = planner.post(&path, None, &mixed).await?;
    assert_eq!(status, 201, "{one}");
    let (status, two) = planner.post(&path, None, &mixed).await?;
    assert_eq!(status, 201, "{two}");
    assert_eq!(one["tasks"][0]["id"], two["tasks"][0]["id"]);
    assert_ne!(
        one["tasks"][1]["id"], two["tasks"][1]["id"],
        "it has no key"
    );
    let (status, known) = planner
        .post(&path, None, &json!({"tasks": [keyed("a", "ka")]}))
        .await?;
    assert_eq!(
        (status, &known["tasks"][0]["id"]),
        (200, &first["tasks"]["#0"])
    );
    let (status, refused) = planner
        .post(&path, None, &json!({"tasks": [keyed("z", "ka")]}))
        .await?;
    assert_eq!(status, 409, "{refused}");
    let twice = json!({"tasks": [keyed("p", "same"), keyed("q", "same")]});
    let (status, refused) = planner.post(&path, None, &twice).await?;
    assert_eq!(
        (status, &refused["field"]),
        (400, &json!("tasks[1].idempotency_key"))
    );
    assert_eq!(count(&server).await?, 2 + 2 + 3);
    Ok(())
}

/// F-3
#[tokio::test]
async fn spawning_again_with_the_same_key_adds_nothing_also_when_the_lease_has_moved_on()
-> Result<()> {
    let server = Server::start().await?;
    let producer = Hand::new(&server, Role::Producer).await?;
    let (worker, thief) = (
        Hand::new(&server, Role::Agent).await?,
        Hand::new(&server, Role::Agent).await?,
    );
    producer.submit(&of("parent")).await?;
    let lease = worker.claim_as("a").await?;
    let path = format!("/v1/leases/{lease}/spawn");
    let body = json!({"tasks": [of("child"), keyed("keyed", "child-2")]});
    let (status, first) = worker.post(&path, Some("s1"), &body).await?;
    assert_eq!(status, 201, "{first}");
    assert_eq!(
        worker.post(&path, Some("s1"), &body).await?,
        (200, first.clone())
    );
    assert_eq!(
        worker
            .post(&path, Some("s1"), &json!({"tasks": [of("x")]}))
            .await?
            .0,
        409
    );

    // An attempt that fails does not make its successor spawn twice.
    let failure = FailTask {
        reason: Reason::Crash,
        message: String::new(),
        details: None,
        retry_after_ms: Some(0),
        usage: Usage::default(),
        claim: None,
    };
    worker.client.fail(lease, &failure).await?;
    assert_eq!(
        worker.post(&path, Some("s1"), &body).await?,
        (200, first.clone())
    );
    assert_eq!(
        thief.post(&path, Some("s1"), &body).await?.0,
        409,
        "the key of another caller"
    );
    assert_eq!(
        worker.spawn(lease, of("late")).await?.0,
        409,
        "the lease is lost"
    );
    let (status, known) = worker.spawn(lease, keyed("keyed", "child-2")).await?;
    assert_eq!((status, &known["tasks"][0]), (200, &first["tasks"][1]));
    assert_ne!(thief.spawn(lease, keyed("keyed", "child-2")).await?.0, 200);
    assert_eq!(count(&server).await?, 3);
    Ok(())
}

/// F-3, F-11 (part): the reply to a call that ends the lease is lost.
#[tokio::test]
async fn a_task_that_waits_for_its_children_is_told_them_again() -> Result<()> {
    let server = Server::start().await?;
    let operator = Hand::new(&server, Role::Operator).await?;
    operator.submit(&of("parent")).await?;
    let lease = operator.claim_as("a").await?;
    let mut held = Some(lease);
    for (key, child) in [(Some("s"), of("child")), (None, keyed("child", "c"))] {
        let lease = match held.take() {
            Some(lease) => lease,
            None => operator.claim_again("a").await?,
        };
        let path = format!("/v1/leases/{lease}/spawn");
        let body = json!({"tasks": [child], "wait": true});
        let (status, first) = operator.post(&path, key, &body).await?;
        assert_eq!(status, 201, "{first}");
        assert_eq!(operator.post(&path, key, &body).await?, (200, first));
        // The child, then the parent once more.
        let child = operator.claim_again("a").await?;
        operator.client.complete(child, &done()).await?;
    }
    let parent = operator.claim_again("a").await?;
    // It waits for what is done: it is ready again at once.
    let body = json!({"tasks": [keyed("child", "c")], "wait": true});
    let path = format!("/v1/leases/{parent}/spawn");
    assert_eq!(operator.post(&path, None, &body).await?.0, 200);
    let again = operator.claim_again("a").await?;
    assert_eq!(again.task, parent.task);
    assert_eq!(count(&server).await?, 3);
    Ok(())
}

fn done() -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(&json!({"found": 1})).expect("JSON"),
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    }
}

/// F-3
#[tokio::test]
async fn an_idempotency_key_has_its_effect_or_is_refused_by_name() -> Result<()> {
    let server = Server::start().await?;
    let admin = Hand::new(&server, Role::Admin).await?;
    let creating = [
        "/v1/tasks",
        "/v1/graphs",
        "/v1/graphs/{id}/tasks",
        "/v1/leases/{lease}/spawn",
        "/v1/projects",
    ];
    for line in TABLE.iter().filter(|line| line.path.starts_with("/v1/")) {
        let path = line.path.replace(['{', '}'], "");
        let method: Method = line.method.parse()?;
        let (status, answer) = admin.call(method, &path, Some("k"), &Value::Null).await?;
        let is_refused = status == 400 && answer["field"] == json!("Idempotency-Key");
        let is_creating = line.method == "POST" && creating.contains(&line.path);
        assert_eq!(
            is_refused, !is_creating,
            "{} {}: {answer}",
            line.method, line.path
        );
    }
    // A task's own key and that of its call are both used up.
    let both = keyed("one", "own");
    let (status, first) = admin.post("/v1/tasks", Some("call"), &both).await?;
    assert_eq!(status, 201, "{first}");
    assert_eq!(admin.post("/v1/tasks", None, &both).await?, (200, first));
    assert_eq!(
        admin.post("/v1/tasks", Some("call"), &of("two")).await?.0,
        409
    );
    Ok(())
}

/// F-3 (part): a second value is never dropped without a word.
#[tokio::test]
async fn a_header_with_one_value_is_refused_if_it_is_sent_twice() -> Result<()> {
    let server = Server::start().await?;
    let admin = Hand::new(&server, Role::Admin).await?;
    for (name, first, second) in [
        ("Idempotency-Key", "one", "two"),
        ("Idempotency-Key", "one", "one"),
        ("Authorization", "Bearer none", "Bearer none"),
        ("Workmill-Namespace", "test", "other"),
        ("Last-Event-ID", "1", "2"),
    ] {
        let mut request = reqwest::Client::new()
            .post(format!("{}/v1/tasks", server.url))
            .header(name, first)
            .header(name, second)
            .json(&of("task"));
        if name != "Authorization" {
            request = request.bearer_auth(&admin.token);
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        let answer: Value = response.json().await?;
        assert_eq!((status, &answer["field"]), (400, &json!(name)), "{answer}");
    }
    assert_eq!(count(&server).await?, 0);
    Ok(())
}

fn referring(title: &str, to: &str) -> Value {
    json!({"title": title, "type": "code", "spec": {"context_refs": [format!("task:{to}:output")]}})
}

/// F-5 (part): what is referred to exists, and its author may read it.
#[tokio::test]
async fn an_output_is_referred_to_only_by_those_who_may_read_it() -> Result<()> {
    let server = Server::start().await?;
    let (mine, theirs, planner, worker) = (
        Hand::new(&server, Role::Producer).await?,
        Hand::new(&server, Role::Producer).await?,
        Hand::new(&server, Role::Orchestrator).await?,
        Hand::new(&server, Role::Agent).await?,
    );
    let secret = theirs.submit(&of("secret")).await?;
    let own = mine.submit(&of("own")).await?;
    let nobody = "task_01J8K2M0000000000000000000";
    for (path, wrap) in [("/v1/tasks", false), ("/v1/graphs", true)] {
        let body = |to: &str| {
            if wrap {
                json!({"title": "g", "tasks": [referring("t", to)]})
            } else {
                referring("t", to)
            }
        };
        let refs = if wrap {
            "tasks[0].spec.context_refs"
        } else {
            "spec.context_refs"
        };
        // A producer reads everything in its namespace.
        assert_eq!(mine.post(path, None, &body(&secret)).await?.0, 201);
        let (status, refused) = mine.post(path, None, &body(nobody)).await?;
        assert_eq!(
            (status, &refused["field"]),
            (400, &json!(refs)),
            "{refused}"
        );
        assert!(
            refused["detail"]
                .as_str()
                .is_some_and(|text| text.contains(nobody))
        );
        assert_eq!(mine.post(path, None, &body(&own)).await?.0, 201);
        assert_eq!(planner.post(path, None, &body(&secret)).await?.0, 201);
    }
    let edit = json!({"spec": {"context_refs": [format!("task:{nobody}:output")]}});
    let path = format!("/v1/tasks/{own}");
    let (status, refused) = planner.call(Method::PATCH, &path, None, &edit).await?;
    assert_eq!(status, 400, "{refused}");

    // An agent refers to what its claim hands it, to its own results, and to what it has spawned.
    let graph = json!({"title": "g", "tasks": [
        {"name": "a", "title": "a", "type": "first", "priority": 0},
        {"name": "b", "title": "b", "type": "code", "depends_on": ["a"], "priority": 0},
        {"name": "c", "title": "c", "type": "code", "depends_on": ["b"]},
    ]});
    let (_, made) = planner.post("/v1/graphs", None, &graph).await?;
    let id = |name: &str| made["tasks"][name].as_str().unwrap_or_default().to_owned();
    let first = worker.claim_as("a").await?;
    assert_eq!(first.task.to_string(), id("a"));
    worker.client.complete(first, &done()).await?;
    let held = worker.claim_again("a").await?;
    assert_eq!(held.task.to_string(), id("b"));
    let (status, spawned) = worker.spawn(held, of("below")).await?;
    assert_eq!(status, 201, "{spawned}");
    let below = spawned["tasks"][0].as_str().context("an id")?.to_owned();
    for (to, expected) in [
        (id("a"), 201),
        (below, 201),
        (secret.clone(), 403),
        (own, 403),
        (id("c"), 403),
        (nobody.to_owned(), 400),
    ] {
        let (status, answer) = worker.spawn(held, referring("t", &to)).await?;
        assert_eq!(status, expected, "{answer}");
    }
    // The next claim would hand over the result of a dependency, too.
    for (on, expected) in [("a", 201), ("b", 201), ("c", 403)] {
        let child = json!({"title": "t", "type": "code", "depends_on": [id(on)]});
        let (status, answer) = worker.spawn(held, child).await?;
        assert_eq!(status, expected, "{answer}");
        if expected == 403 {
            assert_eq!(answer["field"], json!("tasks[0].depends_on"));
        }
    }
    // Nor does the idempotency key of a task that another key has created give away its result.
    let sibling = json!({"title": "sibling", "type": "none", "idempotency_key": "guessed"});
    let path = format!("/v1/graphs/{}/tasks", made["id"].as_str().context("an id")?);
    let grown = json!({"tasks": [sibling.clone()]});
    assert_eq!(planner.post(&path, None, &grown).await?.0, 201);
    let spawn = json!({"tasks": [sibling], "wait": true});
    let (status, refused) = worker
        .post(&format!("/v1/leases/{held}/spawn"), None, &spawn)
        .await?;
    assert_eq!(status, 409, "{refused}");
    // Another agent of this name has not handed in what this one has.
    worker.client.complete(held, &done()).await?;
    let operator = server.client(Role::Operator).await?;
    operator.remove_agent("a").await?;
    server.pass_a_second();
    let first = json!({"title": "first", "type": "code", "priority": 0});
    planner.submit(&first).await?;
    let later = Hand::new(&server, Role::Agent).await?;
    let held = later.claim_as("a").await?;
    let (status, answer) = later.spawn(held, referring("t", &id("a"))).await?;
    assert_eq!(status, 403, "{answer}");
    Ok(())
}

/// F-5 (part)
#[tokio::test]
async fn a_claim_says_how_a_task_stands_that_it_refers_to() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Admin).await?;
    let later = json!({"title": "later", "type": "code", "scheduled_for": "2999-01-01T00:00:00Z"});
    let later = planner.submit(&later).await?;
    planner.submit(&referring("now", &later)).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    worker.client.register(&agent("a")).await?;
    let claimed = worker.client.claim(&claim("a", 0)).await?.remove(0);
    let shown = serde_json::to_value(&claimed.context.references[0])?;
    assert_eq!(shown["status"], json!("pending"), "{shown}");
    assert_eq!(shown["output"], json!(null));
    Ok(())
}

/// What an agent spawns is within the bounds of the task that it holds.
#[tokio::test]
async fn an_agent_spawns_nothing_beyond_the_task_that_it_holds() -> Result<()> {
    let server = Server::start().await?;
    let producer = Hand::new(&server, Role::Orchestrator).await?;
    let worker = Hand::new(&server, Role::Agent).await?;
    let parent = json!({
        "title": "parent", "type": "code", "priority": "low", "locks": ["repo/src"],
        "spec": {"constraints": {"max_cost_usd": 1.0}},
    });
    let parent = producer.submit(&parent).await?;
    let lease = worker.claim_as("a").await?;
    for (field, value) in [
        ("priority", json!(0)),
        ("priority_boost_per_minute", json!(10)),
        ("deadline", json!("2999-01-01T00:00:00Z")),
        ("lease_sec", json!(315_360_000)),
        ("locks", json!(["repo"])),
        ("created_by", json!("human:adam")),
        ("spec.constraints.max_cost_usd", json!(2)),
    ] {
        let mut child = of("child");
        match field.strip_prefix("spec.constraints.") {
            Some(name) => child["spec"] = json!({"constraints": {name: value}}),
            None => child[field] = value,
        }
        let (status, refused) = worker.spawn(lease, child).await?;
        let at = json!(format!("tasks[0].{field}"));
        assert_eq!((status, &refused["field"]), (403, &at), "{refused}");
    }
    assert_eq!(count(&server).await?, 1);
    let child = json!({"title": "child", "type": "code", "locks": ["repo/src/a"]});
    let (status, spawned) = worker.spawn(lease, child).await?;
    assert_eq!(status, 201, "{spawned}");
    let child = producer
        .client
        .task(spawned["tasks"][0].as_str().context("an id")?)
        .await?;
    assert_eq!(
        child.task.priority.value(),
        70,
        "the default would be more urgent"
    );
    let most = |task: &workmill_protocol::tasks::Task| {
        let most = task.task.spec.constraints.max_cost_usd;
        most.map(workmill_core::money::Micros::dollars)
    };
    let parent = producer.client.task(parent).await?;
    assert_eq!((most(&child), most(&parent)), (Some(0.5), Some(0.5)));
    Ok(())
}

/// A namespace says how many tasks its agents may spawn, how deep, and for whom.
#[tokio::test]
async fn a_namespace_bounds_what_its_agents_spawn() -> Result<()> {
    let server = Server::start().await?;
    let (operator, producer, worker) = (
        Hand::new(&server, Role::Operator).await?,
        Hand::new(&server, Role::Producer).await?,
        Hand::new(&server, Role::Agent).await?,
    );
    let path = "/v1/namespaces/test/settings".to_owned();
    let (_, usual) = producer
        .call(Method::GET, &path, None, &Value::Null)
        .await?;
    assert_eq!(
        usual["spawning"]["spawn_for"],
        json!("by_profile"),
        "{usual}"
    );
    let few = json!({"spawning": {
        "most_tasks_per_lease": 2, "most_tasks_per_graph": 3, "most_depth": 2, "spawn_for": "own_kind",
    }});
    assert_eq!(producer.call(Method::PUT, &path, None, &few).await?.0, 403);
    assert_eq!(operator.call(Method::PUT, &path, None, &few).await?.0, 200);
    let (_, kept) = operator
        .call(Method::GET, &path, None, &Value::Null)
        .await?;
    assert_eq!(kept["spawning"]["most_depth"], json!(2));
    assert_eq!(kept["spawning"]["locks"], json!("held"), "the default");

    producer.submit(&of("root")).await?;
    let root = worker.claim_as("a").await?;
    let (status, refused) = worker
        .spawn(root, json!({"title": "t", "type": "x", "agent_type": "b"}))
        .await?;
    assert_eq!(
        (status, &refused["field"]),
        (403, &json!("tasks[0].agent_type")),
        "{refused}"
    );
    // The type counts that it has claimed the task with.
    let registered = json!({"id": "a", "type": "b"});
    assert_eq!(worker.post("/v1/agents", None, &registered).await?.0, 201);
    let for_new_type = json!({"title": "t", "type": "x", "agent_type": "b"});
    assert_eq!(worker.spawn(root, for_new_type.clone()).await?.0, 403);
    // Also when the lease was lost, and the agent has taken it up again.
    assert_eq!(server.reap_after(100).await?, 1);
    worker
        .client
        .heartbeat(root, &SendHeartbeat::default())
        .await?;
    assert_eq!(worker.spawn(root, for_new_type).await?.0, 403);
    worker.client.register(&agent("a")).await?;
    for expected in [201, 201, 403] {
        assert_eq!(worker.spawn(root, of("child")).await?.0, expected);
    }
    let child = worker.claim_again("a").await?;
    assert_eq!(worker.spawn(child, of("grandchild")).await?.0, 201);
    let (status, refused) = worker.spawn(child, of("grandchild")).await?;
    assert_eq!(status, 403, "three in the graph: {refused}");
    let loose = json!({"spawning": {"most_depth": 2}});
    assert_eq!(
        operator.call(Method::PUT, &path, None, &loose).await?.0,
        200
    );
    worker.client.complete(child, &done()).await?;
    let mut deepest = worker.claim_again("a").await?;
    if worker.spawn(deepest, of("too deep")).await?.0 == 201 {
        // That was the other child.
        deepest = worker.claim_again("a").await?;
    }
    let (status, refused) = worker.spawn(deepest, of("too deep")).await?;
    assert_eq!(
        (status, &refused["field"]),
        (403, &json!("tasks")),
        "{refused}"
    );
    Ok(())
}

/// The tasks that were spawned before the lease was lost count.
#[tokio::test]
async fn a_lease_that_is_taken_up_again_does_not_spawn_beyond_its_bound() -> Result<()> {
    let server = Server::start().await?;
    let (operator, worker) = (
        Hand::new(&server, Role::Operator).await?,
        Hand::new(&server, Role::Agent).await?,
    );
    let path = "/v1/namespaces/test/settings".to_owned();
    let few = json!({"spawning": {"most_tasks_per_lease": 3}});
    assert_eq!(operator.call(Method::PUT, &path, None, &few).await?.0, 200);
    operator.submit(&of("root")).await?;
    let root = worker.claim_as("a").await?;
    for _ in 0..2 {
        assert_eq!(worker.spawn(root, of("child")).await?.0, 201);
    }
    for expected in [201, 403] {
        assert_eq!(server.reap_after(100).await?, 1);
        worker
            .client
            .heartbeat(root, &SendHeartbeat::default())
            .await?;
        let (status, answer) = worker.spawn(root, of("child")).await?;
        assert_eq!(status, expected, "{answer}");
        let (status, answer) = worker.spawn(root, of("child")).await?;
        assert_eq!(status, 403, "{answer}");
    }
    Ok(())
}

/// F-40 (part): whoever is trusted says for whom a task was created.
#[tokio::test]
async fn a_task_is_created_for_whom_an_orchestrator_says() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let producer = Hand::new(&server, Role::Producer).await?;
    let by = |who: &str| json!({"title": "t", "type": "code", "created_by": who});
    let (status, refused) = producer.post("/v1/tasks", None, &by("human:adam")).await?;
    assert_eq!((status, &refused["field"]), (403, &json!("created_by")));
    assert_eq!(planner.post("/v1/tasks", None, &by("adam")).await?.0, 400);
    let id = planner.submit(&by("human:adam")).await?;
    let (_, shown) = planner
        .call(Method::GET, &format!("/v1/tasks/{id}"), None, &Value::Null)
        .await?;
    assert_eq!(shown["created_by"], json!("human:adam"));
    assert_eq!(shown["task"].get("created_by"), None);
    let (_, list) = planner
        .call(Method::GET, "/v1/tasks?source=human", None, &Value::Null)
        .await?;
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    let graph = json!({"title": "g", "tasks": [by("cron:nightly")]});
    let (_, made) = planner.post("/v1/graphs", None, &graph).await?;
    let path = format!("/v1/graphs/{}", made["id"].as_str().context("an id")?);
    let (_, shown) = planner.call(Method::GET, &path, None, &Value::Null).await?;
    assert_eq!(shown["created_by"], json!("cron:nightly"));
    let worker = Hand::new(&server, Role::Agent).await?;
    worker.client.register(&agent("a")).await?;
    let claimed = worker.client.claim(&claim("a", 0)).await?.remove(0);
    assert!(["human:adam", "cron:nightly"].contains(&claimed.task.created_by.as_str()));
    planner.client.submit(vec![task("own")]).await?;
    Ok(())
}

/// F-40 (part)
#[tokio::test]
async fn the_tasks_of_a_graph_have_its_creator_unless_they_name_another_one() -> Result<()> {
    let server = Server::start().await?;
    let planner = Hand::new(&server, Role::Orchestrator).await?;
    let producer = Hand::new(&server, Role::Producer).await?;
    let by = |who: &str| {
        json!({"title": "g", "created_by": who, "tasks": [
            {"title": "heir", "type": "code"},
            {"title": "own", "type": "code", "created_by": "agent:eve"},
        ]})
    };
    let without_own = json!({"title": "g", "created_by": "human:adam", "tasks": [
        {"title": "heir", "type": "code"},
    ]});
    let (status, refused) = producer.post("/v1/graphs", None, &without_own).await?;
    assert_eq!((status, &refused["field"]), (403, &json!("created_by")));
    let (status, refused) = planner.post("/v1/graphs", None, &by("adam")).await?;
    assert_eq!((status, &refused["field"]), (400, &json!("created_by")));
    let (status, made) = planner
        .post("/v1/graphs", Some("once"), &by("human:adam"))
        .await?;
    assert_eq!(status, 201, "{made}");
    let (_, again) = planner
        .post("/v1/graphs", Some("once"), &by("human:adam"))
        .await?;
    assert_eq!(again["id"], made["id"]);
    let (status, _) = planner
        .post("/v1/graphs", Some("once"), &by("human:bert"))
        .await?;
    assert_eq!(status, 409, "another request");
    let path = format!("/v1/graphs/{}", made["id"].as_str().context("an id")?);
    let (_, shown) = planner.call(Method::GET, &path, None, &Value::Null).await?;
    assert_eq!(shown["created_by"], json!("human:adam"));
    let tasks = shown["tasks"].as_array().context("tasks")?;
    let mut creators: Vec<(&str, &str)> = Vec::new();
    for one in tasks {
        let title = one["task"]["title"].as_str().context("a title")?;
        creators.push((title, one["created_by"].as_str().context("a creator")?));
    }
    creators.sort_unstable();
    assert_eq!(creators, [("heir", "human:adam"), ("own", "agent:eve")]);
    Ok(())
}
