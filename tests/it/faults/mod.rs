//! What the world does: processes killed, stopped and hung, networks cut, Redis gone. After each the
//! invariants hold.

mod drill;
mod fence;
mod matrix;
mod process;
mod recovery;
mod redis;
mod restart;
mod streams;
mod trees;

use crate::harness::client::{Api, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::reply::{Reply, words};
use serde_json::json;
use std::time::Duration;

/// How soon work goes on after a fault in the test profile: lease, sweep, and a busy machine.
pub const R: Duration = Duration::from_secs(6);

/// Scripts a turn of two model calls with a tool between: `I look first.`, then thirty words.
pub fn script_turn(c: &Cluster, key: &str) {
    c.provider.rounds(
        key,
        vec![
            vec![Reply::calls(&[("get_time", r#"{"timezone":"Etc/GMT+3"}"#)]).saying("I look first.")],
            vec![Reply::words(30).every(Duration::from_millis(4))],
        ],
    );
}

/// The whole text of such a turn.
pub fn turn_text() -> String {
    format!("I look first.\n\n{}", words(30))
}

/// Says something as a careful client does: with an id of its own, again and again until accepted.
pub async fn insist(apis: &[Api], session: &str, message: &str) -> Turn {
    let id = uuid::Uuid::now_v7().to_string();
    for attempt in 0..600 {
        let api = &apis[attempt % apis.len()];
        let more = json!({ "wait": 0, "clientMessageId": id });
        let request = api.request("POST", "/open/netaclaw/chat").timeout(Duration::from_secs(5));
        match api.try_send(request.json(&api.body(session, message, &more))).await {
            Ok(answer) if (200..300).contains(&answer.status) => return Turn::of(session, &answer.body),
            Ok(answer) => assert!(answer.status >= 500, "{answer:?}"),
            Err(_) => {}
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{message:?} was never accepted");
}
