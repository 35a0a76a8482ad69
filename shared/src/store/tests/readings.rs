use super::family::*;
use super::fixture::*;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::{RunId, SessionId};
use crate::domain::runs::{Reason, RunKind, RunStatus};
use crate::on_both;
use crate::store::db::query;
use crate::store::runs::{self, Ending, Filter};
use crate::store::{agents, messages, models};

on_both!(pages_of_messages_run_in_both_directions, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut ids = Vec::new();
    for n in 0..3 {
        let t = accept(db, &turn(session, &n.to_string())).await;
        ids.extend([t.user_message_id, t.assistant_message_id]);
    }
    let read = async |after, limit| {
        let page = messages::list(db, TENANT, session, after, limit).await.unwrap();
        page.iter().map(|m| m.id).collect::<Vec<_>>()
    };
    assert_eq!(read(None, 4).await, ids[..4]);
    assert_eq!(read(Some(ids[3]), 4).await, ids[4..]);
    let newest = messages::list_newest(db, TENANT, session, Some(ids[4]), 2).await.unwrap();
    assert_eq!(newest.iter().map(|m| m.id).collect::<Vec<_>>(), [ids[3], ids[2]]);
    assert_eq!(messages::find(db, TENANT, ids[0]).await.unwrap().unwrap().content, "0");
    assert_eq!(messages::find(db, OTHER, ids[0]).await.unwrap(), None);
});

on_both!(runs_are_filtered_and_counted, |db| async {
    agent(db, TENANT).await;
    let (a, b) = (SessionId::generate(), SessionId::generate());
    let (first, second) = (accept(db, &turn(a, "1")).await, accept(db, &turn(b, "2")).await);
    let third = accept(db, &turn(a, "3")).await;
    runs::cancel(db, TENANT, second.run_id, Reason::Stopped, now(), None).await.unwrap();
    let (nobody, ids) = (RunId(i64::MAX), [first.run_id, second.run_id, third.run_id]);
    let over = runs::over(db, &[ids[0], nobody, ids[1], ids[2]]).await.unwrap();
    assert_eq!(over, [nobody, second.run_id], "ended, or never there");
    let read = async |filter: Filter, before: Option<RunId>, limit| {
        let page = runs::list(db, TENANT, &filter, before, limit).await.unwrap();
        page.iter().map(|r| r.id).collect::<Vec<_>>()
    };
    let all = Filter::default();
    assert_eq!(read(all, None, 2).await, [third.run_id, second.run_id]);
    assert_eq!(read(all, Some(second.run_id), 2).await, [first.run_id]);
    let queued = Filter { status: Some(RunStatus::Queued), ..all };
    assert_eq!(read(queued, None, 9).await, [third.run_id, first.run_id]);
    let stopped = Filter { reason: Some(Reason::Stopped), session_id: Some(b), ..all };
    assert_eq!(read(stopped, None, 9).await, [second.run_id]);
    let crew = Filter { kind: Some(RunKind::CrewMaster), ..all };
    assert_eq!(read(crew, None, 9).await, []);
    assert_eq!(runs::list(db, OTHER, &all, None, 9).await.unwrap(), []);
    assert_eq!(runs::find(db, OTHER, first.run_id).await.unwrap(), None);
    claimed(db, first.run_id, "w").await;
    let counts = runs::count_live(db, TENANT).await.unwrap();
    assert_eq!(counts, [(RunStatus::Queued, 1), (RunStatus::Running, 1)]);
    assert_eq!(runs::count_live(db, OTHER).await.unwrap(), []);
});

on_both!(agents_and_models_are_paged_by_id, |db| async {
    let all_agents = agents::Filter::default();
    let model = models::insert(db, TENANT, &model_spec("m0"), now()).await.unwrap();
    models::insert(db, TENANT, &model_spec("m1"), now()).await.unwrap();
    for name in ["z", "y", "x"] {
        agents::insert(db, TENANT, None, &agent_spec(name, model.id), now()).await.unwrap();
    }
    let page = agents::list(db, TENANT, &all_agents, None, 2).await.unwrap();
    assert_eq!(page.iter().map(|a| a.spec.name.as_str()).collect::<Vec<_>>(), ["z", "y"]);
    let rest = agents::list(db, TENANT, &all_agents, Some(page[1].id), 2).await.unwrap();
    assert_eq!(rest.iter().map(|a| a.spec.name.as_str()).collect::<Vec<_>>(), ["x"]);
    let rest = models::list(db, TENANT, Some(model.id), 9).await.unwrap();
    assert_eq!(rest.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["m1"]);
    assert_eq!(agents::list(db, OTHER, &all_agents, None, 9).await.unwrap(), []);
    assert_eq!(models::list(db, OTHER, None, 9).await.unwrap(), []);
});

