use super::fixture::*;
use crate::domain::ids::SessionId;
use crate::domain::runs::RunStatus;
use crate::on_both;
use crate::store::runs::{self, Claim, FinishOutcome};
use crate::store::turns;

on_both!(a_plain_turn, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi \u{2400} 😀")).await;
    assert!(t.user_message_id < t.assistant_message_id);
    let (run, lease) = claimed(db, t.run_id, "w").await;
    assert_eq!((run.status, run.attempts, run.lease_epoch), (RunStatus::Running, 1, 1));
    assert_eq!(run.root_run_id, run.id);
    assert_eq!(claim(db, t.run_id, "v").await, Claim::Gone);
    let outcome = runs::finish(db, &lease, &ending("hello \u{2400}"), now()).await.unwrap();
    assert_eq!(outcome, FinishOutcome::Finished { has_successor: false });
    let found = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap();
    assert_eq!(found.message.content, "hello \u{2400}");
    assert_eq!(runs::journal(&**db, t.run_id).await.unwrap().answer_text(), "hello \u{2400}");
    assert_eq!(claim(db, t.run_id, "v").await, Claim::Gone);
});
