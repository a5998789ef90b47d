//! In: a freshly extracted folder of programs. Out: `<cache>/<version>`, whole.
//!
//! Invariant: a version appears in the cache by one rename, after its programs have answered; what an
//! interrupted download left has a name of its own, is never used and is swept by the next download.

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::bin_folder::BinFolder;
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

const PARTIAL: &str = ".partial";

/// One download at a time; held by the process that downloads.
pub(crate) struct DownloadCache {
    folder: PathBuf,
    _lock: File,
}

impl DownloadCache {
    /// Waits for another process that is downloading, then sweeps what a killed one left.
    pub(crate) fn open(folder: &Path) -> Result<DownloadCache> {
        let lock_file = folder.join(".lock");
        std::fs::create_dir_all(folder)
            .map_err(|cause| LocalPostgresError::file("create the folder", folder, cause))?;
        let lock = File::create(&lock_file)
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|cause| LocalPostgresError::file("lock", &lock_file, cause))?;
        let cache = DownloadCache {
            folder: folder.to_path_buf(),
            _lock: lock,
        };
        cache.sweep()?;
        Ok(cache)
    }

    /// A folder for the extraction; it does not exist yet.
    pub(crate) fn partial(&self) -> PathBuf {
        self.folder.join(PARTIAL).join("extracted")
    }

    /// Moves the extracted programs to their place once they have answered with their version.
    pub(crate) fn keep_when_whole(
        &self,
        version: &str,
        user: &ServerUser,
        standing_in: &Path,
    ) -> Result<BinFolder, String> {
        let partial = self.partial();
        let text = |error: std::io::Error| error.to_string();
        // The server's user is not always the one who downloads, and the extraction is private.
        for folder in [&self.folder, &self.folder.join(PARTIAL), &partial] {
            std::fs::set_permissions(folder, Permissions::from_mode(0o755)).map_err(text)?;
        }
        let found = BinFolder::look_at(&partial.join("bin"), user, standing_in)
            .map_err(|problem| format!("the archive is not usable: {problem}"))?;
        let place = self.folder.join(version);
        // Only an unusable folder can be in the way: a usable one would not have been downloaded.
        if place.exists() {
            std::fs::remove_dir_all(&place).map_err(text)?;
        }
        std::fs::rename(&partial, &place).map_err(text)?;
        Ok(BinFolder {
            folder: place.join("bin"),
            ..found
        })
    }

    fn sweep(&self) -> Result<()> {
        let partial = self.folder.join(PARTIAL);
        match std::fs::remove_dir_all(&partial) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(LocalPostgresError::file("remove", &partial, error))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extract_fake(cache: &DownloadCache, programs: &[&str]) {
        let bin = cache.partial().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        for program in programs {
            let path = bin.join(program);
            std::fs::write(&path, "#!/bin/sh\necho 'postgres (PostgreSQL) 18.1'\n").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Under `/tmp` and open to all, so that the test also passes as root.
    fn open_folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn a_whole_download_is_found_by_the_next_search() {
        let folder = open_folder();
        let user = ServerUser::of_this_process().unwrap();
        let cache = DownloadCache::open(folder.path()).unwrap();
        extract_fake(&cache, &["initdb", "pg_ctl", "postgres", "psql"]);
        let kept = cache
            .keep_when_whole("18.1.0", &user, folder.path())
            .unwrap();
        assert_eq!(kept.folder, folder.path().join("18.1.0/bin"));
        assert_eq!(kept.version.major, 18);
        let seen = crate::search_places::version_folders_below(folder.path());
        assert_eq!(seen, [kept.folder]);
    }

    #[test]
    fn a_download_that_is_not_whole_never_enters_the_cache() {
        let folder = open_folder();
        let user = ServerUser::of_this_process().unwrap();
        let cache = DownloadCache::open(folder.path()).unwrap();
        extract_fake(&cache, &["initdb", "pg_ctl", "postgres"]);
        let problem = cache
            .keep_when_whole("18.1.0", &user, folder.path())
            .unwrap_err();
        assert!(problem.contains("psql"), "{problem}");
        assert!(crate::search_places::version_folders_below(folder.path()).is_empty());
        drop(cache);
        let next = DownloadCache::open(folder.path()).unwrap();
        assert!(!next.partial().exists(), "the next download sweeps");
    }
}
