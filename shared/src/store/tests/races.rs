use super::fixture::*;
use crate::domain::ids::{RunId, SessionId};
use crate::domain::runs::{Lease, Policy, RunStatus};
use crate::on_both;
use crate::store::db::query;
use crate::store::runs::{self, Claim, Filter, FinishOutcome};
use crate::store::turns::{self, AcceptOutcome, NewTurn};
use crate::store::{Db, messages};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

on_both!(messages_that_come_together_stand_in_one_order, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut tasks = JoinSet::new();
    for n in 0..20 {
        let db = (**db).clone();
        tasks.spawn(async move { accept(&db, &turn(session, &n.to_string())).await });
    }
    let mut accepted = tasks.join_all().await;
    accepted.sort_by_key(|t| t.run_id);
    // By run, the messages too are in order, and no turn's messages stand between another's.
    let order: Vec<_> = accepted.iter().flat_map(|t| [t.user_message_id, t.assistant_message_id]).collect();
    let stored = messages::list(db, TENANT, session, None, 100).await.unwrap();
    assert_eq!(stored.iter().map(|m| m.id).collect::<Vec<_>>(), order);
});

on_both!(of_many_claims_one_wins, |db| async {
    agent(db, TENANT).await;
    for round in 0..5 {
        let t = accept(db, &turn(SessionId::generate(), "x")).await;
        if round % 2 == 1 {
            claimed(db, t.run_id, "dead").await;
            expire(db, t.run_id).await;
        }
        let mut tasks = JoinSet::new();
        for n in 0..16 {
            let db = (**db).clone();
            tasks.spawn(async move { claim(&db, t.run_id, &format!("w{n}")).await });
        }
        let outcomes = tasks.join_all().await;
        let winners = outcomes.iter().filter(|c| matches!(c, Claim::Claimed(..))).count();
        assert_eq!(winners, 1, "{outcomes:?}");
        assert_eq!(outcomes.iter().filter(|c| **c == Claim::Gone).count(), 15);
    }
});

on_both!(one_client_id_makes_one_turn, |db| async {
    agent(db, TENANT).await;
    for policy in [Policy::Enqueue, Policy::Interrupt] {
        let session_id = SessionId::generate();
        let id = Some(format!("c-{policy:?}"));
        let new = NewTurn { client_message_id: id, policy, ..turn(session_id, "x") };
        let mut tasks = JoinSet::new();
        for n in 0..12 {
            let db = (**db).clone();
            // Half of them in a session of their own, as when the client named none.
            let session_id = if n % 2 == 0 { session_id } else { SessionId::generate() };
            let new = NewTurn { session_id, ..new.clone() };
            tasks.spawn(async move { turns::accept(&db, &new).await.unwrap() });
        }
        let mut runs = Vec::new();
        let mut accepted = 0;
        for outcome in tasks.join_all().await {
            match outcome {
                AcceptOutcome::Accepted(t) => {
                    accepted += 1;
                    runs.push(t.run_id);
                }
                AcceptOutcome::Known(t) => runs.push(t.run_id),
                other => panic!("{other:?}"),
            }
        }
        runs.dedup();
        assert_eq!((accepted, runs.len()), (1, 1));
    }
});

on_both!(reject_lets_one_in, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut tasks = JoinSet::new();
    for _ in 0..10 {
        let db = (**db).clone();
        let new = NewTurn { policy: Policy::Reject, ..turn(session, "x") };
        tasks.spawn(async move { turns::accept(&db, &new).await.unwrap() });
    }
    let outcomes = tasks.join_all().await;
    let busy = outcomes.iter().filter(|o| **o == AcceptOutcome::Busy).count();
    assert_eq!(busy, 9, "{outcomes:?}");
});

/// A queue without a sweep: whatever is lost here is lost.
struct Bell(tokio::sync::mpsc::UnboundedSender<RunId>);

