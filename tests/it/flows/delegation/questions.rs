//! Questions to a person: asked over every door, answered over any, by their id, once, across
//! restarts, and with an end when nobody answers.

use crate::harness::client::{Api, LONG, Turn, items};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::delegation::{open_pauses, parallel, pause_id};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::{always, eventually};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

on_both!(
    a_question_is_asked_and_answered_over_every_door,
    answers_go_to_the_question_they_name_across_restarts,
    a_question_beside_subagents_and_tools_holds_up_nobody,
    what_is_said_in_the_chat_answers_no_question,
    a_question_ends_with_its_turn
);

/// A response that asks.
fn asks(questions: &[&str]) -> Reply {
    let arguments: Vec<String> =
        questions.iter().map(|q| json!({ "question": q, "options": ["red", "blue"] }).to_string()).collect();
    let calls: Vec<(&str, &str)> = arguments.iter().map(|a| ("clarify", a.as_str())).collect();
    Reply::calls(&calls)
}

async fn answer(api: &Api, pause: i64, text: &str) -> crate::harness::client::Answer {
    api.post(&format!("/api/pauses/{pause}/answer"), &json!({ "answer": text })).await
}

/// The one question that waits.
async fn the_question(c: &Cluster) -> Value {
    eventually("a person is asked", LONG, async || open_pauses(&c.api(1)).await.len() == 1).await;
    open_pauses(&c.api(1)).await.remove(0)
}

/// Asked over WebSocket, SSE, HTTP wait and HTTP poll, answered over socket and HTTP: the model reads
/// the answer, readers are told of question and answer, and a second answer is refused.
async fn a_question_is_asked_and_answered_over_every_door(c: Cluster) {
    c.provider.rounds(
        "colour",
        vec![vec![asks(&["Which colour?"]).saying("One thing.")], vec![Reply::text("Painted.")]],
    );
    // WebSocket, answered there.
    let mut socket = c.api(0).socket().await;
    socket.send(&c.api(0).frame("", "colour", &json!({}))).await;
    socket
        .read_until("the question", |s| s.turns.values().any(|t| !t.of("clarify_request").is_empty()))
        .await;
    let (&assistant, seen) = socket.turns.iter().next().expect("a turn");
    let asked = seen.of("clarify_request")[0]["data"].clone();
    assert_eq!(asked["question"], "Which colour?", "{asked}");
    assert_eq!(asked["options"], json!(["red", "blue"]), "{asked}");
    eventually("it waits for a person", LONG, async || c.runs_in("paused").await == 1).await;
    let listed = the_question(&c).await;
    assert_eq!((pause_id(&listed), &listed["question"]), (pause_id(&asked), &json!("Which colour?")));
    assert_eq!(listed["kind"], "clarify", "{listed}");
    let frame = json!({ "type": "clarify_response", "pauseId": pause_id(&asked), "answer": "green" });
    socket.send(&frame).await;
    let seen = socket.read_turn(assistant).await;
    shown_is_stored(&c, assistant, &seen).await;
    assert_eq!(seen.text, "One thing.\n\nPainted.");
    let told = &seen.of("pause_answered")[0]["data"];
    assert_eq!((&told["pauseId"], &told["decision"]), (&asked["pauseId"], &json!("green")), "{told}");
    let results = c.provider.asked("colour")[1].results();
    assert_eq!(results.len(), 1);
    assert!(results[0].1.contains("green"), "{results:?}");
    let again = answer(&c.api(1), pause_id(&asked), "red").await;
    assert_eq!(again.status, 409, "{again:?}");
    assert!(again.body["code"].is_string(), "{again:?}");

    // HTTP wait: at once with the question; answered by POST on the other process; polled on.
    let began = Instant::now();
    let waited = c.api(0).chat("", "colour", &json!({ "wait": 30 })).await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(waited.status, 202, "{}", waited.body);
    let pause = pause_id(&waited.body["pause"]);
    assert_eq!(waited.body["status"], "paused", "{}", waited.body);
    let turn = Turn::of("", &waited.body);
    let done = answer(&c.api(1), pause, "blue").await;
    assert!((200..300).contains(&done.status), "{done:?}");
    let body = c.api(0).finish(&turn).await;
    assert_eq!(body["content"], "One thing.\n\nPainted.", "{body}");
    assert!(body["pause"].is_null(), "{body}");

    // SSE; a page that is opened meanwhile shows the question, and no longer afterwards.
    let session = uuid::Uuid::now_v7().to_string();
    let mut reader = c.api(1).stream(&session, "colour").await;
    reader.read_until("the question", |t| !t.of("clarify_request").is_empty()).await;
    let turn = Turn::of(&session, &reader.seen.of("run_accepted")[0]["data"]);
    eventually("it waits for a person", LONG, async || c.runs_in("paused").await == 1).await;
    let page = c.api(0).get(&format!("/api/sessions/{session}/messages")).await.expect(200);
    let pending = items(&page).into_iter().find(|m| m["id"] == turn.assistant).expect("pending");
    let shown = pending["turn"]["pauses"].as_array().cloned().unwrap_or_default();
    assert_eq!(shown.len(), 1, "{pending}");
    let why = c.api(0).run(turn.run).await;
    assert_eq!((&why["status"], &why["reason"]), (&json!("paused"), &json!("question")), "{why}");
    answer(&c.api(0), pause_id(&shown[0]), "red").await.expect(200);
    let seen = reader.read_all().await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert!(open_pauses(&c.api(0)).await.is_empty());

    // Ids of nobody.
    assert_eq!(answer(&c.api(0), 999_999, "red").await.status, 404);
    let frames = [
        json!({ "type": "clarify_response", "pauseId": 999_999, "answer": "red" }),
        json!({ "type": "clarify_response", "answer": "red" }),
    ];
    for (n, frame) in frames.iter().enumerate() {
        socket.send(frame).await;
        socket
            .read_until("a refusal", |s| s.others.iter().filter(|f| f["type"] == "problem").count() == n + 1)
            .await;
    }
    c.end(Allowed::default()).await;
}

