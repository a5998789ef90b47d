//! Those who wait for work in this process.
//!
//! When tasks become ready, as many of those who could take them are called as there are tasks, and
//! nobody else. Whoever is called has a share of them in mind; what it does not take, or leaves
//! behind because its request ends, is passed on.
//!
//! Whoever submits alone brings what it submits to those who wait, in the transaction that takes it in;
//! they are called by nobody else meanwhile.
//!
//! A call is a hint, never a promise: who is called looks, and may find nothing. What nobody was
//! called for is found when the duties look over the lanes, once a second.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use workmill_core::ids::Namespace;
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_store::dispatch::claim::{ClaimAnswer, ClaimRequest};
use workmill_store::upkeep::agenda::Ready;

pub(crate) type Lanes = Arc<BTreeMap<LaneId, Lane>>;

/// How those who are to be called came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// This server has made them ready.
    News,
    /// Another one has, and calls those who wait there.
    FromElsewhere,
    /// They lie there, and perhaps nobody was called for them.
    Overlooked,
}

impl Call {
    /// How often a share is passed on that nobody takes. Elsewhere somebody else has taken it, most
    /// likely; what was overlooked once will be seen again.
    fn passes(self) -> u32 {
        match self {
            Call::News => 4,
            Call::FromElsewhere | Call::Overlooked => 0,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct WaitingClaims {
    waiters: Mutex<Waiters>,
}

#[derive(Debug, Default)]
struct Waiters {
    taken: HashMap<Namespace, BTreeMap<u64, Waiter>>,
    /// Whoever comes, and whoever sits down again, is behind those who wait.
    next: u64,
    looked_over_at: Option<Instant>,
}

/// Somebody who waits, or looks for work at this moment.
#[derive(Debug)]
struct Waiter {
    request: ClaimRequest,
    /// What the agent brings; unknown before it has looked for the first time.
    offer: Option<Offer>,
    /// How many lanes it could take work from: who can do little else comes first.
    versatility: usize,
    /// Calls in vain.
    vain: u32,
    since: u64,
    is_waiting: bool,
    service: Service,
    /// Where tasks became ready while it was looking.
    missed: Ready,
    share: Share,
    bell: Arc<Notify>,
}

/// What comes of being served; who leaves waits for that.
#[derive(Debug, Default)]
enum Service {
    /// Nobody has served it.
    #[default]
    None,
    /// Somebody is about to bring it something, or nothing.
    UnderWay,
    Brought(ClaimAnswer),
    /// Perhaps it was given something all the same: it is to look for itself.
    Failed,
}

/// Ready tasks that somebody was called for.
#[derive(Debug, Default)]
struct Share {
    ready: Ready,
    passes: u32,
}

impl Waiter {
    fn could_take(&self, lane: Option<&Lane>) -> bool {
        // A lane that another server has just added; and an agent that nothing is known of.
        let (Some(lane), Some(offer)) = (lane, &self.offer) else {
            return true;
        };
        lane.matches(offer) && self.request.selection.admits_lane(lane)
    }

    /// How many tasks it would take.
    fn wanted(&self) -> usize {
        usize::try_from(self.request.most).unwrap_or(1).max(1)
    }

    /// Those least often called in vain, then those who can do little else, then who came first.
    fn place_in_line(&self) -> (u32, usize, u64) {
        (self.vain, self.versatility, self.since)
    }
}

impl WaitingClaims {
    /// Take a waiting first, then look for work, then wait: nothing becomes ready unnoticed.
    pub(crate) fn enter(&self, ns: Namespace, request: ClaimRequest) -> WaitingClaim<'_> {
        let mut waiters = self.lock();
        let number = waiters.next_number();
        let bell = Arc::new(Notify::new());
        let sitting = Waiter {
            request,
            offer: None,
            versatility: 0,
            vain: 0,
            since: number,
            is_waiting: false,
            service: Service::None,
            missed: Ready::new(),
            share: Share::default(),
            bell: Arc::clone(&bell),
        };
        waiters.taken.entry(ns).or_default().insert(number, sitting);
        WaitingClaim {
            all: self,
            ns,
            number,
            bell,
            lanes: Lanes::default(),
        }
    }

    /// What agents bring that have looked and found nothing.
    pub(crate) fn learn(&self, ns: Namespace, offers: &BTreeMap<String, Offer>) {
        if offers.is_empty() {
            return;
        }
        let mut waiters = self.lock();
        let Some(waiters) = waiters.taken.get_mut(&ns) else {
            return;
        };
        for sitting in waiters.values_mut() {
            if let Some(offer) = offers.get(&sitting.request.agent) {
                sitting.offer = Some(offer.clone());
            }
        }
    }

    /// Calls as many as there are tasks ready, of those who could take them.
    pub(crate) fn call(&self, ns: Namespace, ready: &Ready, lanes: &Lanes, call: Call) {
        let mut waiters = self.lock();
        let Some(waiters) = waiters.taken.get_mut(&ns) else {
            return;
        };
        if call != Call::Overlooked {
            let looking = waiters.values_mut().filter(|sitting| !sitting.is_waiting);
            for sitting in looking {
                add(&mut sitting.missed, ready);
            }
        }
        share_out(waiters, ready, lanes, call.passes());
    }

    /// Those who are to be brought what is about to become ready; nobody else calls them until then.
    pub(crate) fn invite(
        &self,
        ns: Namespace,
        ready: &Ready,
        lanes: &BTreeMap<LaneId, Lane>,
    ) -> Vec<InvitedClaim<'_>> {
        let mut waiters = self.lock();
        let Some(waiters) = waiters.taken.get_mut(&ns) else {
            return Vec::new();
        };
        let mut invited = Vec::new();
        for (lane, tasks) in ready {
            let mut left = *tasks;
            for (number, sitting) in line(waiters, lanes.get(lane)) {
                if left == 0 {
                    break;
                }
                left -= left.min(sitting.wanted());
                sitting.is_waiting = false;
                sitting.service = Service::UnderWay;
                invited.push(InvitedClaim {
                    all: self,
                    ns,
                    number,
                    request: sitting.request.clone(),
                    brought: None,
                });
            }
        }
        invited
    }

    /// Where somebody waits, if nobody has looked over the lanes there for so long.
    pub(crate) fn waited_in(&self, every: Duration) -> Vec<Namespace> {
        let mut waiters = self.lock();
        let now = Instant::now();
        let is_early = |last: Instant| now.duration_since(last) < every;
        if waiters.taken.is_empty() || waiters.looked_over_at.is_some_and(is_early) {
            return Vec::new();
        }
        waiters.looked_over_at = Some(now);
        waiters.taken.keys().copied().collect()
    }

    pub(crate) fn waiting(&self) -> usize {
        let waiters = self.lock();
        let all = waiters.taken.values().flat_map(BTreeMap::values);
        all.filter(|sitting| sitting.is_waiting).count()
    }

    fn lock(&self) -> MutexGuard<'_, Waiters> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiters {
    fn sitting(&mut self, ns: Namespace, number: u64) -> Option<&mut Waiter> {
        self.taken.get_mut(&ns)?.get_mut(&number)
    }

    fn next_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// Those who wait and could take something that asks for this, in the order they are served.
fn line<'a>(
    waiters: &'a mut BTreeMap<u64, Waiter>,
    asks: Option<&Lane>,
) -> Vec<(u64, &'a mut Waiter)> {
    let mut line: Vec<(u64, &mut Waiter)> = waiters
        .iter_mut()
        .filter(|(_, sitting)| sitting.is_waiting && sitting.could_take(asks))
        .map(|(number, sitting)| (*number, sitting))
        .collect();
    line.sort_by_key(|(_, sitting)| sitting.place_in_line());
    line
}

/// Gives those who wait a share each, until nothing is left or nobody.
fn share_out(waiters: &mut BTreeMap<u64, Waiter>, ready: &Ready, lanes: &Lanes, passes: u32) {
    for (lane, tasks) in ready {
        let mut left = *tasks;
        for (_, sitting) in line(waiters, lanes.get(lane)) {
            if left == 0 {
                break;
            }
            let tasks = left.min(sitting.wanted());
            left -= tasks;
            sitting.is_waiting = false;
            sitting.share = Share {
                ready: Ready::from([(*lane, tasks)]),
                passes,
            };
            sitting.bell.notify_one();
        }
    }
}

fn add(to: &mut Ready, more: &Ready) {
    for (lane, tasks) in more {
        *to.entry(*lane).or_default() += tasks;
    }
}

/// A place in the waiting all, given up when it is dropped.
#[derive(Debug)]
pub(crate) struct WaitingClaim<'a> {
    all: &'a WaitingClaims,
    ns: Namespace,
    number: u64,
    bell: Arc<Notify>,
    lanes: Lanes,
}

