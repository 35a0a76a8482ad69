//! Login sessions, the failures that lock, and the first administrator.

use super::accounts::{add, all, person, role_id};
use super::fixture::*;
use crate::domain::accounts::{ADMIN_ROLE, LOGIN_IDLE, LOGIN_LIFETIME, LoginSession, LoginSubjects};
use crate::domain::audit::By;
use crate::domain::ids::{LoginSessionId, TenantId, UserId};
use crate::on_both;
use crate::store::Db;
use crate::store::db::query;
use crate::store::logins::{self, Credentials, NewLogin};
use crate::store::setup::{self, Completed, SetupState};
use crate::store::tenants::{self, FirstAdmin, TenantChange};
use crate::store::users::{self, UserChange};
use chrono::{DateTime, TimeDelta, Utc};

fn subjects(name: &str) -> LoginSubjects {
    LoginSubjects::of(Ok(TENANT), name, "10.0.0.1")
}

async fn known(db: &Db, name: &str) -> Credentials {
    logins::credentials(db, TENANT, name).await.unwrap().unwrap()
}

async fn enter_at(db: &Db, name: &str, token_hash: &str, at: DateTime<Utc>) -> Option<LoginSession> {
    let new = NewLogin { token_hash, replaces: None, address: "10.0.0.1", user_agent: "a browser" };
    logins::begin(db, &known(db, name).await, &new, &subjects(name), at).await.unwrap()
}

async fn enter(db: &Db, name: &str, token_hash: &str) -> Option<LoginSession> {
    enter_at(db, name, token_hash, now()).await
}

async fn ids(db: &Db, user_id: UserId) -> Vec<LoginSessionId> {
    logins::list(db, user_id, now()).await.unwrap().iter().map(|login| login.id).collect()
}

on_both!(a_login_begins_is_listed_and_ends, |db| async {
    let (ada, bob) = (add(db, "ada", &[]).await, add(db, "bob", &[]).await);
    let at = now();
    let first = enter_at(db, "ada", "t1", at).await.unwrap();
    assert_eq!((first.address.as_str(), first.user_agent.as_str()), ("10.0.0.1", "a browser"));
    assert_eq!((first.create_time, first.seen_at, first.expires_at), (at, at, at + LOGIN_LIFETIME));
    assert_eq!(users::find(db, TENANT, ada.id).await.unwrap().unwrap().last_login_at, Some(at));
    let second = enter(db, "ada", "t2").await.unwrap();
    let third = enter(db, "ada", "t3").await.unwrap();
    let other = enter(db, "bob", "t4").await.unwrap();
    assert_eq!(ids(db, ada.id).await, [third.id, second.id, first.id]);
    let by = By::nobody(None);
    let end = async |user, id| logins::end(db, TENANT, user, id, &by, now()).await.unwrap();
    assert!(!end(ada.id, other.id).await, "somebody else's");
    assert!(end(ada.id, second.id).await);
    assert!(!end(ada.id, second.id).await);
    assert_eq!(logins::end_others(db, TENANT, ada.id, first.id, &by, now()).await.unwrap(), 1);
    assert_eq!(logins::end_others(db, TENANT, ada.id, first.id, &by, now()).await.unwrap(), 0);
    assert_eq!((ids(db, ada.id).await, ids(db, bob.id).await), (vec![first.id], vec![other.id]));
});

on_both!(a_new_login_ends_the_one_whose_cookie_came_with_it, |db| async {
    let (ada, bob) = (add(db, "ada", &[]).await, add(db, "bob", &[]).await);
    enter(db, "bob", "planted").await.unwrap();
    let new = NewLogin { token_hash: "fresh", replaces: Some("planted"), address: "", user_agent: "" };
    let begun = logins::begin(db, &known(db, "ada").await, &new, &subjects("ada"), now()).await.unwrap();
    assert_eq!(ids(db, ada.id).await, [begun.unwrap().id]);
    assert_eq!(ids(db, bob.id).await, []);
});

on_both!(old_logins_are_gone_and_many_push_out_the_oldest, |db| async {
    let ada = add(db, "ada", &[]).await;
    let long_ago = now() - LOGIN_LIFETIME;
    enter_at(db, "ada", "expired", long_ago).await.unwrap();
    let idle = enter_at(db, "ada", "idle", now() - LOGIN_IDLE).await.unwrap();
    assert_eq!(ids(db, ada.id).await, [], "neither is one any more: {idle:?}");
    for n in 0..52 {
        enter(db, "ada", &format!("t{n}")).await.unwrap();
    }
    assert_eq!(ids(db, ada.id).await.len(), 50);
    assert_eq!(count(db, "netaclaw_login_session").await, 50);
    let oldest = query("SELECT token_hash FROM netaclaw_login_session ORDER BY id LIMIT 1").one(&**db).await;
    assert_eq!(oldest.unwrap().get::<String>("token_hash").unwrap(), "t2");
});