/// E07, E08, E10 to E12: two questions at once; one is answered, everything is killed and started
/// again, the other is answered: each answer stands with its call, and what was done is not repeated.
async fn answers_go_to_the_question_they_name_across_restarts(mut c: Cluster) {
    let together = Reply::calls(&[
        ("clarify", r#"{"question":"First?"}"#),
        ("get_time", r#"{"timezone":"Etc/GMT+5"}"#),
        ("clarify", r#"{"question":"Second?"}"#),
    ]);
    c.provider.rounds("twice", vec![vec![together], vec![Reply::text("Both known.")]]);
    let turn = c.api(0).say("", "twice").await;
    eventually("both are asked", LONG, async || open_pauses(&c.api(0)).await.len() == 2).await;
    let mut open = open_pauses(&c.api(0)).await;
    open.sort_by_key(|p| p["question"].as_str().map(str::to_owned));
    let (first, second) = (pause_id(&open[0]), pause_id(&open[1]));
    // The second first.
    answer(&c.api(1), second, "for the second").await.expect(200);
    always("the other still waits", Duration::from_millis(500), async || {
        c.runs_in("paused").await == 1 && c.provider.asked("twice").len() == 1
    })
    .await;
    for process in c.apis.iter_mut().chain(&mut c.workers) {
        process.kill();
    }
    for process in c.apis.iter_mut().chain(&mut c.workers) {
        process.restart(&[]);
    }
    c.ready().await;
    let left = the_question(&c).await;
    assert_eq!((pause_id(&left), &left["question"]), (first, &json!("First?")));
    assert_eq!(answer(&c.api(0), second, "too late").await.status, 409);
    answer(&c.api(0), first, "for the first").await.expect(200);
    assert_eq!(c.api(1).finish(&turn).await["content"], "Both known.");
    let calls = c.provider.asked("twice");
    assert_eq!(calls.len(), 2, "nothing was repeated");
    let results = calls[1].results();
    let ids: Vec<&str> = results.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["call_1", "call_2", "call_3"]);
    assert!(results[0].1.contains("for the first"), "{results:?}");
    assert!(results[1].1.contains("-05:00") || results[1].1.contains("Etc/GMT+5"), "{results:?}");
    assert!(results[2].1.contains("for the second"), "{results:?}");
    assert!(open_pauses(&c.api(1)).await.is_empty());
    c.end(Allowed::default()).await;
}

/// A delegating call, an ordinary one and a question in one response, in either order of their ends.
async fn a_question_beside_subagents_and_tools_holds_up_nobody(c: Cluster) {
    for answered_first in [true, false] {
        let key = format!("mixed {answered_first}");
        let goal = format!("help with {answered_first}");
        c.provider.says(&goal, Reply::words(4).hold_after(1));
        let task = json!({ "goal": goal }).to_string();
        let together = Reply::calls(&[
            ("delegate_task", &task),
            ("get_time", "{}"),
            ("clarify", r#"{"question":"May I?"}"#),
        ]);
        c.provider.rounds(&key, vec![vec![together], vec![Reply::text("Mixed.")]]);
        let mut reader = c.api(0).stream("", &key).await;
        reader
            .read_until("both are told", |t| {
                !t.of("clarify_request").is_empty() && t.card.statuses() == ["running"]
            })
            .await;
        let turn = Turn::of("", &reader.seen.of("run_accepted")[0]["data"]);
        assert_eq!(c.stands(turn.run).await.0, "waiting");
        // The ordinary call was done before it began to wait.
        let done: Vec<&Value> = reader.seen.of("tool_result").iter().map(|e| &e["data"]["name"]).collect();
        assert_eq!(done, ["get_time"]);
        let pause = pause_id(&reader.seen.of("clarify_request")[0]["data"]);
        if answered_first {
            answer(&c.api(1), pause, "yes").await.expect(200);
            always("the subagent still works", Duration::from_millis(300), async || {
                c.stands(turn.run).await.0 == "waiting"
            })
            .await;
            c.provider.release(&goal);
        } else {
            c.provider.release(&goal);
            eventually("only the person is waited for", LONG, async || {
                c.stands(turn.run).await == ("paused".into(), "question".into())
            })
            .await;
            answer(&c.api(1), pause, "yes").await.expect(200);
        }
        let seen = reader.read_all().await;
        assert_eq!(seen.text, "Mixed.");
        let results = c.provider.asked(&key)[1].results();
        assert_eq!(results.len(), 3, "{results:?}");
        assert!(results[0].1.contains("word4") && results[2].1.contains("yes"), "{results:?}");
    }
    c.end(Allowed::default()).await;
}

/// L10: a message waits its turn, whatever it says, and is no answer.
async fn what_is_said_in_the_chat_answers_no_question(c: Cluster) {
    c.provider.rounds("careful", vec![vec![asks(&["Delete all?"])], vec![Reply::text("Kept.")]]);
    let turn = c.api(0).say("", "careful").await;
    let pause = the_question(&c).await;
    let mut later = Vec::new();
    for text in ["yes", "/approve", "red"] {
        later.push(c.api(1).say(&turn.session, text).await);
    }
    always("nothing moves", Duration::from_millis(700), async || {
        c.runs_in("paused").await == 1 && c.provider.all().len() == 1
    })
    .await;
    answer(&c.api(0), pause_id(&pause), "blue").await.expect(200);
    for turn in [&turn].into_iter().chain(&later) {
        assert_eq!(c.api(1).finish(turn).await["status"], "completed");
    }
    assert!(c.provider.asked("careful")[1].results()[0].1.contains("blue"));
    c.end(Allowed::default()).await;
}

/// A stopped turn and an interrupted one take their questions along; answers come too late.
async fn a_question_ends_with_its_turn(c: Cluster) {
    c.provider.rounds("moot", vec![vec![asks(&["Well?"])], vec![Reply::text("never")]]);
    for how in ["stop", "interrupt"] {
        let turn = c.api(0).say("", "moot").await;
        let pause = pause_id(&the_question(&c).await);
        if how == "stop" {
            c.api(1).stop(turn.run).await.expect(200);
        } else {
            let more = json!({ "policy": "interrupt", "wait": 20 });
            assert_eq!(c.api(1).chat(&turn.session, "instead", &more).await.expect(200)["content"], "Fine.");
        }
        assert_eq!(c.api(0).finish(&turn).await["status"], "cancelled");
        assert!(open_pauses(&c.api(0)).await.is_empty());
        let late = answer(&c.api(1), pause, "red").await;
        assert!(matches!(late.status, 409 | 410), "{late:?}");
        assert_eq!(c.api(0).ask(&turn.session, "go on").await["content"], "Fine.");
    }
    assert_eq!(c.provider.asked("moot").len(), 2);
    c.end(Allowed::default()).await;
}

/// E12: nobody answers in time: the model is told so and goes on; a late answer is a 410 that says
/// `expired`; of two questions only the unanswered one expires.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_nobody_answers_expires() {
    for kind in [Kind::Standalone, Kind::PAIR] {
        let c = Builder::new(kind).env("NETA_CLARIFY_DEADLINE_SECONDS", "2").start().await;
        let both = asks(&["In time?", "Ever?"]);
        c.provider.rounds("patience", vec![vec![both], vec![Reply::text("I decide.")]]);
        let turn = c.api(0).say("", "patience").await;
        eventually("both are asked", LONG, async || open_pauses(&c.api(0)).await.len() == 2).await;
        let mut open = open_pauses(&c.api(0)).await;
        open.sort_by_key(|p| p["question"].as_str() == Some("Ever?"));
        assert!(open[0]["deadline"].is_string(), "{open:?}");
        answer(&c.api(1), pause_id(&open[0]), "red").await.expect(200);
        let body = c.api(0).finish(&turn).await;
        assert_eq!(body["content"], "I decide.", "{body}");
        let results = c.provider.asked("patience")[1].results();
        assert!(results[0].1.contains("red"), "{results:?}");
        assert!(results[1].1.contains("in time"), "{results:?}");
        let late = answer(&c.api(1), pause_id(&open[1]), "blue").await;
        assert_eq!(late.status, 410, "{late:?}");
        assert!(late.body.to_string().contains("expired"), "{late:?}");
        let message = c.api(0).messages(&turn.session).await.pop().expect("the answer");
        let tools = message["metadata"]["tools"].as_array().cloned().unwrap_or_default();
        assert_eq!(tools[1]["status"], "expired", "{message}");
        assert_eq!(c.provider.asked("patience").len(), 2);
        c.end(Allowed::default()).await;
    }
}

/// The wall time of a run stands still while nothing but a person is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_a_person_is_no_wall_time() {
    let c = Cluster::start(Kind::PAIR).await;
    let brisk = c.add_agent("brisk", c.model, &json!({ "maxWallSeconds": 2 })).await;
    c.provider.rounds(
        "slow person",
        vec![
            vec![parallel(&["a short job"])],
            vec![asks(&["Ready?"]).ids("ask")],
            vec![Reply::text("At last.")],
        ],
    );
    let more = json!({ "agentId": brisk, "wait": 0 });
    let turn = Turn::of("", &c.api(0).chat("", "slow person", &more).await.body);
    let pause = pause_id(&the_question(&c).await);
    always("it waits beyond its wall time", Duration::from_secs(4), async || {
        c.stands(turn.run).await.0 == "paused"
    })
    .await;
    answer(&c.api(0), pause, "red").await.expect(200);
    assert_eq!(c.api(0).finish(&turn).await["content"], "At last.");
    c.end(Allowed::default()).await;
}
