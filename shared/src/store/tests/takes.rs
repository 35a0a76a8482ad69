//! Runs that a worker takes in the statement that makes them due: subagents that it makes, and the
//! supervisor whose last ones it ends.

use super::family::*;
use super::fixture::*;
use crate::domain::ids::RunId;
use crate::domain::runs::{Lease, Reason, Run, RunStatus};
use crate::domain::subagents::{BatchSummary, SubagentStatus};
use crate::on_both;
use crate::store::runs::{ChildEnded, ChildEnding, ChildFinish, Fenced, TakeParents};
use crate::store::runs::{Claim, Claimed, ParentNext, WaitOutcome, Waiting};
use crate::store::{Db, runs, subagents};
use std::time::Duration;

/// A supervisor that waits, by a worker that took the first `take` of its subagents.
async fn taking(
    db: &Db,
    children: u32,
    take: u32,
    questions: &[&str],
    lease: Duration,
) -> (Family, Vec<Claimed>) {
    let family = Family::of(db, &[], 3, questions).await;
    // It waits for nobody yet: it is claimed again and delegates.
    if questions.is_empty() {
        assert_eq!(family.rung, [family.id]);
    } else {
        db.run_raw("UPDATE netaclaw_run SET status = 'queued'".to_owned()).await.unwrap();
    }
    let (run, held) = claimed(db, family.id, "w").await;
    let waiting = Waiting {
        first_seq: run.step_count,
        steps: vec![],
        pauses: vec![],
        children: (0..children).map(|at| new_child("c1", at)).collect(),
        take,
        lease,
        ..family.waiting.clone()
    };
    match runs::wait(db, &held, &waiting, now()).await.unwrap() {
        WaitOutcome::Waiting { children, taken, ring, .. } => {
            let rung = ring.iter().map(|j| j.run_id).collect();
            (Family { lease: held, waiting, children, rung, ..family }, taken)
        }
        WaitOutcome::Stale => panic!("stale"),
    }
}

fn lease_of(taken: &Claimed) -> Lease {
    Lease { run_id: taken.run.id, owner: worker("w"), epoch: taken.run.lease_epoch }
}

fn ends(family: &Family, which: &[&Claimed]) -> Vec<ChildEnding> {
    let end = |taken: &&Claimed| {
        let content = format!("about {}", taken.run.id);
        ChildEnding { lease: lease_of(taken), parent: family.id, ending: ending(&content) }
    };
    which.iter().map(end).collect()
}

async fn end_all(db: &Db, ends: &[ChildEnding], take: &[RunId]) -> Vec<Option<ChildEnded>> {
    let take = TakeParents { runs: take.to_vec(), lease: LEASE };
    let finished = runs::finish_children(db, ends, &take, now()).await.unwrap();
    let ended = finished.into_iter().map(|finished| match finished {
        ChildFinish::Finished(ended) => Some(*ended),
        ChildFinish::Stale => None,
    });
    ended.collect()
}

on_both!(a_worker_takes_the_first_of_the_subagents_that_it_makes, |db| async {
    let (family, taken) = taking(db, 5, 2, &[], LEASE).await;
    let ids: Vec<RunId> = family.children.iter().map(|c| c.run_id).collect();
    assert_eq!(taken.iter().map(|t| t.run.id).collect::<Vec<_>>(), ids[..2]);
    assert_eq!(family.rung, [ids[2]], "the third goes over the queue, the others are held");
    assert_eq!(subagents::of_run(&**db, family.id).await.unwrap(), family.children);
    let stand: Vec<_> = family.children.iter().map(|c| (c.status, c.started_at.is_some())).collect();
    let (running, queued) = ((SubagentStatus::Running, true), (SubagentStatus::Queued, false));
    assert_eq!(stand, [running, running, queued, queued, queued]);
    for (taken, child) in taken.iter().zip(&family.children) {
        let run = runs::find(db, TENANT, taken.run.id).await.unwrap().unwrap();
        assert!(run.lease_expires_at.is_some_and(|at| at > now()));
        assert_eq!(Run { lease_expires_at: None, ..run }, taken.run);
        assert_eq!((taken.run.attempts, taken.run.lease_epoch), (1, 1));
        assert_eq!(taken.subagent.as_ref(), Some(child));
        assert_eq!(claim(db, taken.run.id, "other").await, Claim::Gone, "it is held");
        let written = runs::append(db, &lease_of(taken), 0, &[model_step("x", &[])], &[], None, now()).await;
        assert_eq!(written.unwrap(), Fenced::Written, "the lease is one");
    }
    assert_eq!(runs::due(db, now(), Duration::ZERO, 10).await.unwrap().len(), 1);
    let Claim::Claimed(third) = claim(db, ids[2], "other").await else { panic!("not claimed") };
    assert_eq!(third.config, taken[0].config, "of the same agent");
});

on_both!(what_was_taken_is_taken_over_when_its_lease_ends, |db| async {
    let (_, taken) = taking(db, 2, 2, &[], Duration::ZERO).await;
    assert_eq!(runs::due(db, now(), Duration::ZERO, 10).await.unwrap().len(), 2, "the sweep rings");
    let (run, _) = claimed(db, taken[0].run.id, "other").await;
    assert_eq!((run.attempts, run.lease_epoch), (2, 2));
    let late = runs::append(db, &lease_of(&taken[0]), 0, &[model_step("x", &[])], &[], None, now()).await;
    assert_eq!(late.unwrap(), Fenced::Stale);
});

