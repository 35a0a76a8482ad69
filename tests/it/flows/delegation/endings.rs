//! Limits end subagents and supervisors by name, and nobody else with them.

use crate::harness::calls::End;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::delegation::{goals, parallel, single, tasks_of};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::{always, eventually};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

on_both!(
    a_subagent_past_its_wall_time_is_cut_off_and_its_siblings_are_not,
    a_supervisor_past_its_wall_time_takes_its_subagents_along,
    every_limit_is_named_in_message_run_and_list,
    usage_of_all_calls_is_counted_once_also_of_failed_ones
);

fn asking(agent: i64) -> Value {
    json!({ "agentId": agent, "wait": 30 })
}

/// A04: a subagent whose model hangs is ended at its wall time, its call is closed, and the parent
/// answers with what the others found.
async fn a_subagent_past_its_wall_time_is_cut_off_and_its_siblings_are_not(c: Cluster) {
    let hasty = c.add_agent("hasty", c.model, &json!({ "maxWallSeconds": 2 })).await;
    c.provider.says("hang on", Reply::words(9).hold_after(3));
    c.provider.says("be quick", Reply::text("Quick."));
    let tasks = [json!({ "goal": "hang on", "agentId": hasty }), json!({ "goal": "be quick" })];
    c.provider.rounds("impatient", vec![vec![tasks_of(&tasks)], vec![Reply::text("One of two.")]]);
    let began = Instant::now();
    let answer = c.api(0).ask("", "impatient").await;
    let took = began.elapsed().as_secs_f64();
    assert_eq!(answer["content"], "One of two.", "{answer}");
    assert!((2.0..12.0).contains(&took), "{took}");
    let call = &c.provider.asked("hang on")[0];
    let (at, how) = call.end.expect("it ended");
    assert_eq!(how, End::Closed);
    assert!((1.5..6.0).contains(&(at - call.at).as_secs_f64()), "{:?}", at - call.at);
    let entries = c.provider.asked("impatient")[1].batch("call_1");
    assert_eq!(
        (&entries[0]["status"], &entries[0]["exitReason"]),
        (&json!("timed_out"), &json!("wall_time"))
    );
    assert!(entries[0]["summary"].as_str().is_some_and(|t| t.contains("word3")), "{}", entries[0]);
    assert_eq!(entries[1]["summary"], "Quick.");
    c.end(Allowed::default()).await;
}

