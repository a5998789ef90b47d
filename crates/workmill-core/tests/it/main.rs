//! Rules of the core, held against the tables that they were made from.

mod hub_transitions;
