//! Definitions that are tried before they are saved.

use super::harness::Api;
use axum::body::Body;
use serde_json::{Value, json};

const PATH: &str = "/api/agents/tryouts";

fn draft(more: &Value) -> Value {
    let mut spec = json!({"name": "draft", "modelId": 1});
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    json!({"spec": spec})
}

#[tokio::test]
async fn a_definition_is_tried_in_a_session_that_is_not_listed() {
    let api = Api::new().await;
    let begun = api.post(PATH, &draft(&json!({}))).await;
    assert_eq!(begun.status, 201, "{begun:?}");
    let session = begun.json["sessionId"].as_str().unwrap();
    let turn = api.accepted(&json!({"message": "hello", "sessionId": session, "agent": "solo"})).await;
    assert_eq!(turn.session_id.to_string(), session);
    assert_eq!(api.get("/api/sessions").await.json["items"], json!([]));
    assert_eq!(api.get(&format!("/api/sessions/{session}")).await.json["title"], "draft");
    let change = |more: Value| api_put(&api, session, draft(&more));
    assert_eq!(change(json!({"systemPrompt": "Rhyme."})).await, (204, Value::Null));
    assert_eq!(change(json!({"modelId": 99, "temperature": 9})).await, (400, json!("modelId")));
    assert_eq!(api.send("DELETE", &format!("/api/sessions/{session}"), None).await.status, 204);
    assert_eq!(change(json!({})).await.0, 404);
    let late = api.chat(&json!({"message": "hello", "sessionId": session, "wait": 0})).await;
    assert_eq!((late.status.as_u16(), late.code()), (404, Some("not_found")), "{late:?}");
    let ordinary = api.accepted(&json!({"message": "hello"})).await.session_id.to_string();
    assert_eq!(api_put(&api, &ordinary, draft(&json!({}))).await.0, 404, "it tries nothing");
}

async fn api_put(api: &Api, session: &str, body: Value) -> (u16, Value) {
    let reply = api.send("PUT", &format!("{PATH}/{session}"), Some(&body)).await;
    (reply.status.as_u16(), reply.json["field"].clone())
}

#[tokio::test]
async fn who_may_save_it_may_try_it() {
    let api = Api::new().await;
    let new = draft(&json!({}));
    let mut stored = new.clone();
    stored["agentId"] = json!(1);
    api.user("ada", &[3]).await;
    api.user("eve", &[2]).await;
    let (member, editor) = (api.browser("ada").await, api.browser("eve").await);
    for (body, permission) in [(&new, "agent:create"), (&stored, "agent:edit")] {
        let refused = api.ask(&member, "POST", PATH, Some(body)).await;
        assert_eq!((refused.status.as_u16(), refused.code()), (403, Some("forbidden")));
        assert!(refused.text.contains(permission), "{refused:?}");
        let begun = api.ask(&editor, "POST", PATH, Some(body)).await;
        assert_eq!(begun.status, 201, "{begun:?}");
        let session = begun.json["sessionId"].as_str().unwrap();
        let message = json!({"message": "hello", "sessionId": session, "wait": 0});
        let sent = async |who| api.ask(who, "POST", "/open/netaclaw/chat", Some(&message)).await.status;
        assert_eq!((sent(&editor).await.as_u16(), sent(&member).await.as_u16()), (202, 404));
        let theirs = api.ask(&member, "PUT", &format!("{PATH}/{session}"), Some(&new)).await;
        assert_eq!(theirs.status, 404);
    }
    stored["agentId"] = json!(99);
    assert_eq!(api.post(PATH, &stored).await.status, 404);
    let wrong = api.post(PATH, &draft(&json!({"name": "", "tools": ["rm"]}))).await;
    let fields: Vec<&Value> = wrong.json["errors"].as_array().unwrap().iter().map(|e| &e["field"]).collect();
    assert_eq!(fields, ["name", "tools[0]"]);
    let nobody = super::harness::request("POST", PATH).body(Body::from(new.to_string())).unwrap();
    assert_eq!(api.raw(nobody).await.status, 401);
}
