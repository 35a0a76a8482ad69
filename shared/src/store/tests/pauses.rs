use super::family::*;
use super::fixture::*;
use crate::domain::access::Owner;
use crate::domain::ids::{PauseId, SessionId, UserId};
use crate::domain::journal::{Step, ToolStatus};
use crate::domain::pauses::{PauseKind, PauseStatus};
use crate::domain::runs::{Reason, RunStatus};
use crate::on_both;
use crate::store::pauses::{self, AnswerOutcome, Filter};
use crate::store::runs::{self, ParentNext};
use crate::store::sessions;
use chrono::TimeDelta;

on_both!(a_run_that_only_asks_is_paused_until_it_is_answered, |db| async {
    let family = Family::of(db, &[], 2, &["q1", "q2"]).await;
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason), (RunStatus::Paused, Some(Reason::Question)));
    assert_eq!(family.rung, []);
    let message = family.turn.assistant_message_id;
    assert_eq!(pauses::open_of_run(&**db, family.id).await.unwrap(), family.pauses);
    assert_eq!(pauses::open_of_messages(db, TENANT, &[message]).await.unwrap(), family.pauses);
    assert_eq!(pauses::open_of_messages(db, OTHER, &[message]).await.unwrap(), []);
    let open = Filter { status: Some(PauseStatus::Open), ..Filter::default() };
    let listed = async |filter: Filter, before| {
        let page = pauses::list(db, TENANT, &filter, before, 1).await.unwrap();
        page.iter().map(|p| p.id).collect::<Vec<_>>()
    };
    let (first, second) = (family.pauses[0].id, family.pauses[1].id);
    let session = Filter { session_id: Some(family.turn.session_id), ..Filter::default() };
    for filter in [open, session, Filter::default(), Filter { session_id: session.session_id, ..open }] {
        assert_eq!(listed(filter, None).await, [second], "{filter:?}");
        assert_eq!(listed(filter, Some(second)).await, [first], "{filter:?}");
    }
    let elsewhere = Filter { session_id: Some(SessionId::generate()), ..open };
    assert_eq!(listed(elsewhere, None).await, []);
    assert_eq!(pauses::list(db, OTHER, &open, None, 5).await.unwrap(), []);
    let named = pauses::list_named(db, TENANT, &open, None, 5).await.unwrap();
    let session = sessions::find(db, TENANT, family.turn.session_id).await.unwrap().unwrap();
    assert_eq!(named[1].pause, family.pauses[0]);
    assert!(named.iter().all(|l| l.session_title == session.title && l.agent_name == session.agent_name));
    assert!(session.agent_name.is_some());

    assert_eq!(family.answer(db, 1, "something else").await, ParentNext::Waits);
    let AnswerOutcome::Standing(standing) =
        pauses::answer(db, TENANT, family.pauses[1].id, "no", now(), None).await.unwrap()
    else {
        panic!("answered twice")
    };
    assert_eq!(standing.answer.as_deref(), Some("something else"));
    let foreign = pauses::answer(db, OTHER, family.pauses[0].id, "no", now(), None).await.unwrap();
    assert_eq!(foreign, AnswerOutcome::NotFound);
    let unknown = pauses::answer(db, TENANT, PauseId(99), "no", now(), None).await.unwrap();
    assert_eq!(unknown, AnswerOutcome::NotFound);

    let later = now() + TimeDelta::seconds(90);
    match pauses::answer(db, TENANT, family.pauses[0].id, "yes", later, None).await.unwrap() {
        AnswerOutcome::Answered(closed) => {
            assert_eq!(closed.next, ParentNext::Due(family.job()));
            assert_eq!(closed.pause.status, PauseStatus::Answered);
        }
        other => panic!("{other:?}"),
    }
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason), (RunStatus::Queued, None));
    assert!((89_000..=91_000).contains(&parent.paused_ms), "{}", parent.paused_ms);
    let journal = runs::journal(&**db, family.id).await.unwrap();
    let Some(Step::ToolResult(result)) = journal.steps.last() else { panic!("{journal:?}") };
    assert_eq!((result.text.as_str(), result.status), ("yes", ToolStatus::Ok));
    assert!(journal.open_calls().is_empty());
    assert_eq!(listed(open, None).await, []);
    let answered = Filter { status: Some(PauseStatus::Answered), ..Filter::default() };
    assert_eq!(listed(answered, Some(second)).await, [first]);
});

