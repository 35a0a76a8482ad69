//! Quotas of a day at every door, and what explains a bill.

use crate::harness::client::{Answer, Api, Turn, items};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use futures_util::future::join_all;
use serde_json::{Value, json};

on_both!(
    of_twenty_at_once_by_any_door_ten_are_accepted,
    a_repetition_counts_once,
    tokens_and_money_end_the_day_but_no_turn,
    each_quota_is_set_by_whom_it_binds_not,
    a_bill_is_explained_also_by_what_was_deleted
);

/// The day does not change while a test runs: one that begins shortly before its end would count two.
async fn not_around_midnight() {
    use shared::clock::{Clock, SystemClock};
    use shared::domain::quotas::day_ends;
    let left = day_ends(SystemClock.now()) - SystemClock.now();
    if left < chrono::TimeDelta::minutes(2) {
        tokio::time::sleep(left.to_std().expect("it is ahead")).await;
    }
}

async fn limit(c: &Cluster, whose: &str, limits: &Value) -> Value {
    c.api(0).put(&format!("/api/quotas/{whose}"), limits).await.expect(200)
}

/// A refusal as it must be: whose quota, what ran out, and until when.
#[track_caller]
fn is_refused(answer: &Answer, kind: &str, id: i64, what: &str) {
    assert_eq!((answer.status, answer.body["code"].as_str()), (429, Some("quota_exceeded")), "{answer:?}");
    let quota = &answer.body["quota"];
    let said = (quota["subjectKind"].as_str(), quota["subjectId"].as_i64(), quota["exhausted"].as_str());
    assert_eq!(said, (Some(kind), Some(id), Some(what)), "{answer:?}");
    assert!(quota["resetsAt"].as_str().is_some_and(|t| t.ends_with("T00:00:00Z")), "{answer:?}");
    let after: u64 = answer.header("retry-after").and_then(|v| v.parse().ok()).expect("when to come again");
    assert!((1..=86_400).contains(&after), "{after}");
}

/// True: accepted. False: refused for the turns of the key.
async fn by_socket(api: &Api) -> bool {
    let mut socket = api.socket().await;
    socket.send(&api.frame("", "hello", &json!({}))).await;
    socket
        .read_until("an answer", |s| !s.turns.is_empty() || s.others.iter().any(|f| f["type"] == "problem"))
        .await;
    let Some(problem) = socket.others.iter().find(|f| f["type"] == "problem") else { return true };
    assert_eq!(problem["code"], "quota_exceeded", "{problem}");
    assert_eq!(problem["quota"]["exhausted"], "turns", "{problem}");
    assert!(problem["retryAfterSeconds"].as_u64().is_some_and(|s| s <= 86_400), "{problem}");
    assert!(problem["clientMessageId"].is_string(), "{problem}");
    false
}

async fn by_stream(api: &Api) -> bool {
    let reader = api.stream("", "hello").await;
    match reader.status {
        200 => {
            reader.read_all().await;
            true
        }
        other => {
            assert_eq!(other, 429);
            false
        }
    }
}

async fn of_twenty_at_once_by_any_door_ten_are_accepted(c: Cluster) {
    not_around_midnight().await;
    let key = c.key(&["chat"], &json!({})).await;
    limit(&c, &format!("key/{}", key.id), &json!({ "maxTurns": 10 })).await;
    let doors = [c.with_key(0, &key), c.with_key(1, &key)];
    let sent = (0..20_usize).map(|n| {
        let api = doors[n % 2].clone();
        async move {
            match n % 4 {
                0 => by_socket(&api).await,
                1 => by_stream(&api).await,
                2 => api.chat("", "hello", &json!({ "wait": 20 })).await.status != 429,
                _ => api.chat("", "hello", &json!({ "wait": 0 })).await.status != 429,
            }
        }
    });
    let accepted = join_all(sent).await.into_iter().filter(|accepted| *accepted).count();
    assert_eq!(accepted, 10);
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await, 10);
    is_refused(&doors[0].chat("", "hello", &json!({})).await, "key", key.id, "turns");
    let quota = &items(&c.api(0).get("/api/quotas").await.expect(200))[0];
    assert_eq!((&quota["used"]["turns"], &quota["maxTurns"]), (&json!(10), &json!(10)), "{quota}");
    // It holds for this key only.
    assert_eq!(c.api(0).chat("", "hello", &json!({ "wait": 0 })).await.status / 100, 2);
    // With more allowed, or with none of it any more, it goes on.
    limit(&c, &format!("key/{}", key.id), &json!({ "maxTurns": 11 })).await;
    assert_eq!(doors[1].chat("", "hello", &json!({ "wait": 20 })).await.status, 200);
    is_refused(&doors[1].chat("", "hello", &json!({})).await, "key", key.id, "turns");
    assert_eq!(c.api(0).delete(&format!("/api/quotas/key/{}", key.id)).await.status, 204);
    assert_eq!(doors[1].chat("", "hello", &json!({ "wait": 20 })).await.status, 200);
    c.end(Allowed::default()).await;
}

