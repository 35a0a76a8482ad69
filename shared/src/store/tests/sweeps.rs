use super::fixture::*;
use crate::domain::access::Sender;
use crate::domain::ids::{RunId, SessionId};
use crate::domain::runs::Reason;
use crate::on_both;
use crate::store::db::query;
use crate::store::runs;
use crate::store::turns::NewTurn;
use crate::store::workers::{self, Worker};
use crate::testing::databases;
use chrono::{DateTime, TimeDelta};
use std::time::Duration;

const GRACE: Duration = Duration::from_secs(5);

on_both!(the_sweep_finds_what_could_run_and_nothing_else, |db| async {
    agent(db, TENANT).await;
    let (a, b, c, d) =
        (SessionId::generate(), SessionId::generate(), SessionId::generate(), SessionId::generate());
    let overdue = accept(db, &turn(a, "overdue")).await;
    let _behind_it = accept(db, &turn(a, "behind")).await;
    let held = accept(db, &turn(b, "held")).await;
    claimed(db, held.run_id, "w").await;
    let abandoned = accept(db, &turn(c, "abandoned")).await;
    claimed(db, abandoned.run_id, "w").await;
    expire(db, abandoned.run_id).await;
    let postponed = accept(db, &turn(d, "postponed")).await;
    let (_, lease) = claimed(db, postponed.run_id, "w").await;
    let later = now() + TimeDelta::seconds(60);
    runs::hand_back(db, &lease, later, Reason::ModelLimit, false).await.unwrap();

    let found = async |at| {
        let jobs = runs::due(db, at, GRACE, 10).await.unwrap();
        jobs.iter().map(|j| j.run_id).collect::<Vec<_>>()
    };
    // Too young: its ring may still be on its way.
    assert_eq!(found(now()).await, [abandoned.run_id]);
    let soon = now() + TimeDelta::seconds(6);
    assert_eq!(found(soon).await, [abandoned.run_id, overdue.run_id]);
    let mut at_last = found(later + TimeDelta::seconds(6)).await;
    at_last.retain(|id| *id != held.run_id);
    assert_eq!(at_last, [abandoned.run_id, overdue.run_id, postponed.run_id]);
    assert_eq!(runs::due(db, soon, GRACE, 1).await.unwrap().len(), 2);
});

on_both!(a_backlog_does_not_hide_another_tenants_turn, |db| async {
    agent(db, TENANT).await;
    agent(db, OTHER).await;
    for _ in 0..25 {
        accept(db, &turn(SessionId::generate(), "one of many")).await;
    }
    let theirs = SessionId::generate();
    let of_other = |content| NewTurn { sender: Sender::of_tenant(OTHER), ..turn(theirs, content) };
    let small = accept(db, &of_other("mine")).await;
    accept(db, &of_other("behind it")).await;
    let soon = now() + TimeDelta::seconds(6);
    let found = runs::due(db, soon, GRACE, 10).await.unwrap();
    let mut ids: Vec<RunId> = found.iter().map(|job| job.run_id).collect();
    assert_eq!(found.iter().filter(|job| job.tenant_id == OTHER).count(), 1);
    assert!(ids.contains(&small.run_id), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 11, "each once");
    assert_eq!(runs::due(db, soon, GRACE, 100).await.unwrap().len(), 26);
});

on_both!(one_worker_sweeps_in_each_interval, |db| async {
    let interval = Duration::from_secs(5);
    assert_eq!(workers::last_sweep(db).await.unwrap(), DateTime::UNIX_EPOCH);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let db = (**db).clone();
        tasks.spawn(async move { workers::take_sweep(&db, now(), interval).await.unwrap() });
    }
    let took = tasks.join_all().await;
    assert_eq!(took.iter().filter(|t| **t).count(), 1);
    let age = now() - workers::last_sweep(db).await.unwrap();
    assert!(age.abs() < TimeDelta::seconds(60), "{age}");
    assert!(workers::take_sweep(db, now() + TimeDelta::seconds(1), Duration::ZERO).await.unwrap());
});

