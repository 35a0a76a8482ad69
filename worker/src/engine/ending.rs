//! How a run ends: one transaction, then the last event, then the next turn of the session.

use super::Engine;
use super::crash::Point;
use super::drive::{Leave, Work, address};
use super::ends::{ChildEnd, EndStored};
use super::lease::Held;
use super::open::first_view;
use crate::llm::LlmError;
use chrono::{DateTime, Utc};
use shared::bus::{Begin, Publication, Stream};
use shared::domain::decide::Outcome;
use shared::domain::delegation::Budget;
use shared::domain::events::{Event, TurnView};
use shared::domain::ids::{RunId, SessionId};
use shared::domain::jobs::Job;
use shared::domain::journal::Journal;
use shared::domain::messages::{ErrorInfo, Metadata};
use shared::domain::runs::{Reason, Run, RunKind, RunStatus};
use shared::domain::view;
use shared::store::runs::{self, ChildEnding, Ending, FinishOutcome, UsageRow};
use shared::store::{budgets, subagents};
use std::sync::Arc;

/// A fault that ends a run, in words that a user can act on.
#[derive(Debug, Clone)]
pub(super) struct Failure(ErrorInfo);

impl Failure {
    pub(super) fn of(kind: Reason) -> Self {
        Self::new(kind, kind.explanation())
    }

    fn new(kind: Reason, message: impl Into<String>) -> Self {
        Self(ErrorInfo { kind, message: message.into() })
    }

    pub(super) fn internal() -> Self {
        Self::new(Reason::Internal, Reason::Internal.explanation())
    }

    pub(super) fn agent_gone() -> Self {
        Self::new(Reason::AgentGone, Reason::AgentGone.explanation())
    }

    pub(super) fn too_long() -> Self {
        Self::new(Reason::ContextLength, Reason::ContextLength.explanation())
    }

    pub(super) fn sealed_key() -> Self {
        let message =
            "The model's key cannot be opened: it was sealed with another secret key. Enter it again.";
        Self::new(Reason::ModelAuth, message)
    }

    pub(super) fn model_moved() -> Self {
        let message = "The model was moved to another server while this turn was under way, and its key is meant for the new one. Send the message again.";
        Self::new(Reason::ModelAuth, message)
    }

    pub(super) fn model(error: &LlmError) -> Self {
        Self::new(error.reason(), error.user_message())
    }

    pub(super) fn outcome(&self) -> Outcome {
        Outcome { status: RunStatus::Failed, reason: Some(self.0.kind) }
    }
}

/// A run that ends.
struct EndOf<'a> {
    held: &'a Arc<Held>,
    run: &'a Run,
    job: &'a Job,
    budget: Budget,
    /// That it began, if it is a subagent and its turn's readers were not told.
    begun: Option<Event>,
}

impl Engine {
    /// Ends the run in one transaction, tells the readers, rings the session's next turn.
    pub(super) async fn finish(
        &self,
        work: Work,
        outcome: Outcome,
        failure: Option<Failure>,
    ) -> Result<(), Leave> {
        let error = match (outcome.status, failure) {
            (_, Some(failure)) => Some(failure.0),
            (RunStatus::Failed, None) => {
                let kind = outcome.reason.unwrap_or(Reason::Internal);
                Some(Failure::new(kind, kind.explanation()).0)
            }
            _ => None,
        };
        let mut picture = work.publisher.view();
        close(&mut picture, &work.journal, outcome, error, &work);
        let ending = ending(&picture, &work.journal, work.stored, work.usage.clone(), &work);
        let of = EndOf {
            held: &work.held,
            run: &work.run,
            job: &work.job,
            budget: work.snapshot.budget,
            begun: work.publisher.take_begun(),
        };
        self.store_end(of, &ending).await?;
        self.crash_point(Point::S14);
        if picture.error.is_some() && !work.subagents.is_empty() {
            // Each subagent's end is told by its own worker, perhaps too late for this stream, and an
            // error has no picture.
            work.publisher.send(Event::Resync(picture.clone()));
        }
        work.publisher.send(last_event(picture));
        work.publisher.finish().await;
        Ok(())
    }

    async fn store_child_end(&self, of: EndOf<'_>, parent: RunId, ending: &Ending) -> Result<(), Leave> {
        let EndOf { held, run, begun, .. } = of;
        let ending = ChildEnding { lease: held.lease.clone(), parent, ending: ending.clone() };
        let end = ChildEnd { ending, held: held.clone(), begun };
        held.finish();
        match self.persist(held, || self.end_child(run.tenant_id, end.clone())).await? {
            EndStored::Tell(_) | EndStored::Told => Ok(()),
            EndStored::Stale => {
                metrics::counter!("neta_stale_writes_total").increment(1);
                Err(Leave::Lost)
            }
        }
    }

