//! The tool catalogue's rules: scenes, flags, effects, and which tools a run has.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Where a run executes; decides which abilities it may have at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// Starts other runs.
    pub delegates: bool,
    /// Asks a person.
    pub asks_user: bool,
    /// Writes memory that outlives the session.
    pub writes_memory: bool,
}

/// What repeating an interrupted call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// The names that a run has, in the catalogue's order: admitted by the scene, in every list that is
/// given, and not blocked.
pub fn resolve<'a>(catalogue: &[Trait<'a>], scene: Scene, by: Narrowing<'_>) -> Vec<&'a str> {
    let lists = [by.agent, by.parent, by.request]
        .into_iter()
        .flatten()
        .map(|l| l.iter().map(String::as_str).collect::<BTreeSet<_>>())
        .collect::<Vec<_>>();
    catalogue
        .iter()
        .filter(|t| scene.admits(t.flags))
        .filter(|t| lists.iter().all(|l| l.contains(t.name)))
        .filter(|t| !by.blocked.iter().any(|b| b == t.name))
        .map(|t| t.name)
        .collect()
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
