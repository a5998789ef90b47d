//! In: this machine. Out: how many megabytes of memory PostgreSQL may plan with.
//!
//! Invariant: always an answer; an unknown machine counts as a small one.

use std::path::Path;
use std::process::Command;

const WHEN_UNKNOWN: u64 = 1024;

pub(crate) fn megabytes() -> u64 {
    let machine = if cfg!(target_os = "linux") {
        memory_total_of_proc()
    } else {
        memory_total_of_sysctl()
    };
    let container = limit_of_control_group(Path::new("/sys/fs/cgroup/memory.max"));
    [machine, container]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(WHEN_UNKNOWN)
}

fn memory_total_of_proc() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

fn memory_total_of_sysctl() -> Option<u64> {
    let output = Command::new("sysctl")
        .args(["-n", "hw.memsize"])
        .output()
        .ok()?;
    let bytes: u64 = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .ok()?;
    Some(bytes / 1024 / 1024)
}

/// `max` (no limit) does not parse and so does not count.
fn limit_of_control_group(file: &Path) -> Option<u64> {
    let bytes: u64 = std::fs::read_to_string(file).ok()?.trim().parse().ok()?;
    Some(bytes / 1024 / 1024)
}
