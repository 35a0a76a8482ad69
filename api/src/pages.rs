//! The pages that are served before there is a web interface: the reference and the first setup. They
//! are our own and load nothing from elsewhere.

use crate::state::ApiState;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

/// Each file's path, type and text.
const FILES: [(&str, &str, &str); 6] = [
    ("/docs", "text/html", include_str!("pages/reference.html")),
    ("/docs/reference.js", "text/javascript", include_str!("pages/reference.js")),
    ("/docs/reference.css", "text/css", include_str!("pages/reference.css")),
    ("/setup", "text/html", include_str!("pages/setup.html")),
    ("/setup/setup.js", "text/javascript", include_str!("pages/setup.js")),
    ("/setup/setup.css", "text/css", include_str!("pages/setup.css")),
];

/// Adds the pages.
pub(crate) fn serve(router: Router<ApiState>) -> Router<ApiState> {
    FILES
        .into_iter()
        .fold(router, |router, (path, kind, text)| router.route(path, get(async move || file(kind, text))))
}

fn file(kind: &str, text: &'static str) -> impl IntoResponse + use<> {
    ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text)
}
