//! A database of one's own: its first key, what it lacks, and the command that mends it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use workmill_local_postgres::{Ephemeral, Settings};
use workmill_testkit::database::{TestDatabase, connect};

use crate::support::{Home, Running, assert_exit, stderr};

const PATIENCE: Duration = Duration::from_secs(30);

/// A PostgreSQL whose roles log in as they do elsewhere.
struct Elsewhere {
    server: Ephemeral,
    home: Home,
}

/// The role `pass` needs its password, `outside` is not admitted, all others are.
const ADMITTED: &str = "\
local all pass scram-sha-256
host all pass 127.0.0.1/32 scram-sha-256
local all outside reject
host all outside 127.0.0.1/32 reject
local all all trust
host all all 127.0.0.1/32 trust
";

impl Elsewhere {
    async fn start() -> Result<Self> {
        // Durable, or `doctor` complains.
        let server = Ephemeral::start_with(&Settings::default())?;
        let rules = server.folder().join("postgres/pg_hba.conf");
        // First the rule of the administrator, who reloads it.
        let before = std::fs::read_to_string(&rules)?;
        std::fs::write(rules, format!("{before}{ADMITTED}"))?;
        let home = Home::new()?;
        let elsewhere = Elsewhere { server, home };
        elsewhere.run("select pg_reload_conf()").await?;
        // Under the new rules it is the role that is missing, and no rule.
        let probe = elsewhere.url("probe", "postgres", "");
        let began = Instant::now();
        loop {
            let refused = connect(&probe)
                .await
                .err()
                .context("there is no such role")?;
            if format!("{refused:#}").contains("does not exist") {
                return Ok(elsewhere);
            }
            ensure!(began.elapsed() < PATIENCE, "{refused:#}");
        }
    }

    /// Runs statements as the administrator, one by one: some cannot be run in a transaction.
    async fn run(&self, statements: &str) -> Result<()> {
        let client = connect(&self.server.cluster().url("postgres")).await?;
        for statement in statements.split(';').filter(|text| !text.trim().is_empty()) {
            let ran = client.batch_execute(statement).await;
            ran.with_context(|| statement.to_owned())?;
        }
        Ok(())
    }

    /// `options` are more settings of the connection, like a password.
    fn url(&self, role: &str, database: &str, options: &str) -> String {
        let url = self.server.cluster().url(database);
        format!(
            "{} {options}",
            url.replace("user=workmill", &format!("user={role}"))
        )
    }

    fn workmill(&self, arguments: &[&str], url: &str) -> Result<std::process::Output> {
        let mut command = self.home.command(arguments);
        Ok(command.env("DATABASE_URL", url).output()?)
    }

    /// Every command that uses the database refuses with this exit code and names the cause; the remedy
    /// is what follows `begin` up to the semicolon, the same for all.
    fn refused(&self, url: &str, exit: i32, cause: &str, begin: &str) -> Result<String> {
        let mut remedies = Vec::new();
        for said in self.said_by_all(url, exit, cause)? {
            let place = said.find(begin).with_context(|| said.clone())?;
            let end = said[place..].find(';').context("a whole statement")?;
            remedies.push(said[place..place + end].to_owned());
        }
        let first = remedies.first().context("a remedy")?.clone();
        assert!(remedies.iter().all(|other| *other == first), "{remedies:?}");
        Ok(first)
    }

