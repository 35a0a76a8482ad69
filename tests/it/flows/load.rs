//! Many turns at once.

use crate::harness::client::LONG;
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::in_time;
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

on_both!(twenty_turns_at_once_are_all_answered);

/// O01: 20 turns at once, each with tools: all answered, and no database was busy.
async fn twenty_turns_at_once_are_all_answered(c: Cluster) {
    c.provider.rounds(
        "crowd",
        vec![
            vec![Reply::calls(&[
                ("get_time", "{}"),
                ("todo_write", r#"{"items":[{"content":"x","status":"pending"}]}"#),
            ])],
            vec![Reply::words(20).every(Duration::from_millis(5))],
        ],
    );
    let (a, b) = (c.api(0), c.api(1));
    let answers = in_time(
        "twenty answers",
        LONG,
        join_all((0..20).map(|n| {
            let api = if n % 2 == 0 { &a } else { &b };
            async move { api.chat("", "crowd", &json!({ "wait": 30 })).await.expect(200) }
        })),
    )
    .await;
    for answer in &answers {
        assert_eq!(answer["content"], words(20), "{answer}");
    }
    assert_eq!(c.provider.calls("crowd").len(), 40);
    c.end(Allowed::default()).await;
}
