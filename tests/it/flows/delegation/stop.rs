//! Stop: the whole turn or one subagent, in every state, over every door.

use super::ended;
use crate::harness::calls::End;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::delegation::{Subagent, goals, parallel, refs};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::proxy::Weather;
use crate::harness::reply::Reply;
use crate::harness::wait::{always, eventually};
use serde_json::json;
use std::time::{Duration, Instant};

on_both!(
    stopping_the_turn_stops_every_subagent,
    one_subagent_is_stopped_in_every_state_and_the_others_go_on,
    a_subagent_stopped_in_its_summary_keeps_its_work
);

/// Scripts four held subagents under a supervisor and waits until three run and one is held.
async fn four_at_work(c: &Cluster, key: &str) -> (Turn, Vec<String>) {
    let goals = goals(&format!("{key} part"), 4);
    for goal in &goals {
        c.provider.says(goal, Reply::words(40).hold_after(4));
    }
    c.provider.rounds(key, vec![vec![parallel(&refs(&goals)).saying("I ask.")], vec![Reply::text("All.")]]);
    let turn = c.api(0).say("", key).await;
    eventually("three stream and one is held", LONG, async || {
        c.provider.running() == 3 && c.runs_in("held").await == 1
    })
    .await;
    (turn, goals)
}

/// E01, P8: the turn is stopped: every model call is closed within two seconds, all rows are over, the
/// text is kept, and the next turn knows what was said.
async fn stopping_the_turn_stops_every_subagent(c: Cluster) {
    for door in ["socket", "post", "interrupt"] {
        let (turn, _) = four_at_work(&c, &format!("stop by {door}")).await;
        let mut socket = c.api(1).socket().await;
        socket.subscribe(&turn.session, None).await;
        let stopped = Instant::now();
        let reason = match door {
            "socket" => {
                socket.send(&json!({ "type": "stop", "messageId": turn.assistant })).await;
                "stopped"
            }
            "post" => {
                let answer = c.api(1).stop(turn.run).await;
                assert!((200..300).contains(&answer.status), "{answer:?}");
                "stopped"
            }
            _ => {
                let more = json!({ "policy": "interrupt", "wait": 20 });
                let next = c.api(1).chat(&turn.session, "instead", &more).await.expect(200);
                assert_eq!(next["content"], "Fine.", "{next}");
                "interrupted"
            }
        };
        let key = format!("stop by {door} part");
        eventually("every call is closed", Duration::from_secs(2), async || {
            c.provider.asked_like(&key).iter().all(|call| call.end.is_some_and(|(_, how)| how == End::Closed))
        })
        .await;
        let answer = c.api(0).finish(&turn).await;
        assert!(stopped.elapsed() < Duration::from_secs(3), "{:?}", stopped.elapsed());
        assert_eq!(
            (&answer["status"], &answer["content"]),
            (&json!("cancelled"), &json!("I ask.")),
            "{answer}"
        );
        assert_eq!(c.stands(turn.run).await, ("cancelled".into(), reason.into()));
        for subagent in c.subagents(&turn).await {
            let ended = (subagent.status.as_str(), subagent.exit_reason.as_str());
            assert_eq!(ended, ("cancelled", "parent_ended"), "{subagent:?}");
        }
        assert_eq!(c.provider.asked_like(&key).len(), 3, "the held one never began");
        let seen = socket.read_turn(turn.assistant).await;
        shown_is_stored(&c, turn.assistant, &seen).await;
        assert_eq!(seen.terminal.as_ref().expect("an end")["data"]["status"], "cancelled");
        assert_eq!(seen.card.statuses(), ["cancelled"; 4]);
        // A second stop changes nothing; the next turn's history is whole.
        assert!(c.api(1).stop(turn.run).await.status < 500);
        assert_eq!(c.api(0).ask(&turn.session, "go on").await["content"], "Fine.");
        let told = c.provider.calls("go on").pop().expect("a call");
        assert!(told.conversation()[1].1.contains("I ask."), "{:?}", told.conversation());
    }
    assert_eq!(c.provider.running(), 0);
    c.end(Allowed::default()).await;
}

