//! Who changed what is written down, and told to those who may read it.

use crate::harness::client::{Api, LONG, items};
use crate::harness::cluster::{CANARY, Cluster};
use crate::harness::delegation::{open_pauses, pause_id, single};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::{eventually, until};
use serde_json::{Value, json};

on_both!(
    changes_of_agents_models_and_keys_are_written_with_before_and_after,
    what_is_done_to_turns_is_written,
    the_audit_is_paged_and_filtered
);

async fn lines(api: &Api, query: &str) -> Vec<Value> {
    items(&api.get(&format!("/api/audit?{query}")).await.expect(200))
}

fn actions(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["action"].as_str().unwrap_or_default()).collect()
}

async fn changes_of_agents_models_and_keys_are_written_with_before_and_after(c: Cluster) {
    let ann = c.user("ann", "admin").await;
    let key = c.key(&["*"], &json!({ "userId": ann, "name": "by ann" })).await;
    let api = c.with_key(0, &key);
    let agent = api.post("/api/agents", &json!({ "name": "a", "modelId": c.model })).await.expect(201);
    let path = format!("/api/agents/{}", agent["id"]);
    api.patch(&path, &json!({ "name": "b" })).await.expect(200);
    let shares = json!({ "visibility": "shared", "users": [ann] });
    api.put(&format!("{path}/shares"), &shares).await.expect(200);
    assert_eq!(api.delete(&path).await.status, 204);
    // What is refused is not written.
    assert_eq!(api.delete(&path).await.status, 404);
    assert_eq!(api.post("/api/agents", &json!({ "name": "it", "modelId": c.model })).await.status, 409);

    let of_agent = lines(&c.api(1), &format!("objectKind=agent&objectId={}", agent["id"])).await;
    assert_eq!(actions(&of_agent), ["agent.delete", "agent.share", "agent.update", "agent.create"]);
    for line in &of_agent {
        assert_eq!((&line["actorKind"], &line["actorId"]), (&json!("key"), &json!(key.id)), "{line}");
        assert_eq!((&line["actorName"], &line["address"]), (&json!("by ann"), &json!("127.0.0.1")), "{line}");
    }
    assert_eq!((&of_agent[3]["before"], &of_agent[3]["after"]["name"]), (&Value::Null, &json!("a")));
    assert_eq!((&of_agent[2]["before"]["name"], &of_agent[2]["after"]["name"]), (&json!("a"), &json!("b")));
    assert_eq!(of_agent[1]["before"], json!({ "visibility": "tenant", "users": [], "roles": [] }));
    assert_eq!(of_agent[1]["after"], json!({ "visibility": "shared", "users": [ann], "roles": [] }));
    assert_eq!((&of_agent[0]["before"]["name"], &of_agent[0]["after"]), (&json!("b"), &Value::Null));

    let model = c.add_model("other", &json!({})).await;
    let path = format!("/api/models/{model}");
    api.patch(&path, &json!({ "apiKey": "sk-another-secret" })).await.expect(200);
    api.patch(&path, &json!({ "rpm": 5 })).await.expect(200);
    assert_eq!(api.delete(&path).await.status, 204);
    let of_model = lines(&c.api(1), &format!("objectKind=model&objectId={model}")).await;
    assert_eq!(actions(&of_model), ["model.delete", "model.update", "model.update", "model.create"]);
    assert_eq!(of_model[3]["actorKind"], "operator");
    assert_eq!(
        (&of_model[2]["after"]["apiKeyChanged"], &of_model[1]["after"]["apiKeyChanged"]),
        (&json!(true), &json!(false))
    );
    assert_eq!((&of_model[1]["before"]["rpm"], &of_model[1]["after"]["rpm"]), (&Value::Null, &json!(5)));
    let whole = c.api(0).get("/api/audit?limit=200").await.expect(200).to_string();
    for secret in [CANARY, "sk-another-secret", "v1.", "apiKeySealed", &key.text] {
        assert!(!whole.contains(secret), "{secret}");
    }

    let path = format!("/api/keys/{}", key.id);
    c.api(0).patch(&path, &json!({ "scopes": ["read"] })).await.expect(200);
    c.api(0).post(&format!("{path}/rotate"), &json!({})).await.expect(200);
    assert_eq!(c.api(0).delete(&path).await.status, 204);
    let of_key = lines(&c.api(1), &format!("objectKind=key&objectId={}", key.id)).await;
    assert_eq!(actions(&of_key), ["key.revoke", "key.rotate", "key.update", "key.create"]);
    assert_eq!(
        (&of_key[2]["before"]["scopes"], &of_key[2]["after"]["scopes"]),
        (&json!(["*"]), &json!(["read"]))
    );
    c.end(Allowed::default()).await;
}

