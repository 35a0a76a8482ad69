//! Messages that take the place of earlier ones.

use super::family::Family;
use super::fixture::*;
use crate::domain::audit::{By, Entry};
use crate::domain::ids::{MessageId, RunId, SessionId};
use crate::domain::quotas::{DayLimits, Subject};
use crate::domain::runs::{Lease, Policy, RunStatus};
use crate::on_both;
use crate::store::audit;
use crate::store::db::query;
use crate::store::runs::{self, Claim, FinishOutcome};
use crate::store::turns::{self, AcceptOutcome, AcceptedTurn, NewTurn, Replaces};
use crate::store::{Db, messages, quotas};
use tokio::task::JoinSet;

fn replacing(session: SessionId, content: &str, message_id: MessageId) -> NewTurn {
    let line = Entry::new(TENANT, By::neta(), "message.delete", &message_id);
    NewTurn { replaces: Some(Replaces { message_id, line }), ..turn(session, content) }
}

async fn ended(db: &Db, session: SessionId, text: &str) -> AcceptedTurn {
    let t = accept(db, &turn(session, text)).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    runs::finish(db, &lease, &ending(&format!("re {text}")), now()).await.unwrap();
    t
}

async fn texts(db: &Db, session: SessionId) -> Vec<String> {
    let all = messages::list(db, TENANT, session, None, 100).await.unwrap();
    all.into_iter().map(|m| m.content).collect()
}

/// Nothing of these runs is left but what they used.
async fn are_gone(db: &Db, runs: &[RunId]) {
    for table in
        ["run WHERE id", "run_step WHERE run_id", "subagent_session WHERE run_id", "pause WHERE run_id"]
    {
        for id in runs {
            let sql: &'static str = format!("SELECT COUNT(*) AS n FROM netaclaw_{table} = {id}").leak();
            let left: i64 = query(sql).one(db).await.unwrap().get("n").unwrap();
            assert_eq!(left, 0, "{table} = {id}");
        }
    }
}

on_both!(a_turn_and_all_later_ones_make_room, |db| async {
    agent(db, TENANT).await;
    for by_answer in [false, true] {
        let session = SessionId::generate();
        ended(db, session, "1").await;
        let second = ended(db, session, "2").await;
        let third = accept(db, &turn(session, "3")).await;
        let (_, lease) = claimed(db, third.run_id, "w").await;
        let fourth = accept(db, &turn(session, "4")).await;
        let at = if by_answer { second.assistant_message_id } else { second.user_message_id };
        let new = accept(db, &replacing(session, "2b", at)).await;
        let removed = new.removed.clone().unwrap();
        let gone = [second.run_id, third.run_id, fourth.run_id];
        assert_eq!((removed.run_ids.as_slice(), removed.was_live), (&gone[..], true));
        let streams = [&second, &third, &fourth].map(|t| t.assistant_message_id);
        assert_eq!(removed.assistant_message_ids, streams);
        are_gone(db, &gone).await;
        assert_eq!(texts(db, session).await, ["1", "re 1", "2b", ""]);
        // Its worker finds it gone; the new turn begins, with what is left before it.
        let late = runs::finish(db, &lease, &ending("late"), now()).await.unwrap();
        assert_eq!(late, FinishOutcome::Stale);
        claimed(db, new.run_id, "w").await;
        let history = runs::history(db, session, new.user_message_id, 100).await.unwrap().unwrap();
        assert_eq!((history.past.len(), history.current.content.as_str()), (1, "2b"));
        let lines = audit::list(db, TENANT, &audit::Filter::default(), None, 10).await.unwrap();
        let shown = serde_json::json!({ "sessionId": session, "turns": 3 });
        assert_eq!((lines[0].action.as_str(), &lines[0].object_id), ("message.delete", &at.to_string()));
        assert_eq!((lines.len(), lines[0].before.as_ref()), (1 + usize::from(by_answer), Some(&shown)));
    }
    let bills = query("SELECT COUNT(*) AS n FROM netaclaw_usage WHERE run_id IS NULL").one(&**db).await;
    assert_eq!(bills.unwrap().get::<i64>("n").unwrap(), 2, "what was used stays");
});

