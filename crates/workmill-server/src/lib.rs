//! The HTTP API over the engine.
