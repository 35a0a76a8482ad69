//! People and keys with given rights, made as rows.

use super::harness::{Api, Reply, request};
use axum::body::Body;
use serde_json::Value;
use shared::domain::ids::{RoleId, TenantId, UserId};
use shared::secrets::{Secret, fingerprint};
use shared::store::db::{Arg, query};
use std::sync::atomic::{AtomicI64, Ordering};

static NEXT: AtomicI64 = AtomicI64::new(1_000);

/// Somebody with a way to show who they are.
#[derive(Debug, Clone)]
pub struct Person {
    pub user_id: UserId,
    pub role_id: RoleId,
    /// A header.
    pub shows: (&'static str, String),
}

impl Api {
    /// A tenant that has nothing yet.
    pub async fn tenant(&self) -> TenantId {
        let id = TenantId(NEXT.fetch_add(1, Ordering::Relaxed));
        let made = query(
            "INSERT INTO netaclaw_tenant (id, name, disabled, create_time, update_time) VALUES ($1, $2, FALSE, $3, $3)",
        );
        let now = self.app.clock.now();
        made.bind(id).bind(format!("t{id}")).bind(now).execute(&self.app.db).await.unwrap();
        id
    }

    /// A user who has one role with these grants, and a browser that is logged in.
    pub async fn person(&self, tenant_id: TenantId, grants: &[&str]) -> Person {
        let (db, now, n) = (&self.app.db, self.app.clock.now(), NEXT.fetch_add(1, Ordering::Relaxed));
        let role = query(
            "INSERT INTO netaclaw_role (id, tenant_id, name, description, built_in, permissions, create_time, \
             update_time) VALUES ($1, $2, $3, '', FALSE, $4, $5, $5)",
        );
        let role = role.bind(n).bind(tenant_id).bind(format!("r{n}")).bind(Arg::json(&grants).unwrap());
        role.bind(now).execute(db).await.unwrap();
        let user = query(
            "INSERT INTO netaclaw_user (id, tenant_id, name, display_name, disabled, create_time, update_time) \
             VALUES ($1, $2, $3, $3, FALSE, $4, $4)",
        );
        user.bind(n).bind(tenant_id).bind(format!("u{n}")).bind(now).execute(db).await.unwrap();
        query("INSERT INTO netaclaw_user_role (user_id, role_id) VALUES ($1, $1)")
            .bind(n)
            .execute(db)
            .await
            .unwrap();
        let cookie = format!("cookie-{n}");
        let login = query(
            "INSERT INTO netaclaw_login_session (id, token_hash, tenant_id, user_id, address, user_agent, \
             create_time, seen_at, expires_at) VALUES ($1, $2, $3, $1, '', '', $4, $4, $5)",
        );
        let login = login.bind(n).bind(fingerprint(&Secret::new(cookie.as_str()))).bind(tenant_id).bind(now);
        login.bind(now + chrono::TimeDelta::days(1)).execute(db).await.unwrap();
        let shows = ("cookie", format!("neta_session={cookie}"));
        Person { user_id: UserId(n), role_id: RoleId(n), shows }
    }

    /// A key of a person's, or one in its own name.
    pub async fn key(&self, tenant_id: TenantId, of: Option<&Person>, scopes: &[&str]) -> Person {
        let (db, now, n) = (&self.app.db, self.app.clock.now(), NEXT.fetch_add(1, Ordering::Relaxed));
        let key = query(
            "INSERT INTO netaclaw_api_key (id, tenant_id, user_id, name, scopes, create_time, update_time) \
             VALUES ($1, $2, $3, 'k', $4, $5, $5)",
        );
        let key = key.bind(n).bind(tenant_id).bind(of.map(|p| p.user_id.0)).bind(Arg::json(&scopes).unwrap());
        key.bind(now).execute(db).await.unwrap();
        let (prefix, text) = (format!("{n:0>12}"), format!("neta_{n:0>12}_secret-{n}"));
        let secret = query(
            "INSERT INTO netaclaw_api_key_secret (key_id, prefix, hash, create_time) VALUES ($1, $2, $3, $4)",
        );
        let secret = secret.bind(n).bind(prefix).bind(fingerprint(&Secret::new(text.as_str()))).bind(now);
        secret.execute(db).await.unwrap();
        let user_id = of.map_or(UserId(0), |p| p.user_id);
        Person { user_id, role_id: RoleId(n), shows: ("authorization", format!("Bearer {text}")) }
    }

    /// Changes rows.
    pub async fn rows(&self, sql: &'static str) {
        assert!(query(sql).execute(&self.app.db).await.unwrap() > 0, "{sql}");
    }

    /// Sends a request of somebody's, as from a page of this server.
    pub async fn ask(&self, who: &Person, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let request =
            request(method, path).header(who.shows.0, &who.shows.1).header("origin", "http://127.0.0.1:8420");
        let request = match body {
            Some(body) => {
                request.header("content-type", "application/json").body(Body::from(body.to_string()))
            }
            None => request.body(Body::empty()),
        };
        self.raw(request.unwrap()).await
    }
}
