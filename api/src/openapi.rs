//! The document that describes every route, made from the code, and the page that shows it. The page
//! is our own and loads nothing from elsewhere.

use crate::live::socket::commands;
use crate::state::ApiState;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use shared::domain::events::Event;
use std::sync::Arc;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, OpenApi as Document};
use utoipa::{Modify, OpenApi};

const PAGE: &str = include_str!("reference.html");
const SCRIPT: &str = include_str!("reference.js");
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Neta",
        description = "Errors are `application/problem+json` (component `Problem`) with a stable `code`. \
                       Lists are paged by `cursor` and `nextCursor`."
    ),
    components(schemas(
        Event,
        commands::Subscribe,
        commands::Unsubscribe,
        commands::Stop,
        commands::ClarifyResponse,
        commands::Answer,
        crate::error::Problem<'static>,
    )),
    security(("token" = [])),
    modifiers(&Token)
)]
struct Api;

struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut Document) {
        let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        document.components.get_or_insert_with(Components::new).add_security_scheme("token", token);
    }
}

/// The document without its paths.
pub(crate) fn base() -> Document {
    Api::openapi()
}

/// The whole document, for tools that generate clients.
pub fn document() -> Document {
    crate::routes::documented().into_openapi()
}

/// Adds the document and its page.
pub(crate) fn serve(router: Router<ApiState>, document: &Document) -> Router<ApiState> {
    // Strings and numbers only: this cannot fail.
    let json: Arc<str> = document.to_json().unwrap_or_default().into();
    router
        .route(
            "/openapi.json",
            get(async move || ([(header::CONTENT_TYPE, "application/json")], json.to_string())),
        )
        .route("/docs", get(async || page("text/html; charset=utf-8", PAGE)))
        .route("/docs/reference.js", get(async || page("text/javascript; charset=utf-8", SCRIPT)))
}

fn page(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], text)
}
