//! A completion is a turn like any other: whole or in pieces, with its tools, subagents and tokens.

use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use crate::harness::completions::{content, user};
use crate::harness::delegation::{parallel, refs};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::{Value, json};

on_both!(
    a_completion_is_the_turn_that_other_doors_give,
    pieces_tell_of_tools_in_comments,
    subagents_are_comments_and_their_tokens_count,
    agents_are_listed_as_models
);

/// Whole, in pieces, and at the other door: the same messages and rows.
async fn a_completion_is_the_turn_that_other_doors_give(c: Cluster) {
    let reply = Reply::text("Hello, dear world 世界.").thinking("Let me see. ").usage(11, 7);
    c.provider.says("door", reply);
    let api = c.api(0);

    let other = api.ask("", "door").await;
    let mut sessions = vec![other["sessionId"].as_str().unwrap_or_default().to_owned()];

    let whole = c.api(1).complete(&[user("door")], &json!({})).await;
    let session = whole.header("x-neta-session-id").expect("a session").to_owned();
    let body = whole.expect(200);
    let turn = Turn::of(
        &session,
        &json!({
        "sessionId": session, "userMessageId": 0,
        "assistantMessageId": body["neta"]["assistantMessageId"], "runId": body["neta"]["runId"] }),
    );
    assert_eq!(body["id"], format!("chatcmpl-{}", turn.assistant));
    assert_eq!((&body["object"], &body["model"]), (&json!("chat.completion"), &json!("it")), "{body}");
    assert_eq!(body["neta"]["sessionId"], json!(session));
    let choice = json!({ "index": 0, "logprobs": null, "finish_reason": "stop", "message": {
        "role": "assistant", "content": "Hello, dear world 世界.", "refusal": null,
        "reasoning_content": "Let me see. " } });
    assert_eq!(body["choices"], json!([choice]));
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
    assert_eq!(body["usage"], usage);
    sessions.push(session);

    let more = json!({ "stream_options": { "include_usage": true } });
    let seen = api.pieces(&[user("door")], &more).await.read_all().await;
    assert!(seen.done, "{:?}", seen.error);
    assert_eq!((seen.text().as_str(), seen.thinking().as_str()), ("Hello, dear world 世界.", "Let me see. "));
    assert_eq!(seen.chunks[0]["choices"][0]["delta"], json!({ "role": "assistant", "content": "" }));
    assert_eq!(seen.last()["choices"][0]["finish_reason"], "stop");
    assert_eq!(seen.last()["neta"]["sessionId"], json!(seen.session));
    let end = seen.chunks.last().expect("a piece");
    assert_eq!((&end["choices"], &end["usage"]), (&json!([]), &usage));
    let id = &seen.chunks[0]["id"];
    assert!(seen.chunks.iter().all(|c| c["id"] == *id && c["object"] == "chat.completion.chunk"));
    sessions.push(seen.session);

    let rows = |session: String| {
        let sql = format!(
            "SELECT role || '|' || status || '|' || content || '|' || thinking || '|'
                 || COALESCE(CAST(input_tokens AS text), '-') || '|' || CAST(metadata AS text) AS x
             FROM netaclaw_message WHERE session_id = '{session}' ORDER BY id"
        );
        c.database.texts(sql)
    };
    let expected = rows(sessions.remove(0)).await;
    assert_eq!(expected.len(), 2, "{expected:?}");
    for session in sessions {
        assert_eq!(rows(session).await, expected);
    }
    c.end(Allowed::default()).await;
}

/// Calls of the agent's tools are comments; the text around them is the answer.
async fn pieces_tell_of_tools_in_comments(c: Cluster) {
    c.provider.rounds(
        "late",
        vec![vec![Reply::calls(&[("get_time", "{}")]).saying("I look.")], vec![Reply::text("It is late.")]],
    );
    let seen = c.api(0).pieces(&[user("late")], &json!({})).await.read_all().await;
    assert_eq!((seen.text().as_str(), seen.done), ("I look.\n\nIt is late.", true));
    assert_eq!(seen.of("tool_call")[0]["data"]["name"], "get_time");
    assert_eq!(seen.of("tool_result")[0]["data"]["status"], "ok");
    let body = c.api(0).complete(&[user("late")], &json!({})).await.expect(200);
    assert_eq!(content(&body), "I look.\n\nIt is late.");
    c.end(Allowed::default()).await;
}

