use super::family::*;
use super::fixture::*;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::MessageId;
use crate::domain::journal::{Step, ToolStatus};
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::subagents::{SubagentStatus, batch_results};
use crate::on_both;
use crate::store::runs::{self, ChildFinish, Claim, ParentNext, WaitOutcome};
use crate::store::{subagents, usage};

on_both!(a_run_that_delegates_waits_without_a_lease, |db| async {
    let family = Family::of(db, &[("c1", 5)], 2, &[]).await;
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason), (RunStatus::Waiting, None));
    assert_eq!((parent.attempts, parent.lease_owner, parent.lease_expires_at), (0, None, None));
    assert_eq!(parent.due_at, family.wall_ends_at);
    assert_eq!(parent.step_count, 2);
    let children = subagents::of_run(&**db, parent.id).await.unwrap();
    assert_eq!(children, family.children);
    assert_eq!(children.iter().map(|c| c.sort_order).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(family.rung, [children[0].run_id, children[1].run_id]);
    let mut stand = Vec::new();
    for child in &children {
        let run = runs::find(db, TENANT, child.run_id).await.unwrap().unwrap();
        assert_eq!((run.parent_run_id, run.root_run_id), (Some(parent.id), parent.id));
        assert_eq!(run.assistant_message_id, parent.assistant_message_id);
        assert_eq!(run.traceparent, parent.traceparent);
        assert!(run.snapshot.is_some());
        stand.push((run.status, run.reason));
    }
    let (queued, held) = ((RunStatus::Queued, None), (RunStatus::Held, Some(Reason::ParentConcurrency)));
    assert_eq!(stand, [queued, queued, held, held, held]);
    assert_eq!(claim(db, children[2].run_id, "w").await, Claim::Gone);
    assert_eq!(claim(db, parent.id, "w").await, Claim::Gone);
});

on_both!(waiting_again_under_the_same_lease_doubles_nothing, |db| async {
    let family = Family::of(db, &[("c1", 2)], 3, &["q1"]).await;
    match runs::wait(db, &family.lease, &family.waiting, now()).await.unwrap() {
        WaitOutcome::Waiting { children, ring, pauses, .. } => {
            assert_eq!(children, family.children);
            assert_eq!(ring.len(), 2);
            assert_eq!(pauses, family.pauses);
        }
        WaitOutcome::Stale => panic!("the same wish"),
    }
    assert_eq!(count(db, "netaclaw_run").await, 3);
    let other = crate::domain::runs::Lease { epoch: 9, ..family.lease.clone() };
    assert_eq!(runs::wait(db, &other, &family.waiting, now()).await.unwrap(), WaitOutcome::Stale);
});

on_both!(each_end_releases_the_next_and_the_last_one_makes_the_parent_due, |db| async {
    let family = Family::of(db, &[("c1", 5)], 2, &[]).await;
    let ids: Vec<_> = family.children.iter().map(|c| c.run_id).collect();
    // Those that are at work end in another order than they began in.
    for (ends, released) in [(1, Some(2)), (2, Some(3)), (0, Some(4)), (4, None)] {
        let ended = finish(db, &family, ids[ends], &ending("done")).await;
        let rung: Vec<_> = ended.released.iter().map(|j| j.run_id).collect();
        assert_eq!(rung, released.map(|i: usize| ids[i]).into_iter().collect::<Vec<_>>());
        assert_eq!((ended.batch, ended.parent), (None, ParentNext::Waits));
    }
    let last = finish(db, &family, ids[3], &ending("last")).await;
    assert_eq!(last.subagent.status, SubagentStatus::Completed);
    assert_eq!(last.subagent.summary.as_deref(), Some("last"));
    let (batch, summary) = last.batch.unwrap();
    assert_eq!((batch.as_str(), summary.total, summary.completed), ("c1", 5, 5));
    assert!(matches!(&last.parent, ParentNext::Due(job) if job.run_id == family.id), "{:?}", last.parent);

    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason, parent.step_count), (RunStatus::Queued, None, 2));
    // What the supervisor reads is derived from the rows.
    let mut journal = runs::journal(&**db, family.id).await.unwrap();
    let results = batch_results(&journal, &subagents::of_run(&**db, family.id).await.unwrap());
    let [result] = &results[..] else { panic!("{results:?}") };
    journal.steps.push(Step::ToolResult(result.clone()));
    assert_eq!((result.tool_call_id.as_str(), result.name.as_str()), ("c1", "t"));
    assert_eq!(result.status, ToolStatus::Ok);
    let entries: Vec<serde_json::Value> = serde_json::from_str(&result.text).unwrap();
    let order: Vec<_> = entries.iter().map(|e| e["id"].as_i64().unwrap()).collect();
    assert_eq!(order, ids.iter().map(|id| id.0).collect::<Vec<_>>());
    assert!(journal.open_calls().is_empty() && journal.resumes_a_wait());
    claimed(db, family.id, "w").await;
});

