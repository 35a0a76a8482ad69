//! Models that fail: the turn ends with words that a user can act on, and the next turn works.

use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::process::free_port;
use crate::harness::reply::Reply;
use serde_json::json;
use std::time::{Duration, Instant};

on_both!(a_failing_model_fails_the_turn_and_nothing_else);

/// B10 and bad input of models: every way to fail ends in exactly one `error`, a failed row, and a
/// waiter that is released at once.
async fn a_failing_model_fails_the_turn_and_nothing_else(c: Cluster) {
    let api = c.api(0);
    let refusals = [
        (
            "wrong key",
            Reply::refusal(401, r#"{"error":{"message":"Incorrect API key provided"}}"#),
            "model_auth",
            1,
        ),
        ("forbidden", Reply::refusal(403, r#"{"error":{"message":"not allowed"}}"#), "model_auth", 1),
        (
            "no model",
            Reply::refusal(404, r#"{"error":{"message":"The model `scripted` does not exist"}}"#),
            "model_request",
            1,
        ),
        (
            "bad request",
            Reply::refusal(400, r#"{"error":{"message":"max_tokens is too large"}}"#),
            "model_request",
            1,
        ),
        ("always 500", Reply::refusal(500, "<html>oops</html>"), "model_unavailable", 5),
        ("always closed", Reply::bytes(Vec::new()), "model_unavailable", 5),
    ];
    for (key, reply, kind, calls) in refusals {
        c.provider.says(key, reply);
        let session = uuid::Uuid::now_v7().to_string();
        let reader = api.stream(&session, key);
        let seen = reader.await.read_all().await;
        let error = seen.terminal.clone().expect("it ended");
        assert_eq!(error["type"], "error", "{key}: {error}");
        assert_eq!(error["data"]["kind"], kind, "{key}: {error}");
        assert!(error["data"]["message"].as_str().is_some_and(|m| m.len() > 15), "{key}: {error}");
        let turn = Turn::of(&session, &seen.of("run_accepted")[0]["data"]);
        let row = api.run(turn.run).await;
        assert_eq!((&row["status"], &row["reason"]), (&json!("failed"), &json!(kind)), "{key}: {row}");
        let body = api.finish(&turn).await;
        assert_eq!(body["error"]["kind"], kind, "{key}: {body}");
        assert_eq!(c.provider.calls(key).len(), calls, "{key}");
        let next = api.ask(&session, "and now").await;
        assert_eq!(next["content"], "Fine.", "{key}: {next}");
    }

    // A waiter learns at most a second after the row.
    c.provider.says("late refusal", Reply::refusal(401, "{}").after(Duration::from_millis(700)));
    let began = Instant::now();
    let answer = c.api(1).chat("", "late refusal", &json!({ "wait": 20 })).await.expect(200);
    assert_eq!(answer["status"], "failed", "{answer}");
    assert!(began.elapsed() < Duration::from_millis(1_900), "{:?}", began.elapsed());

    // Nobody listens at the model's address.
    let nowhere = format!("http://127.0.0.1:{}/v1", free_port());
    let model = c.add_model("nowhere", &json!({ "baseUrl": nowhere })).await;
    let agent = c.add_agent("nowhere", model, &json!({})).await;
    let answer = api.chat("", "hello", &json!({ "agentId": agent, "wait": 60 })).await.expect(200);
    assert_eq!(answer["error"]["kind"], "model_unavailable", "{answer}");
    // Told by the door that tests a model, too.
    let tested = api.post(&format!("/api/models/{model}/test"), &json!({})).await;
    assert!(tested.status < 500, "{tested:?}");
    assert!(tested.body.to_string().contains("model_unavailable"), "{}", tested.body);
    c.end(Allowed { failed_percent: 60 }).await;
}
