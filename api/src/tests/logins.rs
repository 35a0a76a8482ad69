//! Logging in, and what locks, ends and follows from it.

use super::harness::{Api, Reply, request};
use super::people::Person;
use axum::body::Body;
use serde_json::{Value, json};
use shared::clock::{Clock, ManualClock, SystemClock};
use shared::config::FirstAdmin;
use shared::domain::ids::{RoleId, UserId};
use shared::secrets::Secret;
use std::sync::Arc;
use std::time::Duration;

pub const PASSWORD: &str = "correct horse battery";

impl Api {
    /// A user of the first tenant with this password and these roles.
    pub async fn user(&self, name: &str, role_ids: &[i64]) -> i64 {
        let body = json!({"name": name, "password": PASSWORD, "roleIds": role_ids});
        let made = self.post("/api/users", &body).await;
        assert_eq!(made.status, 201, "{made:?}");
        made.json["id"].as_i64().unwrap()
    }

    /// A try to log in, with what headers say besides.
    pub async fn login_with(&self, body: &Value, headers: &[(&str, &str)]) -> Reply {
        let mut request = request("POST", "/api/login").header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.raw(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn login(&self, name: &str, password: &str) -> Reply {
        self.login_with(&json!({"name": name, "password": password}), &[("user-agent", "a browser")]).await
    }

    /// A browser that this user logged in with.
    pub async fn browser(&self, name: &str) -> Person {
        let reply = self.login(name, PASSWORD).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        browser(&reply)
    }
}

/// The browser that was logged in by this answer.
pub fn browser(reply: &Reply) -> Person {
    let cookie = reply.headers["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    Person { user_id: UserId(0), role_id: RoleId(0), shows: ("cookie", cookie) }
}

fn told(reply: &Reply) -> (u16, &str) {
    (reply.status.as_u16(), reply.json["code"].as_str().unwrap_or_default())
}

#[tokio::test]
async fn logging_in_says_who_and_sets_a_cookie() {
    let api = Api::new().await;
    let id = api.user("ada", &[3]).await;
    let reply = api.login(" Ada ", PASSWORD).await;
    assert_eq!((reply.status.as_u16(), &reply.json["user"]["id"]), (200, &json!(id)), "{reply:?}");
    assert_eq!(reply.json["tenant"], json!({"id": 1, "name": "main"}));
    let permissions = reply.json["permissions"].as_array().unwrap();
    assert!(permissions.contains(&json!("session:chat")) && !permissions.contains(&json!("user:manage")));
    let cookie = reply.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("neta_session=") && cookie.contains("; HttpOnly"), "{cookie}");
    assert!(cookie.contains("; SameSite=Lax") && cookie.contains("; Path=/"), "{cookie}");
    assert!(!reply.text.contains(PASSWORD) && !reply.text.contains("argon2"), "{reply:?}");
    let ada = browser(&reply);
    let me = api.ask(&ada, "GET", "/api/me", None).await.json;
    assert_eq!((&me["actor"], &me["user"]["name"]), (&json!("user"), &json!("ada")));
    assert_eq!((&me["permissions"], &me["roleIds"]), (&reply.json["permissions"], &json!([3])));
    assert!(me["user"]["lastLoginAt"].is_string());
    let out = api.ask(&ada, "POST", "/api/logout", None).await;
    assert_eq!(out.status, 204, "{out:?}");
    assert!(out.headers["set-cookie"].to_str().unwrap().starts_with("neta_session=; Path=/; Max-Age=0"));
    assert_eq!(api.ask(&ada, "GET", "/api/me", None).await.status, 401);
    let operator = api.get("/api/me").await.json;
    assert_eq!((&operator["actor"], operator.get("user")), (&json!("operator"), None));
}

#[tokio::test]
async fn every_refusal_is_the_same_and_costs_the_same() {
    let api = Api::new().await;
    api.user("ada", &[3]).await;
    let gone = api.user("gone", &[3]).await;
    let disabled = api.send("PATCH", &format!("/api/users/{gone}"), Some(&json!({"disabled": true}))).await;
    assert_eq!(disabled.status, 200, "{disabled:?}");
    assert_eq!(api.post("/api/users", &json!({"name": "keyless"})).await.status, 201);
    let tries = [
        ("a wrong password", json!({"name": "ada", "password": "another horse"})),
        ("an empty password", json!({"name": "ada", "password": ""})),
        ("an unknown name", json!({"name": "eve", "password": PASSWORD})),
        ("a name that can't be one", json!({"name": "no/body", "password": PASSWORD})),
        ("a disabled user", json!({"name": "gone", "password": PASSWORD})),
        ("a user without a password", json!({"name": "keyless", "password": PASSWORD})),
        ("another tenant", json!({"name": "ada", "password": PASSWORD, "tenant": "acme"})),
        ("a tenant that can't be one", json!({"name": "ada", "password": PASSWORD, "tenant": "a/b"})),
    ];
    let mut answers = Vec::new();
    for (what, body) in &tries {
        let before = api.state.passwords.made();
        let reply = api.login_with(body, &[]).await;
        assert_eq!(told(&reply), (401, "login_failed"), "{what}: {reply:?}");
        assert!(!reply.headers.contains_key("set-cookie"), "{what}");
        assert_eq!(api.state.passwords.made() - before, 1, "{what}");
        answers.push(reply.text);
    }
    assert!(answers.iter().all(|text| *text == answers[0]), "{answers:?}");
    let right = json!({"name": "ada", "password": PASSWORD, "tenant": "Main"});
    assert_eq!(api.login_with(&right, &[]).await.status, 200);
    let foreign = api.login_with(&right, &[("origin", "https://evil.example")]).await;
    assert_eq!(told(&foreign), (403, "forbidden_origin"));
    let form = request("POST", "/api/login").header("content-type", "application/x-www-form-urlencoded");
    let form = api.raw(form.body(Body::from("name=ada&password=x")).unwrap()).await;
    assert_eq!(told(&form), (415, "unsupported_media_type"));
}

#[tokio::test]
async fn guessing_locks_an_account_for_longer_and_longer() {
    let clock = Arc::new(ManualClock::new(SystemClock.now()));
    let api = Api::at(clock.clone()).await;
    api.user("ada", &[3]).await;
    let wait = |seconds| clock.advance(Duration::from_secs(seconds));
    for name in ["ada", "nobody"] {
        for n in 1..=5 {
            assert_eq!(told(&api.login(name, "a wrong password").await), (401, "login_failed"), "{name} {n}");
        }
        for seconds in [30, 60, 120] {
            let before = api.state.passwords.made();
            let locked = api.login(name, PASSWORD).await;
            assert_eq!(told(&locked), (429, "login_locked"), "{name}: the right one, too");
            assert_eq!(locked.headers["retry-after"], seconds.to_string().as_str(), "{name}");
            assert_eq!(api.state.passwords.made(), before, "nothing is hashed for it");
            wait(seconds);
            let after = api.login(name, "a wrong password").await;
            assert_eq!(told(&after), (401, "login_failed"), "{name} after {seconds}");
        }
    }
    wait(900);
    assert_eq!(api.login("ada", PASSWORD).await.status, 200);
    for _ in 0..4 {
        assert_eq!(told(&api.login("ada", "a wrong password").await), (401, "login_failed"));
    }
    assert_eq!(api.login("ada", PASSWORD).await.status, 200, "the count began anew");
}

#[tokio::test]
async fn guessing_at_many_accounts_locks_the_address() {
    let clock = Arc::new(ManualClock::new(SystemClock.now()));
    let api = Api::at(clock.clone()).await;
    api.user("ada", &[3]).await;
    for n in 0..50 {
        assert_eq!(told(&api.login(&format!("u{n}"), PASSWORD).await), (401, "login_failed"), "{n}");
    }
    assert_eq!(told(&api.login("ada", PASSWORD).await), (429, "login_locked"));
    clock.advance(Duration::from_secs(30));
    assert_eq!(api.login("ada", PASSWORD).await.status, 200);
    let again = api.login("u99", PASSWORD).await;
    assert_eq!(told(&again), (401, "login_failed"));
    assert_eq!(told(&api.login("ada", PASSWORD).await), (429, "login_locked"), "a success does not clear it");
}

#[tokio::test]
async fn a_planted_cookie_is_not_the_one_of_the_login() {
    let api = Api::new().await;
    api.user("ada", &[3]).await;
    api.user("eve", &[3]).await;
    let body = json!({"name": "ada", "password": PASSWORD});
    let made_up = api.login_with(&body, &[("cookie", "neta_session=planted")]).await;
    let ada = browser(&made_up);
    assert_ne!(ada.shows.1, "neta_session=planted");
    let eve = api.browser("eve").await;
    let over = api.login_with(&body, &[("cookie", &eve.shows.1)]).await;
    assert_ne!(browser(&over).shows.1, eve.shows.1);
    assert_eq!(api.ask(&eve, "GET", "/api/me", None).await.status, 401, "hers is over");
    let me = api.ask(&browser(&over), "GET", "/api/me", None).await;
    assert_eq!(me.json["user"]["name"], "ada");
    let again = browser(&api.login_with(&body, &[("cookie", &ada.shows.1)]).await);
    assert_ne!(again.shows.1, ada.shows.1);
    assert_eq!(api.ask(&ada, "GET", "/api/me", None).await.status, 401);
}

#[tokio::test]
async fn ones_logins_are_listed_and_ended() {
    let api = Api::new().await;
    api.user("ada", &[3]).await;
    api.user("bob", &[3]).await;
    let (one, two, three) = (api.browser("ada").await, api.browser("ada").await, api.browser("ada").await);
    let bob = api.browser("bob").await;
    let list = api.ask(&three, "GET", "/api/me/sessions", None).await.json;
    let items = list["items"].as_array().unwrap();
    let current: Vec<bool> = items.iter().map(|i| i["current"].as_bool().unwrap()).collect();
    assert_eq!(current, [true, false, false], "the latest first");
    assert_eq!((&items[0]["address"], &items[0]["userAgent"]), (&json!("0.0.0.0"), &json!("a browser")));
    let at = |n: usize| format!("/api/me/sessions/{}", items[n]["id"]);
    assert_eq!(api.ask(&bob, "DELETE", &at(2), None).await.status, 404, "somebody else's");
    assert_eq!(api.ask(&three, "DELETE", &at(2), None).await.status, 204);
    assert_eq!(api.ask(&three, "DELETE", &at(2), None).await.status, 404);
    let seen = async |who: &Person| api.ask(who, "GET", "/api/me", None).await.status.as_u16();
    assert_eq!((seen(&one).await, seen(&two).await, seen(&three).await), (401, 200, 200));
    assert_eq!(api.ask(&three, "DELETE", "/api/me/sessions", None).await.status, 204);
    assert_eq!((seen(&two).await, seen(&three).await, seen(&bob).await), (401, 200, 200));
    assert_eq!(api.send("DELETE", "/api/me/sessions", None).await.status, 403, "the operator has none");
}

#[tokio::test]
async fn another_password_ends_the_other_logins() {
    let api = Api::new().await;
    api.user("ada", &[3]).await;
    let (here, there) = (api.browser("ada").await, api.browser("ada").await);
    let patch = async |body: Value| api.ask(&here, "PATCH", "/api/me", Some(&body)).await;
    let table = [
        (json!({"password": "another horse battery"}), "currentPassword"),
        (json!({"password": "another horse", "currentPassword": "wrong"}), "currentPassword"),
        (json!({"password": "short", "currentPassword": PASSWORD}), "password"),
        (json!({"password": null, "currentPassword": PASSWORD}), "password"),
        (json!({"displayName": " "}), "displayName"),
        (json!({"displayName": null}), "displayName"),
    ];
    for (body, field) in table {
        let refused = patch(body.clone()).await;
        assert_eq!((refused.status.as_u16(), &refused.json["field"]), (400, &json!(field)), "{body}");
    }
    let shown = patch(json!({"displayName": " Ada L. "})).await;
    assert_eq!((shown.status.as_u16(), &shown.json["user"]["displayName"]), (200, &json!("Ada L.")));
    assert_eq!(api.ask(&there, "GET", "/api/me", None).await.status, 200);
    let changed = patch(json!({"password": "another horse battery", "currentPassword": PASSWORD})).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert!(!changed.text.contains("horse"));
    assert_eq!(api.ask(&here, "GET", "/api/me", None).await.status, 200);
    assert_eq!(api.ask(&there, "GET", "/api/me", None).await.status, 401);
    assert_eq!(told(&api.login("ada", PASSWORD).await), (401, "login_failed"));
    assert_eq!(api.login("ada", "another horse battery").await.status, 200);
    // Whoever sits at an open browser does not guess on.
    for _ in 0..5 {
        let wrong = patch(json!({"password": "x horse battery", "currentPassword": "wrong"})).await;
        assert_eq!(wrong.json["field"], "currentPassword", "{wrong:?}");
    }
    let locked =
        patch(json!({"password": "x horse battery", "currentPassword": "another horse battery"})).await;
    assert_eq!(told(&locked), (429, "login_locked"));
}

async fn offered(api: &Api) -> Secret {
    match crate::first_start(&api.app, None).await.unwrap() {
        crate::FirstStart::Setup(token) => token,
        other => panic!("{other:?}"),
    }
}

async fn set_up(api: &Api, token: &str, name: &str) -> Reply {
    let body = json!({"token": token, "name": name, "password": PASSWORD}).to_string();
    let request = request("POST", "/api/setup").header("content-type", "application/json");
    api.raw(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn the_setup_makes_one_administrator_and_never_another() {
    let api = Api::new().await;
    let needed = async || api.get("/api/setup").await.json["needed"].clone();
    assert_eq!(needed().await, json!(false), "no token was printed");
    assert_eq!(told(&set_up(&api, "", "ada").await), (410, "setup_done"));
    let before_restart = offered(&api).await;
    let token = offered(&api).await;
    assert_eq!(needed().await, json!(true));
    for wrong in ["", "guess", before_restart.expose()] {
        assert_eq!(told(&set_up(&api, wrong, "ada").await), (403, "setup_token"));
    }
    assert_eq!(api.state.passwords.made(), 0, "nothing is hashed for who has no token");
    let bad = set_up(&api, token.expose(), "a b").await;
    assert_eq!((bad.status.as_u16(), &bad.json["field"]), (400, &json!("name")));
    let all = futures_util::future::join_all((0..20).map(|n| {
        let (api, token) = (&api, token.expose());
        async move { set_up(api, token, &format!("u{n}")).await }
    }))
    .await;
    let (won, lost): (Vec<&Reply>, Vec<&Reply>) = all.iter().partition(|reply| reply.status == 201);
    assert_eq!(won.len(), 1);
    assert!(lost.iter().all(|reply| told(reply) == (410, "setup_done")), "{lost:?}");
    let me = api.ask(&browser(won[0]), "GET", "/api/me", None).await.json;
    assert!(me["permissions"].as_array().unwrap().contains(&json!("tenant:manage")), "{me}");
    assert_eq!(api.get("/api/users").await.json["items"].as_array().unwrap().len(), 1);
    assert_eq!(needed().await, json!(false));
    assert_eq!(told(&set_up(&api, token.expose(), "eve").await), (410, "setup_done"));
    assert_eq!(crate::first_start(&api.app, None).await.unwrap(), crate::FirstStart::Ready);
}

#[tokio::test]
async fn guessing_at_the_token_locks_the_address() {
    let api = Api::new().await;
    let token = offered(&api).await;
    for n in 0..50 {
        assert_eq!(told(&set_up(&api, "guess", "ada").await), (403, "setup_token"), "{n}");
    }
    assert_eq!(told(&set_up(&api, token.expose(), "ada").await), (429, "login_locked"));
}

#[tokio::test]
async fn a_configured_administrator_is_made_once_and_never_changed() {
    let api = Api::new().await;
    let token = offered(&api).await;
    let admin = |password: &str| FirstAdmin { name: "root".to_owned(), password: Secret::new(password) };
    let start = async |password| crate::first_start(&api.app, Some(&admin(password))).await.unwrap();
    assert_eq!(start(PASSWORD).await, crate::FirstStart::Made);
    assert_eq!(start("another horse battery").await, crate::FirstStart::Ready);
    assert_eq!(told(&api.login("root", "another horse battery").await), (401, "login_failed"));
    let root = api.browser("root").await;
    assert_eq!(api.ask(&root, "GET", "/api/tenants", None).await.status, 200);
    assert_eq!(told(&set_up(&api, token.expose(), "eve").await), (410, "setup_done"));
}

#[tokio::test]
async fn a_hundred_logins_at_once_leave_chat_alone() {
    let api = Api::new().await;
    api.user("ada", &[3]).await;
    let logins = futures_util::future::join_all((0..100).map(|_| api.login("ada", PASSWORD)));
    let mut logins = std::pin::pin!(logins);
    // All of them stand in the line or hash when the turn begins.
    assert!(futures_util::poll!(&mut logins).is_pending());
    let before = api.state.passwords.made();
    let chat = async {
        let turn = api.accepted(&json!({"message": "hello"})).await;
        api.answer(turn, "Hello.").await;
        let read = api.get(&format!("/open/netaclaw/chat/{}?wait=5", turn.message_id)).await;
        assert_eq!((read.status.as_u16(), &read.json["content"]), (200, &json!("Hello.")), "{read:?}");
        api.state.passwords.made() - before
    };
    let (logins, hashed_meanwhile) = tokio::join!(logins, chat);
    assert!(logins.iter().all(|reply| reply.status == 200), "{:?}", logins.iter().find(|r| r.status != 200));
    assert!(hashed_meanwhile < 50, "the turn was over after {hashed_meanwhile} of the logins");
}
