//! Providers' keys at rest: sealing all of them anew after the sealing key was changed.

use super::App;
use crate::domain::ids::ModelId;
use crate::store::{StoreError, models};

/// What became of the stored keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Sealed anew.
    pub anew: u64,
    /// Sealed with the current key already, or given anew meanwhile.
    pub current: u64,
    /// Models whose keys no key opens.
    pub unreadable: Vec<ModelId>,
}

/// Seals all keys of all tenants with the current key, so many at a time. May be stopped and begun
/// again at any point, run beside a working server, and run by several at once.
pub async fn reseal(app: &App, batch: u32) -> Result<Resealed, StoreError> {
    let mut done = Resealed::default();
    let mut after = None;
    loop {
        let keys = models::sealed_keys(&app.db, after, batch.max(1)).await?;
        let Some(last) = keys.last() else { return Ok(done) };
        after = Some(last.id);
        for key in &keys {
            match app.sealer.reseal(&super::key_purpose(key.tenant_id), &key.sealed) {
                Ok(Some(anew)) if models::replace_sealed(&app.db, key, &anew).await? => done.anew += 1,
                Ok(_) => done.current += 1,
                Err(error) => {
                    tracing::error!(model_id = %key.id, %error, "a model's key cannot be opened");
                    done.unreadable.push(key.id);
                }
            }
        }
    }
}
