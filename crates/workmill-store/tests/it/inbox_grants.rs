//! Database roles use the inbox for the namespaces they were granted, and nothing else.

use anyhow::Result;
use tokio_postgres::Client;
use workmill_core::audit::Actor;
use workmill_store::access::{EnsureNamespace, GrantInbox, NoSuchRole, RevokeInbox};
use workmill_testkit::database::TestStore;

/// A role of the test server, dropped with this value as far as that is possible.
struct Role {
    name: String,
    client: Client,
}

impl Role {
    /// With a name that has to be quoted.
    async fn new(test: &TestStore) -> Result<Role> {
        let name = format!("wm \"test\" {:016x}", rand::random::<u64>());
        let client = test.database.client().await?;
        let quoted = quoted(&name);
        client
            .batch_execute(&format!("create role {quoted}; set role {quoted}"))
            .await?;
        Ok(Role { name, client })
    }

    async fn put(&self, ns: &str) -> Result<(), String> {
        let statement = "insert into workmill.inbox (ns, task) values ($1, '{\"title\": \"t\"}')";
        let put = self.client.execute(statement, &[&ns]).await;
        put.map(drop).map_err(|error| code(&error))
    }

    async fn sees(&self, what: &str) -> Result<i64, String> {
        let statement = format!("select count(*) from {what}");
        let seen = self.client.query_one(&statement, &[]).await;
        seen.map(|row| row.get(0)).map_err(|error| code(&error))
    }

    async fn does(&self, script: &str) -> Result<(), String> {
        let done = self.client.batch_execute(script).await;
        done.map_err(|error| code(&error))
    }

