//! How often each kind of answer came up.

/// What came up, so that a test that sees nothing does not pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    pub claimed: usize,
    /// Explanations, by what they say of the agent that claims next.
    pub claimable: usize,
    pub blocked: usize,
    pub outranked: usize,
    pub at_gates: usize,
    /// Kept from the agent by nothing but its failure.
    pub kept: usize,
}

impl Seen {
    pub fn and(self, other: Seen) -> Seen {
        Seen {
            claimed: self.claimed + other.claimed,
            claimable: self.claimable + other.claimable,
            blocked: self.blocked + other.blocked,
            outranked: self.outranked + other.outranked,
            at_gates: self.at_gates + other.at_gates,
            kept: self.kept + other.kept,
        }
    }
}
