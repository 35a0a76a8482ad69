//! Deleted is gone: sessions with whole trees in them, in every state.

use super::ended;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{goals, parallel, refs};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::services::Database;
use crate::harness::wait::{always, eventually};
use futures_util::future::join_all;
use std::time::Duration;

on_both!(
    a_session_with_four_subagents_is_gone_in_every_state,
    fifty_trees_are_deleted_in_mid_flight,
    a_deleted_turn_takes_its_subagents_along
);

/// Rows that belong to nobody, in any table that hangs on sessions, messages or runs.
async fn no_orphans(database: &Database) {
    let look = "SELECT 'step of ' || CAST(run_id AS text) AS x FROM netaclaw_run_step
            WHERE run_id NOT IN (SELECT id FROM netaclaw_run)
         UNION ALL SELECT 'run ' || CAST(id AS text) FROM netaclaw_run
            WHERE session_id NOT IN (SELECT id FROM netaclaw_session)
         UNION ALL SELECT 'message ' || CAST(id AS text) FROM netaclaw_message
            WHERE session_id NOT IN (SELECT id FROM netaclaw_session)
         UNION ALL SELECT 'subagent ' || CAST(id AS text) FROM netaclaw_subagent_session
            WHERE session_id NOT IN (SELECT id FROM netaclaw_session)
               OR run_id NOT IN (SELECT id FROM netaclaw_run)
         UNION ALL SELECT 'pause ' || CAST(id AS text) FROM netaclaw_pause
            WHERE run_id NOT IN (SELECT id FROM netaclaw_run)
         UNION ALL SELECT 'budget ' || CAST(root_run_id AS text) FROM netaclaw_budget
            WHERE root_run_id NOT IN (SELECT id FROM netaclaw_run)
         UNION ALL SELECT 'reservation ' || CAST(run_id AS text) FROM netaclaw_reservation
            WHERE run_id NOT IN (SELECT id FROM netaclaw_run)
         UNION ALL SELECT 'usage of ' || CAST(run_id AS text) FROM netaclaw_usage
            WHERE run_id IS NOT NULL AND run_id NOT IN (SELECT id FROM netaclaw_run)";
    let left = database.texts(look).await;
    assert!(left.is_empty(), "{left:#?}");
}

/// No row and no key names the session, but for the line of the audit that says that it was deleted, and
/// nothing of what was said in it.
async fn nothing_names(c: &Cluster, sessions: &[String]) {
    for (table, row) in c.database.dump().await {
        let line = table == "netaclaw_audit" && row.contains(".delete") && !row.contains("title");
        assert!(line || !sessions.iter().any(|s| row.contains(s.as_str())), "left in {table}: {row}");
    }
    if let Some(redis) = &c.redis {
        let named = |k: &String| sessions.iter().any(|s| k.contains(s.as_str()));
        let left: Vec<String> = redis.keys().into_iter().filter(named).collect();
        assert!(left.is_empty(), "left in Redis: {left:?}");
    }
}

