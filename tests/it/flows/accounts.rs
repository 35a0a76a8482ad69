//! People: the first administrator, logins, and what ends with them.

use crate::harness::client::{Answer, Api, LONG, items};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::in_time;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

const PASSWORD: &str = "canary horse battery 7f3d";

on_both!(
    the_printed_token_makes_the_first_administrator_once,
    a_logout_ends_what_the_login_opened,
    guessing_at_one_door_locks_the_other,
    a_hundred_logins_leave_chat_alone,
    a_closed_tenant_is_closed_at_every_door
);

/// A user of the first tenant, made by the operator.
async fn user(c: &Cluster, name: &str, role_ids: &[i64]) -> i64 {
    let body = json!({ "name": name, "password": PASSWORD, "roleIds": role_ids });
    c.api(0).post("/api/users", &body).await.expect(201)["id"].as_i64().expect("an id")
}

async fn try_login(api: &Api, name: &str, password: &str) -> Answer {
    api.with_token("").post("/api/login", &json!({ "name": name, "password": password })).await
}

async fn set_up(api: &Api, token: &str, name: &str) -> Answer {
    let body = json!({ "token": token, "name": name, "password": PASSWORD });
    api.with_token("").post("/api/setup", &body).await
}

/// The tokens that were printed, each after the words that every start says.
fn printed(log: &str) -> Vec<String> {
    let words = "/setup#";
    log.lines().filter_map(|line| line.split_once(words)).map(|(_, token)| token.trim().to_owned()).collect()
}

/// A code of the answer, or nothing.
fn code(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.body["code"].as_str().unwrap_or_default())
}

/// The password is in no answer, row or log line.
async fn the_password_is_nowhere(c: &Cluster) {
    assert!(!c.logs().contains("canary horse"), "in a log");
    for (table, row) in c.database.dump().await {
        assert!(!row.contains("canary horse"), "in {table}: {row}");
    }
    for path in ["/api/users", "/api/roles", "/api/me", "/metrics"] {
        let answer = c.api(0).get(path).await;
        assert!(!answer.body.to_string().contains("canary horse"), "{path}");
        assert!(!answer.body.to_string().contains("argon2"), "{path}");
    }
}

/// The first start prints a token, a restart another; the last one makes one administrator, and none ever
/// after.
async fn the_printed_token_makes_the_first_administrator_once(mut c: Cluster) {
    let first = printed(&c.apis[0].output());
    assert_eq!(first.len(), 1, "{}", c.apis[0].output());
    c.apis[0].restart(&[]);
    c.ready().await;
    let all = printed(&c.apis[0].output());
    assert_eq!(all.len(), 2, "{}", c.apis[0].output());
    let token = &all[1];
    assert_eq!(c.api(1).with_token("").get("/api/setup").await.expect(200), json!({ "needed": true }));
    assert_eq!(code(&set_up(&c.api(0), &first[0], "ada").await), (403, "setup_token"));
    let tries = join_all((0..20).map(|n| {
        let api = c.api(n);
        async move { set_up(&api, token, &format!("ada{n}")).await }
    }))
    .await;
    let (won, lost): (Vec<&Answer>, Vec<&Answer>) = tries.iter().partition(|answer| answer.status == 201);
    assert_eq!(won.len(), 1, "{tries:?}");
    assert!(lost.iter().all(|answer| code(answer) == (410, "setup_done")), "{lost:?}");
    let admin = c.api(1).with_cookie(&won[0].login_cookie());
    let me = admin.get("/api/me").await.expect(200);
    assert_eq!(me["user"]["roleIds"], json!([1]), "{me}");
    assert_eq!(items(&admin.get("/api/users").await.expect(200)).len(), 1);
    assert_eq!(admin.get("/api/workers").await.status, 200, "the operator's things");
    c.apis[0].restart(&[]);
    c.ready().await;
    assert_eq!(printed(&c.apis[0].output()).len(), 2, "no more tokens");
    assert_eq!(code(&set_up(&c.api(0), token, "eve").await), (410, "setup_done"));
    assert_eq!(c.api(0).get("/api/setup").await.expect(200), json!({ "needed": false }));
    assert_eq!(c.api(0).get("/api/me").await.expect(200)["actor"], "operator", "the token works as before");
    the_password_is_nowhere(&c).await;
    for token in all {
        assert!(c.database.dump().await.iter().all(|(_, row)| !row.contains(&token)), "kept as a hash");
    }
    c.end(Allowed::default()).await;
}

/// A person talks in a browser; where the login ends, its requests, its socket and its stream do.
async fn a_logout_ends_what_the_login_opened(c: Cluster) {
    user(&c, "ada", &[3]).await;
    let browser = c.api(0).login("Ada", PASSWORD).await;
    let there = c.api(1).with_cookie(&browser.cookie);
    c.provider.says("long", Reply::words(50).hold_after(5));
    let mut socket = there.socket().await;
    let mut stream = browser.stream("", "long").await;
    assert_eq!(stream.status, 200);
    let accepted = stream.next().await.expect("an event");
    let session = accepted["sessionId"].as_str().expect("a session").to_owned();
    socket.subscribe(&session, None).await;
    stream.read_until("the first words", |seen| seen.text.contains("word2")).await;
    assert_eq!(there.send(there.request("POST", "/api/logout")).await.status, 204);
    for api in [&browser, &there] {
        assert_eq!(code(&api.get("/api/me").await), (401, "unauthorized"));
        assert_eq!(api.try_socket(None).await.err(), Some(401));
    }
    in_time("the socket ends", LONG, async { while socket.next().await.is_some() {} }).await;
    in_time("the stream ends", LONG, async { while stream.next().await.is_some() {} }).await;
    assert!(stream.seen.terminal.is_none(), "the turn was still under way");
    c.provider.release("long");
    // Who logs in again has the whole of it.
    let again = c.api(1).login("ada", PASSWORD).await;
    let ended = again.finish(&crate::harness::client::Turn::of(&session, &accepted["data"])).await;
    assert_eq!(ended["content"], words(50), "{ended}");
    the_password_is_nowhere(&c).await;
    c.end(Allowed::default()).await;
}

