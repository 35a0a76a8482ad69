//! The lease: taking it, keeping it, and giving it back. All of this is relaxed work, see
//! [`Db::relaxed`].

use super::{Fenced, bind_lease, earlier_live, is_leased, lease_holds, live, run, run_columns, status_is};
use crate::domain::ids::{RunId, WorkerId};
use crate::domain::runs::{Lease, Reason, Run, RunKind, RunStatus};
use crate::domain::subagents::Subagent;
use crate::store::db::{Arg, Db, Query, Row, Sql, query};
use crate::store::error::Result;
use crate::store::subagents::{prefixed_subagent_columns, subagent, subagent_at, subagent_columns};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashMap;
use std::time::Duration;

/// What became of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// The caller holds the lease.
    Claimed(Box<Claimed>),
    /// An earlier turn of the session is live. Whoever ends it knows that it must ring the next one.
    SessionBusy,
    /// Somebody else holds it, it waits for something other than a worker, or it is over or gone.
    Gone,
}

/// A run whose lease was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// Its `lease_epoch` is the caller's.
    pub run: Run,
    /// Of its agent and model.
    pub config: ConfigVersion,
    /// Its row among the subagents, running now, if it is one.
    pub subagent: Option<Subagent>,
}

/// Changes whenever the agent of a run or its model is edited: a worker that has read both under
/// this version need not read them again. None where one of them is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigVersion {
    agent: Option<i64>,
    model: Option<DateTime<Utc>>,
}

impl ConfigVersion {
    /// Reads what [`config_version`] selected.
    pub(super) fn read(row: &Row) -> Result<Self> {
        Ok(Self { agent: row.get("agent_version")?, model: row.get("model_time")? })
    }
}

/// The columns of a [`ConfigVersion`], of the agent that the row names.
macro_rules! config_version {
    ($run:literal) => {
        concat!(
            "(SELECT a.version FROM netaclaw_agent a WHERE a.id = ",
            $run,
            ".agent_id) AS agent_version, \
             (SELECT m.update_time FROM netaclaw_agent a JOIN netaclaw_model m ON m.id = a.model_id \
             WHERE a.id = ",
            $run,
            ".agent_id) AS model_time"
        )
    };
}
pub(super) use config_version;

/// A lease that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Renewed {
    /// The run.
    pub run_id: RunId,
    /// The lease's epoch: if it is not the caller's, the run was lost and claimed anew.
    pub epoch: i64,
    /// Somebody wants the run stopped.
    pub cancel_reason: Option<Reason>,
}

/// How often a claim that lost a race against the end of an earlier turn tries again at once. When
/// even that is not enough, the sweep rings.
const CLAIM_ROUNDS: usize = 8;

macro_rules! claim_sql {
    ($which:literal, $expires:literal, $clock:literal) => {
        concat!(
            "UPDATE netaclaw_run SET status = 'running', reason = NULL, lease_owner = $2, \
             lease_epoch = lease_epoch + 1, lease_expires_at = ",
            $expires,
            ", attempts = attempts + 1, started_at = COALESCE(started_at, $4) \
             WHERE ",
            $which,
            " AND (",
            status_is!("netaclaw_run", "queued"),
            " OR (",
            status_is!("netaclaw_run", "running"),
            " AND lease_expires_at <= ",
            $clock,
            ")) AND (kind <> 'chat' OR NOT ",
            earlier_live!(),
            ") RETURNING ",
            run_columns!(),
            ", ",
            config_version!("netaclaw_run")
        )
    };
}

/// What a claim makes of a subagent's row.
macro_rules! begin_subagent {
    ($now:literal) => {
        concat!(
            "UPDATE netaclaw_subagent_session SET status = 'running', started_at = COALESCE(started_at, ",
            $now,
            "), update_time = ",
            $now,
            " "
        )
    };
}

