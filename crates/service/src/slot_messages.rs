//! Messages about the slots for runs: which jobs hold them, and which wait for one.
//!
//! [`mapwright_schedule::Agenda`] gives the slots (`--max-jobs`); [`mapwright_crawl::CrawlSpeed`] judges whether a run
//! mostly waits for its site, and holds none.

use crate::service::{Service, State};
use jiff::Timestamp;
use mapwright_schedule::{ScheduleState, SkipReason};

/// Jobs that a message names as holders of the slots, at most.
const SHOWN: usize = 5;

impl Service {
    /// Passes to the agenda which runs mostly wait for their sites, and so hold no slot.
    pub(crate) fn update_site_waits(&self) {
        let mut state = self.state();
        let State { running, agenda, .. } = &mut *state;
        for (job, running) in running {
            agenda.waits_for_site(job, running.live.borrow().waits);
        }
    }
}

/// Describes a run that waits for a slot: since when, and which jobs hold the slots.
pub(crate) fn waiting(job: &str, state: &State, now: Timestamp) -> Option<String> {
    let since = state.agenda.waits_for_slot(job, now)?;
    let holders = holders(&state.agenda.holders());
    Some(format!("waiting for a slot since {}; {holders}", at(since)))
}

/// Returns the reason why no run begins for a due instant. For a job that waits for a slot, it says since when, and
/// which other jobs hold the slots: the job itself may have got one since the decision.
pub(crate) fn reason_not_started(reason: SkipReason, job: &str, state: &State) -> String {
    let others: Vec<&str> = state.agenda.holders().into_iter().filter(|holder| *holder != job).collect();
    match state.agenda.schedule_state(job).and_then(ScheduleState::unfinished) {
        Some(since) if reason == SkipReason::NoSlot && !others.is_empty() => {
            format!("the previous run waits for a slot since {}; {}", at(since), holders(&others))
        }
        _ => reason.as_str().to_owned(),
    }
}

fn at(instant: Timestamp) -> impl std::fmt::Display {
    instant.strftime("%F %H:%M UTC")
}

fn holders(jobs: &[&str]) -> String {
    let more = jobs.len().saturating_sub(SHOWN);
    match (jobs.get(..SHOWN).unwrap_or(jobs), more) {
        ([], _) => "no run is under way".to_owned(),
        ([one], 0) => format!("{one} holds it (--max-jobs)"),
        ([first @ .., last], 0) => format!("{} and {last} hold them (--max-jobs)", first.join(", ")),
        (shown, more) => format!("{} and {more} more hold them (--max-jobs)", shown.join(", ")),
    }
}
