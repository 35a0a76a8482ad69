//! Every route and every frame against everybody who should not get through: what the document
//! declares is what holds.

use super::family::Family;
use super::harness::{Api, TENANT, Turn};
use super::people::Person;
use super::sockets::Socket;
use serde_json::{Value, json};
use shared::domain::permissions::Permission;

/// What an operation declares.
#[derive(Debug, Clone, PartialEq)]
enum Declared {
    Public,
    Anybody,
    Needs(Permission),
}

/// Each operation with what it declares.
fn operations() -> Vec<(String, String, Declared)> {
    let document = serde_json::to_value(crate::document()).unwrap();
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let at = format!("{method} {path}");
            let declared = match &operation["security"] {
                Value::Null => panic!("{at} declares no policy"),
                none if *none == json!([{}]) => Declared::Public,
                some => {
                    match some[0]["token"].as_array().unwrap_or_else(|| panic!("{at}: {some}")).as_slice() {
                        [] => Declared::Anybody,
                        [name] => {
                            let name = name.as_str().unwrap();
                            Declared::Needs(
                                Permission::parse(name)
                                    .unwrap_or_else(|| panic!("{at}: no permission {name}")),
                            )
                        }
                        several => panic!("{at}: {several:?}"),
                    }
                }
            };
            all.push((method.to_uppercase(), path.clone(), declared));
        }
    }
    assert!(all.len() > 30, "{all:?}");
    all
}

fn is_read(method: &str) -> bool {
    method == "GET"
}

