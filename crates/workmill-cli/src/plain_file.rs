//! Files in folders that another person may have filled.
//!
//! In: a path. Out: the text of a plain file of bounded size, or a change to one. Invariant: a symbolic
//! link is never followed, and nothing is read that blocks (a FIFO) or never ends (a device).

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::OFlag;

/// Reads a file; `None` if there is none.
pub(crate) fn read(path: &Path, most: u64) -> Result<Option<String>> {
    let file = match open(path, OpenOptions::new().read(true)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut text = String::new();
    let read = file.take(most + 1).read_to_string(&mut text)?;
    if read as u64 > most {
        return Err(refused(&format!("it is larger than {most} bytes")));
    }
    Ok(Some(text))
}

/// Writes a file, over what it holds if it exists.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let mut file = open(path, OpenOptions::new().write(true).create(true))?;
    // Only now: what is no plain file stays as it is.
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    // Opening a FIFO for reading would otherwise wait for its writer.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let opened = options.custom_flags(flags.bits()).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(code) if code == Errno::ELOOP as i32 => {
            refused("it is a symbolic link, and only a plain file is used here")
        }
        _ => error,
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refused("it is not a plain file"))
    }
}

fn refused(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, problem)
}

#[cfg(test)]
mod tests {
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    #[test]
    fn only_a_plain_file_of_bounded_size_is_read_or_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert_eq!(read(&path("none"), 10).unwrap(), None);
        write(&path("plain"), "0123456789").unwrap();
        assert_eq!(read(&path("plain"), 10).unwrap().unwrap(), "0123456789");
        write(&path("plain"), "shorter").unwrap();
        assert_eq!(read(&path("plain"), 10).unwrap().unwrap(), "shorter");
        let problem = read(&path("plain"), 6).unwrap_err();
        assert!(problem.to_string().contains("larger than 6 bytes"));

        mkfifo(&path("fifo"), Mode::S_IRWXU).unwrap();
        std::os::unix::fs::symlink(path("plain"), path("link")).unwrap();
        std::os::unix::fs::symlink(path("absent"), path("dangling")).unwrap();
        for name in ["fifo", "link", "dangling", "."] {
            assert!(read(&path(name), 10).is_err(), "{name}");
            assert!(write(&path(name), "x").is_err(), "{name}");
        }
        assert!(read(Path::new("/dev/zero"), 10).is_err());
        assert!(!path("absent").exists());
        assert_eq!(read(&path("plain"), 10).unwrap().unwrap(), "shorter");
    }
}
