//! What a reader is told about a turn, and the picture that the events add up to.
//!
//! An event is rendered once, in the process that makes it, up to its sequence number, which the
//! bus adds; from there on it is passed on unparsed.

use super::conversation::TokenUsage;
use super::ids::{MessageId, PauseId, RunId, SessionId};
use super::journal::ToolStatus;
use super::messages::{ErrorInfo, ToolActivity};
use super::pauses::{OpenPause, PauseStatus};
use super::runs::{Reason, RunStatus};
use super::subagents::{BatchSummary, SubagentBatch, SubagentItem, TITLE_CHARS};
use super::text;
use super::todos::TodoItem;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Version of the envelope.
pub const ENVELOPE_VERSION: u32 = 1;

/// Whose stream an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    /// The session.
    pub session_id: SessionId,
    /// The assistant message: events are numbered within it.
    pub message_id: MessageId,
    /// The run that the event tells of.
    pub run_id: RunId,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum Event {
    /// A message was accepted and has its ids.
    #[serde(rename_all = "camelCase")]
    RunAccepted {
        /// The user's message.
        user_message_id: MessageId,
        /// The placeholder.
        assistant_message_id: MessageId,
        /// The run.
        run_id: RunId,
    },
    /// The turn's status changed.
    Status {
        /// The new status.
        status: RunStatus,
        /// Why it waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Reason>,
    },
    /// More text.
    TextDelta {
        /// To be appended.
        text: String,
    },
    /// More thinking.
    ThinkingDelta {
        /// To be appended.
        text: String,
    },
    /// All text and thinking shown so far is replaced.
    TextReset {
        /// The text that stands.
        text: String,
        /// The thinking that stands.
        #[serde(default)]
        #[schema(required = true)]
        thinking: String,
    },
    /// The model calls a tool.
    #[serde(rename_all = "camelCase")]
    ToolCall {
        /// The call.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// The argument text, cut to 2,000 characters.
        arguments: String,
        /// How many characters it has, where it is cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        argument_chars: Option<u32>,
    },
    /// A tool call ended.
    #[serde(rename_all = "camelCase")]
    ToolResult {
        /// The call.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// How it ended.
        status: ToolStatus,
        /// The beginning of its result, at most 2,000 characters.
        preview: String,
        /// How many characters the result has, where it is cut.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result_chars: Option<u32>,
        /// How long it took.
        duration_ms: u64,
    },
    /// The plan changed.
    TodoUpdate {
        /// The whole plan.
        items: Vec<TodoItem>,
    },
    /// A call was handed over to subagents.
    #[serde(rename_all = "camelCase")]
    SubagentBatchStart {
        /// The turn's assistant message.
        parent_message_id: MessageId,
        /// The call.
        batch_id: String,
        /// Shown to people.
        title: String,
        /// Subagents.
        total: u32,
        /// How many of the run's subagents may be at work at the same time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    },
    /// A subagent changed.
    #[serde(rename_all = "camelCase")]
    SubagentUpdate {
        /// The turn's assistant message.
        parent_message_id: MessageId,
        /// The call.
        batch_id: String,
        /// All that readers see of it.
        subagent: SubagentItem,
    },
    /// The last subagent of a batch ended.
    #[serde(rename_all = "camelCase")]
    SubagentDone {
        /// The turn's assistant message.
        parent_message_id: MessageId,
        /// The call.
        batch_id: String,
        /// How they ended.
        summary: BatchSummary,
    },
    /// A person is asked.
    ClarifyRequest(OpenPause),
    /// A question was answered, or nobody did in time.
    #[serde(rename_all = "camelCase")]
    PauseAnswered {
        /// The question.
        pause_id: PauseId,
        /// What became of it.
        status: PauseStatus,
        /// The answer, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<String>,
    },
    /// Tokens of the turn so far.
    #[serde(rename_all = "camelCase")]
    Usage {
        /// Prompt tokens.
        input_tokens: u64,
        /// Completion tokens.
        output_tokens: u64,
        /// Price, where the model has prices.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<f64>,
    },
    /// The whole picture: forget what you had.
    Resync(TurnView),
    /// The session was deleted: nothing follows on any of its streams.
    SessionDeleted {},
    /// The turn ended with an answer, or was stopped. Last.
    Done(TurnView),
    /// The turn failed. Last.
    Error {
        /// The reason's stable name.
        kind: Reason,
        /// For the user.
        message: String,
    },
}

impl Event {
    /// The last event of its stream.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error { .. })
    }

    /// Renders the event up to its sequence number; see [`complete`].
    pub fn render(&self, at: Address, now: DateTime<Utc>) -> Fragment {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Envelope<'a> {
            v: u32,
            session_id: SessionId,
            message_id: MessageId,
            run_id: RunId,
            ts: String,
            #[serde(flatten)]
            event: &'a Event,
        }
        let envelope = Envelope {
            v: ENVELOPE_VERSION,
            session_id: at.session_id,
            message_id: at.message_id,
            run_id: at.run_id,
            ts: now.to_rfc3339_opts(SecondsFormat::Millis, true),
            event: self,
        };
        // Maps with string keys and finite numbers only: this cannot fail; were it to, the reader
        // gets an envelope without data rather than nothing.
        let mut json = serde_json::to_string(&envelope)
            .unwrap_or_else(|_| format!(r#"{{"v":{ENVELOPE_VERSION},"type":"unknown"}}"#));
        json.pop();
        Fragment { json, terminal: self.is_terminal() }
    }
}

/// A rendered event without its sequence number and closing brace. Contains no line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// `{"v":1,…` without the closing brace.
    pub json: String,
    /// Whether it is the last of its stream.
    pub terminal: bool,
}

