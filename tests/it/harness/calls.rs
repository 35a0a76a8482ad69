//! What the provider saw: its calls, what they say, and how many ran at the same time.

use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

/// One request as the provider saw it.
#[derive(Debug, Clone)]
pub struct Call {
    /// The script that it matched; empty: none.
    pub key: String,
    /// The user's message that it answers.
    pub said: String,
    /// Which round of it.
    pub round: usize,
    /// The body.
    pub body: Value,
    /// The `authorization` header.
    pub authorization: String,
    /// When it came.
    pub at: Instant,
    /// When its connection ended, and how.
    pub end: Option<(Instant, End)>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Everything was sent.
    Sent,
    /// The caller closed its connection before.
    Closed,
    /// The script cut it.
    Cut,
}

impl Call {
    /// The request's messages without the system prompt: role and text.
    pub fn conversation(&self) -> Vec<(String, String)> {
        self.messages()
            .filter(|m| m["role"] != "system")
            .map(|m| (m["role"].as_str().unwrap_or_default().to_owned(), text_of(&m["content"])))
            .collect()
    }

    /// The system prompt.
    pub fn system(&self) -> String {
        self.messages().filter(|m| m["role"] == "system").map(|m| text_of(&m["content"])).collect()
    }

    /// The results of tools that it holds: id of the call, and text.
    pub fn results(&self) -> Vec<(String, String)> {
        self.messages()
            .filter(|m| m["role"] == "tool")
            .map(|m| (m["tool_call_id"].as_str().unwrap_or_default().to_owned(), text_of(&m["content"])))
            .collect()
    }

    /// The names of the tools that it offers.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools.map(|t| t["function"]["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The entries of a batch's result, the last one that it holds for this call.
    #[track_caller]
    pub fn batch(&self, tool_call_id: &str) -> Vec<Value> {
        let results = self.results();
        let (_, text) = results
            .iter()
            .rfind(|(id, _)| id == tool_call_id)
            .unwrap_or_else(|| panic!("no result of {tool_call_id}: {results:?}"));
        serde_json::from_str(text).unwrap_or_else(|_| panic!("no list of results: {text}"))
    }

    fn messages(&self) -> impl Iterator<Item = &Value> {
        self.body["messages"].as_array().into_iter().flatten()
    }
}

/// A message's text, in either form that the dialect knows.
pub fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// The most of these spans that overlap. One without an end lasts.
fn most_of(spans: impl Iterator<Item = (Instant, Option<Instant>)>) -> usize {
    let mut edges = Vec::new();
    for (from, to) in spans {
        edges.push((from, 1));
        edges.extend(to.map(|to| (to, -1)));
    }
    // Where one ends in the moment in which another begins, they do not overlap.
    edges.sort();
    let mut now = 0;
    let counts = edges.iter().map(|(_, step)| {
        now += step;
        now
    });
    usize::try_from(counts.max().unwrap_or(0)).unwrap_or(0)
}

/// The most of these calls that ran at the same time.
pub fn most_at_once(calls: &[Call]) -> usize {
    most_of(calls.iter().map(|c| (c.at, c.end.map(|(at, _)| at))))
}

/// The most conversations, told apart by what was said, that were between the begin of their first
/// call and the end of their last one at the same time.
pub fn most_agents_at_once(calls: &[Call]) -> usize {
    let mut spans: BTreeMap<&str, (Instant, Option<Instant>)> = BTreeMap::new();
    for call in calls {
        let end = call.end.map(|(at, _)| at);
        let span = spans.entry(&call.said).or_insert((call.at, end));
        span.0 = span.0.min(call.at);
        span.1 = span.1.zip(end).map(|(a, b)| a.max(b));
    }
    most_of(spans.into_values())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn overlaps_are_counted_and_touching_ends_are_none() {
        let zero = Instant::now();
        let at = |n: u64| zero + Duration::from_secs(n);
        let spans = [(at(0), Some(at(4))), (at(1), Some(at(2))), (at(2), Some(at(3))), (at(3), None)];
        assert_eq!(most_of(spans.into_iter()), 2);
        assert_eq!(most_of([].into_iter()), 0);
    }
}