    async fn drop(self) -> Result<()> {
        let quoted = quoted(&self.name);
        let script = format!("reset role; drop owned by {quoted}; drop role {quoted}");
        Ok(self.client.batch_execute(&script).await?)
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn code(error: &tokio_postgres::Error) -> String {
    error
        .code()
        .map_or_else(|| error.to_string(), |code| code.code().to_owned())
}

const NOT_ALLOWED: &str = "42501";

async fn grant(test: &TestStore, name: &str, role: &str) -> Result<Result<bool, NoSuchRole>> {
    let (ns, _) = test.store.run(&EnsureNamespace { name }).await?;
    let operation = GrantInbox { ns, name, role };
    Ok(test.store.run_by(&Actor::workmill(), &operation).await?.0)
}

async fn revoke(test: &TestStore, name: &str, role: &str) -> Result<bool> {
    let (ns, _) = test.store.run(&EnsureNamespace { name }).await?;
    let operation = RevokeInbox { ns, name, role };
    Ok(test.store.run_by(&Actor::workmill(), &operation).await?.0)
}

#[tokio::test]
async fn a_role_uses_the_inbox_of_its_namespaces_and_nothing_else() -> Result<()> {
    let test = TestStore::new().await?;
    let (one, other) = (Role::new(&test).await?, Role::new(&test).await?);
    let refused = Err(NOT_ALLOWED.to_owned());
    assert_eq!(one.put("test").await, refused, "nothing is granted yet");
    assert_eq!(grant(&test, "test", &one.name).await?, Ok(true));
    assert_eq!(grant(&test, "test", &one.name).await?, Ok(false));
    assert_eq!(grant(&test, "other", &other.name).await?, Ok(true));

    assert_eq!(one.put("test").await, Ok(()));
    assert_eq!(other.put("other").await, Ok(()));
    assert_eq!(one.put("other").await, refused);
    assert_eq!(one.put("nowhere").await, refused);
    assert_eq!(one.sees("workmill.inbox").await, Ok(1));
    assert_eq!(one.sees("workmill.inbox where ns = 'other'").await, Ok(0));
    assert_eq!(one.sees("workmill.inbox_grant").await, Ok(1));

    // Outcomes are the servers' business, and so is everything else.
    for script in [
        "update workmill.inbox set outcome = 'accepted', handled_at = now()",
        "update workmill.inbox set task = '{}'",
        "delete from workmill.inbox",
        "truncate workmill.inbox",
        "select id from workmill.inbox for update",
        "insert into workmill.inbox (ns, task, outcome, handled_at)
         values ('test', '{}', 'accepted', now())",
        "insert into workmill.inbox (ns, task, created_by) values ('test', '{}', 'somebody')",
        "insert into workmill.inbox (ns, task, created_at) values ('test', '{}', now())",
        "insert into workmill.inbox_grant (ns, role) values ('other', current_user)",
        "alter table workmill.inbox disable row level security",
        "alter table workmill.inbox disable trigger ring",
        "drop policy granted_namespaces on workmill.inbox",
        "create table workmill.mine (n integer)",
    ] {
        assert_eq!(one.does(script).await, refused, "{script}");
    }
    let owner = test.database.client().await?;
    let tables = owner
        .query(
            "select c.relname::text from pg_class c
             where c.relnamespace = 'workmill'::regnamespace and c.relkind in ('r', 'p', 'v')
                 and c.relname not in ('inbox', 'inbox_grant')",
            &[],
        )
        .await?;
    assert!(tables.len() > 25, "{}", tables.len());
    for row in tables {
        let table: String = row.get(0);
        let seen = one.sees(&format!("workmill.{table}")).await;
        assert_eq!(seen.map(drop), refused, "{table}");
    }
    for role in [one, other] {
        role.drop().await?;
    }
    Ok(())
}

/// Whatever a role calls its own tables and functions and wherever it looks for names first.
#[tokio::test]
async fn a_search_path_of_its_own_gets_a_role_no_further() -> Result<()> {
    let test = TestStore::new().await?;
    let role = Role::new(&test).await?;
    grant(&test, "test", &role.name)
        .await?
        .map_err(|NoSuchRole| anyhow::anyhow!("no such role"))?;
    let tricks = "create temporary table inbox_grant (ns text, role name);
        insert into inbox_grant values ('other', current_user);
        create temporary table pg_roles (oid oid, rolname name);
        insert into pg_roles select oid, rolname from pg_catalog.pg_roles;
        create function pg_temp.pg_has_role(oid, text) returns boolean
            language sql as 'select true';
        create function pg_temp.pg_notify(text, text) returns void
            language plpgsql as 'begin raise exception ''called''; end';
        set search_path = pg_temp, workmill, pg_catalog, public";
    assert_eq!(role.does(tricks).await, Ok(()));
    assert_eq!(role.put("other").await, Err(NOT_ALLOWED.to_owned()));
    assert_eq!(role.put("test").await, Ok(()));
    let leak = "create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0001
        as 'begin raise exception ''seen %'', $1; end'";
    assert_eq!(role.does(leak).await, Ok(()));
    let owner = test.database.client().await?;
    owner
        .batch_execute("insert into workmill.inbox (ns, task) values ('other', '{}')")
        .await?;
    let leaked = role
        .sees("workmill.inbox where ns <> 'test' and pg_temp.leak(ns)")
        .await;
    assert_eq!(leaked, Ok(0));
    role.drop().await
}

#[tokio::test]
async fn members_of_a_role_may_what_it_may_until_it_is_taken_back() -> Result<()> {
    let test = TestStore::new().await?;
    let (group, member) = (Role::new(&test).await?, Role::new(&test).await?);
    let owner = test.database.client().await?;
    owner
        .batch_execute(&format!(
            "grant {} to {}",
            quoted(&group.name),
            quoted(&member.name)
        ))
        .await?;
    grant(&test, "test", &group.name)
        .await?
        .map_err(|NoSuchRole| anyhow::anyhow!("no such role"))?;
    grant(&test, "other", &group.name)
        .await?
        .map_err(|NoSuchRole| anyhow::anyhow!("no such role"))?;
    assert_eq!(member.put("test").await, Ok(()));
    assert_eq!(member.put("other").await, Ok(()));
    let by = "select created_by from workmill.inbox limit 1";
    let by: String = owner.query_one(by, &[]).await?.get(0);
    assert_eq!(by, member.name);

    assert!(revoke(&test, "other", &group.name).await?);
    assert!(!revoke(&test, "other", &group.name).await?);
    let refused = Err(NOT_ALLOWED.to_owned());
    assert_eq!(member.put("other").await, refused);
    assert_eq!(member.put("test").await, Ok(()));
    assert!(revoke(&test, "test", &group.name).await?);
    assert_eq!(member.put("test").await, refused);
    assert_eq!(
        member.sees("workmill.inbox").await,
        Err(NOT_ALLOWED.to_owned())
    );
    let recorded =
        "select count(*) from workmill.audit where action in ('inbox.grant', 'inbox.revoke')";
    assert_eq!(owner.query_one(recorded, &[]).await?.get::<_, i64>(0), 4);
    member.drop().await?;
    group.drop().await
}

#[tokio::test]
async fn a_role_that_does_not_exist_is_not_granted_anything() -> Result<()> {
    let test = TestStore::new().await?;
    assert_eq!(
        grant(&test, "test", "wm_no_such_role").await?,
        Err(NoSuchRole)
    );
    Ok(())
}
