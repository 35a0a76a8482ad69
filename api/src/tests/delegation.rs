//! Turns that wait for subagents and for people, over every door.

use super::family::Family;
use super::harness::{Api, Turn};
use super::sockets::Socket;
use serde_json::{Value, json};
use shared::domain::events::Event;
use shared::domain::runs::RunStatus;

fn texts(events: &[Value]) -> Vec<(&str, Option<i64>, &str)> {
    events
        .iter()
        .map(|e| {
            let text = e["data"]["text"].as_str().or(e["data"]["content"].as_str()).unwrap_or_default();
            (e["type"].as_str().unwrap(), e["runId"].as_i64(), text)
        })
        .collect()
}

#[tokio::test]
async fn a_socket_gets_subagents_text_only_if_it_asks_for_it() {
    let api = Api::new().await;
    let address = api.listen().await;
    let family = Family::of(&api, 2, &[]).await;
    let (turn, child) = (family.turn, family.child(0));
    let mut plain = Socket::with_token(address).await;
    plain.say(&json!({"type": "subscribe", "sessionId": turn.session_id})).await;
    plain.until("resync").await;
    assert!(!family.is_watched(&api).await);
    let mut controls = api.app.bus.subscribe_control().await.unwrap();

    // One is in the middle of its answer; the other has not begun.
    let lease = api.claim(child).await;
    family.tell(&api, 0, &[Event::TextDelta { text: "half ".into() }]).await;
    let mut curious = Socket::with_token(address).await;
    let subscribe = json!({"type": "subscribe", "sessionId": turn.session_id, "level": "subagents"});
    curious.say(&subscribe).await;
    assert_eq!(curious.hear().await["level"], "subagents");
    let pictures = [curious.hear().await, curious.hear().await];
    let expected = [("resync", Some(turn.run_id.0), "let me"), ("resync", Some(child.run_id.0), "half ")];
    assert_eq!(texts(&pictures), expected);
    assert!(pictures.iter().all(|p| p["messageId"] == json!(turn.message_id)));
    assert!(family.is_watched(&api).await);
    let watch = shared::bus::Control::Watch { session_id: turn.session_id };
    assert_eq!(controls.recv().await, Some(watch));

    family.tell(&api, 0, &[Event::TextDelta { text: "done".into() }]).await;
    let more = curious.hear().await;
    assert_eq!((&more["data"]["text"], &more["seq"]), (&json!("done"), &json!(2)));
    family.tell(&api, 1, &[Event::Status { status: RunStatus::Running, reason: None }]).await;
    assert_eq!(curious.hear().await["runId"], json!(family.child(1).run_id));
    family.finish(&api, &lease, "half done").await;
    let update = curious.hear().await;
    assert_eq!(
        (&update["type"], &update["data"]["subagent"]["status"]),
        (&json!("subagent_update"), &json!("completed"))
    );
    // Who follows the turn alone sees that one event, and none of the text.
    assert_eq!(plain.hear().await, update);
    curious.say(&json!({"type": "subscribe", "sessionId": turn.session_id, "level": "turn"})).await;
    assert_eq!(curious.until("resync").await[0], json!({"type": "subscribed", "sessionId": turn.session_id}));
}

#[tokio::test]
async fn a_subagents_stream_goes_on_from_a_cursor_and_is_whole_without_its_log() {
    let api = Api::new().await;
    let family = Family::of(&api, 1, &[]).await;
    let (turn, child) = (family.turn, family.child(0));
    let _lease = api.claim(child).await;
    let text = |t: &str| Event::TextDelta { text: t.into() };
    family.tell(&api, 0, &[text("one ")]).await;
    let mut socket = Socket::with_token(api.listen().await).await;
    let subscribe = json!({"type": "subscribe", "sessionId": turn.session_id, "level": "subagents"});
    socket.say(&subscribe).await;
    socket.until("resync").await;
    let picture = socket.until("resync").await.pop().unwrap();
    family.tell(&api, 0, &[text("two "), text("three ")]).await;

    let mut resumed = Socket::with_token(api.listen().await).await;
    let mut with_cursor = subscribe.clone();
    with_cursor["messageId"] = json!(turn.message_id);
    with_cursor["subagentId"] = json!(child.run_id);
    with_cursor["epoch"] = picture["epoch"].clone();
    with_cursor["seq"] = json!(picture["seq"].as_u64().unwrap() + 1);
    resumed.say(&with_cursor).await;
    resumed.until("subscribed").await;
    assert_eq!(resumed.hear().await["data"]["text"], "three ");

    // The log is lost: the rows tell, and the next events follow.
    api.app.bus.forget(turn.session_id, &[family.stream(0)], None).await.unwrap();
    family.tell(&api, 0, &[text("four"), text(" five")]).await;
    let mut late = Socket::with_token(api.listen().await).await;
    late.say(&subscribe).await;
    late.until("resync").await;
    assert_eq!(late.until("resync").await.last().unwrap()["runId"], json!(child.run_id));
}

