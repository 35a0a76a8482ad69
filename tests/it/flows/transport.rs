//! Faults of a model's stream that are survived: the final text once, nothing of a dead attempt.

use crate::harness::client::Turn;
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::reply::{Reply, words};
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

/// A provider may be silent for 3 s here.
async fn impatient(kind: Kind) -> Cluster {
    Builder::new(kind).env("NETA_LLM_IDLE_SECONDS", "3").start().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_stream_is_asked_for_again_and_shown_once_standalone() {
    a_broken_stream_is_asked_for_again_and_shown_once(impatient(Kind::Standalone).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_stream_is_asked_for_again_and_shown_once_cluster() {
    a_broken_stream_is_asked_for_again_and_shown_once(impatient(Kind::PAIR).await).await;
}

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

/// F12: a provider refuses as many calls as may run at once, with a Retry-After of 2 s: nobody calls
/// it before that, on either worker; those who waited come spread, never more than the cap at a
/// time, and all 30 turns succeed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_after_is_honoured_by_all_workers_together() {
    let c = Cluster::start(Kind::PAIR).await;
    let (a, b) = (c.api(0), c.api(1));
    for cap in [8, 30] {
        let key = format!("busy with {cap}.");
        let model = c.add_model(&key, &json!({ "maxConcurrency": cap })).await;
        let agent = c.add_agent(&key, model, &json!({})).await;
        let busy = Reply::refusal(429, "{}").header("retry-after", "2").after(Duration::from_secs(2));
        let mut attempts = vec![busy; cap];
        attempts.push(Reply::words(3));
        c.provider.rounds(&key, vec![attempts]);
        let answers = join_all((0..30).map(|n| {
            let (api, key) = (if n % 2 == 0 { &a } else { &b }, &key);
            async move { api.chat("", key, &json!({ "agentId": agent, "wait": 60 })).await.expect(200) }
        }))
        .await;
        assert!(answers.iter().all(|a| a["status"] == "completed"), "{answers:?}");
        assert!(c.provider.most_running() <= cap, "{} at once", c.provider.most_running());
        // Calls that were under way when the first refusal was told are no fault; from then on nobody
        // calls for two seconds.
        let calls = c.provider.calls(&key);
        let told = calls.iter().filter_map(|call| call.end).map(|(at, _)| at).min().expect("a refusal");
        let pauses = calls.iter().map(|call| call.at.saturating_duration_since(told));
        let later: Vec<Duration> = pauses.filter(|pause| *pause > Duration::from_millis(300)).collect();
        let (soonest, latest) = (later.iter().min().expect("calls"), later.iter().max().expect("calls"));
        assert!(*soonest >= Duration::from_millis(1_950), "cap {cap}: called again after {soonest:?}");
        assert!(*latest >= *soonest + Duration::from_millis(400), "cap {cap}: all at once: {later:?}");
    }
    c.end(Allowed::default()).await;
}
