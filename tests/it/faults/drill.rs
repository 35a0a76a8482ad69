//! P1: accepted means finished, whatever dies meanwhile.

use super::insist;
use crate::harness::client::Api;
use crate::harness::cluster::{Builder, Kind};
use crate::harness::invariants::Allowed;
use crate::harness::reply::{Reply, words};
use crate::harness::services::long_drill;
use crate::harness::wait::in_time;
use std::collections::BTreeSet;
use std::time::Duration;

/// API, worker and Redis are killed in turn every two seconds while turns are asked for: each has
/// exactly one end, and almost all succeed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_accepted_message_is_finished_whatever_is_killed() {
    let mut c = Builder::new(Kind::PAIR).private_redis().start().await;
    let (turns, at_once) = if long_drill() { (500, 20) } else { (60, 12) };
    c.provider.rounds(
        "drill",
        vec![
            vec![Reply::calls(&[("get_time", "{}")]).saying("Wait.")],
            vec![Reply::words(40).every(Duration::from_millis(25))],
        ],
    );
    let apis = [c.api(0), c.api(1)];
    let asking = tokio::spawn(futures_util::future::join_all((0..at_once).map(|session| {
        let apis = apis.clone();
        async move {
            let id = uuid::Uuid::now_v7().to_string();
            let mut answers = Vec::new();
            for n in 0..turns / at_once {
                let turn = insist(&apis, &id, &format!("drill {session}/{n}")).await;
                answers.push((turn.clone(), finish_anywhere(&apis, &turn).await));
            }
            answers
        }
    })));
    // In the short form the killing ends, so that a slow machine ends too.
    let most = if long_drill() { 600 } else { 12 };
    let mut kills = 0;
    while !asking.is_finished() && kills < most {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let number = (kills / 3) % 2;
        match kills % 3 {
            0 => c.workers[number].restart(&[]),
            1 => c.apis[number].restart(&[]),
            _ => {
                let server = c.redis.as_mut().and_then(|r| r.server.as_mut()).expect("private");
                server.kill();
                server.begin().await;
            }
        }
        kills += 1;
    }
    let answers: Vec<_> =
        in_time("the answers", Duration::from_mins(2), asking).await.expect("no panic").concat();
    assert!(kills >= 3, "something was killed");
    assert_eq!(answers.len(), turns);
    let distinct: BTreeSet<i64> = answers.iter().map(|(turn, _)| turn.assistant).collect();
    assert_eq!(distinct.len(), turns, "none twice");
    let whole = format!("Wait.\n\n{}", words(40));
    let good = answers.iter().filter(|(_, a)| a["status"] == "completed" && a["content"] == whole).count();
    assert!(
        good * 100 >= turns * 95,
        "{good} of {turns} succeeded: {:?}",
        answers.iter().find(|(_, a)| a["content"] != whole)
    );
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_message").await, 2 * turns as i64);
    c.ready().await;
    c.end(Allowed::default()).await;
}

async fn finish_anywhere(apis: &[Api], turn: &crate::harness::client::Turn) -> serde_json::Value {
    let api = &apis[turn.assistant as usize % apis.len()];
    api.finish(turn).await
}
