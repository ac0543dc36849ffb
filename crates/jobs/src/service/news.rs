//! What people hear of a night.

use super::job_run_state::JobRunState;
use super::ledger::{Told, Trouble};
use super::night::{Ended, Keeping};
use super::plan::Plan;
use super::postman;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_schedule::Why;
use mapwright_store::RunState;
use mapwright_tell::{FindingChanges, Listing, Message, Night, NightOutcome, message};
use url::Url;

impl Keeping {
    /// What people hear of night `number`, which was due then and ended so.
    pub(super) fn news(&self, number: i64, due: Timestamp, ended: &Ended) -> Result<Told, JobError> {
        let plan = &self.plan;
        let channels = postman::labels(&plan.channels);
        let known = self.ledger.trouble(&plan.name)?;
        let why = || ended.why.clone();
        let (outcome, trouble) = match &ended.trouble {
            Some(trouble) if ended.state == JobRunState::Refused => {
                (NightOutcome::Refused { why: why() }, Trouble::Is(trouble.clone()))
            }
            Some(trouble) => (NightOutcome::Failed { why: why() }, Trouble::Is(trouble.clone())),
            None if ended.state != JobRunState::Done => {
                return Ok(Told { message: None, channels, trouble: Trouble::AsBefore });
            }
            // Others were skipped for it: that is not over.
            None if self.still_skips(due, known.as_deref())? => (NightOutcome::Done, Trouble::AsBefore),
            None if known.is_some() => (NightOutcome::Recovered, Trouble::Over),
            None => (NightOutcome::Done, Trouble::Over),
        };
        let changes = &ended.changes;
        let before = self.ledger.advice_before(&plan.name, number)?;
        let again = ended.trouble.is_some() && ended.trouble == known;
        let night = Night {
            run: (changes.run > 0).then_some(changes.run),
            listed: (changes.state == Some(RunState::Whole)).then_some(changes.counts.listed),
            listed_before: changes.listed_before,
            gained: changes.gained.clone(),
            lost: changes.lost.clone(),
            findings: changes.findings.clone(),
            advice: ended.advice.iter().flatten().filter(|line| !before.contains(line)).cloned().collect(),
            trouble: ended.trouble.clone(),
            again,
            ..quiet(plan, due, outcome, self.link.as_ref(), &format!("runs/{number}"))
        };
        Ok(Told { message: message(&night), channels, trouble })
    }

    /// Whether people know that nights of the job are skipped, and some were for the one that was due then.
    fn still_skips(&self, due: Timestamp, known: Option<&str>) -> Result<bool, JobError> {
        Ok(known == Some(JobRunState::Skipped.as_str()) && self.ledger.skipped_since(&self.plan.name, due)?)
    }
}

/// What people hear of a night that was due and did not run, in words: nothing where they meant it to be so, or know of it.
pub(super) fn of_none(
    plan: &Plan,
    due: Timestamp,
    (why, words): (Why, &str),
    link: Option<&Url>,
    known: Option<&str>,
) -> Told {
    let channels = postman::labels(&plan.channels);
    let trouble = match why {
        Why::Down | Why::CaughtUp => JobRunState::Missed.as_str(),
        Why::Unfinished | Why::Queued | Why::NoPlace => JobRunState::Skipped.as_str(),
        Why::Paused | Why::Stopped | Why::Removed => {
            return Told { message: None, channels, trouble: Trouble::AsBefore };
        }
    };
    let outcome = NightOutcome::Missed { why: words.to_owned() };
    let night = Night { again: known == Some(trouble), ..quiet(plan, due, outcome, link, "") };
    Told { message: message(&night), channels, trouble: Trouble::Is(trouble.to_owned()) }
}

/// What people hear of the service as a whole, in the name of a job.
pub(super) fn of_service(plan: &Plan, now: Timestamp, outcome: NightOutcome, link: Option<&Url>) -> Option<Message> {
    let trouble = Some("service".to_owned());
    message(&Night { trouble, ..quiet(plan, now, outcome, link, "") })
}

/// A night that changed nothing. `page` is its page on the dashboard, below that of the job.
fn quiet(plan: &Plan, due: Timestamp, outcome: NightOutcome, link: Option<&Url>, page: &str) -> Night {
    let page = format!("jobs/{}/{page}", plan.name);
    Night {
        job: plan.name.clone(),
        site: plan.urls().into_iter().next().unwrap_or_default(),
        due,
        run: None,
        outcome,
        trouble: None,
        again: false,
        listed: None,
        listed_before: None,
        gained: Listing::default(),
        lost: Listing::default(),
        findings: FindingChanges::default(),
        advice: Vec::new(),
        link: link.and_then(|link| link.join(page.trim_end_matches('/')).ok()).map(Into::into),
    }
}