/// Stops one subagent: by its run over HTTP, or by its message over the socket.
async fn stop_one(c: &Cluster, turn: &Turn, subagent: &Subagent, by_socket: bool) {
    if by_socket {
        let mut socket = c.api(1).socket().await;
        let frame = json!({ "type": "stop", "messageId": turn.assistant, "subagentId": subagent.id });
        socket.send(&frame).await;
        socket
            .read_until("an answer", |s| {
                assert!(!s.others.iter().any(|f| f["type"] == "problem"), "{:?}", s.others);
                s.others.iter().any(|f| f["type"] == "stopping")
            })
            .await;
    } else {
        let answer = c.api(1).stop(subagent.id).await;
        assert!((200..300).contains(&answer.status), "{answer:?}");
    }
}

/// One that is held never begins; one that runs is cut off and keeps its text, and its place is
/// given to the next; the parent reads of both and answers.
async fn one_subagent_is_stopped_in_every_state_and_the_others_go_on(c: Cluster) {
    for by_socket in [false, true] {
        let (turn, goals) = four_at_work(&c, &format!("one of four, socket {by_socket}")).await;
        let all = c.subagents(&turn).await;
        stop_one(&c, &turn, &all[3], by_socket).await;
        eventually("the held one is over", LONG, async || c.subagents(&turn).await[3].status == "cancelled")
            .await;
        assert_eq!(c.subagents(&turn).await[3].exit_reason, "stopped");
        stop_one(&c, &turn, &all[1], by_socket).await;
        eventually("the running one is cut off", Duration::from_secs(2), async || {
            c.provider.asked(&goals[1])[0].end.is_some_and(|(_, how)| how == End::Closed)
        })
        .await;
        eventually("and over", LONG, async || ended(&c, &turn).await == 2).await;
        assert_eq!(c.stands(turn.run).await.0, "waiting", "the turn goes on");
        for goal in [&goals[0], &goals[2]] {
            c.provider.release(goal);
        }
        let answer = c.api(0).finish(&turn).await;
        assert_eq!(answer["content"], "I ask.\n\nAll.", "{answer}");
        let entries = c.provider.asked(&turn_key(by_socket))[1].batch("call_1");
        let statuses: Vec<&str> = entries.iter().filter_map(|e| e["status"].as_str()).collect();
        assert_eq!(statuses, ["completed", "cancelled", "completed", "cancelled"]);
        assert!(entries[1]["summary"].as_str().is_some_and(|t| t.contains("word4")), "{}", entries[1]);
        assert!(c.provider.asked(&goals[3]).is_empty());
    }
    c.end(Allowed::default()).await;
}

fn turn_key(by_socket: bool) -> String {
    format!("one of four, socket {by_socket}")
}

