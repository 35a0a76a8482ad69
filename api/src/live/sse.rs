//! A turn's events as a response body (`text/event-stream`).

use super::follow::{Follower, Next};
use crate::auth::recheck::Recheck;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use shared::bus::Frame;
use shared::domain::events::Cursor;
use std::convert::Infallible;
use std::fmt::Write;
use std::time::Duration;

/// A comment is sent after so long a silence, so that no proxy cuts the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// Events that are ready leave together, up to about so many bytes.
const CHUNK_BYTES: usize = 16 * 1024;

/// The response that sends all that the follower gets, as long as its reader may have it.
pub fn response(follower: Follower, recheck: Recheck) -> Response {
    let gauge = crate::routes::observe::Open::new("neta_sse_streams");
    let stream = futures_util::stream::unfold(
        (follower, recheck, false, gauge),
        |(mut follower, mut recheck, over, gauge)| async move {
            if over || (recheck.is_due() && !recheck.holds().await) {
                return None;
            }
            let (chunk, over) = chunk(&mut follower).await;
            Some((Ok::<_, Infallible>(Bytes::from(chunk)), (follower, recheck, over, gauge)))
        },
    );
    let mut response = Response::new(Body::from_stream(stream));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx holds answers back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// What is sent next, and whether it is the last.
async fn chunk(follower: &mut Follower) -> (String, bool) {
    let mut chunk = String::new();
    match follower.next(KEEP_ALIVE).await {
        Next::Silence => (": \n\n".to_owned(), false),
        Next::End => (format!("retry: {}\n\n", super::reconnect_after_ms()), true),
        Next::Frame(frame) => {
            push(&mut chunk, &frame);
            while chunk.len() < CHUNK_BYTES
                && let Some(frame) = follower.try_next()
            {
                push(&mut chunk, &frame);
            }
            (chunk, false)
        }
    }
}

fn push(chunk: &mut String, frame: &Frame) {
    // Writing to a String cannot fail. The JSON holds no line break. A reader comes back with its
    // place in the turn's own stream: an event of a subagent's does not move it.
    if frame.subagent.is_none() {
        let _ = writeln!(chunk, "id: {}-{}", frame.epoch, frame.seq);
    }
    let _ = write!(chunk, "data: {}\n\n", frame.json);
}

/// Reads the value of `Last-Event-ID`: `<epoch>-<seq>`.
pub fn cursor(id: &str) -> Option<Cursor> {
    let (epoch, seq) = id.split_once('-')?;
    Some(Cursor { epoch: epoch.parse().ok()?, seq: seq.parse().ok()? })
}
