//! Turns by many clients at once: how many a second, and what CPU time each takes.

use super::client::Client;
use super::cpu::Meter;
use super::floors::rate;
use super::report::Report;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// What each client does.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A plain turn.
    Turn,
    /// A turn with three subagents, whose models answer at once.
    FanOut,
}

/// What came of it.
#[derive(Debug)]
pub struct Load {
    kind: Kind,
    clients: usize,
    per_second: f64,
    /// CPU milliseconds a turn, by whom.
    cpu: BTreeMap<&'static str, f64>,
    /// Sessions that exist now.
    pub sessions: Vec<String>,
}

/// Subagents of a turn that fans out: all at once by default.
pub const FAN: usize = 3;

/// Each client sends its next message when it has the answer; each turn is a session of its own.
pub async fn measure(
    kind: Kind,
    clients: usize,
    each: usize,
    client: &Client,
    meter: &Meter,
) -> anyhow::Result<Load> {
    turns(kind, clients, 2, client).await?;
    let (before, started) = (meter.read().await?, Instant::now());
    let sessions = turns(kind, clients, each, client).await?;
    let elapsed = started.elapsed();
    let after = meter.read().await?;
    let count = sessions.len();
    let cpu = Meter::between(&before, &after).into_iter().map(|(name, ms)| (name, ms / count as f64));
    Ok(Load { kind, clients, per_second: rate(count, elapsed), cpu: cpu.collect(), sessions })
}

async fn turns(kind: Kind, clients: usize, each: usize, client: &Client) -> anyhow::Result<Vec<String>> {
    let mut running = JoinSet::new();
    for _ in 0..clients {
        let client = client.clone();
        running.spawn(async move {
            let mut sessions = Vec::new();
            for _ in 0..each {
                sessions.push(match kind {
                    Kind::Turn => client.turn("one of many").await?.session,
                    Kind::FanOut => client.delegate(&[Duration::ZERO; FAN]).await?.session,
                });
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
        // Commits that the design allows. A plain turn: accepted, claimed, ended. One that fans out
        // besides: its wait, and the end of its subagents.
        let (what, commits, over) = match self.kind {
            Kind::Turn => ("turn", 3.0, "a third of the commits a second"),
            Kind::FanOut => ("fan-out", 5.0, "a fifth of the commits a second"),
        };
        let ratio = self.per_second * commits / commits_per_second;
        let name = format!("{what}s by {} clients", self.clients);
        report.value(&name, self.per_second, "/s", Some((ratio, over)));
        let all: f64 = self.cpu.values().sum();
        report.value(&format!("CPU of a {what}, together"), all, "ms", None);
        for (name, ms) in &self.cpu {
            report.value(&format!("  of it {name}"), *ms, "ms", Some((ms / all, "all")));
        }
    }
}
