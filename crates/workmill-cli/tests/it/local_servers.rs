//! The key that `workmill up` keeps: it reaches the server that it belongs to, and no other program.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};

use crate::support::{Home, Running, assert_exit, data, stderr};

fn port_of(server: &Running) -> Result<u16> {
    let port = server.url.rsplit(':').next().context("a port")?;
    Ok(port.parse()?)
}

fn up(home: &Home, arguments: &[&str]) -> Result<Running> {
    Running::start(home.command(&[&["up"], arguments].concat()))
}

/// What is registered in the home of the user.
fn registered(home: &Home) -> PathBuf {
    home.path().join(".local/state/workmill/servers")
}

fn submitted(home: &Home, url: &str, title: &str) -> Result<()> {
    let output = home.run(&["--url", url, "submit", "--title", title])?;
    assert_exit(&output, 0);
    Ok(())
}

fn titles(home: &Home, url: &str) -> Result<String> {
    let output = home.run(&["--json", "--url", url, "list"])?;
    assert_exit(&output, 0);
    Ok(data(&output)?["items"].to_string())
}

#[test]
fn each_of_several_servers_on_one_machine_is_called_with_its_own_key() -> Result<()> {
    let home = Home::new()?;
    let second = home.path().join("second");
    let second = second.to_str().context("a plain path")?;
    let servers = [
        up(&home, &[])?,
        up(&home, &["--data", second])?,
        up(&home, &["--ephemeral"])?,
    ];
    for (place, server) in servers.iter().enumerate() {
        submitted(&home, &server.url, &format!("title-{place}"))?;
    }
    for (place, server) in servers.iter().enumerate() {
        let listed = titles(&home, &server.url)?;
        let found: Vec<usize> = (0..servers.len())
            .filter(|other| listed.contains(&format!("title-{other}")))
            .collect();
        assert_eq!(found, [place]);
        let by_name = server.url.replace("127.0.0.1", "localhost");
        assert_eq!(titles(&home, &by_name)?, listed);
    }
    // A user whose home is another one has the data folder, and so its server.
    let other_home = Home::new()?;
    let mut command = other_home.command(&["--url", &servers[0].url, "list"]);
    assert_exit(&command.env("WORKMILL_DATA", home.data()).output()?, 0);
    assert_exit(&other_home.run(&["--url", &servers[0].url, "list"])?, 4);

    for server in servers {
        assert_eq!(server.stop(Signal::SIGTERM)?.0, Some(0));
    }
    let left = |folder: &Path| std::fs::read_dir(folder).map(Iterator::count);
    assert_eq!(left(&registered(&home))?, 2, "a record of each that lasts");
    // At its next start the first has another address, and one record as before.
    let again = up(&home, &[])?;
    titles(&home, &again.url)?;
    assert_eq!(again.stop(Signal::SIGTERM)?.0, Some(0));
    assert_eq!(left(&registered(&home))?, 2);
    assert_eq!(left(&home.data().join("servers"))?, 1);
    Ok(())
}

#[test]
fn a_program_that_takes_the_port_of_a_dead_server_never_sees_its_key() -> Result<()> {
    let home = Home::new()?;
    let server = up(&home, &[])?;
    let (url, port) = (server.url.clone(), port_of(&server)?);
    let key = std::fs::read_to_string(home.data().join("admin.key"))?;
    kill(server.pid(), Signal::SIGKILL)?;
    drop(server);

    let sees_nothing = || -> Result<()> {
        let thief = TcpListener::bind(("127.0.0.1", port))?;
        thief.set_nonblocking(true)?;
        for command in [
            &["list"][..],
            &["submit", "--title", "secret"],
            &["key", "list"],
        ] {
            let output = home.run(&[&["--url", &url], command].concat())?;
            assert_exit(&output, 8);
        }
        let doctor = home.run(&["--url", &url, "doctor"])?;
        assert_ne!(doctor.status.code(), Some(0));
        let connected = thief.accept().map(drop).map_err(|error| error.kind());
        assert_eq!(connected, Err(ErrorKind::WouldBlock));
        Ok(())
    };
    sees_nothing()?;

    // Its successor on the same port is found again.
    let successor = Running::start_on(home.command(&["up"]), port, std::process::Stdio::piped())?;
    submitted(&home, &url, "again")?;
    assert_eq!(successor.stop(Signal::SIGTERM)?.0, Some(0));

    // Neither after an orderly end.
    sees_nothing()?;

    // Whoever knows no server there calls without a key.
    let thief = TcpListener::bind(("127.0.0.1", port))?;
    let seen = std::thread::spawn(move || -> Result<String> {
        let (mut caller, _) = thief.accept()?;
        let mut head = Vec::new();
        let mut chunk = [0; 4096];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let read = caller.read(&mut chunk)?;
            head.extend(&chunk[..read]);
        }
        caller.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")?;
        Ok(String::from_utf8_lossy(&head).into_owned())
    });
    Home::new()?.run(&["--url", &url, "list"])?;
    let seen = seen
        .join()
        .map_err(|_| anyhow::anyhow!("the thief died"))??;
    assert!(seen.starts_with("GET /v1/tasks"), "{seen}");
    assert!(!seen.contains(key.trim()), "{seen}");
    assert!(!seen.contains("wm_"), "{seen}");
    Ok(())
}

/// A runner stays for days: each of its connections goes through the socket, not only the first.
#[test]
fn a_runner_with_the_key_of_up_never_uses_the_port() -> Result<()> {
    let home = Home::new()?;
    let server = up(&home, &[])?;
    let thief = TcpListener::bind("127.0.0.1:0")?;
    thief.set_nonblocking(true)?;
    // As if the server had this port.
    let names = [port_of(&server)?, thief.local_addr()?.port()];
    let [record, copy] = names.map(|port| registered(&home).join(format!("127.0.0.1:{port}.json")));
    std::fs::copy(record, copy)?;
    let url = format!("http://127.0.0.1:{}", names[1]);
    submitted(&home, &url, "work")?;
    let run = ["agent", "run", "--once", "--", "sh", "-c", "echo done"];
    let output = home.run(&[&["--json", "--url", &url], &run[..]].concat())?;
    assert_exit(&output, 0);
    assert_eq!(data(&output)?["completed"], 1, "{}", stderr(&output));
    let connected = thief.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(connected, Err(ErrorKind::WouldBlock));
    Ok(())
}
