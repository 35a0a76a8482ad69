//! A turn in OpenAI's dialect, where a flow would take long.

use super::harness::{Api, TOKEN, request};
use axum::body::Body;
use futures_util::StreamExt;
use serde_json::json;
use shared::domain::messages::ErrorInfo;
use shared::domain::runs::Reason;
use tower::ServiceExt;

#[tokio::test]
async fn a_silent_stream_is_kept_alive() {
    let api = Api::new().await;
    let body = json!({ "model": "solo", "stream": true, "messages": [{ "role": "user", "content": "hi" }] });
    let request = request("POST", "/v1/chat/completions")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()));
    let response = api.router.clone().oneshot(request.unwrap()).await.unwrap();
    assert_eq!(
        (response.status().as_u16(), &response.headers()["cache-control"]),
        (200, &"no-store".parse().unwrap())
    );
    let mut pieces = response.into_body().into_data_stream();
    let first = pieces.next().await.unwrap().unwrap();
    assert!(first.starts_with(b"data: {\"id\":\"chatcmpl-"), "{first:?}");
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    assert_eq!(pieces.next().await.unwrap().unwrap(), ": \n\n");
    assert!(began.elapsed().as_secs() <= 15, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_turn_whose_end_was_never_told_still_ends_for_who_asks_so() {
    let api = Api::new().await;
    let body = json!({ "model": "solo", "messages": [{ "role": "user", "content": "hi" }] });
    let (reply, ()) = tokio::join!(api.post("/v1/chat/completions", &body), async {
        let turn = api.next_turn().await;
        api.finish_silently(&api.claim(turn).await, "stored only", None).await;
    });
    assert_eq!(reply.json["choices"][0]["message"]["content"], "stored only", "{reply:?}");
    assert!(reply.json.get("usage").is_none(), "nobody counted: {reply:?}");
    let limited = ErrorInfo { kind: Reason::ModelLimit, message: "later".into() };
    let (reply, ()) = tokio::join!(api.post("/v1/chat/completions", &body), async {
        let turn = api.next_turn().await;
        api.finish_silently(&api.claim(turn).await, "", Some(limited)).await;
    });
    assert_eq!((reply.status.as_u16(), &reply.json["error"]["type"]), (429, &json!("rate_limit_error")));
}
