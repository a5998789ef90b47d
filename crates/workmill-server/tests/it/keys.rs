//! Keys: made once, shown once, rotated, revoked, and never in the way.

use std::time::{Duration, Instant};

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_engine::Caller;
use workmill_engine::access::KeyRef;
use workmill_engine::look::AuditFilter;
use workmill_protocol::keys::{CreateKey, CreatedKey, RotateKey};
use workmill_protocol::role::Role;
use workmill_sdk::{Client, ClientError, EventFilter};
use workmill_server::keys;
use workmill_store::access::RevokeKey;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

/// A revoked key is refused everywhere after this time.
const SOON: Duration = Duration::from_secs(5);

fn status<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused(problem)) => problem.status,
        other => panic!("not refused: {other:?}"),
    }
}

fn key(name: &str, role: Role) -> CreateKey {
    CreateKey {
        name: name.to_owned(),
        role,
        namespace: None,
    }
}

fn client(server: &Server, key: &CreatedKey) -> Result<Client> {
    Ok(Client::new(&server.url, &key.token)?)
}

#[tokio::test]
async fn a_key_is_shown_once_listed_without_its_token_rotated_and_revoked() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let made = admin.create_key(&key("ci", Role::Producer)).await?;
    assert_eq!(
        (made.role, made.namespace.as_str(), made.name.as_str()),
        (Role::Producer, "test", "ci")
    );
    assert!(keys::is_well_formed(&made.token));
    client(&server, &made)?.submit(vec![task("t")]).await?;

    let rotated = admin.rotate_key(made.id, &RotateKey::default()).await?;
    assert_eq!((rotated.id, rotated.role), (made.id, made.role));
    assert_eq!(status(client(&server, &made)?.agents(None).await), 401);
    client(&server, &rotated)?.agents(None).await?;

    let listed = admin.keys(None).await?;
    let shown = serde_json::to_string(&listed)?;
    for token in [&made.token, &rotated.token] {
        assert!(!shown.contains(token.as_str()));
    }
    let one = listed.items.iter().find(|one| one.id == made.id);
    let one = one.expect("it is listed");
    assert_eq!((one.name.as_str(), one.role.as_str()), ("ci", "producer"));
    assert!(one.rotated_at.is_some() && one.revoked_at.is_none());

    admin.revoke_key(made.id).await?;
    assert_eq!(status(client(&server, &rotated)?.agents(None).await), 401);
    assert_eq!(status(admin.revoke_key(made.id).await), 404);
    let rotate = RotateKey::default();
    assert_eq!(status(admin.rotate_key(made.id, &rotate).await), 404);
    let left = admin.keys(None).await?.items;
    assert!(left.iter().all(|one| one.id != made.id));

    let caller = Caller {
        ns: server.test.ns,
        key: made.id,
        name: String::new(),
        authority: workmill_core::authority::Authority::Orchestrator,
    };
    let filter = AuditFilter {
        subject: Some(made.id.to_string()),
        ..AuditFilter::default()
    };
    let entries = server.engine.audit(&caller, &filter, None, 10).await?;
    let actions: Vec<&str> = entries
        .entries
        .iter()
        .map(|entry| entry.action.as_str())
        .collect();
    assert_eq!(actions, ["key.revoke", "key.rotate", "key.create"]);
    assert!(entries.entries.iter().all(|entry| entry.actor == "admin"));
    let told = format!("{entries:?}");
    for token in [&made.token, &rotated.token] {
        assert!(!told.contains(token.as_str()));
    }
    Ok(())
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let made = admin.create_key(&key("ci", Role::Producer)).await?;
    let database = server.test.database.client().await?;
    let row = database
        .query_one(
            "select row_to_json(k)::text, hash from workmill.api_key k where id = $1",
            &[&made.id],
        )
        .await?;
    assert!(!row.get::<_, String>(0).contains(&made.token));
    assert_eq!(row.get::<_, Vec<u8>>(1), keys::hash(&made.token));
    Ok(())
}

#[tokio::test]
async fn an_old_token_stays_good_for_its_grace_and_no_longer() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let grace = RotateKey { grace_sec: 60 };
    let (used, left_alone) = (
        admin.create_key(&key("used", Role::Producer)).await?,
        admin.create_key(&key("left alone", Role::Producer)).await?,
    );
    for made in [&used, &left_alone] {
        admin.rotate_key(made.id, &grace).await?;
    }
    client(&server, &used)?.agents(None).await?;
    server.test.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(
        status(client(&server, &left_alone)?.agents(None).await),
        401
    );
    let too_long = RotateKey {
        grace_sec: 31 * 86_400,
    };
    assert_eq!(status(admin.rotate_key(used.id, &too_long).await), 400);
    Ok(())
}

/// As another server would: this one is not told.
async fn revoke_elsewhere(server: &Server, key: &CreatedKey) -> Result<()> {
    let (ns, id) = (server.test.ns, key.id);
    server.test.store.run(&RevokeKey { ns, id }).await?;
    Ok(())
}

#[tokio::test]
async fn a_key_that_is_revoked_elsewhere_ends_a_waiting_claim_soon() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let made = admin.create_key(&key("worker", Role::Agent)).await?;
    let worker = client(&server, &made)?;
    worker.register(&agent("a")).await?;
    let waiting = tokio::spawn(async move { worker.claim(&claim("a", 30_000)).await });
    revoke_elsewhere(&server, &made).await?;
    let began = Instant::now();
    assert_eq!(status(waiting.await?), 401);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    Ok(())
}

