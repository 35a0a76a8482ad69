//! Delegation: a supervisor, its subagents, and those who watch them.

mod batch;
mod budget;
mod calls;
mod delete;
mod endings;
mod inside;
mod load;
mod order;
mod questions;
mod stop;

use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use serde_json::Value;

/// How many subagents of a turn are over.
async fn ended(c: &Cluster, turn: &Turn) -> usize {
    let over = ["completed", "failed", "timed_out", "cancelled"];
    c.subagents(turn).await.iter().filter(|s| over.contains(&s.status.as_str())).count()
}

/// A value without what differs between two turns that do the same: ids and times.
fn plain(value: &Value) -> Value {
    const DIFFERS: [&str; 8] = [
        "id",
        "parentMessageId",
        "startedAt",
        "endedAt",
        "durationMs",
        "createTime",
        "updateTime",
        "preview",
    ];
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| !DIFFERS.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), plain(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        Value::String(text) => {
            // Results that are told as a text hold ids and times, too.
            match serde_json::from_str::<Value>(text) {
                Ok(inner @ (Value::Object(_) | Value::Array(_))) => plain(&inner),
                _ => value.clone(),
            }
        }
        _ => value.clone(),
    }
}
