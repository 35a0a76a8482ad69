//! Deleting a session.

use super::{App, AppError};
use crate::bus::Stream;
use crate::domain::audit::{By, Entry};
use crate::domain::events::{Address, Event};
use crate::domain::ids::{MessageId, RunId, SessionId, TenantId};
use crate::store::sessions;

/// Deletes a session and all that hangs on it, whatever runs in it. Nothing recreates it: its
/// workers' leases are gone with the rows, and its streams take no more events.
pub async fn delete(app: &App, tenant_id: TenantId, by: By, session_id: SessionId) -> Result<(), AppError> {
    let gone = || AppError::NotFound("session");
    let shown = sessions::find(&app.db, tenant_id, session_id).await?.ok_or_else(gone)?;
    // Without its title, which is the beginning of what was said in it.
    let known = serde_json::json!({
        "userId": shown.user_id,
        "apiKeyId": shown.api_key_id,
        "agentId": shown.agent_id,
        "createTime": shown.create_time,
        "updateTime": shown.update_time,
    });
    let line = Entry::new(tenant_id, by, "session.delete", &session_id).before(&known);
    let deleted = sessions::delete(&app.db, tenant_id, session_id, app.clock.now(), Some(&line)).await?;
    let deleted = deleted.ok_or_else(gone)?;
    app.tell_workers(&deleted.run_ids).await;
    let at = Address { session_id, message_id: MessageId(0), run_id: RunId(0) };
    let farewell = app.render(at, &Event::SessionDeleted {});
    let of_turns = deleted.assistant_message_ids.iter().map(|&id| Stream::of_turn(session_id, id));
    let of_subagents = deleted.subagents.iter().map(|&(id, s)| Stream::of_subagent(session_id, id, s));
    let streams: Vec<Stream> = of_turns.chain(of_subagents).collect();
    if let Err(error) = app.forget(session_id, &streams, Some(farewell), deleted.was_live).await {
        tracing::debug!(%session_id, %error, "logs of a deleted session expire by themselves");
    }
    app.take_back(&deleted.run_ids).await;
    Ok(())
}
