use super::fixture::*;
use crate::domain::access::Sender;
use crate::domain::ids::{AgentId, MessageId, SessionId};
use crate::domain::messages::{MessageStatus, Metadata, Role};
use crate::domain::runs::{Policy, RunStatus};
use crate::domain::told::{Told, ToldMessage};
use crate::on_both;
use crate::store::turns::{self, AcceptOutcome, AgentRef, NewTurn};
use crate::store::{agents, messages, models, runs, sessions};

on_both!(what_an_accepted_turn_stores, |db| async {
    let agent_id = agent(db, TENANT).await;
    let session = SessionId::generate();
    let new = NewTurn {
        client_message_id: Some("c-1".to_owned()),
        traceparent: Some("00-1-2-01".to_owned()),
        ..turn(session, "你好 😀")
    };
    let t = accept(db, &new).await;
    let [user, assistant] = messages::list(db, TENANT, session, None, 10).await.unwrap().try_into().unwrap();
    assert_eq!((user.id, user.role, user.status), (t.user_message_id, Role::User, MessageStatus::Completed));
    assert_eq!((user.content.as_str(), user.run_id), ("你好 😀", None));
    assert_eq!(user.client_message_id.as_deref(), Some("c-1"));
    assert_eq!((user.create_time, user.update_time), (new.now, new.now));
    assert_eq!((assistant.id, assistant.role), (t.assistant_message_id, Role::Assistant));
    assert_eq!((assistant.status, assistant.run_id), (MessageStatus::Pending, Some(t.run_id)));
    let stored = sessions::find(db, TENANT, session).await.unwrap().unwrap();
    assert_eq!((stored.title.as_str(), stored.agent_id), ("你好 😀", Some(agent_id)));
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.agent_id, run.session_id), (RunStatus::Queued, agent_id, session));
    assert_eq!((run.user_message_id, run.assistant_message_id), (t.user_message_id, t.assistant_message_id));
    assert_eq!((run.root_run_id, run.due_at), (t.run_id, new.now));
    assert_eq!(run.traceparent.as_deref(), Some("00-1-2-01"));

    let later = NewTurn { now: new.now + chrono::TimeDelta::seconds(1), ..turn(session, "again") };
    accept(db, &later).await;
    let stored = sessions::find(db, TENANT, session).await.unwrap().unwrap();
    assert_eq!((stored.title.as_str(), stored.update_time), ("你好 😀", later.now));
});

on_both!(the_same_client_id_is_the_same_turn, |db| async {
    agent(db, TENANT).await;
    let new = NewTurn { client_message_id: Some("c".to_owned()), ..turn(SessionId::generate(), "hi") };
    let first = accept(db, &new).await;
    // A client that named no session gets another one on its second try.
    for again in [new.clone(), NewTurn { session_id: SessionId::generate(), ..new.clone() }] {
        let outcome = turns::accept(db, &again).await.unwrap();
        assert_eq!(outcome, AcceptOutcome::Known(first.clone()));
    }
    let other = NewTurn { content: "else".to_owned(), ..new.clone() };
    assert_eq!(turns::accept(db, &other).await.unwrap(), AcceptOutcome::ClientIdReused);
    assert_eq!(count(db, "netaclaw_session").await, 1);
    assert_eq!(count(db, "netaclaw_message").await, 2);
    // Also where a new message would be refused.
    let reject = NewTurn { policy: Policy::Reject, ..new.clone() };
    let gone = NewTurn { agent: AgentRef::Name("gone".to_owned()), ..new.clone() };
    for again in [reject, gone] {
        assert_eq!(turns::accept(db, &again).await.unwrap(), AcceptOutcome::Known(first.clone()));
    }
    assert_eq!(count(db, "netaclaw_message").await, 2);
    // Another tenant's ids are its own.
    agent(db, OTHER).await;
    accept(db, &NewTurn { sender: Sender::of_tenant(OTHER), session_id: SessionId::generate(), ..new }).await;
});

on_both!(which_agent_answers, |db| async {
    let model = models::insert(db, TENANT, &model_spec("m"), now()).await.unwrap();
    let session = SessionId::generate();
    let none = turns::accept(db, &turn(session, "x")).await.unwrap();
    assert_eq!(none, AcceptOutcome::AgentNotFound);
    let oldest = agents::insert(db, TENANT, None, &agent_spec("b", model.id), now()).await.unwrap().id;
    let newer = agents::insert(db, TENANT, None, &agent_spec("a", model.id), now()).await.unwrap().id;
    let foreign = agent(db, OTHER).await;

    let by = |agent: AgentRef, session: SessionId| NewTurn { agent, ..turn(session, "x") };
    let agent_of = async |new: NewTurn| {
        let t = accept(db, &new).await;
        runs::find(db, TENANT, t.run_id).await.unwrap().unwrap().agent_id
    };
    assert_eq!(agent_of(by(AgentRef::Default, SessionId::generate())).await, oldest);
    assert_eq!(agent_of(by(AgentRef::Id(newer), session)).await, newer);
    assert_eq!(agent_of(by(AgentRef::Default, session)).await, newer);
    assert_eq!(agent_of(by(AgentRef::Name("b".to_owned()), session)).await, oldest);
    for wrong in [AgentRef::Id(foreign), AgentRef::Id(AgentId(99)), AgentRef::Name("A".to_owned())] {
        let outcome = turns::accept(db, &by(wrong.clone(), session)).await.unwrap();
        assert_eq!(outcome, AcceptOutcome::AgentNotFound, "{wrong:?}");
    }
    // The session outlives its agent and falls back to the oldest.
    assert!(delete_agent(db, TENANT, newer).await);
    assert_eq!(agent_of(by(AgentRef::Default, session)).await, oldest);
});

