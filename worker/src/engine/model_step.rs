//! One model call of a run: ask the limits, build the request, call, and put the response at the end
//! of the journal, where the next decision has it stored.

use super::Engine;
use super::budget::Allowed;
use super::crash::Point;
use super::drive::{KeyAtHand, Leave, Work};
use super::ending::Failure;
use super::publisher::Publisher;
use super::tokens;
use crate::llm::retry::{self, Policy, RealSleep, call_with_retries};
use crate::llm::{Endpoint, LlmError, Timeouts};
use shared::app::App;
use shared::domain::conversation::{Delta, Request, Response, TokenUsage};
use shared::domain::events::Event;
use shared::domain::history::{self, Parts, TooLong};
use shared::domain::ids::{ModelId, RunId};
use shared::domain::jobs::Job;
use shared::domain::journal::{ModelStep, Step, TEXT_SEPARATOR};
use shared::domain::runs::Reason;
use shared::domain::text;
use shared::domain::view::{self, spent};
use shared::limits::{Ask, Grant, Limits, Permit};
use shared::secrets::Secret;
use shared::store::models;
use shared::store::runs::{self, UsageRow};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What a rate-limited call waits where the provider does not say.
const DEFAULT_RATE_WAIT: Duration = Duration::from_secs(5);

impl Engine {
    /// Calls the model. Returns without a response when the run is to be decided anew (stopped, out
    /// of time).
    pub(super) async fn call_model(&self, work: &mut Work, with_tools: bool) -> Result<(), Leave> {
        let request = self.request(work, with_tools).await?;
        match self.reserve(work, &request).await? {
            Allowed::Call => {}
            Allowed::DecideAnew => return Ok(()),
        }
        let mut permit = self.permit(work, &request).await?;
        let endpoint = self.endpoint(work).await?;
        let started = Instant::now();
        let progress = Progress::new();
        let attempted = {
            let mut relay = Relay::new(work);
            let mut out = |delta| {
                progress.made();
                relay.pass(delta);
            };
            let policy = Policy { max_attempts: self.parts.llm_config.max_attempts, ..Policy::default() };
            let call =
                call_with_retries(&*self.parts.llm, &endpoint, &request, &policy, &RealSleep, &mut out);
            tokio::pin!(call);
            tokio::select! {
                biased;
                () = self.hand_back.cancelled() => {
                    return Err(Leave::HandBack { after: Duration::ZERO, reason: Reason::HandedBack });
                }
                () = work.held.cancelled() => return Ok(()),
                () = tokio::time::sleep(self.wall_left(work)) => return Ok(()),
                () = progress.stalls(work.idle) => return Err(Leave::Fail(Failure::of(Reason::IdleTime))),
                () = permit.keep_alive() => return Err(Leave::Lost),
                attempted = &mut call => attempted,
            }
        };
        let elapsed = started.elapsed();
        match attempted.result {
            Ok(response) => {
                self.crash_point(Point::S5);
                permit.release(&response);
                record_metrics(work, &response, elapsed);
                take_response(work, response, elapsed, attempted.attempts);
                Ok(())
            }
            Err(LlmError::RateLimited { wait, .. }) => {
                let wait = wait.unwrap_or(DEFAULT_RATE_WAIT);
                let model_id = work.snapshot.model.model_id;
                if let Err(error) = self.parts.limits.retry_after(model_id, wait).await {
                    tracing::debug!(%error, "the others do not learn of this wait");
                }
                let after = retry::spread(wait);
                permit.ring_line_after(after, self.draining.clone());
                Err(Leave::HandBack { after, reason: Reason::ModelLimit })
            }
            Err(error) => {
                metrics::counter!("neta_model_errors_total", "kind" => error.kind()).increment(1);
                Err(Leave::Fail(Failure::model(&error)))
            }
        }
    }

    async fn request(&self, work: &Work, with_tools: bool) -> Result<Request, Leave> {
        let model = &work.snapshot.model;
        let tools = if with_tools { work.toolbox.specs() } else { Vec::new() };
        let window = model.limits.window() as usize;
        let answer = model.limits.max_output_tokens.map_or(window / 4, |t| t as usize).min(window / 2);
        let budget = window - answer;
        let tool_tokens = tokens::of_tools(&tools);
        let (system, past, user, journal) =
            (work.system.clone(), work.past.clone(), work.user.clone(), &work.journal);
        let parts =
            Parts { system: &system, past: &past.turns, user: &user, journal, budget, tools: tool_tokens };
        let built = match history::build_if_small(&parts) {
            Some(built) => Ok(built),
            None => {
                // Counting tokens of a long conversation takes a while: not on a runtime thread.
                let (journal, tool_text) = (journal.clone(), tokens::text_of_tools(&tools));
                tokio::task::spawn_blocking(move || {
                    let tool_tokens = tokens::count(&tool_text);
                    let (system, past, user, journal) = (&system, &past.turns, &user, &journal);
                    let parts = Parts { system, past, user, journal, budget, tools: tool_tokens };
                    history::build(&parts, &tokens::count)
                })
                .await
                .map_err(|_| Leave::Fail(Failure::internal()))?
            }
        };
        let built = built.map_err(|TooLong| Leave::Fail(Failure::too_long()))?;
        Ok(Request {
            system: built.system,
            entries: built.entries,
            tools,
            max_output_tokens: model.limits.max_output_tokens,
            temperature: work.snapshot.agent.temperature,
        })
    }

