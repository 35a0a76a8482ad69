//! Sessions whose turns run with a definition that is not saved. They end with their session.

use super::db::{Arg, Db, Tx, query};
use super::error::Result;
use super::turns::lock_session;
use crate::domain::access::Owner;
use crate::domain::agents::AgentSpec;
use crate::domain::ids::{AgentId, SessionId, TenantId};
use chrono::{DateTime, Utc};

/// What a session tries.
#[derive(Debug, Clone, PartialEq)]
pub struct Tryout {
    /// The stored agent that is being changed; None: a new one.
    pub agent_id: Option<AgentId>,
    /// The definition that its next turns begin with.
    pub spec: AgentSpec,
}

/// Begins a session that tries a definition.
pub async fn begin(
    tx: &mut Tx,
    tenant_id: TenantId,
    owner: Option<Owner>,
    session_id: SessionId,
    tryout: &Tryout,
    now: DateTime<Utc>,
) -> Result<()> {
    query(
        "INSERT INTO netaclaw_session (id, tenant_id, agent_id, kind, title, create_time, update_time, owner) \
         VALUES ($1, $2, $3, 'chat', $4, $5, $5, $6)",
    )
    .bind(session_id)
    .bind(tenant_id)
    .bind(tryout.agent_id.map(|id| id.0))
    .bind(tryout.spec.name.as_str())
    .bind(now)
    .bind(owner.map(Owner::to_text))
    .execute(&mut *tx)
    .await?;
    query("INSERT INTO netaclaw_tryout (session_id, tenant_id, agent_id, spec) VALUES ($1, $2, $3, $4)")
        .bind(session_id)
        .bind(tenant_id)
        .bind(tryout.agent_id.map(|id| id.0))
        .bind(Arg::json(&tryout.spec)?)
        .execute(tx)
        .await
        .map(drop)
}

/// What a session tries; None: nothing, or the tenant has no such session.
pub async fn find(db: &Db, tenant_id: TenantId, session_id: SessionId) -> Result<Option<Tryout>> {
    let row = query("SELECT agent_id, spec FROM netaclaw_tryout WHERE session_id = $1 AND tenant_id = $2");
    let Some(row) = row.bind(session_id).bind(tenant_id).optional(db).await? else { return Ok(None) };
    Ok(Some(Tryout { agent_id: row.get::<Option<i64>>("agent_id")?.map(AgentId), spec: row.json("spec")? }))
}

/// Puts another definition in the place of what a session tries: turns that begin from now on run with
/// it. False: it tries nothing.
pub async fn replace(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
    spec: &AgentSpec,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mut tx = db.begin().await?;
    if !lock_session(&mut tx, tenant_id, session_id).await? {
        tx.rollback().await?;
        return Ok(false);
    }
    let replaced = query("UPDATE netaclaw_tryout SET spec = $2 WHERE session_id = $1");
    let replaced = replaced.bind(session_id).bind(Arg::json(spec)?).execute(&mut tx).await?;
    let used = query("UPDATE netaclaw_session SET update_time = $2 WHERE id = $1");
    used.bind(session_id).bind(now).execute(&mut tx).await?;
    tx.commit().await?;
    Ok(replaced > 0)
}

/// Sessions that try something and were not used since, at most `limit`.
pub async fn unused_since(db: &Db, since: DateTime<Utc>, limit: u32) -> Result<Vec<(TenantId, SessionId)>> {
    query(
        "SELECT s.tenant_id, s.id AS session_id FROM netaclaw_tryout t JOIN netaclaw_session s ON s.id = t.session_id \
         WHERE s.update_time <= $1 ORDER BY s.id LIMIT $2",
    )
    .bind(since)
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(|row| Ok((row.id("tenant_id", TenantId)?, super::runs::session_id(row)?)))
    .collect()
}
