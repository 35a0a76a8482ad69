//! Tenants, roles and users.

use super::fixture::*;
use crate::domain::accounts::{ADMIN_ROLE, User};
use crate::domain::audit::{ActorKind, By};
use crate::domain::ids::{LoginSessionId, RoleId, TenantId, UserId};
use crate::domain::permissions::{Permission, Permissions};
use crate::on_both;
use crate::store::accounts::{AccountError, Authority};
use crate::store::db::query;
use crate::store::roles::{self, RoleSpec};
use crate::store::tenants::{self, FirstAdmin, TenantChange};
use crate::store::users::{self, NewUser, UserChange, UserFilter};
use crate::store::{Db, logins};
use chrono::TimeDelta;

pub fn all() -> Authority {
    Authority::start()
}

fn only(permissions: &[Permission]) -> Authority {
    let by = By { kind: ActorKind::User, id: Some(99), name: "m".to_owned(), address: None };
    Authority { by, holds: permissions.iter().copied().collect() }
}

fn spec(name: &str, grants: &[&str]) -> RoleSpec {
    RoleSpec {
        name: name.to_owned(),
        description: "d".to_owned(),
        permissions: grants.iter().map(|g| (*g).to_owned()).collect(),
    }
}

pub fn person(name: &str, role_ids: &[RoleId]) -> NewUser {
    NewUser {
        name: name.to_owned(),
        display_name: format!("{} Ü_%", name.to_uppercase()),
        password_hash: Some("hash".to_owned()),
        role_ids: role_ids.to_vec(),
    }
}

pub async fn role_id(db: &Db, tenant: TenantId, name: &str) -> RoleId {
    let roles = roles::list(db, tenant, None, 50).await.unwrap();
    roles.iter().find(|role| role.name == name).unwrap().id
}

pub async fn add(db: &Db, name: &str, role_ids: &[RoleId]) -> User {
    users::insert(db, TENANT, &person(name, role_ids), &all(), now()).await.unwrap()
}

/// The actions of the audit, oldest first.
async fn actions(db: &Db) -> Vec<String> {
    let rows = query("SELECT action FROM netaclaw_audit ORDER BY id").all(db).await.unwrap();
    rows.iter().map(|row| row.get("action").unwrap()).collect()
}

on_both!(the_first_tenant_has_four_roles_that_stay, |db| async {
    let built_in = roles::list(db, TENANT, None, 50).await.unwrap();
    let names: Vec<&str> = built_in.iter().map(|role| role.name.as_str()).collect();
    assert_eq!(names, ["admin", "editor", "member", "viewer"]);
    assert!(built_in.iter().all(|role| role.built_in));
    for role in &built_in {
        let changed = roles::update(db, TENANT, role.id, &spec("x", &[]), &all(), now()).await;
        assert_eq!(changed, Err(AccountError::BuiltIn));
        assert_eq!(roles::delete(db, TENANT, role.id, &all(), now()).await, Err(AccountError::BuiltIn));
    }
    assert_eq!(roles::list(db, TENANT, None, 50).await.unwrap(), built_in);
    let page = roles::list(db, TENANT, Some(built_in[0].id), 2).await.unwrap();
    assert_eq!(page, built_in[1..3]);
    assert_eq!(actions(db).await, [""; 0]);
});