/// Failures count for all doors together, and lock the right password out.
async fn guessing_at_one_door_locks_the_other(c: Cluster) {
    user(&c, "ada", &[3]).await;
    for n in 0..5 {
        let refused = try_login(&c.api(n), "ada", "a wrong password").await;
        assert_eq!(code(&refused), (401, "login_failed"), "{n}");
    }
    for n in 0..2 {
        let locked = try_login(&c.api(n), "ada", PASSWORD).await;
        assert_eq!(code(&locked), (429, "login_locked"), "{n}");
        let seconds: u64 = locked.header("retry-after").expect("a time").parse().expect("seconds");
        assert!((1..=30).contains(&seconds), "{seconds}");
    }
    let unknown = try_login(&c.api(0), "nobody", PASSWORD).await;
    assert_eq!(code(&unknown), (401, "login_failed"), "other accounts are not locked");
    c.end(Allowed::default()).await;
}

/// A turn completes while a hundred people stand at the door.
async fn a_hundred_logins_leave_chat_alone(c: Cluster) {
    user(&c, "ada", &[3]).await;
    c.provider.says("meanwhile", Reply::text("Here I am."));
    let done = AtomicUsize::new(0);
    let logins = join_all((0..100).map(|n| {
        let (api, done) = (c.api(n), &done);
        async move {
            let answer = try_login(&api, "ada", PASSWORD).await;
            done.fetch_add(1, Ordering::SeqCst);
            answer
        }
    }));
    let chat = async {
        let answer = c.api(0).ask("", "meanwhile").await;
        (answer, done.load(Ordering::SeqCst))
    };
    let (logins, (answer, before)) = tokio::join!(logins, chat);
    assert_eq!(answer["content"], "Here I am.", "{answer}");
    assert!(before < 100, "the turn did not wait for them: {before}");
    for login in logins {
        assert_eq!(login.status, 200, "{}", login.body);
    }
    c.end(Allowed::default()).await;
}

/// What a closed tenant's people and keys ask for is refused everywhere, and the others do not notice.
async fn a_closed_tenant_is_closed_at_every_door(c: Cluster) {
    let admin = json!({ "name": "root", "password": PASSWORD });
    let made = c.api(0).post("/api/tenants", &json!({ "name": "acme", "admin": admin })).await.expect(201);
    let body = json!({ "name": "root", "password": PASSWORD, "tenant": "acme" });
    let root = c.api(1).with_token("").post("/api/login", &body).await;
    let root = c.api(1).with_cookie(&root.login_cookie());
    assert_eq!(items(&root.get("/api/agents").await.expect(200)), [] as [Value; 0], "nothing of the first's");
    assert_eq!(root.get(&format!("/api/agents/{}", c.agent)).await.status, 404);
    let path = format!("/api/tenants/{}", made["id"]);
    let close = |disabled: bool| c.api(0).request("PATCH", &path).json(&json!({ "disabled": disabled }));
    c.api(0).send(close(true)).await.expect(200);
    for n in 0..2 {
        let there = c.api(n).with_cookie(&root.cookie);
        assert_eq!(code(&there.get("/api/me").await), (401, "unauthorized"));
        let again = c.api(n).with_token("").post("/api/login", &body).await;
        assert_eq!(code(&again), (401, "login_failed"));
    }
    c.api(0).send(close(false)).await.expect(200);
    assert_eq!(root.get("/api/me").await.status, 401, "the old login stays ended");
    assert_eq!(c.api(1).with_token("").post("/api/login", &body).await.status, 200);
    the_password_is_nowhere(&c).await;
    c.end(Allowed::default()).await;
}

async fn a_configured_administrator(kind: Kind) {
    let builder = Builder::new(kind).env("NETA_ADMIN_USER", "Root").env("NETA_ADMIN_PASSWORD", PASSWORD);
    let mut c = builder.start().await;
    assert_eq!(printed(&c.logs()), [""; 0], "nothing to set up");
    assert_eq!(c.api(0).get("/api/setup").await.expect(200), json!({ "needed": false }));
    let root = c.api(1).login("root", PASSWORD).await;
    assert_eq!(root.get("/api/tenants").await.status, 200);
    c.apis[0].restart(&[("NETA_ADMIN_PASSWORD", "another canary battery")]);
    c.ready().await;
    assert_eq!(code(&try_login(&c.api(0), "root", "another canary battery").await), (401, "login_failed"));
    assert_eq!(try_login(&c.api(0), "root", PASSWORD).await.status, 200, "nobody was changed");
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_user").await, 1);
    the_password_is_nowhere(&c).await;
    c.end(Allowed::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configured_administrator_is_made_by_the_standalone() {
    a_configured_administrator(Kind::Standalone).await;
}

/// Both doors start at once, and one of them makes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configured_administrator_is_made_by_one_door() {
    a_configured_administrator(Kind::PAIR).await;
}
