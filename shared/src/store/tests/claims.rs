use super::fixture::*;
use crate::domain::ids::{RunId, SessionId};
use crate::domain::runs::{Reason, RunStatus};
use crate::on_both;
use crate::store::runs::{self, CancelOutcome, Claim, Fenced, FinishOutcome, Renewed};
use crate::store::turns;
use chrono::TimeDelta;
use std::time::Duration;

on_both!(a_plain_turn, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi \u{2400} 😀")).await;
    assert!(t.user_message_id < t.assistant_message_id);
    let (run, lease) = claimed(db, t.run_id, "w").await;
    assert_eq!((run.status, run.attempts, run.lease_epoch), (RunStatus::Running, 1, 1));
    assert_eq!((run.root_run_id, run.lease_owner), (run.id, Some(worker("w"))));
    assert!(run.started_at.is_some() && run.ended_at.is_none());
    assert_eq!(claim(db, t.run_id, "v").await, Claim::Gone);
    let outcome = runs::finish(db, &lease, &ending("hello \u{2400}"), now()).await.unwrap();
    assert_eq!(outcome, FinishOutcome::Finished { has_successor: false });
    let found = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap();
    assert_eq!(found.message.content, "hello \u{2400}");
    assert_eq!(runs::journal(&**db, t.run_id).await.unwrap().answer_text(), "hello \u{2400}");
    assert_eq!(claim(db, t.run_id, "v").await, Claim::Gone);
    assert_eq!(claim(db, RunId(99), "v").await, Claim::Gone);
});

on_both!(an_expired_lease_is_taken_over_and_the_loser_writes_nothing, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    let (_, old) = claimed(db, t.run_id, "w").await;
    expire(db, t.run_id).await;
    let (run, lease) = claimed(db, t.run_id, "w2").await;
    assert_eq!((run.lease_epoch, run.attempts), (2, 2));

    let steps = [model_step("stale", &[])];
    let stale = runs::append(db, &old, 0, &steps, &[usage_row(0)], None, now()).await.unwrap();
    assert_eq!(stale, Fenced::Stale);
    assert_eq!(runs::finish(db, &old, &ending("stale"), now()).await.unwrap(), FinishOutcome::Stale);
    let back = runs::hand_back(db, &old, now(), Reason::HandedBack, false).await.unwrap();
    assert_eq!(back, Fenced::Stale);
    // The right owner with a stale epoch, and the right epoch with another owner.
    for wrong in [
        crate::domain::runs::Lease { epoch: 1, ..lease.clone() },
        crate::domain::runs::Lease { owner: worker("x"), ..lease.clone() },
    ] {
        let stale = runs::append(db, &wrong, 0, &steps, &[], None, now()).await.unwrap();
        assert_eq!(stale, Fenced::Stale);
        assert_eq!(runs::finish(db, &wrong, &ending("x"), now()).await.unwrap(), FinishOutcome::Stale);
    }
    assert_eq!(runs::journal(&**db, t.run_id).await.unwrap().steps, []);
    let message = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap().message;
    assert_eq!((message.content.as_str(), message.usage), ("", None));
    assert_eq!(count(db, "netaclaw_usage").await, 0);
    let done = runs::finish(db, &lease, &ending("right"), now()).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: false });
});

on_both!(renewal_keeps_what_is_held_and_tells_of_wishes_to_stop, |db| async {
    agent(db, TENANT).await;
    let (a, b) = (SessionId::generate(), SessionId::generate());
    let (held, lost) = (accept(db, &turn(a, "1")).await, accept(db, &turn(b, "2")).await);
    let (before, _) = claimed(db, held.run_id, "w").await;
    claimed(db, lost.run_id, "w").await;
    expire(db, lost.run_id).await;
    claimed(db, lost.run_id, "v").await;
    let flagged = runs::cancel(db, TENANT, held.run_id, Reason::Stopped, now(), None).await.unwrap();
    assert_eq!(
        flagged.outcome,
        CancelOutcome::Flagged { session_id: a, assistant_message_id: held.assistant_message_id }
    );
    let ids = [held.run_id, lost.run_id, RunId(99)];
    let longer = Duration::from_mins(1);
    let renewed = runs::renew(db, &worker("w"), &ids, longer, now()).await.unwrap();
    let expected = Renewed { run_id: held.run_id, epoch: 1, cancel_reason: Some(Reason::Stopped) };
    assert_eq!(renewed, [expected]);
    let after = runs::find(db, TENANT, held.run_id).await.unwrap().unwrap();
    assert!(after.lease_expires_at.unwrap() > before.lease_expires_at.unwrap() + TimeDelta::seconds(40));
    assert_eq!(runs::renew(db, &worker("w"), &[], longer, now()).await.unwrap(), []);
});

