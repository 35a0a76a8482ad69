//! What a reader makes of the events of a turn's subagents: the card as it is shown.

use serde_json::{Value, json};

/// The batches of one turn as its reader sees them, in the form of `metadata.subagents`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Card {
    /// The batches in order.
    pub batches: Vec<Value>,
    /// Every status that each subagent was shown in, by its id.
    pub seen: Vec<(i64, String)>,
}

/// Whether a subagent in this status is over.
pub fn is_over(status: &Value) -> bool {
    matches!(status.as_str(), Some("completed" | "failed" | "timed_out" | "cancelled"))
}

/// How many of these items stand where.
pub fn count(items: &[Value]) -> Value {
    let of = |kinds: &[&str]| {
        items.iter().filter(|i| kinds.contains(&i["status"].as_str().unwrap_or_default())).count()
    };
    json!({
        "total": items.len(), "queued": of(&["queued"]), "running": of(&["running"]),
        "completed": of(&["completed"]), "failed": of(&["failed", "timed_out"]),
        "cancelled": of(&["cancelled"]),
    })
}

impl Card {
    /// Takes one event; tells what must not happen and did.
    pub fn add(&mut self, event: &Value) -> Vec<String> {
        let data = &event["data"];
        match event["type"].as_str() {
            Some("subagent_batch_start") => self.start(data),
            Some("subagent_update") => self.update(data),
            Some("subagent_done") => self.done(data),
            Some("resync" | "done") => {
                self.batches = data["subagents"].as_array().cloned().unwrap_or_default();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn start(&mut self, data: &Value) -> Vec<String> {
        let total = &data["total"];
        match self.batches.iter().find(|b| b["batchId"] == data["batchId"]) {
            Some(known) if known["summary"]["total"] == *total => Vec::new(),
            Some(known) => vec![format!("a batch began as {known} and as {data}")],
            None => {
                let batch = self.batch(data);
                batch["title"] = data["title"].clone();
                batch["limit"] = data["limit"].clone();
                batch["summary"]["total"] = total.clone();
                Vec::new()
            }
        }
    }

    fn batch(&mut self, data: &Value) -> &mut Value {
        let at = self.batches.iter().position(|b| b["batchId"] == data["batchId"]).unwrap_or_else(|| {
            self.batches.push(json!({
                "parentMessageId": data["parentMessageId"], "batchId": data["batchId"],
                "title": "", "items": [], "summary": count(&[]),
            }));
            self.batches.len() - 1
        });
        &mut self.batches[at]
    }

    fn update(&mut self, data: &Value) -> Vec<String> {
        let new = data["subagent"].clone();
        let id = new["id"].as_i64().unwrap_or_default();
        self.seen.push((id, new["status"].as_str().unwrap_or_default().to_owned()));
        let batch = self.batch(data);
        let total = batch["summary"]["total"].clone();
        let mut items = batch["items"].as_array().cloned().unwrap_or_default();
        let mut faults = Vec::new();
        match items.iter_mut().find(|i| i["id"] == new["id"]) {
            Some(old) => {
                if is_over(&old["status"]) && *old != new {
                    faults.push(format!("a subagent that was over changed: {old} {new}"));
                }
                *old = new;
            }
            None => items.push(new),
        }
        items.sort_by_key(|i| i["sortOrder"].as_u64());
        batch["summary"] = count(&items);
        if total.as_u64() > batch["summary"]["total"].as_u64() {
            batch["summary"]["total"] = total;
        }
        batch["items"] = items.into();
        faults
    }

    fn done(&mut self, data: &Value) -> Vec<String> {
        let batch = self.batch(data);
        batch["summary"] = data["summary"].clone();
        let open = |name: &str| batch["summary"][name] != 0;
        if open("queued") || open("running") {
            return vec![format!("a batch was done with live subagents: {data}")];
        }
        Vec::new()
    }

    /// All subagents, batch after batch.
    pub fn items(&self) -> Vec<&Value> {
        self.batches.iter().flat_map(|b| b["items"].as_array().into_iter().flatten()).collect()
    }

    /// The statuses of all subagents, batch after batch.
    pub fn statuses(&self) -> Vec<&str> {
        self.items().iter().map(|i| i["status"].as_str().unwrap_or_default()).collect()
    }

    /// The statuses through which one was seen to go, repetitions as one.
    pub fn way_of(&self, id: i64) -> Vec<&str> {
        let mut way: Vec<&str> =
            self.seen.iter().filter(|(i, _)| *i == id).map(|(_, s)| s.as_str()).collect();
        way.dedup();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(id: i64, status: &str) -> Value {
        json!({ "type": "subagent_update", "data": { "parentMessageId": 2, "batchId": "b",
                "subagent": { "id": id, "status": status, "sortOrder": 10 - id } } })
    }

    #[test]
    fn a_card_adds_up_and_what_is_over_stays() {
        let mut card = Card::default();
        let start = json!({ "type": "subagent_batch_start",
                "data": { "parentMessageId": 2, "batchId": "b", "title": "t", "total": 3 } });
        assert!(card.add(&start).is_empty());
        for event in [update(1, "queued"), update(2, "running"), update(1, "failed")] {
            assert!(card.add(&event).is_empty(), "{event}");
        }
        assert_eq!(card.statuses(), ["running", "failed"]);
        assert_eq!(card.batches[0]["summary"]["total"], 3);
        assert_eq!(card.way_of(1), ["queued", "failed"]);
        assert_eq!(card.add(&update(1, "running")).len(), 1);
    }
}
