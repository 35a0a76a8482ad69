//! What must hold of every tree of runs: of those at rest, and of those under way at every moment.

use super::cluster::Cluster;
use super::services::Database;
use serde_json::Value;
use std::collections::BTreeMap;

/// Checks every tree once all runs have ended.
pub async fn check(cluster: &Cluster) {
    let database = &cluster.database;
    for (what, sql) in AT_REST {
        nothing(database, what, sql).await;
    }
    always_holds(database).await;
    metadata_is_the_rows(database).await;
    each_batch_was_delegated_and_answered_once(database).await;
}

/// Checks what holds at every moment.
pub async fn always_holds(database: &Database) {
    for (what, sql) in ALWAYS {
        nothing(database, what, sql).await;
    }
}

async fn nothing(database: &Database, what: &str, sql: &'static str) {
    let wrong = database.texts(sql).await;
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
}

/// What no moment may show; each statement is one look.
const ALWAYS: [(&str, &str); 5] = [
    (
        "a live child under a run that is over",
        "SELECT CAST(c.id AS text) || ' ' || c.status || ' under ' || CAST(p.id AS text) || ' ' || p.status AS x
         FROM netaclaw_run c JOIN netaclaw_run p ON p.id = c.parent_run_id
         WHERE c.status NOT IN ('completed', 'failed', 'cancelled')
           AND p.status IN ('completed', 'failed', 'cancelled')",
    ),
    (
        "a held child without an active sibling",
        "SELECT CAST(c.id AS text) AS x FROM netaclaw_run c
         WHERE c.status = 'held' AND NOT EXISTS (
            SELECT 1 FROM netaclaw_run s WHERE s.parent_run_id = c.parent_run_id
              AND s.status IN ('queued', 'running', 'paused'))",
    ),
    (
        "a question that is open though its run is over",
        "SELECT CAST(p.id AS text) || ' of ' || CAST(r.id AS text) AS x
         FROM netaclaw_pause p JOIN netaclaw_run r ON r.id = p.run_id
         WHERE p.status = 'open' AND r.status IN ('completed', 'failed', 'cancelled')",
    ),
    (
        "a subagent that does not stand as its run",
        "SELECT CAST(s.id AS text) || ' ' || s.status || ', run ' || r.status || ' '
             || COALESCE(r.reason, '-') AS x
         FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.run_id
         WHERE s.status <> CASE
            WHEN r.status = 'failed' AND r.reason IN ('wall_time', 'idle_time') THEN 'timed_out'
            WHEN r.status IN ('completed', 'failed', 'cancelled') THEN r.status
            WHEN r.started_at IS NULL THEN 'queued' ELSE s.status END
            OR (r.status NOT IN ('completed', 'failed', 'cancelled')
                AND s.status NOT IN ('queued', 'running'))",
    ),
    (
        "a child of nobody",
        "SELECT CAST(c.id AS text) || ' ' || c.status AS x FROM netaclaw_run c
         LEFT JOIN netaclaw_run p ON p.id = c.parent_run_id
         WHERE c.parent_run_id IS NOT NULL AND p.id IS NULL",
    ),
];

/// What may not be there once all runs have ended.
const AT_REST: [(&str, &str); 6] = [
    (
        "a run that is over and waits",
        "SELECT CAST(id AS text) || ' ' || status || ' ' || CAST(open_pauses AS text) AS x
         FROM netaclaw_run WHERE open_pauses <> 0",
    ),
    ("a reservation that nobody gave back", "SELECT CAST(run_id AS text) AS x FROM netaclaw_reservation"),
    (
        "a child without a subagent, or one whose places differ",
        "SELECT CAST(r.id AS text) AS x FROM netaclaw_run r
         LEFT JOIN netaclaw_subagent_session s ON s.run_id = r.id
         WHERE r.kind = 'subagent' AND (s.id IS NULL OR s.id <> r.id OR s.session_id <> r.session_id
            OR s.parent_message_id <> r.assistant_message_id OR s.parent_run_id <> r.parent_run_id
            OR s.ended_at IS NULL)",
    ),
    (
        "an end without a word about it",
        "SELECT CAST(s.id AS text) || ' ' || s.status AS x FROM netaclaw_subagent_session s
         WHERE (s.status = 'completed' AND COALESCE(s.summary, '') = '')
            OR (s.status IN ('failed', 'timed_out') AND (s.error IS NULL OR s.exit_reason IS NULL))",
    ),
    (
        "usage of a message that is not that of its tree's calls",
        "SELECT CAST(r.id AS text) || ' ' || COALESCE(CAST(m.input_tokens AS text), '-') || '/'
             || COALESCE(CAST(m.output_tokens AS text), '-') || ' of '
             || CAST(u.input AS text) || '/' || CAST(u.output AS text) AS x
         FROM netaclaw_run r JOIN netaclaw_message m ON m.id = r.assistant_message_id
         JOIN (SELECT t.root_run_id AS root, SUM(u.input_tokens) AS input, SUM(u.output_tokens) AS output
               FROM netaclaw_usage u JOIN netaclaw_run t ON t.id = u.run_id GROUP BY t.root_run_id) u
           ON u.root = r.id
         WHERE r.parent_run_id IS NULL
           AND (COALESCE(m.input_tokens, 0) <> u.input OR COALESCE(m.output_tokens, 0) <> u.output)",
    ),
    (
        "a finished call whose usage was not counted once",
        r#"SELECT CAST(r.id AS text) || ' ' || CAST(COUNT(s.seq) AS text) || ' calls, '
             || CAST((SELECT COUNT(*) FROM netaclaw_usage u WHERE u.run_id = r.id) AS text) || ' counted' AS x
         FROM netaclaw_run r JOIN netaclaw_run_step s ON s.run_id = r.id AND s.kind = 'model'
              AND CAST(s.payload AS text) LIKE '%"usage":{%'
         GROUP BY r.id
         HAVING COUNT(s.seq) <> (SELECT COUNT(*) FROM netaclaw_usage u WHERE u.run_id = r.id)"#,
    ),
];

