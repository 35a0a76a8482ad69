use super::fixture::*;
use crate::domain::agents::{AgentSpec, SubagentConfig};
use crate::domain::ids::{AgentId, ModelId};
use crate::domain::models::ModelLimits;
use crate::on_both;
use crate::store::models::ModelSpec;
use crate::store::{StoreError, agents, models};
use chrono::TimeDelta;

on_both!(a_model_comes_back_as_it_was_stored, |db| async {
    let at = now();
    let spec = ModelSpec {
        limits: ModelLimits {
            context_window: Some(u32::MAX),
            max_output_tokens: Some(1),
            max_concurrency: None,
            rpm: Some(2),
            tpm: Some(3),
            input_price: Some(0.1),
            output_price: None,
        },
        ..model_spec("m")
    };
    let model = models::insert(db, TENANT, &spec, at).await.unwrap();
    assert_eq!((model.name.as_str(), model.limits, model.create_time), ("m", spec.limits, at));
    assert_eq!(model.api_key_sealed.as_deref(), Some("sealed"));
    assert_eq!(models::find(db, TENANT, model.id).await.unwrap(), Some(model.clone()));
    assert_eq!(models::find(db, OTHER, model.id).await.unwrap(), None);
    assert_eq!(models::insert(db, TENANT, &spec, at).await, Err(StoreError::Conflict));
    models::insert(db, OTHER, &spec, at).await.unwrap();

    let later = at + TimeDelta::seconds(1);
    assert!(model.trusted_host);
    let changed =
        ModelSpec { base_url: None, trusted_host: false, limits: ModelLimits::default(), ..model_spec("n") };
    let updated = models::update(db, TENANT, model.id, &changed, later).await.unwrap().unwrap();
    assert_eq!((updated.name.as_str(), updated.base_url.as_deref()), ("n", None));
    assert!(!updated.trusted_host);
    assert_eq!((updated.create_time, updated.update_time), (at, later));
    assert_eq!(models::update(db, OTHER, model.id, &changed, later).await.unwrap(), None);
});

on_both!(a_model_in_use_stays, |db| async {
    let agent_id = agent(db, TENANT).await;
    let model_id = agents::find(db, TENANT, agent_id).await.unwrap().unwrap().spec.model_id;
    assert_eq!(models::delete(db, TENANT, model_id).await, Err(StoreError::Conflict));
    assert!(delete_agent(db, TENANT, agent_id).await);
    assert!(!models::delete(db, OTHER, model_id).await.unwrap());
    assert!(models::delete(db, TENANT, model_id).await.unwrap());
    assert!(!models::delete(db, TENANT, model_id).await.unwrap());
});

on_both!(an_agent_comes_back_as_it_was_stored, |db| async {
    let model = models::insert(db, TENANT, &model_spec("m"), now()).await.unwrap();
    let full = AgentSpec {
        description: "d".to_owned(),
        subagent_config: SubagentConfig {
            enabled: Some(false),
            max_concurrent: Some(2),
            allowed_preset_agent_ids: Some(vec![AgentId(1)]),
            allowed_tool_names: Some(vec![]),
        },
        max_wall_seconds: Some(60),
        budget_tokens: Some(u64::from(u32::MAX) + 1),
        budget_cost: Some(0.25),
        is_crew_master: true,
        icon: "🦊".to_owned(),
        published: false,
        starters: vec!["What is new?".to_owned(), "中文".to_owned()],
        ..agent_spec("A", model.id)
    };
    let bare = AgentSpec {
        tools: None,
        max_tool_rounds: None,
        temperature: None,
        subagent_config: SubagentConfig::default(),
        ..agent_spec("B", model.id)
    };
    let none = AgentSpec { tools: Some(Vec::new()), ..agent_spec("C", model.id) };
    for spec in [&full, &bare, &none] {
        let agent = agents::insert(db, TENANT, None, spec, now()).await.unwrap();
        assert_eq!((&agent.spec, agent.version), (spec, 1));
        assert_eq!(agents::find(db, TENANT, agent.id).await.unwrap(), Some(agent));
    }
    assert_eq!(agents::insert(db, TENANT, None, &full, now()).await, Err(StoreError::Conflict));
    let by_name = async |name| agents::find_by_name(db, TENANT, name).await.unwrap().map(|a| a.spec.name);
    assert_eq!(by_name("A").await.as_deref(), Some("A"));
    assert_eq!(by_name("a").await, None);
    assert_eq!(agents::find_by_name(db, OTHER, "A").await.unwrap(), None);
});

