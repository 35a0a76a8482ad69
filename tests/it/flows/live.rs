//! Readers that come late, go away, and come back, on whichever process.

use crate::harness::client::{LONG, Turn, items};
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use futures_util::future::join_all;
use serde_json::json;
use std::time::{Duration, Instant};

on_both!(
    a_reload_in_mid_stream_shows_what_there_is_and_goes_on,
    every_process_tells_the_same,
    a_reader_resumes_by_its_cursor,
    a_wait_ends_with_the_answer_or_with_the_ids
);

/// B01: a reload in mid-stream shows the text so far at once and goes on from there.
async fn a_reload_in_mid_stream_shows_what_there_is_and_goes_on(c: Cluster) {
    c.provider.says("long", Reply::words(200).hold_after(50));
    let session = uuid::Uuid::now_v7().to_string();
    let mut first = c.api(0).stream(&session, "long").await;
    first.read_until("fifty words", |t| t.text.contains("word50 ")).await;
    let turn = Turn::of(&session, &first.seen.of("run_accepted")[0]["data"]);
    drop(first);

    // The page's own two requests: messages with the snapshot of the turn, then the socket.
    let began = Instant::now();
    let page = c.api(1).get(&format!("/api/sessions/{session}/messages")).await.expect(200);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let pending = items(&page).into_iter().find(|m| m["id"] == turn.assistant).expect("the placeholder");
    assert_eq!(pending["status"], "pending", "{pending}");
    assert!(pending.to_string().contains("word50") && !pending.to_string().contains("word51"), "{pending}");

    let mut socket = c.api(1).socket().await;
    socket.subscribe(&session, None).await;
    socket
        .read_until("the first fifty", |s| {
            s.turns.get(&turn.assistant).is_some_and(|t| t.text.contains("word50 "))
        })
        .await;
    c.provider.release("long");
    let seen = socket.read_turn(turn.assistant).await;
    assert_eq!(seen.text, words(200));
    shown_is_stored(&c, turn.assistant, &seen).await;

    // Who comes after the end is told all the same.
    let mut late = c.api(0).resume(turn.assistant, None).await;
    late.read_until("the end", |t| t.terminal.is_some()).await;
    assert_eq!(late.seen.text, words(200));
    assert_eq!(c.provider.calls("long").len(), 1);
    c.end(Allowed::default()).await;
}

/// B02, B04: POST on one process, socket and waiter on the others, message after message in one
/// session: everybody sees the same events, and nothing is dropped.
async fn every_process_tells_the_same(c: Cluster) {
    c.provider.says("relay", Reply::words(12).every(Duration::from_millis(2)));
    let sessions: Vec<String> = (0..5).map(|_| uuid::Uuid::now_v7().to_string()).collect();
    join_all(sessions.iter().map(async |session| {
        c.api(0).ask(session, "hello").await;
        for round in 0..6 {
            let (post, other) = (c.api(round), c.api(round + 1));
            let mut sockets = [c.api(0).socket().await, c.api(1).socket().await];
            for socket in &mut sockets {
                socket.subscribe(session, None).await;
            }
            let turn = post.say(session, "relay").await;
            let waiter = other.finish(&turn);
            let [left, right] = &mut sockets;
            let (body, left, right) =
                tokio::join!(waiter, left.read_turn(turn.assistant), right.read_turn(turn.assistant));
            assert_eq!(body["content"], words(12));
            assert_eq!(left.text, words(12));
            assert_eq!(right.text, words(12));
            // Whatever both have seen since the beginning is the same.
            let numbers = |t: &crate::harness::transcript::Transcript| {
                t.events
                    .iter()
                    .map(|e| (e["epoch"].as_u64(), e["seq"].as_u64(), e["type"].clone()))
                    .collect::<Vec<_>>()
            };
            if left.of("resync").is_empty() && right.of("resync").is_empty() {
                assert_eq!(numbers(&left), numbers(&right));
            }
        }
    }))
    .await;
    assert_eq!(c.provider.calls("relay").len(), 30);
    c.end(Allowed::default()).await;
}

