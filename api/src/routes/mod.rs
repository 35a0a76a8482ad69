//! Every route, and what stands around them all.

pub mod agent_check;
pub mod agent_sharing;
pub mod agents;
pub mod audit;
pub mod catalogue;
pub mod chat;
pub mod completions;
pub mod events;
pub mod given;
pub mod health;
pub mod keys;
pub mod login;
pub mod me;
pub mod merge;
pub mod messages;
pub mod models;
pub mod observe;
pub mod openai_models;
pub mod page;
pub mod pauses;
pub mod preview;
pub mod quotas;
pub mod roles;
pub mod runs;
pub mod sessions;
pub mod setup;
pub mod socket;
pub mod subagents;
pub mod tenants;
pub mod tool_calls;
pub mod tryouts;
pub mod usage;
pub mod users;

use crate::auth;
use crate::error::ApiError;
use crate::state::ApiState;
use crate::{client, headers, openai, openapi, pages, rate, web};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The documented routes, with all that they may refuse.
pub(crate) fn documented() -> OpenApiRouter<ApiState> {
    let mut all = all();
    openapi::complete(all.get_openapi_mut());
    all
}

fn all() -> OpenApiRouter<ApiState> {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(chat::post))
        .routes(routes!(chat::get))
        .routes(routes!(socket::open))
        .routes(routes!(completions::post))
        .routes(routes!(openai_models::list))
        .routes(routes!(openai_models::get))
        .routes(routes!(agents::list, agents::create))
        .routes(routes!(agents::get, agents::patch, agents::delete))
        .routes(routes!(agent_sharing::cards))
        .routes(routes!(agent_sharing::shares, agent_sharing::share))
        .routes(routes!(preview::prompt))
        .routes(routes!(tryouts::begin))
        .routes(routes!(tryouts::replace))
        .routes(routes!(models::list, models::create))
        .routes(routes!(models::get, models::patch, models::delete))
        .routes(routes!(models::test))
        .routes(routes!(models::test_unsaved))
        .routes(routes!(sessions::list))
        .routes(routes!(sessions::get, sessions::patch, sessions::delete))
        .routes(routes!(sessions::contents))
        .routes(routes!(events::get))
        .routes(routes!(messages::list))
        .routes(routes!(messages::edit, messages::delete))
        .routes(routes!(runs::list))
        .routes(routes!(runs::get))
        .routes(routes!(runs::stop))
        .routes(routes!(tool_calls::get))
        .routes(routes!(subagents::list))
        .routes(routes!(subagents::get))
        .routes(routes!(subagents::stop))
        .routes(routes!(pauses::list))
        .routes(routes!(pauses::summary))
        .routes(routes!(pauses::get))
        .routes(routes!(pauses::answer))
        .routes(routes!(pauses::bare_answer))
        .routes(routes!(keys::list, keys::create))
        .routes(routes!(keys::get, keys::patch, keys::revoke))
        .routes(routes!(keys::rotate))
        .routes(routes!(quotas::list))
        .routes(routes!(quotas::put, quotas::delete))
        .routes(routes!(usage::bill))
        .routes(routes!(usage::mine))
        .routes(routes!(audit::list))
        .routes(routes!(catalogue::tools))
        .routes(routes!(catalogue::workers))
        .routes(routes!(setup::get, setup::post))
        .routes(routes!(login::login))
        .routes(routes!(login::logout))
        .routes(routes!(me::get, me::patch))
        .routes(routes!(me::list_sessions, me::end_other_sessions))
        .routes(routes!(me::end_session))
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::get, users::patch, users::delete))
        .routes(routes!(roles::permissions))
        .routes(routes!(roles::list, roles::create))
        .routes(routes!(roles::get, roles::patch, roles::delete))
        .routes(routes!(tenants::list, tenants::create))
        .routes(routes!(tenants::get, tenants::patch))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
}

/// Everything that the API answers.
pub fn router(state: ApiState) -> Router {
    let (router, document) = documented().split_for_parts();
    pages::serve(openapi::serve(router, &document))
        .fallback(async || ApiError::NoRoute)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(CatchPanicLayer::custom(observe::panicked))
        .layer(from_fn_with_state(state.clone(), auth::layer::layer))
        .layer(from_fn_with_state(state.clone(), rate::layer))
        .layer(from_fn_with_state(state.clone(), client::layer))
        .layer(from_fn_with_state(state.clone(), web::layer))
        .layer(from_fn_with_state(state.clone(), observe::observe))
        .layer(from_fn(openai::error::shape))
        .layer(from_fn_with_state(state.clone(), headers::layer))
        .with_state(state)
}

/// A name that people can read: not empty, not too long, on one line.
pub(crate) fn check_name(field: &str, name: &str, max: usize) -> Result<(), ApiError> {
    if name.trim().is_empty() {
        return Err(ApiError::invalid(field, "must not be empty"));
    }
    if name.chars().count() > max {
        return Err(ApiError::invalid(field, format!("is longer than {max} characters")));
    }
    if name.chars().any(char::is_control) {
        return Err(ApiError::invalid(field, "must not hold control characters"));
    }
    Ok(())
}
