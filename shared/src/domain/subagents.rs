//! Subagents: delegated goals with a run of their own, grouped into batches, one a delegating call.

use super::conversation::{TokenUsage, ToolCall};
use super::ids::{AgentId, MessageId, RunId, SessionId, SubagentId, TenantId};
use super::journal::{Journal, ToolResult, ToolStatus};
use super::runs::{Reason, RunStatus};
use super::text;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whose definition a subagent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// A stored agent's.
    Preset,
    /// Its supervisor's.
    Clone,
}

impl SourceType {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Clone => "clone",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::Preset, Self::Clone].into_iter().find(|k| k.as_str() == s)
    }
}

/// Where a subagent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubagentStatus {
    /// Held by its supervisor's concurrency, or waiting for a worker.
    Queued,
    /// A worker has begun it.
    Running,
    /// Ended with an answer.
    Completed,
    /// Ended without one.
    Failed,
    /// A limit of time ended it.
    TimedOut,
    /// Somebody stopped it, or its supervisor ended.
    Cancelled,
}

impl SubagentStatus {
    const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Completed, Self::Failed, Self::TimedOut, Self::Cancelled];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == s)
    }

    /// Final.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::TimedOut | Self::Cancelled => true,
            Self::Queued | Self::Running => false,
        }
    }

    /// What a run's end makes of its subagent; None while the run is live.
    pub fn of_end(status: RunStatus, reason: Option<Reason>) -> Option<Self> {
        match status {
            RunStatus::Completed => Some(Self::Completed),
            RunStatus::Failed => Some(match reason {
                Some(Reason::WallTime | Reason::IdleTime) => Self::TimedOut,
                _ => Self::Failed,
            }),
            RunStatus::Cancelled => Some(Self::Cancelled),
            RunStatus::Queued
            | RunStatus::Held
            | RunStatus::Running
            | RunStatus::Waiting
            | RunStatus::Paused => None,
        }
    }
}

/// A subagent as stored. Its id is that of its run.
#[derive(Debug, Clone, PartialEq)]
pub struct Subagent {
    /// Primary key, equal to `run_id`.
    pub id: SubagentId,
    /// Owner.
    pub tenant_id: TenantId,
    /// Its session.
    pub session_id: SessionId,
    /// The assistant message that it works for.
    pub parent_message_id: MessageId,
    /// The run that delegated it.
    pub parent_run_id: RunId,
    /// The call that delegated it: its batch.
    pub parent_tool_call_id: String,
    /// The supervisor.
    pub parent_agent_id: AgentId,
    /// Its own run.
    pub run_id: RunId,
    /// Whose definition it has.
    pub source_type: SourceType,
    /// The stored agent, if it has one's definition.
    pub preset_agent_id: Option<AgentId>,
    /// Shown to people.
    pub name: String,
    /// What it is to do.
    pub goal: String,
    /// What it is told besides.
    pub context: Option<String>,
    /// Where it stands.
    pub status: SubagentStatus,
    /// How it ended, where there is more to say than "the model was done".
    pub exit_reason: Option<Reason>,
    /// The provider's name of its model.
    pub model: String,
    /// The tools that it has.
    pub tool_names: Vec<String>,
    /// Its whole answer, or as much as there was.
    pub summary: Option<String>,
    /// What it came to, as data.
    pub result_payload: Option<ResultPayload>,
    /// Why it failed, for people.
    pub error: Option<String>,
    /// Tokens of its finished calls.
    pub token_usage: Option<TokenUsage>,
    /// Place in its batch, from 0.
    pub sort_order: u32,
    /// When a worker first began it.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// When it was delegated.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

/// What a subagent came to, as data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ResultPayload {
    /// Tool calls that it made.
    pub tool_call_count: u32,
    /// Price of its calls, where the model has prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// A subagent as readers see it, in events, pictures and `metadata.subagents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubagentItem {
    /// Its id, which is also its run's.
    pub id: SubagentId,
    /// Shown to people.
    pub name: String,
    /// Whose definition it has.
    pub source_type: SourceType,
    /// The stored agent, if it has one's definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// Where it stands.
    pub status: SubagentStatus,
    /// How it ended, where there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_reason: Option<Reason>,
    /// What it is to do, cut to 2,000 characters.
    pub goal: String,
    /// Its answer, cut to 4,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Tokens of its finished calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<TokenUsage>,
    /// Price of its calls, where the model has prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Place in its batch, from 0.
    pub sort_order: u32,
    /// When a worker first began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
}

