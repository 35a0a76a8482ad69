//! Agents and models while they are made: what is wrong with them, who sees them, and how models are tried.

use super::harness::{Api, Reply};
use serde_json::{Value, json};

fn fields(reply: &Reply) -> Vec<&str> {
    assert_eq!((reply.status.as_u16(), reply.code()), (400, Some("invalid")), "{reply:?}");
    let errors = reply.json["errors"].as_array().unwrap();
    assert!(errors.iter().all(|e| !e["detail"].as_str().unwrap().is_empty()), "{reply:?}");
    errors.iter().map(|e| e["field"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn all_that_is_wrong_is_told_at_once() {
    let api = Api::new().await;
    let agent = json!({
        "name": " ", "modelId": 99, "tools": ["get_time", "rm", "sh"], "temperature": 3, "maxToolRounds": 0,
        "budgetCost": -1, "icon": "a name, not an icon", "starters": [""],
    });
    let refused = api.post("/api/agents", &agent).await;
    let expected = [
        "name",
        "icon",
        "starters[0]",
        "modelId",
        "maxToolRounds",
        "budgetCost",
        "temperature",
        "tools[1]",
        "tools[2]",
    ];
    assert_eq!(fields(&refused), expected);
    assert_eq!(refused.json["field"], "name", "the first, for those who show one");
    let changed = api.send("PATCH", "/api/agents/1", Some(&json!({"temperature": 9, "modelId": 99}))).await;
    assert_eq!(fields(&changed), ["modelId", "temperature"]);
    let model = json!({
        "name": "", "provider": "openai", "modelName": "", "apiKey": "two words", "baseUrl": "ftp://x",
        "rpm": 0, "inputPrice": -1,
    });
    let expected = ["name", "modelName", "apiKey", "baseUrl", "rpm", "inputPrice"];
    assert_eq!(fields(&api.post("/api/models", &model).await), expected);
    assert_eq!(fields(&api.send("PATCH", "/api/models/1", Some(&json!({"rpm": 0}))).await), ["rpm"]);
}

fn names(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_unpublished_agent_is_its_editors() {
    let api = Api::new().await;
    let draft = json!({
        "name": "Draft", "modelId": 1, "description": "Translates", "icon": "🦊", "published": false,
        "starters": ["What is new?"],
    });
    let made = api.post("/api/agents", &draft).await;
    assert_eq!(made.status, 201, "{made:?}");
    let shown = ["icon", "published", "starters", "modelName", "lastRunTime"].map(|f| made.json[f].clone());
    assert_eq!(shown, [json!("🦊"), json!(false), json!(["What is new?"]), json!("m"), Value::Null]);
    let path = format!("/api/agents/{}", made.json["id"]);
    for (query, expected) in [
        ("", vec!["solo", "Draft"]),
        ("?published=false", vec!["Draft"]),
        ("?published=true", vec!["solo"]),
        ("?q=DRA", vec!["Draft"]),
        ("?q=translat", vec!["Draft"]),
        ("?q=%25", vec![]),
    ] {
        assert_eq!(names(&api.get(&format!("/api/agents{query}")).await.json), expected, "{query}");
    }
    api.user("ada", &[3]).await;
    let member = api.browser("ada").await;
    let talk = async |agent: &str| {
        let message = json!({"message": "hello", "agent": agent, "wait": 0});
        api.ask(&member, "POST", "/open/netaclaw/chat", Some(&message)).await.status.as_u16()
    };
    assert_eq!((talk("solo").await, talk("Draft").await), (202, 404));
    assert_eq!(names(&api.ask(&member, "GET", "/api/agent-cards", None).await.json), ["solo"]);
    assert_eq!(api.chat(&json!({"message": "hello", "agent": "Draft", "wait": 0})).await.status, 202);
    let published = api.send("PATCH", &path, Some(&json!({"published": null, "icon": null}))).await;
    assert_eq!((&published.json["published"], &published.json["icon"]), (&json!(true), &json!("")));
    assert_eq!(talk("Draft").await, 202);
}

#[tokio::test]
async fn a_model_is_tried_before_it_is_saved() {
    let api = Api::new().await;
    let tried = async |body: Value| api.post("/api/models/test", &body).await;
    let with_key = tried(json!({"provider": "demo", "modelName": "x", "apiKey": "12345"})).await;
    assert_eq!(with_key.json["message"], "x with a key of Some(5) characters", "{with_key:?}");
    assert_eq!(api.get("/api/models").await.json["items"].as_array().unwrap().len(), 1, "nothing is stored");
    let model = json!({
        "name": "mine", "provider": "openai", "modelName": "gpt", "apiKey": "sk-canary",
        "baseUrl": "https://llm.example/v1",
    });
    let id = api.post("/api/models", &model).await.json["id"].clone();
    let at = |url: &str| json!({"id": id, "provider": "openai", "modelName": "gpt", "baseUrl": url});
    let same = tried(at("https://llm.example/v2")).await;
    assert_eq!(same.json["message"], "gpt with a key of Some(9) characters");
    let moved = tried(at("https://evil.example/v1")).await;
    assert_eq!(moved.json["message"], "gpt with a key of None characters", "the key stays with its server");
    let wrong = tried(json!({"provider": "openai", "modelName": "", "baseUrl": "nonsense"})).await;
    assert_eq!(fields(&wrong), ["modelName", "baseUrl"]);
    let gone = tried(json!({"id": 99, "provider": "demo", "modelName": "x"})).await;
    assert_eq!(fields(&gone), ["id"]);
    api.user("eve", &[2]).await;
    let editor = api.browser("eve").await;
    let inside = json!({"provider": "openai", "modelName": "x", "baseUrl": "http://127.0.0.1:1/v1"});
    let refused = api.ask(&editor, "POST", "/api/models/test", Some(&inside)).await;
    assert_eq!(fields(&refused), ["baseUrl"], "not into private networks");
}