impl WaitingClaim<'_> {
    /// How many tasks it found when it looked; the rest of its share is passed on.
    pub(crate) fn took(&self, tasks: usize) {
        let mut waiters = self.all.lock();
        let Some(of_namespace) = waiters.taken.get_mut(&self.ns) else {
            return;
        };
        let Some(sitting) = of_namespace.get_mut(&self.number) else {
            return;
        };
        let share = std::mem::take(&mut sitting.share);
        if !share.ready.is_empty() && tasks == 0 {
            sitting.vain += 1;
        }
        share.pass_on(tasks, of_namespace, &self.lanes);
    }

    /// Waits until it is called, or something is brought.
    pub(crate) async fn called(&mut self, lanes: Lanes) -> Option<ClaimAnswer> {
        self.lanes = lanes;
        if self.sit_down() {
            self.bell.notified().await;
        }
        match self.served() {
            Service::Brought(answer) => Some(answer),
            Service::None | Service::UnderWay | Service::Failed => None,
        }
    }

    /// Waits no longer, unless it is being served, then for that. Nothing is answered to who is to look
    /// for itself once more.
    pub(crate) async fn leave(&self) -> Option<ClaimAnswer> {
        self.stand_up();
        loop {
            match self.served() {
                Service::None => return Some(Ok(Vec::new())),
                Service::UnderWay => self.bell.notified().await,
                Service::Brought(answer) => return Some(answer),
                Service::Failed => return None,
            }
        }
    }

    /// What came of the service, or that it is under way.
    fn served(&self) -> Service {
        let mut waiters = self.all.lock();
        match waiters.sitting(self.ns, self.number) {
            None => Service::None,
            Some(sitting) if matches!(sitting.service, Service::UnderWay) => Service::UnderWay,
            Some(sitting) => std::mem::take(&mut sitting.service),
        }
    }

    /// From now on nobody calls or serves it.
    fn stand_up(&self) {
        let mut waiters = self.all.lock();
        if let Some(sitting) = waiters.sitting(self.ns, self.number) {
            sitting.is_waiting = false;
        }
    }

    /// Returns how many lanes it could take work from, if it is known what the agent brings.
    fn count_lanes(&self) -> Option<usize> {
        let offer = {
            let mut waiters = self.all.lock();
            waiters.sitting(self.ns, self.number)?.offer.clone()?
        };
        let lanes = self.lanes.values();
        Some(lanes.filter(|lane| lane.matches(&offer)).count())
    }

    /// Looks again instead where something became ready meanwhile.
    fn sit_down(&self) -> bool {
        // There may be thousands of lanes: nobody waits for the room while they are counted.
        let versatility = self.count_lanes();
        let mut waiters = self.all.lock();
        let since = waiters.next_number();
        let sitting = waiters.taken.get_mut(&self.ns);
        let Some(sitting) = sitting.and_then(|waiters| waiters.get_mut(&self.number)) else {
            return false;
        };
        let missed = std::mem::take(&mut sitting.missed);
        let could_take = |lane| sitting.could_take(self.lanes.get(lane));
        if missed.keys().any(could_take) {
            return false;
        }
        sitting.versatility = versatility.unwrap_or(sitting.versatility);
        sitting.since = since;
        sitting.is_waiting = true;
        true
    }
}

