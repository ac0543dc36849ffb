//! Test messages: whether what a job will have to tell would arrive.

use super::news;
use super::plan::Plan;
use jiff::Timestamp;
use mapwright_tell::{NightOutcome, Undelivered};
use url::Url;

/// A receiver that a test message was sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    /// The receiver, without secrets.
    pub receiver: String,
    /// Why it did not take the message, if it did not.
    pub fault: Option<String>,
}

/// Sends a test message to every receiver of a job, and a sign of life to its watchdog, once each and without the outbox;
/// tells what each answered.
pub async fn test_messages(plan: &Plan, link: Option<&Url>) -> Vec<Tested> {
    let mut tested = Vec::new();
    let fault = |result: Result<(), Undelivered>| result.err().map(|error| error.to_string());
    if let Some(message) = news::of_service(plan, Timestamp::now(), NightOutcome::Test, link) {
        for channel in &plan.channels {
            let fault = fault(plan.post.deliver(channel, &message).await);
            tested.push(Tested { receiver: channel.label(), fault });
        }
    }
    if let Some(heartbeat) = &plan.heartbeat {
        let fault = fault(plan.post.beat(heartbeat).await);
        tested.push(Tested { receiver: format!("heartbeat:{}", heartbeat.host()), fault });
    }
    tested
}
