//! L08: a provider's key and its header reach the provider and nothing else, whatever goes wrong, also
//! in the most talkative logs; and the key that seals them can be changed.

use crate::harness::cluster::{Builder, CANARY, Cluster, Kind};
use crate::harness::invariants::Allowed;
use crate::harness::process::command;
use crate::harness::reply::Reply;
use serde_json::{Value, json};
use std::process::Stdio;

const OLD: &str = "aXQtc2VjcmV0LWtleS0zMi1ieXRlcy1sb25nLW9uZSE=";
const NEW: &str = "aXQtc2VjcmV0LWtleS0zMi1ieXRlcy1sb25nLXR3byE=";

/// Says everything that it has to say.
async fn talkative(kind: Kind) -> Cluster {
    let filter = "trace,tungstenite=debug,mio=info,polling=info";
    Builder::new(kind).env("NETA_LOG", filter).env("NETA_LLM_MAX_ATTEMPTS", "2").start().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_shows_up_nowhere_standalone() {
    a_key_shows_up_nowhere(talkative(Kind::Standalone).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_shows_up_nowhere_cluster() {
    a_key_shows_up_nowhere(talkative(Kind::PAIR).await).await;
}

async fn a_key_shows_up_nowhere(c: Cluster) {
    let quoted = format!("Incorrect API key provided: {CANARY}. Authorization: Bearer {CANARY}");
    let error = json!({ "error": { "message": quoted, "code": CANARY, "type": CANARY } });
    let scripts = [
        ("refuses", Reply::refusal(401, &error.to_string())),
        ("refuses in plain text", Reply::refusal(403, &quoted)),
        ("is down", Reply::refusal(500, &error.to_string())),
        ("limits", Reply::refusal(400, &error.to_string()).header("x-request", CANARY)),
        (
            "redirects",
            Reply::refusal(302, "").header("location", &format!("http://u:{CANARY}@127.0.0.1/?key={CANARY}")),
        ),
        ("breaks off", Reply::words(9).cut_after(4)),
        ("fails within", Reply::stream_error("half a ", &error)),
        ("answers", Reply::words(3)),
    ];
    let mut told: Vec<(String, String)> = Vec::new();
    for (key, reply) in scripts {
        c.provider.says(key, reply);
        let session = uuid::Uuid::now_v7().to_string();
        let seen = c.api(0).stream(&session, key).await.read_all().await;
        told.push((format!("the events of {key}"), format!("{:?}", seen.events)));
        let calls = c.provider.calls(key);
        assert_eq!(calls[0].authorization, format!("Bearer {CANARY}"), "{key}");
        told.push((format!("the messages of {key}"), format!("{:?}", c.api(1).messages(&session).await)));
        told.push((format!("the try of {key}"), tried(&c, c.model).await.to_string()));
    }
    // Nobody there, a name that is none, an address that is blocked.
    for (name, url) in [
        ("unreachable", "http://127.0.0.1:9/v1"),
        ("nameless", "http://nobody.invalid/v1"),
        ("tls", "https://127.0.0.1:9/v1"),
    ] {
        let model = c.add_model(name, &json!({ "baseUrl": url })).await;
        let agent = c.add_agent(name, model, &json!({})).await;
        let answer = c.api(0).chat("", "hello", &json!({ "agentId": agent, "wait": 60 })).await;
        told.push((format!("the answer of {name}"), answer.body.to_string()));
        told.push((format!("the try of {name}"), tried(&c, model).await.to_string()));
    }
    let api = c.api(1);
    // Refusals must not quote what they refuse.
    for body in [
        json!({ "name": "m", "provider": "openai", "modelName": "m", "apiKey": format!("{CANARY} {CANARY}") }),
        json!({ "name": "m", "provider": "openai", "modelName": "m", "apiKey": [CANARY] }),
        json!({ "name": "m", "provider": CANARY.len(), "apiKey": CANARY }),
        json!({ "name": "scripted", "provider": "openai", "modelName": "m", "apiKey": CANARY }),
    ] {
        let refused = api.post("/api/models", &body).await;
        assert!((400..500).contains(&refused.status), "{}", refused.body);
        told.push(("a refusal".into(), refused.body.to_string()));
    }
    for path in [
        "/api/models",
        "/api/agents",
        "/api/runs?limit=100",
        "/api/sessions",
        "/metrics",
        "/readyz",
        "/openapi.json",
    ] {
        told.push((path.to_owned(), api.get(path).await.body.to_string()));
    }
    for process in c.apis.iter().chain(&c.workers) {
        let metrics = reqwest::Client::builder().no_proxy().build().expect("a client");
        let text = metrics.get(format!("http://127.0.0.1:{}/metrics", process.port)).send().await;
        told.push(("/metrics".into(), text.expect("an answer").text().await.expect("text")));
    }
    for (what, text) in &told {
        assert!(!text.contains(CANARY), "the key stands in {what}: {text}");
    }
    if let Some(redis) = &c.redis {
        assert!(redis.dump().iter().all(|(_, value)| !value.contains(CANARY)), "the key stands in Redis");
    }
    assert!(c.logs().contains("TRACE"), "the logs are as talkative as they can be");
    // Rows of every table and all logs are looked through as after every test.
    c.end(Allowed { failed_percent: 100 }).await;
}

async fn tried(c: &Cluster, model: i64) -> Value {
    c.api(0).post(&format!("/api/models/{model}/test"), &json!({})).await.expect(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_key_is_changed_standalone() {
    the_secret_key_is_changed(Cluster::start(Kind::Standalone).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_key_is_changed_cluster() {
    the_secret_key_is_changed(Cluster::start(Kind::Cluster { apis: 1, workers: 1 }).await).await;
}

async fn the_secret_key_is_changed(mut c: Cluster) {
    let works = async |c: &Cluster| {
        let answer = c.api(0).chat("", "hello", &json!({ "wait": 60 })).await.expect(200);
        assert_eq!(answer["status"], "completed", "{answer}");
        assert_eq!(c.provider.all().last().expect("a call").authorization, format!("Bearer {CANARY}"));
    };
    works(&c).await;
    let before = sealed(&c).await;
    // With the new key alone nothing opens, and the command says so and changes nothing.
    let (code, said) = reseal(&c, "");
    assert!(code != 0 && said.contains("NETA_SECRET_KEY_PREVIOUS"), "{said}");
    assert_eq!(sealed(&c).await, before);
    restart(&mut c, &[("NETA_SECRET_KEY", NEW), ("NETA_SECRET_KEY_PREVIOUS", OLD)]).await;
    works(&c).await;
    let (code, said) = reseal(&c, OLD);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(&format!("Keys sealed anew: {}", before.len())), "{said}");
    let after = sealed(&c).await;
    assert!(after.len() == before.len() && after.iter().all(|key| !before.contains(key)));
    let (_, again) = reseal(&c, OLD);
    assert!(again.contains(&format!("anew: 0; with the current key already: {}", before.len())), "{again}");
    restart(&mut c, &[("NETA_SECRET_KEY", NEW), ("NETA_SECRET_KEY_PREVIOUS", "")]).await;
    works(&c).await;
    c.end(Allowed::default()).await;
}

async fn sealed(c: &Cluster) -> Vec<String> {
    c.database.texts("SELECT api_key_sealed AS x FROM netaclaw_model WHERE api_key_sealed IS NOT NULL").await
}

async fn restart(c: &mut Cluster, changes: &[(&str, &str)]) {
    for process in c.apis.iter_mut().chain(&mut c.workers) {
        process.restart(changes);
    }
    c.ready().await;
}

/// Runs the command with the new key; its exit code and what it said.
fn reseal(c: &Cluster, previous: &str) -> (i32, String) {
    let mut env = c.settings();
    env.retain(|(name, _)| name != "NETA_SECRET_KEY");
    env.push(("NETA_SECRET_KEY".into(), NEW.into()));
    env.push(("NETA_SECRET_KEY_PREVIOUS".into(), previous.into()));
    let done = command(&env).arg("reseal").stdin(Stdio::null()).output().expect("the binary starts");
    let said = [done.stdout, done.stderr].concat();
    (done.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}