on_both!(a_claimed_subagent_is_shown_as_running, |db| async {
    let family = Family::of(db, &[("c1", 1)], 2, &[]).await;
    let id = family.children[0].id;
    claimed(db, id.into(), "w").await;
    let first = subagents::find(db, TENANT, id).await.unwrap().unwrap();
    assert_eq!(first.status, SubagentStatus::Running);
    assert!(first.started_at.is_some());
    expire(db, id.into()).await;
    claimed(db, id.into(), "v").await;
    let again = subagents::find(db, TENANT, id).await.unwrap().unwrap();
    assert_eq!(again.started_at, first.started_at);
    assert_eq!(subagents::find(db, OTHER, id).await.unwrap(), None);
});

on_both!(subagents_are_found_and_paged, |db| async {
    let family = Family::of(db, &[("c1", 2), ("c2", 1)], 5, &[]).await;
    let other = Family::of_next(db, &[("c1", 1)], 5, &[]).await;
    let (session, message) = (family.turn.session_id, family.turn.assistant_message_id);
    let of =
        async |messages: &[MessageId]| subagents::of_messages(db, TENANT, session, messages).await.unwrap();
    assert_eq!(of(&[message, other.turn.assistant_message_id]).await, family.children);
    assert_eq!(of(&[]).await, []);
    let mut newest = family.children.clone();
    newest.extend(other.children.clone());
    newest.reverse();
    let all = subagents::Filter::default();
    let page = subagents::list(db, TENANT, &all, None, 3).await.unwrap();
    assert_eq!(page, newest[..3]);
    assert_eq!(subagents::list(db, TENANT, &all, Some(page[2].id), 3).await.unwrap(), newest[3..]);
    claimed(db, family.children[0].run_id, "w").await;
    let running = subagents::Filter {
        session_id: Some(session),
        status: Some(SubagentStatus::Running),
        ..subagents::Filter::default()
    };
    let found = subagents::list(db, TENANT, &running, None, 9).await.unwrap();
    assert_eq!(found.iter().map(|s| s.id).collect::<Vec<_>>(), [family.children[0].id]);
    assert_eq!(subagents::list(db, OTHER, &all, None, 9).await.unwrap(), []);
    // The session's runs are its turns' and its subagents'.
    let of_session = runs::Filter { session_id: Some(session), ..runs::Filter::default() };
    let found = runs::list(db, TENANT, &of_session, None, 9).await.unwrap();
    assert_eq!(found.len(), 4);
});

on_both!(a_stale_end_changes_nothing, |db| async {
    let family = Family::of(db, &[("c1", 1)], 2, &[]).await;
    let child = family.children[0].run_id;
    let (_, old) = claimed(db, child, "w").await;
    expire(db, child).await;
    claimed(db, child, "v").await;
    let before = subagents::of_run(&**db, family.id).await.unwrap();
    let stale = runs::finish_child(db, &old, family.id, &ending("late"), now()).await.unwrap();
    assert_eq!(stale, ChildFinish::Stale);
    assert_eq!(subagents::of_run(&**db, family.id).await.unwrap(), before);
    assert_eq!(family.parent(db).await.step_count, 2);
    assert_eq!(count(db, "netaclaw_run_step").await, 2);
});