/// Delegation: its progress is comments, and what subagents use is part of the usage.
async fn subagents_are_comments_and_their_tokens_count(c: Cluster) {
    let goals: Vec<String> = (1..=3).map(|n| format!("split part-{n:02}")).collect();
    for goal in &goals {
        c.provider.says(goal, Reply::text("Found.").usage(100, 10));
    }
    let split = parallel(&refs(&goals)).usage(20, 4);
    c.provider.rounds("split it", vec![vec![split], vec![Reply::text("All found.").usage(30, 6)]]);
    let usage = json!({ "prompt_tokens": 350, "completion_tokens": 40, "total_tokens": 390 });

    let more = json!({ "stream_options": { "include_usage": true } });
    let seen = c.api(0).pieces(&[user("split it")], &more).await.read_all().await;
    assert_eq!((seen.text().as_str(), seen.done), ("All found.", true), "{:?}", seen.error);
    assert_eq!(seen.chunks.last().expect("a piece")["usage"], usage);
    assert_eq!(seen.of("subagent_batch_start")[0]["data"]["total"], 3);
    let ended = seen.of("subagent_update");
    let ended: Vec<&Value> =
        ended.into_iter().filter(|c| c["data"]["subagent"]["status"] == "completed").collect();
    assert_eq!(ended.len(), 3, "{:?}", seen.comments);
    assert_eq!(seen.of("subagent_done")[0]["data"]["summary"]["completed"], 3);

    let body = c.api(1).complete(&[user("split it")], &json!({})).await.expect(200);
    assert_eq!((content(&body), &body["usage"]), ("All found.", &usage));
    c.end(Allowed::default()).await;
}

/// A model is an agent, by its name or its number; a name that is a number is a name.
async fn agents_are_listed_as_models(c: Cluster) {
    c.provider.says("who", Reply::text("Me."));
    let second =
        c.add_agent("名字/with a slash", c.model, &json!({ "systemPrompt": "You are second." })).await;
    let odd = c.add_agent(&c.agent.to_string(), c.model, &json!({ "systemPrompt": "You are odd." })).await;
    let api = c.api(0);
    let list = api.get("/v1/models").await.expect(200);
    assert_eq!(list["object"], "list", "{list}");
    let listed: Vec<&Value> = list["data"].as_array().expect("a list").iter().map(|m| &m["id"]).collect();
    // The first one came with the demo model.
    assert_eq!(listed[1..], [&json!("it"), &json!("名字/with a slash"), &json!(c.agent.to_string())]);
    let one = api.get("/v1/models/it").await.expect(200);
    assert_eq!(one, list["data"][1]);
    assert_eq!((&one["object"], &one["owned_by"]), (&json!("model"), &json!("neta")));
    assert!(one["created"].as_i64().expect("a time") > 1_700_000_000, "{one}");
    let path = "/v1/models/%E5%90%8D%E5%AD%97%2Fwith%20a%20slash";
    assert_eq!(api.get(path).await.expect(200), list["data"][2]);
    assert_eq!(api.get(&format!("/v1/models/{second}")).await.expect(200), list["data"][2]);
    assert_eq!(api.get(&format!("/v1/models/{}", c.agent)).await.expect(200), list["data"][3]);
    let gone = api.get("/v1/models/gone").await.expect(404);
    assert_eq!(gone["error"]["code"], "model_not_found", "{gone}");

    let ask = [
        (json!("名字/with a slash"), "You are second."),
        (json!(second.to_string()), "You are second."),
        (json!(c.agent.to_string()), "You are odd."),
        (json!(odd.to_string()), "You are odd."),
    ];
    for (model, prompt) in ask {
        let body = api.complete(&[user("who")], &json!({ "model": model })).await.expect(200);
        assert_eq!((&body["model"], content(&body)), (&model, "Me."));
        let call = c.provider.calls("who").pop().expect("a call");
        assert!(call.system().starts_with(prompt), "{model}: {}", call.system());
    }
    c.end(Allowed::default()).await;
}
