//! `/ws/netaclaw`: the door for live clients.

use crate::auth::SocketUser;
use crate::error::{ApiError, Problem};
use crate::live::socket;
use crate::state::ApiState;
use axum::extract::State;
use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::response::Response;

/// Opens a WebSocket of JSON text frames.
///
/// The client sends `chat`, `subscribe`, `unsubscribe`, `stop` and `clarify_response` (components
/// `ChatRequest`, `Subscribe`, `Unsubscribe`, `Stop`, `ClarifyResponse`, each with a `type`); the server sends `Answer` and `Event`.
/// The token stands in `Authorization` or, for browsers, in
/// `Sec-WebSocket-Protocol: neta, bearer.<token>`. Frames are at most 256 KiB.
#[utoipa::path(get, path = "/ws/netaclaw", tag = "chat", security(("token" = ["session:view"])), responses(
    (status = 101, description = "Open"),
    (status = 400, description = "It is no upgrade to a socket", body = Problem),
    (status = 401, description = "No valid token", body = Problem),
    (status = 403, description = "The origin is not allowed", body = Problem)))]
pub async fn open(
    State(state): State<ApiState>,
    SocketUser(user): SocketUser,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|e| ApiError::invalid("Upgrade", e.body_text()))?;
    Ok(socket::open(upgrade, state, user))
}
