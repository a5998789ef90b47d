//! Turns rows in memory into the columns that a statement takes as arrays.

/// Returns one value of each row, in the order of the rows.
pub(crate) fn column<'a, R: 'a, T>(
    rows: impl IntoIterator<Item = &'a R>,
    value: impl Fn(&'a R) -> T,
) -> Vec<T> {
    rows.into_iter().map(value).collect()
}
