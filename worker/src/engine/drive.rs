//! The loop of one run: decide from the journal, do it, store the result before using it, again.

use super::Engine;
use super::begin::{Beginning, Given};
use super::crash::Point;
use super::ending::Failure;
use super::lease::{Entry, Held};
use super::publisher::Publisher;
use crate::tools::Toolbox;
use chrono::TimeDelta;
use futures_util::FutureExt;
use shared::domain::decide::{Control, Decision, Outcome, RunLimits, decide};
use shared::domain::events::{Address, Event};
use shared::domain::history::Past;
use shared::domain::jobs::Job;
use shared::domain::journal::{Journal, Step};
use shared::domain::runs::{Reason, Run, RunStatus, Snapshot};
use shared::domain::subagents::Subagent;
use shared::domain::view;
use shared::store::StoreError;
use shared::store::runs::{self, Claimed, Fenced, NewChild, NewPause, UsageRow};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Everything about the run under way.
pub(super) struct Work {
    pub job: Job,
    pub run: Run,
    pub held: Arc<Held>,
    pub snapshot: Arc<Snapshot>,
    pub key: KeyAtHand,
    pub toolbox: Toolbox,
    pub limits: RunLimits,
    /// How long nothing may happen.
    pub idle: Duration,
    /// The prompt, with what the scene adds to it.
    pub system: String,
    pub past: Arc<Past>,
    pub user: Arc<str>,
    pub journal: Journal,
    /// Its subagents; all have ended.
    pub subagents: Vec<Subagent>,
    /// Steps of the journal that are stored; the rest waits to be.
    pub stored: usize,
    /// Usage of the steps that wait.
    pub usage: Vec<UsageRow>,
    /// What the calls that were handed over since the last response need.
    pub waits: Waits,
    pub publisher: Publisher,
    /// Its workers died at this step: nothing else like it runs beside it.
    pub alone: Option<OwnedSemaphorePermit>,
}

/// Whether the model's sealed key was read just now, with the snapshot.
#[derive(Debug)]
pub(super) enum KeyAtHand {
    /// It was: None if the model has no key.
    Read(Option<String>),
    /// It is to be looked up.
    LookUp,
}

/// Subagents and questions that are stored when the run begins to wait for them.
#[derive(Debug, Default)]
pub(super) struct Waits {
    pub children: Vec<NewChild>,
    pub pauses: Vec<NewPause>,
}

/// Why a worker leaves a run before its end.
#[derive(Debug)]
pub(super) enum Leave {
    /// It waits for subagents or a person, and holds nothing; these are to be rung, those to be begun here.
    Waiting { ring: Vec<Job>, begin: Vec<Beginning> },
    /// The lease is lost: nothing more may be written.
    Lost,
    /// Its limit or the shutdown says: later, or elsewhere.
    HandBack { after: Duration, reason: Reason },
    /// The run ends here and now with this fault.
    Fail(Failure),
}

impl Engine {
    /// Advances the run until it ends or must be left.
    pub(super) async fn drive(&self, job: &Job, claimed: Claimed, entry: Entry, given: Given) {
        let held = entry.held.clone();
        let run = claimed.run.clone();
        let work = AssertUnwindSafe(self.advance(job, claimed, given, &held)).catch_unwind();
        let left = tokio::select! {
            biased;
            () = held.ended() => Err(Leave::Lost),
            result = work => result.unwrap_or_else(|_| {
                tracing::error!("the engine panicked");
                Err(Leave::Fail(Failure::internal()))
            }),
        };
        match left {
            Ok(()) => {}
            Err(Leave::Lost) => {
                metrics::counter!("neta_leases_lost_total").increment(1);
                tracing::info!("lease lost: leaving the run to its new owner");
            }
            Err(Leave::Waiting { ring, begin }) => {
                for beginning in begin {
                    self.start(beginning);
                }
                self.app().ring(&ring).await;
            }
            Err(Leave::HandBack { after, reason }) => self.hand_back(job, &held, after, reason).await,
            Err(Leave::Fail(failure)) => self.fail_early(job, &run, &held, failure).await,
        }
    }

    async fn advance(
        &self,
        job: &Job,
        claimed: Claimed,
        given: Given,
        held: &Arc<Held>,
    ) -> Result<(), Leave> {
        let alone = self.alone(&claimed.run).await?;
        let mut work = self.open(job, claimed, given, held).await?;
        work.alone = alone;
        match self.step_until_end(&mut work).await {
            Ok(outcome) => self.finish(work, outcome, None).await,
            Err(Leave::Fail(failure)) => {
                let outcome = failure.outcome();
                self.finish(work, outcome, Some(failure)).await
            }
            Err(Leave::HandBack { after, reason }) => {
                if reason == Reason::ModelLimit {
                    work.publisher.send(Event::Status { status: RunStatus::Queued, reason: Some(reason) });
                }
                // What the readers were to be told leaves before the next worker speaks.
                work.publisher.finish().await;
                Err(Leave::HandBack { after, reason })
            }
            Err(Leave::Waiting { ring, mut begin }) => {
                // Told before anybody begins, so that the batch begins before its subagents do.
                let watched = work.publisher.finish().await;
                for shown in begin.iter_mut().filter_map(|b| b.given.shown.as_mut()) {
                    shown.watched = watched;
                }
                Err(Leave::Waiting { ring, begin })
            }
            Err(Leave::Lost) => Err(Leave::Lost),
        }
    }

