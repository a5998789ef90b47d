//! Which database roles may put tasks into the inbox, and for which namespaces.
//!
//! A grant is a row that the inbox's policies look at, together with PostgreSQL's own rights: to
//! insert a namespace and a task, to read what became of them, and nothing else.

use serde_json::{Value, json};
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::Namespace;
use workmill_queries::queries::intake::inbox as statements;

use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// Lets a database role put tasks into the inbox of a namespace.
#[derive(Debug)]
pub struct GrantInbox<'a> {
    pub ns: Namespace,
    pub name: &'a str,
    pub role: &'a str,
}

/// The database has no role of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchRole;

impl Operation for GrantInbox<'_> {
    /// Whether it is new.
    type Answer = Result<bool, NoSuchRole>;
    const DOING: &'static str = "let a role use the inbox";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let is_role = statements::is_role()
            .bind(work.transaction, &self.role)
            .one()
            .await;
        if !is_role? {
            return Ok(Err(NoSuchRole));
        }
        let role = quoted(self.role);
        let script = format!(
            "grant usage on schema workmill to {role};
             grant select, insert (ns, task) on workmill.inbox to {role};
             grant select on workmill.inbox_grant to {role}"
        );
        work.transaction.batch_execute(&script).await?;
        let inserted = statements::insert_inbox_grant()
            .bind(work.transaction, &self.name, &self.role)
            .await;
        let is_new = inserted? > 0;
        if is_new {
            let after = json!({"role": self.role});
            let (action, subject) = (Action::InboxGranted, Subject::Namespace);
            work.audit(AuditEntry::new(action, subject, Value::Null, after));
        }
        Ok(Ok(is_new))
    }
}

/// Takes it back. With the last namespace the role loses its rights on the tables, too; that it may
/// use the schema stays, because it may have been given that for something else.
#[derive(Debug)]
pub struct RevokeInbox<'a> {
    pub ns: Namespace,
    pub name: &'a str,
    pub role: &'a str,
}

impl Operation for RevokeInbox<'_> {
    /// Whether there was such a grant.
    type Answer = bool;
    const DOING: &'static str = "take the inbox away from a role";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let deleted = statements::delete_inbox_grant()
            .bind(work.transaction, &self.name, &self.role)
            .await;
        if deleted? == 0 {
            return Ok(false);
        }
        let left = statements::count_inbox_grants()
            .bind(work.transaction, &self.role)
            .one()
            .await;
        let is_role = statements::is_role()
            .bind(work.transaction, &self.role)
            .one()
            .await;
        let left = left?;
        if left == 0 && is_role? {
            let role = quoted(self.role);
            let script = format!("revoke all on workmill.inbox, workmill.inbox_grant from {role}");
            work.transaction.batch_execute(&script).await?;
        }
        let before = json!({"role": self.role});
        let (action, subject) = (Action::InboxRevoked, Subject::Namespace);
        work.audit(AuditEntry::new(action, subject, before, Value::Null));
        Ok(true)
    }
}

/// A name as SQL takes it, whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
