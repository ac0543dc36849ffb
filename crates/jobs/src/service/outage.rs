//! Outages of the service's database: it was removed, or its disk is full. No run begins then, people are told at once
//! without it, and the service stays up.

use super::news;
use super::nightly::Nightly;
use super::plan::Plan;
use super::view::Outage;
use mapwright_tell::{Channel, Message, NightOutcome};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Tries to deliver a message of an outage, and the time between two.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(60);

impl Nightly {
    /// Looks whether the database is where it was and can be written, and so whether runs may begin. Tells people where
    /// that has changed.
    pub(super) fn check_database(&self) -> bool {
        let found = self.ledger().outage();
        let before = std::mem::replace(&mut self.state().outage, found.clone());
        match (&before, &found) {
            (None, Some(Outage { what, is_lost })) => {
                let until = if *is_lost { "the service is started again" } else { "that is over" };
                let why = format!("{what}: no run begins until {until}");
                tracing::error!("{why}");
                self.tell_at_once(&NightOutcome::Failed { why });
            }
            (Some(_), None) => {
                tracing::warn!("the database can be written again, and runs begin");
                self.tell_at_once(&NightOutcome::Recovered);
            }
            _ => {}
        }
        found.is_none()
    }

    /// Tells each receiver of any job, once, without the outbox.
    fn tell_at_once(&self, outcome: &NightOutcome) {
        let (now, link) = (self.now(), self.state().link.clone());
        let mut letters: BTreeMap<String, (Arc<Plan>, Channel, Message)> = BTreeMap::new();
        for plan in self.plans() {
            for channel in &plan.channels {
                if let Some(message) = news::of_service(&plan, now, outcome.clone(), link.as_ref()) {
                    letters.entry(channel.label()).or_insert_with(|| (Arc::clone(&plan), channel.clone(), message));
                }
            }
        }
        for (plan, channel, message) in letters.into_values() {
            let ending = self.0.ending.clone();
            tokio::spawn(async move {
                tokio::select! {
                    () = ending.cancelled() => {}
                    () = deliver(&plan, &channel, &message) => {}
                }
            });
        }
    }
}

async fn deliver(plan: &Plan, channel: &Channel, message: &Message) {
    for tried in 1..=TRIES {
        match plan.post.deliver(channel, message).await {
            Ok(()) => return,
            Err(error) if error.lasting || tried == TRIES => {
                tracing::warn!("a message of an outage to {} is given up: {error}", channel.label());
                return;
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
