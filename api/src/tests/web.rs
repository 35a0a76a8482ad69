//! The web interface's files, from a folder: packed, cached, and nothing besides.

use super::harness::{Api, Reply, request};
use crate::WebFiles;
use axum::body::Body;
use axum::http::header;
use shared::limits::MemoryRates;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

const PAGE: &str = "<!doctype html><title>Neta</title>";

/// A folder of its own, gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("neta-web-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(path.join("dist/assets")).unwrap();
        let write = |name: &str, content: &[u8]| fs::write(path.join(name), content).unwrap();
        write("secret.txt", b"not for the web");
        write("dist/index.html", PAGE.as_bytes());
        write("dist/favicon.svg", b"<svg/>");
        write("dist/assets/app-1a2b.js", b"plain");
        write("dist/assets/app-1a2b.js.gz", b"packed");
        Self(path)
    }

    async fn api(&self) -> Api {
        let files = WebFiles::Folder(self.0.join("dist"));
        Api::with(Arc::new(MemoryRates::new()), |config| config.web = files).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn ask(api: &Api, method: &str, path: &str, headers: &[(header::HeaderName, &str)]) -> Reply {
    let request = headers.iter().fold(request(method, path), |r, (name, value)| r.header(name, *value));
    api.raw(request.body(Body::empty()).unwrap()).await
}

fn of<'a>(reply: &'a Reply, name: &header::HeaderName) -> &'a str {
    reply.headers.get(name).map_or("", |v| v.to_str().unwrap())
}

const BROWSER: (header::HeaderName, &str) = (header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8");

#[tokio::test]
async fn every_address_of_the_interface_is_its_page_without_a_login() {
    let folder = Folder::new();
    let api = folder.api().await;
    for path in [
        "/",
        "/chat",
        "/chat/0197-x",
        "/agents/7",
        "/settings/models",
        "/setup",
        "/login",
        "/docsy",
        "/apiary",
    ] {
        let reply = ask(&api, "GET", path, &[BROWSER]).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (200, PAGE), "{path}");
        assert_eq!(of(&reply, &header::CACHE_CONTROL), "no-cache", "{path}");
        let policy = of(&reply, &header::CONTENT_SECURITY_POLICY);
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(of(&reply, &header::X_FRAME_OPTIONS), "DENY", "{path}");
    }
}

#[tokio::test]
async fn what_is_no_page_stays_a_problem() {
    let folder = Folder::new();
    let api = folder.api().await;
    let table = [
        ("GET", "/api/nothing", 404),
        ("GET", "/v1/nothing", 404),
        ("GET", "/ws/nothing", 404),
        ("GET", "/assets/gone-9.js", 404),
        ("GET", "/nothing.png", 404),
        ("POST", "/chat", 404),
        ("GET", "/api/agents", 401),
    ];
    for (method, path, status) in table {
        let reply = ask(&api, method, path, &[BROWSER]).await;
        assert_eq!(reply.status.as_u16(), status, "{method} {path}");
        assert!(of(&reply, &header::CONTENT_TYPE).ends_with("json"), "{method} {path}");
    }
    let program = ask(&api, "GET", "/nothing", &[(header::ACCEPT, "*/*")]).await;
    assert_eq!(program.code(), Some("no_route"));
}

#[tokio::test]
async fn files_go_packed_to_those_who_unpack_and_stay_where_they_are() {
    let folder = Folder::new();
    let api = folder.api().await;
    let path = "/assets/app-1a2b.js";
    let plain = ask(&api, "GET", path, &[]).await;
    assert_eq!((plain.text.as_str(), of(&plain, &header::CONTENT_ENCODING)), ("plain", ""));
    assert_eq!(of(&plain, &header::CONTENT_TYPE), "text/javascript; charset=utf-8");
    assert_eq!(of(&plain, &header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    for (accepted, packed) in
        [("gzip, deflate", true), ("br;q=1, gzip;q=0.5", true), ("gzip;q=0", false), ("br", false)]
    {
        let reply = ask(&api, "GET", path, &[(header::ACCEPT_ENCODING, accepted)]).await;
        assert_eq!(reply.text, if packed { "packed" } else { "plain" }, "{accepted}");
        assert_eq!(of(&reply, &header::CONTENT_ENCODING) == "gzip", packed, "{accepted}");
    }
    assert_eq!(ask(&api, "GET", "/assets/app-1a2b.js.gz", &[]).await.status, 404);
    let head = ask(&api, "HEAD", path, &[]).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
}

#[tokio::test]
async fn a_known_file_is_not_sent_again_until_it_changes() {
    let folder = Folder::new();
    let api = folder.api().await;
    let first = ask(&api, "GET", "/favicon.svg", &[]).await;
    assert_eq!(of(&first, &header::CONTENT_TYPE), "image/svg+xml");
    let tag = of(&first, &header::ETAG).to_owned();
    let again = ask(&api, "GET", "/favicon.svg", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    fs::write(folder.0.join("dist/favicon.svg"), b"<svg id=\"2\"/>").unwrap();
    let changed = ask(&api, "GET", "/favicon.svg", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!((changed.status.as_u16(), changed.text.as_str()), (200, "<svg id=\"2\"/>"));
}

#[tokio::test]
async fn nothing_outside_the_folder_is_read() {
    let folder = Folder::new();
    let api = folder.api().await;
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "//secret.txt",
        "/%00",
    ] {
        let reply = ask(&api, "GET", path, &[]).await;
        assert!(!reply.text.contains("not for the web"), "{path}");
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[tokio::test]
async fn without_files_the_page_says_how_to_get_them() {
    let folder = Folder::new();
    fs::remove_dir_all(folder.0.join("dist")).unwrap();
    let api = folder.api().await;
    let reply = ask(&api, "GET", "/setup", &[BROWSER]).await;
    assert_eq!(reply.status, 200);
    assert!(reply.text.contains("without its web interface"), "{}", reply.text);
    assert!(of(&reply, &header::CONTENT_SECURITY_POLICY).contains("script-src 'self'"));
}