/// A08: the whole turn is stopped while a subagent writes its summary: its calls, its results and
/// its text so far are kept and shown.
async fn a_subagent_stopped_in_its_summary_keeps_its_work(c: Cluster) {
    c.provider.rounds(
        "work then tell",
        vec![
            vec![Reply::calls(&[("get_time", r#"{"timezone":"Etc/GMT+7"}"#)]).saying("I look.")],
            vec![Reply::words(20).hold_after(5)],
        ],
    );
    c.provider.rounds("ask one", vec![vec![parallel(&["work then tell"])], vec![Reply::text("never")]]);
    let turn = c.api(0).say("", "ask one").await;
    eventually("it writes its summary", LONG, async || c.provider.asked("work then tell").len() == 2).await;
    // Its text is on its way through the worker as soon as the provider has sent it.
    always("it goes on", Duration::from_millis(300), async || c.provider.running() == 1).await;
    c.api(1).stop(turn.run).await;
    assert_eq!(c.api(0).finish(&turn).await["status"], "cancelled");
    let subagent = c.subagents(&turn).await.pop().expect("one");
    let shown = c.api(1).get(&format!("/api/subagents/{}", subagent.id)).await.expect(200);
    let text = shown.to_string();
    assert!(text.contains("word5") && text.contains("I look.") && text.contains("Etc/GMT+7"), "{shown}");
    assert!(text.contains("-07:00"), "the tool's result is shown: {shown}");
    assert_eq!(c.api(0).run(subagent.id).await["status"], "cancelled");
    let card = c.stored_card(turn.assistant).await;
    assert!(card[0]["items"][0]["summary"].as_str().is_some_and(|t| t.contains("word5")), "{card:?}");
    c.end(Allowed::default()).await;
}

/// One that waits for a place at its model is stopped without ever being asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subagent_that_waits_for_its_model_is_stopped() {
    let c = Builder::new(Kind::PAIR).model(json!({ "maxConcurrency": 1 })).start().await;
    c.provider.says("takes the place", Reply::words(9).hold_after(2));
    c.provider.says("waits for it", Reply::words(9).hold_after(2));
    let goals = ["takes the place", "waits for it"];
    c.provider.rounds("two for one", vec![vec![parallel(&goals)], vec![Reply::text("One.")]]);
    let turn = c.api(0).say("", "two for one").await;
    eventually("one runs and one waits for the model", LONG, async || {
        let all = c.subagents(&turn).await;
        c.provider.running() == 1 && all.iter().any(|s| s.run_reason == "model_limit")
    })
    .await;
    let all = c.subagents(&turn).await;
    let waiting = all.iter().find(|s| s.run_reason == "model_limit").expect("one waits");
    let run = c.api(1).run(waiting.id).await;
    assert_eq!((&run["status"], &run["reason"]), (&json!("queued"), &json!("model_limit")), "{run}");
    stop_one(&c, &turn, waiting, true).await;
    c.provider.release("takes the place");
    c.provider.release("waits for it");
    let released = Instant::now();
    let answer = c.api(0).finish(&turn).await;
    // Who was stopped stands in nobody's way: its place in the line does not stand empty.
    assert!(released.elapsed() < Duration::from_secs(8), "{:?}", released.elapsed());
    assert_eq!(answer["content"], "One.", "{answer}");
    let stopped = c.subagents(&turn).await.into_iter().find(|s| s.id == waiting.id).expect("still there");
    assert_eq!(stopped.status, "cancelled");
    assert!(c.provider.asked(&stopped.goal).is_empty());
    c.end(Allowed::default()).await;
}

/// P8: without Redis a stop reaches everything within four seconds, by the rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_reaches_every_subagent_without_redis() {
    let c = Builder::new(Kind::PAIR).redis_proxy().start().await;
    let proxy = c.redis_proxy.as_ref().expect("asked for");
    for (name, weather) in [
        ("gone", Weather { refuse: true, ..Weather::default() }),
        ("deaf", Weather { drop_to_client: true, ..Weather::default() }),
    ] {
        let key = format!("stop while {name}");
        let (turn, _) = four_at_work(&c, &key).await;
        proxy.set(weather);
        proxy.cut_all();
        let answer = c.api(1).stop(turn.run).await;
        assert!((200..300).contains(&answer.status), "{name}: {answer:?}");
        eventually("every call is closed", Duration::from_secs(4), async || {
            c.provider.asked_like(&key).iter().all(|call| call.end.is_some())
        })
        .await;
        assert_eq!(c.api(0).finish(&turn).await["status"], "cancelled", "{name}");
        assert!(c.subagents(&turn).await.iter().all(|s| s.status == "cancelled"), "{name}");
        proxy.clear();
        proxy.cut_all();
        eventually("as quick as ever", LONG, async || {
            let began = Instant::now();
            c.api(0).ask("", "hello").await;
            began.elapsed() < Duration::from_secs(1)
        })
        .await;
    }
    c.end(Allowed::default()).await;
}
