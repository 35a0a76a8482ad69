//! Messages: read here, written by turns and runs.

use super::db::{Db, Row, Sql, query};
use super::error::{Result, StoreError};
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::{MessageId, RunId, SessionId, TenantId};
use crate::domain::messages::{Message, MessageStatus, Role};

/// The columns of a message, each with a prefix; with a condition, metadata only where it holds.
macro_rules! message_columns {
    ($p:literal) => {
        $crate::store::messages::message_columns!($p, "metadata")
    };
    (metadata if $condition:literal) => {
        $crate::store::messages::message_columns!(
            "",
            concat!("CASE WHEN ", $condition, " THEN metadata END AS metadata")
        )
    };
    ($p:literal, $metadata:expr) => {
        concat!(
            $p,
            "id, ",
            $p,
            "tenant_id, ",
            $p,
            "session_id, ",
            $p,
            "role, ",
            $p,
            "status, ",
            $p,
            "content, ",
            $p,
            "thinking, ",
            $p,
            $metadata,
            ", ",
            $p,
            "run_id, ",
            $p,
            "input_tokens, ",
            $p,
            "output_tokens, ",
            $p,
            "cost, ",
            $p,
            "error, ",
            $p,
            "client_message_id, ",
            $p,
            "create_time, ",
            $p,
            "update_time"
        )
    };
}
pub(super) use message_columns;

pub(super) fn message(row: &Row) -> Result<Message> {
    let tokens = row.get::<Option<i64>>("input_tokens")?.zip(row.get("output_tokens")?);
    Ok(Message {
        id: row.id("id", MessageId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        session_id: super::runs::session_id(row)?,
        role: row.parse("role", Role::parse)?,
        status: row.parse("status", MessageStatus::parse)?,
        content: row.get("content")?,
        thinking: row.get("thinking")?,
        metadata: row.json_or_null("metadata")?.unwrap_or_default(),
        run_id: row.get::<Option<i64>>("run_id")?.map(RunId),
        usage: tokens.map(|(input, output): (i64, i64)| TokenUsage {
            input_tokens: input as u64,
            output_tokens: output as u64,
        }),
        cost: row.get("cost")?,
        error: row.json_or_null("error")?,
        client_message_id: row.get("client_message_id")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One message of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: MessageId) -> Result<Option<Message>> {
    query(concat!("SELECT ", message_columns!(""), " FROM netaclaw_message WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(message)
        .transpose()
}

/// Messages of a session, oldest first, at most `limit`; `after` is the last one of the page before.
/// Without what was told with users' messages, which [`find`] has: it may be long.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
    after: Option<MessageId>,
    limit: u32,
) -> Result<Vec<Message>> {
    let rows = query(concat!(
        "SELECT ",
        message_columns!(metadata if "role = 'assistant'"),
        " FROM netaclaw_message WHERE session_id = $1 AND tenant_id = $2 AND id > $3 ORDER BY id LIMIT $4"
    ))
    .bind(session_id)
    .bind(tenant_id)
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?;
    rows.iter().map(message).collect()
}

/// As [`list`], newest first; `before` is the last one of the page before.
pub async fn list_newest(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
    before: Option<MessageId>,
    limit: u32,
) -> Result<Vec<Message>> {
    let rows = query(concat!(
        "SELECT ",
        message_columns!(metadata if "role = 'assistant'"),
        " FROM netaclaw_message WHERE session_id = $1 AND tenant_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    ))
    .bind(session_id)
    .bind(tenant_id)
    .bind(before.map_or(i64::MAX, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?;
    rows.iter().map(message).collect()
}

/// Tokens and price of all turns of a session; None where no provider counted any.
pub async fn usage(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
) -> Result<(Option<TokenUsage>, Option<f64>)> {
    // A sum of integers is `numeric` in Postgres.
    const SUM: Sql = Sql {
        sqlite: "SELECT SUM(input_tokens) AS input, SUM(output_tokens) AS output, SUM(cost) AS cost \
                 FROM netaclaw_message WHERE session_id = $1 AND tenant_id = $2",
        postgres: "SELECT CAST(SUM(input_tokens) AS bigint) AS input, \
                   CAST(SUM(output_tokens) AS bigint) AS output, SUM(cost) AS cost \
                   FROM netaclaw_message WHERE session_id = $1 AND tenant_id = $2",
    };
    let row = query(SUM).bind(session_id).bind(tenant_id).one(db).await?;
    let tokens = match row.get::<Option<i64>>("input")?.zip(row.get("output")?) {
        Some((input, output)) => {
            Some(TokenUsage { input_tokens: unsigned(input)?, output_tokens: unsigned(output)? })
        }
        None => None,
    };
    Ok((tokens, row.get("cost")?))
}

/// What a stored number that cannot be negative reads as.
pub(super) fn unsigned(n: i64) -> Result<u64> {
    u64::try_from(n).map_err(|_| StoreError::Corrupt("a count is negative".into()))
}
