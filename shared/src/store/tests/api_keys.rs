use super::fixture::*;
use crate::domain::api_keys::{ApiKey, KeySecret, KeySpec, Scope};
use crate::domain::ids::{AgentId, ApiKeyId, TenantId, UserId};
use crate::on_both;
use crate::store::api_keys::{self, NewSecret};
use crate::store::db::query;
use crate::store::{Db, StoreError, identities};
use chrono::{DateTime, TimeDelta, Utc};

fn spec(name: &str) -> KeySpec {
    let scopes = vec![Scope::Read, Scope::ChatWith(AgentId(7))];
    KeySpec { name: name.to_owned(), scopes, rate_per_minute: Some(60), expires_at: None }
}

fn secret(prefix: &str) -> NewSecret {
    NewSecret { prefix: prefix.to_owned(), hash: format!("hash of {prefix}") }
}

/// A user of one of the tenants, of which the other is made here.
async fn user(db: &Db, tenant_id: TenantId, name: &str) -> UserId {
    query(
        "INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time) \
         VALUES ($1, 'other', FALSE, $2, $2) ON CONFLICT (id) DO NOTHING",
    )
    .bind(OTHER)
    .bind(now())
    .execute(db)
    .await
    .unwrap();
    query(
        "INSERT INTO netaclaw_user (tenant_id, name, display_name, disabled, create_time, update_time) \
         VALUES ($1, $2, $2, FALSE, $3, $3) RETURNING id",
    )
    .bind(tenant_id)
    .bind(name)
    .bind(now())
    .one(db)
    .await
    .unwrap()
    .id("id", UserId)
    .unwrap()
}

async fn made(db: &Db, user_id: Option<UserId>, name: &str, at: DateTime<Utc>) -> ApiKey {
    let mut tx = db.begin().await.unwrap();
    let key = api_keys::insert(&mut tx, TENANT, user_id, &spec(name), &secret(name), at).await.unwrap();
    tx.commit().await.unwrap();
    key
}

async fn rotated(db: &Db, id: ApiKeyId, prefix: &str, old_ends: DateTime<Utc>, at: DateTime<Utc>) {
    let mut tx = db.begin().await.unwrap();
    api_keys::lock(&mut tx, TENANT, id).await.unwrap().unwrap();
    api_keys::rotate(&mut tx, id, &secret(prefix), old_ends, at).await.unwrap();
    tx.commit().await.unwrap();
}

async fn prefixes(db: &Db, id: ApiKeyId, at: DateTime<Utc>) -> Vec<String> {
    let secrets = api_keys::secrets(db, &[id], at).await.unwrap();
    secrets.into_iter().map(|(_, secret)| secret.prefix).collect()
}

async fn is_accepted(db: &Db, prefix: &str, at: DateTime<Utc>) -> bool {
    identities::by_key(db, prefix, at).await.unwrap().is_some()
}

on_both!(a_key_comes_back_as_it_was_stored, |db| async {
    let db: &Db = db;
    let at = now();
    let ann = user(db, TENANT, "ann").await;
    let key = made(db, Some(ann), "first", at).await;
    assert_eq!((key.name.as_str(), key.user_id, key.tenant_id), ("first", Some(ann), TENANT));
    assert_eq!((&key.scopes, key.rate_per_minute), (&spec("").scopes, Some(60)));
    assert_eq!((key.expires_at, key.revoked_at, key.last_used_at), (None, None, None));
    assert_eq!((key.create_time, key.update_time), (at, at));
    assert_eq!(api_keys::find(db, TENANT, key.id).await.unwrap(), Some(key.clone()));
    assert_eq!(api_keys::find(db, OTHER, key.id).await.unwrap(), None);
    let secrets = api_keys::secrets(db, &[key.id], at).await.unwrap();
    let first = KeySecret { prefix: "first".to_owned(), expires_at: None, create_time: at };
    assert_eq!(secrets, [(key.id, first)]);
    assert_eq!(api_keys::secrets(db, &[], at).await.unwrap(), []);
});

on_both!(a_key_is_for_a_user_of_its_tenant, |db| async {
    let db: &Db = db;
    let foreign = user(db, OTHER, "bob").await;
    for user_id in [foreign, UserId(99)] {
        let mut tx = db.begin().await.unwrap();
        let refused = api_keys::insert(&mut tx, TENANT, Some(user_id), &spec("x"), &secret("x"), now()).await;
        assert_eq!(refused, Err(StoreError::Reference));
    }
    let mut tx = db.begin().await.unwrap();
    api_keys::insert(&mut tx, TENANT, None, &spec("x"), &secret("x"), now()).await.unwrap();
    let taken = api_keys::insert(&mut tx, TENANT, None, &spec("y"), &secret("x"), now()).await;
    assert_eq!(taken, Err(StoreError::Conflict), "a prefix finds one key");
});

