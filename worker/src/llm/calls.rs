//! Tool calls put together from the pieces that servers send, which differ more than they should.

use super::error::LlmError;
use serde::de::IgnoredAny;
use shared::domain::conversation::ToolCall;
use shared::domain::text;
use std::collections::HashSet;

/// The most calls of one response.
pub const MAX_CALLS: usize = 128;
/// The most bytes of all ids, names and arguments of one response.
pub const MAX_CALL_BYTES: usize = 1024 * 1024;

/// One piece. Empty text is the same as none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Piece<'a> {
    pub index: Option<i64>,
    pub id: &'a str,
    pub name: &'a str,
    pub arguments: &'a str,
}

#[derive(Debug, Default)]
struct Open {
    index: Option<i64>,
    call: Parts,
}

#[derive(Debug, Default)]
struct Parts {
    id: String,
    name: String,
    arguments: String,
}

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    open: Vec<Open>,
    bytes: usize,
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes one piece: it belongs to the call with its index, else with its id, else to the last.
    pub fn take(&mut self, piece: Piece<'_>) -> Result<(), LlmError> {
        self.bytes += piece.id.len() + piece.name.len() + piece.arguments.len();
        if self.bytes > MAX_CALL_BYTES {
            return Err(LlmError::TooLarge { what: "1 MiB of tool calls" });
        }
        if piece.index.is_some_and(|i| !(0..MAX_CALLS as i64).contains(&i)) {
            return Err(LlmError::BadChunk { detail: "a tool call's index is out of range".to_owned() });
        }
        let at = match self.find(&piece) {
            Some(at) => at,
            None if self.open.len() == MAX_CALLS => {
                return Err(LlmError::TooLarge { what: "128 tool calls" });
            }
            None => {
                self.open.push(Open { index: piece.index, call: Parts::default() });
                self.open.len() - 1
            }
        };
        let Some(Open { call, .. }) = self.open.get_mut(at) else { return Ok(()) };
        if call.id.is_empty() {
            call.id.push_str(piece.id);
        }
        if call.name != piece.name {
            call.name.push_str(piece.name);
        }
        call.arguments.push_str(piece.arguments);
        Ok(())
    }

    /// Which call a piece goes on with; None: it begins one.
    fn find(&self, piece: &Piece<'_>) -> Option<usize> {
        let with_id = || self.open.iter().rposition(|o| o.call.id == piece.id);
        let at = match (piece.index, piece.id) {
            (Some(index), id) => {
                let at = self.open.iter().rposition(|o| o.index == Some(index))?;
                let known = &self.open.get(at)?.call.id;
                if !id.is_empty() && !known.is_empty() && known != id {
                    // Several calls under one index, told apart by their ids.
                    return with_id();
                }
                at
            }
            (None, "") => self.open.len().checked_sub(1)?,
            (None, _) => return with_id(),
        };
        let call = &self.open.get(at)?.call;
        let begins_anew = piece.id.is_empty()
            && !piece.name.is_empty()
            && !call.name.is_empty()
            && if piece.index.is_some() {
                // A whole call under an index that already has one.
                !piece.arguments.is_empty() && is_complete(&call.arguments)
            } else {
                call.name != piece.name || call.arguments.is_empty() || is_complete(&call.arguments)
            };
        (!begins_anew).then_some(at)
    }

    /// The calls, each with an id of its own.
    pub fn finish(self) -> Vec<ToolCall> {
        let mut taken = HashSet::new();
        self.open
            .into_iter()
            .map(|open| {
                let Parts { id, name, arguments } = open.call;
                let id = if id.is_empty() || !taken.insert(id.clone()) { made_id() } else { id };
                ToolCall {
                    id: text::clean_owned(id),
                    name: text::clean_owned(name),
                    arguments: text::clean_owned(arguments),
                }
            })
            .collect()
    }
}

fn is_complete(arguments: &str) -> bool {
    arguments.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(arguments).is_ok()
}

