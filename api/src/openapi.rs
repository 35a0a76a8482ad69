//! The document that describes every route, made from the code.

mod errors;
mod frames;

use crate::live::socket::commands;
use crate::state::ApiState;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use frames::ServerFrame;
use shared::domain::events::{Envelope, Event};
use std::sync::Arc;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, OpenApi as Document};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Neta",
        description = "Errors are `application/problem+json` (component `Problem`) with a stable `code`. \
                       Lists are paged by `cursor` and `nextCursor`."
    ),
    components(schemas(
        Event,
        Envelope,
        commands::ClientFrame,
        commands::Answer,
        ServerFrame,
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

/// Adds to each operation what it may refuse.
pub(crate) fn complete(document: &mut Document) {
    errors::complete(document);
}

/// The whole document, for tools that generate clients.
pub fn document() -> Document {
    crate::routes::documented().into_openapi()
}

/// Adds the document.
pub(crate) fn serve(router: Router<ApiState>, document: &Document) -> Router<ApiState> {
    // Strings and numbers only: this cannot fail.
    let json: Arc<str> = document.to_json().unwrap_or_default().into();
    router.route(
        "/openapi.json",
        get(async move || ([(header::CONTENT_TYPE, "application/json")], json.to_string())),
    )
}
