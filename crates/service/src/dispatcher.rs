//! Delivers notifications from the outbox.

use crate::job::Job;
use crate::job_store::JobStore;
use crate::service::Service;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_notify::{Channel, Notification, Undelivered};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{self, JoinSet};
use tokio_util::sync::CancellationToken;

/// The time between two polls of the outbox.
const ROUND: Duration = Duration::from_secs(1);
/// Notifications that are delivered at the same time, so that a slow receiver does not delay the others.
const MAX_DELIVERIES: usize = 10;

/// Delivers due notifications until `stop` is cancelled.
pub(crate) async fn rounds(service: Service, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let notifications = deliver(service.job_store(), JobFilter::All, || service.jobs(), || service.now());
        if let Err(error) = notifications.await {
            tracing::error!("notifications cannot be delivered: {error}");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(ROUND) => {}
        }
    }
}

/// The jobs whose notifications are delivered.
#[derive(Debug, Clone, Copy)]
pub enum JobFilter<'a> {
    /// All jobs. Notifications of a removed job, or to a receiver that its job no longer has, are given up.
    All,
    /// This job alone. The receivers of other jobs are not known.
    Of(&'a str),
}

/// Delivers the due notifications through the current receivers of their jobs, including those that are added
/// meanwhile. Returns the number delivered.
///
/// # Errors
/// If the job store cannot be read or written.
pub async fn deliver(
    job_store: &JobStore,
    recipients: JobFilter<'_>,
    jobs: impl Fn() -> Vec<Arc<Job>>,
    now: impl Fn() -> Timestamp,
) -> Result<usize, CrawlError> {
    let mut delivered = 0;
    let mut deliveries = JoinSet::new();
    // The receiver of each delivery in progress, by task: its next notification waits for the end of that task.
    let mut busy: HashMap<task::Id, Receiver> = HashMap::new();
    let mut failed = None;
    loop {
        let taken = match &failed {
            None => job_store.notifications(recipients, now(), MAX_DELIVERIES + busy.len()),
            // Deliveries in progress are settled all the same.
            Some(_) => Ok(Vec::new()),
        };
        let mut notifications = taken.unwrap_or_else(|error| {
            failed = Some(error);
            Vec::new()
        });
        notifications.retain(|notification| !busy.values().any(|receiver| *receiver == of(notification)));
        notifications.truncate(MAX_DELIVERIES.saturating_sub(deliveries.len()));
        let were_due = !notifications.is_empty();
        let jobs = if were_due { jobs() } else { Vec::new() };
        for mut notification in notifications {
            match job_store.begin_notification(&mut notification, now()) {
                Ok(true) => {
                    let job = jobs.iter().find(|job| job.name == notification.message.job).cloned();
                    let receiver = of(&notification);
                    let task = deliveries.spawn(async move {
                        let result = deliver_one(&notification, job.as_deref()).await;
                        (notification, result)
                    });
                    busy.insert(task.id(), receiver);
                }
                Ok(false) => {}
                Err(error) => failed = Some(error),
            }
        }
        tokio::select! {
            ended = deliveries.join_next_with_id() => match ended {
                Some(Ok((id, (notification, result)))) => {
                    busy.remove(&id);
                    match settled(job_store, &notification, result, now()) {
                        Ok(is_delivered) => delivered += usize::from(is_delivered),
                        Err(error) => failed = Some(error),
                    }
                }
                // The task panicked and stored nothing: the notification is retried later, as after a kill.
                Some(Err(error)) => _ = busy.remove(&error.id()),
                // None of the due notifications could begin.
                None if were_due && failed.is_none() => {}
                None => return failed.map_or(Ok(delivered), Err),
            },
            () = tokio::time::sleep(ROUND) => {}
        }
    }
}

/// A receiver of a job: the job, and the label of its channel.
type Receiver = (String, String);

fn of(notification: &Notification) -> Receiver {
    (notification.message.job.clone(), notification.channel.clone())
}

/// Stores the result of a delivery. Returns whether it succeeded.
fn settled(
    job_store: &JobStore,
    notification: &Notification,
    result: Result<(), Undelivered>,
    now: Timestamp,
) -> Result<bool, CrawlError> {
    let waits = job_store.settle_notification(notification, result.as_ref().copied(), now)?;
    if let Err(undelivered) = &result {
        let (job, what) = (&notification.message.job, if waits { "waits" } else { "could not be delivered" });
        tracing::warn!(job, "a notification to {} {what}: {undelivered}", notification.channel);
    }
    Ok(result.is_ok())
}

async fn deliver_one(notification: &Notification, job: Option<&Job>) -> Result<(), Undelivered> {
    match job.and_then(|job| Some((job, receiver(&notification.channel, &job.channels)?))) {
        Some((job, channel)) => job.post.deliver(channel, &notification.message).await,
        None => Err(Undelivered {
            what: "this is no longer a receiver of the job".to_owned(),
            permanent: true,
            after: None,
        }),
    }
}

/// Returns the channel with a label. A webhook whose URL was fixed since, because it held a wrong token, has another
/// label: the only webhook at the same host is returned.
fn receiver<'a>(label: &str, channels: &'a [Channel]) -> Option<&'a Channel> {
    let host = |label: &str| label.rsplit_once('#').map(|(host, _)| host.to_owned());
    let mut fixed = channels.iter().filter(|channel| {
        let now = channel.label();
        matches!(channel, Channel::Webhook(_)) && host(&now) == host(label)
    });
    let exact = channels.iter().find(|channel| channel.label() == label);
    exact.or_else(|| fixed.next().filter(|_| fixed.next().is_none()))
}

/// Returns the labels of channels.
pub(crate) fn labels(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(Channel::label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_whose_url_was_fixed_gets_its_waiting_notifications() {
        let channels = |texts: &[&str]| texts.iter().map(|text| Channel::parse(text).unwrap()).collect::<Vec<_>>();
        let old = channels(&["webhook:https://a.example/wrong", "mailto:ops@a.example"]);
        let of = |texts: &[&str]| {
            let now = channels(texts);
            old.iter().map(|old| receiver(&old.label(), &now).map(Channel::label)).collect::<Vec<_>>()
        };
        let right = "webhook:https://a.example/right";
        let fixed = Channel::parse(right).unwrap().label();
        assert_eq!(of(&[right, "webhook:https://b.example/"]), [Some(fixed), None]);
        assert_eq!(of(&[right, "webhook:https://a.example/third"]), [None, None], "either may be meant");
        let unmoved: Vec<_> = old.iter().map(|old| Some(old.label())).collect();
        assert_eq!(of(&[right, "webhook:https://a.example/wrong", "mailto:ops@a.example"]), unmoved);
        assert_eq!(of(&["webhook:https://b.example/wrong", "mailto:dev@a.example"]), [None, None]);
    }
}
