//! Carries messages out of the outbox.

use super::ledger::Ledger;
use super::nightly::Nightly;
use super::plan::Plan;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_tell::{Channel, Letter, Undelivered};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Time between two looks into the outbox.
const ROUND: Duration = Duration::from_secs(1);
/// Letters of one round.
const BAG: usize = 50;

/// Delivers what is due, again and again, until `stop` is cancelled.
pub(super) async fn rounds(service: Nightly, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let plans = service.plans();
        let letters = deliver(service.ledger(), &plans, || service.now());
        if let Err(error) = letters.await {
            tracing::error!("messages cannot be delivered: {error}");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(ROUND) => {}
        }
    }
}

/// Delivers what is due now, each letter by what its job sends with: how many were delivered.
///
/// # Errors
/// When the ledger cannot be read or written.
pub async fn deliver(
    ledger: &Arc<Ledger>,
    plans: &[Arc<Plan>],
    now: impl Fn() -> Timestamp,
) -> Result<usize, JobError> {
    let mut delivered = 0;
    for mut letter in ledger.letters(now(), BAG)? {
        if !ledger.begin_letter(&mut letter, now())? {
            continue;
        }
        let result = carry(&letter, plans).await;
        if let Err(undelivered) = &result {
            tracing::warn!(job = letter.message.job, "a message to {} waits: {undelivered}", letter.channel);
        }
        delivered += usize::from(result.is_ok());
        ledger.settle_letter(&letter, result.as_ref().copied(), now())?;
    }
    Ok(delivered)
}

async fn carry(letter: &Letter, plans: &[Arc<Plan>]) -> Result<(), Undelivered> {
    let of_job = plans.iter().find(|plan| plan.name == letter.message.job);
    let channel = |plan: &Arc<Plan>| plan.channels.iter().find(|channel| channel.label() == letter.channel).cloned();
    match of_job.and_then(|plan| Some((plan, channel(plan)?))) {
        Some((plan, channel)) => plan.post.deliver(&channel, &letter.message).await,
        None => {
            Err(Undelivered { what: "the job no longer tells this receiver".to_owned(), lasting: true, after: None })
        }
    }
}

/// Labels of channels.
pub(super) fn labels(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(Channel::label).collect()
}
