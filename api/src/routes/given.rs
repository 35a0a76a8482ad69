//! Fields of a PATCH that are read as they are: left out, they stay; null is for those that can be
//! taken away.

use serde::{Deserialize, Deserializer};

/// What null takes away.
pub type Nullable<T> = Option<T>;

/// For `#[serde(default, deserialize_with = "given")]` on an `Option<T>`: None is only what was left out.
pub fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Patch {
        #[serde(default, deserialize_with = "given")]
        stays: Option<u8>,
        #[serde(default, deserialize_with = "given")]
        goes: Option<Nullable<u8>>,
    }

    #[test]
    fn null_is_not_left_out() {
        let read = |text: &str| serde_json::from_str::<Patch>(text).ok();
        assert_eq!(read("{}"), Some(Patch { stays: None, goes: None }));
        assert_eq!(read(r#"{"goes":null}"#), Some(Patch { stays: None, goes: Some(None) }));
        assert_eq!(read(r#"{"stays":1,"goes":2}"#), Some(Patch { stays: Some(1), goes: Some(Some(2)) }));
        assert_eq!(read(r#"{"stays":null}"#), None);
    }
}