    /// What each command that uses the database says; all refuse with this exit code and name the cause.
    fn said_by_all(&self, url: &str, exit: i32, cause: &str) -> Result<Vec<String>> {
        let mut all = Vec::new();
        for command in [
            &["migrate"][..],
            &["serve", "--port", "0"],
            &["serve", "--migrate", "--port", "0"],
            &["key", "create", "--role", "admin"],
            &["doctor"],
        ] {
            let output = self.workmill(command, url)?;
            let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            ensure!(output.status.code() == Some(exit), "{command:?}: {said}");
            ensure!(said.contains(cause), "{command:?}: {said}");
            all.push(said);
        }
        Ok(all)
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_database_is_named_with_the_command_that_mends_it() -> Result<()> {
    let elsewhere = Elsewhere::start().await?;
    elsewhere
        .run(
            "create role plain login; create role other login; create role reader login;
             drop database workmill; create database latin encoding 'LATIN1' locale 'C' template template0;
             create database mill",
        )
        .await?;

    let latin = elsewhere.url("plain", "latin", "");
    let remedy = elsewhere.refused(&latin, 1, "LATIN1", "create database")?;
    elsewhere.run(&remedy).await?;

    let plain = elsewhere.url("plain", "mill", "");
    let cause = "the role `plain` may not create the schema";
    let remedy = elsewhere.refused(&plain, 1, cause, "grant create on database")?;
    elsewhere.run(&remedy).await?;
    assert_exit(&elsewhere.workmill(&["migrate"], &plain)?, 0);
    // What the encoding's remedy has made is as good, with the same right.
    elsewhere
        .run("grant create on database workmill to plain")
        .await?;
    let fresh = elsewhere.url("plain", "workmill", "");
    assert_exit(&elsewhere.workmill(&["migrate"], &fresh)?, 0);

    let other = elsewhere.url("other", "mill", "");
    let remedy = elsewhere.refused(&other, 1, "belong to the role `plain`", "grant plain")?;
    elsewhere.run(&remedy).await?;
    assert_exit(&elsewhere.workmill(&["doctor"], &other)?, 0);

    // A member that does not inherit the rights of its roles may still act as the owner.
    elsewhere
        .run("create role heir login noinherit; grant plain to heir")
        .await?;
    let heir = elsewhere.url("heir", "mill", "");
    for command in [
        &["migrate"][..],
        &["doctor"],
        &["key", "create", "--role", "agent"],
    ] {
        assert_exit(&elsewhere.workmill(command, &heir)?, 0);
    }

    let admin = connect(&elsewhere.server.cluster().url("mill")).await?;
    let foreign = "alter table workmill.event_default owner to other";
    admin.batch_execute(foreign).await?;
    let cause = "some of its tables to the role `other`";
    let remedy = elsewhere.refused(&plain, 1, cause, "reassign owned")?;
    admin.batch_execute(&remedy).await?;
    assert_exit(&elsewhere.workmill(&["doctor"], &plain)?, 0);

    for (set, place) in [
        ("alter role reader", "alter role reader reset"),
        ("alter database mill", "alter database mill reset"),
        (
            "alter role reader in database mill",
            "alter role reader in database mill reset",
        ),
    ] {
        let setting = "set default_transaction_read_only = on";
        elsewhere
            .run(&format!("grant plain to reader; {set} {setting}"))
            .await?;
        let reader = elsewhere.url("reader", "mill", "");
        let remedy = elsewhere.refused(&reader, 1, "are read-only", place)?;
        elsewhere.run(&remedy).await?;
        assert_exit(&elsewhere.workmill(&["migrate"], &reader)?, 0);
    }
    Ok(())
}

#[tokio::test]
async fn tables_that_a_member_creates_belong_to_the_schemas_owner() -> Result<()> {
    let elsewhere = Elsewhere::start().await?;
    elsewhere
        .run(
            "create role mill login; create role writer login; create database mill owner mill;
             grant mill to writer",
        )
        .await?;
    let [owner, member] = ["mill", "writer"].map(|role| elsewhere.url(role, "mill", ""));
    let admin = connect(&elsewhere.server.cluster().url("mill")).await?;
    let schema = "create schema workmill authorization mill";
    admin.batch_execute(schema).await?;
    assert_exit(&elsewhere.workmill(&["migrate"], &member)?, 0);

    let mut command = elsewhere.home.command(&["serve"]);
    command.env("DATABASE_URL", &member);
    let server = Running::start(command)?;
    let days = "select count(*) from pg_inherits where inhparent = 'workmill.event'::regclass";
    let began = Instant::now();
    while admin.query_one(days, &[]).await?.get::<_, i64>(0) < 2 {
        ensure!(began.elapsed() < PATIENCE, "the server makes no partition");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.stop(Signal::SIGTERM)?.0, Some(0));

    let owners = "select distinct pg_get_userbyid(relowner)::text from pg_class
                  where relnamespace = 'workmill'::regnamespace";
    let owners = admin.query(owners, &[]).await?;
    let owners: Vec<String> = owners.iter().map(|row| row.get(0)).collect();
    assert_eq!(owners, ["mill"]);
    for url in [&owner, &member] {
        for command in [
            &["doctor"][..],
            &["migrate"],
            &["key", "create", "--role", "admin"],
        ] {
            assert_exit(&elsewhere.workmill(command, url)?, 0);
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_refused_login_is_named_with_the_command_that_mends_it() -> Result<()> {
    let elsewhere = Elsewhere::start().await?;
    elsewhere
        .run(
            "create role plain login; create role outside login;
             create role pass login password 'right'; create database mill owner plain;
             revoke connect on database mill from public",
        )
        .await?;
    let nowhere = elsewhere.url("plain", "nowhere", "");
    let remedy = elsewhere.refused(&nowhere, 8, "no database `nowhere`", "create database")?;
    elsewhere.run(&remedy).await?;
    let cause = "may not create the schema";
    elsewhere.refused(&nowhere, 1, cause, "grant create on database nowhere")?;

    let stranger = elsewhere.url("stranger", "mill", "");
    let remedy = elsewhere.refused(&stranger, 8, "refuses the role `stranger`", "create role")?;
    elsewhere.run(&remedy).await?;
    let remedy = elsewhere.refused(&stranger, 8, "may not connect", "grant connect")?;
    elsewhere.run(&remedy).await?;
    elsewhere.refused(&stranger, 1, cause, "grant create")?;

    let outside = elsewhere.url("outside", "postgres", "");
    elsewhere.refused(&outside, 8, "pg_hba.conf", "select pg_reload_conf()")?;
    let wrong = elsewhere.url("pass", "postgres", "password=hunter2");
    let output = elsewhere.workmill(&["doctor"], &wrong)?;
    assert_exit(&output, 8);
    let said = String::from_utf8(output.stdout)?;
    assert!(
        said.contains("refuses the password of the role `pass`"),
        "{said}"
    );
    assert!(said.contains("\\password pass"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    let right = elsewhere.url("plain", "mill", "");
    assert_exit(&elsewhere.workmill(&["migrate"], &right)?, 0);
    Ok(())
}

#[tokio::test]
async fn every_refusal_to_connect_has_a_remedy_of_its_own() -> Result<()> {
    let elsewhere = Elsewhere::start().await?;
    elsewhere
        .run(
            "create role pass login password 'right'; create role nolog;
             create role few login connection limit 0",
        )
        .await?;
    let without = elsewhere.url("pass", "postgres", "");
    let cause = "the role `pass` needs a password, and DATABASE_URL has none";
    for said in elsewhere.said_by_all(&without, 8, cause)? {
        assert!(said.contains("postgres://pass:PASSWORD@"), "{said}");
    }
    let nolog = elsewhere.url("nolog", "postgres", "");
    let remedy = elsewhere.refused(&nolog, 8, "the role `nolog` may not log in", "alter role")?;
    assert_eq!(remedy, "alter role nolog login");
    elsewhere.run(&remedy).await?;
    let few = elsewhere.url("few", "postgres", "");
    let cause = "has no connection left for the role `few`";
    let remedy = elsewhere.refused(&few, 8, cause, "alter role")?;
    assert_eq!(remedy, "alter role few connection limit -1");
    let tls = elsewhere.url("nolog", "postgres", "sslmode=require");
    elsewhere.said_by_all(&tls, 8, "sslmode=disable")?;
    Ok(())
}

/// An ordinary role sees no sessions of others, nor where the server keeps its data.
#[tokio::test]
async fn a_server_works_with_an_ordinary_role_and_doctor_finds_no_problem() -> Result<()> {
    let elsewhere = Elsewhere::start().await?;
    elsewhere
        .run("create role plain login; create database mill owner plain")
        .await?;
    let url = elsewhere.url("plain", "mill", "");
    let key = elsewhere.workmill(&["key", "create", "--role", "admin"], &url)?;
    assert_exit(&key, 1);
    assert!(
        stderr(&key).contains("workmill migrate"),
        "{}",
        stderr(&key)
    );

    let mut command = elsewhere.home.command(&["serve", "--migrate"]);
    command.env("DATABASE_URL", &url);
    let server = Running::start(command)?;
    let key = elsewhere.workmill(&["key", "create", "--role", "admin"], &url)?;
    assert_exit(&key, 0);
    let token = String::from_utf8(key.stdout)?;
    let mut submit = elsewhere.home.command(&["submit", "--title", "t"]);
    submit.env("WORKMILL_URL", &server.url);
    let output = submit.env("WORKMILL_TOKEN", token.trim()).output()?;
    assert_exit(&output, 0);

    let doctor = elsewhere.workmill(&["doctor", "--url", &server.url], &url)?;
    assert_exit(&doctor, 0);
    let said = String::from_utf8(doctor.stdout)?;
    let connections = said.lines().find(|line| line.contains("connections"));
    let in_use = connections.and_then(|line| line.split_whitespace().nth(2));
    let in_use: i64 = in_use.context("a number")?.parse()?;
    assert!(in_use > 1, "those of the server are counted: {said}");

    let (code, log) = server.stop(Signal::SIGTERM)?;
    assert_eq!(code, Some(0));
    assert!(log.contains("workmill key create --role admin"), "{log}");
    Ok(())
}

#[tokio::test]
async fn a_key_is_made_in_the_database_or_by_the_server_and_it_is_said_which() -> Result<()> {
    let database = TestDatabase::new().await?;
    let home = Home::new()?;
    let run = |arguments: &[&str], token: Option<(&str, &str)>| {
        let mut command = home.command(&[&["key", "create"], arguments].concat());
        command.env("DATABASE_URL", database.url());
        if let Some((url, token)) = token {
            command
                .env("WORKMILL_URL", url)
                .env("WORKMILL_TOKEN", token);
        }
        command.output()
    };
    let first = run(&["--role", "admin"], None)?;
    assert_exit(&first, 0);
    assert!(
        stderr(&first).contains("in the database at"),
        "{}",
        stderr(&first)
    );
    let token = String::from_utf8(first.stdout)?;
    let mut command = home.command(&["serve"]);
    command.env("DATABASE_URL", database.url());
    let server = Running::start(command)?;
    let known = Some((server.url.as_str(), token.trim()));

    let by_server = run(&["--role", "agent"], known)?;
    assert_exit(&by_server, 0);
    let said = stderr(&by_server);
    assert!(
        said.contains(&format!("by the server at {}", server.url)),
        "{said}"
    );
    let again = run(&["--role", "agent", "--on", "database"], known)?;
    assert_exit(&again, 0);
    assert!(stderr(&again).contains("in the database at"));
    let unknown = run(
        &["--role", "agent", "--on", "server", "--url", &server.url],
        None,
    )?;
    assert_exit(&unknown, 4);

    for (arguments, exit) in [
        (&["--role", "agent", "--namespace", "nowhere"][..], 3),
        (&["--role", "agent", "--name", ""], 6),
        (&["--role", "agent", "--name", "a\u{7}b"], 6),
    ] {
        assert_exit(&run(arguments, None)?, exit);
    }
    let mut nothing_named = home.command(&["key", "create", "--role", "admin"]);
    assert_exit(&nothing_named.args(["--on", "database"]).output()?, 64);
    let log = server.stop(Signal::SIGTERM)?.1;
    assert!(!log.contains("no key yet"), "{log}");

    let client = database.client().await?;
    let query = "select count(*) from workmill.audit where action = 'key.create' and actor = $1";
    let direct = client.query_one(query, &[&"workmill key"]).await?;
    assert_eq!(direct.get::<_, i64>(0), 2);
    Ok(())
}
