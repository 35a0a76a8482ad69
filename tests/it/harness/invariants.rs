//! What must hold of every Neta once it is quiet, whatever was done to it.

use super::client::LONG;
use super::cluster::{CANARY, Cluster};
use super::transcript::Transcript;
use super::trees;
use super::wait::eventually;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a test did on purpose, so that the checker does not take it for a fault.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// At most so many of a hundred turns may have ended without success.
    pub failed_percent: i64,
}

impl Default for Allowed {
    fn default() -> Self {
        Self { failed_percent: 10 }
    }
}

/// Waits until no run is live, then checks everything that rows, logs and Redis can show.
pub async fn check(cluster: &Cluster, allowed: Allowed) {
    quiet(cluster).await;
    every_turn_has_one_end(cluster).await;
    no_lease_is_left(cluster).await;
    calls_and_results_pair(cluster).await;
    trees::check(cluster).await;
    most_turns_succeeded(cluster, allowed).await;
    the_key_is_nowhere(cluster).await;
    no_process_panicked(cluster);
}

/// Waits until no run is live.
pub async fn quiet(cluster: &Cluster) {
    const LIVE: &str = "SELECT COUNT(*) AS x FROM netaclaw_run \
                        WHERE status NOT IN ('completed', 'failed', 'cancelled')";
    eventually("no run is live", LONG * 2, async || cluster.database.count(LIVE).await == 0).await;
}

/// Each accepted message has exactly one answer, and run and answer agree on how it ended.
async fn every_turn_has_one_end(cluster: &Cluster) {
    let wrong = cluster
        .database
        .texts(
            "SELECT 'message ' || CAST(u.id AS text) || ' has ' || CAST(COUNT(a.id) AS text) || ' answers' AS x
             FROM netaclaw_message u
             LEFT JOIN netaclaw_run r ON r.user_message_id = u.id AND r.parent_run_id IS NULL
             LEFT JOIN netaclaw_message a ON a.id = r.assistant_message_id AND a.role = 'assistant'
             WHERE u.role = 'user' GROUP BY u.id HAVING COUNT(a.id) <> 1",
        )
        .await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    let wrong = cluster
        .database
        .texts(
            "SELECT 'run ' || CAST(r.id AS text) || ' ' || r.status || ', message ' || m.status AS x
             FROM netaclaw_run r JOIN netaclaw_message m ON m.id = r.assistant_message_id
             WHERE r.parent_run_id IS NULL AND (r.status <> m.status OR r.ended_at IS NULL
                OR (r.status = 'failed' AND (r.reason IS NULL OR m.error IS NULL))
                OR (r.status = 'completed' AND m.content = ''))",
        )
        .await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

async fn no_lease_is_left(cluster: &Cluster) {
    let wrong = cluster
        .database
        .texts(
            "SELECT CAST(id AS text) || ' ' || status AS x FROM netaclaw_run WHERE lease_owner IS NOT NULL",
        )
        .await;
    assert!(wrong.is_empty(), "ended runs with a lease: {wrong:#?}");
}

/// In the journal, every result follows a call of the last response, once. In a run that completed,
/// every call has one.
async fn calls_and_results_pair(cluster: &Cluster) {
    let rows = cluster
        .database
        .texts(
            "SELECT CAST(s.run_id AS text) || ' ' || r.status || ' ' || CAST(s.payload AS text) AS x
             FROM netaclaw_run_step s JOIN netaclaw_run r ON r.id = s.run_id ORDER BY s.run_id, s.seq",
        )
        .await;
    let mut runs: BTreeMap<String, (String, Vec<Value>)> = BTreeMap::new();
    for row in rows {
        let mut parts = row.splitn(3, ' ');
        let (id, status) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let payload = serde_json::from_str(parts.next().unwrap_or_default()).expect("a step is JSON");
        runs.entry(id.to_owned()).or_insert_with(|| (status.to_owned(), Vec::new())).1.push(payload);
    }
    for (run, (status, steps)) in runs {
        let mut open: Vec<String> = Vec::new();
        for step in &steps {
            match step["kind"].as_str() {
                Some("model") => {
                    assert!(open.is_empty(), "run {run}: asked the model with open calls {open:?}");
                    let calls = step["response"]["calls"].as_array().cloned().unwrap_or_default();
                    open = calls.iter().map(|c| c["id"].as_str().unwrap_or_default().to_owned()).collect();
                }
                Some("tool_result") => {
                    let id =
                        step["tool_call_id"].as_str().or(step["toolCallId"].as_str()).unwrap_or_default();
                    let at = open.iter().position(|c| c == id);
                    assert!(at.is_some(), "run {run}: a result without an open call: {step}");
                    open.remove(at.unwrap_or_default());
                }
                _ => {}
            }
        }
        assert!(open.is_empty() || status != "completed", "run {run} completed with open calls {open:?}");
    }
}

async fn most_turns_succeeded(cluster: &Cluster, allowed: Allowed) {
    const TURNS: &str = "SELECT COUNT(*) AS x FROM netaclaw_run WHERE parent_run_id IS NULL";
    let all = cluster.database.count(TURNS).await;
    let failed = cluster.database.count(format!("{TURNS} AND status = 'failed'")).await;
    let reasons = cluster
        .database
        .texts(
            "SELECT reason || ' ' || CAST(m.error AS text) AS x FROM netaclaw_run r
             JOIN netaclaw_message m ON m.id = r.assistant_message_id
             WHERE r.status = 'failed' AND r.parent_run_id IS NULL",
        )
        .await;
    assert!(failed * 100 <= all * allowed.failed_percent, "{failed} of {all} failed: {reasons:#?}");
}

async fn the_key_is_nowhere(cluster: &Cluster) {
    for (table, row) in cluster.database.dump().await {
        assert!(!row.contains(CANARY), "the key stands in {table}: {row}");
    }
    assert!(!cluster.logs().contains(CANARY), "the key stands in a log");
}

fn no_process_panicked(cluster: &Cluster) {
    for process in cluster.apis.iter().chain(&cluster.workers) {
        let output = process.output();
        let panic = output.lines().position(|l| l.contains("panicked at"));
        if let Some(at) = panic {
            let around: Vec<&str> = output.lines().skip(at.saturating_sub(2)).take(12).collect();
            panic!("{} panicked: {around:#?}", process.role.command());
        }
        assert!(!output.contains("SQLITE_BUSY") && !output.contains("database is locked"), "SQLite was busy");
    }
}

/// What a reader was shown is what is stored.
pub async fn shown_is_stored(cluster: &Cluster, assistant: i64, seen: &Transcript) {
    seen.check();
    assert!(seen.terminal.is_some(), "no last event of {assistant}: {:?}", seen.kinds());
    let stored = cluster
        .database
        .texts(format!("SELECT content AS x FROM netaclaw_message WHERE id = {assistant}"))
        .await;
    assert_eq!(stored, [seen.text.as_str()], "message {assistant}");
    if seen.terminal.as_ref().is_some_and(|t| t["type"] == "done") {
        assert_eq!(cluster.stored_card(assistant).await, seen.card.batches, "the card of {assistant}");
    }
}
