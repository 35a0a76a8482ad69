//! Stopping a run.

use super::{App, AppError, subagents, turns};
use crate::domain::audit::{By, Entry};
use crate::domain::ids::{MessageId, RunId, SubagentId, TenantId};
use crate::domain::runs::Reason;
use crate::store::runs::{self, CancelOutcome, Cancelled, ParentNext};
use chrono::{DateTime, Utc};

/// What became of a wish to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It is over.
    Ended,
    /// Its worker was told, or those of its subagents; it ends within the renewal time at the latest.
    Stopping,
    /// It had ended before.
    AlreadyOver,
}

/// Waiting runs that one sweep stops at most.
const BATCH: u32 = 500;

/// Stops a run, whatever state it is in, with its subagents. Partial text is kept.
pub async fn stop(app: &App, tenant_id: TenantId, by: By, run_id: RunId) -> Result<Stopped, AppError> {
    stop_as(app, Entry::new(tenant_id, by, "run.stop", &run_id), run_id).await
}

/// Stops a subagent. Its siblings go on.
pub async fn stop_subagent(
    app: &App,
    tenant_id: TenantId,
    by: By,
    id: SubagentId,
) -> Result<Stopped, AppError> {
    stop_as(app, Entry::new(tenant_id, by, "subagent.stop", &id), id.into()).await
}

async fn stop_as(app: &App, line: Entry, run_id: RunId) -> Result<Stopped, AppError> {
    let (tenant_id, now) = (line.tenant_id, app.clock.now());
    let cancelled = runs::cancel(&app.db, tenant_id, run_id, Reason::Stopped, now, Some(&line)).await?;
    announce(app, tenant_id, run_id, &cancelled).await;
    match cancelled.outcome {
        CancelOutcome::NotFound => Err(AppError::NotFound("run")),
        CancelOutcome::AlreadyOver => Ok(Stopped::AlreadyOver),
        CancelOutcome::Flagged { .. } => Ok(Stopped::Stopping),
        CancelOutcome::Ended(_) | CancelOutcome::ChildEnded(_) => Ok(Stopped::Ended),
    }
}

/// Stops the turn that an assistant message belongs to.
pub async fn stop_turn(
    app: &App,
    tenant_id: TenantId,
    by: By,
    message_id: MessageId,
) -> Result<Stopped, AppError> {
    let turn = turns::find(app, tenant_id, message_id).await?;
    stop(app, tenant_id, by, turn.view.run_id).await
}

/// Rings for runs that wait for subagents of which none is live any more: whoever ended the last one
/// died before it could.
pub async fn wake_forgotten_waits(app: &App, now: DateTime<Utc>) -> Result<(), AppError> {
    for (tenant_id, run_id) in runs::forgotten_waits(&app.db, BATCH).await? {
        if let ParentNext::Due(job) = runs::settle(&app.db, run_id, now).await? {
            tracing::info!(%tenant_id, %run_id, "its subagents have ended: it goes on");
            app.ring(&[job]).await;
        }
    }
    Ok(())
}

/// Stops the runs whose wall time ended while they waited for subagents, and ends those that are to stop
/// and that no worker has taken: for their own reason.
pub async fn time_out_waits(app: &App, now: DateTime<Utc>) -> Result<(), AppError> {
    for (tenant_id, run_id) in runs::overdue_waits(&app.db, now, BATCH).await? {
        let cancelled = runs::cancel(&app.db, tenant_id, run_id, Reason::WallTime, now, None).await?;
        announce(app, tenant_id, run_id, &cancelled).await;
    }
    Ok(())
}

/// Tells workers and readers what was stopped, and takes the rings of what is over back.
async fn announce(app: &App, tenant_id: TenantId, run_id: RunId, cancelled: &Cancelled) {
    app.tell_workers(&cancelled.told).await;
    subagents::announce(app, tenant_id, &cancelled.ended).await;
    match &cancelled.outcome {
        CancelOutcome::Ended(ended) => subagents::announce_turn_end(app, tenant_id, ended).await,
        CancelOutcome::ChildEnded(child) => subagents::announce_end(app, tenant_id, child, None).await,
        CancelOutcome::Flagged { .. } | CancelOutcome::AlreadyOver | CancelOutcome::NotFound => return,
    }
    let mut over: Vec<RunId> = cancelled.ended.iter().map(|s| s.run_id).collect();
    over.push(run_id);
    app.take_back(&over).await;
}
