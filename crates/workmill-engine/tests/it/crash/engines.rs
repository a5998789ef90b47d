//! The engines' processes as the test sees them: calls go in, answers come out, until `kill -9`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin};
use tokio::sync::{mpsc, oneshot};

use super::engine_process::Order;
use super::wire::{Answer, Call};
use super::{NOBODY_PANICKED, Shared};

/// Those whose calls are under way, by number; none once the process is gone.
type Waiting = Shared<Option<HashMap<u64, oneshot::Sender<Answer>>>>;

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// There was nobody to ask.
    NotAsked,
    /// The process died before it answered. What it had done by then, nobody knows.
    Lost,
}

pub struct Engines {
    order: Order,
    places: Vec<Place>,
    numbers: AtomicU64,
    /// What engines wrote to their standard error.
    complaints: Shared<Vec<String>>,
}

/// One engine and, after it was killed, its successors.
struct Place {
    child: tokio::sync::Mutex<Child>,
    line: Mutex<Line>,
}

/// The way to a process.
#[derive(Clone)]
struct Line {
    calls: mpsc::UnboundedSender<String>,
    waiting: Waiting,
}

impl Engines {
    pub fn start(order: Order, many: usize) -> Result<Engines> {
        let complaints = Shared::default();
        let places = (0..many).map(|_| {
            let (child, line) = start(&order, &complaints)?;
            anyhow::Ok(Place {
                child: tokio::sync::Mutex::new(child),
                line: Mutex::new(line),
            })
        });
        Ok(Engines {
            places: places.collect::<Result<_>>()?,
            order,
            numbers: AtomicU64::default(),
            complaints,
        })
    }

    pub fn many(&self) -> usize {
        self.places.len()
    }

    fn line(&self, place: usize) -> Line {
        let line = self.places[place].line.lock();
        line.expect(NOBODY_PANICKED).clone()
    }

    pub async fn call(&self, place: usize, call: &Call) -> Result<Answer, Silence> {
        let Line { calls, waiting } = self.line(place);
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        match waiting.lock().expect(NOBODY_PANICKED).as_mut() {
            None => return Err(Silence::NotAsked),
            Some(waiting) => waiting.insert(number, reply),
        };
        let text = serde_json::to_string(&(number, call)).expect("a call is JSON");
        let _ = calls.send(text);
        answer.await.map_err(|_| Silence::Lost)
    }

    /// Calls that have no answer yet.
    pub fn calls_under_way(&self, place: usize) -> usize {
        let Line { waiting, .. } = self.line(place);
        let waiting = waiting.lock().expect(NOBODY_PANICKED);
        waiting.as_ref().map_or(0, HashMap::len)
    }

    /// `kill -9`; returns when the process is gone.
    pub async fn kill(&self, place: usize) -> Result<()> {
        let mut child = self.places[place].child.lock().await;
        child.kill().await.context("cannot kill an engine")
    }

    pub async fn signal(&self, place: usize, signal: Signal) -> Result<()> {
        let child = self.places[place].child.lock().await;
        let id = child.id().context("the engine is gone")?;
        Ok(kill(Pid::from_raw(i32::try_from(id)?), signal)?)
    }

    /// Puts a new process in the place of one that was killed.
    pub async fn start_again(&self, place: usize) -> Result<()> {
        let (child, line) = start(&self.order, &self.complaints)?;
        let place = &self.places[place];
        *place.child.lock().await = child;
        *place.line.lock().expect(NOBODY_PANICKED) = line;
        Ok(())
    }

    pub fn complaints(&self) -> Vec<String> {
        self.complaints.lock().expect(NOBODY_PANICKED).clone()
    }
}

fn start(order: &Order, complaints: &Shared<Vec<String>>) -> Result<(Child, Line)> {
    let mut child = order.command()?.spawn().context("cannot start an engine")?;
    let input = child.stdin.take().context("an engine without input")?;
    let output = child.stdout.take().context("an engine without output")?;
    let errors = child.stderr.take().context("an engine without errors")?;
    let (calls, outgoing) = mpsc::unbounded_channel();
    let waiting: Waiting = Arc::new(Mutex::new(Some(HashMap::new())));
    tokio::spawn(write_calls(input, outgoing));
    tokio::spawn(read_answers(output, Arc::clone(&waiting)));
    tokio::spawn(read_complaints(errors, Arc::clone(complaints)));
    Ok((child, Line { calls, waiting }))
}

async fn write_calls(mut input: ChildStdin, mut calls: mpsc::UnboundedReceiver<String>) {
    while let Some(call) = calls.recv().await {
        if input
            .write_all(format!("{call}\n").as_bytes())
            .await
            .is_err()
        {
            // It is gone; who waits is told by the end of its output.
            return;
        }
    }
}

async fn read_answers(output: impl AsyncRead + Unpin, waiting: Waiting) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        // The test harness has words of its own there, and a killed process half a line.
        let Ok((number, answer)) = serde_json::from_str::<(u64, Answer)>(&line) else {
            continue;
        };
        let mut waiting = waiting.lock().expect(NOBODY_PANICKED);
        if let Some(reply) = waiting.as_mut().and_then(|calls| calls.remove(&number)) {
            let _ = reply.send(answer);
        }
    }
    waiting.lock().expect(NOBODY_PANICKED).take();
}

async fn read_complaints(errors: impl AsyncRead + Unpin, complaints: Shared<Vec<String>>) {
    let mut lines = BufReader::new(errors).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let complaint = format!("an engine said: {line}");
        complaints.lock().expect(NOBODY_PANICKED).push(complaint);
    }
}