on_both!(a_run_that_is_handed_back_is_in_line_again, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    let later = now() + TimeDelta::seconds(30);
    let back = runs::hand_back(db, &lease, later, Reason::ModelLimit, false).await.unwrap();
    assert_eq!(back, Fenced::Written);
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.reason), (RunStatus::Queued, Some(Reason::ModelLimit)));
    assert_eq!((run.attempts, run.lease_owner, run.lease_epoch), (0, None, 1));
    assert_eq!(run.due_at, later);
    // Who rings it earlier than the sweep would knows that its turn has come.
    let (run, lease) = claimed(db, t.run_id, "w").await;
    assert_eq!((run.attempts, run.lease_epoch, run.reason), (1, 2, None));
    runs::hand_back(db, &lease, later, Reason::HandedBack, true).await.unwrap();
    assert_eq!(runs::find(db, TENANT, t.run_id).await.unwrap().unwrap().attempts, 1);
});

on_both!(one_turn_of_a_session_at_a_time_and_who_ends_it_rings_the_next, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut accepted = Vec::new();
    for text in ["1", "2", "3"] {
        accepted.push(accept(db, &turn(session, text)).await);
    }
    let [first, second, third] = [accepted[0].run_id, accepted[1].run_id, accepted[2].run_id];
    // Not even before the first one is claimed.
    assert_eq!(claim(db, third, "w").await, Claim::SessionBusy);
    let (_, lease) = claimed(db, first, "w").await;
    assert_eq!(claim(db, second, "w").await, Claim::SessionBusy);
    let done = runs::finish(db, &lease, &ending("a"), now()).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: true });
    let next = runs::next_in_session(db, session).await.unwrap().unwrap();
    assert_eq!(next.run_id, second);
    assert_eq!(claim(db, third, "w").await, Claim::SessionBusy);
    let (_, lease) = claimed(db, second, "w").await;
    let done = runs::finish(db, &lease, &ending("b"), now()).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: true });
    let (_, lease) = claimed(db, third, "w").await;
    let done = runs::finish(db, &lease, &ending("c"), now()).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: false });
    assert_eq!(runs::next_in_session(db, session).await.unwrap(), None);
});

on_both!(many_are_claimed_in_one_statement_and_the_others_say_why, |db| async {
    agent(db, TENANT).await;
    let (one, two) = (SessionId::generate(), SessionId::generate());
    let first = accept(db, &turn(one, "1")).await.run_id;
    let behind = accept(db, &turn(one, "2")).await.run_id;
    let other = accept(db, &turn(two, "3")).await.run_id;
    let gone = RunId(999);
    let ids = [behind, first, other, gone, first];
    let claims = runs::claim_all(db, &ids, &worker("w"), LEASE, now()).await.unwrap();
    assert_eq!(claims.len(), 4);
    for id in [first, other] {
        assert!(matches!(&claims[&id], Claim::Claimed(c) if c.run.id == id && c.run.lease_epoch == 1));
    }
    assert_eq!((&claims[&behind], &claims[&gone]), (&Claim::SessionBusy, &Claim::Gone));
    let again = runs::claim_all(db, &ids, &worker("v"), LEASE, now()).await.unwrap();
    assert!(again.values().all(|c| !matches!(c, Claim::Claimed(_))), "{again:?}");
});
