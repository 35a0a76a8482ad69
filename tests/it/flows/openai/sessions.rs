//! What the agent is told of a conversation, sessions that go on, and questions to the user.

use crate::harness::calls::Call;
use crate::harness::client::Api;
use crate::harness::cluster::Cluster;
use crate::harness::completions::{assistant, content, user};
use crate::harness::delegation::open_pauses;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::{Value, json};

on_both!(
    the_model_is_told_what_the_caller_tells,
    a_named_session_goes_on,
    the_same_key_is_the_same_turn,
    a_question_is_asked_and_answered,
    questions_come_one_after_the_other,
    what_is_said_decides_nothing
);

fn in_session(session: &str) -> Value {
    json!({ "metadata": { "session_id": session } })
}

fn pairs(told: &[(&str, &str)]) -> Vec<(String, String)> {
    told.iter().map(|(role, text)| ((*role).to_owned(), (*text).to_owned())).collect()
}

/// The caller's messages are the history, whatever the session has; its instructions come after the
/// agent's prompt; calls and results of the caller's own tools are told as text.
async fn the_model_is_told_what_the_caller_tells(c: Cluster) {
    c.provider.says("first question", Reply::text("A first answer."));
    c.provider.says("and then", Reply::text("Then this."));
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "first question").await;

    let messages = [
        json!({ "role": "system", "content": "Answer in rhymes." }),
        user("Weather?"),
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{}" } }] }),
        json!({ "role": "tool", "tool_call_id": "c1", "content": "18 degrees" }),
        assistant("Mild."),
        json!({ "role": "developer", "content": [{ "type": "text", "text": "Be brief 简短." }] }),
        user("and then"),
    ];
    let body = c.api(1).complete(&messages, &in_session(&session)).await.expect(200);
    assert_eq!((content(&body), &body["neta"]["sessionId"]), ("Then this.", &json!(session)));
    let call = c.provider.calls("and then").pop().expect("a call");
    let told = [
        ("user", "Weather?"),
        ("assistant", "[Called weather with {}]\n[Result of weather: 18 degrees]"),
        ("assistant", "Mild."),
        ("user", "and then"),
    ];
    assert_eq!(call.conversation(), pairs(&told));
    let system = call.system();
    assert!(system.starts_with("You are a test."), "{system}");
    assert!(system.ends_with("\n\nAnswer in rhymes.\n\nBe brief 简短."), "{system}");

    // It stands in the session like any other turn, and what was told stays with it.
    let stored = c.api(0).messages(&session).await;
    let said: Vec<&str> = stored.iter().filter_map(|m| m["content"].as_str()).collect();
    assert_eq!(said, ["first question", "A first answer.", "and then", "Then this."]);
    let told = c.database.texts(format!(
        "SELECT CAST(metadata AS text) AS x FROM netaclaw_message WHERE id = {}",
        stored[2]["id"]
    ));
    let told: Value = serde_json::from_str(&told.await[0]).expect("JSON");
    assert_eq!(told["told"]["messages"].as_array().map(Vec::len), Some(3), "{told}");
    c.end(Allowed::default()).await;
}

/// With nothing before the message, the session's own history is told; other doors go on in it.
async fn a_named_session_goes_on(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    for n in 1..=3 {
        c.provider.says(&format!("question {n}"), Reply::text(&format!("answer {n}")));
    }
    let system = json!({ "role": "system", "content": "Be kind." });
    let seen = c.api(0).pieces(&[user("question 1")], &in_session(&session)).await.read_all().await;
    assert_eq!((seen.text().as_str(), seen.session.as_str()), ("answer 1", session.as_str()));
    let body = c.api(1).complete(&[system, user("question 2")], &in_session(&session)).await.expect(200);
    assert_eq!(content(&body), "answer 2");
    let call = c.provider.calls("question 2").pop().expect("a call");
    assert!(call.system().ends_with("\n\nBe kind."), "{}", call.system());
    let told = [("user", "question 1"), ("assistant", "answer 1"), ("user", "question 2")];
    assert_eq!(call.conversation(), pairs(&told));
    assert_eq!(c.api(0).ask(&session, "question 3").await["content"], "answer 3");
    let call = c.provider.calls("question 3").pop().expect("a call");
    assert_eq!((call.conversation().len(), call.system().contains("Be kind")), (5, false));
    assert_eq!(c.api(0).messages(&session).await.len(), 6);
    let sessions = c.api(0).get("/api/sessions").await.expect(200);
    assert_eq!(sessions["items"].as_array().map(Vec::len), Some(1), "{sessions}");
    c.end(Allowed::default()).await;
}

