//! `todo_write`: the agent's plan, shown to the reader as it changes.

use super::{Call, Outcome, Output, Tool};
use async_trait::async_trait;
use serde_json::{Value, json};
use shared::domain::events::Event;
use shared::domain::todos::{TodoItem, TodoStatus};
use shared::domain::tools::Effect;
use shared::domain::view::PLAN_TOOL;

/// Replaces the plan.
pub struct TodoWrite;

/// A plan longer than this helps nobody.
const MAX_ITEMS: usize = 50;

#[async_trait]
impl Tool for TodoWrite {
    fn name(&self) -> &'static str {
        PLAN_TOOL
    }

    fn description(&self) -> &'static str {
        "Writes your plan for this task, which the user sees. Send the whole list each time; \
         keep one item in progress."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "maxItems": MAX_ITEMS,
                    "items": {
                        "type": "object",
                        "properties": {
                            "content": {"type": "string", "minLength": 1, "maxLength": 500},
                            "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]}
                        },
                        "required": ["content", "status"],
                        "additionalProperties": false
                    }
                }
            },
            "required": ["items"],
            "additionalProperties": false
        })
    }

    fn effect(&self) -> Effect {
        // The same list written twice is the same list.
        Effect::Idempotent
    }

    async fn run(&self, call: Call) -> Output {
        let items = call.arguments.get("items").cloned().unwrap_or_default();
        match serde_json::from_value::<Vec<TodoItem>>(items) {
            Ok(items) => {
                let done = items.iter().filter(|i| i.status == TodoStatus::Completed).count();
                let text = format!("Plan saved: {} items, {done} completed.", items.len());
                Output { outcome: Outcome::Done(text), event: Some(Event::TodoUpdate { items }) }
            }
            Err(e) => Output::error(format!("The plan was not saved: {e}")),
        }
    }
}