/// B06: who was away for a while resumes by cursor without a gap, over socket and SSE.
async fn a_reader_resumes_by_its_cursor(c: Cluster) {
    c.provider.says("patient", Reply::words(60).every(Duration::from_millis(50)));
    let session = uuid::Uuid::now_v7().to_string();
    let mut reader = c.api(0).stream(&session, "patient").await;
    reader.read_until("a few words", |t| t.text.contains("word5 ")).await;
    let turn = Turn::of(&session, &reader.seen.of("run_accepted")[0]["data"]);
    let mut seen = reader.seen.clone();
    assert_eq!(reader.last_id, seen.last_event_id());
    drop(reader);
    for n in 0..4 {
        let mut reader = c.api(n).resume(turn.assistant, seen.last_event_id().as_deref()).await;
        reader.seen = seen;
        let had = reader.seen.events.len();
        reader.read_until("something new", |t| t.events.len() > had + 3).await;
        seen = reader.seen.clone();
        drop(reader);
        let mut socket = c.api(n + 1).socket().await;
        socket.subscribe(&session, Some((turn.assistant, &seen))).await;
        socket.read_until("something new", |s| s.turns[&turn.assistant].events.len() > had + 6).await;
        seen = socket.turns[&turn.assistant].clone();
        if n == 3 {
            seen = socket.read_turn(turn.assistant).await;
        }
    }
    seen.check();
    assert_eq!(seen.text, words(60));
    assert_eq!(c.provider.calls("patient").len(), 1);
    shown_is_stored(&c, turn.assistant, &seen).await;
    c.end(Allowed::default()).await;
}

/// C01: a wait that outlasts its time answers 202 with all ids, and asking on gives the answer.
async fn a_wait_ends_with_the_answer_or_with_the_ids(c: Cluster) {
    c.provider.says("slow", Reply::words(3).hold_after(1));
    let began = Instant::now();
    let answer = c.api(0).chat("", "slow", &json!({ "wait": 1 })).await;
    assert_eq!(answer.status, 202, "{}", answer.body);
    assert!((0.9..3.0).contains(&began.elapsed().as_secs_f64()), "{:?}", began.elapsed());
    let turn = Turn::of("", &answer.body);
    let again = c.api(1).get(&format!("/open/netaclaw/chat/{}?wait=1", turn.assistant)).await;
    assert_eq!(again.status, 202, "{}", again.body);
    assert_eq!(Turn::of("", &again.body), turn);
    let waiting = {
        let api = c.api(1);
        let path = format!("/open/netaclaw/chat/{}?wait=30", turn.assistant);
        tokio::spawn(async move { (api.get(&path).await, Instant::now()) })
    };
    crate::harness::wait::eventually("the turn runs", LONG, async || c.provider.running() == 1).await;
    let released = Instant::now();
    c.provider.release("slow");
    let (answer, at) = waiting.await.expect("no panic");
    assert_eq!(answer.expect(200)["content"], words(3));
    assert!(at - released < Duration::from_secs(1), "{:?}", at - released);
    c.end(Allowed::default()).await;
}

/// B07: an API process with sockets in mid-stream is killed: they resume on the other one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_of_a_killed_process_resume_on_the_other() {
    let mut c = Cluster::start(Kind::PAIR).await;
    c.provider.says("survive", Reply::words(60).hold_after(20));
    let (doomed, other) = (c.api(0), c.api(1));
    let mut readers = join_all((0..30).map(async |_| {
        let mut socket = doomed.socket().await;
        let session = uuid::Uuid::now_v7().to_string();
        socket.send(&doomed.frame(&session, "survive", &json!({}))).await;
        socket.read_until("twenty words", |s| s.turns.values().any(|t| t.text.contains("word20 "))).await;
        (session, socket)
    }))
    .await;
    c.apis[0].kill();
    for (_, socket) in &mut readers {
        assert!(socket.next().await.is_none(), "the socket is gone");
    }
    c.provider.release("survive");
    let turns = join_all(readers.iter().map(async |(session, old)| {
        let (&assistant, seen) = old.turns.iter().next().expect("a turn");
        let mut socket = other.socket().await;
        socket.subscribe(session, Some((assistant, seen))).await;
        (assistant, socket.read_turn(assistant).await)
    }))
    .await;
    for (assistant, seen) in &turns {
        assert_eq!(seen.text, words(60));
        shown_is_stored(&c, *assistant, seen).await;
    }
    assert_eq!(c.provider.calls("survive").len(), 30);
    c.end(Allowed::default()).await;
}
