//! Namespaces and keys. A key is known only by its hash.

mod inbox;
mod namespaces;

use std::collections::HashSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::access::keys;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

pub use inbox::{GrantInbox, NoSuchRole, RevokeInbox};
pub use namespaces::{CreateNamespace, EnsureNamespace, ListedNamespace};

#[derive(Debug)]
pub struct CreateKey<'a> {
    pub ns: Namespace,
    pub name: &'a str,
    pub role: &'a str,
    pub hash: &'a [u8],
}

impl Operation for CreateKey<'_> {
    type Answer = Uuid;
    const DOING: &'static str = "create a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Uuid, StoreError> {
        let id = work.mint().await?;
        let parameters = keys::InsertKeyParams {
            ns: work.ns,
            id,
            name: self.name,
            role: self.role,
            hash: self.hash,
            now: work.now().await?,
        };
        keys::insert_key()
            .params(work.transaction, &parameters)
            .await?;
        // Neither the key nor its hash.
        let after = json!({"name": self.name, "role": self.role});
        let subject = Subject::Key(id);
        work.audit(AuditEntry::new(
            Action::KeyCreated,
            subject,
            Value::Null,
            after,
        ));
        Ok(id)
    }
}

/// Refuses a key from now on.
#[derive(Debug)]
pub struct RevokeKey {
    pub ns: Namespace,
    pub id: Uuid,
}

impl Operation for RevokeKey {
    /// Whether there was such a key that was good.
    type Answer = bool;
    const DOING: &'static str = "revoke a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let parameters = keys::RevokeKeyParams {
            now: work.now().await?,
            ns: work.ns,
            id: self.id,
        };
        let revoked = keys::revoke_key()
            .params(work.transaction, &parameters)
            .opt()
            .await?;
        let Some(key) = revoked else { return Ok(false) };
        work.audit(AuditEntry::new(
            Action::KeyRevoked,
            Subject::Key(self.id),
            json!({"name": key.name, "role": key.role}),
            Value::Null,
        ));
        Ok(true)
    }
}

/// Gives a key another token. The one it had stays good until a moment, if it is to.
#[derive(Debug)]
pub struct RotateKey<'a> {
    pub ns: Namespace,
    pub id: Uuid,
    pub hash: &'a [u8],
    /// How long the old token stays good.
    pub grace: SignedDuration,
}

impl Operation for RotateKey<'_> {
    /// Whether there was such a key that was good.
    type Answer = bool;
    const DOING: &'static str = "rotate a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        let now = work.now().await?;
        let parameters = keys::RotateKeyParams {
            old_until: now + self.grace,
            hash: self.hash,
            now,
            ns: work.ns,
            id: self.id,
        };
        let rotated = keys::rotate_key()
            .params(work.transaction, &parameters)
            .opt()
            .await?;
        let Some(key) = rotated else { return Ok(false) };
        work.audit(AuditEntry::new(
            Action::KeyRotated,
            Subject::Key(self.id),
            json!({"name": key.name, "role": key.role}),
            json!({"old_one_good_for_sec": self.grace.as_secs()}),
        ));
        Ok(true)
    }
}

/// Notes that a key was used, if that was not noted within the last minute.
#[derive(Debug)]
pub struct NoteKeyUse {
    pub ns: Namespace,
    pub id: Uuid,
}

impl Operation for NoteKeyUse {
    type Answer = ();
    const DOING: &'static str = "note the use of a key";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let parameters = keys::NoteUseParams {
            now: work.now().await?,
            ns: work.ns,
            id: self.id,
        };
        keys::note_use()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}

/// How a key is known: by the hash of its token, or by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyRef {
    Token([u8; 32]),
    Id(Uuid),
}

/// A key that was presented and is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownKey {
    pub ns: Namespace,
    pub namespace: String,
    pub id: Uuid,
    pub name: String,
    pub role: String,
    /// How much longer its token is good, if it was replaced by another.
    pub good_for: Option<Duration>,
}

/// A key as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    pub id: Uuid,
    pub name: String,
    pub role: String,
    pub namespace: String,
    pub created_at: Timestamp,
    /// To the minute.
    pub used_at: Option<Timestamp>,
    pub rotated_at: Option<Timestamp>,
    /// Until when the token before the last rotation is good.
    pub old_until: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Which keys are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyFilter {
    /// None: those of all namespaces.
    pub namespace: Option<String>,
    pub with_revoked: bool,
}