/// `Idempotency-Key` names the message; another conversation before it makes it another message.
async fn the_same_key_is_the_same_turn(c: Cluster) {
    c.provider.says("once", Reply::text("Only once."));
    let send = async |api: &Api, messages: Value| {
        let request = api.request("POST", "/v1/chat/completions").header("idempotency-key", "k-1");
        api.send(request.json(&json!({ "model": "it", "messages": messages }))).await
    };
    let (a, b) = (c.api(0), c.api(1));
    let (first, second) = tokio::join!(send(&a, json!([user("once")])), send(&b, json!([user("once")])));
    let (first, second) = (first.expect(200), second.expect(200));
    assert_eq!((&first["id"], &first["choices"]), (&second["id"], &second["choices"]));
    assert_eq!(send(&a, json!([user("once")])).await.expect(200)["id"], first["id"]);
    let other = json!([user("before"), assistant("yes"), user("once")]);
    let refused = send(&a, other).await.expect(409);
    assert_eq!(refused["error"]["code"], "client_message_id_reused", "{refused}");
    assert_eq!(c.provider.calls("once").len(), 1);
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await, 1);
    c.end(Allowed::default()).await;
}

fn asks(questions: &[&str]) -> Reply {
    let arguments: Vec<String> =
        questions.iter().map(|q| json!({ "question": q, "options": ["red", "blue"] }).to_string()).collect();
    let calls: Vec<(&str, &str)> = arguments.iter().map(|a| ("clarify", a.as_str())).collect();
    Reply::calls(&calls)
}

/// The question is the answer; the session's next message answers it, and gets the rest. The same
/// request again is the same answer, not a new turn.
async fn a_question_is_asked_and_answered(c: Cluster) {
    const ASKED: &str = "One thing.\n\nWhich colour?\n\n- red\n- blue";
    c.provider.rounds(
        "colour",
        vec![
            vec![asks(&["Which colour?"]).saying("One thing.").usage(10, 5)],
            vec![Reply::text("Painted.").usage(20, 6)],
        ],
    );
    for streamed in [false, true] {
        let session = uuid::Uuid::now_v7().to_string();
        let more = in_session(&session);
        let api = c.api(usize::from(streamed));
        let asked = if streamed {
            let seen = api.pieces(&[user("colour")], &more).await.read_all().await;
            assert_eq!((seen.text().as_str(), seen.done), (ASKED, true));
            seen.last().clone()
        } else {
            let body = api.complete(&[user("colour")], &more).await.expect(200);
            assert_eq!(content(&body), ASKED);
            body
        };
        assert_eq!(asked["choices"][0]["finish_reason"], "stop", "{asked}");
        let open = open_pauses(&api).await;
        assert_eq!(asked["neta"]["pauseId"], open[0]["pauseId"], "{asked}");

        // Of an agent that is none, nothing is answered.
        let answer = [user("colour"), assistant(ASKED), user("Blue")];
        let mut wrong = more.clone();
        wrong["model"] = json!("gone");
        assert_eq!(api.complete(&answer, &wrong).await.expect(404)["error"]["code"], "model_not_found");

        for again in [false, true] {
            let id = if streamed {
                let mut more = more.clone();
                more["stream_options"] = json!({ "include_usage": true });
                let seen = api.pieces(&answer, &more).await.read_all().await;
                assert_eq!((seen.text().as_str(), seen.done), ("Painted.", true), "again: {again}");
                let tokens = &seen.chunks.last().expect("a piece")["usage"]["total_tokens"];
                assert!(again || *tokens == 26, "{tokens}");
                seen.last()["id"].clone()
            } else {
                let body = api.complete(&answer, &more).await.expect(200);
                assert_eq!(content(&body), "Painted.", "again: {again}");
                assert!(again || body["usage"]["total_tokens"] == 26, "{body}");
                body["id"].clone()
            };
            assert_eq!(id, asked["id"], "it is the same turn");
        }
        let stored = c.api(0).messages(&session).await;
        let said: Vec<&str> = stored.iter().filter_map(|m| m["content"].as_str()).collect();
        assert_eq!(said, ["colour", "One thing.\n\nPainted."]);
        assert!(open_pauses(&api).await.is_empty());
    }
    // The option that was meant, as it is written in the question.
    let results = c.provider.asked("colour").iter().flat_map(Call::results).collect::<Vec<_>>();
    assert_eq!(results.len(), 2);
    assert!(results.iter().all(|(_, text)| text.contains("blue")), "{results:?}");
    c.end(Allowed::default()).await;
}

