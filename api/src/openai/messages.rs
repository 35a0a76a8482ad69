//! The messages of a request: the last one is what the user says, the others are the conversation
//! so far, as text.

use super::error::Refusal;
use serde::Deserialize;
use shared::domain::messages::Role;
use shared::domain::told::{Told, ToldMessage};
use utoipa::ToSchema;

/// Who speaks, in the dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Instructions.
    System,
    /// Instructions, by its newer name.
    Developer,
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// The result of a call of an earlier round.
    Tool,
    /// The same, by its older name.
    Function,
}

/// A message of the conversation.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: ChatRole,
    /// What is said: a text, or parts of type `text`. Null beside calls.
    #[serde(default)]
    pub content: Option<Content>,
    /// Calls that the assistant made in an earlier round, told to the agent as text.
    #[serde(default)]
    pub tool_calls: Option<Vec<ToldCall>>,
    /// Of a tool's result: the call.
    #[serde(default)]
    pub tool_call_id: Option<String>,
    /// Of a function's result: the function. Without effect in other messages.
    #[serde(default)]
    pub name: Option<String>,
}

/// What is said.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected a text or a list of parts")]
pub enum Content {
    /// A text.
    Text(String),
    /// Its parts.
    Parts(Vec<Part>),
}

/// A part of what is said.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Part {
    /// `text`; in the assistant's messages also `refusal`. Others are refused.
    #[serde(rename = "type")]
    pub kind: String,
    /// Of a `text`.
    #[serde(default)]
    pub text: Option<String>,
    /// Of a `refusal`.
    #[serde(default)]
    pub refusal: Option<String>,
}

/// A call of an earlier round.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ToldCall {
    /// By which its result names it.
    #[serde(default)]
    pub id: Option<String>,
    /// What was called.
    #[serde(default)]
    pub function: Option<ToldFunction>,
}

/// What was called.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ToldFunction {
    /// Its name.
    pub name: String,
    /// The argument text.
    #[serde(default)]
    pub arguments: String,
}

/// What a request says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The user's message.
    pub message: String,
    /// Its place in the request.
    pub at: usize,
    /// What came before.
    pub told: Told,
}

/// Reads the messages; the last one must be the user's.
pub fn read(messages: &[ChatMessage]) -> Result<Said, Refusal> {
    let Some((last, before)) = messages.split_last() else {
        return Err(Refusal::invalid("messages", "must not be empty"));
    };
    let at = before.len();
    if last.role != ChatRole::User {
        return Err(Refusal::invalid(
            format!("messages[{at}].role"),
            "the last message must be the user's: the agent answers it",
        ));
    }
    let message = text(last, at)?;
    let mut reader = Reader::default();
    for (at, message) in before.iter().enumerate() {
        reader.take(message, text(message, at)?);
    }
    Ok(Said { message, at, told: Told { system: reader.system.join("\n\n"), messages: reader.messages } })
}

#[derive(Default)]
struct Reader<'a> {
    system: Vec<String>,
    messages: Vec<ToldMessage>,
    /// Calls so far: id and name.
    calls: Vec<(&'a str, &'a str)>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, message: &'a ChatMessage, text: String) {
        match message.role {
            ChatRole::System | ChatRole::Developer => {
                if !text.trim().is_empty() {
                    self.system.push(text);
                }
            }
            ChatRole::User => self.messages.push(ToldMessage { role: Role::User, text }),
            ChatRole::Assistant => {
                let mut lines = vec![text];
                for call in message.tool_calls.iter().flatten() {
                    let Some(function) = &call.function else { continue };
                    lines.push(format!("[Called {} with {}]", function.name, function.arguments.trim()));
                    self.calls.extend(call.id.as_deref().map(|id| (id, function.name.as_str())));
                }
                lines.retain(|l| !l.is_empty());
                self.messages.push(ToldMessage { role: Role::Assistant, text: lines.join("\n") });
            }
            ChatRole::Tool | ChatRole::Function => {
                let id = message.tool_call_id.as_deref();
                let called =
                    self.calls.iter().rev().find(|(call, _)| Some(*call) == id).map(|(_, name)| *name);
                let name = called.or(message.name.as_deref()).unwrap_or("a tool");
                let line = format!("[Result of {name}: {text}]");
                match self.messages.last_mut().filter(|m| m.role == Role::Assistant) {
                    Some(message) => message.text = format!("{}\n{line}", message.text),
                    None => self.messages.push(ToldMessage { role: Role::Assistant, text: line }),
                }
            }
        }
    }
}

