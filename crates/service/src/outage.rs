//! Outages of the service's database: the file was removed, or its disk is full. During an outage no run begins, the
//! notification is sent without the database, and the service stays up.

use crate::job::Job;
use crate::notices;
use crate::service::Service;
use crate::view::Outage;
use mapwright_notify::{Channel, EventKind, Message};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The attempts to deliver a notification of an outage, and the time between two.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(60);

impl Service {
    /// Checks that the database is in place and can be written, so that runs may begin. Notifies all receivers if that
    /// has changed.
    pub(crate) fn check_database(&self) -> bool {
        let found = self.job_store().outage();
        let before = std::mem::replace(&mut self.state().outage, found.clone());
        match (&before, &found) {
            (None, Some(Outage { what, is_lost })) => {
                let until = if *is_lost { "the service is started again" } else { "that is over" };
                let reason = format!("{what}: no run begins until {until}");
                tracing::error!("{reason}");
                self.notify_at_once(&EventKind::Failed { reason });
            }
            (Some(_), None) => {
                tracing::warn!("the database can be written again, and runs begin");
                self.notify_at_once(&EventKind::Recovered);
            }
            _ => {}
        }
        found.is_none()
    }

    /// Notifies each receiver of any job once, without the outbox.
    fn notify_at_once(&self, outcome: &EventKind) {
        let (now, link) = (self.now(), self.state().link.clone());
        let mut notifications: BTreeMap<String, (Arc<Job>, Channel, Message)> = BTreeMap::new();
        for job in self.jobs() {
            for channel in &job.channels {
                if let Some(message) = notices::of_outage(&job, now, outcome.clone(), link.as_ref()) {
                    notifications
                        .entry(channel.label())
                        .or_insert_with(|| (Arc::clone(&job), channel.clone(), message));
                }
            }
        }
        for (job, channel, message) in notifications.into_values() {
            let ending = self.0.ending.clone();
            tokio::spawn(async move {
                tokio::select! {
                    () = ending.cancelled() => {}
                    () = deliver(&job, &channel, &message) => {}
                }
            });
        }
    }
}

async fn deliver(job: &Job, channel: &Channel, message: &Message) {
    for tried in 1..=TRIES {
        match job.post.deliver(channel, message).await {
            Ok(()) => return,
            Err(error) if error.permanent || tried == TRIES => {
                tracing::warn!("a notification of the outage to {} could not be delivered: {error}", channel.label());
                return;
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
