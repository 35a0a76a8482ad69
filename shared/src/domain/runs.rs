//! The state machine of a run.

use super::agents::AgentSpec;
use super::delegation::{Budget, Delegation};
use super::ids::{AgentId, MessageId, ModelId, RunId, SessionId, TenantId, WorkerId};
use super::models::{self, ModelLimits, Provider};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use url::Origin;
use utoipa::ToSchema;

/// What a run executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// A turn of a session.
    Chat,
    /// One delegated goal of a chat run.
    Subagent,
    /// A crew's master.
    CrewMaster,
    /// A crew member's task.
    CrewTask,
}

impl RunKind {
    const ALL: [Self; 4] = [Self::Chat, Self::Subagent, Self::CrewMaster, Self::CrewTask];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Subagent => "subagent",
            Self::CrewMaster => "crew_master",
            Self::CrewTask => "crew_task",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == s)
    }
}

/// Where a run stands.
///
/// `queued` runs wait for a worker, their session, or a model's limit; `running` ones have a lease;
/// the last three are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Due as soon as its session is free and `due_at` has come.
    Queued,
    /// A child beyond its parent's concurrency.
    Held,
    /// A worker holds its lease, or held it and died.
    Running,
    /// Its children work.
    Waiting,
    /// A person was asked.
    Paused,
    /// Ended with an answer.
    Completed,
    /// Ended without one; the reason says why.
    Failed,
    /// Ended because somebody stopped it.
    Cancelled,
}

impl RunStatus {
    const ALL: [Self; 8] = [
        Self::Queued,
        Self::Held,
        Self::Running,
        Self::Waiting,
        Self::Paused,
        Self::Completed,
        Self::Failed,
        Self::Cancelled,
    ];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Held => "held",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == s)
    }

    /// How a run ends that is stopped for this reason: a limit is a failure, a wish is not.
    pub fn of_stop(reason: Reason) -> Self {
        match reason {
            Reason::WallTime | Reason::IdleTime | Reason::Budget => Self::Failed,
            _ => Self::Cancelled,
        }
    }

    /// Final: nothing changes the run any more.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::Cancelled => true,
            Self::Queued | Self::Held | Self::Running | Self::Waiting | Self::Paused => false,
        }
    }
}

/// Why a run waits or how it ended, by a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An earlier turn of the session is live.
    SessionBusy,
    /// The model's concurrency, rate or Retry-After.
    ModelLimit,
    /// Its supervisor's limit of subagents at the same time.
    ParentConcurrency,
    /// A person was asked, and has not answered.
    Question,
    /// Tokens or money of the whole tree are used up.
    Budget,
    /// The run that delegated it ended, or was stopped.
    ParentEnded,
    /// Handed back by a worker that shut down, or after each step under `NETA_ALWAYS_SUSPEND`.
    HandedBack,
    /// Rounds of tool calls are used up; the answer is the best that was possible.
    ToolRounds,
    /// Wall time from start is used up.
    WallTime,
    /// Nothing happened for the idle limit.
    IdleTime,
    /// The same call was made again and again.
    RepeatedCalls,
    /// Its worker died at the same point on every attempt.
    Poisoned,
    /// The model said nothing, also when asked again.
    EmptyAnswer,
    /// The model's output limit cut the answer.
    OutputLimit,
    /// The provider withheld the answer.
    ContentFilter,
    /// A person or program stopped it.
    Stopped,
    /// A later message of the session took its place.
    Interrupted,
    /// Its session or turn was deleted.
    Deleted,
    /// Its agent or model no longer exists.
    AgentGone,
    /// The provider refused the key.
    ModelAuth,
    /// The model's address leads where it may not.
    ModelAddressBlocked,
    /// The provider refused the request, or does not know the model.
    ModelRequest,
    /// The conversation does not fit the model's window.
    ContextLength,
    /// The provider could not be reached, or failed on every attempt.
    ModelUnavailable,
    /// The provider went silent on every attempt.
    LlmIdleTimeout,
    /// A fault of Neta itself.
    Internal,
}

impl Reason {
    const ALL: [Self; 26] = [
        Self::SessionBusy,
        Self::ModelLimit,
        Self::ParentConcurrency,
        Self::Question,
        Self::Budget,
        Self::ParentEnded,
        Self::HandedBack,
        Self::ToolRounds,
        Self::WallTime,
        Self::IdleTime,
        Self::RepeatedCalls,
        Self::Poisoned,
        Self::EmptyAnswer,
        Self::OutputLimit,
        Self::ContentFilter,
        Self::Stopped,
        Self::Interrupted,
        Self::Deleted,
        Self::AgentGone,
        Self::ModelAuth,
        Self::ModelAddressBlocked,
        Self::ModelRequest,
        Self::ContextLength,
        Self::ModelUnavailable,
        Self::LlmIdleTimeout,
        Self::Internal,
    ];

