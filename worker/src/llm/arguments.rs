//! The argument text of a tool call: what it means, and how it goes back to a provider.

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use shared::domain::text;
use std::borrow::Cow;

/// Reads a call's arguments. Blank text and `null` are an empty object: that is how some providers
/// call a tool without parameters. Anything else that is not one JSON object is refused, with words
/// for the model; nothing is guessed.
pub fn parse_arguments(arguments: &str) -> Result<Map<String, Value>, String> {
    let trimmed = arguments.trim();
    if trimmed.is_empty() {
        return Ok(Map::new());
    }
    let mended = text::clean_json(trimmed.as_bytes());
    match serde_json::from_slice(&mended) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(other) => Err(format!("The arguments must be one JSON object, but they are {}.", kind_of(&other))),
        Err(error) => Err(format!("The arguments are not valid JSON: {error}.")),
    }
}

/// The arguments as one JSON object that every provider accepts in a conversation's history. What
/// was malformed stands in it as text: the model sees what it wrote, and the tool's result says what
/// was wrong with it.
pub(super) fn for_history(arguments: &str) -> Cow<'_, RawValue> {
    let trimmed = arguments.trim();
    if trimmed.starts_with('{') {
        match text::mend_surrogate_escapes(trimmed.as_bytes()) {
            Cow::Borrowed(_) => {
                if let Ok(raw) = serde_json::from_str::<&RawValue>(trimmed) {
                    return Cow::Borrowed(raw);
                }
            }
            Cow::Owned(mended) => {
                if let Ok(raw) = serde_json::from_slice::<Box<RawValue>>(&mended) {
                    return Cow::Owned(raw);
                }
            }
        }
    }
    let object = if trimmed.is_empty() || trimmed == "null" {
        Value::Object(Map::new())
    } else {
        serde_json::json!({ "malformed_arguments": trimmed })
    };
    serde_json::value::to_raw_value(&object).map_or(Cow::Borrowed(RawValue::NULL), Cow::Owned)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_and_null_are_no_arguments() {
        for text in ["", "  ", "\n", "null", " null ", "{}", "{ }"] {
            assert_eq!(parse_arguments(text), Ok(Map::new()), "{text:?}");
        }
    }

    #[test]
    fn an_object_is_kept_and_all_else_refused() {
        assert_eq!(parse_arguments(r#" {"a":"中"} "#).unwrap()["a"], "中");
        assert_eq!(parse_arguments(r#"{"a":"\ud83d"}"#).unwrap()["a"], "\u{FFFD}");
        for text in [
            r#"{"path": "a"#,
            r#"{"a":1}{"b":2}"#,
            "[1]",
            "\"x\"",
            "1",
            "true",
            "path=a",
            "{'a':1}",
            "{\"a\":1,}",
        ] {
            assert!(parse_arguments(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn history_always_holds_an_object() {
        let table = [
            (r#"{"a":1}"#, r#"{"a":1}"#),
            ("", "{}"),
            (" null", "{}"),
            (r#"{"a"#, r#"{"malformed_arguments":"{\"a"}"#),
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            ("[1]", r#"{"malformed_arguments":"[1]"}"#),
        ];
        for (given, expected) in table {
            assert_eq!(for_history(given).get(), expected);
        }
    }
}
