//! Several messages for one session at once.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

/// The calls of these scripts never overlapped in time.
pub fn never_overlapped(c: &Cluster, keys: &[String]) {
    let mut calls: Vec<_> = keys.iter().flat_map(|k| c.provider.calls(k)).collect();
    calls.sort_by_key(|call| call.at);
    for pair in calls.windows(2) {
        let end = pair[0].end.expect("it ended").0;
        assert!(end <= pair[1].at, "{} and {} overlapped", pair[0].key, pair[1].key);
    }
}

on_both!(
    messages_at_once_are_answered_in_order_and_one_at_a_time,
    reject_and_interrupt_hold_on_every_route,
    every_route_queues_alike
);

/// A19, P4: 20 messages at once over two processes: one live run at a time, order kept, all
/// answered.
async fn messages_at_once_are_answered_in_order_and_one_at_a_time(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    let keys: Vec<String> = (1..=20).map(|n| format!("at once {n:02}")).collect();
    for key in &keys {
        c.provider.says(key, Reply::text(&format!("answer to {key}")).every(Duration::from_millis(5)));
    }
    c.api(0).ask(&session, "the first makes the session").await;
    let (a, b) = (c.api(0), c.api(1));
    let turns = join_all(keys.iter().enumerate().map(|(n, key)| {
        let (api, session) = (if n % 2 == 0 { &a } else { &b }, &session);
        async move { api.say(session, key).await }
    }))
    .await;
    for (turn, key) in turns.iter().zip(&keys) {
        let body = a.finish(turn).await;
        assert_eq!(body["content"], format!("answer to {key}"), "{body}");
    }
    never_overlapped(&c, &keys);
    // In the order of their ids: each request holds all earlier pairs and nothing of later ones.
    let mut order: Vec<(&Turn, &String)> = turns.iter().zip(&keys).collect();
    order.sort_by_key(|(turn, _)| turn.user);
    for (n, (_, key)) in order.iter().enumerate() {
        let calls = c.provider.calls(key);
        assert_eq!(calls.len(), 1, "{key}");
        let told = calls[0].conversation();
        let expected: Vec<String> = order[..n]
            .iter()
            .flat_map(|(_, k)| [(*k).clone(), format!("answer to {k}")])
            .chain([(*key).clone()])
            .collect();
        let texts: Vec<String> = told.into_iter().skip(2).map(|(_, t)| t).collect();
        assert_eq!(texts, expected, "{key}");
    }
    c.end(Allowed::default()).await;
}

/// A19, C04: a busy session refuses by 409 or is interrupted, on every route alike.
async fn reject_and_interrupt_hold_on_every_route(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.provider.says("busy", Reply::words(9).hold_after(2));
    let busy = c.api(0).say(&session, "busy").await;
    eventually("it runs", LONG, async || c.provider.calls("busy").len() == 1).await;

    for wait in [0, 5] {
        let refused = c.api(1).chat(&session, "refused", &json!({ "policy": "reject", "wait": wait })).await;
        assert_eq!(refused.status, 409, "{}", refused.body);
        assert!(refused.body["code"].is_string(), "{}", refused.body);
    }
    let request = c.api(1).request("POST", "/open/netaclaw/chat").header("accept", "text/event-stream");
    let refused = c
        .api(1)
        .send(request.json(&c.api(1).body(&session, "refused", &json!({ "policy": "reject" }))))
        .await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let mut socket = c.api(1).socket().await;
    let id = uuid::Uuid::now_v7().to_string();
    let more = json!({ "clientMessageId": id, "policy": "reject" });
    socket.send(&c.api(1).frame(&session, "refused", &more)).await;
    socket.read_until("a refusal", |s| s.others.iter().any(|f| f["type"] == "problem")).await;
    let refusal = socket.others.iter().find(|f| f["type"] == "problem").expect("a refusal").to_string();
    assert!(
        refusal.contains(&id) && refusal.contains(refused.body["code"].as_str().unwrap_or("?")),
        "{refusal}"
    );
    assert_eq!(
        c.database.count("SELECT COUNT(*) AS x FROM netaclaw_message").await,
        2,
        "a refused message leaves nothing"
    );

    // Those that wait are interrupted too.
    let waiting = c.api(0).say(&session, "waits").await;
    c.provider.says("takes over", Reply::text("Here I am."));
    let taken = c
        .api(1)
        .chat(&session, "takes over", &json!({ "policy": "interrupt", "wait": 20 }))
        .await
        .expect(200);
    assert_eq!(taken["content"], "Here I am.", "{taken}");
    for turn in [&busy, &waiting] {
        let body = c.api(0).finish(turn).await;
        assert_eq!(body["status"], "cancelled", "{body}");
        assert_eq!(c.api(0).run(turn.run).await["reason"], "interrupted");
    }
    assert_eq!(c.provider.calls("waits").len(), 0);

    // Twenty at once with `reject`: one is taken.
    c.provider.says("race", Reply::text("one of us").after(Duration::from_millis(800)));
    let (a, b) = (c.api(0), c.api(1));
    let answers = join_all((0..20).map(|n| {
        let (api, session) = (if n % 2 == 0 { &a } else { &b }, &session);
        async move { api.chat(session, "race", &json!({ "policy": "reject", "wait": 0 })).await.status }
    }))
    .await;
    assert_eq!(answers.iter().filter(|s| **s == 409).count(), 19, "{answers:?}");
    c.end(Allowed::default()).await;
}

/// C04: with the default policy, socket, POST and POST with wait queue in the same order.
async fn every_route_queues_alike(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.provider.says("slow", Reply::words(3).hold_after(1));
    c.api(0).say(&session, "slow").await;
    eventually("it runs", LONG, async || c.provider.calls("slow").len() == 1).await;
    let mut socket = c.api(0).socket().await;
    socket.send(&c.api(0).frame(&session, "by socket", &json!({}))).await;
    socket.read_until("accepted", |s| !s.turns.is_empty()).await;
    c.api(1).say(&session, "by post").await;
    let waiting = {
        let api = c.api(1);
        let session = session.clone();
        tokio::spawn(async move { api.ask(&session, "by wait").await })
    };
    eventually("all are accepted", LONG, async || {
        c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await == 4
    })
    .await;
    let queued = c.api(0).run(c.database.count("SELECT MAX(id) AS x FROM netaclaw_run").await).await;
    assert_eq!(queued["status"], "queued", "{queued}");
    assert!(queued.to_string().contains("session_busy"), "says why it waits: {queued}");
    c.provider.release("slow");
    assert_eq!(waiting.await.expect("no panic")["status"], "completed");
    let told: Vec<String> = c
        .api(0)
        .messages(&session)
        .await
        .iter()
        .filter(|m| m["role"] == "user")
        .map(|m| m["content"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(told, ["slow", "by socket", "by post", "by wait"]);
    never_overlapped(&c, &[String::new(), "slow".into()]);
    c.end(Allowed::default()).await;
}