/// The path with these ids, or with ids of nothing.
fn at(path: &str, ids: &Ids) -> String {
    let id = if path.starts_with("/api/sessions/") {
        &ids.session
    } else if path.starts_with("/api/agents/") {
        &ids.agent
    } else if path.starts_with("/api/models/") {
        &ids.model
    } else if path.starts_with("/api/runs/") {
        &ids.run
    } else if path.starts_with("/api/subagents/") {
        &ids.subagent
    } else if path.starts_with("/api/pauses/") {
        &ids.pause
    } else if path.starts_with("/api/users/")
        || path.starts_with("/api/roles/")
        || path.starts_with("/api/me/")
    {
        &ids.person
    } else if path.starts_with("/api/keys/") {
        &ids.key
    } else {
        &ids.other
    };
    path.replace("{id}", id)
        .replace("{messageId}", &ids.message)
        .replace("{assistantMessageId}", &ids.message)
        .split('/')
        .map(|part| if part.starts_with('{') { ids.other.as_str() } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

#[derive(Debug, Clone)]
struct Ids {
    session: String,
    message: String,
    run: String,
    agent: String,
    model: String,
    subagent: String,
    pause: String,
    /// A user, their role and their login.
    person: String,
    key: String,
    other: String,
}

impl Ids {
    fn of_nothing() -> Self {
        let n = "987654".to_owned();
        Self {
            session: "01890000-0000-7000-8000-00000000abcd".into(),
            message: n.clone(),
            run: n.clone(),
            agent: n.clone(),
            model: n.clone(),
            subagent: n.clone(),
            pause: n.clone(),
            person: n.clone(),
            key: n.clone(),
            other: n,
        }
    }

    /// Of objects that the operator made.
    async fn of_somebody(api: &Api) -> Self {
        let family = Family::of(api, 1, &["Which?"]).await;
        let turn = family.turn;
        let agent = &api.get("/api/agents").await.json["items"][0];
        let person = api.person(TENANT, &["*"]).await;
        let key = api.key(TENANT, Some(&person), &["*"]).await;
        Self {
            session: turn.session_id.to_string(),
            message: turn.message_id.to_string(),
            run: turn.run_id.to_string(),
            agent: agent["id"].to_string(),
            model: agent["modelId"].to_string(),
            subagent: family.children[0].to_string(),
            pause: family.pauses[0].to_string(),
            person: person.user_id.to_string(),
            key: key.role_id.to_string(),
            other: "1".into(),
        }
    }
}

/// Bodies are empty objects: a refusal comes before they are read.
fn body(method: &str) -> Option<Value> {
    (!is_read(method) && method != "DELETE").then(|| json!({}))
}

#[tokio::test]
async fn each_route_demands_what_it_declares() {
    let api = Api::new().await;
    let everything: Vec<&str> = Permission::ALL.iter().map(|p| p.as_str()).collect();
    let nothing = Ids::of_nothing();
    for (method, path, declared) in operations() {
        let path = at(&path, &nothing);
        let Declared::Needs(needed) = declared else { continue };
        let but: Vec<&str> = everything.iter().copied().filter(|p| *p != needed.as_str()).collect();
        let without = api.person(TENANT, &but).await;
        let refused = api.ask(&without, &method, &path, body(&method).as_ref()).await;
        let code = (refused.status.as_u16(), refused.code());
        assert_eq!(code, (403, Some("forbidden")), "{method} {path} without {needed:?}: {refused:?}");
        assert!(refused.text.contains(needed.as_str()), "{refused:?}");
        let with = api.person(TENANT, &[needed.as_str()]).await;
        let passed = api.ask(&with, &method, &path, body(&method).as_ref()).await;
        assert!(![401, 403].contains(&passed.status.as_u16()), "{method} {path} with {needed:?}: {passed:?}");
    }
}

#[tokio::test]
async fn no_route_answers_nobody_or_a_credential_that_ended() {
    let api = Api::new().await;
    let all = api.person(TENANT, &["*"]).await;
    let revoked = api.key(TENANT, Some(&all), &["*"]).await;
    api.rows("UPDATE netaclaw_api_key SET revoked_at = create_time WHERE revoked_at IS NULL").await;
    let expired = api.key(TENANT, Some(&all), &["*"]).await;
    api.rows("UPDATE netaclaw_api_key SET expires_at = create_time WHERE revoked_at IS NULL").await;
    let disabled = api.person(TENANT, &["*"]).await;
    api.rows("UPDATE netaclaw_user SET disabled = TRUE WHERE id = (SELECT MAX(id) FROM netaclaw_user)").await;
    let over = api.person(TENANT, &["*"]).await;
    api.rows(
        "UPDATE netaclaw_login_session SET expires_at = create_time \
         WHERE id = (SELECT MAX(id) FROM netaclaw_login_session)",
    )
    .await;
    let showing = |name: &'static str, value: &str| Person { shows: (name, value.to_owned()), ..all.clone() };
    let forged = revoked.shows.1.replace("secret", "guess");
    let everybody = [
        ("nobody", showing("x-nothing", "1")),
        ("a wrong token", showing("authorization", "Bearer wrong")),
        ("another scheme", showing("authorization", "Basic YTpi")),
        ("a key with another secret", showing("authorization", &forged)),
        ("a key that is not one", showing("authorization", "Bearer neta_x_y")),
        ("a revoked key", revoked),
        ("an expired key", expired),
        ("a disabled user", disabled),
        ("a login that is over", over),
        ("another cookie", showing("cookie", "neta_session=guess")),
        ("two cookies", showing("cookie", &format!("{}; neta_session=x", all.shows.1))),
    ];
    let nothing = Ids::of_nothing();
    for (method, path, declared) in operations() {
        let path = at(&path, &nothing);
        for (who, person) in &everybody {
            let reply = api.ask(person, &method, &path, body(&method).as_ref()).await;
            let refused =
                reply.status == 401 && matches!(reply.code(), Some("unauthorized" | "invalid_api_key"));
            assert_eq!(refused, declared != Declared::Public, "{who}: {method} {path}: {reply:?}");
        }
    }
}

/// Neither the status nor a word of the answer tells that the object exists.
async fn same_as_nothing(api: &Api, who: &Person, ids: &Ids) {
    let nothing = Ids::of_nothing();
    for (method, path, _) in operations() {
        let (real, random) = (at(&path, ids), at(&path, &nothing));
        // Of tenants only operators know, and quotas are named by what they limit.
        let other = ["/api/tenants/", "/api/quotas/", "/v1/"].iter().any(|start| path.starts_with(start));
        if other || !path.contains('{') {
            continue;
        }
        let body = match (method.as_str(), path.as_str()) {
            ("PATCH", "/api/sessions/{id}") => Some(json!({"title": "mine"})),
            ("PATCH", "/api/sessions/{id}/messages/{messageId}") => Some(json!({"content": "mine"})),
            ("PUT", "/api/agents/{id}/shares") => Some(json!({"visibility": "tenant"})),
            ("POST", "/api/pauses/{id}/answer") => Some(json!({"answer": "mine"})),
            (method, _) => body(method),
        };
        let theirs = api.ask(who, &method, &real, body.as_ref()).await;
        let none = api.ask(who, &method, &random, body.as_ref()).await;
        assert_eq!(theirs.status, 404, "{method} {path}: {theirs:?}");
        assert_eq!((theirs.status, &theirs.text), (none.status, &none.text), "{method} {path}");
    }
}

#[tokio::test]
async fn another_tenants_objects_do_not_exist() {
    let api = Api::new().await;
    let ids = Ids::of_somebody(&api).await;
    let tenant = api.tenant().await;
    let admin = api.person(tenant, &["*"]).await;
    same_as_nothing(&api, &admin, &ids).await;
    same_as_nothing(&api, &api.key(tenant, None, &["*"]).await, &ids).await;
    for list in ["/api/agents", "/api/agent-cards", "/api/models", "/api/sessions", "/api/runs"] {
        assert_eq!(api.ask(&admin, "GET", list, None).await.json["items"], json!([]), "{list}");
    }
    let chat = json!({"message": "hi", "sessionId": ids.session, "wait": 0});
    assert_eq!(api.ask(&admin, "POST", "/open/netaclaw/chat", Some(&chat)).await.status, 404);
    // What a body says of tenants is nobody's word.
    let chat = json!({"message": "hi", "tenantId": 1, "tenant_id": 1, "agent": "solo", "wait": 0});
    assert_eq!(api.ask(&admin, "POST", "/open/netaclaw/chat", Some(&chat)).await.status, 404);
    let still = api.get(&format!("/api/sessions/{}", ids.session)).await;
    assert_eq!(still.status, 200, "{still:?}");
}

#[tokio::test]
async fn a_member_sees_the_own_sessions_only() {
    let api = Api::new().await;
    let grants = ["agent:use", "agent:view", "session:view", "session:chat", "session:edit"];
    let (ada, bob) = (api.person(TENANT, &grants).await, api.person(TENANT, &grants).await);
    let chat =
        async |who: &Person, body: Value| api.ask(who, "POST", "/open/netaclaw/chat", Some(&body)).await;
    let reply = chat(&ada, json!({"message": "hi", "wait": 0, "clientMessageId": "c"})).await;
    assert_eq!(reply.status, 202, "{reply:?}");
    let turn = Turn::of(&reply.json);
    let session = format!("/api/sessions/{}", turn.session_id);
    let asked = [
        ("GET", session.clone(), None),
        ("PATCH", session.clone(), Some(json!({"title": "t"}))),
        ("GET", format!("{session}/messages"), None),
        ("DELETE", format!("{session}/messages/{}", turn.message_id), None),
        ("GET", format!("/api/runs/{}", turn.run_id), None),
        ("POST", format!("/api/runs/{}/stop", turn.run_id), None),
        ("GET", format!("/open/netaclaw/chat/{}?wait=0", turn.message_id), None),
        ("DELETE", session.clone(), None),
    ];
    for (method, path, body) in &asked {
        assert_eq!(api.ask(&bob, method, path, body.as_ref()).await.status, 404, "{method} {path}");
    }
    let session_id = turn.session_id.to_string();
    assert_eq!(chat(&bob, json!({"message": "hi", "sessionId": session_id, "wait": 0})).await.status, 404);
    let guessed = chat(&bob, json!({"message": "hi", "wait": 0, "clientMessageId": "c"})).await;
    assert_eq!((guessed.status.as_u16(), &guessed.json["code"]), (409, &json!("client_message_id_reused")));
    for list in ["/api/sessions", "/api/runs", "/api/subagents", "/api/pauses"] {
        let items = api.ask(&bob, "GET", list, None).await.json["items"].clone();
        assert_eq!(items, json!([]), "{list}");
    }
    let all = api.person(TENANT, &["session:view", "session:view_all", "session:edit", "session:chat"]).await;
    assert_eq!(api.ask(&all, "GET", &session, None).await.status, 200);
    let seen_only = api.ask(&all, "DELETE", &session, None).await;
    assert_eq!((seen_only.status.as_u16(), &seen_only.json["code"]), (403, &json!("forbidden")));
    let key = api.key(TENANT, Some(&ada), &["chat"]).await;
    assert_eq!(api.ask(&key, "GET", &session, None).await.status, 200, "her key is she");
    for (method, path, body) in
        asked.iter().filter(|(method, path, _)| *method != "DELETE" || *path == session)
    {
        let reply = api.ask(&ada, method, path, body.as_ref()).await;
        assert!(reply.status.is_success(), "{method} {path}: {reply:?}");
    }
}

#[tokio::test]
async fn a_shared_agent_is_for_those_it_is_shared_with() {
    let api = Api::new().await;
    let agent = &api.get("/api/agents").await.json["items"][0];
    let (id, model) = (agent["id"].clone(), agent["modelId"].clone());
    let grants = ["agent:use", "agent:view", "agent:edit", "session:view", "session:chat"];
    let (ada, bob) = (api.person(TENANT, &grants).await, api.person(TENANT, &grants).await);
    let shares = format!("/api/agents/{id}/shares");
    let put = async |body: Value| api.send("PUT", &shares, Some(&body)).await;
    let sends = async |who: &Person, body: Value| {
        let mut body = body;
        body["message"] = json!("hi");
        body["wait"] = json!(0);
        api.ask(who, "POST", "/open/netaclaw/chat", Some(&body)).await.status.as_u16()
    };
    let begun =
        api.ask(&bob, "POST", "/open/netaclaw/chat", Some(&json!({"message": "hi", "wait": 0}))).await;
    let session = begun.json["sessionId"].clone();
    let reply = put(json!({"visibility": "shared", "users": [ada.user_id]})).await;
    assert_eq!((reply.status.as_u16(), &reply.json["users"]), (200, &json!([ada.user_id])), "{reply:?}");
    assert_eq!(api.get(&shares).await.json, reply.json);
    for by in [json!({"agentId": id}), json!({"agent": "solo"}), json!({}), json!({"sessionId": session})] {
        assert_eq!(sends(&bob, by.clone()).await, 404, "{by}");
    }
    for by in [json!({"agentId": id}), json!({"agent": "solo"}), json!({})] {
        assert_eq!(sends(&ada, by.clone()).await, 202, "{by}");
    }
    assert_eq!(api.ask(&bob, "GET", &format!("/api/agents/{id}"), None).await.status, 404);
    assert_eq!(api.ask(&bob, "GET", "/api/agents", None).await.json["items"], json!([]));
    assert_eq!(api.ask(&ada, "GET", "/api/agent-cards", None).await.json["items"][0]["name"], "solo");
    // Who does not see it is not shown it by a preview either.
    let preview = json!({"scene": "supervisor", "modelId": model, "systemPrompt": "",
        "subagentConfig": {"enabled": true, "allowedPresetAgentIds": [id]}});
    let shown = async |who: &Person| api.ask(who, "POST", "/api/agents/preview-prompt", Some(&preview)).await;
    let (seen, unseen) = (shown(&ada).await, shown(&bob).await);
    assert_eq!((seen.status.as_u16(), unseen.status.as_u16()), (200, 400), "{seen:?} {unseen:?}");
    assert!(!unseen.text.contains("solo"), "{unseen:?}");
    // Who does not see it cannot have it called either.
    let maker = api.person(TENANT, &["agent:create", "agent:view", "model:view"]).await;
    let caller = json!({"name": "c", "modelId": model, "subagentConfig": {"allowedPresetAgentIds": [id]}});
    let refused = api.ask(&maker, "POST", "/api/agents", Some(&caller)).await;
    let field = "subagentConfig.allowedPresetAgentIds[0]";
    assert_eq!((refused.status.as_u16(), &refused.json["field"]), (400, &json!(field)), "{refused:?}");
    for bad in [
        json!({"visibility": "shared", "users": [424_242]}),
        json!({"visibility": "shared", "roles": [424_242]}),
        json!({"visibility": "tenant", "users": [ada.user_id]}),
        json!({"visibility": "public"}),
        json!({}),
    ] {
        assert_eq!(put(bad.clone()).await.status, 400, "{bad}");
    }
    assert_eq!(sends(&ada, json!({})).await, 202, "what was refused changed nothing");
    put(json!({"visibility": "shared", "roles": [bob.role_id]})).await;
    assert_eq!(
        (sends(&ada, json!({"agentId": id})).await, sends(&bob, json!({"agentId": id})).await),
        (404, 202)
    );
    // With a role goes what is shared with it: nobody gets there by giving it to themselves.
    let grants: Vec<&str> = grants.into_iter().chain(["user:view", "user:manage"]).collect();
    let manager = api.person(TENANT, &grants).await;
    let (path, roles) = (format!("/api/users/{}", manager.user_id), json!([manager.role_id, bob.role_id]));
    let taken = api.ask(&manager, "PATCH", &path, Some(&json!({ "roleIds": roles }))).await;
    assert_eq!((taken.status.as_u16(), &taken.json["code"]), (403, &json!("forbidden")), "{taken:?}");
    let other = json!({"name": "other", "password": "correct horse battery", "roleIds": [bob.role_id]});
    assert_eq!(api.ask(&manager, "POST", "/api/users", Some(&other)).await.status, 403);
    let given = api.send("PATCH", &path, Some(&json!({ "roleIds": roles }))).await;
    assert_eq!(given.status, 200, "the operator may: {given:?}");
}

#[tokio::test]
async fn a_transcript_does_not_show_the_prompt_to_those_who_only_talk() {
    let api = Api::new().await;
    let family = Family::of(&api, 1, &[]).await;
    let path = format!("/api/subagents/{}", family.children[0]);
    let prompt = async |grants: &[&str]| {
        let who = api.person(TENANT, grants).await;
        let reply = api.ask(&who, "GET", &path, None).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json["systemPrompt"].clone()
    };
    assert_eq!(prompt(&["session:view", "session:view_all"]).await, Value::Null);
    assert!(prompt(&["session:view", "session:view_all", "agent:view"]).await.is_string());
    assert!(api.get(&path).await.json["systemPrompt"].is_string());
}

#[tokio::test]
async fn nobody_lifts_the_limits_of_a_key_that_may_more() {
    let api = Api::new().await;
    let admin = api.person(TENANT, &["*"]).await;
    let (own, service) = (api.key(TENANT, Some(&admin), &["*"]).await, api.key(TENANT, None, &["*"]).await);
    let weak = api.person(TENANT, &["key:own", "key:manage"]).await;
    let forever = json!({"expiresAt": null, "ratePerMinute": null});
    for (who, key, expected) in [
        (&own, &own, 403),
        (&service, &service, 403),
        (&own, &service, 403),
        (&weak, &service, 403),
        (&weak, &own, 403),
        (&admin, &own, 200),
        (&admin, &service, 200),
    ] {
        let path = format!("/api/keys/{}", key.role_id);
        let changed = api.ask(who, "PATCH", &path, Some(&forever)).await;
        assert_eq!(changed.status, expected, "{who:?} {key:?}: {changed:?}");
        if expected == 403 {
            let rotated = api.ask(who, "POST", &format!("{path}/rotate"), Some(&json!({}))).await;
            assert_eq!(rotated.status, expected, "{who:?} {key:?}: {rotated:?}");
        }
    }
}

#[tokio::test]
async fn a_cookie_does_not_act_for_pages_of_other_sites() {
    let api = Api::new().await;
    let ada = api.person(TENANT, &["*"]).await;
    let agent = json!({"name": "x", "modelId": 1}).to_string();
    let make = async |headers: &[(&str, &str)]| {
        let mut request = super::harness::request("POST", "/api/agents")
            .header(ada.shows.0, &ada.shows.1)
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        api.raw(request.body(agent.clone().into()).unwrap()).await
    };
    for headers in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null")],
        &[("origin", "http://127.0.0.1:8421")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "http://127.0.0.1:8420"), ("origin", "https://evil.example")],
    ] {
        let reply = make(headers).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json["code"]),
            (403, &json!("forbidden_origin")),
            "{headers:?}"
        );
    }
    assert_eq!(api.get("/api/agents").await.json["items"].as_array().unwrap().len(), 1);
    assert_eq!(make(&[("origin", "http://127.0.0.1:8420")]).await.status, 201);
}

