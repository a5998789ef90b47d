//! The servers that this user runs on this machine, and the private way to each.
//!
//! A server of `up` or `serve` listens on a Unix socket beside its port, and leaves a record there:
//! which address it has, and in which file its admin key is. In: an address. Out: that server's record.
//!
//! Invariant: socket and record are in a folder that only this user can enter. The port of a server
//! that died can be taken by any program on the machine; its place in this folder cannot. So a key
//! from a file is sent through the socket, and never to a port.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;

use crate::{plain_file, user_folders};

const FOLDER: &str = "servers";
const LARGEST_RECORD: u64 = 64 * 1024;

/// The record of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LocalServer {
    pub(crate) socket: PathBuf,
    /// None: no key of this server is kept on this machine.
    pub(crate) key_file: Option<PathBuf>,
}

/// Holds the socket of a server that runs.
#[derive(Debug)]
pub(crate) struct Registration {
    /// Removed with this value.
    files: Vec<PathBuf>,
}

/// Takes a socket for the server at `url`, and registers it. `data` is the folder of its database:
/// whoever has that folder finds the server whatever their home is. The record stays when the server
/// ends, so a command that waits for its next start waits for this server and for no other. Without
/// a folder that lasts, the record goes, too.
///
/// None if no folder takes a socket. The server works without, for callers who name their key.
pub(crate) fn register(
    url: &str,
    data: Option<&Path>,
    key_file: Option<PathBuf>,
) -> Option<(UnixListener, Registration)> {
    let folders: Vec<PathBuf> = folders(data).into_iter().filter(|one| make(one)).collect();
    let name = name_of(url);
    let taken = folders.iter().find_map(|folder| listen(folder, &name));
    let Some((listener, socket)) = taken.or_else(|| listen_in_runtime_folder(&name)) else {
        tracing::warn!("no folder takes the server's socket, so commands need WORKMILL_TOKEN");
        return None;
    };
    let mut files = vec![socket.clone()];
    let key_file = key_file.and_then(|file| std::path::absolute(file).ok());
    let record = LocalServer { socket, key_file };
    for folder in folders {
        remove_obsolete(&folder, &record);
        let path = folder.join(format!("{name}.json"));
        if let Err(error) = write(&path, &record) {
            tracing::debug!(%error, path = %path.display(), "not registered");
        }
        if data.is_none() {
            files.push(path);
        }
    }
    Some((listener, Registration { files }))
}

/// The server at this address: one that answers, or else one that has ended.
pub(crate) fn find(url: &str, data: &Path) -> Option<LocalServer> {
    let records = names_of(url).into_iter().flat_map(|name| {
        let folders = folders(Some(data))
            .into_iter()
            .filter(|one| is_private(one));
        folders.filter_map(move |folder| read(&folder.join(format!("{name}.json"))))
    });
    // A record outlives its server, and its socket's folder may be cleared away meanwhile: this user
    // makes it again before anybody else can.
    let records = records.filter(|one| one.socket.parent().is_some_and(make));
    let mut records: Vec<LocalServer> = records.collect();
    // Mostly one and the same, kept twice.
    records.dedup();
    if records.len() > 1 {
        records.sort_by_key(|one| !one.answers());
    }
    records.into_iter().next()
}

impl LocalServer {
    fn answers(&self) -> bool {
        UnixStream::connect(&self.socket).is_ok()
    }

    /// Whether a server that has gone had the same key at another address, or a key that is gone.
    fn gives_way_to(&self, other: &LocalServer) -> bool {
        let has_key = self.key_file.as_ref().is_some_and(|file| file.exists());
        (self.key_file == other.key_file || !has_key) && !self.answers()
    }
}

fn remove_obsolete(folder: &Path, new: &LocalServer) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if read(&path).is_some_and(|old| old.gives_way_to(new)) {
            // What stays is a record that leads nowhere.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn folders(data: Option<&Path>) -> Vec<PathBuf> {
    // Records name the socket to callers in other working folders.
    let data = data.and_then(|folder| std::path::absolute(folder.join(FOLDER)).ok());
    let of_user = user_folders::state().join(FOLDER);
    data.into_iter().chain([of_user]).collect()
}

