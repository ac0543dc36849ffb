//! Test messages, which show whether the notifications of a job would arrive.

use crate::job::Job;
use crate::notices;
use crate::view::Tested;
use jiff::Timestamp;
use mapwright_notify::{EventKind, Undelivered};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The time that a receiver has to answer, so that the user gets an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends a test message to every receiver of a job, and a heartbeat to its watchdog, once each, concurrently and
/// without the outbox. Returns the answer of each, within 20 seconds.
pub async fn test_messages(job: Arc<Job>, link: Option<&Url>) -> Vec<Tested> {
    let mut sent = Vec::new();
    if let Some(message) = notices::of_outage(&job, Timestamp::now(), EventKind::Test, link) {
        for channel in &job.channels {
            let (label, job, channel, message) = (channel.label(), Arc::clone(&job), channel.clone(), message.clone());
            sent.push((label, tokio::spawn(async move { within(job.post.deliver(&channel, &message)).await })));
        }
    }
    if let Some(heartbeat) = job.heartbeat.clone() {
        let (label, job) = (format!("heartbeat:{}", heartbeat.host()), Arc::clone(&job));
        sent.push((label, tokio::spawn(async move { within(job.post.beat(&heartbeat)).await })));
    }
    let mut tested = Vec::new();
    for (receiver, task) in sent {
        tested.push(Tested { receiver, fault: task.await.unwrap_or_else(|error| Some(error.to_string())) });
    }
    tested
}

/// Returns the fault of a delivery, if it failed.
async fn within(delivery: impl Future<Output = Result<(), Undelivered>>) -> Option<String> {
    match tokio::time::timeout(PATIENCE, delivery).await {
        Ok(delivered) => delivered.err().map(|error| error.to_string()),
        Err(_) => Some(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}
