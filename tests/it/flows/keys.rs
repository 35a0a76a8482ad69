//! API keys: what each scope opens at every door, and that a key that ended opens nothing at once.

use crate::harness::client::{Api, LONG, items};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::people::Key;
use crate::harness::reader::Socket;
use crate::harness::reply::Reply;
use crate::harness::wait::{eventually, in_time};
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::clock::{Clock, SystemClock};

on_both!(
    each_scope_opens_its_doors_and_no_others,
    a_key_acts_with_what_its_user_may,
    nobody_gives_a_key_more_than_they_have,
    a_revoked_key_is_refused_at_once_and_its_streams_end,
    a_key_expires_at_its_time,
    a_rotation_leaves_both_texts_for_a_while,
    another_tenants_key_finds_nothing,
    a_keys_text_is_shown_once_and_stored_nowhere
);

/// The status that the door answers with.
async fn status(api: &Api, method: &str, path: &str, body: Option<&Value>) -> u16 {
    let request = api.request(method, path);
    let request = match body {
        Some(body) => request.json(body),
        None => request,
    };
    api.send(request).await.status
}

/// What the socket says to a message: 200, or the problem's status; or the upgrade's.
async fn by_socket(api: &Api, socket: Result<Socket, u16>) -> u16 {
    let mut socket = match socket {
        Ok(socket) => socket,
        Err(status) => return status,
    };
    socket.send(&api.frame("", "hello", &json!({}))).await;
    socket
        .read_until("an end or a problem", |s| {
            s.turns.values().any(|t| t.terminal.is_some()) || s.others.iter().any(|f| f["type"] == "problem")
        })
        .await;
    let problem = socket.others.iter().find(|f| f["type"] == "problem");
    match problem.map(|frame| frame["code"].as_str().unwrap_or_default()) {
        None => 200,
        Some("forbidden") => 403,
        Some("not_found") => 404,
        Some(other) => panic!("{other}: {:?}", socket.others),
    }
}

/// What a message by SSE is answered with.
async fn by_stream(api: &Api) -> u16 {
    let reader = api.stream("", "hello").await;
    let status = reader.status;
    if status == 200 {
        reader.read_all().await;
    }
    status
}

async fn each_scope_opens_its_doors_and_no_others(c: Cluster) {
    let other = c.add_agent("other", c.model, &json!({})).await;
    let only = format!("chat:{}", c.agent);
    let agent = json!({ "name": "made by a key", "modelId": c.model });
    // Scopes, then: reading agents, their cards, models and the audit, a message by HTTP, SSE, socket
    // (by header and by subprotocol) and to another agent, a session of the operator's, making an agent
    // and a key, and deleting that session.
    let table: [(&[&str], [u16; 13]); 6] = [
        (&["*"], [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 201, 201, 204]),
        (&["read"], [200, 200, 200, 200, 403, 403, 403, 403, 403, 200, 403, 403, 403]),
        (&["chat"], [403, 200, 403, 403, 200, 200, 200, 200, 200, 404, 403, 403, 404]),
        (&[&only], [403, 200, 403, 403, 200, 200, 200, 200, 404, 404, 403, 403, 404]),
        (&["read", &only], [200, 200, 200, 200, 200, 200, 200, 200, 404, 200, 403, 403, 403]),
        (&["crew:1:run"], [403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403]),
    ];
    let sessions =
        join_all(table.iter().map(|_| async { c.api(0).say("", "of the operator").await.session }));
    for ((scopes, expected), session) in table.iter().zip(sessions.await) {
        let key = c.key(scopes, &json!({})).await;
        let api = c.with_key(1, &key);
        let elsewhere = json!({ "agentId": other, "message": "hello", "wait": 20 });
        let session = format!("/api/sessions/{session}");
        let got = [
            status(&api, "GET", "/api/agents", None).await,
            status(&api, "GET", "/api/agent-cards", None).await,
            status(&api, "GET", "/api/models", None).await,
            status(&api, "GET", "/api/audit", None).await,
            api.chat("", "hello", &json!({ "wait": 20 })).await.status,
            by_stream(&api).await,
            by_socket(&api, api.try_socket(None).await).await,
            by_socket(&api, api.try_offered_socket().await).await,
            status(&api, "POST", "/open/netaclaw/chat", Some(&elsewhere)).await,
            status(&api, "GET", &session, None).await,
            status(&api, "POST", "/api/agents", Some(&agent)).await,
            status(&api, "POST", "/api/keys", Some(&json!({ "name": "k", "scopes": ["read"] }))).await,
            status(&api, "DELETE", &session, None).await,
        ];
        assert_eq!(got, *expected, "{scopes:?}");
    }
    c.end(Allowed::default()).await;
}