    /// Ends a run that could not be opened, or whose work panicked: with what the journal has.
    pub(super) async fn fail_early(&self, job: &Job, run: &Run, held: &Arc<Held>, failure: Failure) {
        let Ok(journal) = self.persist(held, || runs::journal(&self.app().db, run.id)).await else { return };
        let prices = run.snapshot.as_ref().map(|s| &s.model.limits);
        let mut picture = view::from_journal(first_view(run), &journal, prices);
        if journal.has_delegated() {
            let read = || subagents::of_run(&self.app().db, run.id);
            let Ok(subagents) = self.persist(held, read).await else { return };
            picture = view::with_subagents(picture, &journal, &subagents);
        }
        picture.status = RunStatus::Failed;
        picture.reason = Some(failure.0.kind);
        picture.error = Some(failure.0);
        let ending = Ending { first_seq: journal.steps.len() as i64, ..ending_of(&picture, &journal) };
        let budget = run.snapshot.as_ref().map(|s| s.budget).unwrap_or_default();
        if self.store_end(EndOf { held, run, job, budget, begun: None }, &ending).await.is_err() {
            return;
        }
        if run.kind == RunKind::Subagent {
            return;
        }
        let at = address(run);
        let resync = Event::Resync(picture.clone()).render(at, self.app().clock.now());
        let publication = Publication {
            stream: Stream::of_turn(run.session_id, run.assistant_message_id),
            fence: Some(held.lease.epoch),
            events: vec![last_event(picture).render(at, self.app().clock.now())],
            begin: Begin::Snapshot(resync),
        };
        if let Err(error) = self.app().bus.publish(publication).await {
            tracing::debug!(%error, "readers learn the end from the row");
        }
    }

    async fn store_end(&self, of: EndOf<'_>, ending: &Ending) -> Result<(), Leave> {
        let (run_id, budget) = (of.run.id, of.budget);
        match of.run.parent_run_id {
            // Large, and not of every run.
            Some(parent) => Box::pin(self.store_child_end(of, parent, ending)).await?,
            None => self.store_turn_end(&of, ending).await?,
        }
        if !budget.is_unlimited() {
            let released = budgets::release(&self.app().db, run_id, self.app().clock.now()).await;
            if let Err(error) = released {
                tracing::debug!(%run_id, %error, "what it reserved counts no more, but stays behind");
            }
        }
        Ok(())
    }

    async fn store_turn_end(&self, of: &EndOf<'_>, ending: &Ending) -> Result<(), Leave> {
        let EndOf { held, run, job, .. } = of;
        let now = self.app().clock.now();
        let finish = || runs::finish(&self.app().db, &held.lease, ending, now);
        // A renewal may see the end before its answer is here; the write's own condition decides.
        held.finish();
        match self.persist(held, finish).await? {
            FinishOutcome::Finished { has_successor } => {
                count_turn(run, ending, now);
                if has_successor {
                    self.ring_next(run.session_id, job).await;
                }
                Ok(())
            }
            FinishOutcome::Stale => {
                metrics::counter!("neta_stale_writes_total").increment(1);
                Err(Leave::Lost)
            }
        }
    }

    async fn ring_next(&self, session_id: SessionId, ended: &Job) {
        match runs::next_in_session(&self.app().db, session_id).await {
            Ok(Some(next)) if next.run_id != ended.run_id => self.ring(&next).await,
            Ok(_) => {}
            Err(error) => tracing::debug!(%error, "the session's next turn is rung by the sweep"),
        }
    }
}

/// Completes the picture with how the turn ended.
fn close(picture: &mut TurnView, journal: &Journal, outcome: Outcome, error: Option<ErrorInfo>, work: &Work) {
    if outcome.status == RunStatus::Completed {
        // What the journal says is the truth; the picture showed the same, piece by piece.
        picture.content = journal.answer_text();
        picture.thinking = journal.thinking_text();
    }
    picture.status = outcome.status;
    picture.reason = outcome.reason;
    picture.error = error;
    (picture.usage, picture.cost) = view::spent(journal, &work.snapshot.model.limits, &work.subagents);
}

fn ending(picture: &TurnView, journal: &Journal, stored: usize, usage: Vec<UsageRow>, work: &Work) -> Ending {
    Ending {
        first_seq: stored as i64,
        steps: journal.steps[stored..].to_vec(),
        usage_rows: usage,
        snapshot: work.run.snapshot.is_none().then(|| (*work.snapshot).clone()),
        ..ending_of(picture, journal)
    }
}

fn ending_of(picture: &TurnView, journal: &Journal) -> Ending {
    Ending {
        status: picture.status,
        reason: picture.reason,
        content: picture.content.clone(),
        thinking: picture.thinking.clone(),
        metadata: Metadata {
            todos: picture.todos.clone(),
            tools: picture.tools.clone(),
            subagents: picture.subagents.clone(),
            reason: picture.reason.filter(|_| picture.status == RunStatus::Completed),
            told: None,
        },
        usage: picture.usage,
        cost: picture.cost,
        error: picture.error.clone(),
        tool_call_count: journal.responses().map(|r| r.calls.len() as i64).sum(),
        first_seq: 0,
        steps: Vec::new(),
        usage_rows: Vec::new(),
        snapshot: None,
    }
}

/// The event that ends a turn's stream.
fn last_event(picture: TurnView) -> Event {
    match picture.error {
        Some(ErrorInfo { kind, message }) => Event::Error { kind, message },
        None => Event::Done(picture),
    }
}

fn count_turn(run: &Run, ending: &Ending, now: DateTime<Utc>) {
    metrics::counter!("neta_turns_total", "status" => ending.status.as_str()).increment(1);
    let seconds = |from: DateTime<Utc>| (now - from).num_milliseconds().max(0) as f64 / 1e3;
    metrics::histogram!("neta_turn_seconds").record(seconds(run.create_time));
    if let Some(started) = run.started_at {
        metrics::histogram!("neta_queue_age_seconds").record(seconds(run.create_time) - seconds(started));
    }
}
