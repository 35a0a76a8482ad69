use super::fixture::{OTHER, TENANT, accept, agent, agent_spec, count, delete_agent, now, turn};
use crate::domain::access::{Account, Actor, Owner, Principal, Reach, Sender};
use crate::domain::agents::{AgentSpec, Visibility};
use crate::domain::ids::{AgentId, ApiKeyId, LoginSessionId, RoleId, SessionId, TenantId, UserId};
use crate::domain::permissions::Permission;
use crate::on_both;
use crate::store::agents::Shares;
use crate::store::db::query;
use crate::store::turns::{AcceptOutcome, NewTurn};
use crate::store::{Db, StoreError, agents, identities, pauses, runs, sessions, subagents, turns};
use chrono::TimeDelta;

/// A user of the tenant with the built-in role of this name in the first tenant.
async fn user(db: &Db, tenant: TenantId, name: &str, role: &str) -> UserId {
    let made = query(
        "INSERT INTO netaclaw_user (tenant_id, name, display_name, disabled, create_time, update_time) \
         VALUES ($1, $2, $2, FALSE, $3, $3) RETURNING id",
    );
    let id = made.bind(tenant).bind(name).bind(now()).one(db).await.unwrap().id("id", UserId).unwrap();
    let join = query(
        "INSERT INTO netaclaw_user_role (user_id, role_id) \
         SELECT $1, id FROM netaclaw_role WHERE tenant_id = 1 AND name = $2",
    );
    assert_eq!(join.bind(id).bind(role).execute(db).await.unwrap(), 1);
    id
}

async fn other_tenant(db: &Db) {
    let made = query(
        "INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time) VALUES ($1, 'other', FALSE, $2, $2)",
    );
    made.bind(OTHER).bind(now()).execute(db).await.unwrap();
}

async fn run(db: &Db, sql: &'static str) {
    assert!(query(sql).execute(db).await.unwrap() > 0, "{sql}");
}

fn by(id: UserId, permissions: &[Permission], roles: &[RoleId]) -> Principal {
    Principal {
        actor: Actor::User { id, login: LoginSessionId(1) },
        permissions: permissions.iter().copied().collect(),
        role_ids: roles.into(),
        ..Principal::operator()
    }
}

on_both!(a_cookie_stands_for_its_user_while_the_login_lasts, |db| async {
    let ada = user(db, TENANT, "ada", "member").await;
    let at = now();
    query(
        "INSERT INTO netaclaw_login_session (token_hash, tenant_id, user_id, address, user_agent, create_time, \
         seen_at, expires_at) VALUES ('hash', 1, $1, '', '', $2, $2, $3)",
    )
    .bind(ada)
    .bind(at)
    .bind(at + TimeDelta::days(30))
    .execute(db)
    .await
    .unwrap();
    let found = async |time| identities::by_login(db, "hash", time).await.unwrap().map(|i| i.principal);
    let principal = found(at).await.unwrap();
    assert_eq!((principal.tenant_id, principal.user_id(), &*principal.name), (TENANT, Some(ada), "ada"));
    assert!(principal.may(Permission::SessionChat) && !principal.may(Permission::AgentEdit));
    assert_eq!(principal.role_ids.len(), 1);
    assert!(identities::by_login(db, "another", at).await.unwrap().is_none());

    assert!(found(at + TimeDelta::days(8)).await.is_none(), "idle for too long");
    let Actor::User { login, .. } = principal.actor else { panic!("{principal:?}") };
    identities::touch_login(db, login, at + TimeDelta::days(28)).await.unwrap();
    assert!(found(at + TimeDelta::days(29)).await.is_some());
    assert!(found(at + TimeDelta::days(30)).await.is_none(), "over");

    run(db, "UPDATE netaclaw_user SET disabled = TRUE").await;
    assert!(found(at + TimeDelta::days(28)).await.is_none());
    run(db, "UPDATE netaclaw_user SET disabled = FALSE").await;
    run(db, "UPDATE netaclaw_tenant SET disabled = TRUE").await;
    assert!(found(at + TimeDelta::days(28)).await.is_none());
    run(db, "UPDATE netaclaw_tenant SET disabled = FALSE").await;
    run(db, "DELETE FROM netaclaw_user_role").await;
    let bare = found(at + TimeDelta::days(28)).await.unwrap();
    assert_eq!(bare.permissions, [].into_iter().collect(), "no role, no right");
});