async fn a_key_acts_with_what_its_user_may(c: Cluster) {
    let (ann, bob) = (c.user("ann", "member").await, c.user("bob", "admin").await);
    let of_ann = c.key(&["*"], &json!({ "userId": ann })).await;
    let of_bob = c.key(&["*"], &json!({ "userId": bob })).await;
    let (ann, bob) = (c.with_key(0, &of_ann), c.with_key(1, &of_bob));
    assert_eq!(status(&ann, "GET", "/api/audit", None).await, 403, "a member may not");
    assert_eq!(status(&bob, "GET", "/api/audit", None).await, 200);

    // Sessions are their user's, whichever key begins them.
    let turn = ann.say("", "of ann").await;
    let second =
        Key::of(&ann.post("/api/keys", &json!({ "name": "two", "scopes": ["chat"] })).await.expect(201));
    let session = format!("/api/sessions/{}", turn.session);
    assert_eq!(status(&c.with_key(1, &second), "GET", &session, None).await, 200);
    let service = c.with_key(1, &c.key(&["chat"], &json!({})).await);
    assert_eq!(status(&service, "GET", &session, None).await, 404);
    assert_eq!(status(&bob, "GET", &session, None).await, 200, "an admin sees all");

    // Ann's keys are hers to see and to end; the admin's are not.
    let names = |body: &Value| items(body).iter().map(|k| k["id"].as_i64().unwrap_or(0)).collect::<Vec<_>>();
    assert_eq!(names(&ann.get("/api/keys").await.expect(200)), [of_ann.id, second.id]);
    assert!(names(&bob.get("/api/keys").await.expect(200)).contains(&of_ann.id));
    assert_eq!(status(&ann, "GET", &format!("/api/keys/{}", of_bob.id), None).await, 404);
    assert_eq!(status(&ann, "DELETE", &format!("/api/keys/{}", of_bob.id), None).await, 404);
    assert_eq!(status(&ann, "DELETE", &format!("/api/keys/{}", second.id), None).await, 204);
    assert_eq!(status(&c.with_key(0, &second), "GET", &session, None).await, 401);

    // When it was used last is stored beside the requests.
    eventually("the last use is seen", LONG, async || {
        bob.get(&format!("/api/keys/{}", of_ann.id)).await.expect(200)["lastUsedAt"].is_string()
    })
    .await;
    c.end(Allowed::default()).await;
}

async fn nobody_gives_a_key_more_than_they_have(c: Cluster) {
    let (ann, eve) = (c.user("ann", "member").await, c.user("eve", "editor").await);
    let ann_key = c.key(&["*"], &json!({ "userId": ann })).await;
    let (ann_api, eve_api) =
        (c.with_key(0, &ann_key), c.with_key(0, &c.key(&["*"], &json!({ "userId": eve })).await));
    let refused = [
        json!({ "name": "k", "scopes": ["read"], "service": true }),
        json!({ "name": "k", "scopes": ["chat"], "userId": eve }),
    ];
    for body in &refused {
        let answer = ann_api.post("/api/keys", body).await;
        assert_eq!((answer.status, answer.body["code"].as_str()), (403, Some("forbidden")), "{answer:?}");
    }
    // An agent that is not seen is none.
    let hidden = c.add_agent("hidden", c.model, &json!({})).await;
    let shares = json!({ "visibility": "shared", "users": [eve] });
    c.api(0).put(&format!("/api/agents/{hidden}/shares"), &shares).await.expect(200);
    for agent in [hidden, 999_999] {
        let answer = ann_api
            .post("/api/keys", &json!({ "name": "k", "scopes": ["read", format!("chat:{agent}")] }))
            .await;
        assert_eq!((answer.status, answer.body["field"].as_str()), (400, Some("scopes[1]")), "{answer:?}");
    }
    let body = json!({ "name": "k", "scopes": [format!("chat:{hidden}")] });
    Key::of(&eve_api.post("/api/keys", &body).await.expect(201));
    // What does not say what it means.
    let wrong = [
        (json!({ "name": " ", "scopes": ["read"] }), "name"),
        (json!({ "name": "k", "scopes": [] }), "scopes"),
        (json!({ "name": "k", "scopes": ["everything"] }), "scopes[0]"),
        (json!({ "name": "k", "scopes": ["read"], "expiresAt": "2001-01-01T00:00:00Z" }), "expiresAt"),
        (json!({ "name": "k", "scopes": ["read"], "ratePerMinute": 0 }), "ratePerMinute"),
        (json!({ "name": "k", "scopes": ["read"], "userId": 99, "service": true }), "service"),
        (json!({ "name": "k", "scopes": ["read"], "userId": 999_999 }), "userId"),
    ];
    for (body, field) in &wrong {
        let answer = c.api(0).post("/api/keys", body).await;
        assert_eq!((answer.status, answer.body["field"].as_str()), (400, Some(*field)), "{answer:?}");
    }
    c.end(Allowed::default()).await;
}

