//! Which visits are under way, and which of them still wait for their answer.
//!
//! A place is free as soon as the answer is here: while it is read, the next request is on its way.

use mapwright_frontier::{Task, Weather};
use std::collections::HashMap;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{Id, yield_now};

/// The visits that are under way.
#[derive(Debug)]
pub(crate) struct Flight {
    visits: HashMap<Id, Aloft>,
    in_the_air: usize,
    tower: Tower,
    landings: UnboundedReceiver<Landing>,
}

/// A visit under way.
#[derive(Debug)]
struct Aloft {
    task: Task,
    in_the_air: bool,
}

/// The answer to a request is here, or will not come.
#[derive(Debug)]
pub(crate) struct Landing {
    pub(crate) id: Id,
    pub(crate) weather: Weather,
}

/// Where a visit tells that it has landed.
#[derive(Debug, Clone)]
pub(crate) struct Tower(UnboundedSender<Landing>);

impl Tower {
    /// Tells so, and lets others send their requests before the answer is read.
    pub(crate) async fn land(&self, weather: Weather) {
        // An engine that was stopped listens no more.
        let _ = self.0.send(Landing { id: tokio::task::id(), weather });
        yield_now().await;
    }
}

impl Flight {
    pub(crate) fn new() -> Self {
        let (tower, landings) = unbounded_channel();
        Self { visits: HashMap::new(), in_the_air: 0, tower: Tower(tower), landings }
    }

    pub(crate) fn tower(&self) -> Tower {
        self.tower.clone()
    }

    /// Requests that were sent and are not answered.
    pub(crate) fn in_the_air(&self) -> usize {
        self.in_the_air
    }

    /// Notes a visit that has begun, with a request or without.
    pub(crate) fn begin(&mut self, id: Id, task: Task, in_the_air: bool) {
        self.in_the_air += usize::from(in_the_air);
        self.visits.insert(id, Aloft { task, in_the_air });
    }

    /// The next landing, when it comes.
    pub(crate) async fn landing(&mut self) -> Landing {
        match self.landings.recv().await {
            Some(landing) => landing,
            // Never so: a sender is kept here.
            None => std::future::pending().await,
        }
    }

    /// A landing that was told and not yet heard.
    pub(crate) fn landed(&mut self) -> Option<Landing> {
        self.landings.try_recv().ok()
    }

    /// Notes that a visit has landed; gives its task.
    pub(crate) fn land(&mut self, id: Id) -> Option<&Task> {
        let visit = self.visits.get_mut(&id)?;
        self.in_the_air -= usize::from(std::mem::take(&mut visit.in_the_air));
        Some(&visit.task)
    }

    /// Notes that a visit has ended; gives its task, and whether it never landed.
    pub(crate) fn end(&mut self, id: Id) -> Option<(Task, bool)> {
        let visit = self.visits.remove(&id)?;
        self.in_the_air -= usize::from(visit.in_the_air);
        Some((visit.task, visit.in_the_air))
    }
}
