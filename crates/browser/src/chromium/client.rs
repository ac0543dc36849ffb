//! The DevTools protocol: commands with their answers, and events, over one pipe.
//!
//! Messages are plain JSON values: closed types would break when the protocol grows. No command is awaited without a
//! time limit, because a busy renderer answers none.

use crate::RenderFailure;
use crate::chromium::pipe::{PipeReader, PipeWriter};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Longest wait for the answer to a command.
pub(crate) const CALL_LIMIT: Duration = Duration::from_secs(10);
/// Commands that wait to be written.
const QUEUE: usize = 256;
/// Events of a page that wait to be handled. A page that causes more loses some, and is cut at its time limit.
const EVENTS: usize = 4_096;

/// A connection to a browser. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    commands: mpsc::Sender<Value>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    next: AtomicU64,
    ended: AtomicBool,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    sessions: Mutex<HashMap<String, mpsc::Sender<Event>>>,
}

/// An event of a session.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// The reason for which a command has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The browser refuses it.
    #[error("{method}: {reason}")]
    Refused { method: String, reason: String },
    /// No answer came in time.
    #[error("{0}: no answer")]
    Silent(String),
    /// The browser has ended.
    #[error("the browser has ended")]
    Ended,
}

impl From<CallError> for RenderFailure {
    fn from(error: CallError) -> RenderFailure {
        match error {
            CallError::Ended => RenderFailure::Ended,
            error => RenderFailure::Page(error.to_string()),
        }
    }
}

impl Client {
    /// Connects to a browser that was started.
    pub(crate) fn connect(mut writer: PipeWriter, mut reader: PipeReader) -> Client {
        let (commands, mut queue) = mpsc::channel::<Value>(QUEUE);
        let shared = Arc::new(Shared::default());
        tokio::spawn(async move {
            while let Some(command) = queue.recv().await {
                if writer.send(&command).await.is_err() {
                    return;
                }
            }
        });
        let listener = Arc::clone(&shared);
        tokio::spawn(async move {
            loop {
                match reader.next().await {
                    Ok(Some(message)) => listener.take(message),
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(%error, "the browser is given up");
                        break;
                    }
                }
            }
            listener.end();
        });
        Client { commands, shared }
    }

    /// Sends a command to a session, or to the browser for an empty session, and returns the result.
    pub(crate) async fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, CallError> {
        let answer = self.send(session, method, params).await?;
        let mut answer = match tokio::time::timeout(CALL_LIMIT, answer).await {
            Ok(answer) => answer.map_err(|_| CallError::Ended)?,
            Err(_) => return Err(CallError::Silent(method.to_owned())),
        };
        match answer.pointer("/error/message") {
            Some(reason) => Err(CallError::Refused { method: method.to_owned(), reason: reason.to_string() }),
            None => Ok(answer.get_mut("result").map(Value::take).unwrap_or_default()),
        }
    }

    /// Sends a command, and returns the place at which its answer arrives.
    pub(crate) async fn send(
        &self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<oneshot::Receiver<Value>, CallError> {
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, receiver) = oneshot::channel();
        let mut command = json!({"id": id, "method": method, "params": params});
        if let (false, Some(fields)) = (session.is_empty(), command.as_object_mut()) {
            fields.insert("sessionId".to_owned(), json!(session));
        }
        {
            let mut waiting = lock(&self.shared.waiting);
            // Answers that nobody awaits any more.
            waiting.retain(|_, answer| !answer.is_closed());
            waiting.insert(id, sender);
        }
        self.commands.send(command).await.map_err(|_| CallError::Ended)?;
        Ok(receiver)
    }

    /// Returns the events of a session from now on.
    pub(crate) fn events(&self, session: &str) -> mpsc::Receiver<Event> {
        let (sender, receiver) = mpsc::channel(EVENTS);
        lock(&self.shared.sessions).insert(session.to_owned(), sender);
        receiver
    }

    /// Returns true until the browser has ended.
    pub(crate) fn is_connected(&self) -> bool {
        !self.shared.ended.load(Ordering::Acquire)
    }

    /// Forgets a session.
    pub(crate) fn forget(&self, session: &str) {
        lock(&self.shared.sessions).remove(session);
    }
}

impl Shared {
    /// Passes a message on to whoever waits for it.
    fn take(&self, mut message: Value) {
        if let Some(id) = message.get("id").and_then(Value::as_u64) {
            let waiting = lock(&self.waiting).remove(&id);
            // Nobody waits after the time limit.
            waiting.into_iter().for_each(|answer| drop(answer.send(message.take())));
            return;
        }
        let session = message.get("sessionId").and_then(Value::as_str).unwrap_or_default();
        let Some(sender) = lock(&self.sessions).get(session).cloned() else { return };
        let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else { return };
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        if sender.try_send(Event { method, params }).is_err() {
            tracing::debug!("an event of a page is dropped: it causes too many");
        }
    }

    /// Ends all waiting.
    fn end(&self) {
        self.ended.store(true, Ordering::Release);
        lock(&self.waiting).clear();
        lock(&self.sessions).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The maps are consistent after every statement.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