async fn a_revoked_key_is_refused_at_once_and_its_streams_end(c: Cluster) {
    c.provider.says("long", Reply::words(20).hold_after(5));
    let key = c.key(&["*"], &json!({})).await;
    let (api, path) = (c.with_key(0, &key), format!("/api/keys/{}", key.id));
    let mut stream = api.stream("", "long").await;
    stream.read_until("the first words", |t| t.text.contains("word5 ")).await;
    let (mut silent, mut speaking) = (api.socket().await, c.with_key(1, &key).socket().await);
    assert_eq!(c.api(1).delete(&path).await.status, 204);
    for door in 0..2 {
        let api = c.with_key(door, &key);
        assert_eq!(status(&api, "GET", "/api/agents", None).await, 401);
        assert_eq!(api.chat("", "hello", &json!({})).await.status, 401);
        assert_eq!(by_stream(&api).await, 401);
        assert_eq!(api.try_socket(None).await.err(), Some(401));
        assert_eq!(api.try_offered_socket().await.err(), Some(401));
    }
    // A frame of an open socket is looked at anew; a silent one and a stream end within seconds.
    speaking.send(&api.frame("", "hello", &json!({}))).await;
    in_time("the speaking socket ends", LONG, async { while speaking.next().await.is_some() {} }).await;
    assert!(speaking.turns.is_empty(), "{:?}", speaking.turns);
    in_time("the silent socket ends", LONG, async { while silent.next().await.is_some() {} }).await;
    in_time("the stream ends", LONG, async { while stream.next().await.is_some() {} }).await;
    assert!(stream.seen.terminal.is_none());
    // It stays in the list, and does nothing any more.
    let shown = c.api(0).get(&path).await.expect(200);
    assert!(shown["revokedAt"].is_string(), "{shown}");
    assert_eq!(c.api(0).delete(&path).await.status, 204, "once more is no error");
    assert_eq!(c.api(0).patch(&path, &json!({ "name": "new" })).await.status, 409);
    assert_eq!(c.api(0).post(&format!("{path}/rotate"), &json!({})).await.status, 409);
    c.provider.release("long");
    c.end(Allowed::default()).await;
}

async fn a_key_expires_at_its_time(c: Cluster) {
    let key = c.key(&["read"], &json!({})).await;
    let (api, path) = (c.with_key(1, &key), format!("/api/keys/{}", key.id));
    let end: DateTime<Utc> = SystemClock.now() + TimeDelta::seconds(2);
    c.api(0).patch(&path, &json!({ "expiresAt": end })).await.expect(200);
    eventually("it is refused", LONG, async || status(&api, "GET", "/api/agents", None).await == 401).await;
    assert!(SystemClock.now() >= end - TimeDelta::milliseconds(50), "not before its time");
    assert_eq!(api.try_socket(None).await.err(), Some(401));
    c.api(0).patch(&path, &json!({ "expiresAt": null })).await.expect(200);
    assert_eq!(status(&api, "GET", "/api/agents", None).await, 200, "it can be lengthened");
    c.end(Allowed::default()).await;
}