#[tokio::test]
async fn a_stream_follows_subagents_on_request() {
    let api = Api::new().await;
    let family = Family::of(&api, 1, &[]).await;
    let lease = api.claim(family.child(0)).await;
    family.tell(&api, 0, &[Event::TextDelta { text: "half".into() }]).await;
    for (query, subagents) in [("", 0), ("?level=turn", 0), ("?level=subagents", 1)] {
        let path = format!("/open/netaclaw/chat/{}{query}", family.turn.message_id);
        let mut reader = super::streams::Reader::open(&api, "GET", &path, &Value::Null, None).await;
        let mut seen = Vec::new();
        while seen.len() < 2 + subagents {
            seen.push(reader.next().await.unwrap());
        }
        let of_child: Vec<_> =
            seen.iter().filter(|(_, e)| e["runId"] == json!(family.child(0).run_id)).collect();
        assert_eq!(of_child.len(), subagents, "{query}: {seen:?}");
        assert!(of_child.iter().all(|(id, _)| id.is_empty()), "the cursor is the turn's: {of_child:?}");
    }
    family.finish(&api, &lease, "half").await;
    let bad = api.get(&format!("/open/netaclaw/chat/{}?level=all", family.turn.message_id)).await;
    assert_eq!((bad.status.as_u16(), &bad.json["field"]), (400, &json!("level")));
}

