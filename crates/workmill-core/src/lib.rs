//! The rules of the queue as pure functions: no I/O, no clock, no database.