on_both!(each_batch_has_one_result_and_the_parent_is_due_after_all, |db| async {
    let family = Family::of(db, &[("c1", 2), ("c2", 1)], 3, &["q1"]).await;
    let ids: Vec<_> = family.children.iter().map(|c| c.run_id).collect();
    let ended = finish(db, &family, ids[2], &ending("two")).await;
    assert_eq!(ended.batch.map(|(id, _)| id).as_deref(), Some("c2"));
    assert_eq!(ended.parent, ParentNext::Waits);
    assert_eq!(family.parent(db).await.status, RunStatus::Waiting);
    finish(db, &family, ids[0], &ending("one")).await;
    let ended = finish(db, &family, ids[1], &ending("one")).await;
    assert_eq!(ended.parent, ParentNext::Pauses);
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason), (RunStatus::Paused, Some(Reason::Question)));
    assert_eq!(family.answer(db, 0, "yes").await, ParentNext::Due(family.job()));
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.step_count), (RunStatus::Queued, 5), "the answer is stored");
    let journal = runs::journal(&**db, family.id).await.unwrap();
    let results = batch_results(&journal, &subagents::of_run(&**db, family.id).await.unwrap());
    assert_eq!(results.iter().map(|r| r.tool_call_id.as_str()).collect::<Vec<_>>(), ["c1", "c2"]);
});

on_both!(children_that_end_at_once_make_the_parent_due_once, |db| async {
    let family = Family::of(db, &[("c1", 6), ("c2", 2)], 8, &[]).await;
    let mut tasks = tokio::task::JoinSet::new();
    for child in &family.children {
        let (_, lease) = claimed(db, child.run_id, "w").await;
        let (db, parent) = ((**db).clone(), family.id);
        tasks.spawn(async move { end(&db, &lease, parent, &ending("x")).await });
    }
    let mut due = 0;
    let mut closed = Vec::new();
    for ended in tasks.join_all().await {
        due += usize::from(matches!(ended.parent, ParentNext::Due(_)));
        closed.extend(ended.batch.map(|(id, _)| id));
    }
    closed.sort_unstable();
    assert_eq!((due, closed), (1, vec!["c1".to_owned(), "c2".to_owned()]));
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.step_count), (RunStatus::Queued, 3));
});

on_both!(what_a_tree_used_counts_each_call_once, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &[]).await;
    let failed = runs::Ending {
        status: RunStatus::Failed,
        reason: Some(Reason::WallTime),
        error: Some(crate::domain::messages::ErrorInfo {
            kind: Reason::WallTime,
            message: "time".to_owned(),
        }),
        ..ending("partly")
    };
    let ended = finish(db, &family, family.children[0].run_id, &failed).await;
    assert_eq!(ended.subagent.status, SubagentStatus::TimedOut);
    assert_eq!(ended.subagent.exit_reason, Some(Reason::WallTime));
    assert_eq!(ended.subagent.error.as_deref(), Some("time"));
    let ended = finish(db, &family, family.children[1].run_id, &ending("ok")).await;
    assert_eq!(ended.batch.map(|(_, s)| (s.completed, s.failed)), Some((1, 1)));
    // The parent's own call and one of each child.
    let (tokens, cost) = usage::of_tree(&**db, family.id).await.unwrap().unwrap();
    assert_eq!(tokens, TokenUsage { input_tokens: 30, output_tokens: 9 });
    assert_eq!(cost, Some(1.5));
    let (own, _) = usage::of_run(&**db, family.id).await.unwrap().unwrap();
    assert_eq!(own.input_tokens, 10);
});

on_both!(whose_last_subagent_s_worker_died_is_found, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &[]).await;
    assert_eq!(runs::forgotten_waits(db, 10).await.unwrap(), []);
    for child in &family.children {
        let (_, lease) = claimed(db, child.run_id, "w").await;
        let ended = runs::finish_child(db, &lease, family.id, &ending("x"), now()).await.unwrap();
        assert!(matches!(ended, ChildFinish::Finished(_)));
    }
    // As it stands where both ended at the same time, so that neither saw the other's end, and both
    // workers died before they looked what that means.
    db.run_raw("UPDATE netaclaw_run SET status = 'waiting' WHERE kind = 'chat'".to_owned()).await.unwrap();
    assert_eq!(runs::forgotten_waits(db, 10).await.unwrap(), [(TENANT, family.id)]);
    assert_eq!(runs::settle(db, family.id, now()).await.unwrap(), ParentNext::Due(family.job()));
    assert_eq!(runs::settle(db, family.id, now()).await.unwrap(), ParentNext::Waits);
    assert_eq!(runs::forgotten_waits(db, 10).await.unwrap(), []);
    claimed(db, family.id, "w").await;
});
