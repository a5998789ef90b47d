//! What survives which death.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use workmill_local_postgres::{Cluster, Settings};

use crate::helper_processes;
use crate::support::{Place, ask, kill_9, server_user_of_root, wait_until};

#[test]
fn a_running_server_of_this_folder_is_adopted() {
    let place = Place::new();
    let (mut owner, pid) = helper_processes::spawn("run_a_cluster", &place.data());
    owner.kill().unwrap();
    owner.wait().unwrap();
    let cluster = place.start();
    assert_eq!(cluster.postmaster_pid().unwrap().to_string(), pid);
    assert_eq!(ask(&cluster, "SELECT 1"), "1");
}

#[test]
fn an_adopted_server_becomes_durable_if_its_new_owner_wants_that() {
    let place = Place::new();
    let first = place.start();
    assert_eq!(ask(&first, "SHOW fsync"), "off");
    let second = Cluster::start(&place.owner(), &Settings::default()).unwrap();
    assert_eq!(second.postmaster_pid(), first.postmaster_pid());
    wait_until("the server has read its settings", || {
        ask(&second, "SHOW fsync") == "on"
    });
}

#[test]
fn data_survives_kill_9_of_every_process() {
    let place = Place::new();
    let cluster = Cluster::start(&place.owner(), &Settings::default()).unwrap();
    ask(
        &cluster,
        "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS number",
    );
    place.kill_9_everything();
    assert!(!cluster.is_running());
    let cluster = Cluster::start(&place.owner(), &Settings::default()).unwrap();
    assert_eq!(ask(&cluster, "SELECT count(*) FROM kept"), "1000");
}

#[test]
fn orphans_of_a_killed_postmaster_are_waited_for() {
    let place = Place::new();
    let cluster = place.start();
    // A busy loop does not notice that the postmaster is gone until it is through.
    let busy = "DO $$ BEGIN \
                RAISE NOTICE 'busy'; \
                WHILE clock_timestamp() < now() + interval '2 seconds' LOOP END LOOP; END $$";
    let mut client = Command::new("psql")
        .args(["-X", "-q", "-c", busy, "-d", &cluster.url("workmill")])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the statement runs", || {
        let running =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'";
        ask(&cluster, running) == "1"
    });
    kill_9(cluster.postmaster_pid().unwrap());
    wait_until("the postmaster is gone", || !cluster.is_running());
    let restarted = place.start();
    assert_eq!(ask(&restarted, "SELECT 1"), "1");
    let log = std::fs::read_to_string(restarted.log_file()).unwrap();
    assert!(
        log.contains("pre-existing shared memory block"),
        "the orphan was in the way: {log}"
    );
    client.wait().unwrap();
}

#[test]
fn a_dead_server_is_started_again_at_the_same_address() {
    let place = Place::new();
    let cluster = place.start();
    assert!(!cluster.restart_if_dead().unwrap());
    let (url, pid) = (cluster.url("workmill"), cluster.postmaster_pid());
    place.kill_9_everything();
    assert!(cluster.restart_if_dead().unwrap());
    assert_ne!(cluster.postmaster_pid(), pid);
    assert_eq!(cluster.url("workmill"), url);
    assert_eq!(ask(&cluster, "SELECT 1"), "1");
}

#[test]
fn a_stopped_server_is_gone_and_starts_again_with_its_data() {
    let place = Place::new();
    let cluster = place.start();
    ask(&cluster, "CREATE TABLE kept (number int)");
    cluster.stop().unwrap();
    assert!(crate::support::processes_below(place.path()).is_empty());
    assert_eq!(ask(&place.start(), "SELECT count(*) FROM kept"), "0");
}

/// A program that has nothing to do with PostgreSQL but runs as the server's user, which is the
/// case in which PostgreSQL itself takes the process id for its own.
struct Bystander(Child);

impl Bystander {
    fn standing_in(folder: &Path) -> Bystander {
        let mut command = Command::new("sleep");
        command
            .arg("1000")
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(user) = server_user_of_root() {
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        Bystander(command.spawn().expect("sleep runs"))
    }

    /// Writes its process id into a `postmaster.pid` with the rest of another one.
    fn pose_as_server(&self, pid_file: &Path, rest_of: &Path) {
        let text = std::fs::read_to_string(rest_of).expect("a postmaster.pid");
        let (_, rest) = text.split_once('\n').expect("several lines");
        std::fs::write(pid_file, format!("{}\n{rest}", self.0.id())).expect("a forged file");
    }

    fn is_alive(&mut self) -> bool {
        self.0.try_wait().expect("a child").is_none()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_id_reused_by_another_program_is_no_server() {
    let place = Place::new();
    let cluster = place.start();
    place.kill_9_everything();
    let mut bystander = Bystander::standing_in(Path::new("/"));
    let pid_file = place.cluster_folder().join("postmaster.pid");
    bystander.pose_as_server(&pid_file, &pid_file);
    assert!(!cluster.is_running());
    assert_eq!(ask(&place.start(), "SELECT 1"), "1");
    assert!(bystander.is_alive(), "it was left alone");
}

#[test]
fn a_live_foreign_server_is_never_touched() {
    let (theirs, ours) = (Place::new(), Place::new());
    let foreign = theirs.start();
    let foreign_pid = foreign.postmaster_pid();
    ours.start().stop().unwrap();
    // Our folder claims that the foreign server is its own, as a copied folder would.
    let claim = theirs.cluster_folder().join("postmaster.pid");
    let forged = ours.cluster_folder().join("postmaster.pid");
    std::fs::copy(&claim, &forged).unwrap();
    let cluster = ours.start();
    assert_ne!(cluster.postmaster_pid(), foreign_pid);
    cluster.stop().unwrap();
    assert_eq!(foreign.postmaster_pid(), foreign_pid);
    assert_eq!(ask(&foreign, "SELECT 1"), "1");

    // Now a live process even stands where our server would; only the server's own word tells.
    let mut impostor = Bystander::standing_in(&ours.cluster_folder());
    impostor.pose_as_server(&forged, &claim);
    let message = ours.start_error(&Settings::for_tests());
    let named = format!("serves {}", theirs.cluster_folder().display());
    assert!(message.contains(&named), "{message}");
    assert_eq!(foreign.postmaster_pid(), foreign_pid);
    assert!(impostor.is_alive(), "it was left alone");
}

#[test]
fn ctrl_c_in_the_terminal_does_not_reach_the_server() {
    let place = Place::new();
    let cluster = place.start();
    let pid = cluster.postmaster_pid().unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let after_name = stat.rsplit_once(") ").unwrap().1;
    let session = after_name.split_whitespace().nth(3).unwrap();
    assert_eq!(session, pid.to_string(), "it leads a session of its own");
}
