//! Sessions that try an agent before it is saved.

use super::{App, AppError, sessions};
use crate::domain::access::Sender;
use crate::domain::audit::By;
use crate::domain::ids::SessionId;
use crate::store::tryouts::{self, Tryout};
use chrono::{DateTime, TimeDelta, Utc};

/// How long one stays after it was last used.
const KEPT: TimeDelta = TimeDelta::days(1);
/// As many end in one sweep at most.
const BATCH: u32 = 100;

/// Begins one.
pub async fn begin(app: &App, sender: &Sender, tryout: &Tryout) -> Result<SessionId, AppError> {
    let session_id = SessionId::generate_for_tryout();
    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    tryouts::begin(&mut tx, sender.tenant_id, sender.owner, session_id, tryout, now).await?;
    tx.commit().await?;
    Ok(session_id)
}

/// Ends those that were not used for a day.
pub async fn end_unused(app: &App, now: DateTime<Utc>) -> Result<(), AppError> {
    for (tenant_id, session_id) in tryouts::unused_since(&app.db, now - KEPT, BATCH).await? {
        match sessions::delete(app, tenant_id, By::neta(), session_id).await {
            // Somebody else ended it.
            Ok(()) | Err(AppError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
