//! The retry layer: over the scripted provider where the wire matters, over a fake where time does.

use super::super::retry::{Attempted, Policy, Sleep, call_with_retries};
use super::*;
use async_trait::async_trait;
use std::sync::Mutex;
use std::time::Duration;

/// Remembers the waits instead of waiting.
#[derive(Default)]
struct Waits(Mutex<Vec<Duration>>);

#[async_trait]
impl Sleep for Waits {
    async fn sleep(&self, time: Duration) {
        self.0.lock().unwrap().push(time);
    }
}

struct Run {
    attempted: Attempted,
    shown: Vec<Delta>,
    waits: Vec<Duration>,
    calls: usize,
}

async fn run(
    client: &Providers,
    dialect: Provider,
    replies: Vec<Reply>,
    policy: Policy,
    change: impl Fn(&mut Endpoint),
) -> Run {
    let (server, mut endpoint) = server(dialect, replies).await;
    change(&mut endpoint);
    let (mut shown, waits) = (Vec::new(), Waits::default());
    let attempted =
        call_with_retries(client, &endpoint, &ask("s"), &policy, &waits, &mut |d| shown.push(d)).await;
    Run { attempted, shown, waits: waits.0.into_inner().unwrap(), calls: server.calls("s") }
}

/// The text as a reader sees it at the end.
fn seen(shown: &[Delta]) -> String {
    shown.iter().fold(String::new(), |mut text, delta| {
        match delta {
            Delta::Text(more) => text.push_str(more),
            Delta::Reset => text.clear(),
            Delta::Thinking(_) => {}
        }
        text
    })
}

#[tokio::test]
async fn a_retry_withdraws_what_was_shown() {
    for dialect in DIALECTS {
        let words = "w ".repeat(40);
        let cut = Reply::text(&words).unfinished_after(20);
        let phantom = Reply::call("f", "{\"a\":1}").unfinished_after(1);
        let run = run(
            &providers(),
            dialect,
            vec![cut, phantom, Reply::text("all of it")],
            Policy::default(),
            |_| (),
        )
        .await;
        let response = run.attempted.result.unwrap();
        assert_eq!((response.text.as_str(), response.calls.len()), ("all of it", 0));
        assert_eq!(run.attempted.attempts, 3);
        assert_eq!(seen(&run.shown), "all of it");
        // The second attempt showed nothing, so it withdraws nothing.
        assert_eq!(run.shown.iter().filter(|d| **d == Delta::Reset).count(), 1);
    }
}

#[tokio::test]
async fn errors_inside_streams_are_retried_with_growing_waits() {
    for dialect in DIALECTS {
        let overloaded = Reply::stream_error("overloaded_error", "Overloaded");
        let mut replies = vec![overloaded; 3];
        replies.push(Reply::text("hi"));
        let run = run(&providers(), dialect, replies, Policy::default(), |_| ()).await;
        assert_eq!(run.attempted.result.unwrap().text, "hi");
        assert_eq!((run.attempted.attempts, run.calls, run.waits.len()), (4, 4, 3));
        for (wait, ceiling) in run.waits.iter().zip([500, 1_000, 2_000]) {
            assert!(*wait < Duration::from_millis(ceiling), "{:?}", run.waits);
        }
    }
}

#[tokio::test]
async fn silence_is_retried_and_ends_by_name() {
    for dialect in DIALECTS {
        let silent = Reply::text("a b").silent_after(1);
        let policy = Policy { max_attempts: 2, ..Policy::default() };
        let run =
            run(&providers(), dialect, vec![silent], policy, |e| e.timeouts.idle = Duration::from_millis(50))
                .await;
        let error = run.attempted.result.unwrap_err();
        assert_eq!((error.reason().as_str(), run.calls), ("llm_idle_timeout", 2));
        // The last attempt's text stays: nothing comes after it.
        assert_eq!(run.shown.iter().filter(|d| **d == Delta::Reset).count(), 1);
    }
}

#[tokio::test]
async fn what_can_not_succeed_is_not_tried_again() {
    for dialect in DIALECTS {
        for (status, body) in [
            (400, r#"{"error":{"code":"context_length_exceeded","message":"x"}}"#),
            (401, "{}"),
            (400, "{}"),
            (404, "{}"),
            (429, r#"{"error":{"code":"insufficient_quota","message":"x"}}"#),
        ] {
            let run =
                run(&providers(), dialect, vec![Reply::status(status, body)], Policy::default(), |_| ())
                    .await;
            assert_eq!((run.calls, run.attempted.attempts), (1, 1), "{status} {body}");
            assert!(run.attempted.result.is_err() && run.waits.is_empty());
        }
    }
}

#[tokio::test]
async fn rate_limits_go_back_to_the_engine_or_are_waited_for() {
    let client = providers();
    let limited = Reply::status(429, "{}").header("retry-after", "2");
    for dialect in DIALECTS {
        let parked = run(&client, dialect, vec![limited.clone()], Policy::default(), |_| ()).await;
        assert_eq!((parked.calls, parked.waits.len()), (1, 0));
        let error = parked.attempted.result.unwrap_err();
        assert_eq!(error.retry_after(), Some(Duration::from_secs(2)));

        let policy = Policy { return_rate_limits: false, ..Policy::default() };
        let mut waits = Vec::new();
        for _ in 0..30 {
            let run = run(&client, dialect, vec![limited.clone(), Reply::text("hi")], policy, |_| ()).await;
            assert_eq!(run.attempted.result.unwrap().text, "hi");
            waits.extend(run.waits);
        }
        let (first, last) = (waits.iter().min().unwrap(), waits.iter().max().unwrap());
        assert_eq!(waits.len(), 30);
        assert!(*first >= Duration::from_secs(2), "never before it is allowed: {first:?}");
        assert!(last.abs_diff(*first) >= Duration::from_millis(400), "not together: {first:?} to {last:?}");
    }
}

#[tokio::test]
async fn attempts_are_bounded() {
    for dialect in DIALECTS {
        let run = run(&providers(), dialect, vec![Reply::status(503, "")], Policy::default(), |_| ()).await;
        assert_eq!((run.calls, run.attempted.attempts, run.waits.len()), (5, 5, 4));
        assert_eq!(run.attempted.result.unwrap_err().kind(), "overloaded");
    }
}