#[tokio::test]
async fn a_key_that_is_revoked_elsewhere_ends_a_stream_of_events_soon() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let made = admin.create_key(&key("watcher", Role::Producer)).await?;
    let follower = client(&server, &made)?;
    let mut events = follower
        .follow_events(&EventFilter::default(), None)
        .await?;
    revoke_elsewhere(&server, &made).await?;
    let began = Instant::now();
    assert_eq!(events.next().await?, None);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    Ok(())
}

/// From one address, as behind a proxy.
#[tokio::test]
async fn a_valid_key_is_never_refused_for_the_failures_of_another() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    admin.keys(None).await?;
    let show = |token: String| {
        let request = reqwest::Client::new().get(format!("{}/v1/agents", server.url));
        request.bearer_auth(token).send()
    };
    let bad = keys::mint();
    assert_eq!(show(bad.clone()).await?.status(), 401);
    let asked = server.engine.key_lookups();
    for _ in 0..50 {
        let refused = show(bad.clone()).await?;
        assert_eq!(refused.status(), 401);
        assert_eq!(
            refused.headers()["www-authenticate"],
            "Bearer realm=\"workmill\""
        );
    }
    assert_eq!(
        server.engine.key_lookups(),
        asked,
        "the database is not asked for a key that was bad a moment ago"
    );
    let unused = server.token(server.test.ns, Role::Producer).await?;
    assert_eq!(
        show(unused).await?.status(),
        200,
        "though it is not known yet"
    );
    admin.keys(None).await?;
    Ok(())
}

#[tokio::test]
async fn random_keys_are_looked_up_together_and_good_ones_among_them_pass() -> Result<()> {
    let server = Server::start().await?;
    let good = server.token(server.test.ns, Role::Producer).await?;
    let find = |token: &str| {
        let (engine, hash) = (std::sync::Arc::clone(&server.engine), keys::hash(token));
        async move { engine.find_key(KeyRef::Token(hash)).await }
    };
    let mut random: Vec<String> = (0..2_000).map(|_| keys::mint()).collect();
    random.insert(1_000, good.clone());
    let found = futures_util::future::try_join_all(random.iter().map(|token| find(token))).await?;
    let found: Vec<usize> = (0..)
        .zip(&found)
        .filter_map(|(at, key)| key.as_ref().map(|_| at))
        .collect();
    assert_eq!(found, [1_000]);
    assert!(
        server.engine.key_lookups() < 20,
        "{}",
        server.engine.key_lookups()
    );
    Ok(())
}

#[tokio::test]
async fn the_last_use_of_a_key_is_listed_though_nobody_waits_for_it() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let made = admin.create_key(&key("used", Role::Producer)).await?;
    client(&server, &made)?.agents(None).await?;
    let began = Instant::now();
    loop {
        let listed = admin.keys(None).await?.items;
        let one = listed.iter().find(|one| one.id == made.id);
        if one.is_some_and(|one| one.last_used_at == Some(server.test.clock.now())) {
            return Ok(());
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{listed:?}");
    }
}

#[tokio::test]
async fn namespaces_are_made_once_and_have_keys_of_their_own() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    admin.create_namespace("team-b").await?;
    assert_eq!(admin.create_namespace("team-b").await?.name, "team-b");
    let names = admin.namespaces(None).await?.items;
    let names: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["team-b", "test"]);
    let there = CreateKey {
        namespace: Some("team-b".to_owned()),
        ..key("b", Role::Operator)
    };
    let made = admin.create_key(&there).await?;
    assert_eq!(made.namespace, "team-b");
    let theirs = client(&server, &made)?;
    let id = theirs.submit(vec![task("t")]).await?.tasks[0].id;
    assert_eq!(status(admin.task(id).await), 404);
    assert_eq!(status(theirs.keys(None).await), 403);
    let nowhere = CreateKey {
        namespace: Some("nowhere".to_owned()),
        ..key("b", Role::Operator)
    };
    assert_eq!(status(admin.create_key(&nowhere).await), 404);
    for name in ["", "a b", "é", &"x".repeat(101)] {
        assert_eq!(status(admin.create_namespace(name).await), 400, "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn keys_are_listed_in_pages_and_by_namespace() -> Result<()> {
    let server = Server::start().await?;
    let admin = server.client(Role::Admin).await?;
    let token = server.token(server.test.ns, Role::Admin).await?;
    for name in ["a", "b", "c"] {
        admin.create_key(&key(name, Role::Agent)).await?;
    }
    let get = async |query: &str| -> Result<serde_json::Value> {
        let response = reqwest::Client::new()
            .get(format!("{}/v1/keys?{query}", server.url))
            .bearer_auth(&token)
            .send();
        Ok(response.await?.json().await?)
    };
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = get(&format!("limit=2{cursor}")).await?;
        found.extend(page["items"].as_array().expect("items").clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(found.len(), 5);
    assert_eq!(get("namespace=nowhere").await?["items"], json!([]));
    assert_eq!(get("colour=red").await?["code"], "invalid");
    Ok(())
}
