//! A planner's list against a plain model of the rules: whatever is inserted, edited, moved, removed,
//! brought back, claimed, done and failed in between, the database says what the model says.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::json;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::intake::plan::{
    PlanAction, PlanChanges, PlanMode, PlanProblem, PlanRefusal, PlannedTask, SyncPlan,
};
use workmill_testkit::chance::Chance;
use workmill_testkit::factory::{draft, task};
use workmill_testkit::invariants::violations;

use crate::actors::{Agent, Queue};

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    key: String,
    spec_ref: String,
    title: String,
    priority: u8,
    deps: Vec<String>,
}

fn line(key: &str, spec_ref: &str, deps: &[&str]) -> Line {
    Line {
        key: key.to_owned(),
        spec_ref: spec_ref.to_owned(),
        title: key.to_owned(),
        priority: 2,
        deps: deps.iter().map(|on| (*on).to_owned()).collect(),
    }
}

fn planned(line: &Line) -> PlannedTask {
    let task = NewTask {
        profile: Profile::Task,
        key: Some(line.key.clone()),
        priority: Priority::new(line.priority.into()).expect("a priority"),
        metadata: json!({"spec_ref": line.spec_ref}),
        ..task(&line.title)
    };
    PlannedTask {
        spec_ref: line.spec_ref.clone(),
        deps: line.deps.clone(),
        draft: draft(&task),
    }
}

impl Queue {
    async fn sync_as(
        &self,
        lines: &[Line],
        mode: PlanMode,
        is_preview: bool,
    ) -> Result<Result<PlanChanges, PlanRefusal>> {
        let tasks: Vec<PlannedTask> = lines.iter().map(planned).collect();
        let operation = SyncPlan {
            ns: self.test.ns,
            planner: "planner",
            key: None,
            tasks: &tasks,
            mode,
            is_preview,
        };
        Ok(self.test.store.run(&operation).await?.0)
    }

    async fn sync(&self, lines: &[Line]) -> Result<(usize, usize, usize, usize)> {
        let changes = self.sync_as(lines, PlanMode::Sync, false).await?;
        Ok(counts(&changes.expect("a good list")))
    }

    async fn planned_task(&self, key: &str) -> Result<TaskId> {
        let client = self.test.database.client().await?;
        let find = "select task from workmill.task_key where ns = $1 and key = $2";
        let row = client.query_one(find, &[&self.test.ns.0, &key]).await?;
        Ok(TaskId(row.get(0)))
    }
}

/// Inserted, updated, deleted, skipped.
fn counts(changes: &PlanChanges) -> (usize, usize, usize, usize) {
    let count = |action: PlanAction| {
        let all = changes.changes.iter();
        all.filter(|change| change.action == action).count()
    };
    (
        count(PlanAction::Inserted),
        count(PlanAction::Updated),
        count(PlanAction::Deleted),
        changes.skipped,
    )
}

/// T-10 T-11
#[tokio::test]
async fn a_list_inserts_updates_deletes_and_skips_what_is_done_and_again_changes_nothing()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let first = [
        line("a", "one", &[]),
        line("b", "one", &["a"]),
        line("c", "one", &["b"]),
        line("other", "two", &["c"]),
    ];
    assert_eq!(queue.sync(&first).await?, (4, 0, 0, 0));
    assert_eq!(queue.sync(&first).await?, (0, 0, 0, 0));
    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, queue.planned_task("a").await?);
    agent.complete(lease, json!("a")).await?.expect("done");

    // `two` is not on the list, so nothing is said of it.
    let second = [
        line("a", "one", &[]),
        Line {
            title: "another title".to_owned(),
            ..line("b", "one", &["a"])
        },
        line("d", "one", &["a", "b"]),
    ];
    let preview = queue.sync_as(&second, PlanMode::Sync, true).await?;
    assert_eq!(counts(&preview.expect("a good list")), (1, 1, 1, 1));
    assert_eq!(queue.sync(&second).await?, (1, 1, 1, 1));
    assert_eq!(queue.sync(&second).await?, (0, 0, 0, 1));
    let c = queue.planned_task("c").await?;
    assert_eq!(queue.state(c).await?, State::Cancelled);
    let other = queue.planned_task("other").await?;
    assert_eq!(
        queue.state(other).await?,
        State::Ready,
        "deleted blockers do not block"
    );

    // It is back, and blocks again.
    assert_eq!(queue.sync(&first).await?, (0, 2, 1, 1));
    assert_eq!(queue.state(c).await?, State::Pending);
    assert_eq!(queue.state(other).await?, State::Pending);
    Ok(())
}

