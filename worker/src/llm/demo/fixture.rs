//! Conversations with the demo model, for its tests.

use super::Demo;
use crate::llm::{Endpoint, Llm, LlmError, Timeouts};
use serde_json::value::RawValue;
use shared::domain::conversation::{Delta, Entry, Request, Response, ToolSpec};
use shared::domain::models::{ModelLimits, Provider};

/// A request with these tools, which have no parameters.
pub(super) fn request(system: &str, entries: &[Entry], tools: &[&str]) -> Request {
    let spec = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        parameters: RawValue::from_string("{}".to_owned()).unwrap().into(),
    };
    Request {
        system: system.to_owned(),
        entries: entries.to_vec(),
        tools: tools.iter().map(spec).collect(),
        max_output_tokens: None,
        temperature: None,
    }
}

/// What it answers, and what it showed meanwhile.
pub(super) async fn ask(demo: Demo, request: &Request) -> (Result<Response, LlmError>, Vec<Delta>) {
    let endpoint = Endpoint {
        provider: Provider::Demo,
        model_name: "demo".to_owned(),
        base_url: None,
        trusted_host: true,
        api_key: None,
        limits: ModelLimits::default(),
        timeouts: Timeouts::default(),
    };
    let mut shown = Vec::new();
    let result = demo.call(&endpoint, request, &mut |delta| shown.push(delta)).await;
    (result, shown)
}

pub(super) fn user(text: &str) -> Entry {
    Entry::User { text: text.to_owned() }
}

/// The response as an entry, and the result of its first call.
pub(super) fn after(response: &Response, result: &str) -> [Entry; 2] {
    let call = &response.calls[0];
    [
        Entry::Assistant { text: response.text.clone(), calls: response.calls.clone() },
        Entry::ToolResult {
            tool_call_id: call.id.clone(),
            name: call.name.clone(),
            text: result.to_owned(),
            is_error: false,
        },
    ]
}
