use super::family::*;
use super::fixture::*;
use crate::domain::ids::{MessageId, SessionId};
use crate::on_both;
use crate::store::db::{Sql, query};
use crate::store::runs::{self, Claim, Fenced, FinishOutcome};
use crate::store::{Db, messages, sessions, turns};

/// Rows of any table that hold the session's id.
async fn rows_of(db: &Db, session: SessionId) -> Vec<(String, i64)> {
    let columns = query(Sql {
        sqlite: "SELECT m.name AS t, c.name AS c FROM sqlite_schema m JOIN pragma_table_info(m.name) c \
                 WHERE m.type = 'table' AND (c.name = 'session_id' OR (m.name = 'netaclaw_session' AND c.name = 'id'))",
        postgres: "SELECT CAST(table_name AS text) AS t, CAST(column_name AS text) AS c \
                   FROM information_schema.columns WHERE table_schema = 'public' \
                   AND (column_name = 'session_id' OR (table_name = 'netaclaw_session' AND column_name = 'id'))",
    });
    let mut found = Vec::new();
    let columns = columns.all(db).await.unwrap();
    assert!(columns.len() >= 5, "session, message, run, pause, usage");
    for row in columns {
        let (table, column): (String, String) = (row.get("t").unwrap(), row.get("c").unwrap());
        let sql: &'static str = format!("SELECT COUNT(*) AS n FROM {table} WHERE {column} = $1").leak();
        let n: i64 = query(sql).bind(session).one(db).await.unwrap().get("n").unwrap();
        found.push((table, n));
    }
    found.retain(|(_, n)| *n > 0);
    found
}

on_both!(deleting_a_session_leaves_nothing_but_the_bill, |db| async {
    agent(db, TENANT).await;
    let (session, other) = (SessionId::generate(), SessionId::generate());
    let (done, live) = (accept(db, &turn(session, "1")).await, accept(db, &turn(session, "2")).await);
    let kept = accept(db, &turn(other, "3")).await;
    let (_, lease) = claimed(db, done.run_id, "w").await;
    runs::finish(db, &lease, &ending("a"), now()).await.unwrap();
    let (_, lease) = claimed(db, live.run_id, "w").await;
    runs::append(db, &lease, 0, &[model_step("x", &[])], &[usage_row(0)], None, now()).await.unwrap();
    query(
        "INSERT INTO netaclaw_pause (tenant_id, session_id, run_id, tool_call_id, kind, question, status, \
         create_time, update_time) VALUES (1, $1, $2, 'c', 'clarify', '?', 'open', $3, $3)",
    )
    .bind(session)
    .bind(live.run_id)
    .bind(now())
    .execute(&**db)
    .await
    .unwrap();
    assert_eq!(rows_of(db, session).await.len(), 5);

    assert_eq!(sessions::delete(db, OTHER, session, now(), None).await.unwrap(), None);
    let deleted = sessions::delete(db, TENANT, session, now(), None).await.unwrap().unwrap();
    assert_eq!(deleted.run_ids, [done.run_id, live.run_id]);
    assert_eq!(deleted.assistant_message_ids, [done.assistant_message_id, live.assistant_message_id]);
    assert_eq!(rows_of(db, session).await, []);
    assert_eq!(count(db, "netaclaw_run_step").await, 0);
    assert_eq!(count(db, "netaclaw_usage WHERE run_id IS NULL AND message_id IS NULL").await, 2);
    assert_eq!(sessions::delete(db, TENANT, session, now(), None).await.unwrap(), None);

    // Nothing that its worker still does recreates a row.
    let steps = [model_step("y", &[])];
    let late = runs::append(db, &lease, 1, &steps, &[usage_row(1)], None, now()).await.unwrap();
    assert_eq!(late, Fenced::Stale);
    assert_eq!(runs::finish(db, &lease, &ending("late"), now()).await.unwrap(), FinishOutcome::Stale);
    assert_eq!(claim(db, live.run_id, "w").await, Claim::Gone);
    assert_eq!(rows_of(db, session).await, []);
    assert_eq!(count(db, "netaclaw_usage").await, 2);
    claimed(db, kept.run_id, "w").await;
});

