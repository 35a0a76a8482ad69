//! The leases that this process holds: when each ends by our own clock, and how the work under it
//! is told to stop.

use shared::domain::ids::RunId;
use shared::domain::runs::{Lease, Reason};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// The batch that a subagent is of: its supervisor's run and the call.
pub type BatchKey = (RunId, String);

/// One lease that is held, as the work under it and the heartbeat share it.
#[derive(Debug)]
pub struct Held {
    /// Part of every write's condition.
    pub lease: Lease,
    /// Of a subagent.
    batch: Option<BatchKey>,
    signal: watch::Sender<Signal>,
}

/// What the work under a lease is told.
#[derive(Debug, Clone, Copy)]
struct Signal {
    /// When the lease ends by the monotonic clock: from then on nothing may be begun.
    ends_at: Instant,
    /// Why the run is to stop.
    cancel: Option<Reason>,
    /// Somebody else has the run, or it is gone.
    lost: bool,
    /// The run is over by our own hand: no lease is needed any more.
    over: bool,
}

impl Held {
    fn new(lease: Lease, batch: Option<BatchKey>, ends_at: Instant, cancel: Option<Reason>) -> Self {
        let signal = watch::Sender::new(Signal { ends_at, cancel, lost: false, over: false });
        Self { lease, batch, signal }
    }

    /// Whether something new may be begun.
    pub fn is_valid(&self) -> bool {
        let signal = *self.signal.borrow();
        !signal.lost && Instant::now() < signal.ends_at
    }

    /// Why the run is to stop.
    pub fn cancel(&self) -> Option<Reason> {
        self.signal.borrow().cancel
    }

    /// The heartbeat renewed it.
    pub fn renewed(&self, ends_at: Instant, cancel: Option<Reason>) {
        self.signal.send_modify(|s| {
            s.ends_at = s.ends_at.max(ends_at);
            s.cancel = s.cancel.or(cancel);
        });
    }

    /// Somebody else has the run, or it is gone.
    pub fn lose(&self) {
        self.signal.send_modify(|s| s.lost = true);
    }

    /// The run's end is being stored, under the lease's own condition: no loss of the lease may end
    /// that, nor what is told of it afterwards.
    pub fn finish(&self) {
        self.signal.send_modify(|s| s.over = true);
    }

