//! Typed Rust for the store's SQL statements; generated, never edited by hand.
