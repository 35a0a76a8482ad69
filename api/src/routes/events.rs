//! `/api/sessions/{id}/events`: a session's events for clients that can hold neither a socket nor a
//! stream. Each answer has what happened since the one before.

use super::chat::input;
use super::observe::Open;
use crate::auth::layer::Authenticated;
use crate::auth::recheck::Recheck;
use crate::auth::{Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::live::Level;
use crate::live::place::Place;
use crate::live::poll::Poll;
use crate::state::ApiState;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::bus::Frame;
use shared::domain::events::Envelope;
use shared::domain::ids::SessionId;
use shared::domain::sessions::Session;
use utoipa::ToSchema;

/// From where on, and how long to wait.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// `cursor` of the answer before. Without it the answer is a `resync` of each unfinished turn, at
    /// once.
    cursor: Option<String>,
    /// Seconds to wait for an event: 25 if not given, at most 60.
    wait: Option<u32>,
    /// Whether the text and the tools of subagents are told, too.
    #[serde(default)]
    #[param(inline)]
    level: Level,
}

/// What happened since the answer before.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionEvents {
    /// In order; empty: nothing within the time. At most 256 KiB, unless it is a single event.
    #[schema(value_type = Vec<Envelope>)]
    pub events: Vec<Box<RawValue>>,
    /// Ask with this for what follows.
    pub cursor: String,
}

/// Tells a session's events since the answer before, as a socket does that is subscribed.
///
/// Answers at once where there are some, else when there are, or after `wait` seconds with none. Ask
/// again with the `cursor` of the answer: nothing is left out and nothing is told twice, on whichever
/// process. An answer that got lost is had again with the cursor before it.
#[utoipa::path(get, path = "/api/sessions/{id}/events", tag = "sessions", security(("token" = ["session:view"])),
    params(("id" = SessionId, Path), EventsQuery), responses(
    (status = 200, body = SessionEvents), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object: session, principal, .. }: Of<Session, policy::SessionView>,
    who: Authenticated,
    Query(query): Query<EventsQuery>,
) -> Result<axum::Json<SessionEvents>, ApiError> {
    let patience = input::patience(query.wait)?;
    let _open = Open::new("neta_waiters");
    let mut recheck = Recheck::new(state.clone(), who);
    let (live, tenant_id) = (&state.live, principal.tenant_id);
    let polled = match query.cursor.as_deref() {
        None => Poll::picture(live, tenant_id, session.id, query.level).await?,
        Some(text) => {
            let place = Place::parse(text)
                .ok_or_else(|| ApiError::invalid("cursor", "is not one of these events"))?;
            Poll::after(live, tenant_id, session.id, place, query.level, patience).await?
        }
    };
    if recheck.is_due() && !recheck.holds().await {
        return Err(ApiError::Unauthorized);
    }
    let events = polled.events.iter().filter_map(raw).collect();
    Ok(axum::Json(SessionEvents { events, cursor: polled.place.to_text() }))
}

/// An event is passed on as it was rendered.
fn raw(frame: &Frame) -> Option<Box<RawValue>> {
    RawValue::from_string(frame.json.to_string()).ok()
}
