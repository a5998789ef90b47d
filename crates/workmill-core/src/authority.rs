//! How far the holder of a key is trusted with what others have made.

/// What a caller may refer to and decide, whatever it may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Authority {
    /// Refers to the outputs of what it has submitted.
    Producer,
    /// Refers to what its claims hand it, and spawns within bounds.
    Agent,
    /// Refers to everything in its namespace, spawns without bounds, and names the creator of what it
    /// submits for others.
    Orchestrator,
}

/// Who may be named as the creator of a task: `human:adam`, `cron:nightly`, `agent:planner`.
pub const CREATORS: [&str; 3] = ["agent", "human", "cron"];

/// Whether a text names a creator.
pub fn names_a_creator(text: &str) -> bool {
    let Some((kind, name)) = text.split_once(':') else {
        return false;
    };
    CREATORS.contains(&kind) && !name.trim().is_empty() && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::names_a_creator;

    #[test]
    fn a_creator_has_a_kind_and_a_name() {
        for good in ["human:adam", "cron:nightly audit", "agent:a:b"] {
            assert!(names_a_creator(good), "{good}");
        }
        for bad in ["adam", "human:", "human: ", "inbox:x", "human:a\nb", ":x"] {
            assert!(!names_a_creator(bad), "{bad}");
        }
    }
}
