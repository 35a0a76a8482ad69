//! `clarify`: asks the user, and has the run wait for the answer.

use super::{Call, Output, Tool};
use async_trait::async_trait;
use serde_json::{Value, json};
use shared::domain::delegation::{CLARIFY, Handover};
use shared::domain::tools::{Effect, Flags};

/// Asks.
pub struct Clarify;

const MAX_QUESTION_CHARS: usize = 2_000;
const MAX_OPTIONS: usize = 10;
const MAX_OPTION_CHARS: usize = 200;

#[async_trait]
impl Tool for Clarify {
    fn name(&self) -> &'static str {
        CLARIFY
    }

    fn description(&self) -> &'static str {
        "Asks the user one question and waits for the answer. Use it only where you can't go on without: \
         where a guess would likely be wrong and costly. Offer options where the answers are few."
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION_CHARS},
                "options": {
                    "type": "array",
                    "description": "Answers to choose from. The user may give another one.",
                    "maxItems": MAX_OPTIONS,
                    "items": {"type": "string", "minLength": 1, "maxLength": MAX_OPTION_CHARS}
                }
            },
            "required": ["question"],
            "additionalProperties": false
        })
    }

    fn flags(&self) -> Flags {
        Flags { asks_user: true, ..Flags::default() }
    }

    fn effect(&self) -> Effect {
        // One call asks once: its run stores the question under the call's id.
        Effect::Idempotent
    }

    fn hands_over(&self) -> bool {
        true
    }

    async fn run(&self, call: Call) -> Output {
        let question = call.arguments.get("question").and_then(Value::as_str).unwrap_or_default().trim();
        if question.is_empty() {
            return Output::error("Nothing was asked: the question is blank.");
        }
        let options = call.arguments.get("options").and_then(Value::as_array).into_iter().flatten();
        let mut offered: Vec<String> = Vec::new();
        for option in options.filter_map(Value::as_str).map(str::trim) {
            if !option.is_empty() && !offered.iter().any(|o| o == option) {
                offered.push(option.to_owned());
            }
        }
        Output::handover(Handover::Ask { question: question.to_owned(), options: offered })
    }
}