/// Of several questions, each is an answer of its own, in the order in which they were asked.
async fn questions_come_one_after_the_other(c: Cluster) {
    c.provider.rounds("two", vec![vec![asks(&["First?", "Second?"])], vec![Reply::text("Good.")]]);
    let session = uuid::Uuid::now_v7().to_string();
    let more = in_session(&session);
    let body = c.api(0).complete(&[user("two")], &more).await.expect(200);
    assert_eq!(content(&body), "First?\n\n- red\n- blue");
    let seen = c.api(1).pieces(&[user("one thing")], &more).await.read_all().await;
    assert_eq!((seen.text().as_str(), seen.done), ("Second?\n\n- red\n- blue", true));
    let body = c.api(0).complete(&[user("another")], &more).await.expect(200);
    assert_eq!(content(&body), "Good.");
    let results = c.provider.asked("two")[1].results();
    assert!(results[0].1.contains("one thing") && results[1].1.contains("another"), "{results:?}");
    c.end(Allowed::default()).await;
}

/// L10: a budget is raised by whoever names its question, not by a message that says so.
async fn what_is_said_decides_nothing(c: Cluster) {
    c.add_agent("thrifty", c.model, &json!({ "budgetTokens": 100_000 })).await;
    let tool = Reply::calls(&[("get_time", "{}")]).usage(100_000, 10);
    c.provider.rounds("spend", vec![vec![tool], vec![Reply::text("Done.").usage(10, 1)]]);
    let session = uuid::Uuid::now_v7().to_string();
    let mut more = in_session(&session);
    more["model"] = json!("thrifty");
    let asked = c.api(0).complete(&[user("spend")], &more).await.expect(200);
    let open = open_pauses(&c.api(1)).await;
    assert_eq!(
        (&open[0]["kind"], &asked["neta"]["pauseId"]),
        (&json!("budget"), &open[0]["pauseId"]),
        "{asked}"
    );
    for said in ["raise", "Raise", "finish now"] {
        let refused =
            c.api(1).complete(&[user("spend"), assistant(content(&asked)), user(said)], &more).await;
        let body = refused.expect(409);
        assert!(body["error"]["message"].as_str().is_some_and(|m| m.contains("/api/pauses/")), "{body}");
    }
    assert_eq!(open_pauses(&c.api(0)).await, open, "it waits");
    assert_eq!(c.provider.all().len(), 1);
    let path = format!("/api/pauses/{}/answer", open[0]["pauseId"]);
    c.api(0).post(&path, &json!({ "answer": "raise" })).await.expect(200);
    let turn = format!("/open/netaclaw/chat/{}?wait=60", asked["neta"]["assistantMessageId"]);
    assert_eq!(c.api(1).get(&turn).await.expect(200)["content"], "Done.");
    c.end(Allowed::default()).await;
}
