//! The private PostgreSQL cluster behind the embedded default.
