//! A run's journal: what it has done, in order. Nothing is used before it stands here.

use super::conversation::{Response, ToolCall};
use serde::{Deserialize, Serialize};

/// One entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// A complete response of the model.
    Model(ModelStep),
    /// An effectful tool is about to run: from here on it is never run again.
    ToolStarted {
        /// Which call.
        tool_call_id: String,
    },
    /// A call was handed over to subagents: its result is derived when all of them have ended.
    Delegated {
        /// Which call; names the batch.
        tool_call_id: String,
        /// Shown to people.
        title: String,
        /// Subagents.
        total: u32,
        /// How many of the run may be at work at the same time; None: stored before that was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
    },
    /// A call asks a person: the answer is its result.
    Asked {
        /// Which call.
        tool_call_id: String,
    },
    /// What a call came to.
    ToolResult(ToolResult),
    /// Something that the engine tells the model or the reader.
    Note(Note),
}

impl Step {
    /// Kind, as stored beside the payload.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Model(_) => "model",
            Self::ToolStarted { .. } => "tool_started",
            Self::Delegated { .. } => "delegated",
            Self::Asked { .. } => "asked",
            Self::ToolResult(_) => "tool_result",
            Self::Note(_) => "note",
        }
    }
}

/// A complete response and what it cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelStep {
    /// What the model said.
    pub response: Response,
    /// Milliseconds from request to end.
    pub duration_ms: u64,
    /// Requests that were made for it, failed ones included.
    pub attempts: u32,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// Which call.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// How it ended.
    pub status: ToolStatus,
    /// What the model reads.
    pub text: String,
    /// Milliseconds that it took.
    pub duration_ms: u64,
}

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    /// Under way (only in events).
    Running,
    /// It did what it should.
    Ok,
    /// It failed, or was refused.
    Error,
    /// A person did not answer in time.
    Expired,
    /// An effectful tool was interrupted: whether it took effect is unknown, and it is not repeated.
    OutcomeUnknown,
}

/// Something that the engine adds to the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// The model said nothing: it is asked once more.
    AskedAgain,
    /// The model made the same call three times: it is told so.
    RepetitionWarning {
        /// The tool that it calls.
        name: String,
    },
    /// Limits are used up: one last call without tools.
    LastCall {
        /// Which limit.
        reason: super::runs::Reason,
    },
}

/// The steps of a run in order, and what follows from them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// In order; the index is the step's number.
    pub steps: Vec<Step>,
}

impl Journal {
    /// All text that the user was to see: the texts of the responses, a blank line between.
    pub fn answer_text(&self) -> String {
        answer_text(&self.steps)
    }

    /// All thinking, a blank line between.
    pub fn thinking_text(&self) -> String {
        join_texts(self.responses().map(|r| r.thinking.as_str()))
    }

    /// The responses in order.
    pub fn responses(&self) -> impl Iterator<Item = &Response> {
        responses(&self.steps)
    }

    /// The calls of the last response that have no result yet.
    pub fn open_calls(&self) -> Vec<&ToolCall> {
        let Some(at) = self.steps.iter().rposition(|s| matches!(s, Step::Model(_))) else {
            return Vec::new();
        };
        let Step::Model(last) = &self.steps[at] else { return Vec::new() };
        last.response.calls.iter().filter(|c| self.result_after(at, &c.id).is_none()).collect()
    }

    /// This id of a call, or one made from it where an earlier response has used it: a provider's ids
    /// may be unique within one response only, ours are within a run.
    pub fn unused_id(&self, id: &str) -> String {
        let used = |id: &str| self.responses().any(|r| r.calls.iter().any(|c| c.id == id));
        if !used(id) {
            return id.to_owned();
        }
        let candidates = (2_u32..).map(|n| format!("{id}-{n}"));
        candidates.into_iter().find(|c| !used(c)).unwrap_or_default()
    }

    /// Whether the call was marked as begun after the last response.
    pub fn was_started(&self, tool_call_id: &str) -> bool {
        self.steps
            .iter()
            .rev()
            .take_while(|s| !matches!(s, Step::Model(_)))
            .any(|s| matches!(s, Step::ToolStarted { tool_call_id: id } if id == tool_call_id))
    }