on_both!(an_agent_knows_its_model_and_its_last_run, |db| async {
    let id = agent(db, TENANT).await;
    let stored = async || agents::find(db, TENANT, id).await.unwrap().unwrap();
    let before = stored().await;
    assert_eq!((before.model_name.as_str(), before.last_run_time), ("m", None));
    let at = now();
    let noted = async |tenant, time| {
        agents::note_run(db, tenant, id, time).await.unwrap();
        stored().await.last_run_time
    };
    assert_eq!(noted(OTHER, at).await, None);
    assert_eq!(noted(TENANT, at).await, Some(at));
    assert_eq!(noted(TENANT, at + TimeDelta::seconds(59)).await, Some(at), "once a minute");
    let next = at + TimeDelta::seconds(60);
    assert_eq!(noted(TENANT, next).await, Some(next));
    assert_eq!(stored().await.version, before.version, "nobody changed it");
    let users = agents::of_model(db, TENANT, before.spec.model_id, 9).await.unwrap();
    assert_eq!(users.iter().map(|a| a.id).collect::<Vec<_>>(), [id]);
    assert_eq!(agents::of_model(db, OTHER, before.spec.model_id, 9).await.unwrap(), []);
});

on_both!(an_agent_needs_a_model_of_its_tenant, |db| async {
    let agent_id = agent(db, TENANT).await;
    let foreign = models::insert(db, OTHER, &model_spec("m"), now()).await.unwrap();
    for model_id in [foreign.id, ModelId(99)] {
        let spec = agent_spec("x", model_id);
        assert_eq!(agents::insert(db, TENANT, None, &spec, now()).await, Err(StoreError::Reference));
        let moved = agents::update(db, TENANT, agent_id, 1, &spec, now()).await;
        assert_eq!(moved, Err(StoreError::Reference));
    }
});

on_both!(of_two_changes_to_an_agent_the_second_is_refused, |db| async {
    let id = agent(db, TENANT).await;
    let model_id = agents::find(db, TENANT, id).await.unwrap().unwrap().spec.model_id;
    let first =
        agents::update(db, TENANT, id, 1, &agent_spec("first", model_id), now()).await.unwrap().unwrap();
    assert_eq!((first.version, first.spec.name.as_str()), (2, "first"));
    let second = agents::update(db, TENANT, id, 1, &agent_spec("second", model_id), now()).await;
    assert_eq!(second, Err(StoreError::Conflict));
    agents::insert(db, TENANT, None, &agent_spec("taken", model_id), now()).await.unwrap();
    let taken = agents::update(db, TENANT, id, 2, &agent_spec("taken", model_id), now()).await;
    assert_eq!(taken, Err(StoreError::Conflict));
    assert_eq!(agents::update(db, OTHER, id, 2, &agent_spec("x", model_id), now()).await.unwrap(), None);
    assert!(!delete_agent(db, OTHER, id).await);
});

on_both!(sealed_keys_are_replaced_where_nobody_gave_another, |db| async {
    let at = now();
    let bare = ModelSpec { api_key_sealed: None, ..model_spec("bare") };
    models::insert(db, TENANT, &bare, at).await.unwrap();
    let mine = models::insert(db, TENANT, &model_spec("mine"), at).await.unwrap();
    let theirs = models::insert(db, OTHER, &model_spec("theirs"), at).await.unwrap();
    let first = models::sealed_keys(db, None, 1).await.unwrap();
    assert_eq!((first.len(), first[0].id, first[0].tenant_id), (1, mine.id, TENANT));
    let rest = models::sealed_keys(db, Some(mine.id), 10).await.unwrap();
    assert_eq!((rest.len(), rest[0].id, rest[0].sealed.as_str()), (1, theirs.id, "sealed"));
    assert!(models::replace_sealed(db, &first[0], "anew").await.unwrap());
    assert!(!models::replace_sealed(db, &first[0], "too late").await.unwrap());
    let stored = models::find(db, TENANT, mine.id).await.unwrap().unwrap();
    assert_eq!((stored.api_key_sealed.as_deref(), stored.update_time), (Some("anew"), at));
});
