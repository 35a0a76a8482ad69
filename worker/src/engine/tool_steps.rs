//! The tool calls of one response: checked, run at the same time up to a cap, each result stored as
//! soon as it is there.

use super::Engine;
use super::crash::Point;
use super::drive::{Leave, Work};
use crate::tools::{Call, Checked, Outcome, Output, RunScope};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use shared::domain::conversation::ToolCall;
use shared::domain::delegation::Handover;
use shared::domain::events::Event;
use shared::domain::journal::{Step, ToolResult, ToolStatus};
use shared::domain::runs::Reason;
use shared::domain::tools::{Effect, MAX_ERROR_CHARS};
use shared::domain::{text, view};
use std::collections::{BTreeMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::time::Instant;

/// The most characters of a result that go into the journal and to the model.
const RESULT_CHARS: usize = 50_000;

impl Engine {
    /// Runs these calls. Returns early when the run is to be decided anew.
    pub(super) async fn run_tools(&self, work: &mut Work, calls: Vec<ToolCall>) -> Result<(), Leave> {
        let round = work.journal.steps.iter().filter(|s| matches!(s, Step::Model(_))).count();
        let mut waiting: VecDeque<(usize, ToolCall)> = calls.into_iter().enumerate().collect();
        let mut running = FuturesUnordered::new();
        // In the order of the response, whatever order they come in.
        let mut handed = BTreeMap::new();
        loop {
            while running.len() < self.parts.runs.tool_concurrency {
                let Some((at, call)) = waiting.pop_front() else { break };
                self.begin(work, &call).await?;
                if !work.held.is_valid() {
                    return Err(Leave::Lost);
                }
                let one = self.run_one(work, call, round);
                running.push(async move { (at, one.await) });
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
            let Some((at, done)) = done else {
                return self.note_handovers(work, handed.into_values().collect()).await;
            };
            let (result, event) = match done {
                Done::Result(result, event) => (result, event),
                Done::HandedOver(call, handover) => {
                    handed.insert(at, (call, handover));
                    continue;
                }
            };
            self.crash_point(Point::S8);
            if let Some(event) = event {
                work.publisher.send(*event);
            }
            work.publisher.send(view::result_event(&result));
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
    ) -> impl Future<Output = Done> + Send + use<> {
        let checked = work.toolbox.check(&call);
        let idempotency_key = format!("{}:{round}:{}", work.run.id, call.id);
        let (now, limit) = (self.app().clock.now(), work.idle);
        let run =
            RunScope { tenant_id: work.run.tenant_id, session_id: work.run.session_id, run_id: work.run.id };
        let crash_at = self.parts.worker.crash_at.clone();
        async move {
            let started = Instant::now();
            let output = match checked {
                Err(refusal) => Output::error(refusal),
                Ok(Checked { tool, arguments }) => {
                    let run = AssertUnwindSafe(async {
                        super::crash::point(crash_at.as_ref(), Point::S7);
                        tool.run(Call { arguments, idempotency_key, now, run }).await
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
            let text = match output.outcome {
                Outcome::Done(text) => Ok(text),
                Outcome::Failed(text) => Err(text),
                Outcome::HandedOver(handover) => return Done::HandedOver(call, handover),
            };
            metrics::counter!("neta_tool_calls_total", "ok" => if text.is_ok() { "true" } else { "false" })
                .increment(1);
            Done::Result(result_of(call, text, started.elapsed()), output.event.map(Box::new))
        }
    }
}

/// What became of a call.
enum Done {
    /// It has its result.
    Result(ToolResult, Option<Box<Event>>),
    /// Subagents or a person have it.
    HandedOver(ToolCall, Handover),
}

/// The result of a call that was not carried out.
pub(super) fn refused(call: &ToolCall, why: String) -> ToolResult {
    result_of(call.clone(), Err(why), Duration::ZERO)
}

fn result_of(call: ToolCall, text: Result<String, String>, elapsed: Duration) -> ToolResult {
    let (status, text) = match text {
        Ok(text) => (ToolStatus::Ok, text::cut(&text, RESULT_CHARS)),
        Err(text) => (ToolStatus::Error, text::cut(&text, MAX_ERROR_CHARS)),
    };
    ToolResult {
        tool_call_id: call.id,
        name: call.name,
        status,
        text: text::clean_owned(text),
        duration_ms: elapsed.as_millis() as u64,
    }
}