async fn what_is_done_to_turns_is_written(c: Cluster) {
    let question = Reply::calls(&[("clarify", r#"{"question":"Which one?"}"#)]);
    c.provider.rounds("ask me", vec![vec![question], vec![Reply::text("Thanks.")]]);
    c.provider.says("hold", Reply::words(20).hold_after(3));
    c.provider.says("part", Reply::words(20).hold_after(3));
    let task = json!({ "goal": "part" });
    c.provider.rounds("team", vec![vec![single(&task)], vec![Reply::text("All done.")]]);
    let key = c.key(&["*"], &json!({})).await;
    let (api, other) = (c.with_key(0, &key), c.with_key(1, &key));

    let asked = api.say("", "ask me").await;
    let pause = until("a person is asked", LONG, async || open_pauses(&api).await.pop()).await;
    let answer = json!({ "answer": "the secret one" });
    other.post(&format!("/api/pauses/{}/answer", pause_id(&pause)), &answer).await.expect(200);
    other.finish(&asked).await;

    let stopped = api.say("", "hold").await;
    eventually("it runs", LONG, async || c.runs_in("running").await == 1).await;
    other.stop(stopped.run).await.expect(200);
    other.finish(&stopped).await;

    let team = api.say("", "team").await;
    let subagent = until("a subagent works", LONG, async || c.subagents(&team).await.pop()).await;
    eventually("it runs", LONG, async || c.runs_in("running").await == 1).await;
    let mut socket = other.socket().await;
    socket.send(&json!({ "type": "stop", "messageId": team.assistant, "subagentId": subagent.id })).await;
    other.finish(&team).await;

    let message = format!("/api/sessions/{}/messages/{}", asked.session, asked.assistant);
    assert_eq!(api.delete(&message).await.status, 204);
    assert_eq!(api.delete(&format!("/api/sessions/{}", asked.session)).await.status, 204);
    let written = lines(&c.api(0), &format!("actorKind=key&actorId={}", key.id)).await;
    let named: Vec<(&str, String)> = written
        .iter()
        .map(|line| {
            (line["action"].as_str().unwrap_or_default(), line["objectId"].as_str().unwrap_or("").to_owned())
        })
        .collect();
    assert_eq!(
        named,
        [
            ("session.delete", asked.session.clone()),
            ("message.delete", asked.assistant.to_string()),
            ("subagent.stop", subagent.id.to_string()),
            ("run.stop", stopped.run.to_string()),
            ("pause.answer", pause_id(&pause).to_string()),
        ]
    );
    assert!(!format!("{written:?}").contains("the secret one"), "who answered, not what");
    // What was over is not stopped once more, and what was answered not answered.
    other.stop(stopped.run).await.expect(200);
    other.post(&format!("/api/pauses/{}/answer", pause_id(&pause)), &answer).await;
    assert_eq!(lines(&c.api(0), "actorKind=key").await.len(), 5);
    c.provider.release("hold");
    c.provider.release("part");
    c.end(Allowed { failed_percent: 100 }).await;
}

async fn the_audit_is_paged_and_filtered(c: Cluster) {
    for n in 0..7 {
        c.add_agent(&format!("agent {n}"), c.model, &json!({})).await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page =
            c.api(seen.len()).get(&format!("/api/audit?action=agent.&limit=3{cursor}")).await.expect(200);
        let some = items(&page);
        assert!(some.len() <= 3);
        seen.extend(some.iter().filter_map(|line| line["id"].as_i64()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    // With the one that every test has.
    assert_eq!(seen.len(), 8, "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[0] > pair[1]), "newest first, none twice: {seen:?}");
    let all = lines(&c.api(0), "limit=200").await;
    let time = |n: usize| all[n]["createTime"].as_str().expect("a time").to_owned();
    let later = lines(&c.api(0), &format!("from={}&limit=200", time(2))).await;
    assert!(later.len() >= 3 && later.len() < all.len(), "{}", later.len());
    let earlier = lines(&c.api(0), &format!("to={}&limit=200", time(2))).await;
    assert_eq!(earlier.len() + later.len(), all.len());
    assert_eq!(lines(&c.api(0), "actorKind=nobody").await, Vec::<Value>::new());
    for wrong in ["actorKind=ghost", "from=yesterday", "limit=0", "cursor=x", "actorId=x"] {
        assert_eq!(c.api(0).get(&format!("/api/audit?{wrong}")).await.status, 400, "{wrong}");
    }
    // There is no way to change it.
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let api = c.api(0);
        assert_eq!(api.send(api.request(method, "/api/audit")).await.status, 405, "{method}");
    }
    let reader = c.key(&["chat"], &json!({})).await;
    assert_eq!(c.with_key(0, &reader).get("/api/audit").await.status, 403);
    c.end(Allowed::default()).await;
}
