//! Lease tokens: `wm_lease_<what>_<signature>`, good for acting on one lease.
//!
//! What a token grants is written in it and signed with a secret that the database keeps, so any server
//! verifies it without a table, after any restart. It ends with its lease, by the epoch like every
//! other caller, and with the key that asked for it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace, TaskId};

const PREFIX: &str = "wm_lease_";

/// Namespace, task, epoch and key.
const LENGTH: usize = 8 + 16 + 4 + 16;

/// What a token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grant {
    pub(crate) ns: Namespace,
    pub(crate) lease: LeaseId,
    /// The key that holds the lease.
    pub(crate) key: Uuid,
}

pub(crate) fn is_one(token: &str) -> bool {
    token.starts_with(PREFIX)
}

impl Grant {
    pub(crate) fn sign(&self, secret: &[u8]) -> String {
        let bytes = self.bytes();
        let signature = signer(secret, &bytes).finalize().into_bytes();
        format!("{PREFIX}{}_{}", to_hex(&bytes), to_hex(&signature))
    }

    /// What a genuine token says. Signatures are compared in constant time.
    pub(crate) fn read(token: &str, secret: &[u8]) -> Option<Grant> {
        let (bytes, signature) = token.strip_prefix(PREFIX)?.split_once('_')?;
        let (bytes, signature) = (from_hex(bytes)?, from_hex(signature)?);
        signer(secret, &bytes).verify_slice(&signature).ok()?;
        Grant::from_bytes(&bytes)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend(self.ns.0.to_be_bytes());
        bytes.extend(self.lease.task.0.as_bytes());
        bytes.extend(self.lease.epoch.to_be_bytes());
        bytes.extend(self.key.as_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Grant> {
        let (ns, rest) = bytes.split_first_chunk()?;
        let (task, rest) = rest.split_first_chunk()?;
        let (epoch, rest) = rest.split_first_chunk()?;
        let key: [u8; 16] = rest.try_into().ok()?;
        let lease = LeaseId {
            task: TaskId(Uuid::from_bytes(*task)),
            epoch: i32::from_be_bytes(*epoch),
        };
        Some(Grant {
            ns: Namespace(i64::from_be_bytes(*ns)),
            lease,
            key: Uuid::from_bytes(key),
        })
    }
}

fn signer(secret: &[u8], bytes: &[u8]) -> Hmac<Sha256> {
    let mut signer = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length will do");
    signer.update(bytes);
    signer
}

fn to_hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|letter| {
            letter
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else {
        return None;
    };
    Some(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant() -> Grant {
        Grant {
            ns: Namespace(77),
            lease: LeaseId {
                task: TaskId(Uuid::from_u128(u128::MAX / 3)),
                epoch: 5,
            },
            key: Uuid::from_u128(12),
        }
    }

    #[test]
    fn a_token_is_read_back_with_the_secret_it_was_signed_with_and_no_other() {
        let token = grant().sign(b"secret");
        assert!(is_one(&token));
        assert_eq!(Grant::read(&token, b"secret"), Some(grant()));
        assert_eq!(Grant::read(&token, b"other"), None);
    }

    #[test]
    fn no_letter_of_a_token_can_be_changed_or_left_out() {
        let token = grant().sign(b"secret");
        for at in PREFIX.len()..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(Grant::read(&changed, b"secret"), None, "{changed}");
            assert_eq!(Grant::read(&token[..at], b"secret"), None);
        }
        assert_eq!(Grant::read(&format!("{token}0"), b"secret"), None);
    }
}