on_both!(logins_end_with_the_right_to_them, |db| async {
    let acme = tenants::insert(db, "acme", None, &all(), now()).await.unwrap();
    let ada = users::insert(db, acme.id, &person("ada", &[]), &all(), now()).await.unwrap();
    let found = logins::credentials(db, acme.id, "ada").await.unwrap().unwrap();
    assert_eq!(
        (found.user_id, found.disabled, found.password_hash.as_deref()),
        (ada.id, false, Some("hash"))
    );
    let enter = async |token_hash: &str| {
        let new = NewLogin { token_hash, replaces: None, address: "", user_agent: "" };
        logins::begin(db, &found, &new, &subjects("ada"), now()).await.unwrap()
    };
    let change = async |change: UserChange| {
        users::update(db, acme.id, ada.id, &change, &all(), now()).await.unwrap().unwrap();
    };
    enter("t1").await.unwrap();
    change(UserChange { display_name: Some("Ada".to_owned()), ..UserChange::default() }).await;
    assert_eq!(ids(db, ada.id).await.len(), 1, "another name logs nobody out");
    change(UserChange {
        role_ids: Some(vec![role_id(db, acme.id, "viewer").await]),
        ..UserChange::default()
    })
    .await;
    assert_eq!(ids(db, ada.id).await.len(), 1, "roles are read at each request");
    change(UserChange { disabled: Some(true), ..UserChange::default() }).await;
    assert_eq!(ids(db, ada.id).await.len(), 0);
    assert!(logins::credentials(db, acme.id, "ada").await.unwrap().unwrap().disabled);
    assert_eq!(enter("t2").await, None, "disabled between the check and the login");
    change(UserChange { disabled: Some(false), ..UserChange::default() }).await;
    enter("t3").await.unwrap();
    let set = async |disabled| {
        let change = TenantChange { name: None, disabled: Some(disabled) };
        tenants::update(db, acme.id, &change, &all(), now()).await.unwrap().unwrap();
    };
    set(true).await;
    assert_eq!(ids(db, ada.id).await.len(), 0);
    assert!(logins::credentials(db, acme.id, "ada").await.unwrap().unwrap().disabled);
    assert_eq!(enter("t4").await, None);
    set(false).await;
    let kept = enter("t5").await.unwrap();
    enter("t6").await.unwrap();
    let by = all().by;
    let words = ("hash", "other");
    assert!(users::change_password(db, &ada, words, kept.id, &by, now()).await.unwrap());
    assert_eq!(ids(db, ada.id).await, [kept.id], "all others");
    assert_eq!(enter("t7").await, None, "the password changed between the check and the login");
    change(UserChange { password_hash: Some(Some("third".to_owned())), ..UserChange::default() }).await;
    assert_eq!(ids(db, ada.id).await, []);
});

on_both!(names_lead_to_their_tenant, |db| async {
    let acme = tenants::insert(db, "acme", None, &all(), now()).await.unwrap();
    let of = async |name| logins::tenant_of(db, name).await.unwrap();
    assert_eq!((of(None).await, of(Some("main")).await), (Some(TENANT), Some(TENANT)));
    assert_eq!((of(Some("acme")).await, of(Some("none")).await), (Some(acme.id), None));
    add(db, "ada", &[]).await;
    assert_eq!(logins::credentials(db, acme.id, "ada").await.unwrap(), None);
});

on_both!(failures_lock_the_account_then_longer_and_are_forgotten, |db| async {
    let ada = add(db, "ada", &[]).await;
    let mut at = now();
    let fail = async |name, at| {
        let whose = (name == "ada").then_some((TENANT, ada.id));
        logins::fail(db, &subjects(name), whose, at).await.unwrap()
    };
    let locked = async |name, at| logins::locked_until(db, &subjects(name), at).await.unwrap();
    for name in ["ada", "nobody"] {
        for n in 1..5 {
            assert_eq!(fail(name, at).await, None, "{name} {n}");
        }
        for seconds in [30, 60, 120] {
            let until = at + TimeDelta::seconds(seconds);
            assert_eq!(fail(name, at).await, Some(until), "{name}");
            assert_eq!(locked(name, at).await, Some(until), "{name}");
            assert_eq!(locked("somebody", at).await, None, "another account from there is not");
            at = until;
            assert_eq!(locked(name, at).await, None, "{name}");
        }
    }
    let locks = query("SELECT address, object_id FROM netaclaw_audit WHERE action = 'login.lock'");
    let locks = locks.all(&**db).await.unwrap();
    assert_eq!(locks.len(), 3, "an account that is there");
    assert_eq!(locks[0].get::<String>("address").unwrap(), "10.0.0.1");
    assert_eq!(locks[0].get::<String>("object_id").unwrap(), ada.id.to_string());
    enter_at(db, "ada", "t", at).await.unwrap();
    assert_eq!(fail("ada", at).await, None, "the right password forgets");
    assert!(fail("nobody", at).await.is_some());
    let later = at + TimeDelta::hours(24) + TimeDelta::seconds(1);
    assert_eq!(fail("nobody", later).await, None, "a day forgets");
    assert_eq!(count(db, "netaclaw_login_failure").await, 2, "what counts no more was removed");
});