    /// Whether the call was handed over after the last response: to subagents, or to a person.
    pub fn was_handed_over(&self, tool_call_id: &str) -> bool {
        self.steps.iter().rev().take_while(|s| !matches!(s, Step::Model(_))).any(|s| match s {
            Step::Delegated { tool_call_id: id, .. } | Step::Asked { tool_call_id: id } => id == tool_call_id,
            Step::Model(_) | Step::ToolStarted { .. } | Step::ToolResult(_) | Step::Note(_) => false,
        })
    }

    /// Whether the last thing that happened is that subagents or a person closed a call: whoever had
    /// the run before left it in order.
    pub fn resumes_a_wait(&self) -> bool {
        matches!(self.steps.last(), Some(Step::ToolResult(r)) if self.was_handed_over(&r.tool_call_id))
    }

    /// Whether all steps from this one on are results of calls that were handed over: they can be
    /// derived again, so that nothing is lost if they are not stored yet.
    pub fn is_derived_after(&self, from: usize) -> bool {
        let handed_over =
            |s: &Step| matches!(s, Step::ToolResult(r) if self.was_handed_over(&r.tool_call_id));
        self.steps.get(from..).is_some_and(|steps| steps.iter().all(handed_over))
    }

    /// Subagents that the run has delegated so far.
    pub fn delegated(&self) -> u32 {
        let totals = self.steps.iter().filter_map(|s| match s {
            Step::Delegated { total, .. } => Some(*total),
            Step::Model(_)
            | Step::ToolStarted { .. }
            | Step::Asked { .. }
            | Step::ToolResult(_)
            | Step::Note(_) => None,
        });
        totals.sum()
    }

    /// Whether the run has delegated.
    pub fn has_delegated(&self) -> bool {
        self.steps.iter().any(|s| matches!(s, Step::Delegated { .. }))
    }

    /// The title of the batch that a call made, and how many of the run might be at work at the same
    /// time.
    pub fn batch(&self, batch_id: &str) -> Option<(&str, Option<u32>)> {
        self.steps.iter().rev().find_map(|s| match s {
            Step::Delegated { tool_call_id, title, limit, .. } if tool_call_id == batch_id => {
                Some((title.as_str(), *limit))
            }
            _ => None,
        })
    }

    /// A call, and what it came to; of calls of one id the last.
    pub fn call(&self, tool_call_id: &str) -> Option<(&ToolCall, Option<&ToolResult>)> {
        self.steps.iter().enumerate().rev().find_map(|(at, step)| {
            let Step::Model(step) = step else { return None };
            let call = step.response.calls.iter().find(|c| c.id == tool_call_id)?;
            Some((call, self.result_after(at, tool_call_id)))
        })
    }

    /// The result of a call made by the response at index `at`.
    pub fn result_after(&self, at: usize, tool_call_id: &str) -> Option<&ToolResult> {
        result_after(&self.steps, at, tool_call_id)
    }
}

fn responses(steps: &[Step]) -> impl Iterator<Item = &Response> {
    steps.iter().filter_map(|s| match s {
        Step::Model(m) => Some(&m.response),
        Step::ToolStarted { .. }
        | Step::Delegated { .. }
        | Step::Asked { .. }
        | Step::ToolResult(_)
        | Step::Note(_) => None,
    })
}

/// All text that the user was to see: the texts of the responses, a blank line between.
pub fn answer_text(steps: &[Step]) -> String {
    join_texts(responses(steps).map(|r| r.text.as_str()))
}

/// The result of a call made by the response at index `at`.
pub fn result_after<'a>(steps: &'a [Step], at: usize, tool_call_id: &str) -> Option<&'a ToolResult> {
    steps[at + 1..].iter().take_while(|s| !matches!(s, Step::Model(_))).find_map(|s| match s {
        Step::ToolResult(r) if r.tool_call_id == tool_call_id => Some(r),
        _ => None,
    })
}

/// Texts that were shown one after the other, as one.
pub fn join_texts<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut all = String::new();
    for text in texts.filter(|t| !t.is_empty()) {
        if !all.is_empty() {
            all.push_str(TEXT_SEPARATOR);
        }
        all.push_str(text);
    }
    all
}

/// Stands between the texts of two responses of one turn, in the stream and in the stored message.
pub const TEXT_SEPARATOR: &str = "\n\n";
