//! Chance that can be repeated.

/// A sequence of numbers that follows from a seed; plain, so that each actor has its own.
#[derive(Debug, Clone)]
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    pub fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// A place in a row of so many; there is at least one.
    pub fn place(&mut self, of: usize) -> usize {
        let limit = u64::try_from(of).expect("less than 64 bits");
        usize::try_from(self.below(limit)).expect("below a usize")
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.place(of.len())])
    }
}