/// Random, so that it differs from those of the conversation's earlier calls too.
fn made_id() -> String {
    format!("call_{:024x}", rand::random::<u128>() >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece<'a>(index: Option<i64>, id: &'a str, name: &'a str, arguments: &'a str) -> Piece<'a> {
        Piece { index, id, name, arguments }
    }

    fn assemble(pieces: &[Piece<'_>]) -> Vec<(String, String, String)> {
        let mut calls = Calls::default();
        for piece in pieces {
            calls.take(*piece).unwrap();
        }
        calls.finish().into_iter().map(|c| (c.id, c.name, c.arguments)).collect()
    }

    fn owned(list: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
        list.iter().map(|(a, b, c)| ((*a).into(), (*b).into(), (*c).into())).collect()
    }

    #[test]
    fn pieces_find_their_call() {
        let a_and_b = owned(&[("a", "f", r#"{"a":1}"#), ("b", "g", r#"{"b":2}"#)]);
        let table: [(&str, Vec<Piece<'_>>); 7] = [
            (
                "by index, interleaved",
                vec![
                    piece(Some(0), "a", "f", ""),
                    piece(Some(1), "b", "g", ""),
                    piece(Some(0), "", "", r#"{"a""#),
                    piece(Some(1), "", "", r#"{"b":2}"#),
                    piece(Some(0), "", "", ":1}"),
                ],
            ),
            (
                "both under index 0 with different ids",
                vec![piece(Some(0), "a", "f", r#"{"a":1}"#), piece(Some(0), "b", "g", r#"{"b":2}"#)],
            ),
            (
                "both under index 0, in pieces, ids only at the start",
                vec![
                    piece(Some(0), "a", "f", ""),
                    piece(Some(0), "", "", r#"{"a":1}"#),
                    piece(Some(0), "b", "g", ""),
                    piece(Some(0), "", "", r#"{"b":2}"#),
                ],
            ),
            (
                "both under index 0, interleaved by id",
                vec![
                    piece(Some(0), "a", "f", ""),
                    piece(Some(0), "b", "g", r#"{"b":"#),
                    piece(Some(0), "a", "", r#"{"a":1}"#),
                    piece(Some(0), "b", "", "2}"),
                ],
            ),
            (
                "by id without an index",
                vec![
                    piece(None, "a", "f", ""),
                    piece(None, "b", "g", r#"{"b":2}"#),
                    piece(None, "a", "", r#"{"a":1}"#),
                ],
            ),
            (
                "without either, to the last",
                vec![
                    piece(None, "a", "f", r#"{"a""#),
                    piece(None, "", "", ":1}"),
                    piece(None, "b", "g", r#"{"b":2}"#),
                ],
            ),
            (
                "repeated ids and names",
                vec![
                    piece(Some(0), "a", "f", r#"{"a""#),
                    piece(Some(0), "a", "f", ":1}"),
                    piece(Some(0), "a", "f", ""),
                    piece(Some(1), "b", "g", r#"{"b":2}"#),
                    piece(Some(1), "", "", ""),
                ],
            ),
        ];
        for (case, pieces) in table {
            assert_eq!(assemble(&pieces), a_and_b, "{case}");
        }
    }

    #[test]
    fn missing_and_doubled_ids_are_made() {
        let calls = assemble(&[
            piece(None, "", "f", r#"{"a":1}"#),
            piece(None, "", "g", r#"{"b":2}"#),
            piece(None, "", "g", r#"{"b":2}"#),
            piece(Some(4), "same", "h", "{}"),
            piece(Some(5), "same", "h", "{}"),
        ]);
        let names = calls.iter().map(|c| (c.1.as_str(), c.2.as_str())).collect::<Vec<_>>();
        assert_eq!(
            names,
            [("f", r#"{"a":1}"#), ("g", r#"{"b":2}"#), ("g", r#"{"b":2}"#), ("h", "{}"), ("h", "{}")]
        );
        let ids = calls.iter().map(|c| c.0.as_str()).collect::<HashSet<_>>();
        assert_eq!(ids.len(), 5);
        assert!(ids.iter().all(|id| id.len() >= 4));
    }

    #[test]
    fn whole_calls_under_one_index_without_ids_stay_apart() {
        let calls = assemble(&[piece(Some(0), "", "f", r#"{"a":1}"#), piece(Some(0), "", "f", r#"{"b":2}"#)]);
        assert_eq!(calls.iter().map(|c| c.2.as_str()).collect::<Vec<_>>(), [r#"{"a":1}"#, r#"{"b":2}"#]);
    }

    #[test]
    fn an_empty_name_is_kept_for_the_tools_to_refuse() {
        assert_eq!(assemble(&[piece(Some(0), "a", "", "{}")]), owned(&[("a", "", "{}")]));
    }

    #[test]
    fn index_number_and_bytes_are_capped() {
        let mut calls = Calls::default();
        assert!(matches!(calls.take(piece(Some(128), "a", "f", "")), Err(LlmError::BadChunk { .. })));
        assert!(matches!(calls.take(piece(Some(-1), "a", "f", "")), Err(LlmError::BadChunk { .. })));
        let part = "x".repeat(MAX_CALL_BYTES / 2);
        calls.take(piece(Some(0), "a", "f", &part)).unwrap();
        assert!(matches!(calls.take(piece(Some(0), "", "", &part)), Err(LlmError::TooLarge { .. })));
        let mut calls = Calls::default();
        for n in 0..MAX_CALLS {
            calls.take(piece(None, &n.to_string(), "f", "")).unwrap();
        }
        assert!(matches!(calls.take(piece(None, "one more", "f", "")), Err(LlmError::TooLarge { .. })));
    }
}
