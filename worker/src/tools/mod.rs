//! Tools: what a model can call. A [`Toolbox`] holds specification and handler together, so what the
//! model sees is exactly what can run.

mod clarify;
mod delegate;
mod get_time;
mod read_result;
#[cfg(test)]
mod tests;
mod todo_write;
mod toolbox;

pub use toolbox::{BadTool, Catalogue, Checked, Toolbox};

use async_trait::async_trait;
use serde_json::{Map, Value};
use shared::domain::delegation::{Delegation, Handover};
use shared::domain::events::Event;
use shared::domain::ids::{RunId, SessionId, TenantId};
use shared::domain::tools::{Effect, Flags};
use shared::store::Db;
use std::sync::Arc;

/// The tools that every worker has, in the order in which models see them. A new one is added here
/// and nowhere else.
pub fn builtin(db: &Db) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(get_time::GetTime),
        Arc::new(todo_write::TodoWrite),
        Arc::new(clarify::Clarify),
        Arc::new(delegate::Delegate::parallel()),
        Arc::new(delegate::Delegate::single()),
        Arc::new(read_result::ReadResult::new(db.clone())),
    ]
}

/// Something that a model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Unique; `[a-zA-Z0-9_-]{1,64}`.
    fn name(&self) -> &'static str;

    /// For the model.
    fn description(&self) -> &'static str;

    /// JSON Schema of the arguments, an object.
    fn parameters(&self) -> Value;

    /// What it can do besides its own work.
    fn flags(&self) -> Flags {
        Flags::default()
    }

    /// What repeating an interrupted call does.
    fn effect(&self) -> Effect;

    /// It does nothing itself: others give its result, unless the call is refused.
    fn hands_over(&self) -> bool {
        false
    }

    /// The tool as one supervisor has it, where its specification depends on what that may delegate;
    /// None: it is the same for all.
    fn for_supervisor(&self, _supervisor: &Supervisor<'_>) -> Option<Special> {
        None
    }

    /// Brings other known forms of the arguments into that of the schema, before they are checked by
    /// it. An error is the result that the model reads; nothing runs then.
    fn tidy(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, String> {
        Ok(arguments)
    }

    /// Runs one call. The arguments fit the schema.
    async fn run(&self, call: Call) -> Output;
}

/// What a run may delegate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor<'a> {
    /// Its settings.
    pub delegation: &'a Delegation,
    /// Tools that its copies can have.
    pub clone_tools: Vec<String>,
    /// Tools that stored agents can have under it, as far as their own lists allow them.
    pub preset_tools: Vec<String>,
}

/// A tool made for one run.
pub struct Special {
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub parameters: Value,
    /// What runs.
    pub tool: Arc<dyn Tool>,
}

/// One call, checked.
#[derive(Debug, Clone)]
pub struct Call {
    /// Fit the schema.
    pub arguments: Map<String, Value>,
    /// The same for every attempt of this call and for no other.
    pub idempotency_key: String,
    /// Now.
    pub now: chrono::DateTime<chrono::Utc>,
    /// Whose call it is.
    pub run: RunScope,
}

/// The run that calls, for tools that look at its own data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunScope {
    /// Owner.
    pub tenant_id: TenantId,
    /// Its session.
    pub session_id: SessionId,
    /// Itself.
    pub run_id: RunId,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The result, or what stands in its place.
    pub outcome: Outcome,
    /// What readers are told besides.
    pub event: Option<Event>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With a result, which the model reads.
    Done(String),
    /// With a failure that the model can react to.
    Failed(String),
    /// It has not: others give its result.
    HandedOver(Handover),
}

impl Output {
    /// A result.
    pub fn ok(text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Done(text.into()), event: None }
    }

    /// A failure that the model can react to.
    pub fn error(text: impl Into<String>) -> Self {
        Self { outcome: Outcome::Failed(text.into()), event: None }
    }

    /// Others give the result.
    pub fn handover(to: Handover) -> Self {
        Self { outcome: Outcome::HandedOver(to), event: None }
    }
}