/// T-10: what somebody works on is described anew and goes on; removed, it is told to stop.
#[tokio::test]
async fn an_active_task_keeps_its_lease_when_it_is_edited_and_is_stopped_when_it_is_removed()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .sync(&[line("a", "one", &[]), line("b", "one", &[])])
        .await?;
    let lease = agent.take_one().await?.lease;
    let edited = Line {
        title: "better".to_owned(),
        priority: 1,
        ..line("a", "one", &["b"])
    };
    let list = [edited, line("b", "one", &[])];
    assert_eq!(queue.sync(&list).await?, (0, 1, 0, 0));
    assert_eq!(
        queue.sync(&list).await?,
        (0, 0, 0, 0),
        "what it depends on can wait"
    );
    let shown = queue.task(lease.task).await?;
    assert_eq!(shown.state, State::Running);
    let alive = agent.heartbeat(lease).await?.expect("it goes on");
    assert!(alive.stop.is_none());
    agent.release(lease).await?.expect("given back");
    assert_eq!(
        queue.sync(&list).await?,
        (0, 1, 0, 0),
        "now it depends on the other one"
    );
    assert_eq!(queue.state(lease.task).await?, State::Pending);

    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, queue.planned_task("b").await?);
    let without = [line("a", "one", &[])];
    assert_eq!(queue.sync(&without).await?, (0, 1, 1, 0));
    assert_eq!(queue.state(lease.task).await?, State::Cancelled);
    let alive = agent.heartbeat(lease).await?.expect("it is told");
    assert_eq!(alive.stop.as_deref(), Some("cancelled"));
    Ok(())
}

#[tokio::test]
async fn a_list_with_mistakes_is_refused_with_all_of_them_and_changes_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    queue
        .sync(&[line("a", "one", &[]), line("b", "one", &["a"])])
        .await?;
    let foreign = NewTask {
        key: Some("taken".to_owned()),
        ..task("not of the plan")
    };
    queue.submit_task(&foreign).await?;
    let before = whole(&queue).await?;
    let unknown = [
        line("c", "one", &["nobody", "a"]),
        line("b", "one", &["nowhere"]),
    ];
    let refused = queue.sync_as(&unknown, PlanMode::Sync, false).await?;
    let missing = |name: &str| PlanProblem::UnknownDependency(name.to_owned());
    let removed = PlanProblem::RemovedDependency("a".to_owned());
    let expected = vec![
        (0, missing("nobody")),
        (0, removed),
        (1, missing("nowhere")),
    ];
    assert_eq!(refused, Err(PlanRefusal::Tasks(expected)));

    let circle = [
        line("a", "one", &["new"]),
        line("b", "one", &["a"]),
        line("new", "one", &["b"]),
    ];
    let Err(PlanRefusal::Cycle(path)) = queue.sync_as(&circle, PlanMode::Sync, false).await? else {
        panic!("a circle");
    };
    assert_eq!((path.len(), path.first()), (4, path.last()));

    let taken = [
        line("a", "one", &[]),
        line("b", "one", &["a"]),
        line("taken", "one", &[]),
    ];
    let refused = queue.sync_as(&taken, PlanMode::Sync, false).await?;
    let expected = vec![(2, PlanProblem::KeyTaken)];
    assert_eq!(refused, Err(PlanRefusal::Tasks(expected)));
    let refused = queue.sync_as(&taken[..1], PlanMode::Add, false).await?;
    let expected = vec![(0, PlanProblem::KeyTaken)];
    assert_eq!(
        refused,
        Err(PlanRefusal::Tasks(expected)),
        "adding edits nothing"
    );
    assert_eq!(whole(&queue).await?, before);
    Ok(())
}