/// An event as readers get it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    /// Version of the envelope.
    pub v: u32,
    /// The session.
    pub session_id: SessionId,
    /// The assistant message: events are numbered within it.
    pub message_id: MessageId,
    /// The run that the event tells of: the turn's, or that of one of its subagents, whose stream it
    /// then belongs to.
    pub run_id: RunId,
    /// When it happened.
    pub ts: DateTime<Utc>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// Its number within its stream and epoch, from 1.
    pub seq: u64,
    /// The log in which it is numbered.
    pub epoch: u64,
}

/// Adds what the bus knows: `{"v":1,…` becomes `{"v":1,…,"seq":7,"epoch":3}`.
pub fn complete(fragment: &str, seq: u64, epoch: u64) -> String {
    format!(r#"{fragment},"seq":{seq},"epoch":{epoch}}}"#)
}

/// Where a reader stands in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Cursor {
    /// Which log.
    pub epoch: u64,
    /// The last event that the reader has.
    pub seq: u64,
}

/// What all events of a turn so far add up to. What a reader gets who comes late.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnView {
    /// The user's message.
    pub user_message_id: MessageId,
    /// The assistant's.
    pub assistant_message_id: MessageId,
    /// The run.
    pub run_id: RunId,
    /// Where the turn stands.
    pub status: RunStatus,
    /// Why it waits, or how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The text so far.
    pub content: String,
    /// The thinking so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// The plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub todos: Vec<TodoItem>,
    /// The tool calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolActivity>,
    /// The subagents, by batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<SubagentBatch>,
    /// Questions that wait for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<OpenPause>,
    /// Tokens so far, those of subagents included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Price so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
}

impl TurnView {
    /// A turn of which nothing is known but its ids.
    pub fn new(user_message_id: MessageId, assistant_message_id: MessageId, run_id: RunId) -> Self {
        Self {
            user_message_id,
            assistant_message_id,
            run_id,
            status: RunStatus::Queued,
            reason: None,
            content: String::new(),
            thinking: String::new(),
            todos: Vec::new(),
            tools: Vec::new(),
            subagents: Vec::new(),
            pauses: Vec::new(),
            usage: None,
            cost: None,
            error: None,
        }
    }

    fn batch(&mut self, batch_id: &str) -> &mut SubagentBatch {
        let at = self.subagents.iter().position(|b| b.batch_id == batch_id).unwrap_or_else(|| {
            self.subagents.push(SubagentBatch {
                parent_message_id: self.assistant_message_id,
                batch_id: batch_id.to_owned(),
                title: String::new(),
                limit: None,
                items: Vec::new(),
                summary: BatchSummary::default(),
            });
            self.subagents.len() - 1
        });
        &mut self.subagents[at]
    }

    /// Adds one event to the picture.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::RunAccepted { .. } | Event::SessionDeleted {} => {}
            Event::Status { status, reason } => {
                self.status = *status;
                self.reason = *reason;
            }
            Event::TextDelta { text } => self.content.push_str(text),
            Event::ThinkingDelta { text } => self.thinking.push_str(text),
            Event::TextReset { text, thinking } => {
                self.content.clone_from(text);
                self.thinking.clone_from(thinking);
            }
            Event::ToolCall { tool_call_id, name, arguments, argument_chars } => {
                let call = ToolActivity {
                    tool_call_id: tool_call_id.clone(),
                    name: name.clone(),
                    arguments: arguments.clone(),
                    argument_chars: *argument_chars,
                    status: ToolStatus::Running,
                    preview: None,
                    result_chars: None,
                    duration_ms: None,
                };
                match self.tools.iter_mut().find(|t| t.tool_call_id == *tool_call_id) {
                    Some(known) => *known = call,
                    None => self.tools.push(call),
                }
            }
            Event::ToolResult { tool_call_id, status, preview, result_chars, duration_ms, .. } => {
                if let Some(t) = self.tools.iter_mut().find(|t| t.tool_call_id == *tool_call_id) {
                    t.status = *status;
                    t.preview = Some(preview.clone());
                    t.result_chars = *result_chars;
                    t.duration_ms = Some(*duration_ms);
                }
            }
            Event::TodoUpdate { items } => self.todos.clone_from(items),
            Event::SubagentBatchStart { batch_id, title, total, limit, .. } => {
                let batch = self.batch(batch_id);
                batch.limit = *limit;
                batch.title.clone_from(title);
                batch.summary.total = *total;
            }
            Event::SubagentUpdate { batch_id, subagent, .. } => {
                let batch = self.batch(batch_id);
                if batch.title.is_empty() {
                    batch.title = text::cut(&subagent.goal, TITLE_CHARS);
                }
                batch.put(subagent.clone());
            }
            Event::SubagentDone { batch_id, summary, .. } => self.batch(batch_id).summary = *summary,
            Event::ClarifyRequest(pause) => {
                self.pauses.retain(|p| p.pause_id != pause.pause_id);
                self.pauses.push(pause.clone());
            }
            Event::PauseAnswered { pause_id, .. } => self.pauses.retain(|p| p.pause_id != *pause_id),
            Event::Usage { input_tokens, output_tokens, cost } => {
                self.usage = Some(TokenUsage { input_tokens: *input_tokens, output_tokens: *output_tokens });
                self.cost = *cost;
            }
            Event::Resync(view) | Event::Done(view) => self.clone_from(view),
            Event::Error { kind, message } => {
                self.status = RunStatus::Failed;
                self.reason = Some(*kind);
                self.error = Some(ErrorInfo { kind: *kind, message: message.clone() });
            }
        }
    }
}
