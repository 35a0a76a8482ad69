//! The document and the routes are the same; nothing is open that should not be.

use super::harness::{Api, request};
use axum::body::Body;
use serde_json::Value;
use std::collections::BTreeSet;

/// What answers without a token.
const OPEN: [&str; 7] =
    ["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/reference.js", "/api/login", "/api/setup"];
/// What is not part of the document.
const UNDOCUMENTED: [&str; 4] = ["/openapi.json", "/docs", "/docs/reference.js", "/docs/reference.css"];

fn document() -> Value {
    serde_json::to_value(crate::document()).unwrap()
}

/// A path with something in place of each name in braces.
fn concrete(path: &str) -> String {
    let parts = path.split('/').map(|p| match p {
        "{id}" if path.contains("/sessions/") => "01890000-0000-7000-8000-00000000abcd",
        p if p.starts_with('{') => "987654",
        p => p,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_is_in_the_document() {
    let api = Api::new().await;
    // axum lists its routes in the router's Debug text only.
    let text = format!("{:?}", api.router);
    let fallback = |path: &&str| *path == "/" || path.starts_with("/{*__private");
    let routes: BTreeSet<&str> =
        text.split('"').filter(|p| p.starts_with('/')).filter(|p| !fallback(p)).collect();
    let document = document();
    let documented = document["paths"].as_object().unwrap().keys().map(String::as_str);
    let expected: BTreeSet<&str> = documented.chain(UNDOCUMENTED).collect();
    assert_eq!(routes, expected);
}

#[tokio::test]
async fn every_operation_exists_and_is_closed_without_a_token() {
    let api = Api::new().await;
    let document = document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_uppercase();
            let at = concrete(path);
            let reply = api.raw(request(&method, &at).body(Body::empty()).unwrap()).await;
            let open = OPEN.contains(&path.as_str());
            assert_eq!(reply.status == 401, !open, "{method} {path}: {reply:?}");
            assert_eq!(operation["security"] == serde_json::json!([{}]), open, "{method} {path}");
            let wrong = request(&method, &at).header("authorization", "Bearer wrong").body(Body::empty());
            assert_eq!(api.raw(wrong.unwrap()).await.status == 401, !open, "{method} {path}");
            // With the token it is something else than a missing route or method.
            let reply = api.send(&method, &at, None).await;
            let code = reply.code().unwrap_or_default();
            assert!(code != "no_route" || path == "/metrics", "{method} {path}: {code}");
            assert_ne!(code, "method_not_allowed", "{method} {path}");
        }
    }
}

#[test]
fn every_operation_tells_its_refusals_with_their_form_and_an_example() {
    let document = document();
    let mut wrong = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let (kind, schema) = if path.starts_with("/v1/") {
            ("application/json", "#/components/schemas/ErrorBody")
        } else {
            ("application/problem+json", "#/components/schemas/Problem")
        };
        for (method, operation) in methods.as_object().unwrap() {
            let mut expected = vec!["403", "429", "500", "503"];
            if operation.get("requestBody").is_some() {
                expected.extend(["400", "408", "413", "415"]);
            }
            if operation["security"] != serde_json::json!([{}]) {
                expected.push("401");
            }
            if path.contains('{') {
                expected.push("404");
            }
            let responses = operation["responses"].as_object().unwrap();
            let missing = expected.iter().filter(|s| !responses.contains_key(**s));
            wrong.extend(missing.map(|status| format!("{method} {path} does not tell {status}")));
            for (status, response) in responses.iter().filter(|(s, _)| s.as_str() >= "400") {
                // What is not ready says what, in a form of its own.
                if path == "/readyz" && status == "503" {
                    continue;
                }
                let content = &response["content"][kind];
                let shown = content.get("example").or(content.get("examples"));
                if content["schema"]["$ref"] != schema || shown.is_none() {
                    wrong.push(format!("{method} {path} {status}: {response}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operation_has_a_name_of_its_own() {
    let document = document();
    let mut names = BTreeSet::new();
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap().to_owned();
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{name}");
            assert!(names.insert(name.clone()), "twice: {name}");
        }
    }
    assert!(names.contains("agents_list") && names.contains("agents_shares_share"), "{names:?}");
}

#[tokio::test]
async fn every_reference_in_the_document_leads_somewhere() {
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                if let Some(Value::String(reference)) = object.get("$ref") {
                    found.insert(reference.clone());
                }
                object.values().for_each(|v| references(v, found));
            }
            Value::Array(array) => array.iter().for_each(|v| references(v, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 20, "{found:?}");
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn the_pages_load_nothing_from_elsewhere() {
    let api = Api::new().await;
    for path in UNDOCUMENTED.into_iter().skip(1) {
        let reply = api.raw(request("GET", path).body(Body::empty()).unwrap()).await;
        assert_eq!(reply.status, 200);
        assert!(!reply.text.contains("http://") && !reply.text.contains("https://"), "{path}");
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert_eq!(policy.contains("script-src 'self'"), !path.contains('.'), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(!reply.text.contains("<style") && !reply.text.contains("style="), "{path}");
    }
    let document = api.raw(request("GET", "/openapi.json").body(Body::empty()).unwrap()).await;
    assert_eq!(document.json, self::document());
}

#[tokio::test]
async fn health_tells_what_is_away() {
    let api = Api::new().await;
    assert_eq!(api.get("/healthz").await.text, "ok");
    let ready = api.get("/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json["ready"]), (200, &Value::Bool(true)), "{ready:?}");
    assert_eq!(ready.json["workers"]["ok"], false, "no worker lives, and the API answers all the same");
    api.bus.set_away(true);
    let ready = api.get("/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json["bus"]["ok"]), (503, &Value::Bool(false)));
    assert_eq!(ready.json["database"]["ok"], true);
}

/// OpenAI's dialect, whose names are not ours.
const FOREIGN: [&str; 12] = [
    "AnswerMessage",
    "ChatCompletion",
    "ChatCompletionChunk",
    "ChatCompletionRequest",
    "ChatMessage",
    "Choice",
    "ChunkChoice",
    "Delta",
    "ListedModel",
    "RequestMetadata",
    "StreamOptions",
    "Usage",
];

fn properties(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("properties", Value::Object(named)) => {
                        found.extend(named.keys().cloned());
                        named.values().for_each(|inner| properties(inner, found));
                    }
                    _ => properties(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| properties(item, found)),
        _ => {}
    }
}

#[test]
fn every_name_in_the_document_is_camel_case_as_it_is_in_answers() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if FOREIGN.contains(&name.as_str()) {
            continue;
        }
        let mut found = BTreeSet::new();
        properties(schema, &mut found);
        let snake: Vec<&String> = found.iter().filter(|p| p.contains('_')).collect();
        assert!(snake.is_empty(), "{name}: {snake:?}");
    }
}

#[test]
fn a_message_says_who_speaks_and_a_user_has_roles() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["MessageView"]["properties"]["role"]["$ref"], "#/components/schemas/MessageRole");
    assert_eq!(schemas["MessageRole"]["enum"], serde_json::json!(["user", "assistant"]));
    assert_eq!(schemas["Role"]["type"], "object");
}
