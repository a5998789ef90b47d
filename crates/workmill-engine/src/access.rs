//! Access: keys and namespaces, and what belongs to whom.
//!
//! Roles are the server's affair; here is what a role cannot say by itself: whether this key
//! submitted that task, or holds it.

mod key_cache;
mod lookups;
mod watch;

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use uuid::Uuid;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_store::StoreError;
use workmill_store::access::{CreateKey, CreateNamespace, NoteKeyUse, RevokeKey, RotateKey};
pub use workmill_store::look::ownership::EndOfAttempt;
use workmill_store::look::ownership::Submitter;
use workmill_store::settlement::Refusal;

pub(crate) use key_cache::KeyCache;
pub(crate) use lookups::KeyLookups;
pub(crate) use watch::KeyWatch;
pub use workmill_store::access::{KeyFilter, KeyRef, KnownKey, ListedKey, ListedNamespace};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::intake::{LONGEST_WORD, check_text};

/// Of keys or namespaces on a page.
pub const MOST_LISTED: i64 = 1_000;

/// The longest that a token stays good after another one has taken its place: thirty days.
pub const LONGEST_GRACE: Duration = Duration::from_hours(30 * 24);

const LONGEST_NAMESPACE: usize = 100;

/// Refuses what cannot be the name of a key.
pub fn check_key_name(name: &str) -> Result<(), EngineError> {
    check_text("name", name, LONGEST_WORD)?;
    if name.chars().any(char::is_control) {
        return Err(EngineError::invalid("name", "no control characters"));
    }
    Ok(())
}

impl Engine {
    /// The key, if it is known and good; remembered for two seconds. A key that was good before is
    /// looked up by itself, so unknown keys never keep it waiting.
    pub async fn find_key(&self, which: KeyRef) -> Result<Option<Arc<KnownKey>>, EngineError> {
        if let Some(key) = self.keys.fresh(&which, Instant::now()) {
            return Ok(Some(key));
        }
        let was_good = self.keys.was_good(&which);
        if !was_good && !self.key_lookups.is_good(which, &self.shared.store).await? {
            return Ok(None);
        }
        // What is read is as old as the question.
        let began = Instant::now();
        let found = match which {
            KeyRef::Token(hash) => self.store().find_key(&hash).await?,
            KeyRef::Id(id) => self.store().find_key_by_id(id).await?,
        };
        Ok(self.keys.remember(which, found, began))
    }

    /// Statements that looked up keys this process did not know.
    pub fn key_lookups(&self) -> usize {
        self.key_lookups.sent()
    }

