//! The visits in progress, and the requests among them that are in flight.
//!
//! A place is free as soon as the response is here: the next request is sent while the response is read.

use mapwright_frontier::ResponseSignal;
use mapwright_model::Task;
use std::collections::HashMap;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{Id, yield_now};

/// The visits in progress.
#[derive(Debug)]
pub(crate) struct InFlight {
    visits: HashMap<Id, Pending>,
    in_flight: usize,
    answers: AnswerSender,
    receiver: UnboundedReceiver<Answered>,
}

/// A visit in progress.
#[derive(Debug)]
struct Pending {
    task: Task,
    in_flight: bool,
}

/// A response that has arrived, or a request that has failed.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) id: Id,
    pub(crate) signal: ResponseSignal,
}

/// The channel by which a visit reports its response.
#[derive(Debug, Clone)]
pub(crate) struct AnswerSender(UnboundedSender<Answered>);

impl AnswerSender {
    /// Reports the response, and lets others send their requests before it is read.
    pub(crate) async fn send(&self, signal: ResponseSignal) {
        // An engine that was stopped no longer listens.
        let _ = self.0.send(Answered { id: tokio::task::id(), signal });
        yield_now().await;
    }
}

impl InFlight {
    pub(crate) fn new() -> Self {
        let (answers, receiver) = unbounded_channel();
        Self { visits: HashMap::new(), in_flight: 0, answers: AnswerSender(answers), receiver }
    }

    pub(crate) fn answers(&self) -> AnswerSender {
        self.answers.clone()
    }

    /// Returns the number of requests in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Notes a visit that has begun, with or without a request.
    pub(crate) fn begin(&mut self, id: Id, task: Task, in_flight: bool) {
        self.in_flight += usize::from(in_flight);
        self.visits.insert(id, Pending { task, in_flight });
    }

    /// Waits for the next response.
    pub(crate) async fn answered(&mut self) -> Answered {
        match self.receiver.recv().await {
            Some(answered) => answered,
            // This never happens: a sender is held here.
            None => std::future::pending().await,
        }
    }

    /// Returns a response that was reported and not yet handled.
    pub(crate) fn try_answered(&mut self) -> Option<Answered> {
        self.receiver.try_recv().ok()
    }

    /// Notes that the response of a visit is here; returns its task.
    pub(crate) fn note_answer(&mut self, id: Id) -> Option<&Task> {
        let visit = self.visits.get_mut(&id)?;
        self.in_flight -= usize::from(std::mem::take(&mut visit.in_flight));
        Some(&visit.task)
    }

    /// Notes that a visit has ended; returns its task, and whether it never reported a response.
    pub(crate) fn end(&mut self, id: Id) -> Option<(Task, bool)> {
        let visit = self.visits.remove(&id)?;
        self.in_flight -= usize::from(visit.in_flight);
        Some((visit.task, visit.in_flight))
    }
}
