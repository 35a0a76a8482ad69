//! The budget of a tree: what all its calls may use together, and what a person decides when it is
//! used up.

use crate::harness::client::{Api, LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{open_pauses, parallel, pause_id};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::{always, eventually, until};
use serde_json::{Value, json};
use std::time::Duration;

on_both!(a_used_up_budget_asks_and_each_decision_is_carried_out, a_budget_without_need_to_ask_asks_nothing);

/// An agent whose trees may use so many tokens.
async fn thrifty(c: &Cluster, name: &str, tokens: u64) -> i64 {
    c.add_agent(name, c.model, &json!({ "budgetTokens": tokens, "maxToolRounds": 20 })).await
}

async fn decide(api: &Api, pause: &Value, decision: &str) {
    let path = format!("/api/pauses/{}/answer", pause_id(pause));
    let answer = api.post(&path, &json!({ "answer": decision })).await;
    assert!((200..300).contains(&answer.status), "{answer:?}");
}

/// Subagents that use 40,000 tokens each in a tree that may use 100,000: a person is asked before it is
/// overdrawn, and raises it, has it finished now, or stops it.
async fn a_used_up_budget_asks_and_each_decision_is_carried_out(c: Cluster) {
    let agent = thrifty(&c, "thrifty", 100_000).await;
    for decision in ["raise", "finish now", "stop"] {
        let key = format!("spend and {decision}");
        let goals: Vec<String> = (1..=4).map(|n| format!("use much {n} to {decision}")).collect();
        for goal in &goals {
            let tool = Reply::calls(&[("get_time", "{}")]).usage(30_000, 10_000);
            c.provider.rounds(goal, vec![vec![tool], vec![Reply::text("Spent.").usage(1_000, 10)]]);
        }
        let refs: Vec<&str> = goals.iter().map(String::as_str).collect();
        let answer = Reply::text("What I have.").usage(1_000, 10);
        c.provider.rounds(&key, vec![vec![parallel(&refs).usage(1_000, 10)], vec![answer]]);
        let more = json!({ "agentId": agent, "wait": 0 });
        let turn = Turn::of("", &c.api(0).chat("", &key, &more).await.body);
        eventually("a person is asked", LONG, async || !open_pauses(&c.api(0)).await.is_empty()).await;
        let pause = open_pauses(&c.api(1)).await.remove(0);
        assert_eq!(pause["kind"], "budget", "{pause}");
        assert_eq!(pause["options"], json!(["raise", "finish now", "stop"]), "{pause}");
        eventually("nothing runs", LONG, async || c.provider.running() == 0).await;
        let stopped = format!("/api/runs?parentRunId={}&status=paused&reason=budget", turn.run);
        let stopped = c.api(0).get(&stopped).await.body["items"][0]["id"].clone();
        let run = c.api(0).get(&format!("/api/runs/{stopped}")).await.body;
        assert_eq!(run["why"], json!({ "kind": "budget", "pauseIds": [pause_id(&pause)] }), "{run}");
        let calls = c.provider.all().len();
        always("nothing begins", Duration::from_millis(500), async || c.provider.all().len() == calls).await;
        let refused = c
            .api(1)
            .post(&format!("/api/pauses/{}/answer", pause_id(&pause)), &json!({ "answer": "maybe" }))
            .await;
        assert!((400..500).contains(&refused.status), "{refused:?}");
        decide(&c.api(1), &pause, decision).await;
        if decision == "raise" {
            raise_until_it_ends(&c, &turn).await;
        }
        let body = c.api(0).finish(&turn).await;
        match decision {
            "raise" => {
                assert_eq!(
                    (&body["status"], &body["content"]),
                    (&json!("completed"), &json!("What I have.")),
                    "{body}"
                );
                assert_eq!(body["subagents"][0]["summary"]["completed"], 4, "{body}");
            }
            "finish now" => {
                assert_eq!(
                    (&body["status"], &body["content"]),
                    (&json!("completed"), &json!("What I have.")),
                    "{body}"
                );
                let last = c.provider.asked(&key).pop().expect("calls");
                assert_eq!(last.tools(), Vec::<String>::new(), "the last call has no tools");
                assert_eq!(last.batch("call_1").len(), 4);
            }
            _ => {
                assert!(matches!(body["status"].as_str(), Some("cancelled" | "failed")), "{body}");
                assert_eq!(c.provider.asked(&key).len(), 1);
            }
        }
        assert!(open_pauses(&c.api(0)).await.is_empty());
    }
    c.end(Allowed { failed_percent: 50 }).await;
}

/// A raise gives as much again, which may be used up in its turn.
async fn raise_until_it_ends(c: &Cluster, turn: &Turn) {
    let is_over = async || {
        let status = c.stands(turn.run).await.0;
        matches!(status.as_str(), "completed" | "failed" | "cancelled")
    };
    for _ in 0..3 {
        let open = until("it asks again or ends", LONG, async || {
            let open = open_pauses(&c.api(0)).await;
            (!open.is_empty() || is_over().await).then_some(open)
        })
        .await;
        match open.first() {
            Some(pause) => decide(&c.api(0), pause, "raise").await,
            None => return,
        }
    }
    panic!("asked again and again");
}

/// A tree within its budget is never held up, and what calls under way may use is given back.
async fn a_budget_without_need_to_ask_asks_nothing(c: Cluster) {
    let agent = thrifty(&c, "rich", 10_000_000).await;
    c.script_team("within", 5, "Cheap.");
    for _ in 0..3 {
        let body = c.api(0).chat("", "within", &json!({ "agentId": agent, "wait": 20 })).await.expect(200);
        assert_eq!(body["content"], "Cheap.", "{body}");
    }
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_pause").await, 0);
    c.end(Allowed::default()).await;
}