    /// Notes that a key was used, in its own time: nobody waits for it.
    pub fn note_use(&self, key: &KnownKey) {
        if !self.keys.is_to_be_noted(key.id, Instant::now()) {
            return;
        }
        let operation = NoteKeyUse {
            ns: key.ns,
            id: key.id,
        };
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            if let Err(error) = shared.run(&operation).await {
                tracing::debug!(%error, key = %operation.id, "the use of a key was not noted");
            }
        });
    }

    /// Returns when the key is not good any more. While the database is away nothing is known.
    pub async fn key_ended(&self, which: KeyRef) {
        self.key_watch.ended(which, &self.shared.store).await;
    }

    /// Makes a key of a namespace that is there. Only the hash of its token is known here.
    pub async fn create_key(
        &self,
        caller: &Caller,
        namespace: Option<&str>,
        name: &str,
        role: &str,
        hash: &[u8],
    ) -> Result<Uuid, EngineError> {
        check_key_name(name)?;
        let ns = match namespace {
            None => caller.ns,
            Some(name) => self.namespace(name).await?,
        };
        let operation = CreateKey {
            ns,
            name,
            role,
            hash,
        };
        Ok(self.run_by(caller, &operation).await?)
    }

    /// Gives a key another token; answers whose it is.
    pub async fn rotate_key(
        &self,
        caller: &Caller,
        id: Uuid,
        hash: &[u8],
        grace: Duration,
    ) -> Result<KnownKey, EngineError> {
        if grace > LONGEST_GRACE {
            let problem = format!("longer than {} seconds", LONGEST_GRACE.as_secs());
            return Err(EngineError::invalid("grace_sec", problem));
        }
        let key = self.good_key(id).await?;
        let operation = RotateKey {
            ns: key.ns,
            id,
            hash,
            grace: SignedDuration::try_from(grace).unwrap_or(SignedDuration::ZERO),
        };
        let was_there = self.run_by(caller, &operation).await?;
        self.keys.forget(id);
        if !was_there {
            return Err(no_such_key(id));
        }
        Ok(key)
    }

    /// Nothing is answered to it any more: here at once, by other servers in seconds.
    pub async fn revoke_key(&self, caller: &Caller, id: Uuid) -> Result<(), EngineError> {
        let ns = self.good_key(id).await?.ns;
        let was_there = self.run_by(caller, &RevokeKey { ns, id }).await?;
        self.keys.forget(id);
        if was_there {
            Ok(())
        } else {
            Err(no_such_key(id))
        }
    }

    async fn good_key(&self, id: Uuid) -> Result<KnownKey, EngineError> {
        let found = self.store().find_key_by_id(id).await?;
        found.ok_or_else(|| no_such_key(id))
    }

    /// Keys that were made after the one named, in the order they were made.
    pub async fn keys(
        &self,
        filter: &KeyFilter,
        after: Option<Uuid>,
        most: i64,
    ) -> Result<Vec<ListedKey>, EngineError> {
        check_most(most)?;
        let namespace = filter.namespace.as_deref().unwrap_or_default();
        if namespace.contains('\0') {
            return Err(EngineError::invalid("namespace", "not a name"));
        }
        Ok(self.store().list_keys(filter, after, most).await?)
    }

    /// The namespace of this name.
    pub async fn namespace(&self, name: &str) -> Result<Namespace, EngineError> {
        let missing = || EngineError::NotFound {
            what: format!("namespace `{name}`"),
        };
        if name.contains('\0') {
            return Err(missing());
        }
        let found = self.store().find_namespace(name).await?;
        found.ok_or_else(missing)
    }

    /// Answers whether it is new.
    pub async fn create_namespace(&self, caller: &Caller, name: &str) -> Result<bool, EngineError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > LONGEST_NAMESPACE || !name.chars().all(is_plain) {
            let problem = "must be 1 to 100 letters, digits, `-`, `_` or `.`";
            return Err(EngineError::invalid("name", problem));
        }
        Ok(self.run_by(caller, &CreateNamespace { name }).await?)
    }

    /// Namespaces by name, after the one named.
    pub async fn namespaces(
        &self,
        after: &str,
        most: i64,
    ) -> Result<Vec<ListedNamespace>, EngineError> {
        check_most(most)?;
        if after.contains('\0') {
            return Err(EngineError::invalid("cursor", "not a name"));
        }
        Ok(self.store().list_namespaces(after, most).await?)
    }

    /// Refuses unless this key submitted the task.
    pub async fn check_submitted(&self, caller: &Caller, task: TaskId) -> Result<(), EngineError> {
        let submitter = self.store().find_submitter(caller.ns, task).await?;
        is_of(caller, submitter, &task)
    }

    /// Refuses unless this key submitted the graph.
    pub async fn check_submitted_graph(
        &self,
        caller: &Caller,
        graph: GraphId,
    ) -> Result<(), EngineError> {
        let store = self.store();
        let submitter = store.find_submitter_of_graph(caller.ns, graph).await?;
        is_of(caller, submitter, &graph)
    }

    /// Refuses unless an agent of this key holds the task, or one that was handed its result.
    pub async fn check_handed(&self, caller: &Caller, task: TaskId) -> Result<(), EngineError> {
        if self
            .store()
            .find_holders(caller.ns, task)
            .await?
            .contains(&caller.key)
        {
            return Ok(());
        }
        if !self.store().has_task(caller.ns, task).await? {
            return Err(missing(&task));
        }
        let problem = format!("{task} is not held by an agent that this key registered");
        Err(EngineError::Forbidden { problem })
    }

    /// Refuses unless a claim has handed this key, or this lease, the output of the task.
    pub async fn check_handed_output(
        &self,
        caller: &Caller,
        lease: Option<LeaseId>,
        task: TaskId,
    ) -> Result<(), EngineError> {
        let store = self.store();
        let handed = store.was_handed_output(caller.ns, caller.key, lease, task);
        if handed.await? {
            return Ok(());
        }
        if !store.has_task(caller.ns, task).await? {
            return Err(missing(&task));
        }
        let problem = format!("no claim that is held has handed out the output of {task}");
        Err(EngineError::Forbidden { problem })
    }

    /// Refuses unless an agent of this key holds the lease.
    pub async fn check_holds(&self, caller: &Caller, lease: LeaseId) -> Result<(), EngineError> {
        match self.store().find_key_of_lease(caller.ns, lease).await? {
            Some(key) if key == caller.key => Ok(()),
            Some(_) => Err(EngineError::refused(lease, Refusal::NotTheHolder)),
            None => Err(self.lease_refused(caller, lease, Refusal::LeaseLost).await),
        }
    }

    /// How the attempt of this lease ended; `None` while the lease is held. Refuses unless an agent of
    /// this key holds the lease or held it.
    pub async fn end_of_attempt(
        &self,
        caller: &Caller,
        lease: LeaseId,
    ) -> Result<Option<EndOfAttempt>, EngineError> {
        let holder = self.store().find_key_of_lease(caller.ns, lease).await?;
        let end = match holder {
            Some(_) => None,
            None => self.store().find_end_of_attempt(caller.ns, lease).await?,
        };
        match holder.or(end.as_ref().map(|end| end.key)) {
            Some(key) if key == caller.key => Ok(end),
            Some(_) => Err(EngineError::refused(lease, Refusal::NotTheHolder)),
            None => Err(missing(&lease)),
        }
    }

    /// What lease tokens are signed with.
    pub async fn lease_secret(&self) -> Result<&[u8], StoreError> {
        let secret = self
            .lease_secret
            .get_or_try_init(|| self.store().lease_secret())
            .await?;
        Ok(secret)
    }

    /// A lease of a task that does not exist here was never lost.
    pub(crate) async fn lease_refused(
        &self,
        caller: &Caller,
        lease: LeaseId,
        refusal: Refusal,
    ) -> EngineError {
        if refusal == Refusal::LeaseLost {
            match self.store().has_task(caller.ns, lease.task).await {
                Ok(true) => {}
                Ok(false) => return missing(&lease),
                Err(error) => return error.into(),
            }
        }
        EngineError::refused(lease, refusal)
    }
}

fn is_of(
    caller: &Caller,
    submitter: Option<Submitter>,
    what: &impl std::fmt::Display,
) -> Result<(), EngineError> {
    match submitter {
        None => Err(missing(what)),
        Some(Submitter(Some(key))) if key == caller.key => Ok(()),
        Some(_) => Err(EngineError::Forbidden {
            problem: format!("{what} was not submitted with this key"),
        }),
    }
}

fn missing(what: &impl std::fmt::Display) -> EngineError {
    EngineError::NotFound {
        what: what.to_string(),
    }
}

fn no_such_key(id: Uuid) -> EngineError {
    EngineError::NotFound {
        what: format!("a valid key {id}"),
    }
}

fn check_most(most: i64) -> Result<(), EngineError> {
    if (1..=MOST_LISTED).contains(&most) {
        return Ok(());
    }
    let problem = format!("{most} is not between 1 and {MOST_LISTED}");
    Err(EngineError::invalid("limit", problem))
}