#[tokio::test]
async fn each_frame_demands_its_right() {
    let api = Api::new().await;
    let address = api.listen().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let frames = [
        json!({"type": "chat", "message": "hi", "sessionId": turn.session_id}),
        json!({"type": "subscribe", "sessionId": turn.session_id}),
        json!({"type": "subscribe", "sessionId": turn.session_id, "messageId": turn.message_id}),
        json!({"type": "stop", "messageId": turn.message_id}),
        json!({"type": "stop", "messageId": turn.message_id, "subagentId": 1}),
        json!({"type": "clarify_response", "pauseId": 1, "answer": "x"}),
    ];
    let other = api.tenant().await;
    let foreign = api.person(other, &["*"]).await;
    let member = api.person(TENANT, &["agent:use", "session:view", "session:chat", "session:edit"]).await;
    let viewer = api.person(TENANT, &["session:view", "session:view_all"]).await;
    for (who, person, expected) in [
        ("of another tenant", &foreign, "not_found"),
        ("a member", &member, "not_found"),
        ("a viewer", &viewer, "forbidden"),
    ] {
        let mut headers = vec![(person.shows.0, person.shows.1.as_str())];
        let origin = format!("http://{address}");
        headers.push(("origin", &origin));
        let mut socket = Socket::open(address, &headers).await.unwrap();
        for frame in &frames {
            if who == "a viewer" && frame["type"] == "subscribe" {
                continue;
            }
            socket.say(frame).await;
            let answer = socket.hear().await;
            assert_eq!(
                (&answer["type"], &answer["code"]),
                (&json!("problem"), &json!(expected)),
                "{who}: {frame}"
            );
        }
    }
    let blind = api.person(TENANT, &["session:chat"]).await;
    let origin = format!("http://{address}");
    assert!(Socket::open(address, &[(blind.shows.0, &blind.shows.1), ("origin", &origin)]).await.is_err());
    assert!(
        Socket::open(address, &[(member.shows.0, &member.shows.1)]).await.is_err(),
        "a cookie, no origin"
    );
}

