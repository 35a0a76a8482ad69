//! Every door gives the same turn; sessions are made, continued and told to the model right.

use crate::harness::client::{TOKEN, Turn, items};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::process::command;
use crate::harness::reply::Reply;
use serde_json::{Value, json};

/// A message without what differs between two turns that say the same.
fn essence(message: &Value) -> Value {
    let mut rest = message.clone();
    let fields = rest.as_object_mut().expect("a message");
    let of_one = ["id", "runId", "sessionId", "clientMessageId", "turn", "cursor"];
    let times = ["createTime", "updateTime", "startedAt", "endedAt"];
    for name in of_one.into_iter().chain(times) {
        fields.remove(name);
    }
    rest
}

on_both!(
    the_command_line_says_and_shows,
    every_door_gives_the_same_turn,
    a_session_goes_on_and_the_model_knows_its_history,
    a_repeated_message_is_the_same_turn,
    usage_and_cost_are_the_providers
);

/// Flows of all doors give the same messages and rows.
async fn every_door_gives_the_same_turn(c: Cluster) {
    let reply = Reply::text("Hello, dear world.").thinking("Let me see. ").usage(11, 7);
    c.provider.says("door", reply);
    let api = c.api(0);

    // HTTP, waiting.
    let waited = api.chat("", "door", &json!({ "wait": 20 })).await.expect(200);
    assert_eq!(waited["status"], "completed", "{waited}");
    assert_eq!(waited["content"], "Hello, dear world.", "{waited}");
    assert_eq!(waited["thinking"], "Let me see. ", "{waited}");
    assert_eq!(waited["usage"], json!({ "inputTokens": 11, "outputTokens": 7 }), "{waited}");
    let waited = Turn::of("", &waited);

    // HTTP, at once, and asked for later on another process.
    let answer = api.chat("", "door", &json!({ "wait": 0 })).await;
    assert!(matches!(answer.status, 200 | 202), "{}", answer.body);
    let polled = Turn::of("", &answer.body);
    let body = c.api(1).finish(&polled).await;
    assert_eq!(body["content"], "Hello, dear world.", "{body}");

    // SSE.
    let mut reader = api.stream("", "door").await;
    assert_eq!(reader.status, 200);
    let first = reader.next().await.expect("an event");
    assert_eq!(first["type"], "run_accepted", "{first}");
    let streamed = Turn::of(first["sessionId"].as_str().unwrap_or_default(), &first["data"]);
    let seen = reader.read_all().await;
    shown_is_stored(&c, streamed.assistant, &seen).await;
    let done = seen.terminal.clone().expect("it ended");
    assert_eq!(done["data"]["content"], "Hello, dear world.");
    assert_eq!(done["data"]["thinking"], "Let me see. ");
    assert_eq!(done["data"]["usage"], json!({ "inputTokens": 11, "outputTokens": 7 }));

    // WebSocket.
    let mut socket = api.socket().await;
    socket.send(&api.frame("", "door", &json!({}))).await;
    socket.read_until("the turn ends", |s| s.turns.values().any(|t| t.terminal.is_some())).await;
    let (&assistant, seen_by_socket) = socket.turns.iter().next().expect("a turn");
    shown_is_stored(&c, assistant, seen_by_socket).await;
    let accepted = seen_by_socket.of("run_accepted")[0].clone();
    let spoken = Turn::of(accepted["sessionId"].as_str().unwrap_or_default(), &accepted["data"]);

    // The same events for both streams, deltas joined.
    assert_eq!(seen.kinds().last(), Some(&"done"));
    assert_eq!(seen.thinking, "Let me see. ");
    assert_eq!(seen_by_socket.thinking, "Let me see. ");

    // The same messages and rows.
    let mut all = Vec::new();
    for turn in [&waited, &polled, &streamed, &spoken] {
        let messages = api.messages(&turn.session).await;
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert_eq!(messages[0]["id"].as_i64(), Some(turn.user));
        assert_eq!(messages[1]["id"].as_i64(), Some(turn.assistant));
        all.push(messages.iter().map(essence).collect::<Vec<_>>());
    }
    for other in &all[1..] {
        assert_eq!(*other, all[0]);
    }
    let stored = c
        .database
        .texts(
            "SELECT role || '|' || status || '|' || content || '|' || thinking || '|'
                 || COALESCE(CAST(input_tokens AS text), '-') AS x
         FROM netaclaw_message ORDER BY id",
        )
        .await;
    for pair in stored.chunks(2) {
        assert_eq!(
            pair,
            ["user|completed|door||-", "assistant|completed|Hello, dear world.|Let me see. |11"]
        );
    }
    c.end(Allowed::default()).await;
}

