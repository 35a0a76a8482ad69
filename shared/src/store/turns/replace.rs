//! A message that takes the place of an earlier one, and of all that came after it.

use super::NewTurn;
use super::delete::{DeletedTurn, among};
use crate::domain::audit::Entry;
use crate::domain::ids::{MessageId, SessionId};
use crate::store::audit;
use crate::store::db::{Tx, query};
use crate::store::error::Result;

/// What a new message takes the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaces {
    /// A message of the session, the user's or the assistant's: its turn and all later ones are removed.
    pub message_id: MessageId,
    /// The audit's line of it.
    pub line: Entry,
}

/// Whether the sender's id of the message was used before, seen under the session's lock: a repetition
/// removes nothing.
pub(super) async fn is_repeated(tx: &mut Tx, turn: &NewTurn) -> Result<bool> {
    let Some(id) = &turn.client_message_id else { return Ok(false) };
    let row = query("SELECT id FROM netaclaw_message WHERE tenant_id = $1 AND client_message_id = $2");
    let row = row.bind(turn.sender.tenant_id).bind(id.as_str()).optional(tx).await?;
    Ok(row.is_some())
}

/// Removes what the turn replaces from its session, whose row is locked. None: the session has no such
/// message.
pub(super) async fn remove(tx: &mut Tx, turn: &NewTurn, replaces: &Replaces) -> Result<Option<DeletedTurn>> {
    let session = turn.session_id;
    let Some(first) = first_message(tx, session, replaces.message_id).await? else { return Ok(None) };
    let runs = query(
        "SELECT id, assistant_message_id, status, has_successor FROM netaclaw_run WHERE id IN \
         (SELECT run_id FROM netaclaw_message WHERE session_id = $1 AND id >= $2) ORDER BY id",
    );
    let rows = runs.bind(session).bind(first).all(&mut *tx).await?;
    let removed = among(tx, &rows).await?;
    query("DELETE FROM netaclaw_message WHERE session_id = $1 AND id >= $2")
        .bind(session)
        .bind(first)
        .execute(&mut *tx)
        .await?;
    let shown = serde_json::json!({ "sessionId": session, "turns": rows.len() });
    audit::record(tx, &replaces.line.clone().before(&shown), turn.now).await?;
    Ok(Some(removed))
}

/// The user's message of the turn that a message is part of: no message of an earlier turn comes after it.
async fn first_message(tx: &mut Tx, session: SessionId, message_id: MessageId) -> Result<Option<MessageId>> {
    let row = query(
        "SELECT user_message_id FROM netaclaw_run WHERE id IN \
         (SELECT run_id FROM netaclaw_message WHERE session_id = $1 AND id >= $2) \
         AND (user_message_id = $2 OR assistant_message_id = $2)",
    );
    let row = row.bind(session).bind(message_id).optional(tx).await?;
    row.map(|row| row.id("user_message_id", MessageId)).transpose()
}
