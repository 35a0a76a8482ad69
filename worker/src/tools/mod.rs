//! Tools: what a model can call. A [`Toolbox`] holds specification and handler together, so what the
//! model sees is exactly what can run.

mod get_time;
mod todo_write;
mod toolbox;

pub use toolbox::{BadTool, Catalogue, Checked, Toolbox};

use async_trait::async_trait;
use serde_json::{Map, Value};
use shared::domain::events::Event;
use shared::domain::tools::{Effect, Flags};
use std::sync::Arc;

/// The tools that every worker has. A new one is added here and nowhere else.
pub fn builtin() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(get_time::GetTime), Arc::new(todo_write::TodoWrite)]
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

    /// Runs one call. The arguments fit the schema.
    async fn run(&self, call: Call) -> Output;
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
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// What the model reads: the result, or why there is none.
    pub text: Result<String, String>,
    /// What readers are told besides.
    pub event: Option<Event>,
}

impl Output {
    /// A result.
    pub fn ok(text: impl Into<String>) -> Self {
        Self { text: Ok(text.into()), event: None }
    }

    /// A failure that the model can react to.
    pub fn error(text: impl Into<String>) -> Self {
        Self { text: Err(text.into()), event: None }
    }
}
