//! Keys: `wm_<random>_<checksum>`. Only their hash is stored.
//!
//! A key carries 190 random bits, so a plain hash is enough: there is nothing to guess. The
//! checksum tells a mistyped or cut-off key from an unknown one without asking the database.

use rand::RngExt;
use sha2::{Digest, Sha256};

const RANDOM_LETTERS: usize = 32;
const CHECKSUM_LETTERS: usize = 6;
const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A fresh key.
pub fn mint() -> String {
    let mut random = rand::rng();
    let secret: String = (0..RANDOM_LETTERS)
        .map(|_| char::from(LETTERS[random.random_range(0..LETTERS.len())]))
        .collect();
    format!("wm_{secret}_{}", checksum(&secret))
}

pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

pub fn is_well_formed(token: &str) -> bool {
    token
        .strip_prefix("wm_")
        .and_then(|rest| rest.split_once('_'))
        .is_some_and(|(secret, sum)| secret.len() == RANDOM_LETTERS && sum == checksum(secret))
}

fn checksum(secret: &str) -> String {
    let hash = Sha256::digest(secret.as_bytes());
    let letters = hash
        .iter()
        .map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]);
    letters.take(CHECKSUM_LETTERS).map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_one_letter_changed_is_not_well_formed() {
        let token = mint();
        assert!(is_well_formed(&token));
        let mut typo = token.clone().into_bytes();
        typo[10] = if typo[10] == b'x' { b'y' } else { b'x' };
        assert!(!is_well_formed(&String::from_utf8(typo).unwrap()));
        assert!(!is_well_formed(&token[..token.len() - 1]));
        assert_ne!(mint(), token);
    }
}