    async fn step_until_end(&self, work: &mut Work) -> Result<Outcome, Leave> {
        loop {
            match decide(&work.journal, &work.limits, &self.control(work)) {
                Decision::CallModel { with_tools } => {
                    self.store_steps(work).await?;
                    self.call_model(work, with_tools).await?;
                }
                Decision::RunTools(calls) => {
                    // Calls that are only handed over take no time and change nothing: they are stored with
                    // what they hand over.
                    if !work.toolbox.only_hands_over(&calls) {
                        self.store_steps(work).await?;
                        self.crash_point(Point::S6);
                    }
                    self.run_tools(work, calls).await?;
                }
                Decision::Record(steps) => {
                    for step in &steps {
                        if let Step::ToolResult(result) = step {
                            work.publisher.send(view::result_event(result));
                        }
                    }
                    work.journal.steps.extend(steps);
                }
                Decision::Wait => return Err(self.wait(work).await?),
                Decision::Finish(outcome) => {
                    if outcome.status == RunStatus::Completed {
                        self.crash_point(Point::S13);
                    }
                    return Ok(outcome);
                }
            }
        }
    }

    fn control(&self, work: &Work) -> Control {
        Control { cancel: work.held.cancel(), elapsed: self.elapsed(work), attempts: work.run.attempts }
    }

    /// Since the run's first start, without the time that it waited for a person.
    fn elapsed(&self, work: &Work) -> Duration {
        let started = work.run.started_at.unwrap_or(work.run.create_time);
        let paused = TimeDelta::milliseconds(work.run.paused_ms);
        (self.app().clock.now() - started - paused).to_std().unwrap_or_default()
    }

    /// What is left of the run's wall time.
    pub(super) fn wall_left(&self, work: &Work) -> Duration {
        work.limits.wall.saturating_sub(self.elapsed(work))
    }

    /// Stores the steps that wait; under `always_suspend`, gives the lease back if there were any. Results
    /// of batches are derived from rows that no longer change: they are stored with the next step.
    async fn store_steps(&self, work: &mut Work) -> Result<(), Leave> {
        if work.journal.is_derived_after(work.stored) {
            return Ok(());
        }
        let stored_some = self.write_steps(work).await?;
        if stored_some && self.parts.worker.always_suspend {
            return Err(Leave::HandBack { after: Duration::ZERO, reason: Reason::HandedBack });
        }
        Ok(())
    }

    /// Stores the steps that wait, and says whether there were any.
    pub(super) async fn write_steps(&self, work: &mut Work) -> Result<bool, Leave> {
        let waiting = &work.journal.steps[work.stored..];
        if waiting.is_empty() {
            return Ok(false);
        }
        let (db, lease) = (&self.app().db, &work.held.lease);
        let first = work.stored as i64;
        let snapshot = work.run.snapshot.is_none().then_some(&*work.snapshot);
        let now = self.app().clock.now();
        let append = || runs::append(db, lease, first, waiting, &work.usage, snapshot, now);
        if self.persist(&work.held, append).await? == Fenced::Stale {
            metrics::counter!("neta_stale_writes_total").increment(1);
            return Err(Leave::Lost);
        }
        work.stored = work.journal.steps.len();
        work.usage.clear();
        work.run.snapshot = Some((*work.snapshot).clone());
        work.run.attempts = 1;
        work.alone = None;
        Ok(true)
    }

    /// Repeats a database operation while the database is away and the lease lasts.
    pub(super) async fn persist<T, F, Fut>(&self, held: &Held, operation: F) -> Result<T, Leave>
    where
        F: Fn() -> Fut,
        Fut: Future<Output = Result<T, StoreError>>,
    {
        loop {
            match operation().await {
                Ok(value) => return Ok(value),
                Err(StoreError::Unavailable(error)) if held.is_valid() => {
                    tracing::warn!(error, "the database is away: trying again");
                    tokio::time::sleep(DATABASE_RETRY).await;
                }
                Err(StoreError::Unavailable(_)) => return Err(Leave::Lost),
                Err(error) => {
                    tracing::error!(%error, "the database refused");
                    return Err(Leave::Fail(Failure::internal()));
                }
            }
        }
    }

    /// Gives the lease back without spending an attempt, and rings when the run is due again.
    async fn hand_back(&self, job: &Job, held: &Held, after: Duration, reason: Reason) {
        let (app, now) = (self.app(), self.app().clock.now());
        let give = || runs::hand_back(&app.db, &held.lease, now + after, reason, false);
        match self.persist(held, give).await {
            Ok(Fenced::Written) => {}
            Ok(Fenced::Stale) | Err(_) => return,
        }
        if after.is_zero() {
            self.ring(job).await;
            return;
        }
        let (queue, job, draining) = (app.queue.clone(), job.clone(), self.draining.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                // The sweep rings instead.
                () = draining.cancelled() => {}
                () = tokio::time::sleep(after) => {
                    if let Err(error) = queue.push(&[job]).await {
                        tracing::debug!(%error, "not rung: the sweep will");
                    }
                }
            }
        });
    }

    /// Rings; where the queue is away, the sweep will.
    pub(super) async fn ring(&self, job: &Job) {
        if let Err(error) = self.app().queue.push(std::slice::from_ref(job)).await {
            tracing::debug!(%error, "not rung: the sweep will");
        }
    }
}

/// Where a run's events go.
pub(super) fn address(run: &Run) -> Address {
    Address { session_id: run.session_id, message_id: run.assistant_message_id, run_id: run.id }
}

/// Between attempts while the database is away.
const DATABASE_RETRY: Duration = Duration::from_millis(200);
