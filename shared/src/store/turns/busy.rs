//! A session's live turns, looked at under the lock of its row.

use crate::domain::ids::{RunId, SessionId};
use crate::domain::runs::Reason;
use crate::domain::subagents::Subagent;
use crate::store::db::{Sql, Tx, query};
use crate::store::error::Result;
use crate::store::runs::{CancelOutcome, Ended, live, locked, locked_sql, stop_tree};
use chrono::{DateTime, Utc};

/// What `Policy::Interrupt` did.
#[derive(Debug, Default)]
pub(super) struct Interrupted {
    pub(super) cancelled: Vec<Ended>,
    pub(super) subagents: Vec<Subagent>,
    pub(super) to_stop: Vec<RunId>,
}

/// Whether any turn of the session is live.
pub(super) async fn is_busy(tx: &mut Tx, session_id: SessionId) -> Result<bool> {
    let row = query(concat!(
        "SELECT id FROM netaclaw_run WHERE session_id = $1 AND kind = 'chat' AND ",
        live!(""),
        " LIMIT 1"
    ));
    Ok(row.bind(session_id).optional(tx).await?.is_some())
}

/// Stops every live turn of the session: at once where no worker holds it or one of its subagents.
pub(super) async fn interrupt(tx: &mut Tx, session_id: SessionId, now: DateTime<Utc>) -> Result<Interrupted> {
    const LIVE_TURNS: Sql =
        locked_sql!(concat!("session_id = $1 AND kind = 'chat' AND ", live!(""), " ORDER BY id"));
    let mut done = Interrupted::default();
    for row in query(LIVE_TURNS).bind(session_id).bind(now).all(&mut *tx).await? {
        let stopped = stop_tree(tx, &locked(&row)?, Reason::Interrupted, now).await?;
        if let CancelOutcome::Ended(ended) = stopped.outcome {
            done.cancelled.push(ended);
        }
        done.subagents.extend(stopped.ended);
        done.to_stop.extend(stopped.told);
    }
    Ok(done)
}