on_both!(failures_of_many_accounts_lock_their_address, |db| async {
    let at = now();
    let from = |address: &str, n: i32| LoginSubjects::of(Err("x"), &format!("u{n}"), address);
    for n in 1..50 {
        assert_eq!(logins::fail(db, &from("10.0.0.9", n), None, at).await.unwrap(), None, "{n}");
    }
    let until = at + TimeDelta::seconds(30);
    assert_eq!(logins::fail(db, &from("10.0.0.9", 50), None, at).await.unwrap(), Some(until));
    assert_eq!(logins::locked_until(db, &from("10.0.0.9", 51), at).await.unwrap(), Some(until));
    assert_eq!(logins::locked_until(db, &from("10.0.0.8", 51), at).await.unwrap(), None);
    let nameless = LoginSubjects::of_address("10.0.0.9");
    assert_eq!(logins::locked_until(db, &nameless, at).await.unwrap(), Some(until));
});

on_both!(failures_at_once_are_all_counted, |db| async {
    let at = now();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..20 {
        let db = (**db).clone();
        let of = LoginSubjects::of(Ok(TENANT), "ada", &format!("10.0.0.{}", n % 3));
        tasks.spawn(async move { logins::fail(&db, &of, None, at).await.unwrap() });
    }
    let locks = tasks.join_all().await.into_iter().flatten().count();
    assert_eq!(locks, 16, "from the fifth on");
});

fn admin(name: &str) -> FirstAdmin {
    FirstAdmin { name: name.to_owned(), display_name: String::new(), password_hash: "h".to_owned() }
}

on_both!(the_last_token_makes_the_first_administrator_once, |db| async {
    let at = now();
    assert_eq!(setup::state(db, None).await.unwrap(), SetupState::Done, "not offered yet");
    let early = setup::complete(db, "", &admin("ada"), "", at).await.unwrap();
    assert_eq!(early, Completed::Done, "no token was ever made");
    assert!(setup::offer(db, "t1", at).await.unwrap());
    assert!(setup::offer(db, "t2", at).await.unwrap(), "a restart makes a new one");
    let state = async |token| setup::state(db, token).await.unwrap();
    assert_eq!(state(Some("t1")).await, SetupState::Open { right: false });
    assert_eq!(state(Some("t2")).await, SetupState::Open { right: true });
    assert_eq!(state(None).await, SetupState::Open { right: false });
    let complete =
        async |token, name| setup::complete(db, token, &admin(name), "10.0.0.1", at).await.unwrap();
    assert_eq!(complete("t1", "ada").await, Completed::WrongToken);
    let Completed::Made(ada) = complete("t2", "ada").await else { panic!("not made") };
    assert_eq!((ada.tenant_id, &ada.role_ids[..]), (TENANT, &[role_id(db, TENANT, ADMIN_ROLE).await][..]));
    assert_eq!(complete("t2", "eve").await, Completed::Done);
    assert_eq!(complete("", "eve").await, Completed::Done);
    assert_eq!(state(Some("t2")).await, SetupState::Done);
    assert!(!setup::offer(db, "t3", at).await.unwrap());
    assert_eq!(count(db, "netaclaw_user").await, 1);
});

on_both!(of_twenty_setups_at_once_one_wins, |db| async {
    setup::offer(db, "t", now()).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..20 {
        let db = (**db).clone();
        tasks.spawn(
            async move { setup::complete(&db, "t", &admin(&format!("u{n}")), "", now()).await.unwrap() },
        );
    }
    let all = tasks.join_all().await;
    assert_eq!(all.iter().filter(|done| matches!(done, Completed::Made(_))).count(), 1);
    assert_eq!(all.iter().filter(|done| **done == Completed::Done).count(), 19);
    assert_eq!(count(db, "netaclaw_user").await, 1);
});

on_both!(where_there_are_users_nothing_is_offered, |db| async {
    setup::offer(db, "t", now()).await.unwrap();
    assert!(setup::is_fresh(db).await.unwrap());
    add(db, "ada", &[]).await;
    assert!(!setup::is_fresh(db).await.unwrap());
    assert_eq!(setup::state(db, Some("t")).await.unwrap(), SetupState::Done);
    assert_eq!(setup::complete(db, "t", &admin("eve"), "", now()).await.unwrap(), Completed::Done);
    assert!(!setup::offer(db, "t2", now()).await.unwrap());
    assert_eq!(setup::make_configured(db, &admin("eve"), now()).await.unwrap(), None);
    assert_eq!(count(db, "netaclaw_user").await, 1);
});

on_both!(a_configured_administrator_ends_the_setup, |db| async {
    setup::offer(db, "t", now()).await.unwrap();
    let make = async || setup::make_configured(db, &admin("root"), now()).await.unwrap();
    let (one, two) = tokio::join!(make(), make());
    assert_eq!([one.is_some(), two.is_some()].iter().filter(|made| **made).count(), 1);
    assert_eq!(setup::state(db, Some("t")).await.unwrap(), SetupState::Done);
    assert_eq!(setup::complete(db, "t", &admin("eve"), "", now()).await.unwrap(), Completed::Done);
    let root = known(db, "root").await;
    assert_eq!((root.tenant_id, root.password_hash.as_deref()), (TenantId::FIRST, Some("h")));
});
