//! What comes out of a socket, as one schema.

use crate::live::socket::commands::Answer;
use shared::domain::events::Envelope;
use utoipa::openapi::schema::OneOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What a socket tells a client: an event, or an answer to a frame. `type` tells which.
#[derive(Debug)]
pub(super) struct ServerFrame;

impl PartialSchema for ServerFrame {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .description(Some("What a socket tells a client: an event, or an answer to a frame."))
            .item(Ref::from_schema_name(Envelope::name()))
            .item(Ref::from_schema_name(Answer::name()))
            .into()
    }
}

impl ToSchema for ServerFrame {}
