//! A running crawl as server-sent events.

use super::document::JobPath;
use super::shapes::LiveJson;
use crate::active_access::ActiveAccess;
use crate::app_state::Shared;
use crate::problem::Problem;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use mapwright_service::Live;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// Minimum pause between two events.
const PAUSE: Duration = Duration::from_millis(500);
/// Interval of comments that keep the connection alive.
const ALIVE: Duration = Duration::from_secs(15);

/// The progress of a running crawl, as server-sent events: `live`, whose data is a Live, and `end` when the crawl has
/// ended
#[utoipa::path(
    get,
    path = "/jobs/{job}/live",
    params(JobPath),
    responses(
        (status = 200, description = "The events", body = String, content_type = "text/event-stream"),
        (status = 204, description = "The job is not running"),
        Problem
    )
)]
pub(super) async fn live(
    State(state): State<Shared>,
    Extension(active): Extension<Arc<ActiveAccess>>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    state.job(&name).await?;
    // An event source that gets 204 No Content does not reconnect.
    let Some(live) = state.service.live(&name) else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let full = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too many live views are open; close one");
    let place = Arc::clone(&state.stream_permits).try_acquire_owned().map_err(full)?;
    let (sender, receiver) = mpsc::channel(1);
    let (stop, changed) = (state.stop.clone(), active.changed.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            // Event sources that still have access reconnect by themselves.
            () = changed.cancelled() => {}
            () = notify(live, sender) => {}
        }
        drop(place);
    });
    Ok(Sse::new(Events(receiver)).keep_alive(KeepAlive::new().interval(ALIVE)).into_response())
}

/// Sends events until the run ends or the visitor disconnects.
async fn notify(mut live: watch::Receiver<Live>, sender: mpsc::Sender<Event>) {
    loop {
        let event = event(&live.borrow_and_update());
        if sender.send(event).await.is_err() {
            return;
        }
        let goes_on = tokio::select! {
            () = sender.closed() => return,
            changed = async { tokio::time::sleep(PAUSE).await; live.changed().await } => changed.is_ok(),
        };
        if !goes_on {
            // Sends the final state, and the end event.
            let last = self::event(&live.borrow());
            drop(sender.send(last).await);
            drop(sender.send(Event::default().event("end").data("{}")).await);
            return;
        }
    }
}

fn event(live: &Live) -> Event {
    let data = serde_json::to_string(&LiveJson::from(live)).unwrap_or_default();
    Event::default().event("live").data(data)
}

/// The events of the task as a stream.
struct Events(mpsc::Receiver<Event>);

impl futures_core::Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}
