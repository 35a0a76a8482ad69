//! From an HTTP status and an error body, or an error object inside a stream, to a typed error.

use super::error::{LlmError, MAX_MESSAGE_CHARS};
use chrono::{DateTime, Utc};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;
use shared::clock::{Clock, SystemClock};
use shared::domain::text;
use shared::secrets::Secret;
use std::time::Duration;

/// The longest wait that a provider may ask for.
pub const MAX_WAIT: Duration = Duration::from_mins(2);

/// An error as a provider words it, in any of the shapes that are in use.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    code: String,
    kind: String,
    message: String,
}

/// The error of an HTTP status that is not a success.
pub(super) fn from_status(status: u16, headers: &HeaderMap, body: &[u8], key: Option<&Secret>) -> LlmError {
    let told = match serde_json::from_slice::<Value>(body) {
        Ok(value) => told(&value),
        // A page of a proxy says nothing that helps; a line of plain text does.
        Err(_) => match std::str::from_utf8(body) {
            Ok(line) if !line.trim_start().starts_with('<') => {
                Told { message: line.trim().to_owned(), ..Told::default() }
            }
            _ => Told::default(),
        },
    };
    classify(Some(status), &told, wait(headers), key)
}

/// The error of an error object inside a response that began with 200.
pub(super) fn in_band(object: &[u8], key: Option<&Secret>) -> LlmError {
    let told = serde_json::from_slice::<Value>(object).map(|v| told(&v)).unwrap_or_default();
    // Aggregators put the HTTP status of the model behind them into `code`.
    let status = told.code.parse().ok().filter(|s| (400..600).contains(s));
    classify(status, &told, None, key)
}

fn told(value: &Value) -> Told {
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let inner = match value.get("error") {
        Some(inner @ Value::Object(_)) => inner,
        Some(Value::String(message)) => {
            return Told { message: message.clone(), ..Told::default() };
        }
        _ => value,
    };
    let word = |name: &str| match inner.get(name) {
        Some(Value::String(s)) => s.clone(),
        Some(Value::Number(n)) => n.to_string(),
        _ => String::new(),
    };
    let message = ["message", "detail", "msg"].map(word).into_iter().find(|m| !m.is_empty());
    Told {
        code: word("code"),
        kind: word("type"),
        message: message.or_else(|| value.as_str().map(str::to_owned)).unwrap_or_default(),
    }
}

fn classify(status: Option<u16>, told: &Told, wait: Option<Duration>, key: Option<&Secret>) -> LlmError {
    let message = safe_message(&told.message, key);
    let lower = told.message.to_lowercase();
    let named = |names: &[&str]| names.iter().any(|n| told.code == *n || told.kind == *n);
    let says = |parts: &[&str]| parts.iter().any(|p| lower.contains(p));

    if named(&["context_length_exceeded", "exceed_context_size_error"])
        || says(&[
            "prompt is too long",
            "maximum context length",
            "context length exceeded",
            "exceeds the context window",
        ])
    {
        return LlmError::ContextLength { message };
    }
    if named(&["insufficient_quota", "billing_error", "billing_hard_limit_reached"])
        || says(&["credit balance is too low"])
        || status == Some(402)
    {
        return LlmError::QuotaExhausted { message };
    }
    if named(&["content_filter", "content_policy_violation"]) {
        return LlmError::ContentFilter { message };
    }
    if named(&["model_not_found"]) {
        return LlmError::UnknownModel { message };
    }
    match status {
        Some(401 | 403) => LlmError::Auth { message },
        Some(404) => LlmError::UnknownModel { message },
        Some(413) => LlmError::ContextLength { message },
        Some(429) => LlmError::RateLimited { wait, message },
        Some(408 | 409 | 425 | 500..) => LlmError::Overloaded { wait, message },
        Some(300..=399) => {
            LlmError::BadRequest { message: "the address redirects; enter the final one".to_owned() }
        }
        Some(_) => LlmError::BadRequest { message },
        None => classify_by_name(told, message),
    }
}

fn classify_by_name(told: &Told, message: String) -> LlmError {
    let either = [told.kind.as_str(), told.code.as_str()];
    let any = |names: &[&str]| either.iter().any(|e| names.contains(e));
    if any(&["rate_limit_error", "rate_limit_exceeded", "rate_limited"]) {
        LlmError::RateLimited { wait: None, message }
    } else if any(&["overloaded_error", "overloaded", "api_error", "server_error", "timeout_error"]) {
        LlmError::Overloaded { wait: None, message }
    } else if any(&["authentication_error", "permission_error", "invalid_api_key"]) {
        LlmError::Auth { message }
    } else if any(&["not_found_error"]) {
        LlmError::UnknownModel { message }
    } else if any(&["invalid_request_error"]) {
        LlmError::BadRequest { message }
    } else {
        LlmError::InBand { message }
    }
}

/// A provider's words as they may be shown and stored: without the key, on one line, and short.
pub fn safe_message(message: &str, key: Option<&Secret>) -> String {
    let hidden = match key.map(|k| k.expose().trim()).filter(|k| !k.is_empty()) {
        Some(key) => message.replace(key, "***"),
        None => message.to_owned(),
    };
    let words = hidden.split_whitespace().map(without_credentials).collect::<Vec<_>>().join(" ");
    text::cut(&text::clean_owned(words), MAX_MESSAGE_CHARS)
}

/// Hides what stands between `://` and `@`, and the query, where keys are put too.
fn without_credentials(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else { return word.to_owned() };
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let rest = rest.split_once('?').map_or(rest, |(path, _)| path);
    format!("{scheme}://{rest}")
}

/// What the provider asks to wait: `retry-after-ms`, else `retry-after` in seconds or as a date.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let value = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let date = |text: &str| DateTime::parse_from_rfc2822(text).ok().map(|d| d.with_timezone(&Utc));
    let seconds = if let Some(ms) = value("retry-after-ms").and_then(|v| v.parse::<f64>().ok()) {
        ms / 1000.0
    } else {
        let text = value(RETRY_AFTER.as_str())?;
        if let Ok(seconds) = text.parse::<f64>() {
            seconds
        } else {
            // By the provider's own clock where it tells it.
            let now = value(DATE.as_str()).and_then(date).unwrap_or_else(|| SystemClock.now());
            (date(text)? - now).as_seconds_f64()
        }
    };
    let bounded = if seconds.is_nan() { return None } else { seconds.clamp(0.0, MAX_WAIT.as_secs_f64()) };
    Some(Duration::from_secs_f64(bounded))
}
