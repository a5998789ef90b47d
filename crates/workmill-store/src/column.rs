//! Turns rows in memory into the columns that a statement takes as arrays.

/// Returns one value of each row, in the order of the rows.
pub(crate) fn column<'a, R, T>(rows: &'a [R], value: impl Fn(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