/// J03, J04: deleted while four subagents stream and wait, while a person is asked, while the answer
/// streams, and after the end: nothing is left, nothing runs, no event follows.
async fn a_session_with_four_subagents_is_gone_in_every_state(c: Cluster) {
    for state in ["subagents", "two over", "question", "answer", "ended"] {
        let key = format!("delete in state {state}");
        let goals = goals(&format!("{key} part"), 4);
        for goal in &goals {
            c.provider.says(goal, Reply::words(20).hold_after(3));
        }
        let question = Reply::calls(&[("clarify", r#"{"question":"Which one?"}"#)]).ids("ask");
        let answer = vec![Reply::words(20).hold_after(3)];
        let rounds = match state {
            "question" => vec![vec![parallel(&refs(&goals))], vec![question], answer],
            _ => vec![vec![parallel(&refs(&goals))], answer],
        };
        c.provider.rounds(&key, rounds);
        let session = uuid::Uuid::now_v7().to_string();
        let turn = c.api(0).say(&session, &key).await;
        let mut socket = c.api(1).socket().await;
        socket.subscribe(&session, None).await;
        eventually("three stream", LONG, async || c.provider.running() == 3).await;
        reach(&c, &turn, state, &key, &goals).await;

        let deleted = c.api(0).delete(&format!("/api/sessions/{session}")).await;
        assert!((200..300).contains(&deleted.status), "{state}: {deleted:?}");
        socket
            .read_until("session_deleted", |s| s.others.iter().any(|f| f["type"] == "session_deleted"))
            .await;
        let told: usize = socket.turns.values().map(|t| t.events.len()).sum();
        eventually("no call runs", Duration::from_secs(2), async || c.provider.running() == 0).await;
        let calls = c.provider.all().len();
        socket.read_for(Duration::from_millis(1_200)).await;
        assert_eq!(socket.turns.values().map(|t| t.events.len()).sum::<usize>(), told, "{state}: events");
        assert_eq!(c.provider.all().len(), calls, "{state}: calls");
        nothing_names(&c, &[session]).await;
        no_orphans(&c.database).await;
        assert_eq!(c.api(1).get(&format!("/api/runs/{}", turn.run)).await.status, 404, "{state}");
    }
    c.end(Allowed::default()).await;
}

/// Leads the turn into the state.
async fn reach(c: &Cluster, turn: &Turn, state: &str, key: &str, goals: &[String]) {
    if state == "subagents" {
        return;
    }
    let released = if state == "two over" { 2 } else { 4 };
    for goal in &goals[..released] {
        c.provider.release(goal);
    }
    match state {
        "two over" => eventually("two are over", LONG, async || ended(c, turn).await == 2).await,
        "question" => eventually("it asks", LONG, async || c.runs_in("paused").await == 1).await,
        "answer" => eventually("it answers", LONG, async || c.provider.asked(key).len() == 2).await,
        _ => {
            c.provider.release(key);
            c.api(0).finish(turn).await;
        }
    }
}

/// J01 with subagents: one turn of a session is deleted while its subagents work; the session lives.
async fn a_deleted_turn_takes_its_subagents_along(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "a first turn").await;
    let goals = goals("doomed", 4);
    for goal in &goals {
        c.provider.says(goal, Reply::words(20).hold_after(3));
    }
    c.provider.rounds("regretted", vec![vec![parallel(&refs(&goals))], vec![Reply::text("never")]]);
    let turn = c.api(0).say(&session, "regretted").await;
    eventually("three stream", LONG, async || c.provider.running() == 3).await;
    let deleted = c.api(1).delete(&format!("/api/sessions/{session}/messages/{}", turn.user)).await;
    assert!((200..300).contains(&deleted.status), "{deleted:?}");
    eventually("no call runs", Duration::from_secs(2), async || c.provider.running() == 0).await;
    assert!(c.subagents(&turn).await.is_empty());
    no_orphans(&c.database).await;
    assert_eq!(c.api(0).ask(&session, "and now").await["content"], "Fine.");
    assert_eq!(c.api(0).messages(&session).await.len(), 4);
    c.end(Allowed::default()).await;
}

/// Sessions are deleted in the middle of fifty trees: no orphan anywhere, and no call a second later.
async fn fifty_trees_are_deleted_in_mid_flight(c: Cluster) {
    c.provider.rounds(
        "grow",
        vec![
            vec![parallel(&["leaf 1 of {said}", "leaf 2 of {said}", "leaf 3 of {said}", "leaf 4 of {said}"])],
            vec![Reply::words(20).every(Duration::from_millis(20))],
        ],
    );
    for leaf in 1..=4 {
        let tool = Reply::calls(&[("get_time", "{}")]).after(Duration::from_millis(150));
        let rounds = vec![vec![tool], vec![Reply::words(10).every(Duration::from_millis(50))]];
        c.provider.rounds(&format!("leaf {leaf} of"), rounds);
    }
    let sessions: Vec<String> = (0..50).map(|_| uuid::Uuid::now_v7().to_string()).collect();
    let turns = join_all(
        sessions.iter().enumerate().map(async |(n, s)| c.api(n).say(s, &format!("grow {n:02}")).await),
    )
    .await;
    eventually("many work", LONG, async || c.provider.asked_like("leaf").len() >= 40).await;
    let deleted = join_all(sessions.iter().enumerate().map(async |(n, session)| {
        let answer = c.api(n).delete(&format!("/api/sessions/{session}")).await;
        answer.status
    }))
    .await;
    assert!(deleted.iter().all(|s| (200..300).contains(s)), "{deleted:?}");
    eventually("no call runs", Duration::from_secs(2), async || c.provider.running() == 0).await;
    let calls = c.provider.all().len();
    always("nothing begins", Duration::from_millis(1_500), async || c.provider.all().len() == calls).await;
    nothing_names(&c, &sessions).await;
    no_orphans(&c.database).await;
    let left = c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await;
    assert_eq!((turns.len(), left), (50, 0));
    c.end(Allowed::default()).await;
}
