//! Agents, models, sessions, runs: made, listed, changed, removed.

use super::harness::Api;
use serde_json::{Value, json};

fn ids(page: &Value) -> Vec<i64> {
    page["items"].as_array().unwrap().iter().map(|i| i["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn agents_are_changed_by_what_is_given() {
    let api = Api::new().await;
    let all = json!({
        "name": "writer", "systemPrompt": "Write.", "modelId": 1, "tools": ["get_time"], "temperature": 0.5,
        "maxToolRounds": 4, "subagentConfig": {"enabled": true, "maxConcurrent": 8},
    });
    let made = api.post("/api/agents", &all).await;
    assert_eq!(made.status, 201, "{made:?}");
    let path = format!("/api/agents/{}", made.json["id"]);
    let patch = json!({"temperature": null, "subagentConfig": {"maxConcurrent": 2}, "version": 1});
    let changed = api.send("PATCH", &path, Some(&patch)).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let mut expected = made.json.clone();
    expected["temperature"] = Value::Null;
    expected["subagentConfig"]["maxConcurrent"] = json!(2);
    expected["effectiveSubagentConfig"]["maxConcurrent"]["value"] = json!(2);
    expected["version"] = json!(2);
    expected["updateTime"] = changed.json["updateTime"].clone();
    assert_eq!(changed.json, expected);
    assert_eq!(api.get(&path).await.json, expected);
    let stale = api.send("PATCH", &path, Some(&json!({"name": "x", "version": 1}))).await;
    assert_eq!((stale.status.as_u16(), &stale.json["code"]), (409, &json!("version_conflict")));
    assert_eq!(stale.json["current"], expected, "as it stands, to be compared with");
    let table = [
        (json!({"name": ""}), 400, "name"),
        (json!({"name": null}), 400, "name"),
        (json!({"name": 3}), 400, "name"),
        (json!({"modelId": 99}), 400, "modelId"),
        (json!({"tools": ["get_time", "rm"]}), 400, "tools[1]"),
        (json!({"tools": [7]}), 400, "tools[0]"),
        (json!({"temperature": 3}), 400, "temperature"),
        (json!({"maxToolRounds": 0}), 400, "maxToolRounds"),
        (json!({"subagentConfig": {"maxConcurrent": "x"}}), 400, "subagentConfig.maxConcurrent"),
        (json!({"version": "1"}), 400, "version"),
        (json!({"icon": "123456789"}), 400, "icon"),
        (json!({"starters": ["a", "b", "c", "d", "e"]}), 400, "starters"),
        (json!({"starters": ["a", " "]}), 400, "starters[1]"),
        (json!({"published": "no"}), 400, "published"),
    ];
    for (patch, status, field) in table {
        let refused = api.send("PATCH", &path, Some(&patch)).await;
        assert_eq!((refused.status.as_u16(), &refused.json["field"]), (status, &json!(field)), "{refused:?}");
    }
    assert_eq!(api.send("PATCH", &path, Some(&json!({"name": "solo"}))).await.status, 409, "taken");
    assert_eq!(api.post("/api/agents", &all).await.status, 409, "taken");
    assert_eq!(api.send("DELETE", &path, None).await.status, 204);
    assert_eq!(api.send("DELETE", &path, None).await.status, 404);
    assert_eq!(api.get(&path).await.status, 404);
}

#[tokio::test]
async fn lists_are_paged_in_a_stable_order() {
    let api = Api::new().await;
    for n in 0..5 {
        let made = api.post("/api/agents", &json!({"name": format!("a{n}"), "modelId": 1})).await;
        assert_eq!(made.status, 201);
        api.accepted(&json!({"message": format!("m{n}")})).await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = api.get(&format!("/api/agents?limit=2{cursor}")).await.json;
        seen.extend(ids(&page));
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, [1, 2, 3, 4, 5, 6]);
    let titles = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|s| s["title"].as_str().unwrap().to_owned()).collect()
    };
    let page = api.get("/api/sessions?limit=3").await.json;
    assert_eq!(titles(&page), ["m4", "m3", "m2"]);
    let rest =
        api.get(&format!("/api/sessions?limit=3&cursor={}", page["nextCursor"].as_str().unwrap())).await;
    assert_eq!(titles(&rest.json), ["m1", "m0"]);
    let queued = api.get("/api/runs?status=queued&limit=4").await.json;
    assert_eq!(ids(&queued), [5, 4, 3, 2]);
    assert_eq!(ids(&api.get("/api/runs?reason=poisoned").await.json), [0; 0]);
}

