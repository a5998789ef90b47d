//! In: [`Settings`], the endpoint and the machine's memory. Out: `workmill.conf` in the cluster
//! folder.
//!
//! Invariant: the file is rewritten at every start, so a newer Workmill changes it; `user.conf` in the
//! data folder is read last and never written, so the user has the last word.

use std::fmt::Write;
use std::path::Path;

use crate::endpoint::Endpoint;
use crate::server_user::ServerUser;
use crate::settings::Settings;
use crate::{LocalPostgresError, Result, machine_memory, server_file};

const OURS: &str = "workmill.conf";

/// Once, when the cluster is made: `postgresql.conf` of `initdb` ends with our file.
pub(crate) fn include_ours(cluster: &Path, user: &ServerUser) -> Result<()> {
    let path = cluster.join("postgresql.conf");
    let mut text = std::fs::read_to_string(&path)
        .map_err(|cause| LocalPostgresError::file("read", &path, cause))?;
    text.push_str(
        "\n# Workmill's settings, rewritten at every start; yours belong in user.conf.\n",
    );
    let _ = writeln!(text, "include '{OURS}'");
    server_file::replace(&path, &text, user)?;
    server_file::replace(&cluster.join(OURS), "", user)
}

pub(crate) fn write(
    cluster: &Path,
    settings: &Settings,
    endpoint: &Endpoint,
    user: &ServerUser,
) -> Result<()> {
    // Tests run many servers side by side.
    let memory = if settings.durable {
        machine_memory::megabytes()
    } else {
        0
    };
    let text = text(settings, endpoint, memory);
    server_file::replace(&cluster.join(OURS), &text, user)
}

fn text(settings: &Settings, endpoint: &Endpoint, memory: u64) -> String {
    let mut lines = endpoint.server_settings();
    lines.push(("max_connections", settings.max_connections.to_string()));
    lines.extend(memory_settings(memory));
    lines.extend(durability_settings(settings.durable));
    lines.extend([
        ("password_encryption", "scram-sha-256".to_owned()),
        ("timezone", "UTC".to_owned()),
        ("log_timezone", "UTC".to_owned()),
        ("log_line_prefix", "%m [%p] ".to_owned()),
        ("logging_collector", "off".to_owned()),
        // Short statements only: compiling them costs more than running them.
        ("jit", "off".to_owned()),
    ]);
    let mut text = "# Written by Workmill at every start; changes are lost.\n\
                    # Your own settings belong in user.conf in the data folder, which is read last.\n"
        .to_owned();
    for (name, value) in lines {
        // The server reads backslashes as escapes, as C does.
        let value = value.replace('\\', "\\\\").replace('\'', "''");
        let _ = writeln!(text, "{name} = '{value}'");
    }
    text.push_str("include_if_exists '../user.conf'\n");
    text
}

/// Modest, because Workmill shares the machine with the agents it feeds.
fn memory_settings(memory: u64) -> Vec<(&'static str, String)> {
    let megabytes = |number: u64| format!("{number}MB");
    vec![
        ("shared_buffers", megabytes((memory / 8).clamp(128, 2048))),
        ("effective_cache_size", megabytes((memory / 2).max(256))),
        (
            "maintenance_work_mem",
            megabytes((memory / 32).clamp(64, 512)),
        ),
        ("max_wal_size", "2GB".to_owned()),
        ("random_page_cost", "1.1".to_owned()),
    ]
}

fn durability_settings(durable: bool) -> Vec<(&'static str, String)> {
    let switch = if durable { "on" } else { "off" };
    ["fsync", "synchronous_commit", "full_page_writes"]
        .map(|name| (name, switch.to_owned()))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_within_its_bounds_on_tiny_and_huge_machines() {
        let shared_buffers = |memory| memory_settings(memory)[0].1.clone();
        assert_eq!(shared_buffers(256), "128MB");
        assert_eq!(shared_buffers(8192), "1024MB");
        assert_eq!(shared_buffers(1_000_000), "2048MB");
    }
}
