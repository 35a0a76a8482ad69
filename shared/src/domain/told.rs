//! The conversation as a caller tells it who keeps it itself. It stands with the user's message, and
//! the model is told it in place of the session's earlier messages; instructions alone go beside those.

use super::conversation::Entry;
use super::messages::Role;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What came before a message, as its sender tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Told {
    /// Instructions; they come after the agent's own prompt.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system: String,
    /// Oldest first, without the message that is to be answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<ToldMessage>,
}

/// One message of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToldMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said; of calls and results of the caller's own tools, their text.
    pub text: String,
}

/// Stands before a conversation that begins with the agent: models want the user to begin.
const BEGINNING: &str = "[The conversation begins with what you said.]";

impl Told {
    /// As turns, each beginning with the user; what cannot be sent (an empty text) is left out.
    pub fn turns(&self) -> Vec<Vec<Entry>> {
        let mut turns: Vec<Vec<Entry>> = Vec::new();
        for message in self.messages.iter().filter(|m| !m.text.trim().is_empty()) {
            let text = message.text.clone();
            match (message.role, turns.last_mut()) {
                (Role::User, _) => turns.push(vec![Entry::User { text }]),
                (Role::Assistant, Some(turn)) => turn.push(Entry::Assistant { text, calls: Vec::new() }),
                (Role::Assistant, None) => turns.push(vec![
                    Entry::User { text: BEGINNING.to_owned() },
                    Entry::Assistant { text, calls: Vec::new() },
                ]),
            }
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(messages: &[(Role, &str)]) -> Told {
        let messages = messages.iter().map(|(role, text)| ToldMessage { role: *role, text: (*text).into() });
        Told { system: String::new(), messages: messages.collect() }
    }

    #[test]
    fn each_turn_begins_with_the_user() {
        use Role::{Assistant, User};
        let user = |text: &str| Entry::User { text: text.into() };
        let answer = |text: &str| Entry::Assistant { text: text.into(), calls: vec![] };
        let table = [
            (vec![], vec![]),
            (vec![(User, "a"), (Assistant, "b")], vec![vec![user("a"), answer("b")]]),
            (vec![(User, "a"), (User, "b")], vec![vec![user("a")], vec![user("b")]]),
            (
                vec![(Assistant, "hi"), (User, "a")],
                vec![vec![user(BEGINNING), answer("hi")], vec![user("a")]],
            ),
            (
                vec![(User, "a"), (Assistant, " "), (Assistant, "b"), (Assistant, "c")],
                vec![vec![user("a"), answer("b"), answer("c")]],
            ),
        ];
        for (messages, expected) in table {
            assert_eq!(told(&messages).turns(), expected, "{messages:?}");
        }
    }
}