/// Leases are compared and set by the database's clock. `due_at` is the sweep's business only: who
/// rings earlier knows that the run's turn has come, as when a model's limit has room. In Postgres the
/// same statement shows a subagent as running.
const CLAIM: Sql = Sql {
    sqlite: claim_sql!("id IN (SELECT value FROM json_each($1))", "$5", "$4"),
    postgres: concat!(
        "WITH run AS (",
        claim_sql!("id = ANY($1)", "clock_timestamp() + $3 * interval '1 millisecond'", "clock_timestamp()"),
        "), subagent AS (",
        begin_subagent!("$4"),
        "WHERE id IN (SELECT id FROM run WHERE kind = 'subagent') RETURNING ",
        subagent_columns!(),
        ") SELECT run.*, ",
        prefixed_subagent_columns!(),
        " FROM run LEFT JOIN subagent ON subagent.id = run.id"
    ),
};

macro_rules! inspect_sql {
    ($clock:literal) => {
        concat!(
            "SELECT status, status = 'running' AND lease_expires_at > ",
            $clock,
            " AS leased, kind = 'chat' AND ",
            earlier_live!(),
            " AS behind FROM netaclaw_run WHERE id = $1"
        )
    };
}

const INSPECT: Sql = Sql { sqlite: inspect_sql!("$2"), postgres: inspect_sql!("clock_timestamp()") };

