//! Clients that leave, and workers that die in the middle of an answer.

use crate::harness::client::{Api, LONG, Turn};
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::completions::{assistant, user};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::{eventually, until};
use serde_json::json;
use std::time::Duration;

on_both!(leaving_ends_the_waiting_and_not_the_turn);

/// A gauge of one API process.
async fn gauge(api: &Api, name: &str) -> f64 {
    let text = api.get("/metrics").await.body.as_str().unwrap_or_default().to_owned();
    let line = text.lines().find(|l| l.split([' ', '{']).next() == Some(name));
    line.and_then(|l| l.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0)
}

async fn leaving_ends_the_waiting_and_not_the_turn(c: Cluster) {
    for (streamed, name) in [(false, "neta_waiters"), (true, "neta_sse_streams")] {
        let said = format!("leave {streamed}");
        c.provider.says(&said, Reply::words(9).hold_after(3));
        let api = c.api(0);
        let messages = [user(&said)];
        let leaving = {
            let (api, more) = (api.clone(), json!({ "stream": streamed }));
            tokio::spawn(async move { api.complete(&messages, &more).await })
        };
        eventually("somebody waits", LONG, async || gauge(&api, name).await > 0.5).await;
        eventually("the model is asked", LONG, async || c.provider.calls(&said).len() == 1).await;
        leaving.abort();
        eventually("nobody waits", LONG, async || gauge(&api, name).await < 0.5).await;
        c.provider.release(&said);
        let answered = format!(
            "SELECT COUNT(*) AS x FROM netaclaw_message WHERE status = 'completed' AND content = '{}'",
            words(9)
        );
        let before = i64::from(streamed);
        eventually("it ends all the same", LONG, async || c.database.count(&answered).await == before + 1)
            .await;
    }
    c.end(Allowed::default()).await;
}

/// The worker dies in mid-answer and another one makes the call again, with what the caller told:
/// the same text goes on without a hole; another one is said to replace it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_goes_on_when_its_worker_is_killed() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 1 }).await;
    let same = vec![vec![Reply::words(20).hold_after(5), Reply::words(20)]];
    c.provider.rounds("the same again", same);
    let other = vec![vec![Reply::words(20).hold_after(5), Reply::text("Something else.")]];
    c.provider.rounds("something new", other);
    let replaced = format!(
        "{}[Interrupted. What follows replaces the last part.]\n\nSomething else.",
        "word1 word2 word3 word4 word5 \n\n"
    );
    for (said, expected, stored) in
        [("the same again", words(20), words(20)), ("something new", replaced, "Something else.".to_owned())]
    {
        let messages = [user("before"), assistant("yes"), user(said)];
        let mut seen = c.api(0).pieces(&messages, &json!({})).await;
        seen.read_until("five words", |p| p.text().contains("word5")).await;
        c.workers[0].restart(&[]);
        let seen = seen.read_all().await;
        assert!(seen.done, "{:?}", seen.error);
        assert_eq!(seen.text(), expected);
        let turn = &seen.last()["neta"];
        let turn = Turn::of(
            &seen.session,
            &json!({ "userMessageId": 0, "assistantMessageId": turn["assistantMessageId"], "runId": turn["runId"] }),
        );
        assert_eq!(c.api(1).finish(&turn).await["content"], stored);
        let calls = c.provider.calls(said);
        assert_eq!(calls.len(), 2, "made again");
        assert_eq!(calls[0].body["messages"], calls[1].body["messages"]);
        assert_eq!(calls[1].conversation().len(), 3);
    }
    c.end(Allowed::default()).await;
}

/// The API process restarts while a client waits: it is told that the turn goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_is_told_that_the_server_restarts() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 1 }).await;
    c.provider.says("hold", Reply::words(9).hold_after(3));
    let api = c.api(0);
    let waiting = tokio::spawn({
        let api = api.clone();
        async move { api.complete(&[user("hold")], &json!({})).await }
    });
    let mut seen = api.pieces(&[user("hold")], &json!({})).await;
    seen.read_until("three words", |p| p.text().contains("word3")).await;
    eventually("both are asked", LONG, async || c.provider.calls("hold").len() == 2).await;
    c.apis[0].signal("TERM");
    let answer = waiting.await.expect("no panic");
    assert_eq!(answer.header("x-should-retry"), Some("false"));
    let body = answer.expect(503);
    assert_eq!(body["error"]["code"], "unavailable", "{body}");
    let seen = seen.read_all().await;
    assert_eq!(seen.error.expect("an error")["error"]["code"], "stream_cut");
    c.apis[0].end(Duration::from_secs(20)).await;
    c.provider.release("hold");
    let run = body["neta"]["runId"].as_i64().expect("a run");
    let other = c.api(1);
    let ended =
        async || other.run(run).await["status"].as_str().filter(|s| *s == "completed").map(str::to_owned);
    until("the turn ends", LONG, ended).await;
    c.apis[0].restart(&[]);
    c.ready().await;
    c.end(Allowed::default()).await;
}
