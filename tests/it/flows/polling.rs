//! A session's events by asking again and again, now one process, now the other: the same as a socket.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::delegation::parallel;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use crate::harness::transcript::Transcript;
use crate::harness::wait::in_time;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

on_both!(asking_now_here_now_there_gives_what_a_socket_gives);

/// Three turns of a session, one of them with subagents; a socket follows all of it, and a client that
/// asks one process after the other, hangs up on some of its questions, and asks those again.
async fn asking_now_here_now_there_gives_what_a_socket_gives(c: Cluster) {
    c.provider.says("plain", Reply::words(60).every(Duration::from_millis(5)));
    c.provider.says("find 1", Reply::words(20).every(Duration::from_millis(5)));
    c.provider.says("find 2", Reply::words(30).every(Duration::from_millis(5)));
    c.provider.rounds(
        "compare",
        vec![vec![parallel(&["find 1", "find 2"])], vec![Reply::text("Compared at last.")]],
    );
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "hello").await;
    let mut socket = c.api(1).socket().await;
    socket.send(&json!({ "type": "subscribe", "sessionId": session, "level": "subagents" })).await;
    socket.read_until("subscribed", |s| s.others.iter().any(|f| f["type"] == "subscribed")).await;

    let path = format!("/api/sessions/{session}/events?level=subagents");
    let first = c.api(0).get(&path).await.expect(200);
    assert_eq!(first["events"], json!([]), "nothing is at work");
    let mut cursor = first["cursor"].as_str().expect("a cursor").to_owned();
    let mut turns: Vec<Turn> = Vec::new();
    for message in ["plain", "compare", "plain"] {
        turns.push(c.api(0).say(&session, message).await);
    }
    let mut told: Vec<Value> = Vec::new();
    let last = turns[2].assistant;
    in_time("the last turn's end", LONG * 2, async {
        for round in 0_usize.. {
            let api = c.api(round);
            let at = format!("{path}&wait=5&cursor={cursor}");
            if round % 3 == 1 {
                // Hangs up, sometimes before it is answered: the same question is asked again.
                let patience = Duration::from_millis(round as u64 * 7 % 40);
                let _ = tokio::time::timeout(patience, api.get(&at)).await;
                continue;
            }
            let answer = api.get(&at).await.expect(200);
            answer["cursor"].as_str().expect("a cursor").clone_into(&mut cursor);
            told.extend(answer["events"].as_array().expect("events").iter().cloned());
            let ended =
                |e: &Value| e["messageId"] == last && e["type"] == "done" && e["runId"] == turns[2].run;
            if told.iter().any(ended) {
                break;
            }
        }
    })
    .await;
    // Streams of subagents end beside their turn's.
    loop {
        let answer = c.api(0).get(&format!("{path}&wait=0&cursor={cursor}")).await.expect(200);
        let events = answer["events"].as_array().expect("events");
        if events.is_empty() {
            break;
        }
        answer["cursor"].as_str().expect("a cursor").clone_into(&mut cursor);
        told.extend(events.iter().cloned());
    }
    let mut seen: BTreeMap<i64, Transcript> = BTreeMap::new();
    for event in &told {
        seen.entry(event["runId"].as_i64().expect("a run")).or_default().add(event);
    }
    for turn in &turns {
        let by_socket = socket.read_turn(turn.assistant).await;
        let asked = &seen[&turn.run];
        asked.check();
        assert_eq!(asked.text, by_socket.text);
        shown_is_stored(&c, turn.assistant, asked).await;
    }
    assert_eq!(seen[&turns[0].run].text, words(60));
    let subagents: Vec<&Transcript> =
        seen.iter().filter(|(run, _)| turns.iter().all(|t| t.run != **run)).map(|(_, t)| t).collect();
    let mut texts: Vec<&str> = subagents.iter().map(|t| t.text.as_str()).collect();
    texts.sort_by_key(|t| t.len());
    assert_eq!(texts, [words(20), words(30)]);
    for subagent in subagents {
        subagent.check();
    }
    c.end(Allowed::default()).await;
}
