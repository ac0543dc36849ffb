//! Carries messages out of the outbox.

use super::ledger::Ledger;
use super::nightly::Nightly;
use super::plan::Plan;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_tell::{Channel, Letter, Undelivered};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{self, JoinSet};
use tokio_util::sync::CancellationToken;

/// Time between two looks into the outbox.
const ROUND: Duration = Duration::from_secs(1);
/// Letters that are carried at the same time: a receiver that takes its time holds no other up.
const BAG: usize = 10;

/// Delivers what is due, again and again, until `stop` is cancelled.
pub(super) async fn rounds(service: Nightly, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let letters = deliver(service.ledger(), Whose::All, || service.plans(), || service.now());
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

/// Delivers what is due now, each letter by what its job sends with at that time: how many were delivered. A letter that
/// is put meanwhile goes too.
///
/// # Errors
/// When the ledger cannot be read or written.
pub async fn deliver(
    ledger: &Ledger,
    whose: Whose<'_>,
    plans: impl Fn() -> Vec<Arc<Plan>>,
    now: impl Fn() -> Timestamp,
) -> Result<usize, JobError> {
    let mut delivered = 0;
    let mut carried = JoinSet::new();
    // Receivers that a letter is under way to, by its task: the next one waits for it.
    let mut busy: HashMap<task::Id, Receiver> = HashMap::new();
    let mut failed = None;
    loop {
        let taken = match &failed {
            None => ledger.letters(whose, now(), BAG + busy.len()),
            // What is under way is settled all the same.
            Some(_) => Ok(Vec::new()),
        };
        let mut letters = taken.unwrap_or_else(|error| {
            failed = Some(error);
            Vec::new()
        });
        letters.retain(|letter| !busy.values().any(|receiver| *receiver == of(letter)));
        letters.truncate(BAG.saturating_sub(carried.len()));
        let were_due = !letters.is_empty();
        let plans = if were_due { plans() } else { Vec::new() };
        for mut letter in letters {
            match ledger.begin_letter(&mut letter, now()) {
                Ok(true) => {
                    let plan = plans.iter().find(|plan| plan.name == letter.message.job).cloned();
                    let receiver = of(&letter);
                    let task = carried.spawn(async move {
                        let result = carry(&letter, plan.as_deref()).await;
                        (letter, result)
                    });
                    busy.insert(task.id(), receiver);
                }
                Ok(false) => {}
                Err(error) => failed = Some(error),
            }
        }
        tokio::select! {
            ended = carried.join_next_with_id() => match ended {
                Some(Ok((id, (letter, result)))) => {
                    busy.remove(&id);
                    match settled(ledger, &letter, result, now()) {
                        Ok(is_delivered) => delivered += usize::from(is_delivered),
                        Err(error) => failed = Some(error),
                    }
                }
                // It panicked and has noted nothing: it is tried again later, as after a kill.
                Some(Err(error)) => _ = busy.remove(&error.id()),
                // None of them was to be tried.
                None if were_due && failed.is_none() => {}
                None => return failed.map_or(Ok(delivered), Err),
            },
            () = tokio::time::sleep(ROUND) => {}
        }
    }
}

/// A receiver of a job: the job, and the label of its channel.
type Receiver = (String, String);

fn of(letter: &Letter) -> Receiver {
    (letter.message.job.clone(), letter.channel.clone())
}

/// Notes what became of a letter: whether it was delivered.
fn settled(
    ledger: &Ledger,
    letter: &Letter,
    result: Result<(), Undelivered>,
    now: Timestamp,
) -> Result<bool, JobError> {
    let waits = ledger.settle_letter(letter, result.as_ref().copied(), now)?;
    if let Err(undelivered) = &result {
        let (job, what) = (&letter.message.job, if waits { "waits" } else { "is given up" });
        tracing::warn!(job, "a message to {} {what}: {undelivered}", letter.channel);
    }
    Ok(result.is_ok())
}

async fn carry(letter: &Letter, plan: Option<&Plan>) -> Result<(), Undelivered> {
    match plan.and_then(|plan| Some((plan, receiver(&letter.channel, &plan.channels)?))) {
        Some((plan, channel)) => plan.post.deliver(channel, &letter.message).await,
        None => {
            Err(Undelivered { what: "the job no longer tells this receiver".to_owned(), lasting: true, after: None })
        }
    }
}

/// The channel of a label. A webhook whose URL was mended since (it held a wrong token) has another label: it is the one
/// of its host, where that has no other.
fn receiver<'a>(label: &str, channels: &'a [Channel]) -> Option<&'a Channel> {
    let host = |label: &str| label.rsplit_once('#').map(|(host, _)| host.to_owned());
    let mut mended = channels.iter().filter(|channel| {
        let now = channel.label();
        matches!(channel, Channel::Webhook(_)) && host(&now) == host(label)
    });
    let exact = channels.iter().find(|channel| channel.label() == label);
    exact.or_else(|| mended.next().filter(|_| mended.next().is_none()))
}

/// Labels of channels.
pub(super) fn labels(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(Channel::label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_whose_url_was_mended_gets_what_waits_for_it() {
        let channels = |texts: &[&str]| texts.iter().map(|text| Channel::parse(text).unwrap()).collect::<Vec<_>>();
        let old = channels(&["webhook:https://a.example/wrong", "mailto:ops@a.example"]);
        let of = |texts: &[&str]| {
            let now = channels(texts);
            old.iter().map(|old| receiver(&old.label(), &now).map(Channel::label)).collect::<Vec<_>>()
        };
        let right = "webhook:https://a.example/right";
        let mended = Channel::parse(right).unwrap().label();
        assert_eq!(of(&[right, "webhook:https://b.example/"]), [Some(mended), None]);
        assert_eq!(of(&[right, "webhook:https://a.example/third"]), [None, None], "either may be meant");
        let unmoved: Vec<_> = old.iter().map(|old| Some(old.label())).collect();
        assert_eq!(of(&[right, "webhook:https://a.example/wrong", "mailto:ops@a.example"]), unmoved);
        assert_eq!(of(&["webhook:https://b.example/wrong", "mailto:dev@a.example"]), [None, None]);
    }
}
