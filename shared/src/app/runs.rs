//! Stopping a run.

use super::{App, AppError, turns};
use crate::domain::ids::{MessageId, RunId, TenantId};
use crate::domain::runs::Reason;
use crate::store::runs::{self, CancelOutcome};

/// What became of a wish to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It is over.
    Ended,
    /// Its worker was told; it ends within the renewal time at the latest.
    Stopping,
    /// It had ended before.
    AlreadyOver,
}

/// Stops a run, whatever state it is in. Partial text is kept.
pub async fn stop(app: &App, tenant_id: TenantId, run_id: RunId) -> Result<Stopped, AppError> {
    let cancelled = runs::cancel(&app.db, tenant_id, run_id, Reason::Stopped, app.clock.now()).await?;
    app.tell_workers(&cancelled.told).await;
    match cancelled.outcome {
        CancelOutcome::NotFound => Err(AppError::NotFound("run")),
        CancelOutcome::AlreadyOver => Ok(Stopped::AlreadyOver),
        CancelOutcome::Flagged { .. } => Ok(Stopped::Stopping),
        CancelOutcome::ChildEnded(_) => Ok(Stopped::Ended),
        CancelOutcome::Ended(ended) => {
            if let Err(error) = turns::close_stream(app, tenant_id, ended.assistant_message_id).await {
                tracing::debug!(%run_id, %error, "readers learn its end from the row");
            }
            if let Err(error) = app.queue.remove(run_id).await {
                tracing::debug!(%run_id, %error, "its ring will find it over");
            }
            if ended.has_successor {
                app.ring_next(ended.session_id).await;
            }
            Ok(Stopped::Ended)
        }
    }
}

/// Stops the turn that an assistant message belongs to.
pub async fn stop_turn(app: &App, tenant_id: TenantId, message_id: MessageId) -> Result<Stopped, AppError> {
    let turn = turns::find(app, tenant_id, message_id).await?;
    stop(app, tenant_id, turn.view.run_id).await
}
