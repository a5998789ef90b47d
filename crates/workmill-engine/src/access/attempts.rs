//! Attempts with bad keys, by the address they come from. Nobody guesses a key; this keeps those who
//! try, or have a wrong one in a loop, from keeping the database busy.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bad attempts in a row that are answered.
const MOST_ATTEMPTS: u32 = 20;

/// After this time one more is.
const ONE_MORE: Duration = Duration::from_secs(3);

/// Addresses that are remembered at a time.
const MOST_ADDRESSES: usize = 10_000;

#[derive(Debug, Default)]
pub struct Attempts {
    /// When an address will have made up for its bad attempts.
    even_at: Mutex<HashMap<IpAddr, Instant>>,
}

impl Attempts {
    /// How long an address has to wait before a key that is not known is looked at.
    pub fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let even_at = *self.lock().get(&network(address))?;
        let allowed = ONE_MORE * (MOST_ATTEMPTS - 1);
        let left = even_at.saturating_duration_since(now);
        left.checked_sub(allowed).filter(|wait| !wait.is_zero())
    }

    pub fn failed(&self, address: IpAddr, now: Instant) {
        let mut addresses = self.lock();
        if addresses.len() >= MOST_ADDRESSES {
            addresses.retain(|_, even_at| *even_at > now);
        }
        if addresses.len() >= MOST_ADDRESSES {
            addresses.clear();
        }
        let even_at = addresses.entry(network(address)).or_insert(now);
        // What is refused unseen costs nothing and makes the wait no longer.
        let longest = now + ONE_MORE * MOST_ATTEMPTS;
        *even_at = ((*even_at).max(now) + ONE_MORE).min(longest);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, Instant>> {
        self.even_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who has one IPv6 address has the 64 bits behind it.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_bad_attempts_are_answered_and_then_one_every_three_seconds() {
        let attempts = Attempts::default();
        let address = IpAddr::from([10, 0, 0, 1]);
        let began = Instant::now();
        for _ in 0..MOST_ATTEMPTS {
            assert_eq!(attempts.wait(address, began), None);
            attempts.failed(address, began);
        }
        assert_eq!(attempts.wait(address, began), Some(ONE_MORE));
        assert_eq!(attempts.wait(IpAddr::from([10, 0, 0, 2]), began), None);
        let later = began + ONE_MORE;
        assert_eq!(attempts.wait(address, later), None);
        attempts.failed(address, later);
        assert!(attempts.wait(address, later).is_some());
        assert_eq!(attempts.wait(address, later + Duration::from_mins(2)), None);
    }

    #[test]
    fn the_table_does_not_grow_beyond_its_bound() {
        let attempts = Attempts::default();
        let now = Instant::now();
        for at in 0..u32::try_from(MOST_ADDRESSES).unwrap() + 10 {
            attempts.failed(IpAddr::from(at.to_be_bytes()), now);
        }
        assert!(attempts.lock().len() <= MOST_ADDRESSES);
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let one: IpAddr = "2001:db8::1".parse().unwrap();
        let other: IpAddr = "2001:db8::ffff:2".parse().unwrap();
        let far: IpAddr = "2001:db8:0:1::1".parse().unwrap();
        assert_eq!(network(one), network(other));
        assert_ne!(network(one), network(far));
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        assert_eq!(network(mapped), IpAddr::from([10, 0, 0, 1]));
    }
}
