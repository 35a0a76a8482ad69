//! Tools that count how often each key was run.

use crate::tools::{Call, Output, Tool};
use async_trait::async_trait;
use serde_json::{Value, json};
use shared::domain::tools::Effect;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// A tool of a chosen effect.
pub struct Counting {
    pub name: &'static str,
    pub effect: Effect,
    pub runs: Arc<Runs>,
}

/// What a counting tool was asked.
#[derive(Default)]
pub struct Runs {
    pub by_key: Mutex<BTreeMap<String, usize>>,
    /// A call whose arguments say `hold` waits for this.
    pub release: Notify,
    pub begun: Notify,
}

impl Runs {
    pub fn counts(&self) -> Vec<usize> {
        self.by_key.lock().unwrap().values().copied().collect()
    }
}

#[async_trait]
impl Tool for Counting {
    fn name(&self) -> &'static str {
        self.name
    }

    fn description(&self) -> &'static str {
        "Counts."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object"})
    }

    fn effect(&self) -> Effect {
        self.effect
    }

    async fn run(&self, call: Call) -> Output {
        *self.runs.by_key.lock().unwrap().entry(call.idempotency_key).or_default() += 1;
        self.runs.begun.notify_one();
        match call.arguments.get("do").and_then(Value::as_str) {
            Some("hold") => self.runs.release.notified().await,
            Some("panic") => panic!("as asked"),
            _ => {}
        }
        Output::ok(call.arguments.get("say").and_then(Value::as_str).unwrap_or("done"))
    }
}
