//! The budget of a tree of runs: what calls under way may use is reserved before they are made and
//! settled by the usage that is stored with their step. Only trees with a budget come here.
//!
//! The budget's row is locked first, before any run's.

use super::db::{Db, Row, Sql, Tx, query};
use super::error::{Result, StoreError};
use super::pauses;
use super::runs::{NewPause, lease_holds};
use crate::domain::budgets::{Spend, Verdict, verdict};
use crate::domain::delegation::Budget;
use crate::domain::ids::{RunId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::pauses::{BUDGET_OPTIONS, FINISH_NOW, Pause, PauseKind, RAISE, STOP};
use crate::domain::runs::{Lease, Reason};
use chrono::{DateTime, Utc};

/// A wish for one call.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Owner.
    pub tenant_id: TenantId,
    /// The session.
    pub session_id: SessionId,
    /// The top of the tree.
    pub root_run_id: RunId,
    /// What the tree was given when it began.
    pub budget: Budget,
    /// The step that the call will make: asked again for the same step, it is the same wish.
    pub step_seq: i64,
    /// What it will use at most, by estimate.
    pub call: Spend,
    /// When a question to a person expires.
    pub deadline: DateTime<Utc>,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Reserved {
    /// Call.
    Granted,
    /// When calls under way have ended there may be room.
    Later,
    /// Somebody decided to finish with what there is.
    Finish,
    /// The run waits for a person, and its lease is given up. The question, if it was not asked yet.
    Paused(Option<Pause>),
    /// The lease is no longer the caller's.
    Stale,
}

/// Reserves what a call may use, or has the run wait for a person's decision.
pub async fn reserve(db: &Db, lease: &Lease, wish: &Wish, now: DateTime<Utc>) -> Result<Reserved> {
    let mut tx = db.begin().await?;
    let reserved = reserve_in(&mut tx, lease, wish, now).await?;
    match reserved {
        Reserved::Granted | Reserved::Paused(_) => tx.commit().await?,
        Reserved::Later | Reserved::Finish | Reserved::Stale => tx.rollback().await?,
    }
    Ok(reserved)
}

async fn reserve_in(tx: &mut Tx, lease: &Lease, wish: &Wish, now: DateTime<Utc>) -> Result<Reserved> {
    let row = lock(tx, wish).await?;
    if !holds(tx, lease).await? {
        return Ok(Reserved::Stale);
    }
    if row.get("finishing")? {
        return Ok(Reserved::Finish);
    }
    let budget = Budget {
        max_tokens: row.get::<Option<i64>>("max_tokens")?.map(i64::unsigned_abs),
        max_cost: row.get("max_cost")?,
    };
    let (spent, held) = (spent(tx, wish.root_run_id).await?, held(tx, wish.root_run_id, lease.run_id).await?);
    match verdict(&budget, spent, held, wish.call) {
        Verdict::Granted => {
            hold(tx, lease.run_id, wish).await?;
            Ok(Reserved::Granted)
        }
        Verdict::Later => Ok(Reserved::Later),
        Verdict::Breach => {
            suspend(tx, lease, now).await?;
            Ok(Reserved::Paused(ask(tx, wish, &budget, spent, row.get("asked")?, now).await?))
        }
    }
}

/// Makes the budget's row at the tree's first wish, and locks it.
async fn lock(tx: &mut Tx, wish: &Wish) -> Result<Row> {
    let tokens = wish.budget.max_tokens.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    query(
        "INSERT INTO netaclaw_budget (root_run_id, tenant_id, max_tokens, max_cost, step_tokens, step_cost, finishing, \
         asked) VALUES ($1, $2, $3, $4, $3, $4, FALSE, 0) \
         ON CONFLICT (root_run_id) DO UPDATE SET asked = netaclaw_budget.asked \
         RETURNING max_tokens, max_cost, finishing, asked",
    )
    .bind(wish.root_run_id)
    .bind(wish.tenant_id)
    .bind(tokens)
    .bind(wish.budget.max_cost)
    .one(tx)
    .await
}

async fn holds(tx: &mut Tx, lease: &Lease) -> Result<bool> {
    const HOLDS: Sql = Sql {
        sqlite: concat!("SELECT id FROM netaclaw_run WHERE ", lease_holds!()),
        postgres: concat!("SELECT id FROM netaclaw_run WHERE ", lease_holds!(), " FOR UPDATE"),
    };
    let row = query(HOLDS).bind(lease.run_id).bind(&lease.owner).bind(lease.epoch).optional(tx).await?;
    Ok(row.is_some())
}

macro_rules! tree {
    () => {
        "(run_id = $1 OR run_id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1))"
    };
}

async fn spent(tx: &mut Tx, root: RunId) -> Result<Spend> {
    const SPENT: Sql = Sql {
        sqlite: concat!(
            "SELECT COALESCE(SUM(input_tokens + output_tokens), 0) AS tokens, COALESCE(SUM(cost), 0.0) AS cost \
             FROM netaclaw_usage WHERE ",
            tree!()
        ),
        postgres: concat!(
            "SELECT CAST(COALESCE(SUM(input_tokens + output_tokens), 0) AS bigint) AS tokens, \
             COALESCE(SUM(cost), 0) AS cost FROM netaclaw_usage WHERE ",
            tree!()
        ),
    };
    spend(&query(SPENT).bind(root).one(tx).await?)
}

/// What is held for the other runs' calls. A call whose usage is stored is settled.
async fn held(tx: &mut Tx, root: RunId, asking: RunId) -> Result<Spend> {
    macro_rules! held_sql {
        ($tokens:literal, $cost:literal) => {
            concat!(
                "SELECT ",
                $tokens,
                " AS tokens, ",
                $cost,
                " AS cost FROM netaclaw_reservation r WHERE r.root_run_id = $1 AND r.run_id <> $2 \
                 AND EXISTS (SELECT 1 FROM netaclaw_run x WHERE x.id = r.run_id AND x.ended_at IS NULL) AND NOT EXISTS \
                 (SELECT 1 FROM netaclaw_usage u WHERE u.run_id = r.run_id AND u.step_seq = r.step_seq)"
            )
        };
    }
    const HELD: Sql = Sql {
        sqlite: held_sql!("COALESCE(SUM(r.tokens), 0)", "COALESCE(SUM(r.cost), 0.0)"),
        postgres: held_sql!("CAST(COALESCE(SUM(r.tokens), 0) AS bigint)", "COALESCE(SUM(r.cost), 0)"),
    };
    spend(&query(HELD).bind(root).bind(asking).one(tx).await?)
}

fn spend(row: &Row) -> Result<Spend> {
    Ok(Spend { tokens: row.get::<i64>("tokens")?.unsigned_abs(), cost: row.get("cost")? })
}

async fn hold(tx: &mut Tx, run_id: RunId, wish: &Wish) -> Result<()> {
    query(
        "INSERT INTO netaclaw_reservation (run_id, root_run_id, step_seq, tokens, cost) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (run_id) DO UPDATE SET step_seq = excluded.step_seq, tokens = excluded.tokens, \
         cost = excluded.cost",
    )
    .bind(run_id)
    .bind(wish.root_run_id)
    .bind(wish.step_seq)
    .bind(i64::try_from(wish.call.tokens).unwrap_or(i64::MAX))
    .bind(wish.call.cost)
    .execute(tx)
    .await
    .map(drop)
}

/// Lets go of what an ended run held; of an ended root nobody need answer for any more.
pub async fn release(db: &Db, run_id: RunId, now: DateTime<Utc>) -> Result<()> {
    let mut tx = db.begin().await?;
    let_go(&mut tx, run_id).await?;
    super::runs::close_pauses(&mut tx, run_id, now).await?;
    tx.commit().await
}

/// Lets go of what a run and those below it held.
pub(in crate::store) async fn let_go(tx: &mut Tx, run_id: RunId) -> Result<()> {
    let held = query("DELETE FROM netaclaw_reservation WHERE run_id = $1 OR root_run_id = $1");
    held.bind(run_id).execute(tx).await.map(drop)
}

/// Gives the lease up until a person has decided. What the run held before is settled or void.
async fn suspend(tx: &mut Tx, lease: &Lease, now: DateTime<Utc>) -> Result<()> {
    query("DELETE FROM netaclaw_reservation WHERE run_id = $1").bind(lease.run_id).execute(&mut *tx).await?;
    query(
        "UPDATE netaclaw_run SET status = 'paused', reason = 'budget', paused_at = $2, attempts = 0, \
         lease_owner = NULL, lease_expires_at = NULL WHERE id = $1",
    )
    .bind(lease.run_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Asks once for the whole tree; None: the question stands already.
async fn ask(
    tx: &mut Tx,
    wish: &Wish,
    budget: &Budget,
    spent: Spend,
    asked: i64,
    now: DateTime<Utc>,
) -> Result<Option<Pause>> {
    let open =
        query("SELECT id FROM netaclaw_pause WHERE run_id = $1 AND kind = 'budget' AND status = 'open'");
    if open.bind(wish.root_run_id).optional(&mut *tx).await?.is_some() {
        return Ok(None);
    }
    query("UPDATE netaclaw_budget SET asked = asked + 1 WHERE root_run_id = $1")
        .bind(wish.root_run_id)
        .execute(&mut *tx)
        .await?;
    let new = NewPause {
        tool_call_id: format!("budget:{asked}"),
        kind: PauseKind::Budget,
        question: question(budget, spent),
        options: BUDGET_OPTIONS.map(str::to_owned).to_vec(),
        deadline: Some(wish.deadline),
    };
    let id = pauses::insert(tx, wish.tenant_id, wish.session_id, wish.root_run_id, &new, now).await?;
    pauses::find(tx, wish.tenant_id, id).await
}

fn question(budget: &Budget, spent: Spend) -> String {
    let tokens = budget.max_tokens.map(|max| format!("{} of {max} tokens", spent.tokens));
    let cost = budget.max_cost.map(|max| format!("{:.4} of {max:.4}", spent.cost));
    let used = [tokens, cost].into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!(
        "The budget of this task does not allow the next call ({used} used). Raise it, finish now, or stop?"
    )
}

/// Locks the budget of a tree, before any of its runs'.
pub(in crate::store) async fn lock_of(tx: &mut Tx, root: RunId) -> Result<()> {
    const LOCK: Sql = Sql {
        sqlite: "SELECT root_run_id FROM netaclaw_budget WHERE root_run_id = $1",
        postgres: "SELECT root_run_id FROM netaclaw_budget WHERE root_run_id = $1 FOR UPDATE",
    };
    query(LOCK).bind(root).optional(tx).await.map(drop)
}

/// Carries out a decision. Returns the runs to be rung; with `STOP` they find that they are to stop.
pub(in crate::store) async fn decide(
    tx: &mut Tx,
    root: RunId,
    decision: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Job>> {
    match decision {
        RAISE => {
            query(
                "UPDATE netaclaw_budget SET max_tokens = max_tokens + step_tokens, max_cost = max_cost + step_cost \
                 WHERE root_run_id = $1",
            )
            .bind(root)
            .execute(&mut *tx)
            .await?;
        }
        FINISH_NOW => {
            query("UPDATE netaclaw_budget SET finishing = TRUE WHERE root_run_id = $1")
                .bind(root)
                .execute(&mut *tx)
                .await?;
        }
        STOP => {
            flag_tree(tx, root).await?;
        }
        other => return Err(StoreError::Corrupt(format!("{other:?} is no decision about a budget"))),
    }
    resume(tx, root, now).await
}

/// Leaves word for the whole tree that it is to stop.
async fn flag_tree(tx: &mut Tx, root: RunId) -> Result<()> {
    query(
        "UPDATE netaclaw_run SET cancel_reason = COALESCE(cancel_reason, CASE WHEN id = $1 THEN $2 ELSE $3 END) \
         WHERE (id = $1 OR id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1)) \
         AND ended_at IS NULL",
    )
    .bind(root)
    .bind(Reason::Stopped.as_str())
    .bind(Reason::ParentEnded.as_str())
    .execute(tx)
    .await
    .map(drop)
}

/// Makes every run of the tree due that waits for the budget. Who is to stop while it is held back by its
/// siblings is due, too: none of them releases it any more.
async fn resume(tx: &mut Tx, root: RunId, now: DateTime<Utc>) -> Result<Vec<Job>> {
    macro_rules! resume_sql {
        ($paused:literal) => {
            concat!(
                "UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $2, paused_at = NULL, paused_ms = ",
                $paused,
                " WHERE (id = $1 OR id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1)) \
                 AND ((status = 'paused' AND reason = 'budget') OR (status = 'held' AND cancel_reason IS NOT NULL)) \
                 RETURNING id, tenant_id, traceparent"
            )
        };
    }
    const RESUME: Sql = Sql {
        sqlite: resume_sql!(
            "paused_ms + CAST(ROUND((julianday($2) - julianday(COALESCE(paused_at, $2))) * 86400000) AS INTEGER)"
        ),
        postgres: resume_sql!(
            "paused_ms + CAST(EXTRACT(EPOCH FROM ($2 - COALESCE(paused_at, $2))) * 1000 AS bigint)"
        ),
    };
    query(RESUME).bind(root).bind(now).all(tx).await?.iter().map(super::runs::job).collect()
}
