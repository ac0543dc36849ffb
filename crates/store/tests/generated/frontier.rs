//! A frontier whose operations complete before anything else happens.

use mapwright_frontier::{Finished, Frontier, Lease, QueueState, ResponseSignal, Seen};
use mapwright_model::{Listing, Remembered, Task, TemplateId, UrlId, Visit};
use mapwright_store::{LocalFrontier, StoreError};
use mapwright_web::{Origin, PageUrl};
use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

/// The frontier of a record that waits for the writer while the clock stands still, so that a crawl is deterministic.
pub(crate) struct Still(pub(crate) LocalFrontier);

impl Frontier for Still {
    type Visit = Visit;
    type Memory = Remembered;
    type Error = StoreError;

    async fn lease(&self, now: Duration, room: usize) -> Result<Lease, StoreError> {
        wait(self.0.lease(now, room))
    }

    fn ended(&self, now: Duration, task: &Task, signal: &ResponseSignal) {
        self.0.ended(now, task, signal);
    }

    fn turn(&self, now: Duration, origin: &Origin, crawl_delay: Option<f64>) -> Duration {
        self.0.turn(now, origin, crawl_delay)
    }

    fn throttled(&self, now: Duration, origin: &Origin, signal: &ResponseSignal) {
        self.0.throttled(now, origin, signal);
    }

    async fn commit(&self, now: Duration, batch: Vec<Finished<Visit>>) -> Result<(), StoreError> {
        wait(self.0.commit(now, batch))
    }

    async fn recall(&self, url: UrlId) -> Result<Option<Remembered>, StoreError> {
        wait(self.0.recall(url))
    }

    async fn recall_file(&self, file: UrlId) -> Result<Listing, StoreError> {
        wait(self.0.recall_file(file))
    }

    async fn recall_redirect(&self, url: UrlId) -> Result<Option<PageUrl>, StoreError> {
        wait(self.0.recall_redirect(url))
    }

    async fn request_again(&self, template: TemplateId) -> Result<u64, StoreError> {
        wait(self.0.request_again(template))
    }

    async fn resources(&self, origins: HashSet<Origin>, most: u64) -> Result<Vec<PageUrl>, StoreError> {
        wait(self.0.resources(origins, most))
    }

    async fn open(&self, roots: Vec<PageUrl>) -> Result<(), StoreError> {
        wait(self.0.open(roots))
    }

    fn seen(&self) -> Arc<Seen> {
        self.0.seen()
    }

    fn queue_state(&self) -> QueueState {
        self.0.queue_state()
    }
}

/// Wakes a thread that is parked.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks this thread until a future is ready; returns its value.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}