/// The model is told the history in order, and the current message exactly once.
async fn a_session_goes_on_and_the_model_knows_its_history(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    for n in 1..=4 {
        c.provider.says(&format!("question {n}"), Reply::text(&format!("answer {n}")));
        // A session id that nobody knows yet makes the session; every door and process goes on.
        let body = c.api(n).ask(&session, &format!("question {n}")).await;
        assert_eq!(body["content"], format!("answer {n}"), "{body}");
        assert_eq!(body["sessionId"], session);
    }
    let last = c.provider.calls("question 4").pop().expect("a call");
    let expected: Vec<(String, String)> = (1..=4)
        .flat_map(|n| {
            [("user".to_owned(), format!("question {n}")), ("assistant".to_owned(), format!("answer {n}"))]
        })
        .take(7)
        .collect();
    assert_eq!(last.conversation(), expected);
    assert_eq!(last.body["messages"][0]["role"], "system");
    let messages = c.api(0).messages(&session).await;
    let told: Vec<&str> = messages.iter().filter_map(|m| m["content"].as_str()).collect();
    assert_eq!(
        told,
        [
            "question 1",
            "answer 1",
            "question 2",
            "answer 2",
            "question 3",
            "answer 3",
            "question 4",
            "answer 4"
        ]
    );
    let sessions = items(&c.api(1).get("/api/sessions").await.expect(200));
    assert_eq!(sessions.iter().filter(|s| s["id"] == *session).count(), 1, "{sessions:?}");
    c.end(Allowed::default()).await;
}

/// B11: the same client message id, one after the other and at once, on both processes and over
/// every door: one message, one run, the same answer.
async fn a_repeated_message_is_the_same_turn(c: Cluster) {
    c.provider.says("once", Reply::text("Only once."));
    let id = json!({ "clientMessageId": uuid::Uuid::now_v7().to_string(), "wait": 20 });
    let session = uuid::Uuid::now_v7().to_string();
    let (a, b) = (c.api(0), c.api(1));
    let at_once = futures_util::future::join_all((0..6).map(|n| {
        let (api, id, session) = (if n % 2 == 0 { &a } else { &b }, &id, &session);
        async move { api.chat(session, "once", id).await.expect(200) }
    }))
    .await;
    for answer in &at_once {
        assert_eq!(*answer, at_once[0]);
    }
    for api in [&a, &b] {
        assert_eq!(api.chat(&session, "once", &id).await.expect(200), at_once[0]);
    }
    // The header says the same as the field.
    let key = id["clientMessageId"].as_str().unwrap_or_default();
    let request = a.request("POST", "/open/netaclaw/chat").header("idempotency-key", key);
    let body = a.body(&session, "once", &json!({ "wait": 20 }));
    assert_eq!(a.send(request.json(&body)).await.expect(200), at_once[0]);
    let mut socket = b.socket().await;
    socket.send(&b.frame(&session, "once", &json!({ "clientMessageId": key }))).await;
    let turn = Turn::of(&session, &at_once[0]);
    socket
        .read_until("the turn is told", |s| {
            s.turns.get(&turn.assistant).is_some_and(|t| t.terminal.is_some())
        })
        .await;
    assert_eq!(c.provider.calls("once").len(), 1);
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_message").await, 2);
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await, 1);
    c.end(Allowed::default()).await;
}

/// Tokens are the provider's, and cost follows from the model's prices, over all calls of a turn.
async fn usage_and_cost_are_the_providers(c: Cluster) {
    let model = c.add_model("priced", &json!({ "inputPrice": 2.0, "outputPrice": 10.0 })).await;
    let agent = c.add_agent("priced", model, &json!({})).await;
    c.provider.rounds(
        "bill",
        vec![
            vec![Reply::calls(&[("get_time", "{}")]).usage(1_000, 20)],
            vec![Reply::text("It is late.").usage(1_100, 30)],
        ],
    );
    let answer = c.api(0).ask("", "bill").await;
    assert_eq!(answer["usage"], json!({ "inputTokens": 2_100, "outputTokens": 50 }), "{answer}");
    let answer = c.api(0).chat("", "bill", &json!({ "agentId": agent, "wait": 20 })).await.expect(200);
    let turn = Turn::of("", &answer);
    let stored = c.api(0).messages(&turn.session).await;
    let cost = stored[1]["cost"].as_f64().expect("a cost");
    // 2,100 tokens at 2 and 50 at 10 a million.
    assert!((cost - 0.0047).abs() < 1e-9, "{cost}");
    c.end(Allowed::default()).await;
}

/// `neta chat` streams the answer to its standard output, goes on in a session, and fails with the
/// turn.
async fn the_command_line_says_and_shows(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.provider.says("from the shell", Reply::text("Hello, shell 壳."));
    c.provider.says("fails", Reply::refusal(401, "{}"));
    let chat = async |message: &str, token: &str| {
        let env =
            vec![("NETA_URL".to_owned(), c.api(1).base), ("NETA_ADMIN_TOKEN".to_owned(), token.to_owned())];
        let mut command = command(&env);
        command.args(["chat", message, "--session", &session, "--agent", "it"]);
        let done = tokio::task::spawn_blocking(move || command.output()).await.expect("no panic");
        let done = done.expect("the binary starts");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (done.status.success(), text(&done.stdout), text(&done.stderr))
    };
    let (good, told, errors) = chat("from the shell", TOKEN).await;
    assert!(good && told.contains("Hello, shell 壳."), "{told} {errors}");
    let (good, _, errors) = chat("fails", TOKEN).await;
    assert!(!good && errors.contains("key"), "{errors}");
    let (good, _, errors) = chat("from the shell", "wrong-token-0123456789").await;
    assert!(!good && errors.contains("token"), "{errors}");
    assert_eq!(c.api(0).messages(&session).await.len(), 4);
    c.end(Allowed { failed_percent: 50 }).await;
}
