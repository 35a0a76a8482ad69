//! What every operation may refuse, written into the document for all of them in one place: the layers
//! around the routes and what handlers take from a request refuse alike everywhere.

use crate::error::ApiError;
use crate::openai::error::of_api;
use serde_json::Value;
use shared::domain::permissions::Permission;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{Content, OpenApi as Document, Ref, RefOr, Response, Schema};

/// A refusal with what it means.
struct Refusal {
    error: ApiError,
    means: &'static str,
}

fn refusal(error: ApiError, means: &'static str) -> Refusal {
    Refusal { error, means }
}

/// Completes every operation: its refusals with their form and an example each.
pub(super) fn complete(document: &mut Document) {
    for (path, item) in &mut document.paths.paths {
        let speaks_openai = path.starts_with("/v1/");
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
            &mut item.options,
            &mut item.head,
            &mut item.patch,
            &mut item.trace,
        ];
        for operation in operations.into_iter().flatten() {
            for refusal in refusals(operation) {
                add(operation, &refusal, speaks_openai);
            }
            for refusal in more(operation) {
                add(operation, &refusal, speaks_openai);
            }
            give_form(operation, speaks_openai);
            operation.operation_id = operation.operation_id.as_deref().map(|name| unique_id(path, name));
        }
    }
}

/// The name of an operation for generated clients: its path without what stands in braces, and the
/// handler's own name, which by itself is that of many.
fn unique_id(path: &str, name: &str) -> String {
    let words = path.split('/').filter(|part| !part.is_empty() && *part != "api" && !part.starts_with('{'));
    words.chain([name]).map(|word| word.replace('-', "_")).collect::<Vec<_>>().join("_")
}

/// What can be refused, by what the operation takes.
fn refusals(operation: &Operation) -> Vec<Refusal> {
    let parameters = || {
        let all = operation.parameters.iter().flatten();
        all.filter_map(|p| if let RefOr::T(parameter) = p { Some(&parameter.parameter_in) } else { None })
    };
    let named = parameters().any(|p| *p == ParameterIn::Path);
    let asked = parameters().any(|p| *p != ParameterIn::Path);
    let told = operation.request_body.is_some();
    let is_public = operation
        .security
        .as_ref()
        .is_some_and(|all| serde_json::to_value(all).is_ok_and(|value| value == serde_json::json!([{}])));
    let mut refusals = Vec::new();
    if asked || told {
        let error = ApiError::invalid("limit", "must be 1 to 200");
        refusals.push(refusal(error, "Something can't be used: `field` names it"));
    }
    if !is_public {
        refusals.push(refusal(ApiError::Unauthorized, "No credential, or one that stands for nobody"));
    }
    let forbidden =
        if is_public { ApiError::ForbiddenHost } else { ApiError::Forbidden(Permission::AgentEdit) };
    refusals.push(refusal(forbidden, "Not allowed"));
    if named {
        refusals.push(refusal(ApiError::NotFound("agent"), "There is no such thing, or it may not be seen"));
    }
    if told {
        refusals.push(refusal(ApiError::BodyTimeout, "The body did not arrive in time"));
        refusals.push(refusal(ApiError::TooLarge { limit: 1 << 20 }, "The body is too large"));
        refusals.push(refusal(ApiError::UnsupportedMediaType, "The body is not JSON"));
    }
    let limited = ApiError::RateLimited { policy: "key", retry_after_seconds: 3 };
    refusals.push(refusal(limited, "Too many requests: `Retry-After` says when to come again"));
    refusals.push(refusal(ApiError::Internal(String::new()), "A fault of the server; its log has the cause"));
    refusals.push(refusal(
        ApiError::Unavailable(String::new()),
        "A service that is needed is away: see `Retry-After`",
    ));
    refusals
}

/// What single operations refuse besides, as far as they say so.
fn more(operation: &Operation) -> Vec<Refusal> {
    let taken = ApiError::Conflict("an agent of this name exists, or the agent changed meanwhile".to_owned());
    let all = [
        refusal(taken, "It does not fit what there is"),
        refusal(ApiError::NotFound("agent"), "There is no such thing, or it may not be seen"),
        refusal(ApiError::invalid("limit", "must be 1 to 200"), "Something can't be used: `field` names it"),
        refusal(ApiError::LoginFailed, "Not logged in"),
        refusal(ApiError::SetupDone, "It is done already"),
    ];
    let told = |r: &Refusal| operation.responses.responses.contains_key(r.error.status().as_str());
    all.into_iter().filter(told).collect()
}

fn add(operation: &mut Operation, refusal: &Refusal, speaks_openai: bool) {
    let status = refusal.error.status().as_u16().to_string();
    let known = operation.responses.responses.entry(status);
    let response = known.or_insert_with(|| RefOr::T(Response::new(refusal.means)));
    let RefOr::T(response) = response else { return };
    if response.content.is_empty() {
        let (kind, schema) = form(speaks_openai);
        response.content.insert(kind.to_owned(), RefOr::T(Content::new(Some(schema))));
    }
    for content in response.content.values_mut() {
        if let RefOr::T(content) = content
            && content.example.is_none()
            && content.examples.is_empty()
            && is_error(content)
        {
            content.example = Some(example(&refusal.error, speaks_openai));
        }
    }
}

/// Refusals have a media type of their own.
fn give_form(operation: &mut Operation, speaks_openai: bool) {
    let (kind, _) = form(speaks_openai);
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        let is_problem = |c: &RefOr<Content>| matches!(c, RefOr::T(content) if is_error(content));
        if response.content.get("application/json").is_some_and(is_problem)
            && let Some(content) = response.content.shift_remove("application/json")
        {
            response.content.insert(kind.to_owned(), content);
        }
    }
}

fn form(speaks_openai: bool) -> (&'static str, RefOr<Schema>) {
    let (kind, name) = if speaks_openai {
        ("application/json", "ErrorBody")
    } else {
        ("application/problem+json", "Problem")
    };
    (kind, RefOr::Ref(Ref::from_schema_name(name)))
}

fn is_error(content: &Content) -> bool {
    matches!(&content.schema, Some(RefOr::Ref(r)) if r.ref_location.ends_with("/Problem") || r.ref_location.ends_with("/ErrorBody"))
}

fn example(error: &ApiError, speaks_openai: bool) -> Value {
    // Strings and numbers only: this cannot fail.
    let value = if speaks_openai {
        serde_json::to_value(of_api(error).1)
    } else {
        serde_json::to_value(error.problem())
    };
    value.unwrap_or_default()
}