async fn a_rotation_leaves_both_texts_for_a_while(c: Cluster) {
    let first = c.key(&["read"], &json!({})).await;
    let path = format!("/api/keys/{}/rotate", first.id);
    let works = async |key: &Key| status(&c.with_key(1, key), "GET", "/api/agents", None).await == 200;
    // The body may be left out.
    let rotated = c.api(0).send(c.api(0).request("POST", &path)).await.expect(200);
    let second = Key::of(&rotated);
    assert_eq!(rotated["secrets"].as_array().map(Vec::len), Some(2), "{rotated}");
    assert!(works(&first).await && works(&second).await);
    let third = Key::of(&c.api(0).post(&path, &json!({ "overlapSeconds": 3600 })).await.expect(200));
    assert!(!works(&first).await, "the oldest of three ends at once");
    assert!(works(&second).await && works(&third).await);
    let fourth = Key::of(&c.api(1).post(&path, &json!({ "overlapSeconds": 0 })).await.expect(200));
    assert!(!works(&second).await && !works(&third).await && works(&fourth).await);
    let fifth = Key::of(&c.api(1).post(&path, &json!({ "overlapSeconds": 1 })).await.expect(200));
    eventually("the overlap ends", LONG, async || !works(&fourth).await).await;
    assert!(works(&fifth).await);
    assert_eq!(c.api(0).post(&path, &json!({ "overlapSeconds": 99_999_999 })).await.status, 400);

    // Rotated by many at once: two texts are accepted in the end.
    let doors = [c.api(0), c.api(1)];
    let all = join_all((0..8).map(|n| {
        let (api, path) = (doors[n % 2].clone(), path.clone());
        async move { Key::of(&api.post(&path, &json!({})).await.expect(200)) }
    }))
    .await;
    let mut accepted = 0;
    for key in &all {
        accepted += usize::from(works(key).await);
    }
    assert!((1..=2).contains(&accepted), "{accepted}");
    assert!(!works(&fifth).await);
    c.end(Allowed::default()).await;
}

async fn another_tenants_key_finds_nothing(c: Cluster) {
    let foreign = c.foreign_key().await;
    let own = c.key(&["read"], &json!({})).await;
    let turn = c.api(0).say("", "hello").await;
    let api = c.with_key(1, &foreign);
    let paths = [
        ("GET", format!("/api/keys/{}", own.id)),
        ("DELETE", format!("/api/keys/{}", own.id)),
        ("POST", format!("/api/keys/{}/rotate", own.id)),
        ("GET", format!("/api/agents/{}", c.agent)),
        ("GET", format!("/api/sessions/{}", turn.session)),
        ("DELETE", format!("/api/sessions/{}", turn.session)),
        ("GET", format!("/open/netaclaw/chat/{}", turn.assistant)),
        ("DELETE", format!("/api/quotas/key/{}", own.id)),
    ];
    for (method, path) in &paths {
        let answer = api.send(api.request(method, path)).await;
        assert_eq!(answer.status, 404, "{method} {path}: {}", answer.body);
    }
    let keys = items(&api.get("/api/keys").await.expect(200));
    assert_eq!(keys.iter().map(|k| k["id"].as_i64()).collect::<Vec<_>>(), [Some(foreign.id)]);
    assert_eq!(items(&api.get("/api/audit").await.expect(200)), Vec::<Value>::new());
    assert_eq!(api.chat("", "hello", &json!({ "wait": 0 })).await.status, 404, "the agent is not seen");
    let mut socket = api.socket().await;
    socket.send(&json!({ "type": "subscribe", "sessionId": turn.session })).await;
    socket.read_until("a refusal", |s| s.others.iter().any(|f| f["type"] == "problem")).await;
    c.end(Allowed::default()).await;
}

async fn a_keys_text_is_shown_once_and_stored_nowhere(c: Cluster) {
    let made = c.api(0).post("/api/keys", &json!({ "name": "k", "scopes": ["read"] })).await.expect(201);
    let key = Key::of(&made);
    let parts: Vec<&str> = key.text.splitn(3, '_').collect();
    assert_eq!((parts[0], parts[1].len(), parts[2].len()), ("neta", 12, 43), "its form");
    assert_eq!(made["secrets"][0]["prefix"], parts[1], "what people know it by");
    let path = format!("/api/keys/{}", key.id);
    assert_eq!(status(&c.with_key(1, &key), "GET", "/api/agents", None).await, 200);
    for path in [path.as_str(), "/api/keys", "/api/audit"] {
        let shown = c.api(1).get(path).await.expect(200).to_string();
        assert!(!shown.contains(parts[2]), "{path}");
    }
    for (table, row) in c.database.dump().await {
        assert!(!row.contains(parts[2]), "in {table}");
    }
    assert!(!c.logs().contains(parts[2]), "in a log");
    c.end(Allowed::default()).await;
}
