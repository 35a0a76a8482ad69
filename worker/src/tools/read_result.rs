//! `read_result`: the whole answer of a subagent, where the batch's result had to cut it.

use super::{Call, Output, Tool};
use async_trait::async_trait;
use serde_json::{Value, json};
use shared::domain::delegation::READ_RESULT;
use shared::domain::ids::SubagentId;
use shared::domain::tools::{Effect, Flags};
use shared::store::{Db, subagents};

/// Reads answers of the run's own subagents, and of nobody else's.
pub struct ReadResult {
    db: Db,
}

impl ReadResult {
    /// Reads from this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

/// Characters of one page.
const PAGE_CHARS: usize = 20_000;

#[async_trait]
impl Tool for ReadResult {
    fn name(&self) -> &'static str {
        READ_RESULT
    }

    fn description(&self) -> &'static str {
        "Reads the whole text of one of your subagents' results, where it was truncated. Long texts come in \
         pages: go on with the offset that the page names."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "id": {"type": "integer", "description": "The id of the result's entry."},
                "offset": {"type": "integer", "minimum": 0, "description": "Characters to skip; 0 when left out."}
            },
            "required": ["id"],
            "additionalProperties": false
        })
    }

    fn flags(&self) -> Flags {
        Flags { delegates: true, ..Flags::default() }
    }

    fn effect(&self) -> Effect {
        Effect::Pure
    }

    async fn run(&self, call: Call) -> Output {
        let number = |name: &str| call.arguments.get(name).and_then(Value::as_i64);
        let id = SubagentId(number("id").unwrap_or_default());
        let offset = usize::try_from(number("offset").unwrap_or(0)).unwrap_or(usize::MAX);
        match subagents::find(&self.db, call.run.tenant_id, id).await {
            Ok(Some(subagent)) if subagent.parent_run_id == call.run.run_id => {
                page(subagent.summary.as_deref().unwrap_or_default(), offset)
            }
            Ok(_) => Output::error(format!("You have no subagent with the id {id}.")),
            Err(error) => {
                tracing::warn!(subagent_id = %id, %error, "a result can't be read");
                Output::error("The result can't be read now. Try again.")
            }
        }
    }
}

fn page(whole: &str, offset: usize) -> Output {
    let total = whole.chars().count();
    if offset >= total && !(offset == 0 && total == 0) {
        return Output::error(format!(
            "The text has {total} characters: the offset {offset} is beyond them."
        ));
    }
    let text: String = whole.chars().skip(offset).take(PAGE_CHARS).collect();
    let end = offset + text.chars().count();
    Output::ok(if total == 0 {
        "The subagent left no text.".to_owned()
    } else if end < total {
        format!("{text}\n\n(Characters {offset} to {end} of {total}. Next offset: {end}.)")
    } else {
        text
    })
}