/// Host and port, as a file name.
fn name_of(url: &str) -> String {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    place
        .trim_end_matches('/')
        .replace('/', "_")
        .to_ascii_lowercase()
}

/// The names under which a server may be registered that is called like this.
fn names_of(url: &str) -> Vec<String> {
    let name = name_of(url);
    match name.strip_prefix("localhost") {
        Some(port) => vec![format!("127.0.0.1{port}"), format!("[::1]{port}")],
        None => vec![name],
    }
}

fn make(folder: &Path) -> bool {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.is_ok() && is_private(folder)
}

/// A folder of this user that nobody else can enter.
fn is_private(folder: &Path) -> bool {
    folder.symlink_metadata().is_ok_and(|found| {
        found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o777 == 0o700
    })
}

fn listen(folder: &Path, name: &str) -> Option<(UnixListener, PathBuf)> {
    let socket = folder.join(format!("{name}.sock"));
    // Left by a server that was killed: the port is ours now, and so is this.
    let _ = std::fs::remove_file(&socket);
    match UnixListener::bind(&socket) {
        Ok(listener) => Some((listener, socket)),
        Err(error) => {
            tracing::debug!(%error, socket = %socket.display(), "no socket there");
            None
        }
    }
}

/// For when the names of all folders are too long for a socket. Not in `/tmp`: when that is cleared,
/// another user could make the folder and the socket before a client of this user calls again.
fn listen_in_runtime_folder(name: &str) -> Option<(UnixListener, PathBuf)> {
    let folder = user_folders::runtime()?.join(FOLDER);
    if make(&folder) {
        listen(&folder, name)
    } else {
        None
    }
}

fn write(path: &Path, record: &LocalServer) -> std::io::Result<()> {
    // In place with one step: a reader sees all of it or what was there before.
    let waiting = path.with_extension("new");
    plain_file::write(&waiting, &serde_json::to_string(record)?)?;
    std::fs::rename(waiting, path)
}

fn read(path: &Path) -> Option<LocalServer> {
    let text = plain_file::read(path, LARGEST_RECORD).ok()??;
    serde_json::from_str(&text).ok()
}

impl Drop for Registration {
    fn drop(&mut self) {
        for file in &self.files {
            // What stays is a socket that nobody answers.
            let _ = std::fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_server_has_the_same_name_however_its_address_is_written() {
        for url in ["http://127.0.0.1:7070", "https://127.0.0.1:7070/"] {
            assert_eq!(names_of(url), ["127.0.0.1:7070"]);
        }
        let local = ["127.0.0.1:7", "[::1]:7"];
        assert_eq!(names_of("http://localhost:7"), local);
        assert_eq!(names_of("http://LOCALHOST:7"), local);
        assert_eq!(names_of("http://h/../x"), ["h_.._x"]);
    }

    #[test]
    fn a_record_in_a_folder_that_others_can_enter_is_not_believed() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        assert!(make(&folder));
        let record = LocalServer {
            socket: folder.join("s"),
            key_file: None,
        };
        write(&folder.join("h:1.json"), &record).unwrap();
        assert_eq!(find("http://h:1", data.path()), Some(record));
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o711)).unwrap();
        assert_eq!(find("http://h:1", data.path()), None);
    }

    #[test]
    fn a_socket_in_a_folder_that_others_can_enter_is_not_called() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        assert!(make(&folder));
        let sockets = data.path().join("sockets");
        let record = LocalServer {
            socket: sockets.join("s"),
            key_file: None,
        };
        write(&folder.join("h:1.json"), &record).unwrap();
        assert_eq!(find("http://h:1", data.path()), Some(record));
        assert!(is_private(&sockets), "it is made again for this user alone");
        std::fs::set_permissions(&sockets, PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(find("http://h:1", data.path()), None);
    }
}
