//! Capabilities as sets: sorted, without repeats, so that equal asks are equal texts.

/// Sorted, without repeats.
pub fn normalise(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

/// True when every required name is among the offered ones.
pub fn covers(offered: &[String], required: &[String]) -> bool {
    required.iter().all(|name| offered.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// F-17
    #[test]
    fn all_that_is_required_must_be_offered() {
        assert!(covers(&names("git testing python"), &names("python git")));
        assert!(covers(&names("git"), &[]));
        assert!(!covers(&names("git"), &names("git gpu")));
        assert_eq!(normalise(names("b a b")), names("a b"));
    }
}
