//! Pages of lists: at most so many, and an opaque cursor to the next.

use crate::error::ApiError;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

/// Which page.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Objects on a page: 50 if not given, at most 200.
    pub limit: Option<u32>,
    /// `nextCursor` of the page before.
    pub cursor: Option<String>,
}

/// One page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// In a stable order.
    pub items: Vec<T>,
    /// Asks for the next page; missing on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl PageQuery {
    /// How many objects are wanted.
    pub fn limit(&self) -> Result<u32, ApiError> {
        limit(self.limit)
    }

    /// Where the page begins.
    pub fn after<K: DeserializeOwned>(&self) -> Result<Option<K>, ApiError> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        URL_SAFE_NO_PAD
            .decode(cursor)
            .ok()
            .and_then(|json| serde_json::from_slice(&json).ok())
            .map(Some)
            .ok_or_else(|| ApiError::invalid("cursor", "is not one of this list"))
    }
}

/// How many objects are wanted.
pub fn limit(wanted: Option<u32>) -> Result<u32, ApiError> {
    match wanted.unwrap_or(DEFAULT_LIMIT) {
        n @ 1..=MAX_LIMIT => Ok(n),
        _ => Err(ApiError::invalid("limit", format!("must be 1 to {MAX_LIMIT}"))),
    }
}

impl<T> Page<T> {
    /// A page out of one object more than it shows. `key` is what the next page begins after.
    pub fn of<K: Serialize, R>(
        mut rows: Vec<R>,
        limit: u32,
        key: impl Fn(&R) -> K,
        show: impl FnMut(R) -> T,
    ) -> Self {
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_cursor = rows.last().filter(|_| more).map(|last| {
            // Ids and times only: this cannot fail.
            URL_SAFE_NO_PAD.encode(serde_json::to_vec(&key(last)).unwrap_or_default())
        });
        Self { items: rows.into_iter().map(show).collect(), next_cursor }
    }
}
