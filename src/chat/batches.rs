//! The subagents of a turn as lines of text: a title, a line each, and a line when all are done.

use chrono::{DateTime, Utc};
use serde_json::Value;
use std::fmt::Write;
use tokio::time::Instant;

/// The most characters of a goal on a line.
const GOAL_CHARS: usize = 48;

/// All batches of a turn.
#[derive(Debug, Default)]
pub struct Batches(Vec<Batch>);

#[derive(Debug)]
struct Batch {
    id: String,
    title: String,
    total: u64,
    items: Vec<Item>,
    done: Option<String>,
}

#[derive(Debug)]
struct Item {
    id: i64,
    order: i64,
    name: String,
    goal: String,
    status: String,
    tokens: Option<u64>,
    /// By this process's clock.
    began: Option<Instant>,
    /// Seconds from start to end.
    took: Option<i64>,
    error: Option<String>,
}

impl Batches {
    /// Takes in an event. Returns the lines that tell what is new, for whoever cannot draw.
    pub fn take(&mut self, event: &Value) -> Vec<String> {
        let data = &event["data"];
        let now = time(&event["ts"]);
        match event["type"].as_str().unwrap_or_default() {
            "subagent_batch_start" => {
                let batch = self.batch(data["batchId"].as_str().unwrap_or_default());
                batch.begin(data["title"].as_str(), data["total"].as_u64());
                vec![batch.head()]
            }
            "subagent_update" => {
                let batch = self.batch(data["batchId"].as_str().unwrap_or_default());
                batch.put(&data["subagent"], now).into_iter().collect()
            }
            "subagent_done" => {
                let batch = self.batch(data["batchId"].as_str().unwrap_or_default());
                batch.end(&data["summary"]).into_iter().collect()
            }
            "resync" | "done" => {
                let all = data["subagents"].as_array().map(Vec::as_slice).unwrap_or_default();
                all.iter().flat_map(|b| self.take_batch(b, now)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn take_batch(&mut self, shown: &Value, now: Option<DateTime<Utc>>) -> Vec<String> {
        let id = shown["batchId"].as_str().unwrap_or_default();
        let known = self.0.iter().any(|b| b.id == id);
        let batch = self.batch(id);
        batch.begin(shown["title"].as_str(), shown["summary"]["total"].as_u64());
        let mut news: Vec<String> = if known { Vec::new() } else { vec![batch.head()] };
        for item in shown["items"].as_array().map(Vec::as_slice).unwrap_or_default() {
            news.extend(batch.put(item, now));
        }
        let (queued, running) = (&shown["summary"]["queued"], &shown["summary"]["running"]);
        if queued == 0 && running == 0 {
            news.extend(batch.end(&shown["summary"]));
        }
        news
    }

    fn batch(&mut self, id: &str) -> &mut Batch {
        let at = self.0.iter().position(|b| b.id == id).unwrap_or_else(|| {
            let batch =
                Batch { id: id.to_owned(), title: String::new(), total: 0, items: Vec::new(), done: None };
            self.0.push(batch);
            self.0.len() - 1
        });
        &mut self.0[at]
    }

    /// Whether some subagent has not ended.
    pub fn live(&self) -> bool {
        self.0.iter().any(|b| b.done.is_none())
    }

    /// The first batch with a subagent that has not ended; after the last one if there is none.
    pub fn first_live(&self) -> usize {
        self.0.iter().position(|b| b.done.is_none()).unwrap_or(self.0.len())
    }

    /// The batches from this one on, as they stand.
    pub fn lines(&self, from: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for batch in self.0.iter().skip(from) {
            lines.push(batch.head());
            lines.extend(batch.items.iter().map(Item::line));
            lines.extend(batch.done.clone());
        }
        lines
    }
}

impl Batch {
    fn begin(&mut self, title: Option<&str>, total: Option<u64>) {
        title.unwrap_or_default().clone_into(&mut self.title);
        self.total = total.unwrap_or(self.total);
    }

    fn head(&self) -> String {
        format!("{} ({})", self.title, self.total.max(self.items.len() as u64))
    }

    /// The line of the subagent, if it stands elsewhere than before.
    fn put(&mut self, shown: &Value, now: Option<DateTime<Utc>>) -> Option<String> {
        let id = shown["id"].as_i64()?;
        let at = self.items.iter().position(|i| i.id == id);
        let before = at.map(|at| self.items.remove(at));
        let item = Item::of(id, shown, now);
        let is_new = before.is_none_or(|b| b.status != item.status);
        let line = item.line();
        let place = self.items.partition_point(|i| i.order < item.order);
        self.items.insert(place, item);
        is_new.then_some(line)
    }

    /// The last line, if it was not there.
    fn end(&mut self, summary: &Value) -> Option<String> {
        let mut line = String::from("done:");
        for state in ["completed", "failed", "cancelled"] {
            if let Some(n @ 1..) = summary[state].as_u64() {
                let comma = if line.ends_with(':') { "" } else { "," };
                // Writing to a String cannot fail.
                let _ = write!(line, "{comma} {n} {state}");
            }
        }
        let is_new = self.done.is_none();
        self.done = Some(line.clone());
        is_new.then_some(line)
    }
}

impl Item {
    fn of(id: i64, shown: &Value, now: Option<DateTime<Utc>>) -> Self {
        let text = |name: &str| shown[name].as_str().unwrap_or_default().to_owned();
        let (started, ended) = (time(&shown["startedAt"]), time(&shown["endedAt"]));
        let ago = now.zip(started).and_then(|(now, at)| (now - at).to_std().ok()).unwrap_or_default();
        let usage = &shown["tokenUsage"];
        let tokens = usage["inputTokens"].as_u64().zip(usage["outputTokens"].as_u64()).map(|(i, o)| i + o);
        Self {
            id,
            order: shown["sortOrder"].as_i64().unwrap_or_default(),
            name: text("name"),
            goal: text("goal"),
            status: text("status"),
            tokens,
            began: started.filter(|_| ended.is_none()).and_then(|_| Instant::now().checked_sub(ago)),
            took: started.zip(ended).map(|(from, to)| (to - from).num_seconds()),
            error: shown["error"].as_str().map(str::to_owned),
        }
    }

    fn line(&self) -> String {
        let mark = match self.status.as_str() {
            "completed" => '✓',
            "failed" | "timed_out" => '✗',
            "cancelled" => '-',
            "running" => '›',
            _ => '·',
        };
        let goal = self.goal.lines().next().unwrap_or_default();
        let cut: String = goal.chars().take(GOAL_CHARS).collect();
        let dots = if cut.len() < goal.len() { "…" } else { "" };
        let mut line = format!("  {mark} {}: {cut}{dots}  {}", self.name, self.status);
        let began = self.began.map(|at| at.elapsed().as_secs() as i64);
        // Writing to a String cannot fail.
        let _ = self.tokens.map(|n| write!(line, ", {n} tokens"));
        let _ = self.took.or(began).map(|s| write!(line, ", {s} s"));
        let _ = self.error.as_ref().map(|e| write!(line, ", {}", e.lines().next().unwrap_or_default()));
        line
    }
}

fn time(value: &Value) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(value.as_str()?).ok().map(|t| t.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn update(id: i64, order: i64, status: &str) -> Value {
        let subagent = json!({"id": id, "name": "helper", "goal": format!("goal {id}"), "status": status,
            "sortOrder": order, "startedAt": "2026-01-01T00:00:00Z", "endedAt": "2026-01-01T00:00:07Z",
            "tokenUsage": {"inputTokens": 100, "outputTokens": 20}});
        json!({"type": "subagent_update", "data": {"batchId": "b", "subagent": subagent}})
    }

    #[test]
    fn a_batch_is_a_title_a_line_each_and_a_last_line() {
        let mut all = Batches::default();
        let start = json!({"type": "subagent_batch_start",
            "data": {"batchId": "b", "title": "Compare", "total": 2}});
        assert_eq!(all.take(&start), ["Compare (2)"]);
        assert!(all.live());
        all.take(&update(12, 1, "failed"));
        assert_eq!(
            all.take(&update(11, 0, "completed")),
            ["  ✓ helper: goal 11  completed, 120 tokens, 7 s"]
        );
        assert!(all.take(&update(11, 0, "completed")).is_empty(), "nothing new");
        let done = json!({"type": "subagent_done",
            "data": {"batchId": "b", "summary": {"total": 2, "completed": 1, "failed": 1, "cancelled": 0}}});
        assert_eq!(all.take(&done), ["done: 1 completed, 1 failed"]);
        assert!(!all.live());
        let expected = [
            "Compare (2)",
            "  ✓ helper: goal 11  completed, 120 tokens, 7 s",
            "  ✗ helper: goal 12  failed, 120 tokens, 7 s",
            "done: 1 completed, 1 failed",
        ];
        assert_eq!(all.lines(0), expected);
    }

    #[test]
    fn a_picture_tells_only_what_is_new() {
        let mut all = Batches::default();
        all.take(&update(11, 0, "running"));
        let items = json!([{"id": 11, "name": "helper", "goal": "goal 11", "status": "running", "sortOrder": 0},
            {"id": 12, "name": "helper", "goal": "goal 12", "status": "queued", "sortOrder": 1}]);
        let summary = json!({"total": 2, "queued": 1, "running": 1});
        let picture = json!({"type": "resync", "data": {"subagents": [
            {"batchId": "b", "title": "Compare", "items": items, "summary": summary}]}});
        assert_eq!(all.take(&picture), ["  · helper: goal 12  queued"]);
        assert_eq!(all.lines(0)[0], "Compare (2)");
    }
}
