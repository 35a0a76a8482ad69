//! Faults of a model's stream that are survived: the final text once, nothing of a dead attempt.

use crate::harness::client::Turn;
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

on_both!(a_broken_stream_is_asked_for_again_and_shown_once);

/// F08, F09, F11: cut, silent and overloaded streams are asked for again; what they showed is
/// withdrawn, and no call of theirs is run.
async fn a_broken_stream_is_asked_for_again_and_shown_once(c: Cluster) {
    let overloaded = json!({ "error": { "type": "overloaded_error", "message": "Overloaded", "code": 529 } });
    let error = || Reply::stream_error("half a ", &overloaded);
    let table = [
        ("cut after 20", vec![Reply::words(40).cut_after(20), Reply::words(30)], words(30), 2),
        (
            "cut call",
            vec![Reply::calls(&[("todo_write", r#"{"items":[]}"#)]).cut_after(1), Reply::words(4)],
            words(4),
            2,
        ),
        ("no end", vec![Reply::words(9).cut_after(9), Reply::words(5)], words(5), 2),
        ("silence", vec![Reply::words(5).silent_after(1), Reply::words(6)], words(6), 2),
        ("overloaded", vec![error(), error(), error(), Reply::words(7)], words(7), 4),
    ];
    for (key, attempts, text, calls) in table {
        c.provider.rounds(key, vec![attempts]);
        let session = uuid::Uuid::now_v7().to_string();
        let seen = c.api(0).stream(&session, key).await.read_all().await;
        let turn = Turn::of(&session, &seen.of("run_accepted")[0]["data"]);
        shown_is_stored(&c, turn.assistant, &seen).await;
        assert_eq!(seen.text, text, "{key}");
        assert!(!seen.of("text_reset").is_empty() || key == "cut call", "{key}: {:?}", seen.kinds());
        assert!(seen.of("tool_call").is_empty(), "{key}: a phantom call");
        let made = c.provider.calls(key);
        assert_eq!(made.len(), calls, "{key}");
        if calls > 3 {
            let pauses: Duration = made.windows(2).map(|p| p[1].at - p[0].end.expect("it ended").0).sum();
            assert!(pauses >= Duration::from_millis(100), "{key}: no back-off: {pauses:?}");
        }
        // Usage is counted once, for the call that finished.
        assert_eq!(
            c.api(1).finish(&turn).await["usage"],
            json!({ "inputTokens": 10, "outputTokens": 5 }),
            "{key}"
        );
    }
    c.end(Allowed::default()).await;
}

/// F12: 30 turns are told to wait for 2 s at once: none comes back earlier, they come spread, never
/// more than the cap at a time, and all succeed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_after_is_honoured_by_all_workers_together() {
    let c = Builder::new(Kind::PAIR).model(json!({ "maxConcurrency": 8 })).start().await;
    let keys: Vec<String> = (1..=30).map(|n| format!("busy {n:02}")).collect();
    for key in &keys {
        let busy = Reply::refusal(429, "{}").header("retry-after", "2");
        c.provider.rounds(key, vec![vec![busy, Reply::words(3)]]);
    }
    let (a, b) = (c.api(0), c.api(1));
    let answers = join_all(keys.iter().enumerate().map(|(n, key)| {
        let api = if n % 2 == 0 { &a } else { &b };
        async move { api.ask("", key).await }
    }))
    .await;
    assert!(answers.iter().all(|a| a["status"] == "completed"), "{answers:?}");
    assert!(c.provider.most_running() <= 8, "{} at once", c.provider.most_running());
    let mut retries = Vec::new();
    for key in &keys {
        let calls = c.provider.calls(key);
        for pair in calls.windows(2) {
            let pause = pair[1].at - pair[0].end.expect("it ended").0;
            assert!(pause >= Duration::from_millis(1_950), "{key} came back after {pause:?}");
        }
        retries.push(calls.last().expect("a call").at);
    }
    retries.sort();
    let spread = retries[retries.len() - 1] - retries[0];
    assert!(spread >= Duration::from_millis(400), "all came back within {spread:?}");
    c.end(Allowed::default()).await;
}
