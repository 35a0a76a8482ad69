//! What a batch of subagents costs: the time that a turn with three of them adds to its models' own,
//! and how near nine of them, three at a time, come to what their models' times allow.

use super::Counts;
use super::client::Client;
use super::load::FAN;
use super::report::{Floor, Report};
use super::samples::{Samples, Spread};
use std::time::Duration;

/// Both.
#[derive(Debug)]
pub struct Delegation {
    added: Spread,
    batch: Spread,
    chunks: Spread,
    window: Spread,
}

/// What the model of each of three subagents takes.
const WAIT: Duration = Duration::from_millis(50);
/// Subagents of one batch, of which the first is slow.
const NINE: usize = 9;
/// How many of them work at the same time by default.
const AT_ONCE: usize = 3;

/// One turn after the other.
pub async fn measure(counts: &Counts, client: &Client) -> anyhow::Result<Delegation> {
    for _ in 0..counts.fan_outs.min(20) {
        client.delegate(&[Duration::ZERO; FAN]).await?;
    }
    let mut added = Samples::default();
    for _ in 0..counts.fan_outs {
        let turn = client.delegate(&[WAIT; FAN]).await?;
        added.push(turn.turn.saturating_sub(turn.waits.into_iter().max().unwrap_or_default()));
    }
    let mut planned = [counts.short_wait; NINE];
    planned[0] = counts.short_wait * 9;
    let (mut batch, mut in_chunks, mut in_window) =
        (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..counts.batches {
        let turn = client.delegate(&planned).await?;
        batch.push(turn.batch);
        in_chunks.push(chunks(&turn.waits));
        in_window.push(window(&turn.waits));
    }
    Ok(Delegation {
        added: added.spread(),
        batch: batch.spread(),
        chunks: in_chunks.spread(),
        window: in_window.spread(),
    })
}

/// What these take if each three begin when the three before them have ended.
fn chunks(waits: &[Duration]) -> Duration {
    waits.chunks(AT_ONCE).filter_map(|chunk| chunk.iter().max()).sum()
}

/// What they take if each begins as soon as one of three has ended.
fn window(waits: &[Duration]) -> Duration {
    let mut free_at = [Duration::ZERO; AT_ONCE];
    for wait in waits {
        if let Some(first) = free_at.iter_mut().min() {
            *first += *wait;
        }
    }
    free_at.into_iter().max().unwrap_or_default()
}

impl Delegation {
    pub fn tell(&self, report: &mut Report, path: &Floor) {
        report.spread("three subagents: time added to their models'", self.added, Some(path));
        let over = |name, spread| Floor { name, spread };
        let chunks = over("their models' times in chunks of three", self.chunks);
        report.spread("nine subagents, one slow: window of three", self.batch, Some(&chunks));
        let window = over("their models' times in a window of three", self.window);
        report.spread("  the same", self.batch, Some(&window));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms<const N: usize>(waits: [u64; N]) -> [Duration; N] {
        waits.map(Duration::from_millis)
    }

    #[test]
    fn chunks_wait_for_their_slowest_and_a_window_does_not() {
        let table = [
            (ms([900, 100, 100, 100, 100, 100, 100, 100, 100]), 1_100, 900),
            (ms([100, 100, 100, 100, 100, 100, 100, 100, 900]), 1_100, 1_100),
            (ms([300, 100, 100, 300, 100, 100, 300, 100, 100]), 900, 600),
        ];
        for (waits, in_chunks, in_window) in table {
            let [in_chunks, in_window] = ms([in_chunks, in_window]);
            assert_eq!((chunks(&waits), window(&waits)), (in_chunks, in_window), "{waits:?}");
        }
    }
}