async fn a_repetition_counts_once(c: Cluster) {
    not_around_midnight().await;
    let ann = c.user("ann", "member").await;
    let key = c.key(&["*"], &json!({ "userId": ann })).await;
    limit(&c, &format!("user/{ann}"), &json!({ "maxTurns": 2 })).await;
    let doors = [c.with_key(0, &key), c.with_key(1, &key)];
    let same = json!({ "wait": 0, "clientMessageId": "the same" });
    let sent = (0..6_usize).map(|n| {
        let (api, same) = (doors[n % 2].clone(), &same);
        async move { api.chat("", "hello", same).await }
    });
    let runs: Vec<i64> = join_all(sent).await.iter().map(|answer| Turn::of("", &answer.body).run).collect();
    assert!(runs.iter().all(|run| *run == runs[0]), "{runs:?}");
    assert_eq!(doors[0].chat("", "another", &json!({ "wait": 20 })).await.status, 200);
    is_refused(&doors[0].chat("", "a third", &json!({})).await, "user", ann, "turns");
    let again = doors[1].chat("", "hello", &same).await;
    assert_eq!(Turn::of("", &again.body).run, runs[0], "it stands, though nothing is left");
    let mine = doors[0].get("/api/me/usage").await.expect(200);
    assert_eq!(
        (&mine["quotas"][0]["used"]["turns"], &mine["quotas"][0]["subjectKind"]),
        (&json!(2), &json!("user"))
    );
    c.end(Allowed::default()).await;
}

async fn tokens_and_money_end_the_day_but_no_turn(c: Cluster) {
    not_around_midnight().await;
    let prices = json!({ "inputPrice": 1_000_000.0, "outputPrice": 2_000_000.0 });
    let priced = c.add_model("priced", &prices).await;
    let agent = c.add_agent("priced", priced, &json!({})).await;
    c.provider.says("thrifty", Reply::text("ok").usage(4, 3));
    let key = c.key(&["chat"], &json!({})).await;
    let whose = format!("key/{}", key.id);
    limit(&c, &whose, &json!({ "maxTokens": 8 })).await;
    let mut api = c.with_key(1, &key);
    api.agent = agent;
    // Seven of eight tokens are used, so one more turn begins, and ends though it passes them.
    for _ in 0..2 {
        let answer = api.chat("", "thrifty", &json!({ "wait": 20 })).await.expect(200);
        assert_eq!(answer["status"], "completed", "{answer}");
    }
    is_refused(&api.chat("", "thrifty", &json!({})).await, "key", key.id, "tokens");
    let quota = limit(&c, &whose, &json!({ "maxCost": 20.5 })).await;
    assert_eq!((&quota["used"]["tokens"], &quota["used"]["cost"]), (&json!(14), &json!(20.0)), "{quota}");
    assert_eq!(quota["used"]["turns"], 2, "{quota}");
    api.chat("", "thrifty", &json!({ "wait": 20 })).await.expect(200);
    is_refused(&api.chat("", "thrifty", &json!({})).await, "key", key.id, "cost");
    let mine = api.get("/api/me/usage").await.expect(200);
    assert_eq!(mine["used"], json!({ "tokens": 21, "cost": 30.0 }), "{mine}");
    c.end(Allowed::default()).await;
}