/// A05: the parent's time is over while its subagents work: nothing of theirs moves on, and their
/// rows say why.
async fn a_supervisor_past_its_wall_time_takes_its_subagents_along(c: Cluster) {
    let agent = c.add_agent("short of time", c.model, &json!({ "maxWallSeconds": 3 })).await;
    let busy = c.add_agent("busy", c.model, &json!({ "maxWallSeconds": 60, "maxToolRounds": 60 })).await;
    let goals = goals("count on", 4);
    for goal in &goals {
        let zone = |n: usize| format!(r#"{{"timezone":"Etc/GMT+{}"}}"#, n % 12);
        let second = Duration::from_millis(300);
        let rounds = (0..60).map(|n| vec![Reply::calls(&[("get_time", &zone(n))]).after(second)]).collect();
        c.provider.rounds(goal, rounds);
    }
    let tasks: Vec<Value> = goals.iter().map(|g| json!({ "goal": g, "agentId": busy })).collect();
    c.provider.rounds("too long", vec![vec![tasks_of(&tasks).saying("I ask.")], vec![Reply::text("never")]]);
    let began = Instant::now();
    let answer = c.api(0).chat("", "too long", &asking(agent)).await.expect(200);
    let took = began.elapsed().as_secs_f64();
    assert_eq!(
        (&answer["status"], &answer["error"]["kind"]),
        (&json!("failed"), &json!("wall_time")),
        "{answer}"
    );
    assert!((2.9..14.0).contains(&took), "{took}");
    assert_eq!(answer["content"], "I ask.", "what was said is kept: {answer}");
    let turn = Turn::of("", &answer);
    let told = c.subagents(&turn).await;
    for subagent in &told {
        let ended = (subagent.status.as_str(), subagent.exit_reason.as_str());
        assert_eq!(ended, ("cancelled", "parent_ended"), "{subagent:?}");
    }
    let calls = c.provider.asked_like("count on").len();
    always("nothing moves on", Duration::from_secs(2), async || {
        c.provider.asked_like("count on").len() == calls && c.provider.running() == 0
    })
    .await;
    assert!(c.provider.asked(&goals[3]).is_empty(), "the held one never began");
    assert_eq!(c.provider.asked("too long").len(), 1);
    let card = c.stored_card(turn.assistant).await;
    assert_eq!(card[0]["summary"]["cancelled"], 4, "{card:?}");
    c.end(Allowed { failed_percent: 100 }).await;
}

/// A20: each limit ends in a reason that the message, the run and the list of runs name.
async fn every_limit_is_named_in_message_run_and_list(c: Cluster) {
    let few = c.add_agent("few rounds", c.model, &json!({ "maxToolRounds": 1 })).await;
    let short = c.add_agent("short time", c.model, &json!({ "maxWallSeconds": 2 })).await;
    let delegate = |n: usize| vec![single(&json!({ "goal": format!("help {n}") })).ids(&format!("r{n}"))];
    let same = |n: usize| vec![single(&json!({ "goal": "one errand" })).ids(&format!("s{n}"))];
    c.provider.rounds("limit-of-rounds", vec![delegate(1), vec![Reply::text("As far as I came.")]]);
    let mut repeating: Vec<_> = (0..5).map(same).collect();
    repeating.push(vec![Reply::text("I stop here.")]);
    c.provider.rounds("limit-of-repeats", repeating);
    c.provider.rounds("limit-of-wall", vec![delegate(2)]);
    c.provider.says("one errand", Reply::text("Again."));
    c.provider.says("help 2", Reply::words(9).hold_after(1));
    let table = [
        ("limit-of-rounds", few, "tool_rounds"),
        ("limit-of-repeats", c.agent, "repeated_calls"),
        ("limit-of-wall", short, "wall_time"),
    ];
    for (key, agent, reason) in table {
        let answer = c.api(0).chat("", key, &asking(agent)).await.expect(200);
        let turn = Turn::of("", &answer);
        assert_eq!(c.stands(turn.run).await.1, reason, "{answer}");
        assert_eq!(c.api(1).run(turn.run).await["reason"], reason);
        let message = c.api(1).messages(&turn.session).await.pop().expect("the answer");
        let named = [&message["metadata"]["reason"], &message["error"]["kind"]];
        assert!(named.contains(&&json!(reason)), "{key}: {message}");
        let list = c.api(0).get("/api/runs?limit=100").await.expect(200);
        let listed = crate::harness::client::items(&list).into_iter().find(|r| r["id"] == turn.run);
        assert_eq!(listed.expect("the run is listed")["reason"], reason);
    }
    // Four of the same calls were carried out; the fifth in a row was refused.
    assert_eq!(c.provider.asked("one errand").len(), 4);
    c.end(Allowed { failed_percent: 50 }).await;
}

/// P22: what a turn used is the sum of its own calls and its subagents', each once, also where they
/// failed after some calls.
async fn usage_of_all_calls_is_counted_once_also_of_failed_ones(c: Cluster) {
    let model = c.add_model("priced", &json!({ "inputPrice": 2.0, "outputPrice": 10.0 })).await;
    let agent = c.add_agent("priced", model, &json!({})).await;
    c.provider.says("cheap", Reply::text("Cheap.").usage(1_000, 10));
    c.provider.rounds(
        "fails late",
        vec![vec![Reply::calls(&[("get_time", "{}")]).usage(2_000, 20)], vec![Reply::refusal(400, "{}")]],
    );
    c.provider.rounds(
        "sum",
        vec![
            vec![parallel(&["cheap", "fails late"]).usage(10_000, 100)],
            vec![Reply::text("Added.").usage(20_000, 200)],
        ],
    );
    let session = uuid::Uuid::now_v7().to_string();
    for round in 1..=2_i64 {
        let answer = c.api(0).chat(&session, "sum", &asking(agent)).await.expect(200);
        assert_eq!(answer["usage"], json!({ "inputTokens": 33_000, "outputTokens": 330 }), "{answer}");
        let turn = Turn::of(&session, &answer);
        let message = c.api(1).messages(&session).await.pop().expect("the answer");
        let cost = message["cost"].as_f64().expect("a cost");
        assert!((cost - (33_000.0 * 2.0 + 330.0 * 10.0) / 1e6).abs() < 1e-9, "{cost}");
        let items = answer["subagents"][0]["items"].as_array().cloned().expect("items");
        assert_eq!(items[1]["status"], "failed", "{items:?}");
        assert_eq!(items[1]["tokenUsage"], json!({ "inputTokens": 2_000, "outputTokens": 20 }));
        assert!((items[0]["cost"].as_f64().expect("a cost") - 0.0021).abs() < 1e-9, "{items:?}");
        let rows = c
            .database
            .count(format!("SELECT COUNT(*) AS x FROM netaclaw_usage WHERE message_id = {}", turn.assistant))
            .await;
        assert_eq!(rows, 4, "one row a finished call");
        let all = c.database.count("SELECT COUNT(*) AS x FROM netaclaw_usage").await;
        assert_eq!(all, 4 * round);
    }
    c.end(Allowed::default()).await;
}

/// F13, F15: a parent that waits longer than the idle limit is left alone while its subagents work;
/// one that hangs is ended by its own limit, though its worker is alive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_time_counts_for_those_that_work_and_not_for_those_that_wait() {
    for kind in [Kind::Standalone, Kind::PAIR] {
        let c = Builder::new(kind)
            .env("NETA_RUN_IDLE_SECONDS", "1.5")
            .env("NETA_SUBAGENT_IDLE_SECONDS", "2")
            .start()
            .await;
        c.provider.says("work slowly", Reply::words(30).every(Duration::from_millis(250)));
        c.provider.says("hang", Reply::words(9).silent_after(2));
        let goals = ["work slowly", "hang"];
        c.provider.rounds("patient", vec![vec![parallel(&goals)], vec![Reply::text("Patience.")]]);
        let turn = c.api(0).say("", "patient").await;
        eventually("the hung one is ended by its own limit", LONG, async || {
            c.subagents(&turn).await.iter().any(|s| s.status == "timed_out")
        })
        .await;
        let hung = &c.provider.asked("hang")[0];
        let (at, how) = hung.end.expect("it ended");
        assert_eq!(how, End::Closed);
        assert!((1.5..7.0).contains(&(at - hung.at).as_secs_f64()), "{:?}", at - hung.at);
        let answer = c.api(1).finish(&turn).await;
        assert_eq!(answer["content"], "Patience.", "{answer}");
        let entries = c.provider.asked("patient")[1].batch("call_1");
        assert_eq!(entries[0]["summary"], words(30), "{}", entries[0]);
        assert_eq!(
            (&entries[1]["status"], &entries[1]["exitReason"]),
            (&json!("timed_out"), &json!("idle_time"))
        );
        c.end(Allowed::default()).await;
    }
}
