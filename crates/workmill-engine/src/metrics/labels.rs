//! Labels whose values come from data: the first few are told apart, the rest are `other`.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

/// What stands for all values beyond the first, and for what is not known.
pub(super) const OTHER: &str = "other";

/// The values of one label that were seen so far.
#[derive(Debug)]
pub(super) struct Values {
    most: usize,
    known: RwLock<HashSet<String>>,
}

impl Values {
    pub(super) fn at_most(most: usize) -> Self {
        Values {
            most,
            known: RwLock::default(),
        }
    }

    /// The value itself, if it is one of the first.
    pub(super) fn bounded(&self, value: Option<&str>) -> String {
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return OTHER.to_owned();
        };
        let is_known = {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            known.contains(value)
        };
        if is_known || self.learn(value) {
            value.to_owned()
        } else {
            OTHER.to_owned()
        }
    }

    fn learn(&self, value: &str) -> bool {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < self.most {
            known.insert(value.to_owned());
        }
        known.contains(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_values_are_told_apart_and_the_rest_are_other() {
        let values = Values::at_most(2);
        let all = ["a", "b", "c", "a", "d"].map(|value| values.bounded(Some(value)));
        assert_eq!(all, ["a", "b", OTHER, "a", OTHER]);
        assert_eq!(values.bounded(None), OTHER);
        assert_eq!(values.bounded(Some("")), OTHER);
    }
}
