//! PATCH bodies: what is given replaces what is stored (RFC 7396); null takes a value away.

use crate::error::ApiError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The body of a PATCH.
pub type Patch = Map<String, Value>;

/// The stored object with the patch on it.
pub fn merged<S: Serialize, T: DeserializeOwned>(stored: &S, patch: &Patch) -> Result<T, ApiError> {
    let mut value = serde_json::to_value(stored).map_err(|e| ApiError::Internal(e.to_string()))?;
    let Value::Object(object) = &mut value else {
        return Err(ApiError::Internal("the stored object is none".to_owned()));
    };
    apply(object, patch);
    serde_path_to_error::deserialize(value).map_err(|e| {
        let field = e.path().to_string();
        let message = e.into_inner().to_string();
        ApiError::invalid(crate::extract::field_of(&field, &message), message)
    })
}

fn apply(object: &mut Map<String, Value>, patch: &Patch) {
    for (key, new) in patch {
        match (new, object.get_mut(key)) {
            (Value::Null, _) => {
                object.remove(key);
            }
            (Value::Object(inner), Some(Value::Object(known))) => apply(known, inner),
            (new, _) => {
                object.insert(key.clone(), new.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn patches_as_in_the_standards_examples() {
        // RFC 7396, appendix A, as far as objects go.
        let table = [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
            (json!({"a":"b"}), json!({"a":null}), json!({})),
            (json!({"a":"b","b":"c"}), json!({"a":null}), json!({"b":"c"})),
            (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
            (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
        ];
        for (stored, patch, expected) in table {
            let Value::Object(patch) = patch else { panic!("a patch is an object") };
            assert_eq!(merged::<_, Value>(&stored, &patch), Ok(expected));
        }
    }
}
