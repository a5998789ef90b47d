//! The only crate that knows PostgreSQL: schema, statements and transactions.
