//! HTTP messages, error codes and roles: what clients and the server agree on.