async fn each_quota_is_set_by_whom_it_binds_not(c: Cluster) {
    let (ann, admin) = (c.user("ann", "member").await, c.user("root", "admin").await);
    let foreign = c.foreign_key().await;
    let ann_api = c.with_key(0, &c.key(&["*"], &json!({ "userId": ann })).await);
    let admin_api = c.with_key(0, &c.key(&["*"], &json!({ "userId": admin })).await);
    let foreign_api = c.with_key(1, &foreign);
    let one = json!({ "maxTurns": 1 });
    let put = async |api: &Api, whose: &str| api.put(&format!("/api/quotas/{whose}"), &one).await.status;
    assert_eq!(put(&ann_api, &format!("user/{ann}")).await, 403);
    assert_eq!(ann_api.get("/api/quotas").await.status, 403);
    assert_eq!(ann_api.get("/api/usage").await.status, 403);
    // The first tenant's administrators run the installation; another's do not lift its own limit.
    assert_eq!(put(&admin_api, "tenant/77").await, 200);
    assert_eq!(put(&foreign_api, "tenant/77").await, 403);
    assert_eq!(foreign_api.delete("/api/quotas/tenant/77").await.status, 403);
    for whose in [
        "tenant/1".to_owned(),
        format!("user/{ann}"),
        "key/1".to_owned(),
        "team/1".to_owned(),
        "user/x".to_owned(),
    ] {
        assert_eq!(put(&foreign_api, &whose).await, 404, "{whose}");
    }
    assert_eq!(put(&foreign_api, &format!("key/{}", foreign.id)).await, 200);
    for (body, field) in [
        (json!({}), "maxTurns"),
        (json!({ "maxTurns": -1 }), "maxTurns"),
        (json!({ "maxCost": -0.5 }), "maxCost"),
        (json!({ "maxTurns": 18_446_744_073_709_551_615_u64 }), "maxTurns"),
    ] {
        let answer = admin_api.put(&format!("/api/quotas/user/{ann}"), &body).await;
        assert_eq!((answer.status, answer.body["field"].as_str()), (400, Some(field)), "{answer:?}");
    }
    // Each sees those of the own tenant; operators also other tenants' as a whole.
    let seen = async |api: &Api| {
        let all = items(&api.get("/api/quotas").await.expect(200));
        all.iter()
            .map(|q| (q["subjectKind"].as_str().unwrap_or("").to_owned(), q["subjectId"].as_i64()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        seen(&foreign_api).await,
        [("tenant".to_owned(), Some(77)), ("key".to_owned(), Some(foreign.id))]
    );
    assert_eq!(seen(&admin_api).await, [("tenant".to_owned(), Some(77))]);
    assert_eq!(admin_api.delete(&format!("/api/quotas/user/{ann}")).await.status, 404);
    let lines = items(&foreign_api.get("/api/audit?action=quota.").await.expect(200));
    assert_eq!(
        lines.iter().map(|l| l["objectId"].as_str()).collect::<Vec<_>>(),
        [Some("key/7700"), Some("tenant/77")]
    );
    c.end(Allowed::default()).await;
}

async fn a_bill_is_explained_also_by_what_was_deleted(c: Cluster) {
    not_around_midnight().await;
    let ann = c.user("ann", "member").await;
    let key = c.key(&["*"], &json!({ "userId": ann })).await;
    c.provider.says("spend", Reply::text("ok").usage(10, 5));
    c.script_team("team", 2, "done");
    let api = c.with_key(0, &key);
    let kept = api.ask("", "spend").await;
    let gone = api.ask("", "team").await;
    c.api(1).ask("", "spend").await;
    assert_eq!(kept["status"], "completed", "{kept}");
    let bill = async |by: &str| c.api(1).get(&format!("/api/usage?by={by}")).await.expect(200);
    let mut before = Vec::new();
    for by in ["user", "key", "agent", "model", "day"] {
        let body = bill(by).await;
        let sum: u64 = items(&body).iter().filter_map(|line| line["inputTokens"].as_u64()).sum();
        assert_eq!(json!(sum), body["total"]["inputTokens"], "{body}");
        // Two plain turns, a supervisor's two calls, two subagents.
        assert_eq!(body["total"]["calls"], 6, "{body}");
        before.push((by, items(&body)));
    }
    let by_user = &before[0].1;
    assert_eq!(
        (&by_user[0]["id"], &by_user[0]["name"], &by_user[0]["calls"]),
        (&json!(ann), &json!("ann"), &json!(5))
    );
    assert_eq!((&by_user[1]["id"], &by_user[1]["calls"]), (&Value::Null, &json!(1)), "the operator's");
    assert_eq!(before[1].1[0]["id"], json!(key.id));

    let session = gone["sessionId"].as_str().expect("a session");
    assert_eq!(api.delete(&format!("/api/sessions/{session}")).await.status, 204);
    for (by, lines) in &before {
        assert_eq!(items(&bill(by).await), *lines, "by {by}, after the deletion");
    }
    for query in [
        "by=colour",
        "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
        "from=2001-01-01T00:00:00Z",
        "from=x",
    ] {
        assert_eq!(c.api(0).get(&format!("/api/usage?{query}")).await.status, 400, "{query}");
    }
    let past = c.api(0).get("/api/usage?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z").await.expect(200);
    assert_eq!((&past["items"], &past["total"]["calls"]), (&json!([]), &json!(0)));
    c.end(Allowed::default()).await;
}
