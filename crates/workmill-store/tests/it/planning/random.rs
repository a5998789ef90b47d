//! A planner's list against a plain model of the rules: whatever is inserted, edited, moved, removed,
//! brought back, claimed, done and failed in between, the database says what the model says.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_store::intake::plan::{PlanMode, PlanRefusal};
use workmill_testkit::chance::Chance;
use workmill_testkit::invariants::violations;

use super::{Line, counts, line};
use crate::actors::{Agent, Queue};

const DOCUMENTS: [&str; 3] = ["one", "two", "three"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Open,
    Active,
    Done,
    Deleted,
}

#[derive(Debug, Clone)]
struct Modelled {
    line: Line,
    status: Status,
    /// What it depends on. While it is active it gets no more, and loses what comes back.
    deps: BTreeSet<String>,
    created: usize,
}

impl Modelled {
    fn has_begun(&self) -> bool {
        matches!(self.status, Status::Active | Status::Done)
    }
}

/// The rules, plainly.
#[derive(Debug, Default)]
struct Model {
    tasks: BTreeMap<String, Modelled>,
    created: usize,
}

impl Model {
    fn sync(&mut self, lines: &[Line]) -> (usize, usize, usize, usize) {
        let (mut inserted, mut updated, mut deleted, mut skipped) = (0, 0, 0, 0);
        let documents: BTreeSet<&str> = lines.iter().map(|line| line.spec_ref.as_str()).collect();
        let keys: BTreeSet<&str> = lines.iter().map(|line| line.key.as_str()).collect();
        for key in &keys {
            if self.is_deleted(key) {
                self.forget_in_what_has_begun(key);
            }
        }
        for (key, task) in &mut self.tasks {
            let is_meant = documents.contains(task.line.spec_ref.as_str());
            let is_open = matches!(task.status, Status::Open | Status::Active);
            if is_meant && is_open && !keys.contains(key.as_str()) {
                task.status = Status::Deleted;
                deleted += 1;
            }
        }
        for line in lines {
            let deps: BTreeSet<String> = line.deps.iter().cloned().collect();
            match self.tasks.get_mut(&line.key) {
                None => {
                    self.created += 1;
                    let task = Modelled {
                        line: line.clone(),
                        status: Status::Open,
                        deps,
                        created: self.created,
                    };
                    self.tasks.insert(line.key.clone(), task);
                    inserted += 1;
                }
                Some(task) if task.status == Status::Done => skipped += 1,
                Some(task) => {
                    let mut is_other = (&task.line.title, task.line.priority, &task.line.spec_ref)
                        != (&line.title, line.priority, &line.spec_ref);
                    task.line = line.clone();
                    if task.status != Status::Active && task.deps != deps {
                        task.deps = deps;
                        is_other = true;
                    }
                    if task.status == Status::Deleted {
                        task.status = Status::Open;
                        is_other = true;
                    }
                    updated += usize::from(is_other);
                }
            }
        }
        (inserted, updated, deleted, skipped)
    }

    /// Who has begun without a task that is back now goes on without it.
    fn forget_in_what_has_begun(&mut self, key: &str) {
        for task in self.tasks.values_mut() {
            if task.has_begun() {
                task.deps.remove(key);
            }
        }
    }

    fn is_deleted(&self, key: &str) -> bool {
        let task = self.tasks.get(key);
        task.is_some_and(|task| task.status == Status::Deleted)
    }

    fn deleted(&self) -> Vec<&String> {
        let keys = self.tasks.keys();
        keys.filter(|key| self.is_deleted(key)).collect()
    }

    fn is_claimable(&self, key: &str) -> bool {
        let task = &self.tasks[key];
        let blocks = |on: &String| matches!(self.tasks[on].status, Status::Open | Status::Active);
        task.status == Status::Open && !task.deps.iter().any(blocks)
    }

    /// The best of what can be claimed: lower number first, then the oldest.
    fn next(&self) -> Option<String> {
        let claimable = self.tasks.keys().filter(|key| self.is_claimable(key));
        claimable
            .min_by_key(|key| (self.tasks[*key].line.priority, self.tasks[*key].created))
            .cloned()
    }
}

struct Stage<'a> {
    queue: &'a Queue,
    agents: [Agent<'a>; 2],
    model: Model,
    list: Vec<Line>,
    /// Who works on what, by the places of the agents.
    leases: BTreeMap<String, (usize, LeaseId)>,
    /// Whose task was deleted, and who has not heard of it.
    stopped: Vec<(usize, LeaseId)>,
    chance: Chance,
    names: usize,
}