/// The subagents of one delegating call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubagentBatch {
    /// The assistant message that they work for.
    pub parent_message_id: MessageId,
    /// The call that delegated them.
    pub batch_id: String,
    /// Shown to people.
    pub title: String,
    /// How many of the run's subagents may be at work at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// In the order of the call.
    pub items: Vec<SubagentItem>,
    /// How many stand where.
    pub summary: BatchSummary,
}

/// How many subagents of a batch stand where. Those that timed out count as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchSummary {
    /// All.
    pub total: u32,
    /// Not begun.
    pub queued: u32,
    /// Under way.
    pub running: u32,
    /// Ended with an answer.
    pub completed: u32,
    /// Ended without one.
    pub failed: u32,
    /// Stopped.
    pub cancelled: u32,
}

/// The most characters of a goal that readers are shown in lists and events.
pub const GOAL_CHARS: usize = 2_000;
/// The most characters of an answer that readers are shown in lists and events.
pub const SUMMARY_CHARS: usize = 4_000;

impl From<&Subagent> for SubagentItem {
    fn from(s: &Subagent) -> Self {
        Self {
            id: s.id,
            name: s.name.clone(),
            source_type: s.source_type,
            agent_id: s.preset_agent_id,
            status: s.status,
            exit_reason: s.exit_reason,
            goal: text::cut(&s.goal, GOAL_CHARS),
            summary: s.summary.as_deref().map(|t| text::cut(t, SUMMARY_CHARS)),
            error: s.error.clone(),
            token_usage: s.token_usage,
            cost: s.result_payload.as_ref().and_then(|p| p.cost),
            sort_order: s.sort_order,
            started_at: s.started_at,
            ended_at: s.ended_at,
        }
    }
}

impl BatchSummary {
    /// Counts.
    pub fn of(statuses: impl Iterator<Item = SubagentStatus>) -> Self {
        let mut sum = Self::default();
        for status in statuses {
            sum.total += 1;
            match status {
                SubagentStatus::Queued => sum.queued += 1,
                SubagentStatus::Running => sum.running += 1,
                SubagentStatus::Completed => sum.completed += 1,
                SubagentStatus::Failed | SubagentStatus::TimedOut => sum.failed += 1,
                SubagentStatus::Cancelled => sum.cancelled += 1,
            }
        }
        sum
    }
}

impl SubagentBatch {
    /// Adds or replaces one of its subagents, and counts anew.
    pub fn put(&mut self, item: SubagentItem) {
        match self.items.iter_mut().find(|i| i.id == item.id) {
            Some(known) => *known = item,
            None => {
                let at = self.items.partition_point(|i| i.sort_order < item.sort_order);
                self.items.insert(at, item);
            }
        }
        let total = self.summary.total;
        self.summary = BatchSummary::of(self.items.iter().map(|i| i.status));
        self.summary.total = self.summary.total.max(total);
    }
}

