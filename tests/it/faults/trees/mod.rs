//! What the world does to trees of runs: a process dies at every step of supervisor and subagents, or
//! stands still, or Redis does; no finished call is repeated, and the answer is the same.

mod kills;
mod matrix;
mod network;
mod standstill;

use crate::harness::calls::Call;
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{goals, parallel, refs};
use crate::harness::reply::Reply;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The answer of a supervisor scripted by [`script_tree`].
const ANSWER: &str = "I ask.\n\nAll is gathered.";

/// Scripts a supervisor and so many subagents; each makes a tool call before it answers.
fn script_tree(c: &Cluster, key: &str, children: usize) -> Vec<String> {
    let goals = goals(&format!("{key} part"), children);
    for goal in &goals {
        let tool = Reply::calls(&[("get_time", r#"{"timezone":"Etc/GMT+3"}"#)]).saying("I look.");
        let answer = Reply::text(&format!("found by {goal}")).every(Duration::from_millis(40));
        c.provider.rounds(goal, vec![vec![tool], vec![answer]]);
    }
    let answer = Reply::text("All is gathered.").every(Duration::from_millis(20));
    c.provider.rounds(key, vec![vec![parallel(&refs(&goals)).saying("I ask.")], vec![answer]]);
    goals
}

/// Model calls whose results are durable, by what was said to the agent.
type Stored = BTreeMap<String, usize>;

/// What is durable now. Agents must be told apart by what is said to them.
async fn stored(c: &Cluster) -> Stored {
    let rows = c
        .database
        .texts(
            "SELECT COALESCE(s.goal, m.content) || '|' || CAST(COUNT(j.seq) AS text) AS x
             FROM netaclaw_run r JOIN netaclaw_message m ON m.id = r.user_message_id
             LEFT JOIN netaclaw_subagent_session s ON s.run_id = r.id
             JOIN netaclaw_run_step j ON j.run_id = r.id AND j.kind = 'model'
             GROUP BY r.id, s.goal, m.content",
        )
        .await;
    rows.iter()
        .filter_map(|row| row.rsplit_once('|'))
        .map(|(said, count)| (said.to_owned(), count.parse().expect("a number")))
        .collect()
}

/// No call was made after the moment whose result was durable in it.
fn nothing_repeated(calls: &[Call], since: Instant, stored: &Stored) {
    for call in calls.iter().filter(|call| call.at > since) {
        let durable = stored.get(&call.said).copied().unwrap_or(0);
        assert!(
            call.round >= durable,
            "round {} of {:?} was repeated; {durable} were durable",
            call.round,
            call.said
        );
    }
}

/// How often each call was made, by what was said and its round.
fn times(calls: &[Call]) -> BTreeMap<(String, usize), usize> {
    let mut times = BTreeMap::new();
    for call in calls {
        *times.entry((call.said.clone(), call.round)).or_insert(0) += 1;
    }
    times
}