impl Stage<'_> {
    /// Changes the list a little, without closing a circle: whoever comes later depends on earlier ones.
    fn edit(&mut self) {
        for _ in 0..=self.chance.below(4) {
            match self.chance.below(6) {
                0 | 1 => {
                    self.names += 1;
                    let document = DOCUMENTS[self.chance.place(DOCUMENTS.len())];
                    let new = line(&format!("task {}", self.names), document, &[]);
                    self.list.push(new);
                }
                2 if !self.list.is_empty() => {
                    let place = self.chance.place(self.list.len());
                    self.list.remove(place);
                }
                3 if !self.list.is_empty() => {
                    let place = self.chance.place(self.list.len());
                    self.list[place].title = format!("title {}", self.chance.below(5));
                    self.list[place].priority = u8::try_from(self.chance.below(4)).unwrap_or(0);
                }
                4 if !self.list.is_empty() => {
                    let place = self.chance.place(self.list.len());
                    let document = DOCUMENTS[self.chance.place(DOCUMENTS.len())];
                    document.clone_into(&mut self.list[place].spec_ref);
                }
                _ if self.list.len() > 1 => {
                    let place = 1 + self.chance.place(self.list.len() - 1);
                    let earlier = self.list[self.chance.place(place)].key.clone();
                    let gone = self.model.deleted();
                    let on = if gone.is_empty() || !self.chance.one_in(3) {
                        earlier
                    } else {
                        gone[self.chance.place(gone.len())].clone()
                    };
                    let deps = &mut self.list[place].deps;
                    if deps.contains(&on) {
                        deps.retain(|one| *one != on);
                    } else {
                        deps.push(on);
                    }
                }
                _ => {}
            }
        }
        self.bring_back();
        // What has been deleted before may still be named; what the list itself deletes may not.
        let keys: BTreeSet<String> = self.list.iter().map(|line| line.key.clone()).collect();
        let model = &self.model;
        for line in &mut self.list {
            line.deps
                .retain(|on| keys.contains(on) || model.is_deleted(on));
        }
    }

    /// What was deleted may come back, at the front, so that nothing runs in a circle. Best what
    /// somebody has begun to do without.
    fn bring_back(&mut self) {
        if !self.chance.one_in(3) {
            return;
        }
        let tasks = self.model.tasks.values();
        let begun = tasks.filter(|task| task.has_begun());
        let missed = begun.flat_map(|task| &task.deps);
        let mut gone: Vec<&String> = missed.filter(|key| self.model.is_deleted(key)).collect();
        if gone.is_empty() {
            gone = self.model.deleted();
        }
        gone.retain(|key| self.list.iter().all(|line| line.key != **key));
        if gone.is_empty() {
            return;
        }
        let back = Line {
            deps: Vec::new(),
            ..self.model.tasks[gone[self.chance.place(gone.len())]]
                .line
                .clone()
        };
        self.list.insert(0, back);
    }

    /// Its lines in another order mean the same, but for the age of what is new.
    async fn sync(&mut self) -> Result<()> {
        self.edit();
        // A list of some documents leaves the others alone.
        let left_out = self.chance.one_in(2).then(|| {
            let place = self.chance.place(DOCUMENTS.len());
            DOCUMENTS[place]
        });
        let lines: Vec<Line> = self
            .list
            .iter()
            .filter(|line| Some(line.spec_ref.as_str()) != left_out)
            .cloned()
            .collect();
        let answer = self.queue.sync_as(&lines, PlanMode::Sync, false).await?;
        match answer {
            Ok(changes) => {
                let modelled = self.model.sync(&lines);
                ensure!(
                    counts(&changes) == modelled,
                    "{changes:?} is not {modelled:?}"
                );
                let again = self.queue.sync(&lines).await?;
                ensure!((again.0, again.1, again.2) == (0, 0, 0), "again: {again:?}");
                for (key, task) in &self.model.tasks {
                    if task.status != Status::Active
                        && let Some(lease) = self.leases.remove(key)
                    {
                        self.stopped.push(lease);
                    }
                }
            }
            // Moves between documents can leave a dependency out, or close a circle through what an
            // active task depends on: refused, and nothing is changed.
            Err(PlanRefusal::Tasks(_) | PlanRefusal::Cycle(_)) => {}
        }
        Ok(())
    }

    async fn claim(&mut self) -> Result<()> {
        let expected = self.model.next();
        let agent = self.chance.place(self.agents.len());
        let claimed = self.agents[agent].take(1).await?;
        let claimed = claimed.first().map(|claim| claim.lease);
        let expected_task = match &expected {
            Some(key) => Some(self.queue.planned_task(key).await?),
            None => None,
        };
        let claimed_task = claimed.map(|lease| lease.task);
        ensure!(
            claimed_task == expected_task,
            "the best is {expected:?}, {claimed_task:?} was claimed"
        );
        if let (Some(key), Some(lease)) = (expected, claimed) {
            self.model.tasks.get_mut(&key).context("modelled")?.status = Status::Active;
            self.leases.insert(key, (agent, lease));
        }
        Ok(())
    }

    async fn end(&mut self) -> Result<()> {
        let keys: Vec<String> = self.leases.keys().cloned().collect();
        if keys.is_empty() {
            return Ok(());
        }
        let key = &keys[self.chance.place(keys.len())];
        let (agent, lease) = self.leases.remove(key).context("held")?;
        let agent = &self.agents[agent];
        let status = if self.chance.one_in(3) {
            let given = agent.release(lease).await?;
            given.ok().context("given back")?;
            Status::Open
        } else {
            let done = agent.complete(lease, json!(key)).await?;
            done.ok().context("done")?;
            Status::Done
        };
        self.model.tasks.get_mut(key).context("modelled")?.status = status;
        Ok(())
    }

    /// Somebody whose task was deleted comes back. Whatever has become of the task, nothing of it counts.
    async fn come_late(&mut self) -> Result<()> {
        if self.stopped.is_empty() {
            return Ok(());
        }
        let place = self.chance.place(self.stopped.len());
        let (agent, lease) = self.stopped.swap_remove(place);
        let agent = &self.agents[agent];
        let goes_on = agent.heartbeat(lease).await?;
        ensure!(
            goes_on.is_err() || goes_on.is_ok_and(|alive| alive.stop.is_some()),
            "{lease} goes on"
        );
        if self.chance.one_in(2) {
            let _ = agent.release(lease).await?;
        } else {
            let done = agent.complete(lease, json!("late")).await?;
            ensure!(done.is_err(), "{lease} was done late");
        }
        Ok(())
    }

    async fn compare(&self) -> Result<()> {
        let client = self.queue.test.database.client().await?;
        let read = "select k.key, s.state, p.body ->> 'title', p.body ->> 'priority',
                t.spec_ref, array(
                    select o.key from workmill.edge e
                    join workmill.task_key o on o.task = e.depends_on
                    where e.task = k.task
                )
            from workmill.task_key k
            join workmill.state s on s.task = k.task
            join workmill.spec p on p.task = k.task and p.version = s.spec_version
            join workmill.plan_task t on t.key = k.key";
        let rows = client.query(read, &[]).await?;
        ensure!(rows.len() == self.model.tasks.len(), "{} tasks", rows.len());
        for row in rows {
            let key: String = row.get(0);
            let task = &self.model.tasks[&key];
            let state = State::from_code(row.get(1)).context("a state")?;
            let status = match state {
                State::Completed => Status::Done,
                State::Cancelled => Status::Deleted,
                state if state.is_leased() => Status::Active,
                _ => Status::Open,
            };
            ensure!(
                status == task.status,
                "{key} is {state}, not {:?}",
                task.status
            );
            let is_ready = state == State::Ready;
            ensure!(
                is_ready == self.model.is_claimable(&key),
                "{key} is {state}"
            );
            let deps: BTreeSet<String> = row.get::<_, Vec<String>>(5).into_iter().collect();
            ensure!(
                deps == task.deps,
                "{key} depends on {deps:?}, not {:?}",
                task.deps
            );
            if status == Status::Done {
                continue;
            }
            let said: (String, String, String) = (row.get(2), row.get(3), row.get(4));
            let line = &task.line;
            let expected = (
                line.title.clone(),
                line.priority.to_string(),
                line.spec_ref.clone(),
            );
            ensure!(said == expected, "{key}: {said:?} is not {expected:?}");
        }
        let violations = violations(&client, self.queue.test.ns.0).await?;
        ensure!(violations.is_empty(), "{violations:?}");
        Ok(())
    }
}

