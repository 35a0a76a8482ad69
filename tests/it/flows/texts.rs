//! Any text passes whole, or visibly cleaned.

use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::Reply;
use futures_util::StreamExt;
use futures_util::stream;
use serde_json::json;

on_both!(a_stream_cut_at_any_byte_is_whole, hostile_text_is_kept_or_visibly_cleaned);

/// G01: a stream cut into network chunks at every byte: stored and streamed text are whole.
async fn a_stream_cut_at_any_byte_is_whole(c: Cluster) {
    let text = "那个修复方法😀👨\u{200d}👩\u{200d}👧";
    let bytes = Reply::text(text).stream();
    let cuts: Vec<usize> = (1..bytes.len()).collect();
    for at in &cuts {
        let (head, tail) = bytes.split_at(*at);
        let reply =
            Reply::bytes(vec![head.to_vec(), tail.to_vec()]).every(std::time::Duration::from_millis(2));
        c.provider.says(&format!("cut {at}."), reply);
    }
    let api = c.api(0);
    stream::iter(cuts)
        .for_each_concurrent(8, async |at| {
            let seen = api.stream("", &format!("cut {at}.")).await.read_all().await;
            assert_eq!(seen.text, text, "cut at {at}");
        })
        .await;
    let stored = c.database.texts("SELECT content AS x FROM netaclaw_message WHERE role = 'assistant'").await;
    assert_eq!(stored.len(), bytes.len() - 1);
    assert!(stored.iter().all(|s| s == text), "{stored:?}");
    c.end(Allowed::default()).await;
}

/// G04 and the rest: NUL, lone surrogates, 40,000 characters, right-to-left text, emoji, in the
/// user's message, in the model's text and in a tool's arguments.
async fn hostile_text_is_kept_or_visibly_cleaned(c: Cluster) {
    let long = "中".repeat(40_000);
    let table = [
        (json!("a\u{0}b"), "a\u{2400}b".to_owned()),
        (json!("שלום עולם مرحبا \u{202e}abc"), "שלום עולם مرحبا \u{202e}abc".to_owned()),
        (json!("👨\u{200d}👩\u{200d}👧 e\u{301} 𝒳"), "👨\u{200d}👩\u{200d}👧 e\u{301} 𝒳".to_owned()),
        (json!(long), long.clone()),
    ];
    for (n, (message, stored)) in table.iter().enumerate() {
        let session = uuid::Uuid::now_v7().to_string();
        let spoken = message.as_str().expect("text");
        let todo = json!({ "items": [{ "content": spoken, "status": "pending" }] }).to_string();
        let key = format!("hostile {n}");
        c.provider
            .rounds(&key, vec![vec![Reply::calls(&[("todo_write", &todo)])], vec![Reply::text(spoken)]]);
        let mut reader = c.api(0).stream(&session, &format!("{key} {spoken}")).await;
        reader.read_until("accepted", |t| !t.events.is_empty()).await;
        let first = reader.seen.events[0].clone();
        let turn = Turn::of(&session, &first["data"]);
        let seen = reader.read_all().await;
        shown_is_stored(&c, turn.assistant, &seen).await;
        assert_eq!(seen.text, *stored, "row {n}");
        let messages = c.api(1).messages(&session).await;
        assert_eq!(messages[0]["content"], format!("{key} {stored}"), "row {n}");
        assert_eq!(messages[1]["content"], *stored, "row {n}");
        // A plan's line has a limit of its own.
        let planned = &messages[1]["metadata"]["todos"][0]["content"];
        assert!(*planned == **stored || stored.len() > 10_000, "row {n}: {planned}");
        assert_eq!(c.api(1).ask(&session, "and again").await["status"], "completed", "row {n}");
        let told = c.provider.calls(&key)[0].conversation();
        assert_eq!(told[0].1, format!("{key} {stored}"), "row {n}");
    }

    // Half a pair, which no string of Rust can hold, in a request and from the model.
    let api = c.api(0);
    let body = format!(r#"{{"agentId":{},"message":"half \ud83d here","wait":20}}"#, c.agent);
    let request = api.request("POST", "/open/netaclaw/chat").header("content-type", "application/json");
    let answer = api.send(request.body(body)).await.expect(200);
    let session = Turn::of("", &answer).session;
    assert_eq!(api.messages(&session).await[0]["content"], "half \u{FFFD} here");
    let chunk = r#"data: {"choices":[{"index":0,"delta":{"content":"x\ud83dy\u0000z"}}]}"#;
    let end = r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    c.provider.says(
        "half a pair",
        Reply::bytes(vec![format!("{chunk}\n\n{end}\n\ndata: [DONE]\n\n").into_bytes()]),
    );
    let answer = api.ask(&session, "half a pair").await;
    assert_eq!(answer["content"], "x\u{FFFD}y\u{2400}z", "{answer}");
    c.end(Allowed::default()).await;
}
