//! What a model has said so far: kept whole for the response, handed out once per network read.

use super::DeltaSink;
use shared::domain::conversation::Delta;
use shared::domain::text;

/// Text and thinking of one response under way.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    pub text: String,
    pub thinking: String,
    shown_text: usize,
    shown_thinking: usize,
}

impl Spoken {
    /// Adds to the answer; says whether there was anything.
    pub fn say(&mut self, more: &str) -> bool {
        self.text.push_str(&text::clean(more));
        !more.is_empty()
    }

    /// Adds to the thinking; says whether there was anything.
    pub fn think(&mut self, more: &str) -> bool {
        self.thinking.push_str(&text::clean(more));
        !more.is_empty()
    }

    /// Hands out what came since the last time.
    pub fn show(&mut self, out: DeltaSink<'_>) {
        if let Some(new) = self.thinking.get(self.shown_thinking..).filter(|s| !s.is_empty()) {
            out(Delta::Thinking(new.to_owned()));
            self.shown_thinking = self.thinking.len();
        }
        if let Some(new) = self.text.get(self.shown_text..).filter(|s| !s.is_empty()) {
            out(Delta::Text(new.to_owned()));
            self.shown_text = self.text.len();
        }
    }
}
