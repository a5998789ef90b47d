//! In: what the caller wants of the server. Out: the one description [`Cluster::start`] works from.
//!
//! Invariant: the defaults are safe; only tests give up durability, and they say so.
//!
//! [`Cluster::start`]: crate::Cluster::start

use crate::search_places::SearchPlaces;

/// How the private server is run. The folder is not here: it comes with its [`Owner`](crate::Owner).
#[derive(Clone, Debug)]
pub struct Settings {
    /// `false` only for tests: a crash of the machine may then lose or corrupt the data.
    pub durable: bool,
    /// Connections the server accepts.
    pub max_connections: u32,
    /// Where the PostgreSQL programs are looked for.
    pub search_places: SearchPlaces,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            durable: true,
            max_connections: 200,
            search_places: SearchPlaces::of_this_machine(),
        }
    }
}

impl Settings {
    /// For tests: fast, and worthless after a crash of the machine.
    pub fn for_tests() -> Settings {
        Settings {
            durable: false,
            ..Settings::default()
        }
    }
}