/// Takes the leases of runs that are queued, or whose holders let them expire. One statement where all
/// are had. At most one chat run of a session is claimed at a time, in the order of acceptance.
pub async fn claim_all(
    db: &Db,
    runs: &[RunId],
    owner: &WorkerId,
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<HashMap<RunId, Claim>> {
    let mut claims = take(db, runs, owner, lease, now).await?;
    for id in runs {
        if !claims.contains_key(id) {
            claims.insert(*id, refused(db, *id, owner, lease, now).await?);
        }
    }
    Ok(claims)
}

/// Takes one lease, see [`claim_all`].
pub async fn claim(
    db: &Db,
    run_id: RunId,
    owner: &WorkerId,
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<Claim> {
    let mut claims = claim_all(db, &[run_id], owner, lease, now).await?;
    Ok(claims.remove(&run_id).unwrap_or(Claim::Gone))
}

/// Those of the runs whose leases could be had.
async fn take(
    db: &Db,
    runs: &[RunId],
    owner: &WorkerId,
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<HashMap<RunId, Claim>> {
    let ids = Arg::Ids(runs.iter().map(|id| id.0).collect());
    let taken = bind_term(query(CLAIM).bind(ids).bind(owner), lease, now).all(db.relaxed()).await?;
    let mut claims = HashMap::with_capacity(taken.len());
    for row in &taken {
        let config = ConfigVersion::read(row)?;
        let (run, subagent) = (run(row)?, running(db, row, now).await?);
        claims.insert(run.id, Claim::Claimed(Box::new(Claimed { run, config, subagent })));
    }
    Ok(claims)
}

/// Why a run's lease was not to be had; where that is over already, it is tried again.
async fn refused(
    db: &Db,
    run_id: RunId,
    owner: &WorkerId,
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<Claim> {
    for _ in 0..CLAIM_ROUNDS {
        let Some(row) = query(INSPECT).bind(run_id).bind(now).optional(db).await? else {
            return Ok(Claim::Gone);
        };
        match row.parse("status", RunStatus::parse)? {
            RunStatus::Running if is_leased(&row)? => return Ok(Claim::Gone),
            RunStatus::Queued | RunStatus::Running => {}
            RunStatus::Held
            | RunStatus::Waiting
            | RunStatus::Paused
            | RunStatus::Completed
            | RunStatus::Failed
            | RunStatus::Cancelled => return Ok(Claim::Gone),
        }
        if row.get("behind")? && leave_word(db, run_id).await? {
            return Ok(Claim::SessionBusy);
        }
        if let Some(claim) = take(db, &[run_id], owner, lease, now).await?.remove(&run_id) {
            return Ok(claim);
        }
    }
    Ok(Claim::SessionBusy)
}

/// The row of a subagent that was claimed, which [`CLAIM`] shows as running itself in Postgres. Where
/// that fails in SQLite, the next claim repeats it.
async fn running(db: &Db, run: &Row, now: DateTime<Utc>) -> Result<Option<Subagent>> {
    if run.parse("kind", RunKind::parse)? != RunKind::Subagent {
        return Ok(None);
    }
    if let Db::Postgres(_) = db {
        return match run.get::<Option<i64>>("s_id")? {
            Some(_) => subagent_at(run, "s_").map(Some),
            None => Ok(None),
        };
    }
    let shown = query(concat!(
        begin_subagent!("$2"),
        "WHERE id = $1 AND status IN ('queued', 'running') RETURNING ",
        subagent_columns!()
    ));
    let shown = shown.bind(run.id("id", RunId)?).bind(now).optional(db.relaxed()).await?;
    shown.as_ref().map(subagent).transpose()
}

/// Tells the earlier turns of the run's session that one waits behind them. False: they ended
/// meanwhile, perhaps before they could know, so that the caller must try again. The two updates of
/// the earlier row, this one and its end, exclude each other, so that no wake-up is lost.
async fn leave_word(db: &Db, run_id: RunId) -> Result<bool> {
    let told = query(concat!(
        "UPDATE netaclaw_run SET has_successor = TRUE \
         WHERE session_id = (SELECT session_id FROM netaclaw_run WHERE id = $1) AND id < $1 AND kind = 'chat' AND ",
        live!("")
    ));
    Ok(told.bind(run_id).execute(db.relaxed()).await? > 0)
}

/// Binds a lease's length, now, and its end by the caller's clock.
fn bind_term(query: Query, lease: Duration, now: DateTime<Utc>) -> Query {
    let end = now + TimeDelta::from_std(lease).unwrap_or(TimeDelta::MAX);
    query.bind(millis(lease)).bind(now).bind(end)
}

pub(super) fn millis(lease: Duration) -> i64 {
    i64::try_from(lease.as_millis()).unwrap_or(i64::MAX)
}

/// Prolongs the leases that are still the worker's. A run that is missing from the answer is lost.
pub async fn renew(
    db: &Db,
    owner: &WorkerId,
    runs: &[RunId],
    lease: Duration,
    now: DateTime<Utc>,
) -> Result<Vec<Renewed>> {
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    // In Postgres locked in the order of ids, as whoever stops a tree of runs does.
    const RENEW: Sql = Sql {
        sqlite: "UPDATE netaclaw_run SET lease_expires_at = $5 \
                 WHERE id IN (SELECT value FROM json_each($1)) AND lease_owner = $2 AND status = 'running' \
                 RETURNING id, lease_epoch, cancel_reason",
        postgres: "UPDATE netaclaw_run SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond' \
                   WHERE id IN (SELECT id FROM netaclaw_run WHERE id = ANY($1) AND lease_owner = $2 \
                   AND status = 'running' ORDER BY id FOR NO KEY UPDATE) \
                   AND lease_owner = $2 AND status = 'running' \
                   RETURNING id, lease_epoch, cancel_reason",
    };
    let ids = Arg::Ids(runs.iter().map(|id| id.0).collect());
    let rows = bind_term(query(RENEW).bind(ids).bind(owner), lease, now).all(db.relaxed()).await?;
    rows.iter()
        .map(|row| {
            Ok(Renewed {
                run_id: row.id("id", RunId)?,
                epoch: row.get("lease_epoch")?,
                cancel_reason: row.parse_or_null("cancel_reason", Reason::parse)?,
            })
        })
        .collect()
}

/// Puts a run back in line, to be claimed from `due_at` on. The attempt that the claim counted is
/// taken back unless it is spent.
pub async fn hand_back(
    db: &Db,
    lease: &Lease,
    due_at: DateTime<Utc>,
    reason: Reason,
    spend_attempt: bool,
) -> Result<Fenced> {
    let back = query(concat!(
        "UPDATE netaclaw_run SET status = 'queued', reason = $4, due_at = $5, lease_owner = NULL, \
         lease_expires_at = NULL, attempts = CASE WHEN $6 OR attempts = 0 THEN attempts ELSE attempts - 1 END \
         WHERE ",
        lease_holds!()
    ));
    let back = bind_lease(back, lease).bind(reason.as_str()).bind(due_at).bind(spend_attempt);
    Ok(Fenced::by(back.execute(db.relaxed()).await?))
}