impl Store {
    /// The key with a token of this hash, if it is good.
    pub async fn find_key(&self, hash: &[u8]) -> Result<Option<KnownKey>, StoreError> {
        const DOING: &str = "look up a key";
        let client = self.client(DOING).await?;
        let found = keys::find_key_by_hash()
            .bind(&client, &hash)
            .opt()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let Some(key) = found else { return Ok(None) };
        // The index has found it; this does not tell by its time how much of it was right.
        if !bool::from(key.hash.as_slice().ct_eq(hash)) {
            return Ok(None);
        }
        drop(client);
        let good_for = match key.until {
            Some(until) => Some(until.duration_since(self.now().await?)),
            None => None,
        };
        if good_for.is_some_and(|left| !left.is_positive()) {
            return Ok(None);
        }
        Ok(Some(KnownKey {
            ns: Namespace(key.ns),
            namespace: key.namespace,
            id: key.id,
            name: key.name,
            role: key.role,
            good_for: good_for.map(SignedDuration::unsigned_abs),
        }))
    }

    /// A key by its id, if it is good.
    pub async fn find_key_by_id(&self, id: Uuid) -> Result<Option<KnownKey>, StoreError> {
        const DOING: &str = "look up a key by its id";
        let client = self.client(DOING).await?;
        let found = keys::find_key_by_id().bind(&client, &id).opt().await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.map(|key| KnownKey {
            ns: Namespace(key.ns),
            namespace: key.namespace,
            id: key.id,
            name: key.name,
            role: key.role,
            good_for: None,
        }))
    }

    /// Those that are good.
    pub async fn find_good_keys(&self, keys: &[KeyRef]) -> Result<HashSet<KeyRef>, StoreError> {
        const DOING: &str = "look up keys that are in use";
        let client = self.client(DOING).await?;
        let (mut hashes, mut ids) = (Vec::new(), Vec::new());
        for key in keys {
            match key {
                KeyRef::Token(hash) => hashes.push(&hash[..]),
                KeyRef::Id(id) => ids.push(*id),
            }
        }
        let parameters = keys::FindGoodKeysParams { hashes, ids };
        let rows = keys::find_good_keys()
            .params(&client, &parameters)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        drop(client);
        let is_rotated = rows.iter().any(|row| row.old_until.is_some());
        let now = if is_rotated {
            Some(self.now().await?)
        } else {
            None
        };
        let mut good = HashSet::new();
        for row in rows {
            good.insert(KeyRef::Id(row.id));
            let old_hash = row.old_hash.filter(|_| row.old_until > now);
            let hashes = [Some(row.hash), old_hash].into_iter().flatten();
            let hashes = hashes.filter_map(|hash| hash.try_into().ok());
            good.extend(hashes.map(KeyRef::Token));
        }
        Ok(good)
    }

    /// Keys that were made after the one named, in the order they were made.
    pub async fn list_keys(
        &self,
        filter: &KeyFilter,
        after: Option<Uuid>,
        most: i64,
    ) -> Result<Vec<ListedKey>, StoreError> {
        const DOING: &str = "list keys";
        let client = self.client(DOING).await?;
        let parameters = keys::ListKeysParams {
            after: after.unwrap_or(Uuid::nil()),
            with_revoked: filter.with_revoked,
            namespace: filter.namespace.as_deref(),
            most,
        };
        let rows = keys::list_keys().params(&client, &parameters).all().await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let keys = rows.into_iter().map(|row| ListedKey {
            id: row.id,
            name: row.name,
            role: row.role,
            namespace: row.namespace,
            created_at: row.created_at,
            used_at: row.used_at,
            rotated_at: row.rotated_at,
            old_until: row.old_until,
            revoked_at: row.revoked_at,
        });
        Ok(keys.collect())
    }

    /// What lease tokens of this database are signed with. The first to ask makes it.
    pub async fn lease_secret(&self) -> Result<Vec<u8>, StoreError> {
        const DOING: &str = "read the secret of lease tokens";
        let failed = |error| StoreError::from_statement(DOING, error);
        let client = self.client(DOING).await?;
        let known = keys::find_secret().bind(&client).opt().await;
        if let Some(secret) = known.map_err(failed)? {
            return Ok(secret);
        }
        let fresh: [u8; 32] = rand::random();
        keys::insert_secret()
            .bind(&client, &fresh.as_slice())
            .await
            .map_err(failed)?;
        // Whoever was first.
        keys::find_secret()
            .bind(&client)
            .one()
            .await
            .map_err(failed)
    }
}
