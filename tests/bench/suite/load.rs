//! Turns by many clients at once: how many a second, and what CPU time each takes.

use super::Counts;
use super::client::Client;
use super::cpu::Meter;
use super::floors::rate;
use super::report::Report;
use std::collections::BTreeMap;
use std::time::Instant;
use tokio::task::JoinSet;

/// What came of it.
#[derive(Debug)]
pub struct Load {
    clients: usize,
    per_second: f64,
    /// CPU milliseconds a turn, by whom.
    cpu: BTreeMap<&'static str, f64>,
    /// Sessions that exist now.
    pub sessions: Vec<String>,
}

/// Commits that the design allows for a plain turn.
const COMMITS: f64 = 3.0;

/// Each client sends its next message when it has the answer; each turn is a session of its own.
pub async fn measure(counts: &Counts, client: &Client, meter: &Meter) -> anyhow::Result<Load> {
    turns(counts.clients, 2, client).await?;
    let (before, started) = (meter.read().await?, Instant::now());
    let sessions = turns(counts.clients, counts.turns_each, client).await?;
    let elapsed = started.elapsed();
    let after = meter.read().await?;
    let count = sessions.len();
    let cpu = Meter::between(&before, &after).into_iter().map(|(name, ms)| (name, ms / count as f64));
    Ok(Load { clients: counts.clients, per_second: rate(count, elapsed), cpu: cpu.collect(), sessions })
}

async fn turns(clients: usize, each: usize, client: &Client) -> anyhow::Result<Vec<String>> {
    let mut running = JoinSet::new();
    for _ in 0..clients {
        let client = client.clone();
        running.spawn(async move {
            let mut sessions = Vec::new();
            for _ in 0..each {
                sessions.push(client.turn("one of many").await?.session);
            }
            anyhow::Ok(sessions)
        });
    }
    let mut sessions = Vec::new();
    while let Some(done) = running.join_next().await {
        sessions.extend(done??);
    }
    Ok(sessions)
}

impl Load {
    /// With the rate of bare commits on the same database.
    pub fn tell(&self, report: &mut Report, commits_per_second: f64) {
        report.value(
            &format!("turns by {} clients", self.clients),
            self.per_second,
            "/s",
            Some((self.per_second * COMMITS / commits_per_second, "a third of the commits a second")),
        );
        let all: f64 = self.cpu.values().sum();
        report.value("CPU of a turn, together", all, "ms", None);
        for (name, ms) in &self.cpu {
            report.value(&format!("  of it {name}"), *ms, "ms", Some((ms / all, "all")));
        }
    }
}
