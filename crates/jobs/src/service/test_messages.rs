//! Test messages: whether what a job will have to tell would arrive.

use super::news;
use super::plan::Plan;
use jiff::Timestamp;
use mapwright_tell::{NightOutcome, Undelivered};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// A receiver that a test message was sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    /// The receiver, without secrets.
    pub receiver: String,
    /// Why it did not take the message, if it did not.
    pub fault: Option<String>,
}

/// How long a receiver may take, so that whoever asked is answered.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends a test message to every receiver of a job, and a sign of life to its watchdog, once each, at the same time and
/// without the outbox; tells what each answered within 20 seconds.
pub async fn test_messages(plan: Arc<Plan>, link: Option<&Url>) -> Vec<Tested> {
    let mut sent = Vec::new();
    if let Some(message) = news::of_service(&plan, Timestamp::now(), NightOutcome::Test, link) {
        for channel in &plan.channels {
            let (label, plan, channel, message) =
                (channel.label(), Arc::clone(&plan), channel.clone(), message.clone());
            sent.push((label, tokio::spawn(async move { within(plan.post.deliver(&channel, &message)).await })));
        }
    }
    if let Some(heartbeat) = plan.heartbeat.clone() {
        let (label, plan) = (format!("heartbeat:{}", heartbeat.host()), Arc::clone(&plan));
        sent.push((label, tokio::spawn(async move { within(plan.post.beat(&heartbeat)).await })));
    }
    let mut tested = Vec::new();
    for (receiver, task) in sent {
        tested.push(Tested { receiver, fault: task.await.unwrap_or_else(|error| Some(error.to_string())) });
    }
    tested
}

/// Why a delivery failed, if it did.
async fn within(delivery: impl Future<Output = Result<(), Undelivered>>) -> Option<String> {
    match tokio::time::timeout(PATIENCE, delivery).await {
        Ok(delivered) => delivered.err().map(|error| error.to_string()),
        Err(_) => Some(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}