on_both!(a_tree_goes_as_a_whole, |db| async {
    let family = Family::of(db, &[("b", 3)], 2, &["ask"]).await;
    let (_, child) = claimed(db, family.children[0].run_id, "w").await;
    let session = family.turn.session_id;
    let new = accept(db, &replacing(session, "instead", family.turn.user_message_id)).await;
    let removed = new.removed.unwrap();
    let children: Vec<RunId> = family.children.iter().map(|c| c.run_id).collect();
    assert_eq!(removed.run_ids, [&[family.id][..], &children].concat());
    assert_eq!(removed.subagents.len(), 3);
    are_gone(db, &removed.run_ids).await;
    let late = runs::append(db, &child, 0, &[model_step("late", &[])], &[], None, now()).await.unwrap();
    assert_eq!(late, runs::Fenced::Stale);
    assert_eq!(texts(db, session).await, ["instead", ""]);
});

on_both!(a_repetition_replaces_nothing_more, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let first = ended(db, session, "1").await;
    let new = NewTurn {
        client_message_id: Some("c".to_owned()),
        ..replacing(session, "1b", first.user_message_id)
    };
    let accepted = accept(db, &new).await;
    let later = ended_behind(db, &accepted, session).await;
    let known = AcceptedTurn { removed: None, ..accepted.clone() };
    assert_eq!(turns::accept(db, &new).await.unwrap(), AcceptOutcome::Known(known.clone()));
    // Also where it names a message that is there: its own, or a later one.
    for there in [accepted.user_message_id, later.user_message_id] {
        let again = NewTurn { client_message_id: Some("c".to_owned()), ..replacing(session, "1b", there) };
        assert_eq!(turns::accept(db, &again).await.unwrap(), AcceptOutcome::Known(known.clone()));
        let other = NewTurn { content: "else".to_owned(), ..again };
        assert_eq!(turns::accept(db, &other).await.unwrap(), AcceptOutcome::ClientIdReused);
    }
    assert_eq!(texts(db, session).await, ["1b", "a", "2", "re 2"]);
});

/// Ends an accepted turn, and one after it.
async fn ended_behind(db: &Db, turn: &AcceptedTurn, session: SessionId) -> AcceptedTurn {
    let (_, lease) = claimed(db, turn.run_id, "w").await;
    runs::finish(db, &lease, &ending("a"), now()).await.unwrap();
    ended(db, session, "2").await
}

