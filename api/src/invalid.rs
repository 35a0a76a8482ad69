//! Everything that is wrong with what somebody sent, so that they see all of it at once.

use crate::error::ApiError;
use serde::Serialize;
use utoipa::ToSchema;

/// A value that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Which: a path as `tools[3]`, a query parameter, or a header.
    pub field: String,
    /// What is wrong with it.
    pub detail: String,
}

/// Gathers refusals of values.
#[derive(Debug, Default)]
pub struct Invalid(Vec<FieldError>);

impl Invalid {
    /// Remembers a refused value; every other refusal ends the gathering.
    pub fn take<T>(&mut self, checked: Result<T, ApiError>) -> Result<Option<T>, ApiError> {
        match checked {
            Ok(value) => Ok(Some(value)),
            Err(ApiError::Invalid(errors)) => {
                self.0.extend(errors);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    /// One more value that can't be used, unless it holds.
    pub fn demand(&mut self, holds: bool, field: &str, detail: impl Into<String>) {
        if !holds {
            self.0.push(FieldError { field: field.to_owned(), detail: detail.into() });
        }
    }

    /// All that was refused.
    pub fn end(self) -> Result<(), ApiError> {
        if self.0.is_empty() { Ok(()) } else { Err(ApiError::Invalid(self.0)) }
    }
}
