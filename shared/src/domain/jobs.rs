//! An item on the queue: an id and a trace context, nothing else.

use super::ids::{RunId, TenantId};
use serde::{Deserialize, Serialize};

/// Rings for one run that may be due. Losing or doubling it changes nothing: the row decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The run to claim.
    #[serde(rename = "r")]
    pub run_id: RunId,
    /// Whose turn it takes.
    #[serde(rename = "t")]
    pub tenant_id: TenantId,
    /// W3C `traceparent` of the request that asked for it.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}
