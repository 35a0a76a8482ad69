//! The reference page. It is our own and loads nothing from elsewhere.

use crate::state::ApiState;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

/// Each file's path, type and text.
const FILES: [(&str, &str, &str); 3] = [
    ("/docs", "text/html", include_str!("pages/reference.html")),
    ("/docs/reference.js", "text/javascript", include_str!("pages/reference.js")),
    ("/docs/reference.css", "text/css", include_str!("pages/reference.css")),
];

/// Adds the page.
pub(crate) fn serve(router: Router<ApiState>) -> Router<ApiState> {
    FILES
        .into_iter()
        .fold(router, |router, (path, kind, text)| router.route(path, get(async move || file(kind, text))))
}

fn file(kind: &str, text: &'static str) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text)
}