#[tokio::test]
async fn a_key_goes_in_and_never_comes_out_nor_to_another_server() {
    let api = Api::new().await;
    let model = json!({
        "name": "mine", "provider": "openai", "modelName": "gpt", "apiKey": "sk-canary-42",
        "baseUrl": "https://llm.example/v1/", "rpm": 10, "inputPrice": 0.5,
    });
    let made = api.post("/api/models", &model).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json["baseUrl"], "https://llm.example/v1");
    assert_eq!(made.json["trustedHost"], true, "the admin token is the operator's");
    assert_eq!((&made.json["rpm"], &made.json["inputPrice"]), (&json!(10), &json!(0.5)));
    let path = format!("/api/models/{}", made.json["id"]);
    let has_key = async |patch: Value| {
        let changed = api.send("PATCH", &path, Some(&patch)).await;
        assert_eq!(changed.status, 200, "{changed:?}");
        assert!(!changed.text.contains("canary"), "{changed:?}");
        changed.json["hasApiKey"].as_bool().unwrap()
    };
    assert!(has_key(json!({"rpm": null, "name": "still mine"})).await);
    assert!(has_key(json!({"baseUrl": "https://LLM.example:443/other"})).await, "the same server");
    assert!(!has_key(json!({"baseUrl": "https://llm.example.evil.example/v1"})).await, "another server");
    assert!(has_key(json!({"apiKey": "sk-canary-43"})).await);
    assert!(!has_key(json!({"baseUrl": "http://llm.example.evil.example/v1"})).await, "another scheme");
    assert!(has_key(json!({"baseUrl": "https://b.example", "apiKey": "sk-canary-44"})).await, "given again");
    assert!(!has_key(json!({"baseUrl": null})).await, "the provider's own address is another server");
    assert!(has_key(json!({"apiKey": " sk-canary-45 "})).await);
    let tried = api.send("POST", &format!("{path}/test"), None).await;
    assert_eq!(tried.json["message"], "gpt with a key of Some(12) characters");
    assert!(!has_key(json!({"provider": "anthropic"})).await, "its address is another server");
    assert!(!has_key(json!({"apiKey": null})).await);
    for text in [api.get(&path).await.text, api.get("/api/models").await.text, made.text] {
        assert!(!text.contains("canary"), "{text}");
    }
    let table = [
        (json!({"baseUrl": "ftp://x"}), "baseUrl"),
        (json!({"baseUrl": "https://u:p@x"}), "baseUrl"),
        (json!({"baseUrl": "nonsense"}), "baseUrl"),
        (json!({"baseUrl": "https://x/?key=1"}), "baseUrl"),
        (json!({"baseUrl": "http://169.254.169.254/latest"}), "baseUrl"),
        (json!({"apiKey": "two words"}), "apiKey"),
        (json!({"apiKey": "schlüssel"}), "apiKey"),
        (json!({"provider": "other"}), "provider"),
        (json!({"rpm": 0}), "rpm"),
        (json!({"contextWindow": "x"}), "contextWindow"),
        (json!({"inputPrice": -1}), "inputPrice"),
        (json!({"modelName": " "}), "modelName"),
    ];
    for (patch, field) in table {
        let refused = api.send("PATCH", &path, Some(&patch)).await;
        assert_eq!((refused.status.as_u16(), &refused.json["field"]), (400, &json!(field)), "{refused:?}");
        assert!(!refused.text.contains("two words"), "a refused key is not repeated");
    }
    let used = api.send("DELETE", "/api/models/1", None).await;
    assert_eq!((used.status.as_u16(), used.code()), (409, Some("conflict")));
    assert_eq!(used.json["detail"], "this model is used by: solo");
    assert_eq!(api.send("DELETE", &path, None).await.status, 204);
}

