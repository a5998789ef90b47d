//! Writes what is generated and committed, and tells whether it is in step: [`queries`] for the
//! SQL statements, [`docs`] for pages that are drawn from the code.

#[cfg(feature = "docs")]
pub mod docs;
pub mod generated;
pub mod queries;
