//! The client against the scripted provider, over real connections: the rules that need I/O.

mod assembly;
mod errors;
mod guard;
mod retries;
mod streams;
mod timeouts;

use super::http::ClientOptions;
use super::scripted::{Reply, ScriptedProvider};
use super::{Endpoint, Llm, LlmError, Providers};
use shared::domain::conversation::{Delta, Entry, Request, Response};
use shared::domain::models::Provider;

/// Both dialects that speak HTTP.
const DIALECTS: [Provider; 2] = [Provider::Openai, Provider::Anthropic];

fn providers() -> Providers {
    // Another test of this process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Providers::new(&ClientOptions::default()).unwrap()
}

fn ask(script: &str) -> Request {
    Request {
        system: String::new(),
        entries: vec![Entry::User { text: format!("hello [[script:{script}]]") }],
        tools: vec![],
        max_output_tokens: None,
        temperature: None,
    }
}

/// One call, with what it showed.
async fn call(endpoint: &Endpoint, script: &str) -> (Result<Response, LlmError>, Vec<Delta>) {
    let mut shown = Vec::new();
    let result = providers().call(endpoint, &ask(script), &mut |d| shown.push(d)).await;
    (result, shown)
}

/// A server with one script named `s`, and an endpoint of it.
async fn server(dialect: Provider, replies: Vec<Reply>) -> (ScriptedProvider, Endpoint) {
    let server = ScriptedProvider::start().await;
    server.script("s", replies);
    let endpoint = server.endpoint(dialect);
    (server, endpoint)
}

fn text_of(shown: &[Delta]) -> String {
    shown.iter().map(|d| if let Delta::Text(t) = d { t.as_str() } else { "" }).collect()
}
