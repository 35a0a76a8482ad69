//! A message that was accepted before, under the same id of its sender's.

use super::accept::{AcceptOutcome, AcceptedTurn, NewTurn, accepted, owner};
use crate::domain::messages::Metadata;
use crate::store::db::{Db, Row, query};
use crate::store::error::{Result, StoreError};

/// The outcome, or the turn that a repetition repeats.
pub(super) async fn or_known(
    db: &Db,
    turn: &NewTurn,
    outcome: Result<AcceptOutcome>,
) -> Result<AcceptOutcome> {
    match outcome {
        Ok(AcceptOutcome::Accepted(_)) => outcome,
        // The sender's id is the only unique value that it chooses.
        Ok(_) | Err(StoreError::Conflict) if turn.client_message_id.is_some() => {
            // Also where it is refused now: sent again, it is still the turn that was accepted, though
            // its own run makes the session busy or its agent is gone.
            known(db, turn).await?.map_or(outcome, Ok)
        }
        outcome => outcome,
    }
}

/// The turn that was accepted under the same client's id, if any. Its answer is the next message of its
/// session: a run is found by its own id only.
async fn known(db: &Db, turn: &NewTurn) -> Result<Option<AcceptOutcome>> {
    let row = query(
        "SELECT m.content, m.metadata, m.session_id, m.id AS user_id, r.assistant_message_id AS assistant_id, r.id AS run_id, \
         s.owner \
         FROM netaclaw_message m JOIN netaclaw_run r ON r.user_message_id = m.id AND r.id = \
         (SELECT a.run_id FROM netaclaw_message a WHERE a.session_id = m.session_id AND a.id > m.id ORDER BY a.id LIMIT 1) \
         JOIN netaclaw_session s ON s.id = m.session_id WHERE m.tenant_id = $1 AND m.client_message_id = $2",
    )
    .bind(turn.sender.tenant_id)
    .bind(turn.client_message_id.as_deref())
    .optional(db)
    .await?;
    match row {
        Some(row) if is_same(turn, &row)? && turn.sender.to.covers(owner(&row)?) => {
            let session_id = crate::store::runs::session_id(&row)?;
            Ok(Some(AcceptOutcome::Known(AcceptedTurn { session_id, ..accepted(turn, &row)? })))
        }
        Some(_) => Ok(Some(AcceptOutcome::ClientIdReused)),
        None => Ok(None),
    }
}

/// Whether the stored message is this one: the same text after the same conversation.
fn is_same(turn: &NewTurn, row: &Row) -> Result<bool> {
    Ok(row.get::<String>("content")? == turn.content && row.json::<Metadata>("metadata")?.told == turn.told)
}
