//! The listener: HTTP/1.1 connections with limits, and an orderly end.

use crate::client::PeerAddress;
use crate::routes;
use crate::state::ApiState;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// How long the head of a request may take, and a connection without one may stay.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
const HEAD_BYTES: usize = 32 * 1024;
/// Connections at the same time; one more is answered 503.
const MAX_CONNECTIONS: usize = 20_000;
/// How long requests and sockets may take to end at shutdown.
const GRACE: Duration = Duration::from_secs(10);
/// Pause after the system refused a connection, as when it has no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 2\r\n\
                      connection: close\r\n\r\n";

/// Answers connections until the state's shutdown; then takes no more, tells sockets to come again,
/// lets requests end within a grace time, and returns.
pub async fn serve(listener: TcpListener, state: ApiState) -> io::Result<()> {
    let shutdown = state.live.shutdown().clone();
    let served = serve_router(listener, routes::router(state.clone()), &shutdown).await;
    state.live.tasks().close();
    if tokio::time::timeout(GRACE, state.live.tasks().wait()).await.is_err() {
        tracing::warn!("live readers were cut at shutdown");
    }
    served
}

/// Answers connections until shutdown is asked; then lets them end within a grace time.
pub async fn serve_router(
    listener: TcpListener,
    router: axum::Router,
    shutdown: &CancellationToken,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = TaskTracker::new();
    while let Some(accepted) = shutdown.run_until_cancelled(listener.accept()).await {
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, PeerAddress(peer.ip())),
            Err(error) => {
                // Of one connection, or of the system for a while; never of the listener.
                tracing::debug!(%error, "a connection was not accepted");
                if !is_of_connection(&error) {
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                continue;
            }
        };
        match places.clone().try_acquire_owned() {
            Ok(place) => {
                let (router, shutdown) = (router.clone(), shutdown.clone());
                connections.spawn(async move {
                    connection(stream, peer, router, shutdown).await;
                    drop(place);
                });
            }
            Err(_) => refuse(stream),
        }
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(GRACE, connections.wait()).await.is_err() {
        tracing::warn!(left = connections.len(), "connections were cut at shutdown");
    }
    Ok(())
}

async fn connection(stream: TcpStream, peer: PeerAddress, router: axum::Router, shutdown: CancellationToken) {
    // An answer in several small writes would wait for the peer's acknowledgement otherwise.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(peer);
        router.clone().call(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection ended early");
    }
}

/// Says so without reading the request, as far as the socket's own buffer takes it.
fn refuse(mut stream: TcpStream) {
    metrics::counter!("neta_connections_refused_total").increment(1);
    tokio::spawn(async move {
        let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
    });
}

fn is_of_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
