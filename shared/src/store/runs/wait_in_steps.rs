//! The same as the one statement of `wait`, by simple statements in a transaction: for SQLite.

use super::journal::insert;
use super::session_id;
use super::wait::{Made, NewChild, WAIT, Waiting, bind_wait, places};
use crate::domain::ids::{AgentId, MessageId, RunId, TenantId};
use crate::domain::runs::Lease;
use crate::store::db::{Arg, Db, Row, Tx, query};
use crate::store::error::Result;
use crate::store::pauses;
use chrono::{DateTime, Utc};

/// Lets a run wait; None: the lease is lost.
pub(super) async fn in_steps(
    db: &Db,
    lease: &Lease,
    waiting: &Waiting,
    now: DateTime<Utc>,
) -> Result<Option<Made>> {
    let mut tx = db.begin().await?;
    let Some(run) = bind_wait(query(WAIT), lease, waiting, now)?.optional(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    insert(&mut tx, &run, waiting.first_seq, &waiting.steps, &waiting.usage_rows, now).await?;
    let mut made = Made { run, children: Vec::new(), pauses: Vec::new() };
    if made.run.get::<Option<String>>("cancel_reason")?.is_none() {
        for (child, place) in waiting.children.iter().zip(0..) {
            let begins = place < places(waiting);
            made.children.push(insert_child(&mut tx, &made.run, child, begins, now).await?);
        }
        let (tenant_id, session) = (made.run.id("tenant_id", TenantId)?, session_id(&made.run)?);
        let run_id = made.run.id("id", RunId)?;
        for pause in &waiting.pauses {
            let id = pauses::insert(&mut tx, tenant_id, session, run_id, pause, now).await?;
            made.pauses.push(id.0);
        }
    }
    tx.commit().await?;
    Ok(Some(made))
}

async fn insert_child(
    tx: &mut Tx,
    run: &Row,
    child: &NewChild,
    begins: bool,
    now: DateTime<Utc>,
) -> Result<i64> {
    let (tenant_id, session) = (run.id("tenant_id", TenantId)?, session_id(run)?);
    let (parent, message) = (run.id("id", RunId)?, run.id("assistant_message_id", MessageId)?);
    let (status, reason) = if begins { ("queued", None) } else { ("held", Some("parent_concurrency")) };
    let id = query(
        "INSERT INTO netaclaw_run (tenant_id, session_id, kind, parent_run_id, root_run_id, agent_id, \
         user_message_id, assistant_message_id, status, reason, snapshot, attempts, step_count, lease_epoch, due_at, \
         traceparent, has_successor, create_time) \
         VALUES ($1, $2, 'subagent', $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, 0, $11, $12, FALSE, $11) RETURNING id",
    )
    .bind(tenant_id)
    .bind(session)
    .bind(parent)
    .bind(run.id("root_run_id", RunId)?)
    .bind(child.agent_id)
    .bind(run.id("user_message_id", MessageId)?)
    .bind(message)
    .bind(status)
    .bind(reason)
    .bind(Arg::json(&child.snapshot)?)
    .bind(now)
    .bind(run.get::<Option<String>>("traceparent")?)
    .one(&mut *tx)
    .await?
    .get::<i64>("id")?;
    query(
        "INSERT INTO netaclaw_subagent_session (id, tenant_id, session_id, parent_message_id, parent_run_id, \
         parent_tool_call_id, parent_agent_id, run_id, source_type, preset_agent_id, name, goal, context, status, \
         model, tool_names, sort_order, create_time, update_time) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $1, $8, $9, $10, $11, $12, 'queued', $13, $14, $15, $16, $16)",
    )
    .bind(id)
    .bind(tenant_id)
    .bind(session)
    .bind(message)
    .bind(parent)
    .bind(child.tool_call_id.as_str())
    .bind(run.id("agent_id", AgentId)?)
    .bind(child.source_type.as_str())
    .bind(child.preset_agent_id.map(|id| id.0))
    .bind(child.name.as_str())
    .bind(child.goal.as_str())
    .bind(child.context.as_deref())
    .bind(child.model.as_str())
    .bind(Arg::json(&child.tool_names)?)
    .bind(i64::from(child.sort_order))
    .bind(now)
    .execute(tx)
    .await?;
    Ok(id)
}
