//! Carries messages out of the outbox.

use super::ledger::Ledger;
use super::nightly::Nightly;
use super::plan::Plan;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_tell::{Channel, Letter, Undelivered};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Time between two looks into the outbox.
const ROUND: Duration = Duration::from_secs(1);
/// Letters that are carried at the same time: a receiver that takes its time holds no other up.
const BAG: usize = 10;

/// Delivers what is due, again and again, until `stop` is cancelled.
pub(super) async fn rounds(service: Nightly, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let plans = service.plans();
        let letters = deliver(service.ledger(), Whose::All, &plans, || service.now());
        if let Err(error) = letters.await {
            tracing::error!("messages cannot be delivered: {error}");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(ROUND) => {}
        }
    }
}

/// Whose letters are delivered.
#[derive(Debug, Clone, Copy)]
pub enum Whose<'a> {
    /// Those of all jobs. Letters of a job that is no more, or to whom it no longer tells, are given up.
    All,
    /// Those of this job: of others nothing is known.
    Of(&'a str),
}

/// Delivers what is due now, each letter by what its job sends with: how many were delivered.
///
/// # Errors
/// When the ledger cannot be read or written.
pub async fn deliver(
    ledger: &Ledger,
    whose: Whose<'_>,
    plans: &[Arc<Plan>],
    now: impl Fn() -> Timestamp,
) -> Result<usize, JobError> {
    let mut delivered = 0;
    loop {
        // A letter that was tried is not due again at once: the bag is empty in the end.
        let bag = ledger.letters(whose, now(), BAG)?;
        if bag.is_empty() {
            return Ok(delivered);
        }
        let mut carried = JoinSet::new();
        for mut letter in bag {
            if ledger.begin_letter(&mut letter, now())? {
                let plan = plans.iter().find(|plan| plan.name == letter.message.job).cloned();
                carried.spawn(async move {
                    let result = carry(&letter, plan.as_deref()).await;
                    (letter, result)
                });
            }
        }
        while let Some(letter) = carried.join_next().await {
            // One that panicked has noted nothing, and is tried again later, as after a kill.
            let Ok((letter, result)) = letter else { continue };
            delivered += usize::from(settled(ledger, &letter, result, now())?);
        }
    }
}

/// Notes what became of a letter: whether it was delivered.
fn settled(
    ledger: &Ledger,
    letter: &Letter,
    result: Result<(), Undelivered>,
    now: Timestamp,
) -> Result<bool, JobError> {
    if let Err(undelivered) = &result {
        let job = &letter.message.job;
        let waits = if undelivered.lasting { "is given up" } else { "waits" };
        tracing::warn!(job, "a message to {} {waits}: {undelivered}", letter.channel);
    }
    ledger.settle_letter(letter, result.as_ref().copied(), now)?;
    Ok(result.is_ok())
}

async fn carry(letter: &Letter, plan: Option<&Plan>) -> Result<(), Undelivered> {
    let channel = |plan: &Plan| plan.channels.iter().find(|channel| channel.label() == letter.channel).cloned();
    match plan.and_then(|plan| Some((plan, channel(plan)?))) {
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
