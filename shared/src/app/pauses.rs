//! Answering a question that a run waits on, and letting it expire.

use super::{App, AppError, subagents};
use crate::domain::audit::{By, Entry};
use crate::domain::events::{Address, Event};
use crate::domain::ids::{PauseId, TenantId};
use crate::domain::pauses::Pause;
use crate::domain::view;
use crate::store::pauses::{self, AnswerOutcome, Closed};
use chrono::{DateTime, Utc};

/// Questions that one sweep lets expire at most.
const BATCH: u32 = 500;

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// It counts.
    Taken(Pause),
    /// It comes too late; the question as it stands.
    Standing(Pause),
    /// It is none of those that are offered.
    NotOffered(Pause),
}

/// Answers a question. The answer is clean already.
pub async fn answer(
    app: &App,
    tenant_id: TenantId,
    by: By,
    id: PauseId,
    answer: &str,
) -> Result<Answered, AppError> {
    // Who answered, not what.
    let line = Entry::new(tenant_id, by, "pause.answer", &id);
    match pauses::answer(&app.db, tenant_id, id, answer, app.clock.now(), Some(&line)).await? {
        AnswerOutcome::Answered(closed) => {
            announce(app, &closed).await;
            Ok(Answered::Taken(closed.pause))
        }
        AnswerOutcome::Standing(pause) => Ok(Answered::Standing(*pause)),
        AnswerOutcome::NotOffered(pause) => Ok(Answered::NotOffered(*pause)),
        AnswerOutcome::NotFound => Err(AppError::NotFound("pause")),
    }
}

/// Closes the questions that nobody answered in time; their runs go on.
pub async fn expire_due(app: &App, now: DateTime<Utc>) -> Result<(), AppError> {
    for (tenant_id, id) in pauses::expired(&app.db, now, BATCH).await? {
        if let Some(closed) = pauses::expire(&app.db, tenant_id, id, now).await? {
            announce(app, &closed).await;
        }
    }
    Ok(())
}

async fn announce(app: &App, closed: &Closed) {
    let pause = &closed.pause;
    let at = Address { session_id: pause.session_id, message_id: pause.message_id, run_id: pause.run_id };
    let mut events = vec![Event::PauseAnswered {
        pause_id: pause.id,
        status: pause.status,
        decision: pause.answer.clone(),
    }];
    events.extend(closed.result.as_ref().map(view::result_event));
    subagents::follow(app, pause.tenant_id, at, events, &closed.resumed, &closed.next).await;
}