/// Everything that a list could have changed.
async fn whole(queue: &Queue) -> Result<Vec<String>> {
    let client = queue.test.database.client().await?;
    let mut all = Vec::new();
    for table in [
        "state",
        "spec",
        "edge",
        "plan_task",
        "event",
        "graph",
        "audit",
    ] {
        let read = format!("select t::text from workmill.{table} t order by 1");
        let rows = client.query(&read, &[]).await?;
        all.extend(rows.iter().map(|row| row.get::<_, String>(0)));
    }
    Ok(all)
}

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
    /// What it depends on; that of an active task stays as it was.
    deps: BTreeSet<String>,
    created: usize,
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
    agent: Agent<'a>,
    model: Model,
    list: Vec<Line>,
    leases: BTreeMap<String, LeaseId>,
    chance: Chance,
    names: usize,
}

impl Stage<'_> {
    /// Changes the list a little, without closing a circle: whoever comes later depends on earlier ones.
    fn edit(&mut self) {
        let documents = ["one", "two", "three"];
        for _ in 0..=self.chance.below(4) {
            match self.chance.below(6) {
                0 | 1 => {
                    self.names += 1;
                    let document = documents[self.chance.place(documents.len())];
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
                    let document = documents[self.chance.place(documents.len())];
                    document.clone_into(&mut self.list[place].spec_ref);
                }
                _ if self.list.len() > 1 => {
                    let place = 1 + self.chance.place(self.list.len() - 1);
                    let on = self.list[self.chance.place(place)].key.clone();
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
        // What was deleted may come back, at the end, so that nothing runs in a circle.
        let gone = self.model.tasks.values();
        let gone = gone.filter(|task| task.status == Status::Deleted);
        let gone: Vec<Line> = gone.map(|task| task.line.clone()).collect();
        if !gone.is_empty() && self.chance.one_in(3) {
            let back = gone[self.chance.place(gone.len())].clone();
            if self.list.iter().all(|line| line.key != back.key) {
                self.list.push(Line {
                    deps: Vec::new(),
                    ..back
                });
            }
        }
        let keys: BTreeSet<String> = self.list.iter().map(|line| line.key.clone()).collect();
        for line in &mut self.list {
            line.deps.retain(|on| keys.contains(on));
        }
    }

    /// Its lines in another order mean the same, but for the age of what is new.
    async fn sync(&mut self) -> Result<()> {
        self.edit();
        // A list of some documents leaves the others alone.
        let left_out = self.chance.one_in(3).then_some("two");
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
                        // It was told to stop, and says that it has: its slot is free again.
                        let _ = self.agent.release(lease).await?;
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
        let claimed = self.agent.take(1).await?;
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
            self.leases.insert(key, lease);
        }
        Ok(())
    }

    async fn end(&mut self) -> Result<()> {
        let keys: Vec<String> = self.leases.keys().cloned().collect();
        if keys.is_empty() {
            return Ok(());
        }
        let key = &keys[self.chance.place(keys.len())];
        let lease = self.leases.remove(key).context("held")?;
        let status = if self.chance.one_in(3) {
            let given = self.agent.release(lease).await?;
            given.ok().context("given back")?;
            Status::Open
        } else {
            let done = self.agent.complete(lease, json!(key)).await?;
            done.ok().context("done")?;
            Status::Done
        };
        self.model.tasks.get_mut(key).context("modelled")?.status = status;
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

/// T-10 T-11 T-1 T-2: five hundred lists, with work in between.
#[tokio::test]
async fn random_lists_leave_the_database_as_the_rules_say() -> Result<()> {
    let rounds = std::env::var("WORKMILL_PLAN_ROUNDS").ok();
    let rounds: usize = rounds.map_or(Ok(120), |rounds| rounds.parse())?;
    let seed = std::env::var("WORKMILL_PLAN_SEED").ok();
    let seed = seed.map_or_else(|| Ok(rand::random()), |seed| seed.parse())?;
    println!("WORKMILL_PLAN_SEED={seed}");
    let queue = Queue::new().await?;
    let mut stage = Stage {
        queue: &queue,
        agent: queue.agent("agent").await?,
        model: Model::default(),
        list: Vec::new(),
        leases: BTreeMap::new(),
        chance: Chance(seed),
        names: 0,
    };
    for round in 0..rounds {
        let step = async {
            stage.sync().await?;
            queue.pass(1);
            for _ in 0..stage.chance.below(4) {
                match stage.chance.below(2) {
                    0 => stage.claim().await?,
                    _ => stage.end().await?,
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