on_both!(a_role_is_made_changed_and_removed, |db| async {
    let at = now();
    let made = roles::insert(db, TENANT, &spec("r", &["agent:*"]), &all(), at).await.unwrap();
    assert_eq!((made.built_in, made.permissions.as_slice()), (false, &["agent:*".to_owned()][..]));
    assert_eq!(roles::find(db, TENANT, made.id).await.unwrap(), Some(made.clone()));
    let again = roles::insert(db, TENANT, &spec("r", &[]), &all(), at).await;
    assert_eq!(again, Err(AccountError::NameTaken));
    let later = at + TimeDelta::seconds(1);
    let changed = roles::update(db, TENANT, made.id, &spec("s", &[]), &all(), later).await.unwrap().unwrap();
    assert_eq!((changed.name.as_str(), changed.create_time, changed.update_time), ("s", at, later));
    let taken = roles::update(db, TENANT, made.id, &spec("viewer", &[]), &all(), later).await;
    assert_eq!(taken, Err(AccountError::NameTaken));
    for (tenant, id) in [(OTHER, made.id), (TENANT, RoleId(999))] {
        assert_eq!(roles::find(db, tenant, id).await.unwrap(), None);
        assert_eq!(roles::update(db, tenant, id, &spec("t", &[]), &all(), later).await, Ok(None));
        assert_eq!(roles::delete(db, tenant, id, &all(), later).await, Ok(false));
    }
    let user = add(db, "ada", &[made.id]).await;
    let in_use = roles::delete(db, TENANT, made.id, &all(), later).await;
    assert_eq!(in_use, Err(AccountError::InUse { users: 1 }));
    assert_eq!(users::delete(db, TENANT, user.id, &all(), later).await, Ok(true));
    share(db, "role", made.id.0).await;
    assert_eq!(roles::delete(db, TENANT, made.id, &all(), later).await, Ok(true));
    assert_eq!(count(db, "netaclaw_share").await, 0);
    let expected = ["role.create", "role.update", "user.create", "user.delete", "role.delete"];
    assert_eq!(actions(db).await, expected, "what was refused left no line");
});

async fn share(db: &Db, kind: &'static str, id: i64) {
    query("INSERT INTO netaclaw_share (object_kind, object_id, subject_kind, subject_id) VALUES ('agent', 1, $1, $2)")
        .bind(kind)
        .bind(id)
        .execute(db)
        .await
        .unwrap();
}

on_both!(nobody_gives_more_than_they_hold, |db| async {
    use Permission::{AgentView, ModelView, UserManage};
    let manager = only(&[UserManage, AgentView]);
    let strong = roles::insert(db, TENANT, &spec("strong", &["model:view"]), &all(), now()).await.unwrap();
    let weak = roles::insert(db, TENANT, &spec("weak", &["agent:view"]), &manager, now()).await.unwrap();
    for grants in [&["*"][..], &["agent:*"], &["model:view"], &["agent:view", "queue:view"]] {
        let made = roles::insert(db, TENANT, &spec("x", grants), &manager, now()).await;
        assert_eq!(made, Err(AccountError::Beyond), "{grants:?}");
        let changed = roles::update(db, TENANT, weak.id, &spec("x", grants), &manager, now()).await;
        assert_eq!(changed, Err(AccountError::Beyond), "{grants:?}");
    }
    let narrowed = roles::update(db, TENANT, strong.id, &spec("x", &[]), &manager, now()).await;
    assert_eq!(narrowed, Err(AccountError::Beyond), "what is beyond them is not theirs to take");
    assert_eq!(roles::delete(db, TENANT, strong.id, &manager, now()).await, Err(AccountError::Beyond));
    let admin = role_id(db, TENANT, ADMIN_ROLE).await;
    for id in [strong.id, admin] {
        let made = users::insert(db, TENANT, &person("x", &[id]), &manager, now()).await;
        assert_eq!(made, Err(AccountError::Beyond));
    }
    let user = users::insert(db, TENANT, &person("weak", &[weak.id]), &manager, now()).await.unwrap();
    let change =
        |role_ids: &[RoleId]| UserChange { role_ids: Some(role_ids.to_vec()), ..UserChange::default() };
    let raised = users::update(db, TENANT, user.id, &change(&[weak.id, strong.id]), &manager, now()).await;
    assert_eq!(raised, Err(AccountError::Beyond));
    let no_role = users::update(db, TENANT, user.id, &change(&[RoleId(999)]), &all(), now()).await;
    assert_eq!(no_role, Err(AccountError::NoRole(RoleId(999))));
    // Whoever may less than a user neither becomes them by a password nor removes them.
    let boss = add(db, "boss", &[admin]).await;
    let password = UserChange { password_hash: Some(Some("mine".to_owned())), ..UserChange::default() };
    assert_eq!(
        users::update(db, TENANT, boss.id, &password, &manager, now()).await,
        Err(AccountError::Beyond)
    );
    assert_eq!(users::delete(db, TENANT, boss.id, &manager, now()).await, Err(AccountError::Beyond));
    let with_model = only(&[UserManage, AgentView, ModelView]);
    let raised = users::update(db, TENANT, user.id, &change(&[strong.id]), &with_model, now()).await;
    assert_eq!(raised.unwrap().unwrap().role_ids, [strong.id]);
});