on_both!(a_session_of_another_tenant_is_not_found, |db| async {
    agent(db, TENANT).await;
    agent(db, OTHER).await;
    let session = SessionId::generate();
    let t = accept(db, &turn(session, "mine")).await;
    let foreign = NewTurn { sender: Sender::of_tenant(OTHER), ..turn(session, "theirs") };
    assert_eq!(turns::accept(db, &foreign).await.unwrap(), AcceptOutcome::SessionNotFound);
    assert_eq!(count(db, "netaclaw_message").await, 2);
    assert_eq!(turns::find(db, OTHER, t.assistant_message_id).await.unwrap(), None);
    assert_eq!(messages::list(db, OTHER, session, None, 10).await.unwrap(), []);
});

on_both!(turns_are_found_by_their_answers, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let (a, b) = (accept(db, &turn(session, "1")).await, accept(db, &turn(session, "2")).await);
    assert_eq!(turns::find(db, TENANT, a.user_message_id).await.unwrap(), None);
    assert_eq!(turns::find(db, TENANT, MessageId(99)).await.unwrap(), None);
    let ids = [b.assistant_message_id, MessageId(99), a.assistant_message_id];
    let found = turns::find_many(db, TENANT, &ids).await.unwrap();
    assert_eq!(found.iter().map(|t| t.run_id).collect::<Vec<_>>(), [a.run_id, b.run_id]);
    assert_eq!(turns::find_many(db, TENANT, &[]).await.unwrap(), []);
});

on_both!(what_the_sender_tells_stands_with_its_message_alone, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let message = |role, text: &str| ToldMessage { role, text: text.into() };
    let told = Told {
        system: "Be brief. 简短".into(),
        messages: vec![message(Role::User, "a"), message(Role::Assistant, "b \"c\" 😀")],
    };
    let id = agents::find_by_name(db, TENANT, "a").await.unwrap().unwrap().id;
    for agent in [AgentRef::Id(id), AgentRef::Name("a".into()), AgentRef::Default] {
        for policy in [Policy::Enqueue, Policy::Interrupt] {
            let new =
                NewTurn { agent: agent.clone(), policy, told: Some(told.clone()), ..turn(session, "d") };
            let t = accept(db, &new).await;
            let stored = messages::find(db, TENANT, t.user_message_id).await.unwrap().unwrap();
            assert_eq!(stored.metadata, Metadata { told: Some(told.clone()), ..Metadata::default() });
            let history = runs::history(db, session, t.user_message_id, 100).await.unwrap().unwrap();
            assert_eq!(history.current.metadata.told.as_ref(), Some(&told));
            assert!(history.past.iter().all(|t| t.user.metadata == Metadata::default()));
        }
    }
    let ordinary = accept(db, &turn(session, "e")).await;
    let history = runs::history(db, session, ordinary.user_message_id, 100).await.unwrap().unwrap();
    assert_eq!((history.current.metadata.told, history.past.len()), (None, 6));
    // It may be long: lists leave it out.
    let listed = messages::list(db, TENANT, session, None, 100).await.unwrap();
    let newest = messages::list_newest(db, TENANT, session, None, 100).await.unwrap();
    assert!(listed.iter().chain(&newest).all(|m| m.metadata == Metadata::default()));
});

on_both!(the_same_message_after_another_conversation_is_another, |db| async {
    agent(db, TENANT).await;
    let told = |system: &str| Some(Told { system: system.into(), messages: vec![] });
    let new = NewTurn {
        client_message_id: Some("c".to_owned()),
        told: told("x"),
        ..turn(SessionId::generate(), "hi")
    };
    let first = accept(db, &new).await;
    assert_eq!(turns::accept(db, &new).await.unwrap(), AcceptOutcome::Known(first));
    for other in [told("y"), None] {
        let other = NewTurn { told: other, ..new.clone() };
        assert_eq!(turns::accept(db, &other).await.unwrap(), AcceptOutcome::ClientIdReused);
    }
});