/// Groups the subagents of one run into its batches, in the order in which they were delegated.
/// The run's journal names each by its call.
pub fn batches(subagents: &[Subagent], journal: &Journal) -> Vec<SubagentBatch> {
    let mut all: Vec<SubagentBatch> = Vec::new();
    for subagent in subagents {
        let batch_id = &subagent.parent_tool_call_id;
        let at = all.iter().position(|b| b.batch_id == *batch_id).unwrap_or_else(|| {
            let (title, limit) = journal.batch(batch_id).unzip();
            all.push(SubagentBatch {
                parent_message_id: subagent.parent_message_id,
                batch_id: batch_id.clone(),
                title: title.map_or_else(|| text::cut(&subagent.goal, TITLE_CHARS), str::to_owned),
                limit: limit.flatten(),
                items: Vec::new(),
                summary: BatchSummary::default(),
            });
            all.len() - 1
        });
        all[at].put(subagent.into());
    }
    all
}

/// The most characters of a batch's title.
pub const TITLE_CHARS: usize = 80;

/// One entry of the result that a supervisor reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultEntry {
    /// By which `read_result` finds the whole text.
    pub id: SubagentId,
    /// Its name.
    pub agent: String,
    /// How it ended.
    pub status: SubagentStatus,
    /// Why it ended so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_reason: Option<Reason>,
    /// Its answer, as much as the budget allows.
    pub summary: String,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Tokens of its finished calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<TokenUsage>,
    /// From its start to its end.
    pub duration_ms: u64,
    /// The summary is cut: `read_result` has the rest.
    pub truncated: bool,
}

/// Characters of all summaries of one batch together that go into the supervisor's journal.
const RESULT_BUDGET: usize = 40_000;
/// Characters of one summary at most.
const ENTRY_BUDGET: usize = 12_000;

/// The results of batches that have ended and whose calls the journal shows as open: rows that have
/// ended do not change, so whoever derives them derives the same.
pub fn batch_results(journal: &Journal, subagents: &[Subagent]) -> Vec<ToolResult> {
    let handed_over = journal.open_calls().into_iter().filter(|c| journal.was_handed_over(&c.id));
    handed_over.filter_map(|call| batch_result(call, subagents)).collect()
}

/// None: it is no batch's call, or not all of them have ended.
fn batch_result(call: &ToolCall, subagents: &[Subagent]) -> Option<ToolResult> {
    let mut batch: Vec<&Subagent> = subagents.iter().filter(|s| s.parent_tool_call_id == call.id).collect();
    batch.sort_by_key(|s| s.sort_order);
    if batch.iter().any(|s| !s.status.is_terminal()) {
        return None;
    }
    let began = batch.iter().map(|s| s.create_time).min()?;
    let ended = batch.iter().filter_map(|s| s.ended_at).max().unwrap_or(began);
    Some(ToolResult {
        tool_call_id: call.id.clone(),
        name: call.name.clone(),
        status: ToolStatus::Ok,
        text: result_text(&batch),
        duration_ms: (ended - began).num_milliseconds().max(0) as u64,
    })
}

/// What the supervisor reads of a batch that ended: a JSON list in the order of the call.
fn result_text(batch: &[&Subagent]) -> String {
    let budget = (RESULT_BUDGET / batch.len().max(1)).min(ENTRY_BUDGET);
    let entries: Vec<ResultEntry> = batch.iter().map(|s| result_entry(s, budget)).collect();
    // Strings, numbers and enums only: this cannot fail.
    serde_json::to_string(&entries).unwrap_or_else(|_| "[]".to_owned())
}

fn result_entry(subagent: &Subagent, budget: usize) -> ResultEntry {
    let whole = subagent.summary.as_deref().unwrap_or_default();
    let summary = text::cut(whole, budget);
    let millis = subagent.started_at.zip(subagent.ended_at).map(|(from, to)| (to - from).num_milliseconds());
    ResultEntry {
        id: subagent.id,
        agent: subagent.name.clone(),
        status: subagent.status,
        exit_reason: subagent.exit_reason,
        truncated: summary != whole,
        summary,
        error: subagent.error.clone(),
        token_usage: subagent.token_usage,
        duration_ms: millis.unwrap_or(0).max(0) as u64,
    }
}