/// The card of every message is what its subagents' rows say.
async fn metadata_is_the_rows(database: &Database) {
    let messages = database
        .texts(
            "SELECT CAST(id AS text) || ' ' || CAST(metadata AS text) AS x FROM netaclaw_message
             WHERE role = 'assistant'",
        )
        .await;
    let rows = database
        .texts(
            "SELECT CAST(parent_message_id AS text) || ' ' || CAST(id AS text) || ' ' || parent_tool_call_id
                 || ' ' || CAST(sort_order AS text) || ' ' || status || ' '
                 || COALESCE(CAST(token_usage AS text), 'null') AS x
             FROM netaclaw_subagent_session ORDER BY parent_message_id, id",
        )
        .await;
    let mut stored: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &rows {
        let (message, rest) = row.split_once(' ').unwrap_or_default();
        let (plain, usage) = rest.split_at(rest.rfind(' ').unwrap_or_default());
        let usage: Value = serde_json::from_str(usage.trim()).expect("usage is JSON");
        stored.entry(message).or_default().push(format!("{plain} {usage}"));
    }
    for message in &messages {
        let (id, metadata) = message.split_once(' ').unwrap_or_default();
        let metadata: Value = serde_json::from_str(metadata).expect("metadata is JSON");
        let batches = metadata["subagents"].as_array().cloned().unwrap_or_default();
        let mut shown = Vec::new();
        for batch in &batches {
            let items = batch["items"].as_array().cloned().unwrap_or_default();
            assert_eq!(batch["summary"], super::card::count(&items), "message {id}");
            assert_eq!(batch["parentMessageId"].to_string(), id, "{batch}");
            for item in &items {
                let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
                let (batch, status) = (text(&batch["batchId"]), text(&item["status"]));
                let (place, usage) = (&item["sortOrder"], &item["tokenUsage"]);
                shown.push(format!("{} {batch} {place} {status} {usage}", item["id"]));
            }
        }
        assert_eq!(shown, stored.remove(id).unwrap_or_default(), "the card of message {id}");
    }
    assert!(stored.is_empty(), "subagents of no message: {stored:?}");
    summaries_are_the_rows(database, &messages).await;
}

/// Summaries are cut to 4,000 characters with an ellipsis, and are the rows' otherwise.
async fn summaries_are_the_rows(database: &Database, messages: &[String]) {
    let rows = database
        .texts("SELECT CAST(id AS text) || ' ' || COALESCE(summary, '') AS x FROM netaclaw_subagent_session")
        .await;
    let whole: BTreeMap<&str, &str> = rows.iter().filter_map(|r| r.split_once(' ')).collect();
    for message in messages {
        let metadata: Value =
            serde_json::from_str(message.split_once(' ').unwrap_or_default().1).expect("metadata is JSON");
        let batches = metadata["subagents"].as_array().cloned().unwrap_or_default();
        for item in batches.iter().flat_map(|b| b["items"].as_array().into_iter().flatten()) {
            let shown = item["summary"].as_str().unwrap_or_default();
            let stored = whole.get(item["id"].to_string().as_str()).copied().unwrap_or_default();
            let expected = if stored.chars().count() > 4_000 {
                stored.chars().take(3_999).chain(['…']).collect()
            } else {
                stored.to_owned()
            };
            assert_eq!(shown, expected, "the summary of {}", item["id"]);
        }
    }
}

/// Each batch's step stands once in its parent's journal and names as many subagents as there are;
/// its result stands there at most once, and exactly once where the parent completed.
async fn each_batch_was_delegated_and_answered_once(database: &Database) {
    let batches = database
        .texts(
            "SELECT CAST(s.parent_run_id AS text) || ' ' || r.status || ' ' || s.parent_tool_call_id || ' '
                 || CAST(COUNT(*) AS text) AS x
             FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.parent_run_id
             GROUP BY s.parent_run_id, r.status, s.parent_tool_call_id",
        )
        .await;
    let steps = database
        .texts(
            "SELECT CAST(run_id AS text) || ' ' || CAST(payload AS text) AS x FROM netaclaw_run_step
             WHERE kind IN ('delegated', 'tool_result')",
        )
        .await;
    let steps: Vec<(&str, Value)> = steps
        .iter()
        .filter_map(|s| s.split_once(' '))
        .map(|(run, payload)| (run, serde_json::from_str(payload).expect("a step is JSON")))
        .collect();
    for batch in &batches {
        let mut part = batch.splitn(4, ' ');
        let mut next = || part.next().unwrap_or_default();
        let (run, status, call, children) = (next(), next(), next(), next());
        let of = |kind: &str| {
            let named = |s: &Value| s["tool_call_id"].as_str().or(s["toolCallId"].as_str()) == Some(call);
            steps.iter().filter(|(r, s)| *r == run && s["kind"] == kind && named(s)).collect::<Vec<_>>()
        };
        let delegated = of("delegated");
        assert_eq!(delegated.len(), 1, "{batch}: delegated once");
        assert_eq!(delegated[0].1["total"].to_string(), children, "{batch}: as many subagents as it says");
        let answered = of("tool_result").len();
        assert!(answered == 1 || (answered == 0 && status != "completed"), "{batch}: {answered} results");
    }
}
