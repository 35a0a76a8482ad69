//! Changing a message whose turn was never begun.

use super::fixture::*;
use crate::domain::audit::{By, Entry};
use crate::domain::ids::{MessageId, SessionId};
use crate::domain::messages::Role;
use crate::domain::runs::Reason;
use crate::on_both;
use crate::store::turns::{self, EditOutcome, NewTurn};
use crate::store::{Db, messages, runs};
use chrono::TimeDelta;
use tokio::task::JoinSet;

async fn edit(db: &Db, session: SessionId, id: MessageId, text: &str) -> EditOutcome {
    turns::edit(db, TENANT, session, id, text, now(), None).await.unwrap()
}

async fn text(db: &Db, id: MessageId) -> String {
    messages::find(db, TENANT, id).await.unwrap().unwrap().content
}

on_both!(a_message_in_line_is_changed_and_read_so, |db| async {
    let agent_id = agent(db, TENANT).await;
    let session = SessionId::generate();
    let first = accept(db, &turn(session, "first")).await;
    let second =
        accept(db, &NewTurn { client_message_id: Some("c".to_owned()), ..turn(session, "second") }).await;
    claimed(db, first.run_id, "w").await;
    let id = second.user_message_id;
    let at = now() + TimeDelta::seconds(5);
    let line = Entry::new(TENANT, By::neta(), "message.update", &id);
    let outcome = turns::edit(db, TENANT, session, id, "第二 \u{2400}", at, Some(&line)).await.unwrap();
    let EditOutcome::Edited(edited) = outcome else { panic!("{outcome:?}") };
    assert_eq!((edited.id, edited.role, edited.content.as_str()), (id, Role::User, "第二 \u{2400}"));
    assert_eq!((edited.update_time, edited.client_message_id.as_deref()), (at, Some("c")));
    assert_eq!(messages::find(db, TENANT, id).await.unwrap(), Some(*edited));
    assert_eq!(count(db, "netaclaw_audit").await, 1);
    let history = runs::history(db, session, id, 100).await.unwrap().unwrap();
    assert_eq!(history.current.content, "第二 \u{2400}");
    assert_eq!(turns::agent_of(db, TENANT, session, id).await.unwrap(), Some(agent_id));

    let elsewhere = accept(db, &turn(SessionId::generate(), "elsewhere")).await.user_message_id;
    for nothing in [second.assistant_message_id, elsewhere, MessageId(99)] {
        assert_eq!(edit(db, session, nothing, "x").await, EditOutcome::NotFound);
        assert_eq!(turns::agent_of(db, TENANT, session, nothing).await.unwrap(), None);
    }
    assert_eq!(turns::edit(db, OTHER, session, id, "x", at, None).await.unwrap(), EditOutcome::NotFound);
    assert_eq!(text(db, elsewhere).await, "elsewhere");
});

on_both!(a_message_whose_turn_began_or_ended_stays, |db| async {
    agent(db, TENANT).await;
    for state in ["running", "handed back", "ended", "stopped in line"] {
        let session = SessionId::generate();
        let t = accept(db, &turn(session, "as it was")).await;
        if state == "stopped in line" {
            runs::cancel(db, TENANT, t.run_id, Reason::Stopped, now(), None).await.unwrap();
        } else {
            let (_, lease) = claimed(db, t.run_id, "w").await;
            if state == "handed back" {
                runs::hand_back(db, &lease, now(), Reason::ModelLimit, false).await.unwrap();
            } else if state == "ended" {
                runs::finish(db, &lease, &ending("y"), now()).await.unwrap();
            }
        }
        let line = Entry::new(TENANT, By::neta(), "message.update", &t.user_message_id);
        let refused =
            turns::edit(db, TENANT, session, t.user_message_id, "new", now(), Some(&line)).await.unwrap();
        assert_eq!(refused, EditOutcome::Started, "{state}");
        assert_eq!(text(db, t.user_message_id).await, "as it was", "{state}");
    }
    assert_eq!(count(db, "netaclaw_audit").await, 0);
});

on_both!(an_edit_and_a_claim_agree_on_the_text, |db| async {
    agent(db, TENANT).await;
    for _ in 0..30 {
        let session = SessionId::generate();
        let t = accept(db, &turn(session, "old")).await;
        let mut tasks = JoinSet::new();
        let (edits, claims) = ((**db).clone(), (**db).clone());
        let id = t.user_message_id;
        tasks.spawn(async move {
            match edit(&edits, session, id, "new").await {
                EditOutcome::Edited(_) => "new".to_owned(),
                EditOutcome::Started => "old".to_owned(),
                EditOutcome::NotFound => panic!("not found"),
            }
        });
        tasks.spawn(async move {
            claimed(&claims, t.run_id, "w").await;
            runs::history(&claims, session, id, 100).await.unwrap().unwrap().current.content
        });
        let both = tasks.join_all().await;
        assert_eq!(both[0], both[1], "what was answered is what is read");
    }
});
