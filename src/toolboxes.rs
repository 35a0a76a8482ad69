//! Shows over the API what tools a worker would give.

use api::{ShownTool, ShownTools, ToolInfo, Toolboxes};
use shared::domain::delegation::Delegation;
use shared::domain::tools::{Narrowing, Scene};
use worker::tools::Catalogue;

/// The workers' catalogue.
pub struct Shown(pub Catalogue);

impl Shown {
    /// The tools that agents may be given.
    pub fn list(&self) -> Vec<ToolInfo> {
        let tool =
            |t: &dyn worker::tools::Tool| ToolInfo::new(t.name(), t.description(), t.flags(), t.effect());
        self.0.tools().map(tool).collect()
    }
}

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shown")
    }
}

impl Toolboxes for Shown {
    fn show(&self, scene: Scene, by: Narrowing<'_>, delegation: Option<&Delegation>) -> ShownTools {
        let specs = self.0.toolbox(scene, by, delegation).specs();
        let tools = specs.into_iter().map(|spec| ShownTool {
            name: spec.name,
            description: spec.description,
            // The catalogue compiled it from a value: it is one.
            parameters: serde_json::from_str(spec.parameters.get()).unwrap_or_default(),
        });
        ShownTools { tools: tools.collect(), refused: self.0.refusals(scene, by, delegation) }
    }
}