on_both!(a_user_comes_back_as_stored_and_is_found, |db| async {
    let (at, member) = (now(), role_id(db, TENANT, "member").await);
    let viewer = role_id(db, TENANT, "viewer").await;
    let ada = add(db, "ada", &[viewer, member, viewer]).await;
    assert_eq!(ada.role_ids, [member, viewer]);
    assert_eq!((ada.disabled, ada.last_login_at), (false, None));
    assert_eq!(users::find(db, TENANT, ada.id).await.unwrap(), Some(ada.clone()));
    assert_eq!(users::find(db, OTHER, ada.id).await.unwrap(), None);
    let held = users::permissions(db, &ada).await.unwrap();
    assert!(held.has(Permission::SessionChat) && held.has(Permission::ModelView));
    assert!(!held.has(Permission::UserManage));
    let taken = users::insert(db, TENANT, &person("ada", &[]), &all(), at).await;
    assert_eq!(taken, Err(AccountError::NameTaken));
    let bob = add(db, "bob", &[]).await;
    assert_eq!((bob.role_ids.len(), users::permissions(db, &bob).await.unwrap()), (0, Permissions::NONE));
    let disabled = UserChange { disabled: Some(true), ..UserChange::default() };
    let bob = users::update(db, TENANT, bob.id, &disabled, &all(), at).await.unwrap().unwrap();
    let table = [
        ("", None, vec!["ada", "bob"]),
        ("AD", None, vec!["ada"]),
        ("B Ü", None, vec!["bob"]),
        ("b", Some(true), vec!["bob"]),
        ("", Some(false), vec!["ada"]),
        ("%", None, vec!["ada", "bob"]),
        ("_%", None, vec!["ada", "bob"]),
        ("a_a", None, vec![]),
        ("!", None, vec![]),
    ];
    for (text, disabled, expected) in table {
        let filter = UserFilter { text: text.to_owned(), disabled };
        let found = users::list(db, TENANT, &filter, None, 50).await.unwrap();
        let names: Vec<&str> = found.iter().map(|user| user.name.as_str()).collect();
        assert_eq!(names, expected, "{text:?} {disabled:?}");
    }
    let page = users::list(db, TENANT, &UserFilter::default(), Some(ada.id), 1).await.unwrap();
    assert_eq!(page, [bob]);
    assert_eq!(users::list(db, OTHER, &UserFilter::default(), None, 50).await.unwrap(), []);
});

on_both!(a_change_keeps_what_it_does_not_name, |db| async {
    let member = role_id(db, TENANT, "member").await;
    let ada = add(db, "ada", &[member]).await;
    add(db, "bob", &[]).await;
    let at = now() + TimeDelta::seconds(1);
    let change = UserChange { name: Some("eve".to_owned()), ..UserChange::default() };
    let eve = users::update(db, TENANT, ada.id, &change, &all(), at).await.unwrap().unwrap();
    assert_eq!(eve, User { name: "eve".to_owned(), update_time: at, ..ada.clone() });
    let hash = async || logins::password_hash(db, TENANT, ada.id).await.unwrap();
    assert_eq!(hash().await.as_deref(), Some("hash"));
    let taken = UserChange { name: Some("bob".to_owned()), ..UserChange::default() };
    assert_eq!(users::update(db, TENANT, ada.id, &taken, &all(), at).await, Err(AccountError::NameTaken));
    let none = UserChange { password_hash: Some(None), role_ids: Some(vec![]), ..UserChange::default() };
    let eve = users::update(db, TENANT, ada.id, &none, &all(), at).await.unwrap().unwrap();
    assert_eq!((eve.role_ids.len(), hash().await), (0, None));
    for (tenant, id) in [(OTHER, ada.id), (TENANT, UserId(999))] {
        assert_eq!(users::update(db, tenant, id, &none, &all(), at).await, Ok(None));
        assert_eq!(users::delete(db, tenant, id, &all(), at).await, Ok(false));
    }
    let lines = query("SELECT CAST(after AS TEXT) AS x FROM netaclaw_audit WHERE action = 'user.update'");
    let lines: Vec<String> =
        lines.all(&**db).await.unwrap().iter().map(|row| row.get("x").unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[1].contains("\"password\":\"changed\"") && lines.iter().all(|line| !line.contains("hash")));
});

