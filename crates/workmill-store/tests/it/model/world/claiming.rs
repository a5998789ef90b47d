//! Claiming, starting and signs of life, as the model sees them.

use std::collections::BTreeSet;

use workmill_core::lane::{Lane, LaneId};
use workmill_core::lifecycle::State;
use workmill_store::dispatch::agents::AgentStatus;

use super::super::step::{Ask, Hold, Label};
use super::{Lease, World, moment};

/// Agents that are served together have in common from which lanes with ready tasks they may take: the
/// lanes, and the places of those who ask.
type Group = (BTreeSet<LaneId>, Vec<usize>);

impl World {
    pub(super) fn claim(&mut self, asks: &[Ask]) {
        let mut wanted: Vec<Result<i32, String>> = asks.iter().map(|ask| self.admit(ask)).collect();
        let mut given: Vec<Vec<Hold>> = self.repeats(asks, &mut wanted);
        for is_last in [false, true] {
            // Who went away empty is asked once more, alone.
            for (lanes, places) in self.group(asks, &wanted, is_last) {
                self.serve(asks, &mut wanted, &mut given, &lanes, &places, true);
            }
        }
        // At last those tasks that an agent failed itself and that no other live agent could run.
        for (lanes, places) in self.group(asks, &wanted, true) {
            let lanes = self.lanes_without_others(asks[places[0]].agent, lanes);
            self.serve(asks, &mut wanted, &mut given, &lanes, &places, false);
        }
        for (place, wanted) in wanted.into_iter().enumerate() {
            let twin = asks[..place]
                .iter()
                .position(|ask| is_same(ask, &asks[place]));
            let told = given[twin.unwrap_or(place)].iter();
            let told: Vec<String> = told.map(|hold| self.describe(*hold)).collect();
            let answer = wanted.map(|_| told.join("; "));
            self.answer.push(answer.unwrap_or_else(|refusal| refusal));
        }
    }

    fn lanes_without_others(&self, agent: u8, mut lanes: BTreeSet<LaneId>) -> BTreeSet<LaneId> {
        let others = self.agents.iter();
        let others = others
            .filter(|(other, known)| **other != agent && known.status == AgentStatus::Active)
            .map(|(other, _)| self.offer(*other));
        let others: Vec<_> = others.collect();
        let tasks = self.tasks.values();
        for lane in tasks.map(|task| &task.lane) {
            if others.iter().any(|offer| lane.matches(offer)) {
                lanes.remove(&lane.id());
            }
        }
        lanes
    }

    fn admit(&self, ask: &Ask) -> Result<i32, String> {
        let agent = self.agents.get(&ask.agent).ok_or("UnknownAgent")?;
        if agent.key != ask.key {
            return Err("ForeignAgent".to_owned());
        }
        if agent.status != AgentStatus::Active {
            return Err("NotActive".to_owned());
        }
        Ok(ask.most)
    }

    /// Who names a request that was served gets the same again and nothing new.
    fn repeats(&self, asks: &[Ask], wanted: &mut [Result<i32, String>]) -> Vec<Vec<Hold>> {
        let mut given = vec![Vec::new(); asks.len()];
        for (hold, lease) in &self.leases {
            let place = asks.iter().zip(wanted.iter()).position(|(ask, wanted)| {
                wanted.is_ok() && ask.agent == lease.agent && ask.request == lease.request
            });
            let place = place.filter(|_| lease.request.is_some());
            if let Some(place) = place
                && let Ok(wanted) = &mut wanted[place]
            {
                *wanted = 0;
                given[place].push(*hold);
            }
        }
        for place in 1..asks.len() {
            let is_twin = asks[..place].iter().any(|ask| is_same(ask, &asks[place]));
            if let Ok(wanted) = &mut wanted[place]
                && is_twin
            {
                *wanted = 0;
            }
        }
        given
    }

    fn free_slots(&self, agent: u8) -> i32 {
        let held = self.leases.values().filter(|lease| lease.agent == agent);
        self.agents[&agent].slots - i32::try_from(held.count()).expect("few")
    }

