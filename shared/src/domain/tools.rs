//! The tool catalogue's rules: scenes, flags, effects, and which tools a run has.

use super::delegation::Delegation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a run executes; decides which abilities it may have at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scene {
    /// A chat agent with delegation enabled.
    Supervisor,
    /// A chat agent without.
    Plain,
    /// A delegated child of a chat run.
    Subagent,
    /// A crew's master.
    CrewMaster,
    /// A crew's member.
    CrewMember,
}

/// What a tool can do besides its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Flags {
    /// Starts other runs.
    pub delegates: bool,
    /// Asks a person.
    pub asks_user: bool,
    /// Writes memory that outlives the session.
    pub writes_memory: bool,
}

/// What repeating an interrupted call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing outside: repeated.
    Pure,
    /// The same as calling once, under the same key: repeated with that key.
    Idempotent,
    /// Possibly harm: never repeated.
    Effectful,
}

/// What the resolver knows of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Trait<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its flags.
    pub flags: Flags,
}

impl Scene {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Supervisor, Self::Plain, Self::Subagent, Self::CrewMaster, Self::CrewMember];

    /// Whether the scene admits a tool with these flags. Asked when the tools are resolved and once
    /// more before each execution.
    pub fn admits(self, flags: Flags) -> bool {
        match self {
            Self::Supervisor | Self::CrewMaster => true,
            Self::Plain => !flags.delegates,
            Self::Subagent | Self::CrewMember => !flags.delegates && !flags.asks_user && !flags.writes_memory,
        }
    }
}

/// What narrows the tools of a run. None inherits (all that the scene admits), an empty list is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Narrowing<'a> {
    /// The agent's own list.
    pub agent: Option<&'a [String]>,
    /// What the parent allows its subagents.
    pub parent: Option<&'a [String]>,
    /// What the delegating call names.
    pub request: Option<&'a [String]>,
    /// Never, whatever the others say.
    pub blocked: &'a [String],
}

/// Why a run does not have a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The scene never has tools of this kind.
    Scene,
    /// The agent may not delegate.
    DelegationOff,
    /// Blocked for subagents.
    Blocked,
    /// The agent does not list it.
    NotListed,
    /// The parent does not allow it.
    NotAllowed,
    /// The delegating call does not name it.
    NotRequested,
}

/// Why a run does not have a tool; None: it has it.
pub fn refusal(tool: Trait<'_>, scene: Scene, by: Narrowing<'_>) -> Option<Refusal> {
    if !scene.admits(tool.flags) {
        return Some(Refusal::Scene);
    }
    if by.blocked.iter().any(|b| b == tool.name) {
        return Some(Refusal::Blocked);
    }
    let lacks = |list: Option<&[String]>| list.is_some_and(|l| !l.iter().any(|n| n == tool.name));
    [(by.agent, Refusal::NotListed), (by.parent, Refusal::NotAllowed), (by.request, Refusal::NotRequested)]
        .into_iter()
        .find_map(|(list, refusal)| lacks(list).then_some(refusal))
}

/// The names that a run has, in the catalogue's order: admitted by the scene, in every list that is
/// given, and not blocked.
pub fn resolve<'a>(catalogue: &[Trait<'a>], scene: Scene, by: Narrowing<'_>) -> Vec<&'a str> {
    catalogue.iter().filter(|t| refusal(**t, scene, by).is_none()).map(|t| t.name).collect()
}

/// The names that a subagent has: those of the scene, as far as its definition lists them (the
/// preset's own list, or the supervisor's for a copy), the supervisor allows them and the task names
/// them, without the blocked ones.
pub fn child_tools<'a>(
    catalogue: &[Trait<'a>],
    definition: Option<&[String]>,
    delegation: &Delegation,
    task: Option<&[String]>,
) -> Vec<&'a str> {
    let by = Narrowing {
        agent: definition,
        parent: delegation.allowed_tool_names.as_deref(),
        request: task,
        blocked: &delegation.blocked_tool_names,
    };
    resolve(catalogue, Scene::Subagent, by)
}