on_both!(the_last_who_manages_users_stays, |db| async {
    let admin = role_id(db, TENANT, ADMIN_ROLE).await;
    let custom = roles::insert(db, TENANT, &spec("people", &["user:*"]), &all(), now()).await.unwrap();
    let ada = add(db, "ada", &[custom.id]).await;
    let bob = add(db, "bob", &[]).await;
    let roles_of = |ids: &[RoleId]| UserChange { role_ids: Some(ids.to_vec()), ..UserChange::default() };
    let disable = UserChange { disabled: Some(true), ..UserChange::default() };
    let last = Err(AccountError::LastManager);
    assert_eq!(users::update(db, TENANT, ada.id, &roles_of(&[]), &all(), now()).await, last);
    assert_eq!(users::update(db, TENANT, ada.id, &disable, &all(), now()).await, last);
    assert_eq!(users::delete(db, TENANT, ada.id, &all(), now()).await, Err(AccountError::LastManager));
    let narrowed = roles::update(db, TENANT, custom.id, &spec("people", &["user:view"]), &all(), now()).await;
    assert_eq!(narrowed, Err(AccountError::LastManager));
    assert_eq!(users::find(db, TENANT, ada.id).await.unwrap(), Some(ada.clone()), "nothing was changed");
    users::update(db, TENANT, bob.id, &roles_of(&[admin]), &all(), now()).await.unwrap();
    users::update(db, TENANT, ada.id, &disable, &all(), now()).await.unwrap();
    assert_eq!(users::delete(db, TENANT, bob.id, &all(), now()).await, Err(AccountError::LastManager));
    let enable = UserChange { disabled: Some(false), ..UserChange::default() };
    users::update(db, TENANT, ada.id, &enable, &all(), now()).await.unwrap();
    assert_eq!(users::delete(db, TENANT, bob.id, &all(), now()).await, Ok(true));
});

on_both!(of_two_managers_who_remove_each_other_one_stays, |db| async {
    let admin = role_id(db, TENANT, ADMIN_ROLE).await;
    let (ada, bob) = (add(db, "ada", &[admin]).await, add(db, "bob", &[admin]).await);
    let remove = async |id| users::delete(db, TENANT, id, &all(), now()).await;
    let (a, b) = tokio::join!(remove(ada.id), remove(bob.id));
    assert_eq!([&a, &b].iter().filter(|done| done.is_ok()).count(), 1, "{a:?} {b:?}");
    assert!([a, b].contains(&Err(AccountError::LastManager)));
});

on_both!(what_hangs_from_a_removed_user_goes_and_what_they_made_stays, |db| async {
    let ada = add(db, "ada", &[role_id(db, TENANT, "member").await]).await;
    let agent_id = agent(db, TENANT).await;
    share(db, "user", ada.id.0).await;
    for sql in [
        "UPDATE netaclaw_agent SET owner_user_id = $1 WHERE id = $2",
        "INSERT INTO netaclaw_api_key (tenant_id, user_id, name, scopes, create_time, update_time) \
         SELECT 1, $1, 'k', '[]', create_time, create_time FROM netaclaw_agent WHERE id = $2",
        "INSERT INTO netaclaw_quota (tenant_id, subject_kind, subject_id, day, turns, create_time, update_time) \
         SELECT 1, 'user', $1, '', 0, create_time, create_time FROM netaclaw_agent WHERE id = $2",
        "INSERT INTO netaclaw_quota (tenant_id, subject_kind, subject_id, day, turns, create_time, update_time) \
         SELECT 1, 'key', k.id, '', 0, k.create_time, k.create_time FROM netaclaw_api_key k, netaclaw_agent a \
         WHERE k.user_id = $1 AND a.id = $2",
    ] {
        assert_eq!(query(sql).bind(ada.id).bind(agent_id).execute(&**db).await.unwrap(), 1, "{sql}");
    }
    assert_eq!(users::delete(db, TENANT, ada.id, &all(), now()).await, Ok(true));
    for table in [
        "netaclaw_user",
        "netaclaw_user_role",
        "netaclaw_api_key",
        "netaclaw_share",
        "netaclaw_login_session",
        "netaclaw_quota",
    ] {
        assert_eq!(count(db, table).await, 0, "{table}");
    }
    let stays = crate::store::agents::find(db, TENANT, agent_id).await.unwrap().unwrap();
    assert_eq!(stays.owner_user_id, None);
});

