//! The built-in demo model: no network, no key. It is a script that says so, streams like a real
//! model, and uses the tools it is offered, so that a first conversation shows what Neta does.

mod behaviours;
mod delegation;
#[cfg(test)]
mod fixture;

use super::{DeltaSink, Endpoint, Llm, LlmError};
use async_trait::async_trait;
use behaviours::{Answer, BEHAVIOURS, Heard};
use shared::domain::conversation::{Delta, Entry, Finish, Request, Response, TokenUsage, ToolCall};
use std::time::Duration;

/// The demo model.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// Between two tokens.
    pub pace: Duration,
}

impl Default for Demo {
    fn default() -> Self {
        Self { pace: Duration::from_millis(15) }
    }
}

#[async_trait]
impl Llm for Demo {
    async fn call(
        &self,
        _endpoint: &Endpoint,
        request: &Request,
        out: DeltaSink<'_>,
    ) -> Result<Response, LlmError> {
        let heard = Heard::new(request);
        let answer = BEHAVIOURS.iter().find_map(|b| b(&heard)).unwrap_or_default();
        let Answer { text, calls, slower, fails } = answer;
        let pace = self.pace * slower.max(1);
        let limit = request.max_output_tokens.map_or(usize::MAX, |n| n as usize);
        let mut said = String::new();
        let (mut count, mut cut) = (0, false);
        for token in tokens(&text) {
            if count == limit {
                cut = true;
                break;
            }
            tokio::time::sleep(pace).await;
            count += 1;
            said.push_str(token);
            out(Delta::Text(token.to_owned()));
        }
        if let Some(error) = fails {
            return Err(error);
        }
        let finish = match (cut, calls.is_empty()) {
            (true, _) => Finish::Length,
            (false, true) => Finish::Stop,
            (false, false) => Finish::ToolCalls,
        };
        let calls = if cut { Vec::new() } else { named(calls, request) };
        let usage =
            TokenUsage { input_tokens: size(request), output_tokens: count as u64 + 20 * calls.len() as u64 };
        Ok(Response { text: said, thinking: String::new(), calls, finish, usage: Some(usage) })
    }
}

/// Ids that differ from those of the conversation's earlier calls, and are the same on a repetition.
fn named(calls: Vec<(&'static str, String)>, request: &Request) -> Vec<ToolCall> {
    let place = request.entries.len();
    let call = |(number, (name, arguments)): (usize, (&str, String))| ToolCall {
        id: format!("demo_{place}_{number}"),
        name: name.to_owned(),
        arguments,
    };
    calls.into_iter().enumerate().map(call).collect()
}

/// Words with the space after them; two characters each where words have none between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let (mut start, mut wide) = (0, 0);
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        wide = if is_wide(c) { wide + 1 } else { wide };
        if c == ' ' || c == '\n' || wide == 2 {
            tokens.extend(text.get(start..end));
            (start, wide) = (end, 0);
        }
    }
    tokens.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    tokens
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Roughly four bytes a token.
fn size(request: &Request) -> u64 {
    let entries = request.entries.iter().map(|entry| match entry {
        Entry::User { text } | Entry::ToolResult { text, .. } => text.len(),
        Entry::Assistant { text, calls } => {
            text.len() + calls.iter().map(|c| c.name.len() + c.arguments.len()).sum::<usize>()
        }
    });
    ((request.system.len() + entries.sum::<usize>()) as u64).div_ceil(4).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixture::{after, ask, request, user};
    use serde_json::Value;

    async fn say(entries: Vec<Entry>, tools: &[&str], limit: Option<u32>) -> (Response, Vec<Delta>) {
        let request = Request { max_output_tokens: limit, ..request("", &entries, tools) };
        let (response, shown) = ask(Demo { pace: Duration::ZERO }, &request).await;
        (response.unwrap(), shown)
    }

    #[tokio::test]
    async fn says_what_it_is_in_the_language_of_the_message() {
        let (response, shown) = say(vec![user("How do rockets fly?")], &["todo_write"], None).await;
        assert!(response.text.contains("demo model") && response.text.contains("How do rockets fly?"));
        assert_eq!(response.finish, Finish::Stop);
        assert!(shown.len() > 10, "it streams");
        let joined =
            shown.iter().map(|d| if let Delta::Text(t) = d { t.as_str() } else { "" }).collect::<String>();
        assert_eq!(joined, response.text);
        let (chinese, _) = say(vec![user("火箭怎么飞？")], &[], None).await;
        assert!(chinese.text.contains("演示模型") && chinese.text.contains("火箭怎么飞？"));
        let (again, _) = say(vec![user("How do rockets fly?")], &["todo_write"], None).await;
        assert_eq!(again, response);
        let (planet, _) = say(vec![user("How far is the next planet?")], &["todo_write"], None).await;
        assert!(planet.calls.is_empty(), "a plan is a word of its own");
    }

    #[tokio::test]
    async fn tells_the_time_by_the_tool_where_it_is_offered() {
        for question in ["What time is it?", "现在几点了？"] {
            let (first, _) = say(vec![user(question)], &["get_time"], None).await;
            assert_eq!((first.calls[0].name.as_str(), first.finish), ("get_time", Finish::ToolCalls));
            serde_json::from_str::<Value>(&first.calls[0].arguments).unwrap();
            let mut entries = vec![user(question)];
            entries.extend(after(&first, "Friday 2026-01-16 00:30:00"));
            let (second, _) = say(entries, &["get_time"], None).await;
            assert!(second.calls.is_empty() && second.text.contains("2026-01-16"), "{}", second.text);
            let (without, _) = say(vec![user(question)], &[], None).await;
            assert!(without.calls.is_empty() && !without.text.is_empty());
        }
    }

    #[tokio::test]
    async fn plans_with_todos_and_ends() {
        for (question, items) in [
            ("Please plan: buy flour, bake bread, clean up", 3),
            ("做个计划：买面粉、烤面包", 2),
            ("make a plan", 3),
        ] {
            let mut entries = vec![user(question)];
            let mut ids = std::collections::HashSet::new();
            let mut states = Vec::new();
            let last = loop {
                let (response, _) = say(entries.clone(), &["todo_write"], None).await;
                let Some(call) = response.calls.first() else { break response };
                assert!(ids.insert(call.id.clone()));
                let todos = serde_json::from_str::<Value>(&call.arguments).unwrap();
                assert_eq!(todos["items"].as_array().unwrap().len(), items, "{question}");
                states.push(todos["items"][items - 1]["status"].as_str().unwrap().to_owned());
                entries.extend(after(&response, "ok"));
                assert!(entries.len() < 20, "it ends");
            };
            assert_eq!(states.first().map(String::as_str), Some("pending"));
            assert_eq!(states.last().map(String::as_str), Some("completed"));
            assert!(!last.text.is_empty());
        }
    }

    #[tokio::test]
    async fn keeps_to_the_limit_of_its_output() {
        let (response, shown) = say(vec![user("hello")], &[], Some(3)).await;
        assert_eq!((response.finish, shown.len()), (Finish::Length, 3));
    }

    #[test]
    fn tokens_join_to_the_text() {
        for text in ["one two\nthree", "中文字符, mixed 字", "", "😀👨‍👩‍👧 x"] {
            assert_eq!(tokens(text).concat(), text);
        }
        assert_eq!(tokens("中文字 ab"), ["中文", "字 ", "ab"]);
    }
}
