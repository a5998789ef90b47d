//! Listening, and stopping without cutting anybody off.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_http::timeout::TimeoutLayer;
use workmill_engine::Engine;

use crate::routes;

/// Longer than the longest wait of a claim.
const LONGEST_REQUEST: Duration = Duration::from_mins(1);

/// Answers requests until told to stop; then those under way are answered, and those that wait
/// for work are sent home.
pub async fn serve(
    listener: TcpListener,
    engine: Arc<Engine>,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let app = routes::all(&engine).layer(TimeoutLayer::with_status_code(
        StatusCode::SERVICE_UNAVAILABLE,
        LONGEST_REQUEST,
    ));
    // With the addresses of the clients, for those who come with bad keys.
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            stop.cancelled().await;
            engine.stop_waiting();
        })
        .await
}
