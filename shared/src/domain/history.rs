//! Builds what a model is sent: the system prompt, the past turns in order, the current user message
//! exactly once, and the current run's journal. The result is always a valid request: every tool
//! result follows its call and every call has one.

use super::conversation::{Entry, ToolCall};
use super::journal::{Journal, Note, Step, ToolResult, answer_text, result_after};
use super::messages::{Message, MessageStatus};
use super::runs::Reason;
use super::text;

/// A turn of the session that came before.
#[derive(Debug, Clone, PartialEq)]
pub struct PastTurn {
    /// What the person said.
    pub user: Message,
    /// What was answered, or as much as there was.
    pub assistant: Message,
    /// The run's steps where it called tools; else empty.
    pub steps: Vec<Step>,
}

/// What came before the message that a run answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Past {
    /// What the message's sender wants besides the agent's prompt; may be empty.
    pub instructions: String,
    /// Earlier turns as entries, oldest first; each begins with the user.
    pub turns: Vec<Vec<Entry>>,
}

impl Past {
    /// The prompt with the sender's instructions after it.
    pub fn after_prompt(&self, prompt: String) -> String {
        match (prompt.trim_end(), self.instructions.as_str()) {
            (_, "") => prompt,
            ("", own) => own.to_owned(),
            (prompt, own) => format!("{prompt}\n\n{own}"),
        }
    }
}

/// What the builder needs.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The agent's prompt.
    pub system: &'a str,
    /// Older turns as entries, oldest first; each begins with the user.
    pub past: &'a [Vec<Entry>],
    /// The message that this run answers.
    pub user: &'a str,
    /// What the run did so far.
    pub journal: &'a Journal,
    /// Tokens that prompt and tools may use.
    pub budget: usize,
    /// Tokens of the tools' descriptions.
    pub tools: usize,
}

/// What a model is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// System prompt, with a note where turns were left out.
    pub system: String,
    /// Begins with a user entry.
    pub entries: Vec<Entry>,
    /// Turns that were left out.
    pub left_out: usize,
}

/// The current message alone does not fit the model's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Tokens that the frame of one entry costs.
const ENTRY_TOKENS: usize = 8;
/// To how many characters old tool results of the current turn are cut when it does not fit.
const CUT_RESULT_CHARS: usize = 1_000;

/// Builds the request if it is sure to fit, by the cheap bound that a token is at least one byte.
pub fn build_if_small(parts: &Parts<'_>) -> Option<Built> {
    let current = current_turn(parts);
    let bytes = parts.past.iter().chain([&current]).map(|e| size(e, &str::len)).sum::<usize>();
    (bytes + parts.system.len() + parts.tools <= parts.budget).then(|| assemble(parts, current, 0))
}

/// Builds the request. `count` gives an upper estimate of the tokens of a text.
pub fn build(parts: &Parts<'_>, count: &dyn Fn(&str) -> usize) -> Result<Built, TooLong> {
    if let Some(built) = build_if_small(parts) {
        return Ok(built);
    }
    let mut current = current_turn(parts);
    let left_out = trim(parts, &mut current, count)?;
    Ok(assemble(parts, current, left_out))
}

fn current_turn(parts: &Parts<'_>) -> Vec<Entry> {
    let mut current = vec![Entry::User { text: parts.user.to_owned() }];
    current.extend(journal_entries(&parts.journal.steps));
    current
}

fn assemble(parts: &Parts<'_>, current: Vec<Entry>, left_out: usize) -> Built {
    let system = if left_out == 0 {
        parts.system.to_owned()
    } else {
        let gap = if parts.system.is_empty() { "" } else { "\n\n" };
        let note = format!("[The {left_out} oldest turns of this conversation are left out for length.]");
        [parts.system, gap, &note].concat()
    };
    let entries = parts.past.iter().skip(left_out).flatten().cloned().chain(current).collect();
    Built { system, entries, left_out }
}

