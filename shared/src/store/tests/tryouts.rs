//! Sessions that try a definition: what answers in them, and how they end.

use super::fixture::*;
use crate::domain::access::{Owner, Reach, Sender};
use crate::domain::agents::AgentSpec;
use crate::domain::delegation::{Budget, GlobalDelegation};
use crate::domain::ids::{AgentId, SessionId, TenantId, UserId};
use crate::on_both;
use crate::store::sessions::{self, Filter};
use crate::store::snapshots::{self, Defaults};
use crate::store::tryouts::{self, Tryout};
use crate::store::turns::{self, AcceptOutcome, AgentRef, NewTurn};
use crate::store::{Db, agents, runs};
use chrono::TimeDelta;

async fn begun(db: &Db, owner: Option<Owner>, tryout: &Tryout) -> SessionId {
    let id = SessionId::generate_for_tryout();
    let mut tx = db.begin().await.unwrap();
    tryouts::begin(&mut tx, TENANT, owner, id, tryout, now()).await.unwrap();
    tx.commit().await.unwrap();
    id
}

async fn prompt(db: &Db, tenant: TenantId, id: SessionId) -> Option<String> {
    let defaults = Defaults { delegation: GlobalDelegation::default(), budget: Budget::default() };
    let resolved = snapshots::resolve_tryout(db, tenant, id, &defaults).await.unwrap();
    resolved.map(|(snapshot, _)| snapshot.agent.system_prompt)
}

on_both!(a_session_that_tries_a_definition_is_answered_by_it, |db| async {
    let stored = agent(db, TENANT).await;
    let model_id = agents::find(db, TENANT, stored).await.unwrap().unwrap().spec.model_id;
    let spec = |prompt: &str| AgentSpec { system_prompt: prompt.to_owned(), ..agent_spec("draft", model_id) };
    for agent_id in [None, Some(stored)] {
        let tryout = Tryout { agent_id, spec: spec("first") };
        let id = begun(db, None, &tryout).await;
        assert!(id.may_be_tryout());
        assert_eq!(tryouts::find(db, TENANT, id).await.unwrap(), Some(tryout));
        assert_eq!(tryouts::find(db, OTHER, id).await.unwrap(), None);
        // Whatever agent is named, a stored one or none that there is.
        for named in [AgentRef::Default, AgentRef::Id(stored), AgentRef::Name("gone".to_owned())] {
            let accepted = accept(db, &NewTurn { agent: named, ..turn(id, "hello") }).await;
            let run = runs::find(db, TENANT, accepted.run_id).await.unwrap().unwrap();
            assert_eq!(run.agent_id, agent_id.unwrap_or(AgentId(0)));
        }
        assert_eq!(prompt(db, TENANT, id).await.as_deref(), Some("first"));
        assert!(tryouts::replace(db, TENANT, id, &spec("second"), now()).await.unwrap());
        assert!(!tryouts::replace(db, OTHER, id, &spec("theirs"), now()).await.unwrap());
        assert_eq!(prompt(db, TENANT, id).await.as_deref(), Some("second"));
        assert_eq!(prompt(db, OTHER, id).await, None);
    }
    assert_eq!(sessions::list(db, TENANT, &Filter::default(), None, 9).await.unwrap(), []);
});

on_both!(a_tryout_is_its_owners_and_ends_with_its_session, |db| async {
    let stored = agent(db, TENANT).await;
    let spec = agents::find(db, TENANT, stored).await.unwrap().unwrap().spec;
    let ada = Owner::User(UserId(7));
    let id = begun(db, Some(ada), &Tryout { agent_id: None, spec }).await;
    let of = |owner| Sender { owner: Some(owner), to: Reach::Of(owner), ..Sender::of_tenant(TENANT) };
    let sent =
        async |sender: Sender| turns::accept(db, &NewTurn { sender, ..turn(id, "hello") }).await.unwrap();
    assert_eq!(sent(of(Owner::User(UserId(8)))).await, AcceptOutcome::SessionNotFound);
    assert_eq!(sent(Sender::of_tenant(OTHER)).await, AcceptOutcome::SessionNotFound);
    assert!(matches!(sent(of(ada)).await, AcceptOutcome::Accepted(_)));
    sessions::delete(db, TENANT, id, now(), None).await.unwrap().unwrap();
    assert_eq!(count(db, "netaclaw_tryout").await, 0);
    // A message that comes late is not answered by somebody else.
    assert_eq!(sent(of(ada)).await, AcceptOutcome::SessionNotFound);
    assert_eq!(count(db, "netaclaw_session").await, 0);
});

on_both!(tryouts_that_nobody_uses_are_found, |db| async {
    let stored = agent(db, TENANT).await;
    let spec = agents::find(db, TENANT, stored).await.unwrap().unwrap().spec;
    let tryout = Tryout { agent_id: None, spec: spec.clone() };
    let (left, changed, used) =
        (begun(db, None, &tryout).await, begun(db, None, &tryout).await, begun(db, None, &tryout).await);
    let ordinary = accept(db, &turn(SessionId::generate(), "hello")).await;
    let later = now() + TimeDelta::hours(1);
    tryouts::replace(db, TENANT, changed, &spec, later).await.unwrap();
    accept(db, &NewTurn { now: later, ..turn(used, "hello") }).await;
    let found = tryouts::unused_since(db, later - TimeDelta::seconds(1), 9).await.unwrap();
    assert_eq!(found, [(TENANT, left)]);
    let all = tryouts::unused_since(db, later, 9).await.unwrap();
    assert!(all.len() == 3 && !all.contains(&(TENANT, ordinary.session_id)), "{all:?}");
    assert_eq!(tryouts::unused_since(db, later, 2).await.unwrap().len(), 2);
});
