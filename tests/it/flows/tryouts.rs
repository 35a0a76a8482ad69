//! A definition is tried before it is saved, and again after it was changed.

use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::{Value, json};

on_both!(each_turn_runs_with_the_definition_of_its_beginning);

async fn each_turn_runs_with_the_definition_of_its_beginning(c: Cluster) {
    let agent = format!("/api/agents/{}", c.api(0).agent);
    let model = c.api(0).get(&agent).await.expect(200)["modelId"].clone();
    let spec = |prompt: &str| json!({"name": "draft", "modelId": model, "systemPrompt": prompt, "tools": []});
    let begun = c.api(0).post("/api/agents/tryouts", &json!({"spec": spec("Be brief.")})).await.expect(201);
    let session = begun["sessionId"].as_str().expect("an id").to_owned();
    for message in ["first", "held", "waits", "last"] {
        let reply = if message == "held" { Reply::words(20).hold_after(3) } else { Reply::text("Yes.") };
        c.provider.says(message, reply);
    }
    c.api(0).ask(&session, "first").await;
    let held = c.api(1).say(&session, "held").await;
    let mut socket = c.api(0).socket().await;
    socket.subscribe(&session, None).await;
    socket.read_until("three words", |s| s.turns.values().any(|t| t.text.contains("word3"))).await;
    let waits = c.api(0).say(&session, "waits").await;
    let path = format!("/api/agents/tryouts/{session}");
    assert_eq!(c.api(1).put(&path, &json!({"spec": spec("Rhyme.")})).await.status, 204);
    assert_eq!(c.api(1).stop(held.run).await.status, 200);
    c.api(0).finish(&waits).await;
    let prompt = |message: &str| c.provider.calls(message)[0].system();
    assert!(prompt("first").contains("Be brief.") && prompt("held").contains("Be brief."));
    assert!(prompt("waits").contains("Rhyme."), "it began after the change");
    let used = c.api(0).get("/api/usage?by=agent").await.expect(200);
    assert!(used["total"]["calls"].as_i64().is_some_and(|calls| calls >= 2), "{used}");
    let listed: Value = c.api(0).get("/api/sessions").await.expect(200);
    assert!(!listed.to_string().contains(&session), "{listed}");
    assert_eq!(c.api(0).delete(&format!("/api/sessions/{session}")).await.status, 204);
    c.end(Allowed::default()).await;
}