    /// The right to call, or the run is handed back until its turn comes.
    async fn permit(&self, work: &Work, request: &Request) -> Result<HeldPermit, Leave> {
        let limits = &work.snapshot.model.limits;
        let ask = Ask {
            model_id: work.snapshot.model.model_id,
            job: &work.job,
            max_concurrency: limits.max_concurrency,
            rpm: limits.rpm,
            tpm: limits.tpm,
            estimated_tokens: if limits.tpm.is_some() { tokens::guess(request) } else { 0 },
        };
        match self.parts.limits.acquire(ask).await {
            Ok(Grant::Granted(permit)) => Ok(HeldPermit {
                limits: self.parts.limits.clone(),
                app: self.parts.app.clone(),
                tasks: self.tasks.clone(),
                permit: Some(permit),
            }),
            Ok(Grant::Refused { after }) => Err(Leave::HandBack { after, reason: Reason::ModelLimit }),
            Err(error) => {
                tracing::warn!(%error, "limits are away: the run waits");
                Err(Leave::HandBack { after: Duration::from_secs(1), reason: Reason::ModelLimit })
            }
        }
    }

    /// The model's address, with its key looked up now.
    async fn endpoint(&self, work: &mut Work) -> Result<Endpoint, Leave> {
        let model = &work.snapshot.model;
        let sealed = match std::mem::replace(&mut work.key, KeyAtHand::LookUp) {
            KeyAtHand::Read(sealed) => sealed,
            KeyAtHand::LookUp => {
                let (db, tenant) = (&self.app().db, work.run.tenant_id);
                let found = self.persist(&work.held, || models::find(db, tenant, model.model_id)).await?;
                let found = found.ok_or(Leave::Fail(Failure::agent_gone()))?;
                if found.api_key_sealed.is_some() && found.server() != model.server() {
                    // The key was stored for the new server, and is sent to no other.
                    return Err(Leave::Fail(Failure::model_moved()));
                }
                found.api_key_sealed
            }
        };
        let key = sealed.map(|s| self.app().open_key(work.run.tenant_id, &s)).transpose();
        let key: Option<Secret> = key.map_err(|error| {
            tracing::error!(%error, "a model's key cannot be opened");
            Leave::Fail(Failure::sealed_key())
        })?;
        let config = &self.parts.llm_config;
        let timeouts = Timeouts {
            connect: config.connect,
            headers: config.header,
            idle: config.idle,
            no_tokens: config.silent,
        };
        Ok(Endpoint { timeouts, ..Endpoint::new(model, key) })
    }
}

/// When something last happened: a lease that is kept alive says nothing about that.
struct Progress(Mutex<Instant>);

impl Progress {
    fn new() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    fn made(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Returns when nothing has happened for so long.
    async fn stalls(&self, limit: Duration) {
        loop {
            let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() >= limit {
                return;
            }
            tokio::time::sleep_until(last + limit).await;
        }
    }
}

/// Passes what the model says on to the readers.
struct Relay<'a> {
    publisher: &'a Publisher,
    /// What stands when this call's text is withdrawn.
    base: (String, String),
    /// A blank line goes before this call's first text, first thinking.
    gap: (bool, bool),
}

impl<'a> Relay<'a> {
    fn new(work: &'a Work) -> Self {
        let base = (work.journal.answer_text(), work.journal.thinking_text());
        let gap = (!base.0.is_empty(), !base.1.is_empty());
        Self { publisher: &work.publisher, base, gap }
    }

    fn pass(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => {
                let text = spaced(&mut self.gap.0, text);
                self.publisher.send(Event::TextDelta { text });
            }
            Delta::Thinking(text) => {
                let text = spaced(&mut self.gap.1, text);
                self.publisher.send(Event::ThinkingDelta { text });
            }
            Delta::Reset => {
                let (text, thinking) = self.base.clone();
                self.gap = (!text.is_empty(), !thinking.is_empty());
                self.publisher.send(Event::TextReset { text, thinking });
            }
        }
    }
}

fn spaced(gap: &mut bool, text: String) -> String {
    let text = text::clean_owned(text);
    if std::mem::take(gap) { format!("{TEXT_SEPARATOR}{text}") } else { text }
}