on_both!(consent_is_chosen_from_what_is_offered, |db| async {
    let family = Family::of(db, &[], 2, &["q1"]).await;
    db.run_raw(format!(
        "UPDATE netaclaw_pause SET kind = '{}' WHERE id = {}",
        PauseKind::Approval.as_str(),
        family.pauses[0].id
    ))
    .await
    .unwrap();
    let id = family.pauses[0].id;
    let refused = pauses::answer(db, TENANT, id, "perhaps", now(), None).await.unwrap();
    assert!(matches!(refused, AnswerOutcome::NotOffered(p) if p.status == PauseStatus::Open));
    assert!(matches!(family.answer(db, 0, "no").await, ParentNext::Due(_)));
});

on_both!(nobody_answers_in_time, |db| async {
    let family = Family::of(db, &[], 2, &["q1"]).await;
    let id = family.pauses[0].id;
    assert_eq!(pauses::expired(db, now(), 10).await.unwrap(), []);
    assert_eq!(pauses::expire(db, TENANT, id, now()).await.unwrap(), None);
    let late = now() + TimeDelta::hours(2);
    let too_late = pauses::answer(db, TENANT, id, "yes", late, None).await.unwrap();
    assert!(matches!(too_late, AnswerOutcome::Standing(_)), "{too_late:?}");
    assert_eq!(pauses::expired(db, late, 10).await.unwrap(), [(TENANT, id)]);
    let closed = pauses::expire(db, TENANT, id, late).await.unwrap().unwrap();
    assert_eq!((closed.pause.status, closed.next), (PauseStatus::Expired, ParentNext::Due(family.job())));
    let result = closed.result.unwrap();
    assert_eq!(result.status, ToolStatus::Expired);
    assert!(result.text.contains("best assumption"), "{}", result.text);
    assert_eq!(pauses::expire(db, TENANT, id, late).await.unwrap(), None);
    assert_eq!(pauses::expired(db, late, 10).await.unwrap(), []);
});

on_both!(of_many_answers_one_counts, |db| async {
    let family = Family::of(db, &[("c1", 1)], 2, &["q1"]).await;
    let (_, lease) = claimed(db, family.children[0].run_id, "w").await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..8 {
        let (db, id) = ((**db).clone(), family.pauses[0].id);
        tasks.spawn(async move {
            match pauses::answer(&db, TENANT, id, &format!("answer {n}"), now(), None).await.unwrap() {
                AnswerOutcome::Answered(closed) => Some(closed.next),
                AnswerOutcome::Standing(_) => None,
                other => panic!("{other:?}"),
            }
        });
    }
    let (other, id) = ((**db).clone(), family.id);
    tasks.spawn(async move { Some(end(&other, &lease, id, &ending("x")).await.parent) });
    let closed: Vec<ParentNext> = tasks.join_all().await.into_iter().flatten().collect();
    assert_eq!(closed.len(), 2, "{closed:?}");
    assert_eq!(closed.iter().filter(|n| matches!(n, ParentNext::Due(_))).count(), 1);
    assert_eq!(family.parent(db).await.step_count, 4);
});

on_both!(what_waits_and_what_is_at_work_is_counted, |db| async {
    let counted = async |tenant, owner| {
        let s = pauses::summary(db, tenant, owner).await.unwrap();
        (s.open, s.live_sessions, s.running_subagents)
    };
    assert_eq!(counted(TENANT, None).await, (0, 0, 0));
    // Two may be at work, one is held; a question is open besides.
    let family = Family::of(db, &[("b", 3)], 2, &["q"]).await;
    assert_eq!(counted(TENANT, None).await, (1, 1, 0));
    let (_, lease) = claimed(db, family.children[0].run_id, "w").await;
    assert_eq!(counted(TENANT, None).await, (1, 1, 1));
    assert_eq!(counted(OTHER, None).await, (0, 0, 0));
    assert_eq!(counted(TENANT, Some(Owner::User(UserId(987)))).await, (0, 0, 0));
    // A second turn of the session is no second session.
    accept(db, &turn(family.turn.session_id, "more")).await;
    assert_eq!(counted(TENANT, None).await, (1, 1, 1));
    let ending = ending("found");
    runs::finish_child(db, &lease, family.id, &ending, now()).await.unwrap();
    assert_eq!(counted(TENANT, None).await, (1, 1, 0));
    family.answer(db, 0, "yes").await;
    assert_eq!(counted(TENANT, None).await, (0, 1, 0));
});
