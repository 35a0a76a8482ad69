//! The tool calls of one response: checked, run at the same time up to a cap, each result stored as
//! soon as it is there.

use super::Engine;
use super::crash::Point;
use super::drive::{Leave, Work};
use crate::tools::{Call, Checked, Outcome, Output, RunScope};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use shared::domain::conversation::ToolCall;
use shared::domain::events::Event;
use shared::domain::journal::{Step, ToolResult, ToolStatus};
use shared::domain::runs::Reason;
use shared::domain::tools::{Effect, MAX_ERROR_CHARS};
use shared::domain::{text, view};
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::time::Instant;

/// The most characters of a result that go into the journal and to the model.
const RESULT_CHARS: usize = 50_000;

impl Engine {
    /// Runs these calls. Returns early when the run is to be decided anew.
    pub(super) async fn run_tools(&self, work: &mut Work, calls: Vec<ToolCall>) -> Result<(), Leave> {
        let round = work.journal.steps.iter().filter(|s| matches!(s, Step::Model(_))).count();
        let mut waiting: VecDeque<ToolCall> = calls.into();
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < self.parts.runs.tool_concurrency {
                let Some(call) = waiting.pop_front() else { break };
                self.begin(work, &call).await?;
                if !work.held.is_valid() {
                    return Err(Leave::Lost);
                }
                running.push(self.run_one(work, call, round));
            }
            let wall = tokio::time::sleep(self.wall_left(work));
            let done = tokio::select! {
                biased;
                () = self.hand_back.cancelled() => {
                    return Err(Leave::HandBack { after: Duration::ZERO, reason: Reason::HandedBack });
                }
                () = work.held.cancelled() => return Ok(()),
                () = wall => return Ok(()),
                done = running.next() => done,
            };
            let Some((result, event)) = done else { return Ok(()) };
            self.crash_point(Point::S8);
            if let Some(event) = event {
                work.publisher.send(event);
            }
            work.publisher.send(result_event(&result));
            work.journal.steps.push(Step::ToolResult(result));
            // Stored one by one: a result that is there is kept whatever becomes of the others. The
            // last one is stored by the next decision.
            if !(running.is_empty() && waiting.is_empty()) {
                self.write_steps(work).await?;
            }
        }
    }

    /// Marks an effectful call as begun, so that it is never repeated.
    async fn begin(&self, work: &mut Work, call: &ToolCall) -> Result<(), Leave> {
        let effectful = matches!(work.toolbox.check(call), Ok(c) if c.tool.effect() == Effect::Effectful);
        if !effectful {
            return Ok(());
        }
        work.journal.steps.push(Step::ToolStarted { tool_call_id: call.id.clone() });
        self.write_steps(work).await.map(|_| ())
    }

    /// One call to its result; never fails, never outlives the idle limit.
    fn run_one(
        &self,
        work: &Work,
        call: ToolCall,
        round: usize,
    ) -> impl Future<Output = (ToolResult, Option<Event>)> + Send + use<> {
        let checked = work.toolbox.check(&call);
        let idempotency_key = format!("{}:{round}:{}", work.run.id, call.id);
        let (now, limit) = (self.app().clock.now(), self.parts.runs.idle);
        let crash_at = self.parts.worker.crash_at.clone();
        let scope =
            RunScope { tenant_id: work.run.tenant_id, session_id: work.run.session_id, run_id: work.run.id };
        async move {
            let started = Instant::now();
            let output = match checked {
                Err(refusal) => Output::error(refusal),
                Ok(Checked { tool, arguments }) => {
                    let run = AssertUnwindSafe(async {
                        super::crash::point(crash_at.as_ref(), Point::S7);
                        tool.run(Call { arguments, idempotency_key, now, run: scope }).await
                    });
                    match tokio::time::timeout(limit, run.catch_unwind()).await {
                        Ok(Ok(output)) => output,
                        Ok(Err(_)) => {
                            tracing::error!(tool = tool.name(), "a tool panicked");
                            Output::error("The tool failed by a fault of its own.")
                        }
                        Err(_) => {
                            Output::error(format!("The tool did not answer within {} s.", limit.as_secs()))
                        }
                    }
                }
            };
            metrics::counter!("neta_tool_calls_total", "ok" => if matches!(output.outcome, Outcome::Failed(_)) { "false" } else { "true" })
                .increment(1);
            (result_of(call, output.outcome, started.elapsed()), output.event)
        }
    }
}

fn result_of(call: ToolCall, outcome: Outcome, elapsed: Duration) -> ToolResult {
    let (status, text) = match outcome {
        Outcome::Done(text) => (ToolStatus::Ok, text::cut(&text, RESULT_CHARS)),
        Outcome::Failed(text) => (ToolStatus::Error, text::cut(&text, MAX_ERROR_CHARS)),
        Outcome::HandedOver(_) => (ToolStatus::Error, "This can't be handed over here.".to_owned()),
    };
    ToolResult {
        tool_call_id: call.id,
        name: call.name,
        status,
        text: text::clean_owned(text),
        duration_ms: elapsed.as_millis() as u64,
    }
}

/// What a reader is told of a result.
pub(super) fn result_event(result: &ToolResult) -> Event {
    Event::ToolResult {
        tool_call_id: result.tool_call_id.clone(),
        name: result.name.clone(),
        status: result.status,
        preview: text::cut(&result.text, view::PREVIEW_CHARS),
        duration_ms: result.duration_ms,
    }
}