on_both!(what_is_refused_removes_nothing, |db| async {
    agent(db, TENANT).await;
    let (session, other) = (SessionId::generate(), SessionId::generate());
    let running = accept(db, &turn(session, "1")).await;
    claimed(db, running.run_id, "w").await;
    let waiting = accept(db, &turn(session, "2")).await;
    let elsewhere = accept(db, &turn(other, "elsewhere")).await;
    let of_tenant =
        |tenant, new: NewTurn| NewTurn { sender: crate::domain::access::Sender::of_tenant(tenant), ..new };
    let fresh = SessionId::generate();
    for (new, expected) in [
        (replacing(session, "x", elsewhere.user_message_id), AcceptOutcome::NothingToReplace),
        (replacing(session, "x", MessageId(999)), AcceptOutcome::NothingToReplace),
        (replacing(session, "x", MessageId(-1)), AcceptOutcome::NothingToReplace),
        (replacing(fresh, "x", waiting.user_message_id), AcceptOutcome::NothingToReplace),
        (
            NewTurn { policy: Policy::Reject, ..replacing(session, "x", waiting.user_message_id) },
            AcceptOutcome::Busy,
        ),
    ] {
        assert_eq!(turns::accept(db, &new).await.unwrap(), expected, "{new:?}");
    }
    agent(db, OTHER).await;
    let foreign = of_tenant(OTHER, replacing(session, "x", waiting.user_message_id));
    assert_eq!(turns::accept(db, &foreign).await.unwrap(), AcceptOutcome::SessionNotFound);
    assert_eq!(crate::store::sessions::find(db, TENANT, fresh).await.unwrap(), None);

    let mut tx = db.begin().await.unwrap();
    let one = DayLimits { max_turns: Some(1), ..DayLimits::default() };
    quotas::put(&mut tx, Subject::tenant(TENANT), &one, now()).await.unwrap();
    tx.commit().await.unwrap();
    let new = replacing(session, "2b", waiting.user_message_id);
    assert_eq!(turns::accept(db, &new).await.unwrap(), AcceptOutcome::Limited);
    assert_eq!(texts(db, session).await, ["1", "", "2", ""]);
    let accepted = turns::accept_counted(db, &new).await.unwrap();
    let AcceptOutcome::Accepted(accepted) = accepted else { panic!("{accepted:?}") };
    assert_eq!(texts(db, session).await, ["1", "", "2b", ""]);
    let more = replacing(session, "2c", accepted.user_message_id);
    let refused = turns::accept_counted(db, &more).await.unwrap();
    assert!(matches!(refused, AcceptOutcome::OverQuota(_)), "{refused:?}");
    assert_eq!(texts(db, session).await, ["1", "", "2b", ""]);
    assert_eq!(count(db, "netaclaw_audit").await, 1);
});

on_both!(policies_look_at_what_is_left, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let running = accept(db, &turn(session, "1")).await;
    claimed(db, running.run_id, "w").await;
    let reject = NewTurn { policy: Policy::Reject, ..replacing(session, "1b", running.user_message_id) };
    let second = accept(db, &reject).await;
    claimed(db, second.run_id, "w").await;
    let third = accept(db, &turn(session, "2")).await;
    let interrupt = NewTurn { policy: Policy::Interrupt, ..replacing(session, "2b", third.user_message_id) };
    let fourth = accept(db, &interrupt).await;
    assert_eq!(
        (fourth.to_stop.as_slice(), fourth.removed.unwrap().run_ids),
        (&[second.run_id][..], vec![third.run_id])
    );
    assert_eq!(texts(db, session).await, ["1b", "", "2b", ""]);
});

on_both!(of_many_that_replace_one_message_one_does, |db| async {
    agent(db, TENANT).await;
    for same in [false, true] {
        let session = SessionId::generate();
        let first = accept(db, &turn(session, "1")).await;
        let mut tasks = JoinSet::new();
        for n in 0..8 {
            let db = (**db).clone();
            let id = if same { Some("c".to_owned()) } else { None };
            let new = NewTurn { client_message_id: id, ..replacing(session, "1b", first.user_message_id) };
            tasks.spawn(async move {
                // Half of them at the same time as a worker that begins it.
                if n % 2 == 0
                    && let Claim::Claimed(claimed) = claim(&db, first.run_id, "w").await
                {
                    let lease =
                        Lease { run_id: first.run_id, owner: worker("w"), epoch: claimed.run.lease_epoch };
                    runs::finish(&db, &lease, &ending("a"), now()).await.unwrap();
                }
                turns::accept(&db, &new).await.unwrap()
            });
        }
        let outcomes = tasks.join_all().await;
        let accepted = outcomes.iter().filter(|o| matches!(o, AcceptOutcome::Accepted(_))).count();
        let known = outcomes.iter().filter(|o| matches!(o, AcceptOutcome::Known(_))).count();
        let nothing = outcomes.iter().filter(|o| **o == AcceptOutcome::NothingToReplace).count();
        let expected = if same { (1, 7, 0) } else { (1, 0, 7) };
        assert_eq!((accepted, known, nothing), expected, "{outcomes:?}");
        assert_eq!(texts(db, session).await, ["1b", ""]);
    }
    let live = runs::count_live(db, TENANT).await.unwrap();
    assert_eq!(live, [(RunStatus::Queued, 2)]);
});
