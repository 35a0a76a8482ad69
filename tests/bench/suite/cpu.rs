//! CPU time of the processes that take part in a turn.

use super::redis::Redis;
use anyhow::Context;
use shared::store::Db;
use shared::store::db::query;
use std::collections::BTreeMap;

/// Whose time is counted.
#[derive(Debug)]
pub struct Meter {
    /// Neta's, by process id.
    pub processes: Vec<(&'static str, u32)>,
    /// The backends that serve this database, where the server runs on this machine. What the server
    /// does for all of them (WAL, checkpoints) is not counted.
    pub postgres: Option<Db>,
    /// All of the server, whoever uses it.
    pub redis: Option<Redis>,
}

/// Milliseconds by name and process, since each began.
type Reading = BTreeMap<(&'static str, u32), f64>;

/// Linux tells processes' times in hundredths of a second on every architecture.
const TICK_MS: f64 = 10.0;

impl Meter {
    /// Reads all of them.
    pub async fn read(&self) -> anyhow::Result<Reading> {
        let mut reading = Reading::new();
        for (name, pid) in &self.processes {
            reading.insert((*name, *pid), process(*pid).context("a process is gone")?);
        }
        if let Some(db) = &self.postgres {
            let backends = query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()");
            for row in backends.all(db).await? {
                let pid = row.get::<i32>("pid")?.unsigned_abs();
                if let Some(time) = process(pid).filter(|_| is_postgres(pid)) {
                    reading.insert(("Postgres", pid), time);
                }
            }
        }
        if let Some(redis) = &self.redis {
            let mut seconds = 0.0;
            for field in ["used_cpu_user", "used_cpu_sys"] {
                seconds += redis.info("cpu", field).await?.parse::<f64>()?;
            }
            reading.insert(("Redis", 0), seconds * 1_000.0);
        }
        Ok(reading)
    }

    /// What each name took between two readings. A process that came in between counts whole, one
    /// that ended not at all.
    pub fn between(before: &Reading, after: &Reading) -> BTreeMap<&'static str, f64> {
        let mut sums = BTreeMap::new();
        for (key, time) in after {
            *sums.entry(key.0).or_insert(0.0) += time - before.get(key).unwrap_or(&0.0);
        }
        sums
    }
}

/// User and system time of a process with all its threads.
fn process(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    // proc(5): utime and stime are fields 14 and 15; the first after the name is 3.
    let ticks = fields.split(' ').skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<f64>() * TICK_MS)
}

/// The server may be elsewhere, where its process ids mean something else.
fn is_postgres(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with("postgres"))
}