#[tokio::test]
async fn a_socket_ends_with_the_rights_that_opened_it() {
    let api = Api::new().await;
    let address = api.listen().await;
    let admin = api.person(TENANT, &["*"]).await;
    let key = api.key(TENANT, Some(&admin), &["*"]).await;
    let mut socket = Socket::open(address, &[("authorization", &key.shows.1)]).await.unwrap();
    socket.say(&json!({"type": "chat", "message": "hi"})).await;
    assert_eq!(socket.hear().await["type"], "accepted");
    socket.until("run_accepted").await;
    api.rows("UPDATE netaclaw_api_key SET revoked_at = create_time").await;
    socket.say(&json!({"type": "chat", "message": "once more"})).await;
    let end = socket.message().await;
    assert!(matches!(end, Some(tokio_tungstenite::tungstenite::Message::Close(Some(_)))), "{end:?}");
    assert_eq!(api.get("/api/runs").await.json["items"].as_array().unwrap().len(), 1, "nothing was accepted");

    let quiet = api.key(TENANT, Some(&admin), &["*"]).await;
    let mut socket = Socket::open(address, &[("authorization", &quiet.shows.1)]).await.unwrap();
    api.rows("UPDATE netaclaw_role SET permissions = '[\"session:view\"]' WHERE NOT built_in").await;
    let end = socket.message().await;
    assert!(
        matches!(end, Some(tokio_tungstenite::tungstenite::Message::Close(Some(_)))),
        "also one that only listens: {end:?}"
    );
}
