//! Whether workers add up where the model is what takes the time: each has a few slots, and all slots
//! are always taken.

use super::Counts;
use super::client::Client;
use super::floors::rate;
use super::neta::Neta;
use super::report::Report;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many workers there are, one after the other.
const WORKERS: [usize; 3] = [1, 2, 4];
/// What the model takes for a turn.
const MODEL: Duration = Duration::from_millis(500);

/// Turns a second by so many workers.
#[derive(Debug)]
pub struct Scaling {
    slots: usize,
    rates: Vec<(usize, f64)>,
}

/// Starts the workers, each with the slots that the counts say, and ends them.
pub async fn measure(
    counts: &Counts,
    client: &Client,
    start: impl Fn(&str) -> anyhow::Result<Neta>,
) -> anyhow::Result<Scaling> {
    let (mut workers, mut rates) = (Vec::new(), Vec::new());
    for count in WORKERS {
        while workers.len() < count {
            let mut worker = start(&format!("worker-{}", workers.len()))?;
            worker.serves().await?;
            workers.push(worker);
        }
        rates.push((count, full(counts, client, count).await?));
    }
    for worker in &mut workers {
        worker.stop().await?;
    }
    Ok(Scaling { slots: counts.slots, rates })
}

/// Turns a second by workers that are ready. Twice as many clients as there are slots, so that none
/// is free; as many turns for each worker as with one.
async fn full(counts: &Counts, client: &Client, workers: usize) -> anyhow::Result<f64> {
    let slots = counts.slots * workers;
    turns(2 * slots, slots, client).await?;
    let (count, started) = (slots * counts.rounds, Instant::now());
    turns(2 * slots, count, client).await?;
    Ok(rate(count, started.elapsed()))
}

impl Scaling {
    /// Each over what one does, and that over what its slots allow.
    pub fn tell(&self, report: &mut Report) {
        let bound = self.slots as f64 / MODEL.as_secs_f64();
        let one = self.rates.first().map_or(f64::NAN, |(_, rate)| *rate);
        for (workers, rate) in &self.rates {
            let (name, over) = match workers {
                1 => (
                    "turns by one worker, bound by the model".to_owned(),
                    (rate / bound, "what its slots allow"),
                ),
                n => (format!("turns by {n} workers, bound by the model"), (rate / one, "one worker")),
            };
            report.value(&name, *rate, "/s", Some(over));
        }
    }
}

/// So many turns in all; each client begins the next when it has its answer.
async fn turns(clients: usize, count: usize, client: &Client) -> anyhow::Result<()> {
    let begun = Arc::new(AtomicUsize::new(0));
    let message = Arc::new(format!("one that takes its time [[gap:{}]]", MODEL.as_millis()));
    let mut running = JoinSet::new();
    for _ in 0..clients {
        let (client, begun, message) = (client.clone(), begun.clone(), message.clone());
        running.spawn(async move {
            while begun.fetch_add(1, Ordering::Relaxed) < count {
                client.turn(&message).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = running.join_next().await {
        done??;
    }
    Ok(())
}