on_both!(keys_are_listed_by_page_and_by_user, |db| async {
    let db: &Db = db;
    let ann = user(db, TENANT, "ann").await;
    for (name, of) in [("a", Some(ann)), ("b", None), ("c", Some(ann))] {
        made(db, of, name, now()).await;
    }
    let names = |keys: &[ApiKey]| keys.iter().map(|k| k.name.clone()).collect::<Vec<_>>();
    let page = api_keys::list(db, TENANT, None, None, 2).await.unwrap();
    assert_eq!(names(&page), ["a", "b"]);
    let rest = api_keys::list(db, TENANT, None, Some(page[1].id), 2).await.unwrap();
    assert_eq!(names(&rest), ["c"]);
    assert_eq!(names(&api_keys::list(db, TENANT, Some(ann), None, 9).await.unwrap()), ["a", "c"]);
    assert_eq!(names(&api_keys::list(db, OTHER, None, None, 9).await.unwrap()), Vec::<String>::new());
});

on_both!(a_key_is_changed_until_it_is_revoked, |db| async {
    let db: &Db = db;
    let (at, later) = (now(), now() + TimeDelta::seconds(5));
    let key = made(db, None, "a", at).await;
    let new = KeySpec {
        name: "b".to_owned(),
        scopes: vec![Scope::All],
        rate_per_minute: None,
        expires_at: Some(later),
    };
    let mut tx = db.begin().await.unwrap();
    assert_eq!(api_keys::update(&mut tx, OTHER, key.id, &new, later).await.unwrap(), None);
    let changed = api_keys::update(&mut tx, TENANT, key.id, &new, later).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let as_set = KeySpec {
        name: changed.name.clone(),
        scopes: changed.scopes.clone(),
        rate_per_minute: changed.rate_per_minute,
        expires_at: changed.expires_at,
    };
    assert_eq!((as_set, changed.create_time, changed.update_time), (new.clone(), at, later));

    let mut tx = db.begin().await.unwrap();
    assert_eq!(api_keys::revoke(&mut tx, OTHER, key.id, later).await.unwrap(), None);
    let revoked = api_keys::revoke(&mut tx, TENANT, key.id, later).await.unwrap().unwrap();
    assert_eq!(revoked.revoked_at, Some(later));
    assert_eq!(api_keys::revoke(&mut tx, TENANT, key.id, later).await.unwrap(), None);
    assert_eq!(api_keys::update(&mut tx, TENANT, key.id, &new, later).await.unwrap(), None);
    tx.commit().await.unwrap();
});

on_both!(expired_and_revoked_keys_stand_for_nobody, |db| async {
    let db: &Db = db;
    let (at, end) = (now(), now() + TimeDelta::minutes(1));
    let key = made(db, None, "a", at).await;
    assert!(is_accepted(db, "a", end).await);
    let mut tx = db.begin().await.unwrap();
    let expiring = KeySpec { expires_at: Some(end), ..spec("a") };
    api_keys::update(&mut tx, TENANT, key.id, &expiring, at).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    assert!(is_accepted(db, "a", end - TimeDelta::milliseconds(1)).await);
    assert!(!is_accepted(db, "a", end).await);
    let mut tx = db.begin().await.unwrap();
    api_keys::revoke(&mut tx, TENANT, key.id, at).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    assert!(!is_accepted(db, "a", at).await);
});

on_both!(a_rotation_leaves_two_secrets_at_most, |db| async {
    let db: &Db = db;
    let at = now();
    let after = |minutes| at + TimeDelta::minutes(minutes);
    let key = made(db, None, "one", at).await;
    rotated(db, key.id, "two", after(10), at).await;
    assert_eq!(prefixes(db, key.id, at).await, ["one", "two"]);
    assert!(is_accepted(db, "one", after(9)).await && !is_accepted(db, "one", after(10)).await);
    assert!(is_accepted(db, "two", after(100)).await);

    rotated(db, key.id, "three", after(20), after(1)).await;
    assert_eq!(prefixes(db, key.id, after(1)).await, ["two", "three"], "the oldest of three ends at once");
    assert!(!is_accepted(db, "one", after(1)).await);
    assert!(is_accepted(db, "two", after(19)).await && !is_accepted(db, "two", after(20)).await);

    rotated(db, key.id, "four", after(2), after(2)).await;
    assert_eq!(prefixes(db, key.id, after(2)).await, ["four"], "without an overlap all others end");
    // What ended is no longer there.
    assert_eq!(count(db, "netaclaw_api_key_secret").await, 1);
    let changed = api_keys::find(db, TENANT, key.id).await.unwrap().unwrap().update_time;
    assert_eq!(changed, after(2));
});

on_both!(rotations_at_the_same_time_leave_two_secrets_at_most, |db| async {
    let db: &Db = db;
    let at = now();
    let key = made(db, None, "k", at).await;
    let end = at + TimeDelta::minutes(10);
    let one = async |n: usize| rotated(db, key.id, &format!("k{n}"), end, at).await;
    tokio::join!(one(1), one(2), one(3), one(4));
    let left = prefixes(db, key.id, at).await;
    assert_eq!(left.len(), 2, "{left:?}");
});

on_both!(a_users_keys_go_with_them, |db| async {
    let db: &Db = db;
    let ann = user(db, TENANT, "ann").await;
    made(db, Some(ann), "a", now()).await;
    query("DELETE FROM netaclaw_user WHERE id = $1").bind(ann).execute(db).await.unwrap();
    assert_eq!(count(db, "netaclaw_api_key").await, 0);
    assert_eq!(count(db, "netaclaw_api_key_secret").await, 0);
});
