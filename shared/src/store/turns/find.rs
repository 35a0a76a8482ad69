//! Reading a turn: the message and where its run stands. What a waiter looks at.

use crate::domain::ids::{AgentId, MessageId, RunId, TenantId};
use crate::domain::messages::Message;
use crate::domain::runs::{Reason, RunStatus};
use crate::store::db::{Arg, Db, Row, Sql, query};
use crate::store::error::Result;
use crate::store::messages::{message, message_columns};

/// A turn as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The placeholder or answer.
    pub message: Message,
    /// The message that it answers.
    pub user_message_id: MessageId,
    /// The run.
    pub run_id: RunId,
    /// The agent that answers.
    pub agent_id: AgentId,
    /// Where the run stands.
    pub status: RunStatus,
    /// Why it waits or how it ended.
    pub reason: Option<Reason>,
}

macro_rules! turn_sql {
    ($ids:literal) => {
        concat!(
            "SELECT ",
            message_columns!("m."),
            ", r.user_message_id, r.agent_id, r.status AS run_status, r.reason AS run_reason \
             FROM netaclaw_message m JOIN netaclaw_run r ON r.id = m.run_id \
             WHERE m.tenant_id = $1 AND m.id ",
            $ids
        )
    };
}

/// The turn of an assistant message.
pub async fn find(db: &Db, tenant_id: TenantId, assistant_message_id: MessageId) -> Result<Option<Turn>> {
    query(turn_sql!("= $2"))
        .bind(tenant_id)
        .bind(assistant_message_id)
        .optional(db)
        .await?
        .as_ref()
        .map(turn)
        .transpose()
}

/// The turns of assistant messages, by id; those that are gone are missing.
pub async fn find_many(db: &Db, tenant_id: TenantId, ids: &[MessageId]) -> Result<Vec<Turn>> {
    const FIND: Sql = Sql {
        sqlite: turn_sql!("IN (SELECT value FROM json_each($2)) ORDER BY m.id"),
        postgres: turn_sql!("= ANY($2) ORDER BY m.id"),
    };
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids = Arg::Ids(ids.iter().map(|id| id.0).collect());
    query(FIND).bind(tenant_id).bind(ids).all(db).await?.iter().map(turn).collect()
}

fn turn(row: &Row) -> Result<Turn> {
    Ok(Turn {
        message: message(row)?,
        user_message_id: row.id("user_message_id", MessageId)?,
        run_id: row.id("run_id", RunId)?,
        agent_id: row.id("agent_id", AgentId)?,
        status: row.parse("run_status", RunStatus::parse)?,
        reason: row.parse_or_null("run_reason", Reason::parse)?,
    })
}
