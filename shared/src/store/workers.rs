//! Who is alive, and whose turn it is to sweep.

use super::db::{Db, Row, Sql, query};
use super::error::Result;
use crate::domain::ids::WorkerId;
use chrono::{DateTime, TimeDelta, Utc};
use std::time::Duration;

/// A worker process as it last told of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its identity, new at each start.
    pub id: WorkerId,
    /// The machine's name.
    pub host: String,
    /// Of Neta.
    pub version: String,
    /// Runs that it takes at the same time.
    pub slots: u32,
    /// Runs that it has.
    pub running: u32,
    /// It takes no more runs.
    pub draining: bool,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// When it last told.
    pub seen_at: DateTime<Utc>,
}

fn worker(row: &Row) -> Result<Worker> {
    Ok(Worker {
        id: WorkerId(row.get("id")?),
        host: row.get("host")?,
        version: row.get("version")?,
        slots: row.count_or_null("slots")?.unwrap_or(0),
        running: row.count_or_null("running")?.unwrap_or(0),
        draining: row.get("draining")?,
        started_at: row.get("started_at")?,
        seen_at: row.get("seen_at")?,
    })
}

/// Tells that a worker is alive; the first time registers it.
pub async fn heartbeat(db: &Db, worker: &Worker) -> Result<()> {
    query(
        "INSERT INTO netaclaw_worker (id, host, version, slots, running, draining, started_at, seen_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, running = excluded.running, \
         draining = excluded.draining, seen_at = excluded.seen_at",
    )
    .bind(&worker.id)
    .bind(worker.host.as_str())
    .bind(worker.version.as_str())
    .bind(i64::from(worker.slots))
    .bind(i64::from(worker.running))
    .bind(worker.draining)
    .bind(worker.started_at)
    .bind(worker.seen_at)
    .execute(db.relaxed())
    .await
    .map(drop)
}

/// All workers that told of themselves, the one that started first first.
pub async fn list(db: &Db) -> Result<Vec<Worker>> {
    query(
        "SELECT id, host, version, slots, running, draining, started_at, seen_at FROM netaclaw_worker \
         ORDER BY started_at, id",
    )
    .all(db)
    .await?
    .iter()
    .map(worker)
    .collect()
}

/// A worker that stops takes itself off the list.
pub async fn remove(db: &Db, id: &WorkerId) -> Result<()> {
    query("DELETE FROM netaclaw_worker WHERE id = $1").bind(id).execute(db.relaxed()).await.map(drop)
}

/// Removes workers that were last seen before; returns how many.
pub async fn remove_unseen(db: &Db, before: DateTime<Utc>) -> Result<u64> {
    query("DELETE FROM netaclaw_worker WHERE seen_at < $1").bind(before).execute(db.relaxed()).await
}

/// True for one worker in each interval: it sweeps for all. By the database's clock in Postgres, so
/// that machines whose clocks differ do not take each other's turns.
pub async fn take_sweep(db: &Db, now: DateTime<Utc>, interval: Duration) -> Result<bool> {
    const TAKE: Sql = Sql {
        sqlite: "UPDATE netaclaw_sweep SET swept_at = $1 WHERE id = 1 AND swept_at <= $2",
        postgres: "UPDATE netaclaw_sweep SET swept_at = clock_timestamp() \
                   WHERE id = 1 AND swept_at <= clock_timestamp() - $3 * interval '1 millisecond'",
    };
    let before = now - TimeDelta::from_std(interval).unwrap_or(TimeDelta::MAX);
    let taken =
        query(TAKE).bind(now).bind(before).bind(i64::try_from(interval.as_millis()).unwrap_or(i64::MAX));
    Ok(taken.execute(db.relaxed()).await? > 0)
}

/// When a worker last swept; 1970 before the first time.
pub async fn last_sweep(db: &Db) -> Result<DateTime<Utc>> {
    query("SELECT swept_at FROM netaclaw_sweep WHERE id = 1").one(db).await?.get("swept_at")
}
