//! Nobody waits for ever.