#[tokio::test]
async fn sessions_are_renamed_and_deleted_with_everything() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello\nworld"})).await;
    let path = format!("/api/sessions/{}", turn.session_id);
    let session = api.get(&path).await.json;
    assert_eq!((&session["title"], &session["kind"]), (&json!("hello"), &json!("chat")));
    assert!(session.get("tenantId").is_none());
    let renamed = api.send("PATCH", &path, Some(&json!({"title": " New "}))).await;
    assert_eq!(renamed.json["title"], "New");
    assert_eq!(api.send("PATCH", &path, Some(&json!({"title": ""}))).await.json["field"], "title");
    assert_eq!(api.send("DELETE", &path, None).await.status, 204);
    for gone in [path.clone(), format!("{path}/messages"), format!("/api/runs/{}", turn.run_id)] {
        assert_eq!(api.get(&gone).await.status, 404, "{gone}");
    }
    assert_eq!(api.send("DELETE", &path, None).await.status, 404);
}

#[tokio::test]
async fn messages_are_paged_both_ways() {
    let api = Api::new().await;
    let mut body = json!({"message": "0", "sessionId": "01890000-0000-7000-8000-000000000002"});
    for n in 0..4 {
        body["message"] = json!(n.to_string());
        let turn = api.accepted(&body).await;
        api.answer(turn, "ok").await;
    }
    let path = "/api/sessions/01890000-0000-7000-8000-000000000002/messages";
    let newest = api.get(&format!("{path}?limit=3")).await.json;
    assert_eq!((ids(&newest), &newest["hasMore"]), (vec![6, 7, 8], &json!(true)));
    let older = api.get(&format!("{path}?limit=9&before=6")).await.json;
    assert_eq!((ids(&older), &older["hasMore"]), (vec![1, 2, 3, 4, 5], &json!(false)));
    let first = api.get(&format!("{path}?limit=2&after=0")).await.json;
    assert_eq!((ids(&first), &first["hasMore"]), (vec![1, 2], &json!(true)));
    assert_eq!(api.get(&format!("{path}?before=3&after=1")).await.json["field"], "after");
}

#[tokio::test]
async fn runs_are_shown_stopped_and_say_why_they_wait() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let path = format!("/api/runs/{}", turn.run_id);
    let run = api.get(&path).await.json;
    assert_eq!(
        (&run["status"], &run["why"], &run["steps"]),
        (&json!("queued"), &json!({"kind": "no_worker"}), &json!([]))
    );
    let stopped = api.send("POST", &format!("{path}/stop"), None).await;
    assert_eq!(stopped.json, json!({"runId": turn.run_id, "outcome": "ended"}));
    let again = api.send("POST", &format!("{path}/stop"), None).await;
    assert_eq!(again.json["outcome"], "already_over");
    let run = api.get(&path).await.json;
    assert_eq!(
        (&run["status"], &run["reason"], run.get("why")),
        (&json!("cancelled"), &json!("stopped"), None)
    );
    let running = api.accepted(&json!({"message": "hello"})).await;
    api.claim(running).await;
    let stopping = api.send("POST", &format!("/api/runs/{}/stop", running.run_id), None).await;
    assert_eq!(stopping.json["outcome"], "stopping");
}

#[tokio::test]
async fn tools_and_workers_are_listed() {
    let api = Api::new().await;
    let tool = json!({
        "name": "get_time", "description": "The time", "effect": "pure",
        "flags": {"delegates": false, "asksUser": false, "writesMemory": false},
        "scenes": ["supervisor", "plain", "subagent", "crew_master", "crew_member"],
    });
    assert_eq!(api.get("/api/tools").await.json, json!([tool]));
    assert_eq!(api.get("/api/workers").await.json, json!([]));
}