/// Somebody who waits and is being served. Left with nothing, it looks for itself.
#[derive(Debug)]
pub(crate) struct InvitedClaim<'a> {
    all: &'a WaitingClaims,
    ns: Namespace,
    number: u64,
    pub(crate) request: ClaimRequest,
    brought: Option<ClaimAnswer>,
}

impl InvitedClaim<'_> {
    pub(crate) fn bring(mut self, answer: ClaimAnswer) {
        self.brought = Some(answer);
    }
}

impl Drop for InvitedClaim<'_> {
    fn drop(&mut self) {
        let mut waiters = self.all.lock();
        if let Some(sitting) = waiters.sitting(self.ns, self.number) {
            let brought = self.brought.take();
            let is_vain = brought.as_ref();
            let is_vain = is_vain.is_some_and(|answer| answer.as_ref().is_ok_and(Vec::is_empty));
            sitting.vain += u32::from(is_vain);
            sitting.service = brought.map_or(Service::Failed, Service::Brought);
            sitting.bell.notify_one();
        }
    }
}

impl Share {
    fn pass_on(mut self, taken: usize, waiters: &mut BTreeMap<u64, Waiter>, lanes: &Lanes) {
        let mut taken = taken;
        for tasks in self.ready.values_mut() {
            let of_these = taken.min(*tasks);
            *tasks -= of_these;
            taken -= of_these;
        }
        self.ready.retain(|_, tasks| *tasks > 0);
        if let Some(passes) = self.passes.checked_sub(1) {
            share_out(waiters, &self.ready, lanes, passes);
        }
    }
}

impl Drop for WaitingClaim<'_> {
    fn drop(&mut self) {
        let mut waiters = self.all.lock();
        let Some(of_namespace) = waiters.taken.get_mut(&self.ns) else {
            return;
        };
        if let Some(sitting) = of_namespace.remove(&self.number) {
            let share = sitting.share;
            let passes = share.passes.max(1);
            Share { passes, ..share }.pass_on(0, of_namespace, &self.lanes);
        }
        if of_namespace.is_empty() {
            waiters.taken.remove(&self.ns);
        }
    }
}

#[cfg(test)]
mod tests;