    /// The group of who asks first is served first.
    fn group(&self, asks: &[Ask], wanted: &[Result<i32, String>], each_alone: bool) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (place, ask) in asks.iter().enumerate() {
            if wanted[place].as_ref().is_ok_and(|wanted| *wanted > 0)
                && self.free_slots(ask.agent) > 0
            {
                let offer = self.offer(ask.agent);
                let ready = self.tasks.values();
                let ready = ready.filter(|task| task.state == State::Ready);
                let lanes = ready.map(|task| &task.lane);
                let lanes = lanes.filter(|lane| lane.matches(&offer));
                let lanes: BTreeSet<LaneId> = lanes.map(Lane::id).collect();
                let same = groups.iter_mut().find(|(of_group, _)| *of_group == lanes);
                match same {
                    Some((_, places)) if !each_alone => places.push(place),
                    Some(_) | None => groups.push((lanes, vec![place])),
                }
            }
        }
        groups
    }

    /// The best-ranked tasks go to the agents of a group in the order they asked.
    fn serve(
        &mut self,
        asks: &[Ask],
        wanted: &mut [Result<i32, String>],
        given: &mut [Vec<Hold>],
        lanes: &BTreeSet<LaneId>,
        places: &[usize],
        minds_failures: bool,
    ) {
        let agents = places.iter().map(|place| asks[*place].agent);
        let agents: BTreeSet<u8> = agents.filter(|_| minds_failures).collect();
        let mut queue = self.ready_for(lanes, &agents).into_iter();
        for place in places {
            let Ok(wanted) = &mut wanted[*place] else {
                continue;
            };
            let ask = &asks[*place];
            while *wanted > 0 && self.free_slots(ask.agent) > 0 {
                let Some(label) = queue.next() else { return };
                *wanted -= 1;
                given[*place].push(self.hand_out(label, ask));
            }
        }
    }

    /// What could be claimed, in order: best effective priority first, then oldest.
    fn ready_for(&self, lanes: &BTreeSet<LaneId>, agents: &BTreeSet<u8>) -> Vec<Label> {
        let now = moment(self.now);
        let mut ready: Vec<(i64, Label)> = self
            .tasks
            .iter()
            .filter(|(_, task)| task.state == State::Ready && lanes.contains(&task.lane.id()))
            .filter(|(_, task)| task.shunned_until <= self.now || task.shunned.is_disjoint(agents))
            .map(|(label, task)| (task.rank - task.lane.boost.offset(now), *label))
            .collect();
        ready.sort_unstable();
        ready.into_iter().map(|(_, label)| label).collect()
    }

    fn hand_out(&mut self, label: Label, ask: &Ask) -> Hold {
        let now = self.now;
        let task = self.task(label);
        task.epoch += 1;
        task.attempts += 1;
        let starts = ask.start || task.policy.claim_ttl_ms.is_none();
        task.state = if starts {
            State::Running
        } else {
            State::Claimed
        };
        let lease = Lease {
            agent: ask.agent,
            resumed: 0,
            started: starts.then_some(now),
            renewed: now,
            ttl_ms: match task.policy.claim_ttl_ms {
                Some(claim_ttl_ms) if !starts => claim_ttl_ms,
                _ => task.policy.lease_ms,
            },
            max_duration_ms: task.max_duration_ms(),
            stopped: None,
            request: ask.request,
        };
        let hold = Hold {
            task: label,
            epoch: task.epoch,
        };
        self.leases.insert(hold, lease);
        hold
    }

    /// What a claim tells about a task.
    fn describe(&self, hold: Hold) -> String {
        let (task, lease) = (&self.tasks[&hold.task], &self.leases[&hold]);
        let mut inputs: Vec<(Label, String)> = task
            .depends_on
            .iter()
            .map(|on| {
                let output = self.tasks[on].result.map(|(_, output)| output);
                (
                    *on,
                    format!("t{on} {} {output:?}", input_state(self.tasks[on].state)),
                )
            })
            .collect();
        inputs.sort();
        let inputs: Vec<String> = inputs.into_iter().map(|(_, input)| input).collect();
        let is_new = hold.epoch == 1;
        format!(
            "{hold:?} {} attempt {} ttl {} models {:?} inputs {inputs:?} past {} checkpoint {:?} answers {}",
            if lease.started.is_some() {
                State::Running
            } else {
                State::Claimed
            },
            task.attempts,
            lease.ttl_ms,
            task.lane.models,
            if is_new { 0 } else { task.ended.len() },
            task.checkpoint.filter(|_| !is_new),
            task.answers,
        )
    }

    /// The lease, if the key may speak for the agent that holds it.
    pub(super) fn held_by(&mut self, hold: Hold, key: u8) -> Result<&mut Lease, String> {
        let lease = self.leases.get_mut(&hold).ok_or("LeaseLost")?;
        if self.agents[&lease.agent].key != key {
            return Err("NotTheHolder".to_owned());
        }
        Ok(lease)
    }

    pub(super) fn start(&mut self, hold: Hold, key: u8) -> Result<String, String> {
        let now = self.now;
        self.held_by(hold, key)?;
        let task = self.tasks.get_mut(&hold.task).expect("it is leased");
        let lease_ms = task.policy.lease_ms;
        let lease = self.leases.get_mut(&hold).expect("it is held");
        if lease.stopped.is_none() {
            if task.state != State::Running {
                task.follow(workmill_core::lifecycle::Trigger::Start)?;
                lease.started = Some(now);
            }
            lease.ttl_ms = lease_ms;
            lease.renewed = now;
        }
        Ok(alive(lease_ms, lease))
    }

    pub(super) fn heartbeat(&mut self, hold: Hold, key: u8, checkpoint: Option<u8>) -> String {
        let now = self.now;
        let Ok(lease) = self.held_by(hold, key) else {
            return "LeaseLost".to_owned();
        };
        lease.renewed = now;
        let answer = alive(lease.ttl_ms, lease);
        if checkpoint.is_some() {
            self.task(hold.task).checkpoint = checkpoint;
        }
        answer
    }

    pub(super) fn resume(&mut self, hold: Hold, key: u8) -> Result<String, String> {
        let now = self.now;
        let task = self.tasks.get(&hold.task).ok_or("LeaseLost")?;
        let last = task.last_of(hold.epoch).ok_or("LeaseLost")?.clone();
        if self.agents[&last.agent].key != key {
            return Err("NotTheHolder".to_owned());
        }
        let may = task.may_take_up_again(hold.epoch, &last);
        if self.leases.contains_key(&hold) || !may || self.free_slots(last.agent) <= 0 {
            return Err("LeaseLost".to_owned());
        }
        let task = self.task(hold.task);
        task.follow(workmill_core::lifecycle::Trigger::ResumeLease)?;
        task.due = None;
        task.crashes = (task.crashes - 1).max(0);
        let lease = Lease {
            agent: last.agent,
            resumed: last.resumed + 1,
            started: last.started.or(Some(now)),
            renewed: now,
            ttl_ms: task.policy.lease_ms,
            max_duration_ms: task.max_duration_ms(),
            stopped: None,
            request: None,
        };
        let answer = alive(lease.ttl_ms, &lease);
        self.leases.insert(hold, lease);
        Ok(answer)
    }
}

/// Whether an input is there or missing; where it stands on its way is nobody's business, and may
/// change in the same call.
pub fn input_state(state: State) -> &'static str {
    if state.is_finished() || state == State::DeadLettered {
        state.name()
    } else {
        "unfinished"
    }
}

fn is_same(ask: &Ask, other: &Ask) -> bool {
    ask.request.is_some()
        && (ask.agent, ask.key, ask.request) == (other.agent, other.key, other.request)
}

fn alive(ttl_ms: i64, lease: &Lease) -> String {
    let stop = lease.stopped.map(|_| "cancelled");
    format!("alive for {ttl_ms} stop {stop:?}")
}
