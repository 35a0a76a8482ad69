//! Claims that come together leave together.

use super::Engine;
use super::together::Together;
use shared::domain::ids::RunId;
use shared::store::Result;
use shared::store::runs::{self, Claim};
use std::future::ready;

/// The claims that wait.
pub(super) type Claims = Together<RunId, Result<Claim>>;

impl Engine {
    /// Claims a run.
    pub(super) async fn claim(&self, run_id: RunId) -> Result<Claim> {
        let claim_all = async |ids: Vec<RunId>| {
            let (lease, now) = (self.parts.worker.lease, self.app().clock.now());
            let mut claims = runs::claim_all(&self.app().db, &ids, &self.id, lease, now).await;
            let answer = |id| match &mut claims {
                Ok(claims) => Ok(claims.remove(id).unwrap_or(Claim::Gone)),
                Err(error) => Err(error.clone()),
            };
            ids.iter().map(answer).collect()
        };
        self.claims.ask(run_id, ready(()), claim_all).await.unwrap_or(Ok(Claim::Gone))
    }
}