fn text(message: &ChatMessage, at: usize) -> Result<String, Refusal> {
    let parts = match &message.content {
        None => return Ok(String::new()),
        Some(Content::Text(text)) => return Ok(text.clone()),
        Some(Content::Parts(parts)) => parts,
    };
    let mut texts = Vec::with_capacity(parts.len());
    for (n, part) in parts.iter().enumerate() {
        match (part.kind.as_str(), &part.text, &part.refusal) {
            ("text", Some(text), _) => texts.push(text.as_str()),
            ("refusal", _, Some(text)) if message.role == ChatRole::Assistant => texts.push(text.as_str()),
            ("text", None, _) => {
                return Err(Refusal::invalid(format!("messages[{at}].content[{n}].text"), "is missing"));
            }
            (kind, _, _) => {
                return Err(Refusal::unsupported(
                    format!("messages[{at}].content[{n}]"),
                    format!("parts of type {kind:?} are not supported, only text is"),
                ));
            }
        }
    }
    Ok(texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn said(messages: Value) -> Result<Said, Refusal> {
        read(&serde_json::from_value::<Vec<ChatMessage>>(messages).unwrap())
    }

    fn refused(messages: Value) -> (String, String) {
        let error = said(messages).unwrap_err().body().1.error;
        (error.param.unwrap_or_default(), error.message)
    }

    #[test]
    fn everything_of_a_conversation_is_told_in_order() {
        let got = said(json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Weather in Paris?" },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{\"city\":\"Paris\"}" } },
                { "id": "c2", "type": "function", "function": { "name": "time", "arguments": "{}" } },
            ] },
            { "role": "tool", "tool_call_id": "c2", "content": "noon" },
            { "role": "tool", "tool_call_id": "c1", "content": [{ "type": "text", "text": "18 degrees" }] },
            { "role": "assistant", "content": "Mild." },
            { "role": "developer", "content": [{ "type": "text", "text": "In French." }] },
            { "role": "user", "content": [{ "type": "text", "text": "And" }, { "type": "text", "text": "Rome?" }] },
        ]))
        .unwrap();
        assert_eq!((got.message.as_str(), got.at), ("And\nRome?", 7));
        assert_eq!(got.told.system, "Be brief.\n\nIn French.");
        let told: Vec<_> = got.told.messages.iter().map(|m| (m.role, m.text.as_str())).collect();
        let calls = "[Called weather with {\"city\":\"Paris\"}]\n[Called time with {}]\n\
                     [Result of time: noon]\n[Result of weather: 18 degrees]";
        assert_eq!(
            told,
            [(Role::User, "Weather in Paris?"), (Role::Assistant, calls), (Role::Assistant, "Mild.")]
        );
    }

    #[test]
    fn results_without_their_call_are_told_all_the_same() {
        let got = said(json!([
            { "role": "function", "name": "f", "content": "1" },
            { "role": "tool", "tool_call_id": "gone", "content": "2" },
            { "role": "user", "content": "x" },
        ]));
        let told = got.unwrap().told.messages;
        let expected = "[Result of f: 1]\n[Result of a tool: 2]";
        assert_eq!(told, [ToldMessage { role: Role::Assistant, text: expected.into() }]);
    }

    #[test]
    fn what_cannot_be_said_names_its_place() {
        assert_eq!(refused(json!([])).0, "messages");
        let hi = json!({ "role": "user", "content": "hi" });
        for role in ["assistant", "system", "tool"] {
            let (param, message) = refused(json!([hi, { "role": role, "content": "x" }]));
            assert_eq!(param, "messages[1].role");
            assert!(message.contains("the last message"), "{message}");
        }
        let image = json!({ "type": "image_url", "image_url": { "url": "x" } });
        let (param, message) =
            refused(json!([{ "role": "user", "content": [{ "type": "text", "text": "a" }, image] }]));
        assert_eq!(param, "messages[0].content[1]");
        assert!(message.contains("image_url"), "{message}");
        let (param, _) =
            refused(json!([{ "role": "user", "content": [{ "type": "refusal", "refusal": "no" }] }]));
        assert_eq!(param, "messages[0].content[0]");
    }
}