on_both!(deleting_a_turn_removes_both_of_its_messages, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let (first, second) = (accept(db, &turn(session, "1")).await, accept(db, &turn(session, "2")).await);
    let third = accept(db, &turn(session, "3")).await;
    let (_, lease) = claimed(db, first.run_id, "w").await;
    runs::append(db, &lease, 0, &[model_step("x", &[])], &[usage_row(0)], None, now()).await.unwrap();
    assert_eq!(claim(db, second.run_id, "w").await, Claim::SessionBusy);

    let gone = MessageId(99);
    assert_eq!(turns::delete(db, TENANT, session, gone, now(), None).await.unwrap(), None);
    assert_eq!(turns::delete(db, OTHER, session, first.user_message_id, now(), None).await.unwrap(), None);
    let deleted =
        turns::delete(db, TENANT, session, first.user_message_id, now(), None).await.unwrap().unwrap();
    assert_eq!(deleted.run_ids, [first.run_id]);
    assert_eq!(deleted.assistant_message_ids, [first.assistant_message_id]);
    assert!(deleted.has_successor);
    assert_eq!(runs::finish(db, &lease, &ending("late"), now()).await.unwrap(), FinishOutcome::Stale);
    claimed(db, second.run_id, "w").await;
    // By the assistant's message as well.
    turns::delete(db, TENANT, session, third.assistant_message_id, now(), None).await.unwrap().unwrap();
    let left = messages::list(db, TENANT, session, None, 10).await.unwrap();
    assert_eq!(
        left.iter().map(|m| m.id).collect::<Vec<_>>(),
        [second.user_message_id, second.assistant_message_id]
    );
    assert_eq!(count(db, "netaclaw_run_step").await, 0);
});

/// Rows of tables that name a run, and not a session.
async fn rows_by_run(db: &Db) -> i64 {
    let mut all = 0;
    for table in ["netaclaw_run_step", "netaclaw_budget", "netaclaw_reservation", "netaclaw_pause"] {
        all += count(db, table).await;
    }
    all
}

on_both!(deleting_a_session_reaches_subagents, |db| async {
    delete_family(db, false).await;
});

on_both!(deleting_a_turn_reaches_subagents, |db| async {
    delete_family(db, true).await;
});

async fn delete_family(db: &Db, one_turn: bool) {
    let family = Family::of(db, &[("c1", 3)], 2, &["q1"]).await;
    let session = family.turn.session_id;
    finish(db, &family, family.children[0].run_id, &ending("x")).await;
    let (_, lease) = claimed(db, family.children[1].run_id, "w").await;
    db.run_raw(format!(
        "INSERT INTO netaclaw_budget (root_run_id, tenant_id, finishing, asked) VALUES ({}, 1, FALSE, 0);
         INSERT INTO netaclaw_reservation (run_id, root_run_id, step_seq, tokens, cost) VALUES ({}, {}, 0, 5, 0.1)",
        family.id, lease.run_id, family.id
    ))
    .await
    .unwrap();
    let message = family.turn.assistant_message_id;
    let subagents: Vec<_> = family.children.iter().map(|c| (message, c.id)).collect();
    let mut runs_of = vec![family.id];
    runs_of.extend(family.children.iter().map(|c| c.run_id));
    if one_turn {
        let deleted = turns::delete(db, TENANT, session, message, now(), None).await.unwrap().unwrap();
        assert_eq!((&deleted.run_ids, &deleted.subagents, deleted.was_live), (&runs_of, &subagents, true));
        assert_eq!(rows_of(db, session).await, [("netaclaw_session".to_owned(), 1)]);
    } else {
        let deleted = sessions::delete(db, TENANT, session, now(), None).await.unwrap().unwrap();
        assert_eq!((&deleted.run_ids, &deleted.subagents, deleted.was_live), (&runs_of, &subagents, true));
        assert_eq!(rows_of(db, session).await, []);
    }
    assert_eq!(rows_by_run(db).await, 0);
    let late = runs::finish_child(db, &lease, family.id, &ending("late"), now()).await.unwrap();
    assert_eq!(late, runs::ChildFinish::Stale);
    assert_eq!(rows_by_run(db).await, 0);
    assert_eq!(count(db, "netaclaw_usage WHERE run_id IS NULL").await, 2);
}
