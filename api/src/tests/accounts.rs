//! Users, roles and tenants: made, listed, changed, removed.

use super::harness::{Api, Reply, TENANT};
use super::logins::{PASSWORD, browser};
use serde_json::{Value, json};
use shared::domain::permissions::Permission;

fn refused(reply: &Reply) -> (u16, &str, &str) {
    let text = |name: &str| reply.json[name].as_str().unwrap_or_default();
    (reply.status.as_u16(), text("code"), text("field"))
}

#[tokio::test]
async fn users_are_made_found_changed_and_removed() {
    let api = Api::new().await;
    let body = json!({"name": "Ada", "displayName": "Ada L.", "password": PASSWORD, "roleIds": [3, 4]});
    let made = api.post("/api/users", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!((&made.json["name"], &made.json["roleIds"]), (&json!("ada"), &json!([3, 4])));
    assert!(!made.text.contains("horse") && !made.text.contains("argon2"), "{made:?}");
    let path = format!("/api/users/{}", made.json["id"]);
    assert_eq!(api.get(&path).await.json, made.json);
    let table = [
        (json!({}), (400, "invalid", "name")),
        (json!({"name": "a b"}), (400, "invalid", "name")),
        (json!({"name": "eve", "password": "short"}), (400, "invalid", "password")),
        (json!({"name": "eve.eve.eve", "password": "eve.eve.eve"}), (400, "invalid", "password")),
        (json!({"name": "eve", "password": "with\u{0}a NUL in it"}), (400, "invalid", "password")),
        (json!({"name": "eve", "roleIds": [99]}), (400, "invalid", "roleIds")),
        (json!({"name": "eve", "roleIds": ["admin"]}), (400, "invalid", "roleIds[0]")),
        (json!({"name": "eve", "displayName": "x".repeat(101)}), (400, "invalid", "displayName")),
        (json!({"name": "ADA"}), (409, "conflict", "")),
    ];
    for (body, expected) in table {
        let reply = api.post("/api/users", &body).await;
        assert_eq!(refused(&reply), expected, "{body}: {reply:?}");
        assert!(!reply.text.contains("NUL"), "a refused password is not repeated");
    }
    let patch = async |body: Value| api.send("PATCH", &path, Some(&body)).await;
    let changed = patch(json!({"displayName": "Countess", "roleIds": []})).await;
    assert_eq!((&changed.json["displayName"], &changed.json["roleIds"]), (&json!("Countess"), &json!([])));
    assert_eq!(changed.json["name"], "ada");
    assert_eq!(refused(&patch(json!({"name": null})).await), (400, "invalid", "name"));
    assert_eq!(refused(&patch(json!({"password": "ada"})).await), (400, "invalid", "password"));
    assert_eq!(api.login("ada", PASSWORD).await.status, 200);
    assert_eq!(patch(json!({"password": null})).await.status, 200);
    assert_eq!(api.login("ada", PASSWORD).await.status, 401);
    api.user("bob", &[]).await;
    let names = async |query: &str| {
        let page = api.get(&format!("/api/users?{query}")).await.json;
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|user| user["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["ada", "bob"]);
    assert_eq!(names("q=count").await, ["ada"]);
    assert_eq!(patch(json!({"disabled": true})).await.json["disabled"], true);
    assert_eq!(
        (names("disabled=true").await, names("disabled=false").await),
        (vec!["ada".to_owned()], vec!["bob".to_owned()])
    );
    let first = api.get("/api/users?limit=1").await.json;
    let next = first["nextCursor"].as_str().unwrap();
    assert_eq!(names(&format!("limit=1&cursor={next}")).await, ["bob"]);
    assert_eq!(refused(&api.get("/api/users?disabled=maybe").await), (400, "invalid", "disabled"));
    assert_eq!(api.send("DELETE", &path, None).await.status, 204);
    assert_eq!(api.send("DELETE", &path, None).await.status, 404);
    assert_eq!(patch(json!({"disabled": true})).await.status, 404);
}

#[tokio::test]
async fn roles_hold_from_the_next_request_on() {
    let api = Api::new().await;
    let role = json!({"name": "reader", "permissions": ["agent:view"]});
    let made = api.post("/api/roles", &role).await;
    assert_eq!((made.status.as_u16(), &made.json["builtIn"]), (201, &json!(false)), "{made:?}");
    let (id, path) = (made.json["id"].as_i64().unwrap(), format!("/api/roles/{}", made.json["id"]));
    api.user("ada", &[id]).await;
    let ada = api.browser("ada").await;
    assert_eq!(api.ask(&ada, "GET", "/api/agents", None).await.status, 200);
    let patch = async |body: Value| api.send("PATCH", &path, Some(&body)).await;
    let changed = patch(json!({"permissions": ["model:*"]})).await;
    assert_eq!((changed.status.as_u16(), &changed.json["name"]), (200, &json!("reader")), "{changed:?}");
    assert_eq!(api.ask(&ada, "GET", "/api/agents", None).await.status, 403);
    assert_eq!(api.ask(&ada, "GET", "/api/models", None).await.status, 200);
    let unknown = patch(json!({"permissions": ["model:*", "agent:fly"]})).await;
    assert_eq!(refused(&unknown), (400, "invalid", "permissions[1]"));
    assert_eq!(refused(&patch(json!({"name": ""})).await), (400, "invalid", "name"));
    assert_eq!(refused(&patch(json!({"name": "admin"})).await), (409, "conflict", ""));
    let in_use = api.send("DELETE", &path, None).await;
    assert_eq!(refused(&in_use), (409, "conflict", ""));
    assert!(in_use.text.contains("1 users have this role"), "{in_use:?}");
    for built_in in 1..=4 {
        let at = format!("/api/roles/{built_in}");
        assert_eq!(
            refused(&api.send("PATCH", &at, Some(&json!({"name": "x"}))).await),
            (409, "conflict", "")
        );
        assert_eq!(refused(&api.send("DELETE", &at, None).await), (409, "conflict", ""));
    }
    assert_eq!(api.get("/api/roles").await.json["items"].as_array().unwrap().len(), 5);
    let permissions = api.ask(&ada, "GET", "/api/permissions", None).await.json;
    assert_eq!(permissions.as_array().unwrap().len(), Permission::ALL.len());
    assert!(permissions.as_array().unwrap().iter().all(|p| p["description"].as_str().unwrap().len() > 5));
}

#[tokio::test]
async fn a_manager_gives_no_more_than_they_have() {
    let api = Api::new().await;
    let manager = api.person(TENANT, &["user:*", "agent:view"]).await;
    let ask =
        async |method: &str, path: &str, body: Value| api.ask(&manager, method, path, Some(&body)).await;
    let weak = ask("POST", "/api/roles", json!({"name": "weak", "permissions": ["agent:view"]})).await;
    assert_eq!(weak.status, 201, "{weak:?}");
    let forbidden = (403, "forbidden", "");
    let strong = ask("POST", "/api/roles", json!({"name": "strong", "permissions": ["*"]})).await;
    assert_eq!(refused(&strong), forbidden);
    let user = ask("POST", "/api/users", json!({"name": "eve", "roleIds": [weak.json["id"]]})).await;
    assert_eq!(user.status, 201, "{user:?}");
    let path = format!("/api/users/{}", user.json["id"]);
    assert_eq!(refused(&ask("PATCH", &path, json!({"roleIds": [1]})).await), forbidden);
    let own = format!("/api/users/{}", manager.user_id);
    assert_eq!(refused(&ask("PATCH", &own, json!({"roleIds": [manager.role_id, 1]})).await), forbidden);
    let admin = format!("/api/users/{}", api.user("root", &[1]).await);
    for body in [json!({"password": "mine from now on"}), json!({"disabled": true}), json!({"roleIds": []})] {
        assert_eq!(refused(&ask("PATCH", &admin, body).await), forbidden);
    }
    assert_eq!(refused(&ask("DELETE", &admin, json!({})).await), forbidden);
    assert_eq!(api.login("root", PASSWORD).await.status, 200);
    let last = api.send("PATCH", &admin, Some(&json!({"disabled": true}))).await;
    assert_eq!(last.status, 200, "the manager is left: {last:?}");
    let last = ask("DELETE", &own, json!({})).await;
    assert_eq!(refused(&last), (409, "conflict", ""));
}

#[tokio::test]
async fn tenants_are_apart_and_can_be_closed() {
    let api = Api::new().await;
    let admin = json!({"name": "root", "password": PASSWORD});
    let made = api.post("/api/tenants", &json!({"name": "Acme", "admin": admin})).await;
    assert_eq!((made.status.as_u16(), &made.json["name"]), (201, &json!("acme")), "{made:?}");
    let path = format!("/api/tenants/{}", made.json["id"]);
    let table = [
        (json!({"name": "a/b"}), (400, "invalid", "name")),
        (json!({"name": "acme"}), (409, "conflict", "")),
        (
            json!({"name": "b", "admin": {"name": "root", "password": "short"}}),
            (400, "invalid", "admin.password"),
        ),
        (
            json!({"name": "b", "admin": {"name": "ro ot", "password": PASSWORD}}),
            (400, "invalid", "admin.name"),
        ),
    ];
    for (body, expected) in table {
        assert_eq!(refused(&api.post("/api/tenants", &body).await), expected, "{body}");
    }
    assert_eq!(api.get("/api/tenants").await.json["items"].as_array().unwrap().len(), 2);
    assert_eq!(api.login("root", PASSWORD).await.status, 401, "not in the first tenant");
    let body = json!({"name": "root", "password": PASSWORD, "tenant": "ACME"});
    let root = browser(&api.login_with(&body, &[]).await);
    let me = api.ask(&root, "GET", "/api/me", None).await.json;
    assert_eq!(me["tenant"]["name"], "acme");
    assert!(!me["permissions"].as_array().unwrap().contains(&json!("tenant:manage")), "{me}");
    assert_eq!(api.ask(&root, "GET", "/api/tenants", None).await.status, 403);
    // The administrators of both manage their own people and see none of the other's.
    let theirs = api.ask(&root, "GET", "/api/users", None).await.json["items"].clone();
    assert_eq!(theirs.as_array().unwrap().len(), 1);
    assert_eq!(api.get("/api/users").await.json["items"], json!([]));
    let first = format!("/api/users/{}", api.user("ada", &[]).await);
    let there = format!("/api/users/{}", theirs[0]["id"]);
    for method in ["GET", "PATCH", "DELETE"] {
        let body = (method == "PATCH").then(|| json!({"disabled": true}));
        assert_eq!(api.ask(&root, method, &first, body.as_ref()).await.status, 404, "{method}");
        assert_eq!(api.send(method, &there, body.as_ref()).await.status, 404, "{method}");
        assert_eq!(api.ask(&root, method, "/api/roles/1", body.as_ref()).await.status, 404, "{method}");
    }
    let foreign = json!({"name": "eve", "roleIds": [1]});
    assert_eq!(
        refused(&api.ask(&root, "POST", "/api/users", Some(&foreign)).await),
        (400, "invalid", "roleIds")
    );
    let closed = api.send("PATCH", &path, Some(&json!({"disabled": true}))).await;
    assert_eq!((closed.status.as_u16(), &closed.json["disabled"]), (200, &json!(true)));
    assert_eq!(api.ask(&root, "GET", "/api/me", None).await.status, 401);
    assert_eq!(refused(&api.login_with(&body, &[]).await), (401, "login_failed", ""));
    let own = api.send("PATCH", "/api/tenants/1", Some(&json!({"disabled": true}))).await;
    assert_eq!(refused(&own), (409, "conflict", ""));
    assert_eq!(
        api.send("PATCH", "/api/tenants/1", Some(&json!({"name": "Home"}))).await.json["name"],
        "home"
    );
    assert_eq!(api.send("PATCH", "/api/tenants/99", Some(&json!({"name": "x"}))).await.status, 404);
}