    /// Returns when the lease has ended before the run: lost, or not renewed in time.
    pub async fn ended(&self) {
        let mut changes = self.signal.subscribe();
        loop {
            let signal = *changes.borrow_and_update();
            if signal.over {
                return std::future::pending().await;
            }
            if signal.lost || Instant::now() >= signal.ends_at {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep_until(signal.ends_at) => {}
                changed = changes.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Returns when the run is to stop.
    pub async fn cancelled(&self) {
        let mut changes = self.signal.subscribe();
        // An error means that the sender is gone; it is not, since `self` holds it.
        let _ = changes.wait_for(|s| s.cancel.is_some()).await;
    }
}

/// All leases of this process.
#[derive(Debug, Default)]
pub struct Registry {
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    held: HashMap<RunId, Arc<Held>>,
    /// Runs whose claims are under way.
    awaited: HashMap<RunId, Awaited>,
    /// Statements under way that make runs and claim them, whose ids are not known yet.
    nameless: usize,
    /// What was said meanwhile of runs that are not known here.
    told_of_unknown: HashSet<RunId>,
    /// The subagents at work here, by their batches.
    batches: HashMap<BatchKey, Batch>,
}

#[derive(Debug, Default)]
struct Batch {
    at_work: HashSet<RunId>,
    /// Those of them whose ends are about to be stored.
    ending: HashSet<RunId>,
}

#[derive(Debug, Default)]
struct Awaited {
    /// Claims under way.
    claims: usize,
    /// Somebody said meanwhile that the row is to be looked at.
    told: bool,
}

impl Registry {
    /// Notes that the run is being claimed. What is said of it from now on is not missed, though its
    /// lease may be held in the database before it is held here.
    pub fn await_claim(self: &Arc<Self>, run_id: RunId) -> Claiming {
        self.lock().awaited.entry(run_id).or_default().claims += 1;
        Claiming { registry: self.clone(), run_id }
    }

    /// Notes that runs are being made and claimed by one statement. What is said of any from now on is
    /// not missed.
    pub fn await_new(self: &Arc<Self>) -> ClaimingNew {
        self.lock().nameless += 1;
        ClaimingNew { registry: self.clone() }
    }

    /// Takes a claimed run in; it stays until the entry is dropped. `batch`: of a subagent.
    pub fn enter(
        self: &Arc<Self>,
        lease: Lease,
        batch: Option<BatchKey>,
        ends_at: Instant,
        cancel: Option<Reason>,
    ) -> Entry {
        let held = Arc::new(Held::new(lease, batch, ends_at, cancel));
        let mut places = self.lock();
        if let Some(batch) = held.batch.clone() {
            places.batches.entry(batch).or_default().at_work.insert(held.lease.run_id);
        }
        // A run that is still here under an older epoch lost it: the claim proves so.
        if let Some(older) = places.held.insert(held.lease.run_id, held.clone()) {
            older.lose();
        }
        drop(places);
        Entry { registry: self.clone(), held }
    }

    /// Notes that a subagent's end is about to be stored, and says whether others of its batch are at work
    /// here that have not come so far.
    pub fn waits_for_others(&self, held: &Held) -> bool {
        let mut places = self.lock();
        let Some(here) = held.batch.as_ref().and_then(|batch| places.batches.get_mut(batch)) else {
            return false;
        };
        here.ending.insert(held.lease.run_id);
        here.at_work.len() > here.ending.len()
    }

    /// Notes that a subagent has ended.
    pub fn leave_batch(&self, held: &Held) {
        self.lock().leave_batch(held);
    }

    /// Whether a subagent of the batch is at work here: then its end is still to come.
    pub fn works_on(&self, batch: &BatchKey) -> bool {
        self.lock().batches.contains_key(batch)
    }

    /// The leases held.
    pub fn all(&self) -> Vec<Arc<Held>> {
        self.lock().held.values().cloned().collect()
    }

    /// Somebody says that the run's row is to be looked at: its lease, if it is held. If it is only
    /// being claimed, the claim is told.
    pub fn tell(&self, run_id: RunId) -> Option<Arc<Held>> {
        let mut places = self.lock();
        if let Some(awaited) = places.awaited.get_mut(&run_id) {
            awaited.told = true;
        }
        let held = places.held.get(&run_id).cloned();
        if held.is_none() && places.nameless > 0 {
            places.told_of_unknown.insert(run_id);
        }
        held
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn leave_batch(&mut self, held: &Held) {
        let Some(batch) = &held.batch else { return };
        if let Some(here) = self.batches.get_mut(batch) {
            here.at_work.remove(&held.lease.run_id);
            here.ending.remove(&held.lease.run_id);
            if here.at_work.is_empty() {
                self.batches.remove(batch);
            }
        }
    }
}

/// A statement under way that makes runs and claims them.
#[derive(Debug)]
pub struct ClaimingNew {
    registry: Arc<Registry>,
}

impl ClaimingNew {
    /// Whether somebody said meanwhile that the run's row is to be looked at. Asked once the lease is
    /// entered.
    pub fn was_told(&self, run_id: RunId) -> bool {
        self.registry.lock().told_of_unknown.contains(&run_id)
    }
}

impl Drop for ClaimingNew {
    fn drop(&mut self) {
        let mut places = self.registry.lock();
        places.nameless -= 1;
        if places.nameless == 0 {
            places.told_of_unknown.clear();
        }
    }
}

/// A claim under way.
#[derive(Debug)]
pub struct Claiming {
    registry: Arc<Registry>,
    run_id: RunId,
}

impl Claiming {
    /// Whether somebody said meanwhile that the run's row is to be looked at. Asked once the lease is
    /// entered: from then on it is told itself.
    pub fn was_told(&self) -> bool {
        self.registry.lock().awaited.get(&self.run_id).is_some_and(|a| a.told)
    }
}

impl Drop for Claiming {
    fn drop(&mut self) {
        let mut places = self.registry.lock();
        if let Some(awaited) = places.awaited.get_mut(&self.run_id) {
            awaited.claims -= 1;
            if awaited.claims == 0 {
                places.awaited.remove(&self.run_id);
            }
        }
    }
}

/// A place in the registry, given up when dropped.
#[derive(Debug)]
pub struct Entry {
    registry: Arc<Registry>,
    /// The lease.
    pub held: Arc<Held>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut places = self.registry.lock();
        if places.held.get(&self.held.lease.run_id).is_some_and(|h| Arc::ptr_eq(h, &self.held)) {
            places.held.remove(&self.held.lease.run_id);
            places.leave_batch(&self.held);
        }
    }
}

/// How much earlier than the database a worker takes its lease to be over: bounds what clocks that
/// run at different speeds and a slow reply can do.
pub fn own_deadline(asked_at: Instant, lease: Duration) -> Instant {
    asked_at + lease.mul_f64(0.9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::ids::WorkerId;

    fn lease(epoch: i64) -> Lease {
        Lease { run_id: RunId(1), owner: WorkerId("w".into()), epoch }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_is_not_renewed_ends_by_our_own_clock() {
        let registry = Arc::new(Registry::default());
        let start = Instant::now();
        let entry = registry.enter(lease(1), None, start + Duration::from_secs(3), None);
        entry.held.renewed(start + Duration::from_secs(5), None);
        entry.held.ended().await;
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        assert!(!entry.held.is_valid());
    }

    #[tokio::test(start_paused = true)]
    async fn a_newer_claim_ends_the_older_lease_and_keeps_its_place() {
        let registry = Arc::new(Registry::default());
        let far = Instant::now() + Duration::from_hours(1);
        let old = registry.enter(lease(1), None, far, None);
        let new = registry.enter(lease(2), None, far, None);
        old.held.ended().await;
        drop(old);
        assert!(new.held.is_valid());
        assert_eq!(registry.tell(RunId(1)).unwrap().lease.epoch, 2);
        drop(new);
        assert!(registry.all().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_a_run_is_no_loss_of_its_lease() {
        let registry = Arc::new(Registry::default());
        let entry = registry.enter(lease(1), None, Instant::now() + Duration::from_secs(3), None);
        entry.held.finish();
        // As a renewal does that finds the row without an owner.
        entry.held.lose();
        let ended = tokio::time::timeout(Duration::from_mins(1), entry.held.ended()).await;
        assert!(ended.is_err(), "the last event is still to be sent");
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancel_is_seen_by_who_waits_and_by_who_asks_later() {
        let registry = Arc::new(Registry::default());
        let entry = registry.enter(lease(1), None, Instant::now() + Duration::from_secs(3), None);
        entry.held.renewed(Instant::now(), Some(Reason::Stopped));
        entry.held.cancelled().await;
        assert_eq!(entry.held.cancel(), Some(Reason::Stopped));
    }

    #[tokio::test]
    async fn what_is_said_of_a_run_while_it_is_claimed_is_not_missed() {
        let registry = Arc::new(Registry::default());
        let (claiming, other) = (registry.await_claim(RunId(1)), registry.await_claim(RunId(1)));
        assert!(registry.tell(RunId(1)).is_none(), "not held here yet");
        drop(other);
        let entry = registry.enter(lease(1), None, Instant::now() + Duration::from_secs(3), None);
        assert!(claiming.was_told());
        drop((claiming, entry));
        assert!(registry.tell(RunId(1)).is_none());
        assert!(!registry.await_claim(RunId(1)).was_told(), "what was said before the claim is in the row");
    }

    #[tokio::test]
    async fn what_is_said_of_a_run_before_its_id_is_known_is_not_missed() {
        let registry = Arc::new(Registry::default());
        assert!(registry.tell(RunId(1)).is_none());
        let (claiming, other) = (registry.await_new(), registry.await_new());
        assert!(!claiming.was_told(RunId(1)), "what was said before is in the row");
        registry.tell(RunId(1));
        drop(other);
        assert!(claiming.was_told(RunId(1)) && !claiming.was_told(RunId(2)));
        drop(claiming);
        assert!(!registry.await_new().was_told(RunId(1)));
    }

    #[tokio::test]
    async fn a_batch_is_worked_on_until_its_last_subagent_here_has_ended_or_is_left() {
        let registry = Arc::new(Registry::default());
        let batch: BatchKey = (RunId(9), "call".to_owned());
        let far = Instant::now() + Duration::from_hours(1);
        let of = |run| Lease { run_id: RunId(run), owner: WorkerId("w".into()), epoch: 1 };
        let first = registry.enter(of(1), Some(batch.clone()), far, None);
        let second = registry.enter(of(2), Some(batch.clone()), far, None);
        assert!(registry.waits_for_others(&first.held), "the second is at work");
        assert!(!registry.waits_for_others(&second.held), "both have come so far");
        registry.leave_batch(&first.held);
        assert!(registry.works_on(&batch));
        drop(second);
        assert!(!registry.works_on(&batch));
        drop(first);
        assert!(!registry.works_on(&batch));
    }
}
