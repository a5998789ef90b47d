//! Runs one command: a script, an attempt's number and an input come in, the output goes out.
//!
//! The command has a process group, a folder and an environment of its own; it sees no keys.
//! Whatever happens to the caller, no process of it survives: dropping the future kills the
//! whole group.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use crate::process_group::ProcessGroup;
use crate::work_folder::WorkFolder;

/// How much of what it wrote on standard error is kept, from the end.
const LONGEST_ERROR: usize = 500;

#[derive(Debug)]
pub(super) struct Finished {
    pub(super) run_time: Duration,
    /// The output, or what the command complained about.
    pub(super) result: Result<Value, String>,
}

pub(super) async fn run(script: &str, attempt: i32, input: &str) -> io::Result<Finished> {
    let folder = WorkFolder::new()?;
    let began = Instant::now();
    let mut child = Command::new("sh")
        .args(["-euc", script])
        .current_dir(folder.path())
        .env_clear()
        .env(
            "PATH",
            std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()),
        )
        .env("LC_ALL", "C")
        .env("WORKMILL_ATTEMPT", attempt.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    // After the child, so that it goes first: the group still has its leader when it is killed.
    let group = ProcessGroup::led_by(child.id());
    let stdin = child.stdin.take();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A command need not read all of its input.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let ((), output, errors, status) = tokio::join!(feed, read(stdout), read(stderr), child.wait());
    group.has_ended();
    Ok(Finished {
        run_time: began.elapsed(),
        result: judge(status?, &output?, &errors?),
    })
}

async fn read(pipe: Option<impl AsyncRead + Unpin>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).await?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Output that is JSON is taken as JSON, any other as text.
fn judge(status: ExitStatus, output: &str, errors: &str) -> Result<Value, String> {
    if status.success() {
        let text = output.trim_end();
        return Ok(serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)));
    }
    let errors = errors.trim();
    let surplus = errors.chars().count().saturating_sub(LONGEST_ERROR);
    match errors.chars().skip(surplus).collect::<String>() {
        tail if tail.is_empty() => Err(status.to_string()),
        tail => Err(tail),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read};

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_input_reaches_the_command_and_its_output_comes_back() {
        let text = run("tr a-z A-Z", 1, "one\ntwo\n").await.unwrap();
        assert_eq!(text.result, Ok(json!("ONE\nTWO")));
        let script = r#"echo "{\"attempt\": $WORKMILL_ATTEMPT}""#;
        let object = run(script, 3, "").await.unwrap();
        assert_eq!(object.result, Ok(json!({"attempt": 3})));
    }

    #[tokio::test]
    async fn a_failing_command_hands_back_what_it_complained_about() {
        let failed = run("echo out; echo why >&2; exit 3", 1, "").await.unwrap();
        assert_eq!(failed.result, Err("why".to_owned()));
        let silent = run("exit 3", 1, "unread").await.unwrap();
        assert_eq!(silent.result, Err("exit status: 3".to_owned()));
    }

    /// Reading from a pipe ends when the last process that can write to it is gone.
    #[tokio::test]
    async fn dropping_the_run_kills_the_whole_group() {
        let folder = WorkFolder::new().unwrap();
        let pipe = folder.path().join("pipe");
        mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        let script = format!(
            "exec 3> '{}'; sleep 60 & echo started >&3; wait",
            pipe.display()
        );
        let (tell, started) = tokio::sync::oneshot::channel();
        let reading = tokio::task::spawn_blocking(move || {
            let mut pipe = BufReader::new(std::fs::File::open(pipe)?);
            let mut text = String::new();
            pipe.read_line(&mut text)?;
            tell.send(()).expect("the test waits for it");
            pipe.read_to_string(&mut text)
        });
        tokio::select! {
            finished = run(&script, 1, "") => panic!("ended by itself: {finished:?}"),
            told = started => told.unwrap(),
        }
        let ended = tokio::time::timeout(Duration::from_secs(10), reading).await;
        ended
            .expect("a process of the group lives on")
            .unwrap()
            .unwrap();
    }
}
