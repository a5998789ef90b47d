//! The integration tests of this crate, and the rules that hold for the workspace as a whole.

mod layering;