/// Puts a response at the end of the journal and tells the readers what it brought.
fn take_response(work: &mut Work, mut response: Response, elapsed: Duration, attempts: u32) {
    response.text = text::clean_owned(response.text);
    response.thinking = text::clean_owned(response.thinking);
    // What is only handed over is told with what it begins, a moment later.
    let lazily = work.toolbox.only_hands_over(&response.calls);
    for call in &mut response.calls {
        call.name = text::clean(&call.name).into_owned();
        call.arguments = text::clean(&call.arguments).into_owned();
        call.id = work.journal.unused_id(&text::clean(&call.id));
        let event = view::call_event(call);
        if lazily {
            work.publisher.send_lazily(event);
        } else {
            work.publisher.send(event);
        }
    }
    let prices = &work.snapshot.model.limits;
    if let Some(usage) = response.usage {
        work.usage.push(UsageRow {
            step_seq: work.journal.steps.len() as i64,
            model_id: work.snapshot.model.model_id,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost: prices.cost(usage),
            duration_ms: elapsed.as_millis() as u64,
        });
    }
    let goes_on = !response.calls.is_empty();
    work.journal.steps.push(Step::Model(ModelStep {
        response,
        duration_ms: elapsed.as_millis() as u64,
        attempts,
    }));
    // The last call's usage comes with the turn's end.
    if goes_on {
        let (usage, cost) = spent(&work.journal, &work.snapshot.model.limits, &work.subagents);
        if let Some(TokenUsage { input_tokens, output_tokens }) = usage {
            work.publisher.send_lazily(Event::Usage { input_tokens, output_tokens, cost });
        }
    }
}

fn record_metrics(work: &Work, response: &Response, elapsed: Duration) {
    let provider = work.snapshot.model.provider.as_str();
    metrics::histogram!("neta_model_call_seconds", "provider" => provider).record(elapsed.as_secs_f64());
    if let Some(usage) = response.usage {
        let count = |direction, n| {
            metrics::counter!("neta_tokens_total", "provider" => provider, "direction" => direction)
                .increment(n);
        };
        count("input", usage.input_tokens);
        count("output", usage.output_tokens);
    }
}

/// A permit that is given back whatever happens, and kept alive meanwhile.
struct HeldPermit {
    limits: Arc<dyn Limits>,
    app: Arc<App>,
    tasks: TaskTracker,
    permit: Option<Permit>,
}

impl HeldPermit {
    /// Renews the permit for as long as it is polled; never returns.
    async fn keep_alive(&self) {
        let Some(permit) = self.permit.as_ref().filter(|p| p.counted) else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(Permit::LIFETIME / 3).await;
            if let Err(error) = self.limits.renew(std::slice::from_ref(permit)).await {
                tracing::debug!(%error, "a permit was not renewed");
            }
        }
    }

    fn release(&mut self, response: &Response) {
        let used = response.usage.map_or(0, |u| u.input_tokens + u.output_tokens);
        self.give_back(used);
    }

    fn give_back(&mut self, used_tokens: u64) {
        let Some(permit) = self.permit.take().filter(|p| p.counted) else { return };
        self.tasks.spawn(release_and_ring(self.limits.clone(), self.app.clone(), permit, used_tokens));
    }

    /// Nobody is rung while the provider's wait lasts, and the permit is given back before it ends: so
    /// who stands in line for a place is rung by a second look after it.
    fn ring_line_after(&self, wait: Duration, draining: CancellationToken) {
        let Some(permit) = self.permit.clone().filter(|p| p.counted) else { return };
        let look = release_and_ring(self.limits.clone(), self.app.clone(), permit, 0);
        self.tasks.spawn(async move {
            tokio::select! {
                () = draining.cancelled() => {}
                () = tokio::time::sleep(wait) => look.await,
            }
        });
    }
}

/// Gives a permit back, which may be done more than once, and rings for those whose turn has come.
async fn release_and_ring(limits: Arc<dyn Limits>, app: Arc<App>, permit: Permit, used_tokens: u64) {
    let model_id = permit.model_id;
    let ring = async {
        let next = limits.release(permit, used_tokens).await.map_err(|e| e.to_string())?;
        let live = only_live(&*limits, &app, model_id, next).await?;
        if live.is_empty() { Ok(()) } else { app.queue.push(&live).await.map_err(|e| e.to_string()) }
    };
    let rung: Result<(), String> = ring.await;
    if let Err(error) = rung {
        tracing::debug!(error, "who waits for the model is rung later");
    }
}

/// Those whose turn has come and who have not ended meanwhile: who has leaves the line, so that its place
/// does not stand empty, and the next one's turn has come.
async fn only_live(
    limits: &dyn Limits,
    app: &App,
    model_id: ModelId,
    mut next: Vec<Job>,
) -> Result<Vec<Job>, String> {
    let mut live = Vec::new();
    while !next.is_empty() {
        let ids: Vec<RunId> = next.iter().map(|job| job.run_id).collect();
        let over = runs::over(&app.db, &ids).await.map_err(|e| e.to_string())?;
        live.extend(next.extract_if(.., |job| !over.contains(&job.run_id)));
        next.clear();
        for run_id in over {
            next.extend(limits.leave(model_id, run_id).await.map_err(|e| e.to_string())?);
        }
    }
    Ok(live)
}

impl Drop for HeldPermit {
    fn drop(&mut self) {
        self.give_back(0);
    }
}