on_both!(a_key_does_what_its_scopes_and_its_user_may, |db| async {
    let at = now();
    let ada = user(db, TENANT, "ada", "member").await;
    other_tenant(db).await;
    let insert = async |id: i64, tenant: TenantId, user: Option<UserId>, scopes: &'static str| {
        let key = query(
            "INSERT INTO netaclaw_api_key (id, tenant_id, user_id, name, scopes, create_time, update_time) \
             VALUES ($1, $2, $3, 'k', $4, $5, $5)",
        );
        let scopes = crate::store::db::Arg::Json(Some(scopes.to_owned()));
        key.bind(id).bind(tenant).bind(user.map(|u| u.0)).bind(scopes).bind(at).execute(db).await.unwrap();
        let secret = query(
            "INSERT INTO netaclaw_api_key_secret (key_id, prefix, hash, create_time) VALUES ($1, $2, 'h', $3)",
        );
        secret.bind(id).bind(format!("p{id}")).bind(at).execute(db).await.unwrap();
    };
    insert(1, TENANT, Some(ada), r#"["*"]"#).await;
    insert(2, TENANT, None, r#"["chat:7"]"#).await;
    insert(3, OTHER, None, r#"["*"]"#).await;
    let found =
        async |prefix: &str| identities::by_key(db, prefix, at).await.unwrap().map(|(i, _)| i.principal);

    let of_ada = found("p1").await.unwrap();
    assert_eq!(of_ada.actor, Actor::Key { id: ApiKeyId(1), user_id: Some(ada) });
    assert!(of_ada.may(Permission::SessionChat) && !of_ada.may(Permission::AgentEdit), "not more than ada");
    let own = found("p2").await.unwrap();
    assert_eq!(
        (own.agents.as_deref(), own.owner()),
        (Some(&[AgentId(7)][..]), Some(Owner::Key(ApiKeyId(2))))
    );
    let theirs = found("p3").await.unwrap();
    assert!(theirs.may(Permission::UserManage) && !theirs.is_operator(), "not of the first tenant");
    assert!(found("p4").await.is_none());
    assert_eq!(identities::by_key(db, "p1", at).await.unwrap().unwrap().1, "h");

    identities::touch_key(db, ApiKeyId(1), at).await.unwrap();
    assert_eq!(
        identities::by_key(db, "p1", at).await.unwrap().unwrap().0.seen_at.map(|t| t.timestamp()),
        Some(at.timestamp())
    );
    run(db, "UPDATE netaclaw_api_key SET revoked_at = create_time WHERE id = 1").await;
    run(db, "UPDATE netaclaw_api_key SET expires_at = create_time WHERE id = 2").await;
    run(db, "UPDATE netaclaw_api_key_secret SET expires_at = create_time WHERE key_id = 3").await;
    for over in ["p1", "p2", "p3"] {
        assert!(found(over).await.is_none(), "{over}");
    }
});

on_both!(a_session_is_its_owners, |db| async {
    agent(db, TENANT).await;
    let (ada, bob) = (Owner::User(UserId(1)), Owner::User(UserId(2)));
    let sender = |owner| Sender { owner: Some(owner), to: Reach::Of(owner), ..Sender::of_tenant(TENANT) };
    for (policy, content) in
        [(crate::domain::runs::Policy::Enqueue, "1"), (crate::domain::runs::Policy::Interrupt, "2")]
    {
        let session = SessionId::generate();
        let account = Account { user_id: Some(UserId(1)), api_key_id: Some(ApiKeyId(4)) };
        let first = NewTurn {
            sender: Sender { account, ..sender(ada) },
            policy,
            client_message_id: Some(content.to_owned()),
            ..turn(session, content)
        };
        let accepted = accept(db, &first).await;
        let row = query("SELECT user_id, api_key_id FROM netaclaw_run WHERE id = $1").bind(accepted.run_id);
        let row = row.one(db).await.unwrap();
        assert_eq!((row.get::<i64>("user_id").unwrap(), row.get::<i64>("api_key_id").unwrap()), (1, 4));
        assert_eq!(sessions::owner_of(db, TENANT, session).await.unwrap(), Some(Some(ada)));

        let others = NewTurn { sender: sender(bob), policy, ..turn(session, "mine?") };
        assert_eq!(turns::accept(db, &others).await.unwrap(), AcceptOutcome::SessionNotFound);
        let guessed = NewTurn { sender: sender(bob), session_id: SessionId::generate(), ..first.clone() };
        assert_eq!(turns::accept(db, &guessed).await.unwrap(), AcceptOutcome::ClientIdReused);
        accept(db, &NewTurn { policy, ..turn(session, "the operator's") }).await;
        assert_eq!(sessions::owner_of(db, TENANT, session).await.unwrap(), Some(Some(ada)), "still");
    }
    let operators = accept(db, &turn(SessionId::generate(), "x")).await.session_id;
    assert_eq!(sessions::owner_of(db, TENANT, operators).await.unwrap(), Some(None));
    assert_eq!(sessions::owner_of(db, OTHER, operators).await.unwrap(), None);

    let of = |owner| sessions::Filter { owner, ..sessions::Filter::default() };
    let listed = async |owner| sessions::list(db, TENANT, &of(owner), None, 10).await.unwrap().len();
    assert_eq!((listed(None).await, listed(Some(ada)).await, listed(Some(bob)).await), (3, 2, 0));
    let page = sessions::list(db, TENANT, &of(Some(ada)), None, 1).await.unwrap();
    let before = page.first().map(|s| (s.update_time, s.id));
    let rest = sessions::list(db, TENANT, &of(Some(ada)), before, 10).await.unwrap();
    assert_eq!((rest.len(), rest[0].id == page[0].id, rest[0].owner()), (1, false, Some(ada)));

    let of = |owner| runs::Filter { owner: Some(owner), ..runs::Filter::default() };
    assert_eq!(runs::list(db, TENANT, &of(ada), None, 10).await.unwrap().len(), 4);
    assert_eq!(runs::list(db, TENANT, &of(bob), None, 10).await.unwrap(), []);
    let of = |owner| subagents::Filter { owner: Some(owner), ..subagents::Filter::default() };
    assert_eq!(subagents::list(db, TENANT, &of(ada), None, 10).await.unwrap(), []);
    let of = |owner| pauses::Filter { owner: Some(owner), ..pauses::Filter::default() };
    assert_eq!(pauses::list(db, TENANT, &of(ada), None, 10).await.unwrap(), []);
});

on_both!(an_agent_is_seen_by_those_it_is_shared_with, |db| async {
    let open = agent(db, TENANT).await;
    let model = agents::find(db, TENANT, open).await.unwrap().unwrap().spec.model_id;
    let (ada, bob) = (user(db, TENANT, "ada", "editor").await, user(db, TENANT, "bob", "member").await);
    let closed = agents::insert(db, TENANT, Some(ada), &agent_spec("closed", model), now()).await.unwrap().id;
    let member = RoleId(3);
    let share = async |users: &[UserId], roles: &[RoleId]| {
        let shares = Shares { visibility: Visibility::Shared, users: users.to_vec(), roles: roles.to_vec() };
        let mut tx = db.begin().await.unwrap();
        let shared = agents::share(&mut tx, TENANT, closed, &shares, now()).await;
        if shared.is_ok() {
            tx.commit().await.unwrap();
        }
        shared.map(|agent| agent.map(|a| a.visibility))
    };
    let seen = async |by: Principal| {
        let list: Vec<_> = agents::list_seen(db, &by, &agents::Filter::default(), None, 10)
            .await
            .unwrap()
            .iter()
            .map(|a| a.id)
            .collect();
        for id in [open, closed] {
            assert_eq!(agents::find_seen(db, &by, id).await.unwrap().is_some(), list.contains(&id), "{by:?}");
        }
        assert_eq!(
            agents::find_seen_by_name(db, &by, "closed").await.unwrap().is_some(),
            list.contains(&closed)
        );
        list
    };
    let both = [open, closed];
    assert_eq!(seen(by(bob, &[], &[member])).await, both, "all see a new agent");
    assert_eq!(share(&[], &[]).await, Ok(Some(Visibility::Shared)));
    assert_eq!(seen(by(bob, &[], &[member])).await, [open]);
    assert_eq!(seen(by(ada, &[], &[])).await, both, "its owner");
    assert_eq!(seen(by(bob, &[Permission::AgentViewAll], &[])).await, both);
    assert_eq!(seen(Principal::operator()).await, both);
    share(&[bob], &[]).await.unwrap();
    assert_eq!(seen(by(bob, &[], &[])).await, both);
    share(&[], &[member, member]).await.unwrap();
    assert_eq!(seen(by(bob, &[], &[])).await, [open]);
    assert_eq!(seen(by(bob, &[], &[member])).await, both);
    let key = Principal { agents: Some([closed].into()), ..by(bob, &[], &[member]) };
    assert_eq!(seen(key).await, [closed]);
    assert_eq!(share(&[UserId(999)], &[]).await, Err(StoreError::Reference));
    assert_eq!(share(&[], &[RoleId(999)]).await, Err(StoreError::Reference));
    assert_eq!(seen(by(bob, &[], &[member])).await, both, "what was refused changed nothing");

    let shared = agents::find(db, TENANT, closed).await.unwrap().unwrap();
    let draft = AgentSpec { published: false, ..shared.spec };
    agents::update(db, TENANT, closed, shared.version, &draft, now()).await.unwrap().unwrap();
    assert_eq!(
        seen(by(bob, &[Permission::AgentViewAll], &[member])).await,
        [open],
        "it is no longer published"
    );
    assert_eq!(seen(by(bob, &[Permission::AgentEdit], &[member])).await, both);
    assert_eq!(seen(by(bob, &[Permission::AgentEdit], &[])).await, [open], "not shared with them");
    assert_eq!(seen(Principal::operator()).await, both);
    let listed = async |published, text: &str| {
        let filter = agents::Filter { published, text: text.to_owned() };
        let found = agents::list_seen(db, &Principal::operator(), &filter, None, 10).await.unwrap();
        found.iter().map(|a| a.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(Some(false), "").await, [closed]);
    assert_eq!(listed(Some(true), "").await, [open]);
    assert_eq!(listed(None, "CLOS").await, [closed]);
    assert_eq!(listed(None, "%").await, []);

    assert!(delete_agent(db, TENANT, closed).await);
    assert_eq!(count(db, "netaclaw_share").await, 0);
});
