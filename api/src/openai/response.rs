//! Answers in the dialect: a completion, and the pieces of a streamed one.

use chrono::{DateTime, Utc};
use serde::Serialize;
use shared::domain::conversation::TokenUsage;
use shared::domain::events::TurnView;
use shared::domain::ids::{MessageId, PauseId, RunId, SessionId};
use shared::domain::pauses::OpenPause;
use shared::domain::runs::Reason;
use utoipa::ToSchema;

/// Where the turn is found at the other doors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "named as everywhere else")]
pub struct Neta {
    /// The session, to be named in `metadata.session_id`.
    pub session_id: SessionId,
    /// The answer's message: the name of the turn.
    pub assistant_message_id: MessageId,
    /// The run.
    pub run_id: RunId,
    /// The question that this answer asks; the session's next message answers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_id: Option<PauseId>,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChatCompletion {
    /// `chatcmpl-` and the answer's message.
    pub id: String,
    /// `chat.completion`.
    pub object: &'static str,
    /// When it was given, in seconds since 1970.
    pub created: i64,
    /// As the request named it.
    pub model: String,
    /// Always one.
    pub choices: Vec<Choice>,
    /// Tokens of the turn with all its subagents, where the provider counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Where the turn is found.
    pub neta: Neta,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Choice {
    /// 0.
    pub index: u32,
    /// What is said.
    pub message: AnswerMessage,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub logprobs: Option<()>,
    /// `stop`, `length` or `content_filter`.
    pub finish_reason: &'static str,
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AnswerMessage {
    /// `assistant`.
    pub role: &'static str,
    /// The text, or the question to the user.
    pub content: String,
    /// Always null.
    pub refusal: Option<String>,
    /// What the model showed of its reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
}

/// Tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "the dialect's names")]
pub struct Usage {
    /// Of prompts.
    pub prompt_tokens: u64,
    /// Of completions.
    pub completion_tokens: u64,
    /// Both.
    pub total_tokens: u64,
}

impl Usage {
    /// What was used beyond `before`.
    pub fn of(all: TokenUsage, before: Option<TokenUsage>) -> Self {
        let before = before.unwrap_or_default();
        let prompt_tokens = all.input_tokens.saturating_sub(before.input_tokens);
        let completion_tokens = all.output_tokens.saturating_sub(before.output_tokens);
        Self {
            prompt_tokens,
            completion_tokens,
            total_tokens: prompt_tokens.saturating_add(completion_tokens),
        }
    }
}

/// What stood before the caller came to a turn: of a turn that goes on after a question.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// The text so far.
    pub content: String,
    /// The thinking so far.
    pub thinking: String,
    /// The tokens so far.
    pub usage: Option<TokenUsage>,
}

/// Names a completion.
pub fn id(message_id: MessageId) -> String {
    format!("chatcmpl-{message_id}")
}

/// How a turn that completed so ended, in the dialect.
pub fn finish_reason(reason: Option<Reason>) -> &'static str {
    match reason {
        Some(Reason::OutputLimit) => "length",
        Some(Reason::ContentFilter) => "content_filter",
        _ => "stop",
    }
}

/// A question as the text of an answer.
pub fn question(pause: &OpenPause) -> String {
    let gap = if pause.options.is_empty() { "" } else { "\n" };
    let begin = [pause.question.as_str(), gap].concat();
    pause.options.iter().fold(begin, |text, option| text + "\n- " + option)
}

impl ChatCompletion {
    /// Of a turn that has an answer, or asks; what stood before is left out.
    pub fn new(view: &TurnView, model: String, mut neta: Neta, before: &Before, now: DateTime<Utc>) -> Self {
        let mut content = rest(&view.content, &before.content).to_owned();
        if let Some(pause) = view.pauses.first() {
            neta.pause_id = Some(pause.pause_id);
            let gap = if content.is_empty() { "" } else { "\n\n" };
            content = [&content, gap, &question(pause)].concat();
        }
        let thinking = rest(&view.thinking, &before.thinking);
        Self {
            id: id(view.assistant_message_id),
            object: "chat.completion",
            created: now.timestamp(),
            model,
            choices: vec![Choice {
                index: 0,
                message: AnswerMessage {
                    role: "assistant",
                    content,
                    refusal: None,
                    reasoning_content: (!thinking.is_empty()).then(|| thinking.to_owned()),
                },
                logprobs: None,
                finish_reason: finish_reason(view.reason),
            }],
            usage: view.usage.map(|all| Usage::of(all, before.usage)),
            neta,
        }
    }
}

/// What follows `before`, without the blank line between them.
fn rest<'a>(all: &'a str, before: &str) -> &'a str {
    match all.strip_prefix(before) {
        Some(rest) if !before.is_empty() => rest.trim_start(),
        _ => all,
    }
}

/// One piece of a streamed answer.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChatCompletionChunk {
    /// The same in all pieces.
    pub id: String,
    /// `chat.completion.chunk`.
    pub object: &'static str,
    /// The same in all pieces.
    pub created: i64,
    /// As the request named it.
    pub model: String,
    /// One, or none in the piece that holds the usage.
    pub choices: Vec<ChunkChoice>,
    /// With `include_usage`: null, but in the last piece.
    #[serde(skip_serializing_if = "UsageSoFar::is_left_out")]
    #[schema(value_type = Option<Usage>, required = false)]
    pub usage: UsageSoFar,
    /// In the first piece and in the one that ends the answer: where the turn is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neta: Option<Neta>,
}

/// What a piece tells of the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum UsageSoFar {
    /// Nobody asked.
    LeftOut,
    /// Null: not yet, or nobody counted.
    Unknown,
    /// All of them.
    Known(Usage),
}

impl UsageSoFar {
    fn is_left_out(&self) -> bool {
        *self == Self::LeftOut
    }
}

/// What a piece adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChunkChoice {
    /// 0.
    pub index: u32,
    /// To be appended.
    pub delta: Delta,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub logprobs: Option<()>,
    /// In the last one: `stop`, `length` or `content_filter`.
    pub finish_reason: Option<&'static str>,
}

/// To be appended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Delta {
    /// In the first piece: `assistant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// More text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// More of what the model shows of its reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::pauses::PauseKind;

    #[test]
    fn what_stood_before_is_left_out_of_the_rest() {
        let table = [
            ("One.\n\nTwo.", "One.", "Two."),
            ("One.", "", "One."),
            (" One.", "", " One."),
            ("Other.", "One.", "Other."),
            ("One.", "One.", ""),
        ];
        for (all, before, expected) in table {
            assert_eq!(rest(all, before), expected, "{all:?} after {before:?}");
        }
    }

    #[test]
    fn a_question_names_its_options() {
        let pause = |options: &[&str]| OpenPause {
            pause_id: PauseId(1),
            kind: PauseKind::Clarify,
            question: "Which?".into(),
            options: options.iter().map(|o| (*o).to_owned()).collect(),
            deadline: None,
        };
        assert_eq!(question(&pause(&[])), "Which?");
        assert_eq!(question(&pause(&["red", "blue"])), "Which?\n\n- red\n- blue");
    }
}
