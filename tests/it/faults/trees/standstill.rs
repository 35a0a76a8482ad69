//! P3 for subagents: a worker that stands still past its lease, and cut streams.

use crate::harness::client::LONG;
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::delegation::parallel;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::process::{Neta, signal};
use crate::harness::reply::{Reply, words};
use crate::harness::wait::{always, eventually};
use std::time::Duration;

on_both!(a_cut_stream_costs_no_finished_work);

/// D18: the last stream of a subagent is cut three times: it goes on from its last step, and each of
/// its tool calls is made once.
async fn a_cut_stream_costs_no_finished_work(c: Cluster) {
    let cut = Reply::words(20).cut_after(7);
    let tool = |n: usize| vec![Reply::calls(&[("get_time", &format!(r#"{{"timezone":"Etc/GMT+{n}"}}"#))])];
    c.provider
        .rounds("long work", vec![tool(1), tool(2), vec![cut.clone(), cut.clone(), cut, Reply::words(20)]]);
    c.provider.rounds("cut", vec![vec![parallel(&["long work"])], vec![Reply::text("Whole.")]]);
    let answer = c.api(0).ask("", "cut").await;
    assert_eq!(answer["content"], "Whole.", "{answer}");
    let entries = c.provider.asked("cut")[1].batch("call_1");
    assert_eq!(entries[0]["summary"], words(20), "{entries:?}");
    let rounds: Vec<usize> = c.provider.asked("long work").iter().map(|call| call.round).collect();
    assert_eq!(rounds, [0, 1, 2, 2, 2, 2]);
    let results = c
        .database
        .count(
            "SELECT COUNT(*) AS x FROM netaclaw_run_step s JOIN netaclaw_run r ON r.id = s.run_id
             WHERE r.kind = 'subagent' AND s.kind = 'tool_result'",
        )
        .await;
    assert_eq!(results, 2);
    c.end(Allowed::default()).await;
}

/// The worker of a subagent stands still past its lease and wakes with a whole answer in its socket:
/// it may keep none of it; the parent has the answer of the one that took over, once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_of_a_subagent_that_wakes_after_its_lease_changes_nothing() {
    let c = Cluster::start(Kind::PAIR).await;
    let old = Reply::text(&words(20).replace("word", "old")).hold_after(5);
    let new = Reply::text(&words(20).replace("word", "new"));
    c.provider.rounds("stand still", vec![vec![old, new]]);
    c.provider.rounds("lead", vec![vec![parallel(&["stand still"])], vec![Reply::text("Led.")]]);
    let turn = c.api(0).say("", "lead").await;
    eventually("the subagent streams", LONG, async || c.provider.asked("stand still").len() == 1).await;
    let child = c.subagents(&turn).await.remove(0).id;
    let owner = c
        .database
        .texts(format!("SELECT lease_owner AS x FROM netaclaw_run WHERE id = {child}"))
        .await
        .remove(0);
    let pids: Vec<&str> = owner.split(|ch: char| !ch.is_ascii_digit()).collect();
    let stopped = c.workers.iter().map(Neta::pid).find(|pid| pids.contains(&pid.to_string().as_str()));
    let stopped = stopped.unwrap_or_else(|| panic!("no worker of {owner}"));
    signal(stopped, "STOP");
    assert_eq!(c.api(0).finish(&turn).await["content"], "Led.");
    let rows = async || {
        c.database
            .texts(
                "SELECT r.status || ' ' || CAST(r.lease_epoch AS text) || ' ' || CAST(r.step_count AS text) || ' '
                     || CAST((SELECT COUNT(*) FROM netaclaw_run_step s WHERE s.run_id = r.id) AS text) || ' '
                     || COALESCE(s.summary, '') AS x
                 FROM netaclaw_run r LEFT JOIN netaclaw_subagent_session s ON s.run_id = r.id ORDER BY r.id",
            )
            .await
    };
    let before = rows().await;
    c.provider.release("stand still");
    signal(stopped, "CONT");
    always("nothing is written by the one that was lost", Duration::from_secs(2), async || {
        rows().await == before
    })
    .await;
    let entries = c.provider.asked("lead")[1].batch("call_1");
    assert_eq!(entries[0]["summary"], words(20).replace("word", "new"), "{entries:?}");
    assert_eq!((c.provider.asked("stand still").len(), c.provider.asked("lead").len()), (2, 2));
    c.end(Allowed::default()).await;
}
