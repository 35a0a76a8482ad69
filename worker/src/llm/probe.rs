//! Tries an endpoint with one small call, so that a person learns what is wrong with its settings.

use super::{Endpoint, Llm, LlmError};
use serde::Serialize;
use shared::domain::conversation::{Entry, Request, TokenUsage};
use shared::domain::runs::Reason;
use shared::domain::text;
use std::time::{Duration, Instant};

/// A person waits for it.
const DEADLINE: Duration = Duration::from_secs(30);

/// What became of the try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// Whether the model answered.
    pub ok: bool,
    /// Milliseconds from request to end.
    pub latency_ms: u64,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it answered, at most 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The tokens that it counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ProbeError>,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProbeError {
    /// [`LlmError::kind`].
    pub kind: &'static str,
    /// How a run would end on it.
    pub reason: Reason,
    /// [`LlmError::user_message`].
    pub message: String,
}

/// Makes one call, once.
pub async fn probe(llm: &dyn Llm, endpoint: &Endpoint) -> Probe {
    let request = Request {
        system: String::new(),
        entries: vec![Entry::User { text: "Reply with the one word OK.".to_owned() }],
        tools: Vec::new(),
        // Some providers refuse less; models that think stop early, which is an answer too.
        max_output_tokens: Some(16),
        temperature: None,
    };
    let began = Instant::now();
    let mut ignore = |_| ();
    let call = llm.call(endpoint, &request, &mut ignore);
    let result = match tokio::time::timeout(DEADLINE, call).await {
        Ok(result) => result,
        Err(_) => Err(LlmError::HeaderTimeout(DEADLINE)),
    };
    let latency_ms = began.elapsed().as_millis() as u64;
    match result {
        Ok(response) => Probe {
            ok: true,
            latency_ms,
            model: Some(endpoint.model_name.clone()),
            answer: Some(text::cut(response.text.trim(), 200)),
            usage: response.usage,
            error: None,
        },
        Err(error) => Probe {
            ok: false,
            latency_ms,
            model: None,
            answer: None,
            usage: None,
            error: Some(ProbeError {
                kind: error.kind(),
                reason: error.reason(),
                message: error.user_message(),
            }),
        },
    }
}