    /// As stored and shown to programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionBusy => "session_busy",
            Self::ModelLimit => "model_limit",
            Self::ParentConcurrency => "parent_concurrency",
            Self::Question => "question",
            Self::Budget => "budget",
            Self::ParentEnded => "parent_ended",
            Self::HandedBack => "handed_back",
            Self::ToolRounds => "tool_rounds",
            Self::WallTime => "wall_time",
            Self::IdleTime => "idle_time",
            Self::RepeatedCalls => "repeated_calls",
            Self::Poisoned => "poisoned",
            Self::EmptyAnswer => "empty_answer",
            Self::OutputLimit => "output_limit",
            Self::ContentFilter => "content_filter",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
            Self::Deleted => "deleted",
            Self::AgentGone => "agent_gone",
            Self::ModelAuth => "model_auth",
            Self::ModelAddressBlocked => "model_address_blocked",
            Self::ModelRequest => "model_request",
            Self::ContextLength => "context_length",
            Self::ModelUnavailable => "model_unavailable",
            Self::LlmIdleTimeout => "llm_idle_timeout",
            Self::Internal => "internal",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.as_str() == s)
    }

    /// Why a run failed, for people, where nobody knows more.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::WallTime => {
                "The time for this answer is used up. Ask for less at once, or raise the agent's limit."
            }
            Self::IdleTime => "Nothing happened for too long. Try again.",
            Self::Poisoned => {
                "The worker died on this turn each time it was tried. It is not tried again by itself."
            }
            Self::EmptyAnswer => {
                "The model gave no answer, also when it was asked again. Try again or rephrase."
            }
            Self::OutputLimit => {
                "The model's output limit left no room for an answer. Raise it or ask for less."
            }
            Self::ContentFilter => "The provider withheld the answer. Rephrase the message.",
            Self::ContextLength => {
                "The message does not fit the model's context window. Shorten it or use another model."
            }
            Self::AgentGone => "The agent or its model no longer exists. Choose another agent.",
            Self::ToolRounds | Self::RepeatedCalls => {
                "The limit of tool calls was reached without an answer."
            }
            Self::Budget => "The budget for this answer is used up. Raise the agent's, or ask for less.",
            _ => "The turn failed by a fault of the server. Try again.",
        }
    }
}

/// What a later message does to a session that is busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// It waits its turn.
    #[default]
    Enqueue,
    /// It is refused with 409.
    Reject,
    /// The live turn, and those that wait, are cancelled; this one comes next.
    Interrupt,
}

/// A run as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Primary key.
    pub id: RunId,
    /// Owner.
    pub tenant_id: TenantId,
    /// The session it belongs to.
    pub session_id: SessionId,
    /// What it executes.
    pub kind: RunKind,
    /// The run that delegated it.
    pub parent_run_id: Option<RunId>,
    /// The top of its tree; itself for a chat run.
    pub root_run_id: RunId,
    /// The agent it executes.
    pub agent_id: AgentId,
    /// The message it answers.
    pub user_message_id: MessageId,
    /// The placeholder, later the answer.
    pub assistant_message_id: MessageId,
    /// Where it stands.
    pub status: RunStatus,
    /// Why it waits, or how it ended.
    pub reason: Option<Reason>,
    /// The agent's resolved configuration; None until its first step is stored.
    pub snapshot: Option<Snapshot>,
    /// Why somebody wants it stopped; None: nobody does.
    pub cancel_reason: Option<Reason>,
    /// Times that a worker began at the step that comes next; whoever stored the last one has.
    pub attempts: i32,
    /// Number of steps in its journal.
    pub step_count: i64,
    /// Who holds its lease.
    pub lease_owner: Option<WorkerId>,
    /// Grows with each claim; part of every write's condition.
    pub lease_epoch: i64,
    /// When the lease ends, by the database's clock.
    pub lease_expires_at: Option<DateTime<Utc>>,
    /// Not before this.
    pub due_at: DateTime<Utc>,
    /// W3C `traceparent` of the request that made it.
    pub traceparent: Option<String>,
    /// When it was accepted.
    pub create_time: DateTime<Utc>,
    /// When a worker first began it.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// Milliseconds that it waited for nothing but a person: its wall time stands still meanwhile.
    pub paused_ms: i64,
}

/// A run as the list of messages shows it beside its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// The agent it executes.
    pub agent_id: AgentId,
    /// That agent's name when the run began; now, if it hasn't.
    pub agent_name: Option<String>,
    /// The provider's name of its model; None: it ended before it began.
    pub model_name: Option<String>,
    /// Where it stands.
    pub status: RunStatus,
    /// When a worker first began it.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

/// The configuration that a run keeps from its first step on, whatever becomes of its agent.
/// Never holds a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// The agent's definition.
    pub agent: AgentSpec,
    /// Its model.
    pub model: ModelSnapshot,
    /// How it may delegate; None: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delegation: Option<Delegation>,
    /// What its whole tree may use; of a root only.
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
}

/// The model of a snapshot: all but the key, which the worker looks up at call time by `model_id`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelSnapshot {
    /// Where the key is looked up.
    pub model_id: ModelId,
    /// Dialect.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached; None: the provider's own address.
    pub base_url: Option<String>,
    /// An operator stored this address: it may lead into private networks. Runs that began before
    /// there were others had operators' models only.
    #[serde(default = "yes")]
    pub trusted_host: bool,
    /// Limits and prices.
    pub limits: ModelLimits,
}

fn yes() -> bool {
    true
}

impl ModelSnapshot {
    /// The server that is called, and the only one that a key is sent to.
    pub fn server(&self) -> Option<Origin> {
        models::server(self.provider, self.base_url.as_deref())
    }
}

/// A worker's right to advance one run: part of the condition of every write it makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The run.
    pub run_id: RunId,
    /// Who holds it.
    pub owner: WorkerId,
    /// The claim's number.
    pub epoch: i64,
}
