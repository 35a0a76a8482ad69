//! The budget of the whole tree: a call is made only when what it may use is reserved.

use super::Engine;
use super::drive::{Leave, Work};
use super::ending::Failure;
use super::tokens;
use chrono::TimeDelta;
use shared::domain::budgets::Spend;
use shared::domain::conversation::{Request, TokenUsage};
use shared::domain::journal::{Note, Step};
use shared::domain::runs::{Reason, RunKind};
use shared::store::budgets::{self, Reserved, Wish};
use std::time::Duration;

/// Tokens that an answer may have by estimate where nothing limits it.
const ANSWER: u64 = 512;
/// When to ask again for room that calls under way may leave.
const AGAIN: Duration = Duration::from_secs(1);

/// What is to be done after a wish for a call.
pub(super) enum Allowed {
    /// Call.
    Call,
    /// The journal has changed: decide anew.
    DecideAnew,
}

impl Engine {
    /// Reserves what the call may use. The last call of a supervisor that is to finish needs nothing.
    pub(super) async fn reserve(&self, work: &mut Work, request: &Request) -> Result<Allowed, Leave> {
        let budget = work.snapshot.budget;
        if budget.is_unlimited() || is_last_call(work) {
            return Ok(Allowed::Call);
        }
        let (now, patience) = (self.app().clock.now(), self.parts.delegation.clarify_deadline);
        let wish = Wish {
            tenant_id: work.run.tenant_id,
            session_id: work.run.session_id,
            root_run_id: work.run.root_run_id,
            budget,
            step_seq: work.journal.steps.len() as i64,
            call: estimate(work, request),
            deadline: now + TimeDelta::from_std(patience).unwrap_or(TimeDelta::MAX),
        };
        let (db, lease) = (&self.app().db, &work.held.lease);
        match self.persist(&work.held, || budgets::reserve(db, lease, &wish, now)).await? {
            Reserved::Granted => Ok(Allowed::Call),
            Reserved::Later => Err(Leave::HandBack { after: AGAIN, reason: Reason::Budget }),
            Reserved::Finish if work.run.kind == RunKind::Subagent => {
                Err(Leave::Fail(Failure::of(Reason::Budget)))
            }
            Reserved::Finish => {
                work.journal.steps.push(Step::Note(Note::LastCall { reason: Reason::Budget }));
                Ok(Allowed::DecideAnew)
            }
            Reserved::Paused(pause) => {
                work.held.finish();
                Err(self.paused_by_budget(work, pause).await)
            }
            Reserved::Stale => Err(Leave::Lost),
        }
    }
}

fn is_last_call(work: &Work) -> bool {
    work.journal.steps.iter().any(|s| matches!(s, Step::Note(Note::LastCall { reason: Reason::Budget })))
}

fn estimate(work: &Work, request: &Request) -> Spend {
    let limits = &work.snapshot.model.limits;
    let usage = TokenUsage {
        input_tokens: tokens::guess(request),
        output_tokens: limits.max_output_tokens.map_or(ANSWER, u64::from),
    };
    Spend { tokens: usage.input_tokens + usage.output_tokens, cost: limits.cost(usage).unwrap_or(0.0) }
}