/// The most characters of an error that a tool's result tells the model.
pub const MAX_ERROR_CHARS: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Flags = Flags { delegates: false, asks_user: false, writes_memory: false };
    const DELEGATES: Flags = Flags { delegates: true, ..PLAIN };
    const ASKS: Flags = Flags { asks_user: true, ..PLAIN };
    const REMEMBERS: Flags = Flags { writes_memory: true, ..PLAIN };

    /// Null inherits, an empty list is none, blocked wins, and no list brings back what the scene
    /// refuses.
    #[test]
    fn a_subagent_has_what_every_list_has_and_the_scene_admits() {
        let names = |l: &[&str]| l.iter().map(ToString::to_string).collect::<Vec<_>>();
        let catalogue = [
            Trait { name: "get_time", flags: PLAIN },
            Trait { name: "todo_write", flags: PLAIN },
            Trait { name: "helper", flags: DELEGATES },
            Trait { name: "clarify", flags: ASKS },
        ];
        let everything = names(&["get_time", "todo_write", "helper", "clarify"]);
        let (time, todo, none) = (names(&["get_time"]), names(&["todo_write"]), names(&[]));
        let both = vec!["get_time", "todo_write"];
        // Definition, supervisor, task, blocked: what it has.
        let table = [
            (None, None, None, &none, both.clone()),
            (Some(&everything), Some(&everything), Some(&everything), &none, both.clone()),
            (Some(&time), None, None, &none, vec!["get_time"]),
            (None, Some(&time), None, &none, vec!["get_time"]),
            (None, None, Some(&time), &none, vec!["get_time"]),
            (Some(&time), Some(&todo), None, &none, vec![]),
            (Some(&none), None, Some(&time), &none, vec![]),
            (None, Some(&none), None, &none, vec![]),
            (None, None, Some(&none), &none, vec![]),
            (Some(&everything), Some(&everything), Some(&time), &time, vec![]),
            (None, None, None, &todo, vec!["get_time"]),
        ];
        for (definition, parent, task, blocked, expected) in table {
            let delegation = Delegation {
                allowed_tool_names: parent.cloned(),
                blocked_tool_names: blocked.clone(),
                ..Delegation::default()
            };
            let has =
                child_tools(&catalogue, definition.map(Vec::as_slice), &delegation, task.map(Vec::as_slice));
            assert_eq!(has, expected, "{definition:?} {parent:?} {task:?} {blocked:?}");
        }
    }

    fn catalogue() -> [Trait<'static>; 4] {
        [
            Trait { name: "get_time", flags: PLAIN },
            // Under a harmless name, as an untrusted server might bring it.
            Trait { name: "helper", flags: DELEGATES },
            Trait { name: "clarify", flags: ASKS },
            Trait { name: "memory_save", flags: REMEMBERS },
        ]
    }

    #[test]
    fn a_scene_admits_by_flag_and_not_by_name() {
        let table = [
            (Scene::Supervisor, vec!["get_time", "helper", "clarify", "memory_save"]),
            (Scene::Plain, vec!["get_time", "clarify", "memory_save"]),
            (Scene::Subagent, vec!["get_time"]),
            (Scene::CrewMaster, vec!["get_time", "helper", "clarify", "memory_save"]),
            (Scene::CrewMember, vec!["get_time"]),
        ];
        for (scene, expected) in table {
            assert_eq!(resolve(&catalogue(), scene, Narrowing::default()), expected, "{scene:?}");
        }
    }

    #[test]
    fn lists_intersect_and_blocked_wins() {
        let names = |l: &[&str]| l.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (agent, parent, empty) =
            (names(&["get_time", "helper"]), names(&["get_time", "clarify"]), names(&[]));
        let by = |agent, parent, request, blocked| Narrowing { agent, parent, request, blocked };
        let resolve = |by| resolve(&catalogue(), Scene::Supervisor, by);
        assert_eq!(resolve(by(Some(&agent), Some(&parent), None, &[])), ["get_time"]);
        assert_eq!(resolve(by(Some(&agent), None, Some(&empty), &[])), Vec::<&str>::new());
        assert_eq!(resolve(by(Some(&agent), None, None, &parent)), ["helper"]);
    }
}
