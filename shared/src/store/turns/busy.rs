//! A session's live turns, looked at under the lock of its row.

use crate::domain::ids::{MessageId, RunId, SessionId};
use crate::domain::runs::Reason;
use crate::store::db::{Sql, Tx, query};
use crate::store::error::Result;
use crate::store::runs::{Ended, end_cancelled, flag, is_leased, live};
use chrono::{DateTime, Utc};

/// What `Policy::Interrupt` did.
#[derive(Debug, Default)]
pub(super) struct Interrupted {
    pub(super) cancelled: Vec<Ended>,
    pub(super) to_stop: Vec<RunId>,
}

macro_rules! live_turns {
    ($clock:literal, $lock:literal) => {
        concat!(
            "SELECT id, assistant_message_id, has_successor, status = 'running' AND lease_expires_at > ",
            $clock,
            " AS leased FROM netaclaw_run WHERE session_id = $1 AND kind = 'chat' AND ",
            live!(""),
            " ORDER BY id",
            $lock
        )
    };
}

const LIVE_TURNS: Sql =
    Sql { sqlite: live_turns!("$2", ""), postgres: live_turns!("clock_timestamp()", " FOR UPDATE") };

/// Whether any turn of the session is live.
pub(super) async fn is_busy(tx: &mut Tx, session_id: SessionId) -> Result<bool> {
    let row = query(concat!(
        "SELECT id FROM netaclaw_run WHERE session_id = $1 AND kind = 'chat' AND ",
        live!(""),
        " LIMIT 1"
    ));
    Ok(row.bind(session_id).optional(tx).await?.is_some())
}

/// Stops every live turn of the session: at once where no worker holds it.
pub(super) async fn interrupt(tx: &mut Tx, session_id: SessionId, now: DateTime<Utc>) -> Result<Interrupted> {
    let mut done = Interrupted::default();
    for row in query(LIVE_TURNS).bind(session_id).bind(now).all(&mut *tx).await? {
        let run_id = row.id("id", RunId)?;
        if is_leased(&row)? {
            flag(tx, run_id, Reason::Interrupted).await?;
            done.to_stop.push(run_id);
            continue;
        }
        let assistant_message_id = row.id("assistant_message_id", MessageId)?;
        end_cancelled(tx, run_id, assistant_message_id, Reason::Interrupted, now).await?;
        let has_successor = row.get("has_successor")?;
        done.cancelled.push(Ended { run_id, session_id, assistant_message_id, has_successor });
    }
    Ok(done)
}
