//! Looking at a subagent as at a turn: the picture that its own stream adds up to.

use super::{App, AppError};
use crate::domain;
use crate::domain::events::TurnView;
use crate::domain::ids::{MessageId, SessionId, SubagentId, TenantId};
use crate::domain::journal::Journal;
use crate::domain::messages::ErrorInfo;
use crate::domain::runs::{Reason, Run, RunStatus};
use crate::domain::subagents::{Subagent, SubagentBatch};
use crate::domain::view;
use crate::store::{runs, subagents};
use std::collections::HashMap;

/// A subagent with all that it did.
#[derive(Debug, Clone)]
pub struct Detail {
    /// Its row.
    pub subagent: Subagent,
    /// Its run.
    pub run: Run,
    /// What it did.
    pub journal: Journal,
}

/// A subagent, its run and its journal.
pub async fn detail(app: &App, tenant_id: TenantId, id: SubagentId) -> Result<Detail, AppError> {
    let gone = || AppError::NotFound("subagent");
    let subagent = subagents::find(&app.db, tenant_id, id).await?.ok_or_else(gone)?;
    let run = runs::find(&app.db, tenant_id, subagent.run_id).await?.ok_or_else(gone)?;
    let journal = runs::journal(&app.db, run.id).await?;
    Ok(Detail { subagent, run, journal })
}

/// The picture of a subagent as its rows show it, and its session.
pub async fn find(app: &App, tenant_id: TenantId, id: SubagentId) -> Result<(SessionId, TurnView), AppError> {
    let detail = detail(app, tenant_id, id).await?;
    Ok((detail.subagent.session_id, of(&detail)))
}

/// The picture that a subagent's journal and rows show.
pub fn of(detail: &Detail) -> TurnView {
    let Detail { subagent, run, journal } = detail;
    let first = TurnView::new(run.user_message_id, run.assistant_message_id, run.id);
    let prices = run.snapshot.as_ref().map(|s| &s.model.limits);
    let mut view = view::from_journal(first, journal, prices);
    view.status = run.status;
    view.reason = run.reason;
    if run.status == RunStatus::Failed {
        let kind = run.reason.unwrap_or(Reason::Internal);
        let message = subagent.error.clone().unwrap_or_default();
        view.error = Some(ErrorInfo { kind, message });
    }
    view
}

/// The batches of turns in flight as the rows show them, by message; turns without are missing.
pub async fn batches(
    app: &App,
    tenant_id: TenantId,
    session_id: SessionId,
    messages: &[MessageId],
) -> Result<HashMap<MessageId, Vec<SubagentBatch>>, AppError> {
    let all = subagents::of_messages(&app.db, tenant_id, session_id, messages).await?;
    let mut by_message: HashMap<MessageId, Vec<Subagent>> = HashMap::new();
    for subagent in all {
        by_message.entry(subagent.parent_message_id).or_default().push(subagent);
    }
    let mut batches = HashMap::new();
    for (message_id, mut children) in by_message {
        children.sort_by_key(|c| c.id);
        let Some(parent) = children.first().map(|c| c.parent_run_id) else { continue };
        let journal = runs::journal(&app.db, parent).await?;
        batches.insert(message_id, domain::subagents::batches(&children, &journal));
    }
    Ok(batches)
}