/// How many of the oldest turns must go; cuts the current turn's tool results if that is not enough.
fn trim(parts: &Parts<'_>, current: &mut [Entry], count: &dyn Fn(&str) -> usize) -> Result<usize, TooLong> {
    let fixed = count(parts.system) + parts.tools + NOTE_TOKENS;
    let mut own = fixed + size(current, count);
    if own > parts.budget {
        for entry in current.iter_mut() {
            if let Entry::ToolResult { text, .. } = entry {
                *text = text::cut(text, CUT_RESULT_CHARS);
            }
        }
        own = fixed + size(current, count);
    }
    if own > parts.budget {
        return Err(TooLong);
    }
    let mut left = parts.budget - own;
    let mut keep_from = parts.past.len();
    for (at, turn) in parts.past.iter().enumerate().rev() {
        let tokens = size(turn, count);
        if tokens > left {
            break;
        }
        left -= tokens;
        keep_from = at;
    }
    Ok(keep_from)
}

/// Tokens of the note about left-out turns.
const NOTE_TOKENS: usize = 32;

fn size(entries: &[Entry], count: &dyn Fn(&str) -> usize) -> usize {
    entries
        .iter()
        .map(|e| {
            ENTRY_TOKENS
                + match e {
                    Entry::User { text } => count(text),
                    Entry::Assistant { text, calls } => {
                        count(text)
                            + calls
                                .iter()
                                .map(|c| count(&c.name) + count(&c.arguments) + count(&c.id) + ENTRY_TOKENS)
                                .sum::<usize>()
                    }
                    Entry::ToolResult { tool_call_id, name, text, .. } => {
                        count(text) + count(name) + count(tool_call_id)
                    }
                }
        })
        .sum()
}

/// A turn that came before, as entries.
pub fn past_entries(turn: &PastTurn) -> Vec<Entry> {
    let mut entries = vec![Entry::User { text: turn.user.content.clone() }];
    entries.extend(journal_entries(&turn.steps));
    let told = answer_text(&turn.steps);
    // A stopped or failed turn may hold more text than its finished responses: what was streaming.
    let rest =
        turn.assistant.content.strip_prefix(told.as_str()).unwrap_or(&turn.assistant.content).trim_start();
    let ending = match turn.assistant.status {
        MessageStatus::Completed => rest.to_owned(),
        status => {
            let why = match status {
                MessageStatus::Cancelled => "[This answer was stopped before it was finished.]",
                _ => "[This answer could not be finished.]",
            };
            if rest.is_empty() { why.to_owned() } else { format!("{rest}\n\n{why}") }
        }
    };
    if !ending.is_empty() {
        entries.push(Entry::Assistant { text: ending, calls: Vec::new() });
    } else if !matches!(entries.last(), Some(Entry::Assistant { .. })) {
        entries.push(Entry::Assistant { text: "[No answer.]".into(), calls: Vec::new() });
    }
    entries
}

/// Steps as entries. A call without a result gets one that says so.
fn journal_entries(steps: &[Step]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Model(step) => {
                let response = &step.response;
                if response.text.is_empty() && response.calls.is_empty() {
                    continue;
                }
                entries.push(Entry::Assistant { text: response.text.clone(), calls: response.calls.clone() });
                entries.extend(response.calls.iter().map(|c| match result_after(steps, at, &c.id) {
                    Some(result) => result_entry(result),
                    None => interrupted_entry(c),
                }));
            }
            Step::Note(note) => entries.push(Entry::User { text: note_text(note) }),
            Step::ToolStarted { .. } | Step::Delegated { .. } | Step::Asked { .. } | Step::ToolResult(_) => {}
        }
    }
    entries
}

fn result_entry(result: &ToolResult) -> Entry {
    Entry::ToolResult {
        tool_call_id: result.tool_call_id.clone(),
        name: result.name.clone(),
        text: result.text.clone(),
        is_error: result.status != super::journal::ToolStatus::Ok,
    }
}

fn interrupted_entry(call: &ToolCall) -> Entry {
    Entry::ToolResult {
        tool_call_id: call.id.clone(),
        name: call.name.clone(),
        text: "Interrupted: this call has no result.".into(),
        is_error: true,
    }
}

fn note_text(note: &Note) -> String {
    match note {
        Note::AskedAgain => "[Your last response was empty. Answer the user now.]".into(),
        Note::RepetitionWarning { name } => {
            format!(
                "[You have made the same call of {name} several times. Its result will not change: go on, or answer.]"
            )
        }
        Note::LastCall { reason } => {
            let why = match reason {
                Reason::RepeatedCalls => "You have repeated the same call too often.",
                Reason::Budget => "The budget for this task is used up.",
                _ => "You have used all rounds of tool calls.",
            };
            format!("[{why} Give the user the best answer that you can from what you have, without tools.]")
        }
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
