//! The web interface: files that `scripts/web.sh` built, in the binary (feature `web`) or in the folder
//! that `web_dir` names. Stands before authentication and rates: the files are everybody's, and no
//! request for one costs more than memory.

use crate::state::ApiState;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Beginnings of paths that are never files or pages of the interface.
const OTHERS: [&str; 9] =
    ["/api", "/open", "/v1", "/ws", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics"];
/// The page that every address of the interface shows.
const INDEX: &str = "index.html";
/// Files here have their content's hash in their name.
const ASSETS: &str = "assets/";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// What a page of the interface may load and connect to: what this server sends, no inline scripts or
/// styles, no frames. A worker may be made of a blob, an image of data.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
     connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'; object-src 'none'",
);
/// Says how to get the interface, where there is none.
const NONE: &str = include_str!("pages/no_web.html");

/// Where the files are.
#[derive(Debug, Clone, Default)]
pub enum WebFiles {
    /// In the binary, if it was built with the feature `web`.
    #[default]
    Embedded,
    /// In this folder, read at each request.
    Folder(PathBuf),
}

/// A file as it is sent.
struct File {
    content: Bytes,
    etag: String,
}

#[cfg(feature = "web")]
#[derive(rust_embed::RustEmbed)]
#[folder = "../web/dist"]
struct Embedded;

impl WebFiles {
    async fn read(&self, name: &str) -> Option<File> {
        match self {
            Self::Embedded => embedded(name),
            Self::Folder(folder) => {
                let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
                let content =
                    if inside { tokio::fs::read(folder.join(name)).await.ok()? } else { return None };
                let etag = etag(&Sha256::digest(&content));
                Some(File { content: content.into(), etag })
            }
        }
    }
}

#[cfg(feature = "web")]
fn embedded(name: &str) -> Option<File> {
    let file = Embedded::get(name)?;
    let etag = etag(&file.metadata.sha256_hash());
    let content = match file.data {
        std::borrow::Cow::Borrowed(content) => Bytes::from_static(content),
        std::borrow::Cow::Owned(content) => content.into(),
    };
    Some(File { content, etag })
}

#[cfg(not(feature = "web"))]
fn embedded(_name: &str) -> Option<File> {
    None
}

fn etag(hash: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in hash.iter().take(16) {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('"');
    text
}

/// The layer: answers what is the interface's, and lets everything else pass.
pub async fn layer(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || is_others(request.uri().path()) {
        return next.run(request).await;
    }
    let Some(name) = decoded(request.uri().path()) else { return next.run(request).await };
    let head_only = request.method() == Method::HEAD;
    match answer(&state.config.web, &name, request.headers()).await {
        Some(answer) if head_only => answer.map(|_| Body::empty()),
        Some(answer) => answer,
        None => next.run(request).await,
    }
}

fn is_others(path: &str) -> bool {
    let begins = |prefix: &&str| {
        path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    OTHERS.iter().any(begins)
}

/// A path without its first slash; None where it is no text.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.trim_start_matches('/').bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|d| char::from(d).to_digit(16));
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    String::from_utf8(bytes).ok().filter(|name| !name.contains('\0'))
}

async fn answer(files: &WebFiles, name: &str, asked: &HeaderMap) -> Option<Response> {
    if !name.is_empty()
        && let Some(file) = sent(files, name, asked).await
    {
        return Some(file);
    }
    // A page of the interface has no dot in its last part; a missing file is not one.
    let is_page = !name.starts_with(ASSETS)
        && !name.rsplit('/').next().is_some_and(|last| last.contains('.'))
        && (name.is_empty() || wants_page(asked));
    if !is_page {
        return None;
    }
    Some(match sent(files, INDEX, asked).await {
        Some(page) => page,
        None => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NONE).into_response(),
    })
}

/// Programs that ask for an address that is none get a problem, not a page.
fn wants_page(asked: &HeaderMap) -> bool {
    asked.get(header::ACCEPT).and_then(|v| v.to_str().ok()).is_some_and(|accept| {
        accept.split(',').any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "text/html"))
    })
}

/// A file, packed for those who can unpack it; None: there is none.
async fn sent(files: &WebFiles, name: &str, asked: &HeaderMap) -> Option<Response> {
    // The packed twin of a file is no file by itself.
    if name.rsplit('.').next() == Some("gz") {
        return None;
    }
    let packed = if takes_gzip(asked) { files.read(&format!("{name}.gz")).await } else { None };
    let is_packed = packed.is_some();
    let file = match packed {
        Some(file) => file,
        None => files.read(name).await?,
    };
    let unchanged = asked
        .get(header::IF_NONE_MATCH)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|known| known.split(',').any(|tag| tag.trim().trim_start_matches("W/") == file.etag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Body::from(file.content).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
        if is_packed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, if name.starts_with(ASSETS) { FOREVER } else { ASK_AGAIN });
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(etag) = HeaderValue::from_str(&file.etag) {
        headers.insert(header::ETAG, etag);
    }
    if name == INDEX {
        headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    }
    Some(response)
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let Some(Ok(accepted)) = asked.get(header::ACCEPT_ENCODING).map(HeaderValue::to_str) else {
        return false;
    };
    accepted.split(',').any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        parts.next() == Some("gzip")
            && !parts.any(|p| p.starts_with("q=0") && p.trim_end_matches(['0', '.']) == "q=")
    })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
