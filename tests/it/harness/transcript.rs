//! What a reader makes of the events of one turn, checked while they come: numbers without gaps, one
//! last event, and the text that the deltas add up to.

use super::card::Card;
use serde_json::Value;

/// One turn as its reader sees it.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    /// Every event in the order of arrival.
    pub events: Vec<Value>,
    /// The text that is shown.
    pub text: String,
    /// The thinking that is shown.
    pub thinking: String,
    /// The log that is followed.
    pub epoch: Option<u64>,
    /// The last number of it.
    pub seq: u64,
    /// `done` or `error`.
    pub terminal: Option<Value>,
    /// The subagents as they are shown.
    pub card: Card,
    /// The card as the events before the last one add up to it.
    pub followed: Card,
    /// Whatever must not happen and did.
    pub faults: Vec<String>,
}

impl Transcript {
    /// Takes one event.
    pub fn add(&mut self, event: &Value) {
        let kind = event["type"].as_str().unwrap_or_default().to_owned();
        let (Some(seq), Some(epoch)) = (event["seq"].as_u64(), event["epoch"].as_u64()) else {
            self.faults.push(format!("an event without a number: {event}"));
            return;
        };
        let follows = self.epoch == Some(epoch) && seq == self.seq + 1;
        let begins = self.epoch.is_none() && seq == 1;
        if !follows && !begins && kind != "resync" {
            let at = (self.epoch, self.seq);
            self.faults.push(format!("{kind} {epoch}/{seq} does not follow {at:?}"));
        }
        if self.terminal.is_some() {
            self.faults.push(format!("{kind} {epoch}/{seq} after the last event"));
        }
        (self.epoch, self.seq) = (Some(epoch), seq);
        if matches!(kind.as_str(), "done" | "error") {
            self.followed = self.card.clone();
        }
        self.faults.extend(self.card.add(event));
        let data = &event["data"];
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "text_delta" => self.text.push_str(&text("text")),
            "thinking_delta" => self.thinking.push_str(&text("text")),
            "text_reset" => (self.text, self.thinking) = (text("text"), text("thinking")),
            "resync" => (self.text, self.thinking) = (text("content"), text("thinking")),
            "done" => {
                // The last event repeats the whole text; a reader that has followed knows it.
                if self.text != text("content") {
                    let (shown, told) = (self.text.len(), text("content").len());
                    self.faults.push(format!("shown text ({shown} bytes) differs from done's ({told})"));
                }
                self.terminal = Some(event.clone());
            }
            "error" => self.terminal = Some(event.clone()),
            _ => {}
        }
        self.events.push(event.clone());
    }

    /// For `Last-Event-ID`.
    pub fn last_event_id(&self) -> Option<String> {
        self.epoch.map(|epoch| format!("{epoch}-{}", self.seq))
    }

    /// Fails the test if anything happened that must not.
    #[track_caller]
    pub fn check(&self) {
        assert!(self.faults.is_empty(), "{:#?}\nevents: {:?}", self.faults, self.kinds());
    }

    /// The events' types, deltas in a row as one.
    pub fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> =
            self.events.iter().map(|e| e["type"].as_str().unwrap_or_default()).collect();
        kinds.dedup_by(|a, b| a == b && a.ends_with("_delta"));
        kinds
    }

    /// Events of one type.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|e| e["type"] == kind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(kind: &str, epoch: u64, seq: u64, data: &Value) -> Value {
        json!({ "type": kind, "epoch": epoch, "seq": seq, "data": data })
    }

    fn read(events: &[Value]) -> Transcript {
        let mut seen = Transcript::default();
        for event in events {
            seen.add(event);
        }
        seen
    }

    #[test]
    fn a_whole_stream_has_no_faults() {
        let seen = read(&[
            event("run_accepted", 1, 1, &json!({})),
            event("text_delta", 1, 2, &json!({ "text": "Hel" })),
            event("text_reset", 1, 3, &json!({ "text": "" })),
            event("text_delta", 1, 4, &json!({ "text": "Ho" })),
            event("resync", 2, 7, &json!({ "content": "Ho!" })),
            event("done", 2, 8, &json!({ "content": "Ho!" })),
        ]);
        assert_eq!((seen.faults.len(), seen.text.as_str()), (0, "Ho!"), "{:?}", seen.faults);
    }

    #[test]
    fn gaps_doubles_other_logs_and_lost_text_are_faults() {
        let begin = event("run_accepted", 1, 1, &json!({}));
        let done = |text: &str| event("done", 1, 2, &json!({ "content": text }));
        let table = [
            vec![begin.clone(), event("text_delta", 1, 3, &json!({ "text": "x" }))],
            vec![begin.clone(), event("text_delta", 1, 1, &json!({ "text": "x" }))],
            vec![begin.clone(), event("text_delta", 2, 1, &json!({ "text": "x" }))],
            vec![event("text_delta", 1, 2, &json!({ "text": "x" }))],
            vec![begin.clone(), done("never shown")],
            vec![begin, done(""), event("done", 1, 3, &json!({ "content": "" }))],
        ];
        for events in table {
            assert_eq!(read(&events).faults.len(), 1, "{events:?}");
        }
    }
}
