//! In: nothing. Out: folders, queries, fake programs and a look at processes, for the tests.
//!
//! Invariant: when a test ends, no process of its folder is left.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, geteuid};
use tempfile::TempDir;
use workmill_local_postgres::{Cluster, Owner, SearchPlaces, Settings};

/// A temporary folder that the unprivileged user can reach when the tests run as root.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let folder = tempfile::Builder::new()
            .prefix("wm-test-")
            .tempdir_in("/tmp")
            .expect("a temporary folder");
        set_mode(folder.path(), 0o755);
        Place { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(crate) fn cluster_folder(&self) -> PathBuf {
        self.data().join("postgres")
    }

    pub(crate) fn owner(&self) -> Owner {
        Owner::take(&self.data(), "a test").expect("the folder is free")
    }

    /// The owner is let go at once: these tests use one folder from one thread.
    pub(crate) fn start(&self) -> Cluster {
        Cluster::start(&self.owner(), &Settings::for_tests()).expect("a running server")
    }

    pub(crate) fn start_error(&self, settings: &Settings) -> String {
        Cluster::start(&self.owner(), settings)
            .expect_err("this must not start")
            .to_string()
    }

    pub(crate) fn kill_9_everything(&self) {
        for pid in processes_below(self.path()) {
            kill_9(pid);
        }
        wait_until("every process is gone", || {
            processes_below(self.path()).is_empty()
        });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for pid in processes_below(self.path()) {
            kill_9(pid);
        }
    }
}

pub(crate) fn ask(cluster: &Cluster, statement: &str) -> String {
    let output = Command::new("psql")
        .args(["-X", "-A", "-t", "-q", "-c", statement, "-d"])
        .arg(cluster.url("workmill"))
        .output()
        .expect("psql runs");
    assert!(
        output.status.success(),
        "{statement}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

pub(crate) fn kill_9(pid: u32) {
    let pid = i32::try_from(pid).expect("a process id");
    let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
}

/// Processes whose working folder is this one or below it.
pub(crate) fn processes_below(folder: &Path) -> Vec<u32> {
    std::fs::read_dir("/proc")
        .expect("/proc")
        .filter_map(Result::ok)
        .filter(|entry| {
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
        })
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .collect()
}

pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "waited too long until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("chmod");
}

pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A script that everybody may run.
pub(crate) fn write_script(path: &Path, body: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("mkdir");
    std::fs::write(path, format!("#!/bin/sh\n{body}\n")).expect("a script");
    set_mode(path, 0o755);
}

/// Programs that only know their version; `initdb` says where it is and fails.
pub(crate) fn fake_programs(bin: &Path, version: &str) {
    for program in ["pg_ctl", "psql"] {
        write_script(&bin.join(program), "exit 1");
    }
    write_script(&bin.join("initdb"), "echo \"fake initdb $0\" >&2; exit 1");
    let answer = format!("echo 'postgres (PostgreSQL) {version}'");
    write_script(&bin.join("postgres"), &answer);
}

/// No place at all; tests add theirs.
pub(crate) fn looking_nowhere(place: &Place) -> Settings {
    Settings {
        search_places: SearchPlaces {
            only: None,
            path: Vec::new(),
            installations: Vec::new(),
            download_cache: place.path().join("cache"),
        },
        ..Settings::for_tests()
    }
}

pub(crate) fn looking_only_at(bin: &Path, place: &Place) -> Settings {
    let mut settings = looking_nowhere(place);
    settings.search_places.only = Some(bin.to_path_buf());
    settings
}

/// The user the server runs as when the tests run as root, who has to hand things over.
pub(crate) fn server_user_of_root() -> Option<User> {
    let user = |name| User::from_name(name).ok().flatten();
    is_root().then(|| {
        user("postgres")
            .or_else(|| user("nobody"))
            .expect("postgres or nobody")
    })
}

/// A cluster folder that holds one file, owned by the server's user as a real one is.
pub(crate) fn fake_cluster(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir(folder).expect("mkdir");
    std::fs::write(folder.join(name), text).expect("a file");
    if let Some(user) = server_user_of_root() {
        std::os::unix::fs::chown(folder, Some(user.uid.as_raw()), None).expect("chown");
    }
}