/// T-10 T-11 T-1 T-2: a hundred lists and more, with work in between.
#[tokio::test]
async fn lists_leave_the_database_as_the_rules_say() -> Result<()> {
    let rounds = std::env::var("WORKMILL_PLAN_ROUNDS").ok();
    let rounds: usize = rounds.map_or(Ok(120), |rounds| rounds.parse())?;
    let seed = std::env::var("WORKMILL_PLAN_SEED").ok();
    let seed = seed.map_or_else(|| Ok(rand::random()), |seed| seed.parse())?;
    println!("WORKMILL_PLAN_SEED={seed}");
    let queue = Queue::new().await?;
    let mut stage = Stage {
        queue: &queue,
        agents: [queue.agent("one").await?, queue.agent("two").await?],
        model: Model::default(),
        list: Vec::new(),
        leases: BTreeMap::new(),
        stopped: Vec::new(),
        chance: Chance(seed),
        names: 0,
    };
    for round in 0..rounds {
        let step = async {
            stage.sync().await?;
            queue.pass(1);
            for _ in 0..stage.chance.below(4) {
                match stage.chance.below(5) {
                    0 | 1 => stage.claim().await?,
                    2 | 3 => stage.end().await?,
                    _ => stage.come_late().await?,
                }
            }
            stage.compare().await
        };
        step.await
            .with_context(|| format!("round {round}, seed {seed}"))?;
    }
    let done = stage.model.tasks.values();
    let done = done.filter(|task| task.status == Status::Done).count();
    ensure!(done > rounds / 10, "only {done} are done");
    Ok(())
}