on_both!(a_wish_whose_answer_was_lost_has_the_same_ones_taken, |db| async {
    let (family, taken) = taking(db, 4, 2, &[], LEASE).await;
    // The third was rung meanwhile, and is at work in the same process.
    claimed(db, family.children[2].run_id, "w").await;
    let again = runs::wait(db, &family.lease, &family.waiting, now()).await.unwrap();
    let WaitOutcome::Waiting { taken: again, .. } = again else { panic!("stale") };
    assert_eq!(again.iter().map(|t| t.run.id).collect::<Vec<_>>(), [taken[0].run.id, taken[1].run.id]);
    assert!(again.iter().zip(&taken).all(|(a, t)| a.subagent == t.subagent && a.config == t.config));
    assert_eq!(claim(db, taken[0].run.id, "w2").await, Claim::Gone);
});

on_both!(ends_that_come_together_release_as_many_and_the_last_take_the_supervisor, |db| async {
    let (family, taken) = taking(db, 4, 3, &[], LEASE).await;
    let fourth = family.children[3].run_id;
    let ended = end_all(db, &ends(&family, &[&taken[0], &taken[2]]), &[family.id]).await;
    let ended: Vec<ChildEnded> = ended.into_iter().flatten().collect();
    let released: Vec<RunId> = ended.iter().flat_map(|e| e.released.iter().map(|j| j.run_id)).collect();
    assert_eq!(released, [fourth], "two ended, one was held");
    assert!(ended.iter().all(|e| e.batch.is_none() && e.parent == ParentNext::Waits));
    let summary = format!("about {}", taken[2].run.id);
    assert_eq!(ended[1].subagent.summary.as_deref(), Some(summary.as_str()));
    assert_eq!(ended[1].subagent.token_usage, ending("x").usage);
    let journal = runs::journal(&**db, taken[0].run.id).await.unwrap();
    assert_eq!(journal.steps, ends(&family, &[&taken[0]])[0].ending.steps);

    let Claim::Claimed(fourth) = claim(db, fourth, "w").await else { panic!("not claimed") };
    let last = ends(&family, &[&taken[1], &fourth]);
    let before = family.parent(db).await;
    let ended = end_all(db, &last, &[family.id]).await;
    let ended: Vec<ChildEnded> = ended.into_iter().flatten().collect();
    let batches: Vec<_> = ended.iter().filter_map(|e| e.batch.clone()).collect();
    let all = BatchSummary { total: 4, completed: 4, ..BatchSummary::default() };
    assert_eq!(batches, [("c1".to_owned(), all)], "told once");
    assert_eq!(ended[0].parent, ParentNext::Waits);
    let ParentNext::Taken(parent) = &ended[1].parent else { panic!("{:?}", ended[1].parent) };
    assert_eq!(parent.claimed.run, family.parent(db).await);
    let run = &parent.claimed.run;
    assert_eq!((run.status, run.lease_owner.as_ref()), (RunStatus::Running, Some(&worker("w"))));
    assert_eq!(
        (run.lease_epoch, run.attempts, run.step_count),
        (before.lease_epoch + 1, 1, before.step_count)
    );
    assert_eq!(parent.subagents, subagents::of_run(&**db, family.id).await.unwrap());
    assert!(parent.subagents.iter().all(|s| s.status == SubagentStatus::Completed));
    assert_eq!(parent.claimed.config, taken[0].config);

    let mut again = ended[0].clone();
    runs::follow(db, &mut again, now()).await.unwrap();
    assert_eq!((again.batch, again.parent), (ended[0].batch.clone(), ParentNext::Waits), "it was told");
    assert!(end_all(db, &last, &[family.id]).await.iter().all(Option::is_none), "once");
    assert_eq!(claim(db, family.id, "other").await, Claim::Gone);
});

on_both!(an_end_whose_lease_was_lost_is_live_and_the_supervisor_waits_for_it, |db| async {
    let (family, taken) = taking(db, 2, 2, &[], Duration::ZERO).await;
    let (_, other) = claimed(db, taken[1].run.id, "other").await;
    let ended = end_all(db, &ends(&family, &[&taken[0], &taken[1]]), &[family.id]).await;
    let first = ended[0].as_ref().expect("its lease was nobody else's");
    assert_eq!((&first.batch, &first.parent), (&None, &ParentNext::Waits));
    assert!(ended[1].is_none());
    assert_eq!(family.parent(db).await.status, RunStatus::Waiting);
    let last = end(db, &other, family.id, &ending("late")).await;
    assert_eq!(last.parent, ParentNext::Due(family.job()), "nobody asked to take it");
});

on_both!(a_supervisor_that_asks_a_person_is_not_taken, |db| async {
    let (family, taken) = taking(db, 1, 1, &["q1"], LEASE).await;
    let ended = end_all(db, &ends(&family, &[&taken[0]]), &[family.id]).await;
    assert_eq!(ended[0].as_ref().unwrap().parent, ParentNext::Pauses);
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.reason), (RunStatus::Paused, Some(Reason::Question)));
    assert_eq!(parent.lease_owner, None);
});

on_both!(a_stopped_supervisor_makes_nothing_to_take_and_is_taken_to_be_ended, |db| async {
    let (family, taken) = taking(db, 2, 1, &[], LEASE).await;
    let stopped = runs::cancel(db, TENANT, family.id, Reason::Stopped, now(), None).await.unwrap();
    assert_eq!(stopped.told, [taken[0].run.id], "its worker is told; the other one ended at once");
    let ended = end_all(db, &ends(&family, &[&taken[0]]), &[family.id]).await;
    let ParentNext::Taken(parent) = &ended[0].as_ref().unwrap().parent else { panic!("{ended:?}") };
    assert_eq!(parent.claimed.run.cancel_reason, Some(Reason::Stopped));
});
