//! Keys that `workmill up` makes once and keeps for its owner.
//!
//! In: a database and a name. Out: a key that this database knows, in a file that only the owner
//! can read. A file whose key the database does not know is replaced.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use workmill_core::ids::Namespace;
use workmill_server::keys;
use workmill_store::Store;
use workmill_store::access::CreateKey;

use crate::database_address::fingerprint;

/// The key that this program uses for everything.
pub(crate) const ADMIN: &str = "admin";

const ROLE: &str = "admin";
const LONGEST_KEY: u64 = 200;

/// The key file of a private cluster.
pub(crate) fn of_private(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.key"))
}

/// The key file of a database of one's own: a folder can hold several.
pub(crate) fn of_external(folder: &Path, database_url: &str, name: &str) -> PathBuf {
    folder.join(format!("{name}-{}.key", fingerprint(database_url)))
}

/// `None` when there is no file, it cannot be read, or it holds something else.
pub(crate) fn read(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path)
        .ok()?
        .take(LONGEST_KEY)
        .read_to_string(&mut text)
        .ok()?;
    let token = text.trim();
    keys::is_well_formed(token).then(|| token.to_owned())
}

/// The key in the file, if the database knows it; otherwise a new one.
pub(crate) async fn ensure(
    store: &Store,
    ns: Namespace,
    path: &Path,
    name: &str,
) -> Result<String> {
    if let Some(token) = read(path) {
        let known = store.find_key(&keys::hash(&token)).await?;
        if known.is_some_and(|key| key.ns == ns && key.role == ROLE && key.name == name) {
            return Ok(token);
        }
    }
    let token = keys::mint();
    // On disk before the database knows it, and in place only after: no crash leaves a file in
    // place with a key that nobody accepts, or a key in the database that nobody has.
    let waiting = write_beside(path, &token)?;
    store
        .run(&CreateKey {
            ns,
            name,
            role: ROLE,
            hash: &keys::hash(&token),
        })
        .await?;
    std::fs::rename(&waiting, path)
        .with_context(|| format!("cannot put the key file {} in place", path.display()))?;
    Ok(token)
}

fn write_beside(path: &Path, token: &str) -> Result<PathBuf> {
    let waiting = path.with_extension(format!("{}.new", std::process::id()));
    // What an earlier process of this number left; otherwise there is nothing to remove.
    let _ = std::fs::remove_file(&waiting);
    let write = || {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&waiting)?;
        file.write_all(format!("{token}\n").as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| format!("cannot write the key file {}", path.display()))?;
    Ok(waiting)
}
