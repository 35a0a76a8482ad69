//! Small pieces that both dialects read and write.

use super::LlmError;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use shared::domain::text as rules;
use std::borrow::Cow;
use std::fmt;

/// A string of a JSON document, without a copy where it holds no escapes. (`Option<Cow<str>>`
/// always copies.)
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Text<'a>(pub Cow<'a, str>);

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E: Error>(self, s: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(s)))
            }
            fn visit_str<E: Error>(self, s: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(s.to_owned())))
            }
            fn visit_string<E: Error>(self, s: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(s)))
            }
        }
        deserializer.deserialize_str(Borrow)
    }
}

/// The text of an optional string; empty where there is none.
pub(super) fn text<'t>(field: Option<&'t Text<'_>>) -> &'t str {
    field.map_or("", Text::as_str)
}

/// A document that a strict parser refused, mended where half a surrogate pair was the cause.
pub(super) fn mended(data: &[u8], error: &serde_json::Error) -> Result<Vec<u8>, LlmError> {
    match rules::mend_surrogate_escapes(data) {
        Cow::Owned(mended) => Ok(mended),
        Cow::Borrowed(_) => Err(bad_chunk(error)),
    }
}

/// Where a document fails and how, without what it holds.
pub(super) fn bad_chunk(error: &serde_json::Error) -> LlmError {
    let kind = if error.is_data() { "unexpected form" } else { "not valid JSON" };
    LlmError::BadChunk { detail: format!("{kind} at column {}", error.column()) }
}

/// A tool's name as every provider accepts it in a conversation's history, where a model may have
/// made one up: `[a-zA-Z0-9_-]{1,64}`.
pub(super) fn safe_name(name: &str) -> Cow<'_, str> {
    safe(name, "unknown_tool", 64)
}

/// A call's id that another provider may have made, likewise.
pub(super) fn safe_id(id: &str) -> Cow<'_, str> {
    safe(id, "call", usize::MAX)
}

fn safe<'a>(text: &'a str, instead: &'static str, max: usize) -> Cow<'a, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.is_empty() {
        Cow::Borrowed(instead)
    } else if text.len() <= max && text.chars().all(fits) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().take(max).map(|c| if fits(c) { c } else { '_' }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrows_where_it_can() {
        let plain: Text<'_> = serde_json::from_str("\"中文\"").unwrap();
        assert!(matches!(plain.0, Cow::Borrowed("中文")));
        let escaped: Text<'_> = serde_json::from_str(r#""a\nb""#).unwrap();
        assert_eq!(escaped.as_str(), "a\nb");
    }

    #[test]
    fn names_and_ids_of_history_are_accepted_anywhere() {
        assert_eq!(safe_name("get_time"), "get_time");
        assert_eq!(safe_name("functions.get time"), "functions_get_time");
        assert_eq!(safe_name(""), "unknown_tool");
        assert_eq!(safe_name(&"x".repeat(99)).len(), 64);
        assert_eq!(safe_id("chatcmpl|1"), "chatcmpl_1");
    }
}
