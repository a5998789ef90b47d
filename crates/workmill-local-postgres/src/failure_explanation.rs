//! In: an `io::Error`, or the text a PostgreSQL program printed. Out: which of the few reasons that
//! have a known fix it is.
//!
//! Invariant: programs run with `LC_ALL=C`, so the English texts of strerror are what they print.

use std::io::{Error, ErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    DiskFull,
    ReadOnly,
    NoPermission,
    Other,
}

pub(crate) fn reason_of_io_error(error: &Error) -> Reason {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Reason::DiskFull,
        ErrorKind::ReadOnlyFilesystem => Reason::ReadOnly,
        ErrorKind::PermissionDenied => Reason::NoPermission,
        _ => Reason::Other,
    }
}

pub(crate) fn reason_of_text(text: &str) -> Reason {
    if text.contains("No space left on device") || text.contains("Disk quota exceeded") {
        Reason::DiskFull
    } else if text.contains("Read-only file system") {
        Reason::ReadOnly
    } else if text.contains("Permission denied") {
        Reason::NoPermission
    } else {
        Reason::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_reasons_with_a_fix_are_recognised_in_what_initdb_prints() {
        let full = "initdb: error: could not create directory \"x\": No space left on device";
        let read_only = "could not create lock file \"postmaster.pid\": Read-only file system";
        let denied = "initdb: error: could not access directory \"x\": Permission denied";
        assert_eq!(reason_of_text(full), Reason::DiskFull);
        assert_eq!(reason_of_text(read_only), Reason::ReadOnly);
        assert_eq!(reason_of_text(denied), Reason::NoPermission);
        assert_eq!(reason_of_text("something else"), Reason::Other);
    }

    #[test]
    fn a_full_disk_is_recognised_in_an_io_error() {
        let enospc = Error::from_raw_os_error(28);
        assert_eq!(reason_of_io_error(&enospc), Reason::DiskFull);
    }
}
