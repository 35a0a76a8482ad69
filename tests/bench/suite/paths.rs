//! How long a message takes to the provider and a token to the client, on a system that does
//! nothing else.

use super::Counts;
use super::client::Client;
use super::report::{Floor, Report};
use super::samples::{Samples, Spread};
use anyhow::ensure;

/// Both ways.
#[derive(Debug)]
pub struct Paths {
    post: Spread,
    token: Spread,
}

/// Measures them one turn after the other.
pub async fn measure(counts: &Counts, client: &Client) -> anyhow::Result<Paths> {
    for _ in 0..counts.turns.min(20) {
        client.turn("warming up").await?;
    }
    let mut post = Samples::default();
    for _ in 0..counts.turns {
        post.push(client.turn("a plain turn").await?.to_provider);
    }
    let mut token = Samples::default();
    let message = format!("a streaming turn [[tokens:{}]] [[gap:5]]", counts.tokens);
    for _ in 0..counts.streams {
        let delays = client.stream(&message).await?;
        ensure!(delays.len() == counts.tokens, "{} of {} tokens came", delays.len(), counts.tokens);
        token.extend(delays);
    }
    Ok(Paths { post: post.spread(), token: token.spread() })
}

impl Paths {
    pub fn tell(&self, report: &mut Report, post: &Floor, token: &Floor) {
        report.spread("from POST to the provider's request", self.post, Some(post));
        report.spread("from the provider's token to the client", self.token, Some(token));
    }
}