on_both!(runs_are_listed_by_the_one_that_delegated_them, |db| async {
    let family = Family::of(db, &[("b", 2)], 1, &[]).await;
    let listed = async |filter: Filter| {
        let page = runs::list(db, TENANT, &filter, None, 10).await.unwrap();
        page.iter().map(|r| r.id).collect::<Vec<_>>()
    };
    let children: Vec<RunId> = family.children.iter().rev().map(|c| c.run_id).collect();
    let of_parent = Filter { parent_run_id: Some(family.id), ..Filter::default() };
    let session_id = Some(family.turn.session_id);
    assert_eq!(listed(of_parent).await, children);
    assert_eq!(listed(Filter { session_id, ..of_parent }).await, children);
    assert_eq!(listed(Filter { session_id: Some(SessionId::generate()), ..of_parent }).await, []);
    assert_eq!(listed(Filter { status: Some(RunStatus::Held), ..of_parent }).await, children[..1]);
    let turns = Filter { session_id, kind: Some(RunKind::Chat), ..Filter::default() };
    assert_eq!(listed(turns).await, [family.id]);
    let all = Filter { session_id, ..Filter::default() };
    assert_eq!(listed(all).await.len(), 3);
});

on_both!(a_session_has_used_what_its_turns_used, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    for n in 0..2 {
        assert_eq!(messages::usage(db, TENANT, session).await.unwrap().0.is_some(), n > 0);
        let turn = accept(db, &turn(session, "x")).await;
        let (_, lease) = claimed(db, turn.run_id, "w").await;
        runs::finish(db, &lease, &ending("y"), now()).await.unwrap();
    }
    let (tokens, cost) = messages::usage(db, TENANT, session).await.unwrap();
    assert_eq!((tokens, cost), (Some(TokenUsage { input_tokens: 20, output_tokens: 6 }), Some(1.0)));
    assert_eq!(messages::usage(db, OTHER, session).await.unwrap(), (None, None));
});

on_both!(runs_are_summed_up_for_the_list_of_their_messages, |db| async {
    let agent_id = agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut accepted = Vec::new();
    for text in ["ended", "begun", "waits", "never began"] {
        accepted.push(accept(db, &turn(session, text)).await.run_id);
    }
    let (_, lease) = claimed(db, accepted[0], "w").await;
    let snapshot = Some(snapshot());
    runs::finish(db, &lease, &Ending { snapshot, ..ending("y") }, now()).await.unwrap();
    claimed(db, accepted[1], "w").await;
    runs::cancel(db, TENANT, accepted[3], Reason::Stopped, now(), None).await.unwrap();
    // Who began keeps the names of then; others are told those of now.
    query("UPDATE netaclaw_agent SET name = 'renamed'").execute(db).await.unwrap();
    query("UPDATE netaclaw_model SET model_name = 'newer'").execute(db).await.unwrap();
    let told = runs::summaries(db, TENANT, &[&accepted[..], &[RunId(99)]].concat()).await.unwrap();
    let mut seen = Vec::new();
    for id in &accepted {
        let run = &told[id];
        assert_eq!(run.agent_id, agent_id);
        seen.push((
            run.status,
            run.agent_name.as_deref(),
            run.model_name.as_deref(),
            run.started_at.is_some(),
            run.ended_at.is_some(),
        ));
    }
    let expected = [
        (RunStatus::Completed, Some("a"), Some("gpt"), true, true),
        (RunStatus::Running, Some("renamed"), Some("newer"), true, false),
        (RunStatus::Queued, Some("renamed"), Some("newer"), false, false),
        (RunStatus::Cancelled, Some("renamed"), None, false, true),
    ];
    assert_eq!((seen.as_slice(), told.len()), (&expected[..], 4));
    assert!(runs::summaries(db, OTHER, &accepted).await.unwrap().is_empty());
    assert!(runs::summaries(db, TENANT, &[]).await.unwrap().is_empty());
});