on_both!(a_new_tenant_has_the_roles_and_an_administrator, |db| async {
    let at = now();
    roles::insert(db, TENANT, &spec("custom", &["agent:view"]), &all(), at).await.unwrap();
    let admin = FirstAdmin {
        name: "root".to_owned(),
        display_name: "Root".to_owned(),
        password_hash: "h".to_owned(),
    };
    let acme = tenants::insert(db, "acme", Some(&admin), &all(), at).await.unwrap();
    assert_eq!((acme.name.as_str(), acme.disabled, acme.create_time), ("acme", false, at));
    assert_eq!(tenants::find(db, acme.id).await.unwrap(), Some(acme.clone()));
    assert_eq!(tenants::insert(db, "acme", None, &all(), at).await, Err(AccountError::NameTaken));
    let roles = roles::list(db, acme.id, None, 50).await.unwrap();
    let names: Vec<&str> = roles.iter().map(|role| role.name.as_str()).collect();
    assert_eq!(names, ["admin", "editor", "member", "viewer"]);
    let root = &users::list(db, acme.id, &UserFilter::default(), None, 50).await.unwrap()[0];
    assert_eq!((root.name.as_str(), &root.role_ids[..]), ("root", &[roles[0].id][..]));
    let held = users::permissions(db, root).await.unwrap();
    assert!(held.has(Permission::UserManage) && !held.has(Permission::TenantManage));
    // Their own grants cover what an administrator there may give, `*` included.
    let theirs = Authority { holds: held, ..all() };
    users::insert(db, acme.id, &person("second", &[roles[0].id]), &theirs, at).await.unwrap();
    let foreign = role_id(db, TENANT, "viewer").await;
    let refused = users::insert(db, acme.id, &person("third", &[foreign]), &theirs, at).await;
    assert_eq!(refused, Err(AccountError::NoRole(foreign)));
    let page = tenants::list(db, Some(TENANT), 5).await.unwrap();
    assert_eq!(page, std::slice::from_ref(&acme));
    let change = TenantChange { name: Some("main".to_owned()), disabled: None };
    assert_eq!(tenants::update(db, acme.id, &change, &all(), at).await, Err(AccountError::NameTaken));
    let change = TenantChange { name: None, disabled: Some(true) };
    assert_eq!(tenants::update(db, TenantId(99), &change, &all(), at).await, Ok(None));
    assert_eq!(tenants::update(db, TENANT, &change, &all(), at).await, Err(AccountError::FirstTenant));
    let changed = tenants::update(db, acme.id, &change, &all(), at).await.unwrap().unwrap();
    assert_eq!((changed.name.as_str(), changed.disabled), ("acme", true));
});

on_both!(a_password_is_changed_from_the_one_that_was_known, |db| async {
    let ada = add(db, "ada", &[]).await;
    let by = all().by;
    let change = async |old, new| {
        users::change_password(db, &ada, (old, new), LoginSessionId(1), &by, now()).await.unwrap()
    };
    assert!(!change("other", "new").await);
    assert!(change("hash", "new").await);
    assert!(!change("hash", "newer").await, "it changed meanwhile");
    assert_eq!(logins::password_hash(db, TENANT, ada.id).await.unwrap().as_deref(), Some("new"));
    assert_eq!(logins::password_hash(db, OTHER, ada.id).await.unwrap(), None);
});
