//! The data folder: private, and with room on its disk.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use nix::sys::statvfs::statvfs;

use super::finding::Finding;

const LITTLE: u64 = 1024 * MEBIBYTE;
const TOO_LITTLE: u64 = 100 * MEBIBYTE;
const MEBIBYTE: u64 = 1024 * 1024;

pub(super) fn examine(folder: &Path, findings: &mut Vec<Finding>) {
    findings.push(permissions(folder));
    // Before the first start, what counts is the disk it will be made on.
    if let Some(existing) = folder.ancestors().find(|ancestor| ancestor.exists()) {
        findings.push(disk(existing));
    }
}

fn permissions(folder: &Path) -> Finding {
    const CHECK: &str = "data folder";
    let name = folder.display();
    match folder.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Finding::ok(CHECK, format!("{name} is made by the first `workmill up`"))
        }
        Err(error) => Finding::problem(
            CHECK,
            format!("{name} cannot be looked at: {error}"),
            "run this as the user who runs `workmill up`, or name the folder with WORKMILL_DATA",
        ),
        Ok(found) if !found.is_dir() => Finding::problem(
            CHECK,
            format!("{name} is not a folder"),
            "name another one with WORKMILL_DATA",
        ),
        Ok(found) if found.permissions().mode() & 0o077 != 0 => Finding::problem(
            CHECK,
            format!(
                "{name} is open to others (mode {:o})",
                found.permissions().mode() & 0o777
            ),
            format!("chmod 700 {name}"),
        ),
        Ok(_) => Finding::ok(CHECK, format!("{name} is private")),
    }
}

fn disk(folder: &Path) -> Finding {
    const CHECK: &str = "disk";
    let name = folder.display();
    let free = match statvfs(folder) {
        Ok(disk) => disk.blocks_available().saturating_mul(disk.fragment_size()),
        Err(error) => {
            return Finding::warning(
                CHECK,
                format!("the free space at {name} is not known: {error}"),
                "look at it with `df`",
            );
        }
    };
    let found = format!("{} MiB free at {name}", free / MEBIBYTE);
    let advice = "free some space, or move the data folder to a larger disk";
    match free {
        ..TOO_LITTLE => Finding::problem(CHECK, found, advice),
        TOO_LITTLE..LITTLE => Finding::warning(CHECK, found, advice),
        LITTLE.. => Finding::ok(CHECK, found),
    }
}
