//! Questions of the turn, and the lines that a person types to answer them.

use serde_json::Value;
use std::fmt::Write;
use std::io::BufRead;
use tokio::sync::mpsc;

/// The open questions, the one that is to be answered next first.
#[derive(Debug, Default)]
pub struct Questions {
    open: Vec<Question>,
    lines: Option<mpsc::UnboundedReceiver<String>>,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// By which it is answered.
    pub pause_id: i64,
    text: String,
    options: Vec<String>,
}

impl Questions {
    /// Takes in an event. Some: what is to be shown now.
    pub fn take(&mut self, event: &Value) -> Option<String> {
        let data = &event["data"];
        let before = self.open.first().cloned();
        match event["type"].as_str().unwrap_or_default() {
            "clarify_request" => self.open.extend(Question::of(data).filter(|q| !self.knows(q))),
            "pause_answered" => self.open.retain(|q| Some(q.pause_id) != data["pauseId"].as_i64()),
            "resync" => {
                let all = data["pauses"].as_array().map(Vec::as_slice).unwrap_or_default();
                self.open = all.iter().filter_map(Question::of).collect();
            }
            "done" | "error" => self.open.clear(),
            _ => return None,
        }
        let first = self.open.first();
        first.filter(|q| Some(*q) != before.as_ref()).map(Question::shown)
    }

    fn knows(&self, question: &Question) -> bool {
        self.open.iter().any(|q| q.pause_id == question.pause_id)
    }

    /// The next line, as the answer to the first question. Never, where nothing is asked or nobody
    /// types.
    pub async fn answer(&mut self) -> (i64, String) {
        let Some(question) = self.open.first() else { return std::future::pending().await };
        let lines = self.lines.get_or_insert_with(read_lines);
        loop {
            match lines.recv().await {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => return (question.pause_id, question.answer(line.trim())),
                None => return std::future::pending().await,
            }
        }
    }

    /// The answer is on its way: the next question is next.
    pub fn answered(&mut self, pause_id: i64) -> Option<String> {
        self.open.retain(|q| q.pause_id != pause_id);
        self.open.first().map(Question::shown)
    }
}

impl Question {
    fn of(data: &Value) -> Option<Self> {
        let options = data["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        Some(Self {
            pause_id: data["pauseId"].as_i64()?,
            text: data["question"].as_str().unwrap_or_default().to_owned(),
            options: options.iter().filter_map(|o| o.as_str().map(str::to_owned)).collect(),
        })
    }

    fn shown(&self) -> String {
        let mut shown = format!("? {}", self.text);
        for (n, option) in (1..).zip(&self.options) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\n  {n}. {option}");
        }
        shown
    }

    /// A number names an option; anything else is the answer itself.
    fn answer(&self, line: &str) -> String {
        let chosen = line.parse::<usize>().ok().and_then(|n| self.options.get(n.checked_sub(1)?));
        chosen.cloned().unwrap_or_else(|| line.to_owned())
    }
}

/// A thread of its own: reading a terminal cannot be given up, and must not keep the process.
fn read_lines() -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ask(id: i64, question: &str, options: &[&str]) -> Value {
        let data = json!({"pauseId": id, "kind": "clarify", "question": question, "options": options});
        json!({"type": "clarify_request", "data": data})
    }

    #[test]
    fn one_question_is_shown_at_a_time() {
        let mut all = Questions::default();
        let first = all.take(&ask(1, "Which?", &["red", "blue"])).unwrap();
        assert_eq!(first, "? Which?\n  1. red\n  2. blue");
        assert_eq!(all.take(&ask(2, "Why?", &[])), None);
        assert_eq!(all.take(&ask(1, "Which?", &["red", "blue"])), None, "told again");
        let elsewhere = json!({"type": "pause_answered", "data": {"pauseId": 1}});
        assert_eq!(all.take(&elsewhere), Some("? Why?".to_owned()));
        assert_eq!(all.answered(2), None);
    }

    #[test]
    fn a_number_names_an_option() {
        let question = Question::of(&ask(1, "Which?", &["red", "blue"])["data"]).unwrap();
        let answers = ["2", "green", "0", "3"].map(|line| question.answer(line));
        assert_eq!(answers, ["blue", "green", "0", "3"]);
    }
}
