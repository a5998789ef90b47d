//! In: [`SearchPlaces`] and the major version the data needs, if there is data. Out: one
//! [`BinFolder`] that fits.
//!
//! Invariant: the first place that has a fitting version wins, with its newest one; existing data
//! is only ever given to its own major version.

use std::path::{Path, PathBuf};

use crate::bin_folder::{BinFolder, OLDEST_MAJOR};
use crate::cluster_folder::DataVersion;
use crate::program::Program;
use crate::search_places::{SearchPlaces, version_folders_below};
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

pub(crate) struct ProgramSearch<'a> {
    pub(crate) places: &'a SearchPlaces,
    pub(crate) user: &'a ServerUser,
    /// A folder the user may stand in while a program is asked for its version.
    pub(crate) standing_in: &'a Path,
    /// The cluster that is there already.
    pub(crate) existing: Option<&'a DataVersion>,
}

impl ProgramSearch<'_> {
    pub(crate) fn find(&self) -> Result<BinFolder> {
        if let Some(folder) = &self.places.only {
            return self.look_only_at(folder);
        }
        let mut unfit = Vec::new();
        for place in [
            self.pg_config_bin_folders(),
            self.places.path.clone(),
            self.installed_side_by_side(),
            version_folders_below(&self.places.download_cache),
        ] {
            let (mut fitting, rest): (Vec<_>, Vec<_>) = self
                .look_at_all(&place)
                .into_iter()
                .partition(|found| self.fits(found));
            fitting.sort_by(|one, other| one.version.cmp(&other.version));
            if let Some(newest) = fitting.pop() {
                return Ok(newest);
            }
            unfit.extend(rest);
        }
        self.download_or_explain(&unfit)
    }

    fn look_only_at(&self, folder: &Path) -> Result<BinFolder> {
        let unusable = |problem| LocalPostgresError::ExplicitBinFolder {
            folder: folder.to_path_buf(),
            problem,
        };
        let found = BinFolder::look_at(folder, self.user, self.standing_in).map_err(unusable)?;
        if found.version.major < OLDEST_MAJOR {
            return Err(unusable(format!("that is PostgreSQL {}", found.version)));
        }
        if self.fits(&found) {
            Ok(found)
        } else {
            Err(self.unfit_only(&[found]))
        }
    }

    fn fits(&self, found: &BinFolder) -> bool {
        found.version.major >= OLDEST_MAJOR
            && self
                .existing
                .is_none_or(|data| data.major == found.version.major)
    }

    fn pg_config_bin_folders(&self) -> Vec<PathBuf> {
        let programs = self
            .places
            .path
            .iter()
            .map(|folder| folder.join("pg_config"));
        programs
            .filter(|program| program.is_file())
            .filter_map(|program| {
                Program::new(program, self.user, self.standing_in)
                    .arg("--bindir")
                    .run()
                    .ok()
            })
            .map(|answer| PathBuf::from(String::from_utf8_lossy(&answer).trim()))
            // The first one on the PATH is the one a person would have run.
            .take(1)
            .collect()
    }

    fn installed_side_by_side(&self) -> Vec<PathBuf> {
        let parents = self.places.installations.iter();
        parents
            .flat_map(|parent| version_folders_below(parent))
            .collect()
    }

    fn look_at_all(&self, folders: &[PathBuf]) -> Vec<BinFolder> {
        folders
            .iter()
            .filter_map(|folder| BinFolder::look_at(folder, self.user, self.standing_in).ok())
            .collect()
    }

    #[cfg(feature = "download")]
    fn download_or_explain(&self, unfit: &[BinFolder]) -> Result<BinFolder> {
        let not_found = self.unfit_only(unfit);
        let major = self.existing.map(|data| data.major);
        if major.is_some_and(|major| major < OLDEST_MAJOR) {
            return Err(not_found);
        }
        let cache = &self.places.download_cache;
        crate::download::into_cache(cache, major, self.user, self.standing_in, not_found)
    }

    #[cfg(not(feature = "download"))]
    fn download_or_explain(&self, unfit: &[BinFolder]) -> Result<BinFolder> {
        Err(self.unfit_only(unfit))
    }

    fn unfit_only(&self, unfit: &[BinFolder]) -> LocalPostgresError {
        let found: Vec<String> = unfit
            .iter()
            .map(|one| format!("PostgreSQL {} in {}", one.version, one.folder.display()))
            .collect();
        let found = found.join(" and ");
        if let Some(data) = self.existing {
            return LocalPostgresError::OtherMajorVersion {
                cluster: data.cluster.clone(),
                data_major: data.text.clone(),
                found: if found.is_empty() {
                    "no PostgreSQL at all".to_owned()
                } else {
                    found
                },
            };
        }
        LocalPostgresError::NoPostgres {
            looked_at: self.places.described(),
            too_old: if found.is_empty() {
                String::new()
            } else {
                format!("; found only {found}, which is too old")
            },
        }
    }
}