#[tokio::test]
async fn http_shows_batches_while_they_work_and_each_subagent_with_its_transcript() {
    let api = Api::new().await;
    let family = Family::of(&api, 3, &[]).await;
    let turn = family.turn;
    let answer = api.get(&format!("/open/netaclaw/chat/{}?wait=0", turn.message_id)).await;
    assert_eq!((answer.status.as_u16(), &answer.json["status"]), (202, &json!("waiting")));
    let batch = &answer.json["subagents"][0];
    assert_eq!((&batch["title"], &batch["summary"]["queued"]), (&json!("compare"), &json!(3)));
    assert_eq!(batch["limit"], 2);
    let messages = api.get(&format!("/api/sessions/{}/messages", turn.session_id)).await;
    assert_eq!(messages.json["items"][1]["metadata"]["subagents"], answer.json["subagents"]);

    let why = api.get(&format!("/api/runs/{}", turn.run_id)).await.json["why"].clone();
    assert_eq!(why, json!({"kind": "children", "live": 3}));
    let held = api.get(&format!("/api/runs/{}", family.child(2).run_id)).await.json["why"].clone();
    assert_eq!(held, json!({"kind": "parent_concurrency", "limit": 1, "active": 2, "ahead": 0}));
    let children = api.get(&format!("/api/runs?parentRunId={}", turn.run_id)).await;
    assert_eq!(children.json["items"].as_array().unwrap().len(), 3);
    let turns = api.get(&format!("/api/runs?sessionId={}&kind=chat", turn.session_id)).await;
    assert_eq!(turns.json["items"].as_array().unwrap().len(), 1);

    let lease = api.claim(family.child(0)).await;
    family.finish(&api, &lease, "red").await;
    let path = format!("/api/subagents/{}", family.child(0).run_id);
    let detail = api.get(&path).await.json;
    assert_eq!((&detail["status"], &detail["summary"]), (&json!("completed"), &json!("red")));
    assert_eq!(detail["transcript"][0]["response"]["text"], "red");
    assert_eq!((&detail["toolNames"], &detail["limits"]["maxToolRounds"]), (&json!(["get_time"]), &json!(7)));
    assert_eq!(
        (&detail["parentMessageId"], &detail["rootRunId"]),
        (&json!(turn.message_id), &json!(turn.run_id))
    );
    let listed = async |query: &str| {
        let list = api.get(&format!("/api/subagents?sessionId={}{query}", turn.session_id)).await.json;
        list["items"].as_array().unwrap().iter().map(|s| s["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let ids: Vec<i64> = (0..3).rev().map(|n| family.child(n).run_id.0).collect();
    assert_eq!(listed("").await, ids);
    assert_eq!(listed("&status=completed").await, ids[2..]);
    let stopped = api.post(&format!("/api/subagents/{}/stop", ids[0]), &json!({})).await;
    assert_eq!(stopped.json["outcome"], "ended");
    assert_eq!(listed("&status=cancelled").await, ids[..1]);
    assert_eq!(api.get("/api/subagents/987654").await.status, 404);
}

#[tokio::test]
async fn a_caller_who_waits_is_told_of_a_question_at_once() {
    let api = Api::new().await;
    let asks = async {
        let turn = api.next_turn().await;
        Family::begin(&api, turn, 0, &["Which?", "Why?"]).await
    };
    let request = json!({"message": "choose", "wait": 60});
    let (answer, family) = tokio::join!(api.chat(&request), asks);
    assert_eq!((answer.status.as_u16(), &answer.json["status"]), (202, &json!("paused")));
    assert_eq!(answer.json["pause"]["question"], "Which?");
    assert_eq!(answer.json["pauses"].as_array().unwrap().len(), 2);
    let again = api.get(&format!("/open/netaclaw/chat/{}?wait=60", family.turn.message_id)).await;
    assert_eq!(again.json["pause"], answer.json["pause"]);
    let why = api.get(&format!("/api/runs/{}", family.turn.run_id)).await.json["why"].clone();
    assert_eq!(why, json!({"kind": "question", "pauseIds": family.pauses}));
}

#[tokio::test]
async fn a_question_is_answered_by_its_id_once() {
    let api = Api::new().await;
    let family = Family::of(&api, 0, &["Which?", "Why?"]).await;
    let (first, second) = (family.pauses[0], family.pauses[1]);
    let inbox = api.get("/api/pauses?status=open").await.json;
    assert_eq!(inbox["items"][1]["pauseId"], json!(first), "{inbox}");
    // Without an id nothing moves.
    let session = family.turn.session_id;
    let bare = api.post("/api/pauses/answer", &json!({"sessionId": session, "answer": "red"})).await;
    assert_eq!((bare.status.as_u16(), &bare.json["code"]), (409, &json!("pause_ambiguous")));
    assert_eq!(bare.json["pauseIds"], json!(family.pauses));

    let at = format!("/api/pauses/{second}/answer");
    assert_eq!(api.post(&at, &json!({"answer": " "})).await.json["field"], "answer");
    let taken = api.post(&at, &json!({"answer": "because"})).await;
    assert_eq!((taken.status.as_u16(), &taken.json["status"]), (200, &json!("answered")));
    assert_eq!(api.post(&at, &json!({"answer": "because"})).await.status, 200, "the same again");
    let other = api.post(&at, &json!({"answer": "no"})).await;
    assert_eq!((other.status.as_u16(), &other.json["code"]), (409, &json!("pause_answered")));
    assert_eq!(other.json["pause"]["answer"], "because");
    assert_eq!(api.get(&format!("/api/pauses/{first}")).await.json["status"], "open");

    let mut socket = Socket::with_token(api.listen().await).await;
    socket.say(&json!({"type": "subscribe", "sessionId": session})).await;
    socket.until("resync").await;
    socket.say(&json!({"type": "clarify_response", "answer": "red"})).await;
    assert_eq!(socket.hear().await["pauseIds"], json!([first]));
    socket.say(&json!({"type": "clarify_response", "pauseId": first, "answer": "red"})).await;
    let mut heard = [socket.hear().await, socket.hear().await, socket.hear().await, socket.hear().await];
    heard.sort_by_key(|e| e["type"].as_str().unwrap().to_owned());
    assert_eq!(heard[0], json!({"type": "answered", "pauseId": first}));
    assert_eq!(heard[1]["data"]["decision"], "red");
    assert_eq!(heard[2]["data"]["status"], "queued");
    assert_eq!(heard[3]["data"]["preview"], "red");
    assert_eq!(api.next_turn().await, family.turn, "it was rung");
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_told_so() {
    let api = Api::new().await;
    let stopped = Family::of(&api, 0, &["Which?"]).await;
    api.post(&format!("/api/runs/{}/stop", stopped.turn.run_id), &json!({})).await;
    let late = Family::expired(&api).await;
    for (family, state) in [(stopped, "cancelled"), (late, "expired")] {
        let at = format!("/api/pauses/{}/answer", family.pauses[0]);
        let reply = api.post(&at, &json!({"answer": "red"})).await;
        assert_eq!((reply.status.as_u16(), &reply.json["code"]), (410, &json!("pause_over")), "{state}");
        assert_eq!(reply.json["state"], state);
    }
    assert_eq!(api.post("/api/pauses/987654/answer", &json!({"answer": "red"})).await.status, 404);
}

#[tokio::test]
async fn one_subagent_is_stopped_by_a_frame() {
    let api = Api::new().await;
    let family = Family::of(&api, 2, &[]).await;
    let mut socket = Socket::with_token(api.listen().await).await;
    let (turn, child) = (family.turn, family.child(1));
    let stop = |message: Value| json!({"type": "stop", "messageId": message, "subagentId": child.run_id});
    socket.say(&stop(json!(987_654))).await;
    assert_eq!(socket.hear().await["code"], "not_found", "of another turn");
    socket.say(&stop(json!(turn.message_id))).await;
    let expected = json!({"type": "stopping", "messageId": turn.message_id, "subagentId": child.run_id,
        "alreadyOver": false});
    assert_eq!(socket.hear().await, expected);
    let status = async |t: Turn| api.get(&format!("/api/runs/{}", t.run_id)).await.json["status"].clone();
    assert_eq!(status(child).await, "cancelled");
    assert_eq!(status(turn).await, "waiting");
}

#[tokio::test]
async fn a_session_tells_what_its_turns_used() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let at = format!("/api/sessions/{}", turn.session_id);
    assert_eq!(api.get(&at).await.json.get("usage"), None);
    let lease = api.claim(turn).await;
    api.finish_using(&lease, 100, 20).await;
    assert_eq!(api.get(&at).await.json["usage"], json!({"inputTokens": 100, "outputTokens": 20}));
}

#[tokio::test]
async fn the_inbox_names_session_and_agent_and_is_counted() {
    let api = Api::new().await;
    let summary = async || api.get("/api/pauses/summary").await.json;
    assert_eq!(summary().await, json!({"open": 0, "liveSessions": 0, "runningSubagents": 0}));
    let family = Family::of(&api, 2, &["Which?"]).await;
    api.claim(family.child(0)).await;
    assert_eq!(summary().await, json!({"open": 1, "liveSessions": 1, "runningSubagents": 1}));
    let inbox = api.get("/api/pauses?status=open").await.json;
    let item = &inbox["items"][0];
    assert_eq!((&item["agentName"], &item["sessionTitle"]), (&json!("solo"), &json!("compare")), "{item}");
    let at = format!("/api/pauses/{}/answer", family.pauses[0]);
    assert_eq!(api.post(&at, &json!({"answer": "this"})).await.status, 200);
    assert_eq!(summary().await["open"], 0);
}

#[tokio::test]
async fn a_tool_call_is_shown_in_full_and_its_result_can_be_saved() {
    let api = Api::new().await;
    let family = Family::of(&api, 1, &["Which?"]).await;
    let long = "甲乙 ".repeat(1_500);
    let at = format!("/api/pauses/{}/answer", family.pauses[0]);
    assert_eq!(api.post(&at, &json!({"answer": long})).await.status, 200);
    let path = |call: &str| format!("/api/runs/{}/tool-calls/{call}", family.turn.run_id);
    let answered = api.get(&path("Which%3F")).await;
    assert_eq!(answered.status, 200, "{answered:?}");
    assert_eq!((&answered.json["name"], &answered.json["status"]), (&json!("t"), &json!("ok")));
    assert_eq!(answered.json["result"], json!(long.trim()));
    assert_eq!((&answered.json["arguments"], &answered.json["toolCallId"]), (&json!("{}"), &json!("Which?")));
    assert!(answered.json["durationMs"].is_u64());
    let saved = api.get(&format!("{}?download=true", path("Which%3F"))).await;
    assert_eq!((saved.status.as_u16(), saved.text.as_str()), (200, long.trim()));
    assert_eq!(saved.headers["content-type"], "text/plain; charset=utf-8");
    let name = format!("attachment; filename=\"t-{}.txt\"", family.turn.run_id);
    assert_eq!(saved.headers["content-disposition"], name.as_str());

    let open = api.get(&path("batch")).await.json;
    assert_eq!((&open["status"], &open["result"]), (&json!("running"), &json!(null)));
    for missing in [format!("{}?download=true", path("batch")), path("nothing"), path("a%2Fb")] {
        assert_eq!(api.get(&missing).await.status, 404, "{missing}");
    }
    assert_eq!(api.get("/api/runs/987654/tool-calls/batch").await.status, 404);
}