/// Runs one rung run to its end, in the way of a worker. True if it ended.
async fn work(db: &Db, bell: &Bell, run_id: RunId, name: &str) -> bool {
    let Claim::Claimed(claimed) = claim(db, run_id, name).await else { return false };
    let run = claimed.run;
    let running = "SELECT COUNT(*) AS n FROM netaclaw_run WHERE session_id = $1 AND status = 'running'";
    let running: i64 = query(running).bind(run.session_id).one(db).await.unwrap().get("n").unwrap();
    assert_eq!(running, 1, "two turns of one session run at the same time");
    let lease = Lease { run_id, owner: worker(name), epoch: run.lease_epoch };
    match runs::finish(db, &lease, &ending("a"), now()).await.unwrap() {
        FinishOutcome::Finished { has_successor: false } => {}
        FinishOutcome::Finished { has_successor: true } => {
            let next = runs::next_in_session(db, run.session_id).await.unwrap();
            if let Some(job) = next {
                bell.0.send(job.run_id).unwrap();
            }
        }
        FinishOutcome::Stale => panic!("nobody else could have it"),
    }
    true
}

on_both!(no_turn_is_forgotten_between_the_end_of_one_and_the_ring_of_the_next, |db| async {
    const TURNS: usize = 40;
    agent(db, TENANT).await;
    let sessions = [SessionId::generate(), SessionId::generate()];
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let receiver = Arc::new(tokio::sync::Mutex::new(receiver));
    let ended = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for n in 0..4 {
        let (db, receiver, ended) = ((**db).clone(), Arc::clone(&receiver), Arc::clone(&ended));
        let bell = Bell(sender.clone());
        tasks.spawn(async move {
            while ended.load(Ordering::SeqCst) < TURNS {
                let rung = async { receiver.lock().await.recv().await };
                // Woken now and then only to see that all is done.
                let Ok(Some(run_id)) = tokio::time::timeout(std::time::Duration::from_secs(1), rung).await
                else {
                    continue;
                };
                if work(&db, &bell, run_id, &format!("w{n}")).await {
                    ended.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
    }
    for n in 0..4 {
        let (db, sender) = ((**db).clone(), sender.clone());
        tasks.spawn(async move {
            for i in 0..TURNS / 4 {
                let t = accept(&db, &turn(sessions[n % 2], &i.to_string())).await;
                sender.send(t.run_id).unwrap();
            }
        });
    }
    let all = async { while tasks.join_next().await.transpose().expect("no task fails").is_some() {} };
    let in_time = tokio::time::timeout(std::time::Duration::from_mins(1), all).await;
    let left = runs::count_live(db, TENANT).await.unwrap();
    assert!(in_time.is_ok(), "a turn was forgotten: {left:?}");
    assert_eq!(left, []);
    let completed = Filter { status: Some(RunStatus::Completed), ..Filter::default() };
    assert_eq!(runs::list(db, TENANT, &completed, None, 1_000).await.unwrap().len(), TURNS);
});

on_both!(ends_and_interruptions_do_not_block_each_other, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut tasks = JoinSet::new();
    for n in 0..3 {
        let db = (**db).clone();
        tasks.spawn(async move {
            for i in 0..10 {
                let new = NewTurn { policy: Policy::Interrupt, ..turn(session, &i.to_string()) };
                let t = accept(&db, &new).await;
                if let Claim::Claimed(claimed) = claim(&db, t.run_id, &format!("w{n}")).await {
                    let run = claimed.run;
                    let lease =
                        Lease { run_id: t.run_id, owner: worker(&format!("w{n}")), epoch: run.lease_epoch };
                    runs::renew(&db, &lease.owner, &[t.run_id], LEASE, now()).await.unwrap();
                    runs::finish(&db, &lease, &ending("a"), now()).await.unwrap();
                }
            }
        });
    }
    tasks.join_all().await;
    let live = "SELECT COUNT(*) AS n FROM netaclaw_run WHERE status = 'running'";
    assert_eq!(query(live).one(&**db).await.unwrap().get::<i64>("n").unwrap(), 0);
});
