//! The notifications in the job store.

use crate::dispatcher::JobFilter;
use crate::job_store::JobStore;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_notify::{DeadLetter, Notification, Outbox, Undelivered};

impl JobStore {
    /// Returns the due notifications of these jobs.
    pub(crate) fn notifications(
        &self,
        recipients: JobFilter<'_>,
        now: Timestamp,
        most: usize,
    ) -> Result<Vec<Notification>, CrawlError> {
        let job = match recipients {
            JobFilter::All => None,
            JobFilter::Of(job) => Some(job),
        };
        self.read(|connection| Outbox::due(connection, job, now, most))
    }

    /// Stores that the delivery of a notification begins. Returns whether it is still to be delivered.
    pub(crate) fn begin_notification(
        &self,
        notification: &mut Notification,
        now: Timestamp,
    ) -> Result<bool, CrawlError> {
        self.read(|connection| Outbox::begin(connection, notification, now))
    }

    /// Stores the result of a delivery.
    pub(crate) fn settle_notification(
        &self,
        notification: &Notification,
        result: Result<(), &Undelivered>,
        now: Timestamp,
    ) -> Result<bool, CrawlError> {
        self.read(|connection| Outbox::settle(connection, notification, result, now))
    }

    /// Returns the number of waiting notifications, and of those that were given up.
    pub(crate) fn notification_counts(&self) -> Result<(u64, u64), CrawlError> {
        self.still_there()?;
        self.read(|connection| Ok((Outbox::waiting(connection)?, Outbox::given_up(connection)?)))
    }

    /// Returns receiver and fault of the notifications of a job that were tried since then and are not delivered.
    ///
    /// # Errors
    /// If the job store cannot be read.
    pub fn undelivered(&self, job: &str, since: Timestamp) -> Result<Vec<(String, String)>, CrawlError> {
        self.read(|connection| Outbox::undelivered(connection, job, since))
    }

    /// Returns the notifications that were given up last, at most `most`.
    pub(crate) fn failed_notifications(&self, most: usize) -> Result<Vec<DeadLetter>, CrawlError> {
        self.read(|connection| Outbox::given_up_last(connection, most))
    }
}
