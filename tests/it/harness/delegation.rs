//! Delegation in the words of the tests: scripts of supervisors and subagents, and the rows of both.

use super::client::{Api, Turn};
use super::cluster::Cluster;
use super::reply::Reply;
use serde_json::{Value, json};

/// A response that hands over these goals in one call, under the id `call_1`.
pub fn parallel(goals: &[&str]) -> Reply {
    let tasks: Vec<Value> = goals.iter().map(|g| json!({ "goal": g })).collect();
    tasks_of(&tasks)
}

/// The same with tasks as given.
pub fn tasks_of(tasks: &[Value]) -> Reply {
    Reply::calls(&[("delegate_parallel", &json!({ "tasks": tasks }).to_string())])
}

/// A response that hands over one task.
pub fn single(task: &Value) -> Reply {
    Reply::calls(&[("delegate_task", &task.to_string())])
}

/// `PREFIX-01`, `PREFIX-02` and so on: none is the beginning of another.
pub fn goals(prefix: &str, count: usize) -> Vec<String> {
    (1..=count).map(|n| format!("{prefix}-{n:02}")).collect()
}

/// References to the goals.
pub fn refs(goals: &[String]) -> Vec<&str> {
    goals.iter().map(String::as_str).collect()
}

impl Cluster {
    /// Scripts a supervisor that hands over goals named after its key and then says `answer`, and
    /// subagents that each say `found by GOAL`. Gives the goals.
    pub fn script_team(&self, key: &str, count: usize, answer: &str) -> Vec<String> {
        let goals = goals(&format!("{key} part"), count);
        for goal in &goals {
            self.provider.says(goal, Reply::text(&format!("found by {goal}")));
        }
        self.provider.rounds(key, vec![vec![parallel(&refs(&goals))], vec![Reply::text(answer)]]);
        goals
    }

    /// The subagents of a turn as stored, in the order of their batches and places.
    pub async fn subagents(&self, turn: &Turn) -> Vec<Subagent> {
        let rows = self
            .database
            .texts(format!(
                "SELECT CAST(s.id AS text) || '|' || s.parent_tool_call_id || '|'
                     || CAST(s.sort_order AS text) || '|' || s.status || '|'
                     || COALESCE(s.exit_reason, '-') || '|' || r.status || '|'
                     || COALESCE(r.reason, '-') || '|' || s.goal AS x
                 FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.run_id
                 WHERE s.parent_message_id = {} ORDER BY s.id",
                turn.assistant
            ))
            .await;
        rows.iter().map(|row| Subagent::read(row)).collect()
    }

    /// How many runs stand so.
    pub async fn runs_in(&self, status: &str) -> i64 {
        self.database.count(format!("SELECT COUNT(*) AS x FROM netaclaw_run WHERE status = '{status}'")).await
    }

    /// A run's status and reason as stored.
    pub async fn stands(&self, run: i64) -> (String, String) {
        let row = self
            .database
            .texts(format!(
                "SELECT status || '|' || COALESCE(reason, '-') AS x FROM netaclaw_run WHERE id = {run}"
            ))
            .await
            .pop()
            .unwrap_or_default();
        let (status, reason) = row.split_once('|').unwrap_or_default();
        (status.to_owned(), reason.to_owned())
    }

    /// `metadata.subagents` of a message as stored.
    pub async fn stored_card(&self, assistant: i64) -> Vec<Value> {
        let rows = self
            .database
            .texts(format!("SELECT CAST(metadata AS text) AS x FROM netaclaw_message WHERE id = {assistant}"))
            .await;
        let metadata: Value = rows.first().and_then(|r| serde_json::from_str(r).ok()).unwrap_or_default();
        metadata["subagents"].as_array().cloned().unwrap_or_default()
    }
}

/// One subagent as stored, with its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// Its id, which is its run's.
    pub id: i64,
    /// The call that made it.
    pub batch: String,
    /// Its place there.
    pub place: i64,
    /// Its status.
    pub status: String,
    /// How it ended; `-`: nothing to say.
    pub exit_reason: String,
    /// Its run's status.
    pub run_status: String,
    /// Its run's reason; `-`: none.
    pub run_reason: String,
    /// What it is to do.
    pub goal: String,
}

impl Subagent {
    fn read(row: &str) -> Self {
        let part: Vec<&str> = row.splitn(8, '|').collect();
        let text = |n: usize| part.get(n).copied().unwrap_or_default().to_owned();
        let number = |n: usize| text(n).parse().unwrap_or(-1);
        Self {
            id: number(0),
            batch: text(1),
            place: number(2),
            status: text(3),
            exit_reason: text(4),
            run_status: text(5),
            run_reason: text(6),
            goal: text(7),
        }
    }
}

/// The questions that wait for a person, as the inbox lists them.
pub async fn open_pauses(api: &Api) -> Vec<Value> {
    let all = super::client::items(&api.get("/api/pauses").await.expect(200));
    all.into_iter().filter(|p| p["status"].is_null() || p["status"] == "open").collect()
}

/// A question's id, in whichever field it stands.
#[track_caller]
pub fn pause_id(pause: &Value) -> i64 {
    let id = pause["pauseId"].as_i64().or(pause["id"].as_i64());
    id.unwrap_or_else(|| panic!("no id in {pause}"))
}
