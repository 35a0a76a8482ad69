//! People and programs with keys: of the first tenant, and of another.

use super::client::Api;
use super::cluster::Cluster;
use serde_json::{Value, json};
use shared::clock::{Clock, SystemClock};
use shared::secrets::{Secret, fingerprint};
use shared::store::db::query;

/// A key that a test may call with.
#[derive(Debug, Clone)]
pub struct Key {
    /// Its number.
    pub id: i64,
    /// What a program calls with.
    pub text: String,
}

impl Key {
    /// What a route that makes or rotates one answers.
    #[track_caller]
    pub fn of(body: &Value) -> Self {
        let text = body["text"].as_str().unwrap_or_else(|| panic!("no text in {body}")).to_owned();
        Self { id: body["id"].as_i64().expect("an id"), text }
    }
}

impl Cluster {
    /// A client of the door with this number, with this key.
    pub fn with_key(&self, number: usize, key: &Key) -> Api {
        self.api(number).with_token(&key.text)
    }

    /// A key as the operator makes it: in its own name, if `more` does not say for whom.
    pub async fn key(&self, scopes: &[&str], more: &Value) -> Key {
        let mut body = json!({ "name": format!("key {}", scopes.join(" ")), "scopes": scopes });
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        Key::of(&self.api(0).post("/api/keys", &body).await.expect(201))
    }

    /// A user of the first tenant with the built-in role of this name.
    pub async fn user(&self, name: &'static str, role: &'static str) -> i64 {
        let (db, now) = (self.database.db(), SystemClock.now());
        let made = query(
            "INSERT INTO netaclaw_user (tenant_id, name, display_name, disabled, create_time, update_time) \
             VALUES (1, $1, $1, FALSE, $2, $2) RETURNING id",
        );
        let id: i64 = made.bind(name).bind(now).one(db).await.expect("a user").get("id").expect("an id");
        let joined = query(
            "INSERT INTO netaclaw_user_role (user_id, role_id) \
             SELECT $1, id FROM netaclaw_role WHERE tenant_id = 1 AND name = $2",
        );
        assert_eq!(joined.bind(id).bind(role).execute(db).await.expect("a role"), 1);
        id
    }

    /// A key of another tenant, which may all that one may there.
    pub async fn foreign_key(&self) -> Key {
        let (db, now) = (self.database.db(), SystemClock.now());
        let (prefix, text) = ("aaaabbbbcccc", "neta_aaaabbbbcccc_of-another-tenant");
        let statements = [
            "INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time) \
             VALUES (77, 'others', FALSE, $1, $1)",
            "INSERT INTO netaclaw_api_key (id, tenant_id, name, scopes, create_time, update_time) \
             VALUES (7700, 77, 'foreign', '[\"*\"]', $1, $1)",
        ];
        for statement in statements {
            query(statement).bind(now).execute(db).await.expect("another tenant");
        }
        let secret = query(
            "INSERT INTO netaclaw_api_key_secret (key_id, prefix, hash, create_time) VALUES (7700, $1, $2, $3)",
        );
        let secret = secret.bind(prefix).bind(fingerprint(&Secret::new(text))).bind(now);
        secret.execute(db).await.expect("its secret");
        Key { id: 7700, text: text.to_owned() }
    }
}
