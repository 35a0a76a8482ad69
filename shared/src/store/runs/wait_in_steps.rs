//! The same as the one statement of `wait`, by simple statements in a transaction: for SQLite.

use super::claim::{ConfigVersion, config_version};
use super::journal::insert;
use super::session_id;
use super::wait::{Made, NewChild, WAIT, Waiting, bind_wait, places, taken};
use crate::domain::ids::{AgentId, MessageId, RunId, TenantId};
use crate::domain::runs::Lease;
use crate::store::db::{Arg, Db, Row, Tx, query};
use crate::store::error::Result;
use crate::store::pauses;
use chrono::{DateTime, TimeDelta, Utc};

/// Lets a run wait; None: the lease is lost.
pub(super) async fn in_steps(
    db: &Db,
    lease: &Lease,
    waiting: &Waiting,
    now: DateTime<Utc>,
) -> Result<Option<Made>> {
    let mut tx = db.begin().await?;
    let ends_at = now + TimeDelta::from_std(waiting.lease).unwrap_or(TimeDelta::MAX);
    let Some(run) = bind_wait(query(WAIT), lease, waiting, now)?.optional(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    insert(&mut tx, &run, waiting.first_seq, &waiting.steps, &waiting.usage_rows, now).await?;
    let mut made = Made { run, children: Vec::new(), pauses: Vec::new() };
    if made.run.get::<Option<String>>("cancel_reason")?.is_none() {
        for (child, place) in waiting.children.iter().zip(0..) {
            let begins = match place {
                place if place < taken(waiting) => Begins::Taken(lease, ends_at),
                place if place < places(waiting) => Begins::Rung,
                _ => Begins::Later,
            };
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

/// How a subagent begins.
#[derive(Clone, Copy)]
enum Begins<'a> {
    /// By the worker that makes it, whose lease of it ends then.
    Taken(&'a Lease, DateTime<Utc>),
    /// By whoever is rung.
    Rung,
    /// When another has ended.
    Later,
}

async fn insert_child(
    tx: &mut Tx,
    run: &Row,
    child: &NewChild,
    begins: Begins<'_>,
    now: DateTime<Utc>,
) -> Result<(i64, ConfigVersion)> {
    let (tenant_id, session) = (run.id("tenant_id", TenantId)?, session_id(run)?);
    let (parent, message) = (run.id("id", RunId)?, run.id("assistant_message_id", MessageId)?);
    let (status, shown, reason) = match begins {
        Begins::Taken(..) => ("running", "running", None),
        Begins::Rung => ("queued", "queued", None),
        Begins::Later => ("held", "queued", Some("parent_concurrency")),
    };
    let (holder, ends_at) = match begins {
        Begins::Taken(lease, ends_at) => (Some(lease.owner.0.as_str()), Some(ends_at)),
        Begins::Rung | Begins::Later => (None, None),
    };
    let row = query(concat!(
        "INSERT INTO netaclaw_run (tenant_id, session_id, kind, parent_run_id, root_run_id, agent_id, \
         user_message_id, assistant_message_id, status, reason, snapshot, attempts, step_count, lease_owner, \
         lease_epoch, lease_expires_at, due_at, traceparent, has_successor, create_time, started_at) \
         VALUES ($1, $2, 'subagent', $3, $4, $5, $6, $7, $8, $9, $10, $13, 0, $14, $13, $15, $11, $12, FALSE, $11, $16) \
         RETURNING id, ",
        config_version!("netaclaw_run")
    ))
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
    .bind(i64::from(holder.is_some()))
    .bind(holder)
    .bind(ends_at)
    .bind(holder.map(|_| now))
    .one(&mut *tx)
    .await?;
    let id = row.get::<i64>("id")?;
    query(
        "INSERT INTO netaclaw_subagent_session (id, tenant_id, session_id, parent_message_id, parent_run_id, \
         parent_tool_call_id, parent_agent_id, run_id, source_type, preset_agent_id, name, goal, context, status, \
         model, tool_names, sort_order, create_time, update_time, started_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $1, $8, $9, $10, $11, $12, $17, $13, $14, $15, $16, $16, $18)",
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
    .bind(shown)
    .bind(holder.map(|_| now))
    .execute(tx)
    .await?;
    Ok((id, ConfigVersion::read(&row)?))
}
