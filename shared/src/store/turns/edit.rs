//! Changing a user's message before its turn begins.

use crate::domain::audit::Entry;
use crate::domain::ids::{AgentId, MessageId, SessionId, TenantId};
use crate::domain::messages::Message;
use crate::store::audit;
use crate::store::db::{Db, Sql, Tx, query};
use crate::store::error::Result;
use crate::store::messages::{message, message_columns};
use crate::store::runs::live;
use chrono::{DateTime, Utc};

/// What became of a wish to change a message.
#[derive(Debug, Clone, PartialEq)]
pub enum EditOutcome {
    /// It is as wished. Without what was told with it, which may be long.
    Edited(Box<Message>),
    /// A worker began its turn, or it ended.
    Started,
    /// The session has no such message of a user's.
    NotFound,
}

/// Changes the text of a user's message whose turn no worker has begun yet: whoever begins it later reads
/// the new one. `line` is the audit's.
pub async fn edit(
    db: &Db,
    tenant_id: TenantId,
    session: SessionId,
    message_id: MessageId,
    content: &str,
    now: DateTime<Utc>,
    line: Option<&Entry>,
) -> Result<EditOutcome> {
    let mut tx = db.begin().await?;
    if !lock_unbegun(&mut tx, tenant_id, session, message_id).await? {
        tx.rollback().await?;
        let known = agent_of(db, tenant_id, session, message_id).await?.is_some();
        return Ok(if known { EditOutcome::Started } else { EditOutcome::NotFound });
    }
    let edited = query(concat!(
        "UPDATE netaclaw_message SET content = $2, update_time = $3 WHERE id = $1 RETURNING ",
        message_columns!(metadata if "role = 'assistant'")
    ));
    let edited = message(&edited.bind(message_id).bind(content).bind(now).one(&mut tx).await?)?;
    audit::record_if(&mut tx, line, now).await?;
    tx.commit().await?;
    Ok(EditOutcome::Edited(Box::new(edited)))
}

/// The text of the index `netaclaw_run_live` stands in it: only so is it a search there.
macro_rules! unbegun {
    ($lock:literal) => {
        concat!(
            "SELECT id FROM netaclaw_run WHERE session_id = $1 AND tenant_id = $2 AND user_message_id = $3 \
             AND kind = 'chat' AND status = 'queued' AND started_at IS NULL AND ",
            live!(""),
            $lock
        )
    };
}

/// Locks the run that is to answer the message; false: there is none, or it was begun. A claim waits for
/// the lock, and reads the message after it; one that came before is seen in the row.
async fn lock_unbegun(
    tx: &mut Tx,
    tenant_id: TenantId,
    session: SessionId,
    message_id: MessageId,
) -> Result<bool> {
    const LOCK: Sql = Sql { sqlite: unbegun!(""), postgres: unbegun!(" FOR UPDATE") };
    Ok(query(LOCK).bind(session).bind(tenant_id).bind(message_id).optional(tx).await?.is_some())
}

/// The agent that a user's message is for; None: the session has no such message of a user's.
pub async fn agent_of(
    db: &Db,
    tenant_id: TenantId,
    session: SessionId,
    user_message_id: MessageId,
) -> Result<Option<AgentId>> {
    let row = query(
        "SELECT agent_id FROM netaclaw_run WHERE id IN (SELECT run_id FROM netaclaw_message \
         WHERE session_id = $1 AND id > $3) AND tenant_id = $2 AND user_message_id = $3",
    );
    let row = row.bind(session).bind(tenant_id).bind(user_message_id).optional(db).await?;
    row.map(|row| row.id("agent_id", AgentId)).transpose()
}