#[tokio::test]
async fn an_agent_says_which_settings_hold_and_whose_they_are() {
    let api = Api::new().await;
    let agent = json!({"name": "boss", "modelId": 1, "budgetTokens": 9_000, "budgetCost": 0.5,
        "subagentConfig": {"maxConcurrent": 64, "allowedPresetAgentIds": [1], "allowedToolNames": []}});
    let made = api.send("POST", "/api/agents", Some(&agent)).await;
    assert_eq!((made.status.as_u16(), &made.json["budgetTokens"]), (201, &json!(9_000)));
    let settings = &made.json["effectiveSubagentConfig"];
    assert_eq!(settings["enabled"], json!({"value": true, "from": "built_in"}));
    assert_eq!(settings["maxConcurrent"], json!({"value": 16, "from": "maximum"}));
    assert_eq!(settings["allowedPresetAgentIds"], json!({"value": [1], "from": "agent"}));
    assert_eq!(settings["allowedToolNames"], json!({"value": [], "from": "agent"}));
    assert_eq!(settings["blockedToolNames"][2], json!({"name": "clarify", "from": "built_in"}));
    let at = format!("/api/agents/{}", made.json["id"]);
    let patch = json!({"budgetCost": null, "subagentConfig": {"maxConcurrent": null}});
    let patched = api.send("PATCH", &at, Some(&patch)).await.json;
    assert_eq!((&patched["budgetTokens"], &patched["budgetCost"]), (&json!(9_000), &Value::Null));
    let concurrent = json!({"value": 3, "from": "built_in"});
    assert_eq!(patched["effectiveSubagentConfig"]["maxConcurrent"], concurrent);
    assert_eq!(api.get(&at).await.json["effectiveSubagentConfig"], patched["effectiveSubagentConfig"]);
    for bad in [json!({"budgetTokens": 0}), json!({"budgetCost": -1.0}), json!({"budgetCost": 0.0})] {
        assert_eq!(api.send("PATCH", &at, Some(&bad)).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn an_unsaved_agent_is_previewed_in_each_scene() {
    let api = Api::new().await;
    let preview = async |body: Value| {
        let reply = api.send("POST", "/api/agents/preview-prompt", Some(&body)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json
    };
    let shown = preview(json!({"systemPrompt": "Lead."})).await;
    assert_eq!(shown["scene"], "supervisor");
    assert!(shown["systemPrompt"].as_str().unwrap().starts_with("Lead.\n\n"), "{shown}");
    assert_eq!(
        shown["tools"][1],
        json!({"name": "delegate_task", "description": "solo", "parameters": {"type": "object"}})
    );
    let alone = preview(json!({"id": 1, "systemPrompt": "Lead."})).await;
    assert_eq!(alone["tools"][1]["description"], "", "it is not among those that it may call");
    let off = preview(json!({"systemPrompt": "Help.", "subagentConfig": {"enabled": false}})).await;
    assert_eq!((&off["scene"], &off["systemPrompt"]), (&json!("plain"), &json!("Help.")));
    assert_eq!(off["effectiveSubagentConfig"]["enabled"], json!({"value": false, "from": "agent"}));
    let child =
        preview(json!({"scene": "subagent", "systemPrompt": "Lead.", "goal": "看甲", "tools": []})).await;
    let prompt = child["systemPrompt"].as_str().unwrap();
    assert!(
        prompt.starts_with("Lead.\n\nYou are a subagent") && prompt.ends_with("Write in Chinese."),
        "{prompt}"
    );
    assert_eq!((&child["userMessage"], &child["tools"]), (&json!("看甲"), &json!([])));
    let blocked =
        json!([{"name": "get_time", "reason": "not_listed"}, {"name": "delegate_task", "reason": "scene"}]);
    assert_eq!(child["blockedTools"], blocked);
    for bad in [json!({"tools": ["rm"]}), json!({"scene": "moon"}), json!({"maxToolRounds": 0})] {
        let refused = api.send("POST", "/api/agents/preview-prompt", Some(&bad)).await;
        assert_eq!(refused.status, 400, "{bad}");
    }
}
