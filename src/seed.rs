//! What the first start puts into an empty database, so that the first minute needs nothing: the
//! demo model and an agent that uses it.

use shared::app::App;
use shared::domain::agents::AgentSpec;
use shared::domain::ids::TenantId;
use shared::domain::models::{ModelLimits, Provider};
use shared::store::models::ModelSpec;
use shared::store::{StoreError, agents, models};

/// Adds the demo where the tenant has neither model nor agent.
pub async fn seed(app: &App) -> Result<(), StoreError> {
    let (db, tenant, now) = (&app.db, TenantId::FIRST, app.clock.now());
    if !models::list(db, tenant, None, 1).await?.is_empty()
        || !agents::list(db, tenant, &agents::Filter::default(), None, 1).await?.is_empty()
    {
        return Ok(());
    }
    let demo = ModelSpec {
        name: "Demo model".into(),
        provider: Provider::Demo,
        model_name: "demo".into(),
        base_url: None,
        api_key_sealed: None,
        trusted_host: true,
        limits: ModelLimits::default(),
    };
    let model = match models::insert(db, tenant, &demo, now).await {
        Ok(model) => model,
        // Another process seeds at the same moment.
        Err(StoreError::Conflict) => return Ok(()),
        Err(error) => return Err(error),
    };
    let assistant = AgentSpec {
        description: "Answers with the built-in demo model, until you give it a real one.".into(),
        system_prompt: "You are a helpful assistant. Answer in the language of the user.".into(),
        ..AgentSpec::plain("Assistant", model.id)
    };
    match agents::insert(db, tenant, None, &assistant, now).await {
        Ok(_) | Err(StoreError::Conflict) => Ok(()),
        Err(error) => Err(error),
    }
}