on_both!(workers_tell_that_they_live, |db| async {
    let start = now();
    let one = Worker {
        id: worker("h-1"),
        host: "h".to_owned(),
        version: "0.1.0".to_owned(),
        slots: 8,
        running: 0,
        draining: false,
        started_at: start,
        seen_at: start,
    };
    let two = Worker { id: worker("h-2"), started_at: start + TimeDelta::seconds(1), ..one.clone() };
    workers::heartbeat(db, &two).await.unwrap();
    workers::heartbeat(db, &one).await.unwrap();
    assert_eq!(workers::list(db).await.unwrap(), [one.clone(), two.clone()]);
    let seen_at = start + TimeDelta::seconds(9);
    let busy = Worker { running: 3, draining: true, seen_at, ..one };
    workers::heartbeat(db, &busy).await.unwrap();
    assert_eq!(workers::remove_unseen(db, start + TimeDelta::seconds(5)).await.unwrap(), 1);
    assert_eq!(workers::list(db).await.unwrap(), std::slice::from_ref(&busy));
    workers::remove(db, &busy.id).await.unwrap();
    assert_eq!(workers::list(db).await.unwrap(), []);
});

#[tokio::test]
async fn a_long_line_is_not_read_to_its_end() {
    let db = databases::postgres().await;
    agent(&db, TENANT).await;
    let (first, second) = (SessionId::generate(), SessionId::generate());
    accept(&db, &turn(first, "x")).await;
    accept(&db, &turn(second, "x")).await;
    // 10,000 sessions with a turn each, and 10,000 turns in one session.
    db.run_raw(format!(
        "INSERT INTO netaclaw_session SELECT 's' || n, 1, NULL, 'chat', '', now(), now() FROM generate_series(1, 10000) n;
         INSERT INTO netaclaw_run (tenant_id, session_id, kind, root_run_id, agent_id, user_message_id,
           assistant_message_id, status, attempts, step_count, lease_epoch, due_at, has_successor, create_time)
         SELECT 1, s, 'chat', 0, 1, 0, 0, 'queued', 0, 0, 0, now() - interval '1 hour', FALSE, now()
         FROM (SELECT 's' || n AS s FROM generate_series(1, 10000) n
               UNION ALL SELECT '{first}' FROM generate_series(1, 10000) n) all_of_them;
         ANALYZE"
    ))
    .await
    .unwrap();
    let sql: &'static str = format!("EXPLAIN {}", runs::OVERDUE).leak();
    let plan = query(sql).bind(now()).bind(100_i64).all(&*db).await.unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.get("QUERY PLAN").unwrap()).collect();
    let plan = plan.join("\n");
    assert!(plan.contains("netaclaw_run_due") && plan.contains("netaclaw_run_live"), "{plan}");
    assert!(!plan.contains("Seq Scan") && !plan.contains("Sort"), "{plan}");
}

#[tokio::test]
async fn overdue_waits_are_found_by_the_index_of_due_runs() {
    let db = databases::sqlite().await;
    for sql in [runs::OVERDUE, runs::OVERDUE_WAITS] {
        let sql: &'static str = format!("EXPLAIN QUERY PLAN {sql}").leak();
        // Not a statement that only reads, by its first word: it needs the writer's turn.
        let plan = query(sql).bind(now()).bind(100_i64).all(&*db).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get("detail").unwrap()).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("netaclaw_run_due (due_at<?)"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
    let db = databases::postgres().await;
    db.run_raw(
        "INSERT INTO netaclaw_run (tenant_id, session_id, kind, root_run_id, agent_id, user_message_id,
           assistant_message_id, status, attempts, step_count, lease_epoch, due_at, has_successor, create_time)
         SELECT 1, 's', 'chat', 0, 1, 0, 0, CASE WHEN n % 100 = 0 THEN 'waiting' ELSE 'completed' END, 0, 0, 0,
           now() - n * interval '1 second', FALSE, now() FROM generate_series(1, 20000) n; ANALYZE"
            .to_owned(),
    )
    .await
    .unwrap();
    let sql: &'static str = format!("EXPLAIN {}", runs::OVERDUE_WAITS).leak();
    let plan = query(sql).bind(now()).bind(100_i64).all(&*db).await.unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.get("QUERY PLAN").unwrap()).collect();
    let plan = plan.join("\n");
    assert!(plan.contains("netaclaw_run_due") && !plan.contains("Seq Scan"), "{plan}");
}

/// As long as Postgres has no statistics, a partial index whose condition holds looks as cheap as the
/// primary key, though its columns begin with something else.
#[tokio::test]
async fn a_run_that_is_found_by_its_key_is_found_by_the_index_of_keys() {
    let db = databases::postgres().await;
    let held = concat!("EXPLAIN SELECT id FROM netaclaw_run WHERE ", runs::lease_holds!());
    let plan = query(held).bind(RunId(1)).bind("w").bind(1_i64).all(&*db).await.unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.get("QUERY PLAN").unwrap()).collect();
    assert!(plan.join("\n").contains("netaclaw_run_pkey"), "{plan:?}");
}
