//! The record of what people and programs have done by hand.
//!
//! An operation hands its entries to [`Work::audit`]; they are written in its transaction, under
//! the name that the caller gave to [`Store::run_by`]. What agents do all day (claims, heartbeats,
//! settlements) is told by events and is not recorded here. Nothing changes or removes an entry.

use std::collections::BTreeSet;

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, Actor, AuditEntry, Subject};
use workmill_core::ids::{Namespace, TaskId, first_id_at};
use workmill_queries::client::Params;
use workmill_queries::queries::audit::entries;

use crate::column::column;
use crate::connect::Store;
use crate::error::StoreError;
use crate::locked_rows::LockedRows;
use crate::operation::Work;

impl Work<'_> {
    /// Records what was done; written with the transaction, and gone with it if it fails.
    pub(crate) fn audit(&mut self, entry: AuditEntry) {
        self.audited.push(entry);
    }

    /// Takes what is to be recorded so far, to be written with the rest.
    pub(crate) fn take_audited(&mut self) -> Vec<AuditEntry> {
        std::mem::take(&mut self.audited)
    }

    pub(crate) async fn write_audited(&self, audited: &[AuditEntry]) -> Result<(), StoreError> {
        if audited.is_empty() {
            return Ok(());
        }
        let nobody = Actor::workmill();
        let actor = self.actor.unwrap_or(&nobody);
        let now = self.now().await?;
        let mut ids = Vec::with_capacity(audited.len());
        for _ in audited {
            ids.push(self.mint().await?);
        }
        let known = |value: &'_ Value| (!value.is_null()).then(|| Json(value.clone()));
        let parameters = entries::InsertEntriesParams {
            now,
            actor: actor.name.as_str(),
            actor_key: actor.key,
            ids: ids.as_slice(),
            actions: column(audited, |entry| entry.action.name()),
            subject_kinds: column(audited, |entry| entry.subject.kind()),
            subjects: column(audited, |entry| entry.subject.name()),
            befores: column(audited, |entry| known(&entry.before)),
            afters: column(audited, |entry| known(&entry.after)),
            notes: column(audited, |entry| entry.note.as_deref()),
            ns: self.ns,
        };
        entries::insert_entries()
            .params(self.transaction, &parameters)
            .await?;
        Ok(())
    }

    /// Records what became of tasks that are held: those whose state or version has changed.
    pub(crate) fn audit_tasks(
        &mut self,
        held: &LockedRows,
        tasks: &[TaskId],
        note: Option<&str>,
        mut describe: impl FnMut(TaskId) -> (Action, Subject, Value, Value),
    ) {
        let mut seen = BTreeSet::new();
        for task in tasks {
            let (Some(was), Some(is)) = (held.tasks_before.get(task), held.tasks.get(task)) else {
                continue;
            };
            let is_changed = was.state() != is.state() || was.spec_version != is.spec_version;
            if !is_changed || !seen.insert(*task) {
                continue;
            }
            let (action, subject, mut before, mut after) = describe(*task);
            for (row, told) in [(was, &mut before), (is, &mut after)] {
                if told.is_null() {
                    *told = json!({});
                }
                if was.state() != is.state() {
                    told["state"] = row.state().name().into();
                }
                if was.spec_version != is.spec_version {
                    told["version"] = row.spec_version.into();
                }
            }
            self.audit(AuditEntry::new(action, subject, before, after).with_note(note));
        }
    }
}

/// Which entries; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    pub actor: Option<String>,
    pub action: Option<Action>,
    /// `task`, `graph` and so on.
    pub subject_kind: Option<String>,
    /// A task's or graph's id as it is printed, an agent's name.
    pub subject: Option<String>,
    /// Of this moment or later.
    pub since: Option<Timestamp>,
}

/// What was done, as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    pub id: Uuid,
    pub at: Timestamp,
    pub actor: String,
    pub actor_key: Option<Uuid>,
    pub action: String,
    pub subject_kind: String,
    pub subject: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AuditPage {
    /// Newest first. There may be fewer than were asked for, even none, and more further on.
    pub entries: Vec<Audited>,
    /// Older ones follow after this one; none when there are no more.
    pub next: Option<Uuid>,
}

/// Entries that one look goes over at most, however few of them fit.
const LONGEST_STRETCH: i64 = 5_000;

impl Store {
    /// What was done, newest first, from before the entry named.
    pub async fn find_audit(
        &self,
        ns: Namespace,
        filter: &AuditFilter,
        before: Option<Uuid>,
        most: i64,
    ) -> Result<AuditPage, StoreError> {
        const DOING: &str = "read the audit log";
        let failed = |error| StoreError::from_statement(DOING, error);
        let client = self.client(DOING).await?;
        let before_id = before.unwrap_or(Uuid::max());
        let first_id = filter.since.map_or(Uuid::nil(), first_id_at);
        let (actor, kind) = (filter.actor.as_deref(), filter.subject_kind.as_deref());
        let action = filter.action.map(Action::name);
        let (rows, end) = if let Some(subject) = &filter.subject {
            let parameters = entries::FindEntriesOfSubjectParams {
                ns: ns.0,
                subject: subject.as_str(),
                before_id,
                first_id,
                actor,
                action,
                subject_kind: kind,
                most,
            };
            let statement = entries::find_entries_of_subject();
            let rows = statement.params(&client, &parameters).all().await;
            (rows.map_err(failed)?, None)
        } else {
            let stretch = entries::FindEndOfLookParams {
                ns: ns.0,
                before_id,
                first_id,
                entries_before: LONGEST_STRETCH - 1,
            };
            let statement = entries::find_end_of_look();
            let end = statement.params(&client, &stretch).opt().await;
            let end = end.map_err(failed)?;
            let parameters = entries::FindEntriesParams {
                ns: ns.0,
                before_id,
                first_id: end.unwrap_or(first_id),
                actor,
                action,
                subject_kind: kind,
                most,
            };
            let statement = entries::find_entries();
            let rows = statement.params(&client, &parameters).all().await;
            (rows.map_err(failed)?, end)
        };
        let is_full = i64::try_from(rows.len()).is_ok_and(|found| found >= most);
        let last = rows.last().map(|row| row.id);
        Ok(AuditPage {
            next: if is_full { last } else { end },
            entries: rows.into_iter().map(Audited::from).collect(),
        })
    }
}

impl From<entries::Entry> for Audited {
    fn from(row: entries::Entry) -> Self {
        Audited {
            id: row.id,
            at: row.at,
            actor: row.actor,
            actor_key: row.actor_key,
            action: row.action,
            subject_kind: row.subject_kind,
            subject: row.subject,
            before: row.before,
            after: row.after,
            note: row.note,
        }
    }
}
