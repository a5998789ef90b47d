//! Which variables of this program's environment a command inherits.
//!
//! In: the name of a variable. Out: whether it is withheld. Keys, and the ways into databases, belong to
//! whoever runs the agent: the agent's key is worth more than one task, a database more than all of them.

use std::ffi::OsStr;

/// All of Workmill's own, what names a database, and what libpq and PostgreSQL's container read:
/// `PGPASSWORD`, `PGSERVICE` and `PGPASSFILE` lead to a password, the others to the database.
const WITHHELD_PREFIXES: [&str; 3] = ["WORKMILL_", "PG", "POSTGRES"];

/// The same for one of several databases, and as a URI: `TEST_DATABASE_URL`, `DATABASE_URL_PROD`,
/// `DATABASE_URI`.
const DATABASE_URL: &str = "DATABASE_UR";

pub(super) fn is_withheld(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    name.contains(DATABASE_URL)
        || WITHHELD_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_ways_into_databases_are_withheld_and_the_rest_is_inherited() {
        for name in [
            "WORKMILL_TOKEN",
            "WORKMILL_DATABASE_URL",
            "DATABASE_URL",
            "TEST_DATABASE_URL",
            "DATABASE_URL_PROD",
            "SQLALCHEMY_DATABASE_URI",
            "database_url",
            "PGPASSWORD",
            "PGPASSFILE",
            "PGSERVICEFILE",
            "PGHOST",
            "POSTGRES_PASSWORD",
            "POSTGRESQL_URL",
        ] {
            assert!(is_withheld(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "HOME", "ANTHROPIC_API_KEY", "PAGER", "GPG_TTY"] {
            assert!(!is_withheld(OsStr::new(name)), "{name}");
        }
    }
}
