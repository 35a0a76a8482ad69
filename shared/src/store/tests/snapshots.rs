use super::fixture::*;
use crate::domain::agents::{AgentSpec, SubagentConfig};
use crate::domain::delegation::{Budget, GlobalDelegation, MAX_PRESETS};
use crate::domain::ids::AgentId;
use crate::domain::runs::Snapshot;
use crate::on_both;
use crate::store::snapshots::{self, Defaults};
use crate::store::{Db, agents};

fn defaults() -> Defaults {
    Defaults { delegation: GlobalDelegation::default(), budget: Budget::default() }
}

async fn resolved(db: &Db, id: AgentId, defaults: &Defaults) -> Snapshot {
    snapshots::resolve(db, TENANT, id, defaults).await.unwrap().unwrap().0
}

on_both!(a_supervisor_may_call_whom_its_definition_allows, |db| async {
    let itself = agent(db, TENANT).await;
    let stored = agents::find(db, TENANT, itself).await.unwrap().unwrap();
    let model_id = stored.spec.model_id;
    let foreign = agent(db, OTHER).await;
    let named = async |name: &str| {
        let spec = AgentSpec { description: "中".repeat(300), ..agent_spec(name, model_id) };
        agents::insert(db, TENANT, None, &spec, now()).await.unwrap().id
    };
    let (first, second) = (named("first").await, named("second").await);
    let mut version = stored.version;
    let table = [
        (None, vec![first, second]),
        (Some(vec![]), vec![]),
        (Some(vec![second, foreign, AgentId(987_654)]), vec![second]),
        (Some(vec![itself, first]), vec![itself, first]),
    ];
    for (allowed, expected) in table {
        let config = SubagentConfig {
            enabled: Some(true),
            allowed_preset_agent_ids: allowed.clone(),
            ..SubagentConfig::default()
        };
        let spec = AgentSpec { subagent_config: config, ..agent_spec("supervisor", model_id) };
        version = agents::update(db, TENANT, itself, version, &spec, now()).await.unwrap().unwrap().version;
        let delegation = resolved(db, itself, &defaults()).await.delegation.unwrap();
        let ids: Vec<AgentId> = delegation.presets.iter().map(|p| p.id).collect();
        assert_eq!(ids, expected, "{allowed:?}");
        assert_eq!((delegation.max_concurrent, delegation.max_tasks, delegation.max_children), (3, 16, 64));
        for preset in delegation.presets.iter().filter(|p| p.id != itself) {
            assert_eq!(preset.description.chars().count(), 200, "cut by characters");
        }
    }
});

on_both!(what_is_not_published_is_called_by_nobody, |db| async {
    let itself = agent(db, TENANT).await;
    let model_id = agents::find(db, TENANT, itself).await.unwrap().unwrap().spec.model_id;
    let draft = AgentSpec { published: false, ..agent_spec("draft", model_id) };
    let id = agents::insert(db, TENANT, None, &draft, now()).await.unwrap().id;
    for allowed in [None, Some([id].as_slice())] {
        let presets = snapshots::allowed_presets(db, TENANT, Some(itself), allowed).await.unwrap();
        assert_eq!(presets, [], "{allowed:?}");
    }
});

on_both!(of_very_many_agents_only_some_are_told, |db| async {
    let itself = agent(db, TENANT).await;
    let model_id = agents::find(db, TENANT, itself).await.unwrap().unwrap().spec.model_id;
    let mut ids = Vec::new();
    for n in 0..MAX_PRESETS + 2 {
        let spec = agent_spec(&format!("n{n}"), model_id);
        ids.push(agents::insert(db, TENANT, None, &spec, now()).await.unwrap().id);
    }
    let listed = snapshots::allowed_presets(db, TENANT, Some(itself), Some(&ids)).await.unwrap();
    let all = snapshots::allowed_presets(db, TENANT, Some(itself), None).await.unwrap();
    assert_eq!((listed.len(), all.len()), (50, 50));
});

on_both!(what_an_agent_does_not_say_is_the_default, |db| async {
    let id = agent(db, TENANT).await;
    let stored = agents::find(db, TENANT, id).await.unwrap().unwrap();
    let silent = AgentSpec { subagent_config: SubagentConfig::default(), ..stored.spec };
    agents::update(db, TENANT, id, 1, &silent, now()).await.unwrap().unwrap();
    let off = Defaults {
        delegation: GlobalDelegation { enabled: Some(false), ..GlobalDelegation::default() },
        budget: Budget { max_tokens: Some(1_000), max_cost: Some(2.0) },
    };
    let snapshot = resolved(db, id, &off).await;
    assert_eq!((snapshot.delegation, snapshot.budget), (None, off.budget));
    let spec = AgentSpec { budget_tokens: Some(7), ..silent };
    agents::update(db, TENANT, id, 2, &spec, now()).await.unwrap().unwrap();
    let snapshot = resolved(db, id, &off).await;
    assert_eq!(snapshot.budget, Budget { max_tokens: Some(7), max_cost: Some(2.0) });
});
