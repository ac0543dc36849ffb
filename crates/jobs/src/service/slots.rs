//! The slots for runs (`--max-jobs`): which jobs hold them, and which wait for one.

use super::daemon::{Service, State};
use jiff::Timestamp;
use mapwright_schedule::{ScheduleState, SkipReason};

/// Jobs that a message names as holders of the slots, at most.
const SHOWN: usize = 5;

impl Service {
    /// Passes to the agenda which runs mostly wait for their sites, and so hold no slot.
    pub(super) fn update_site_waits(&self) {
        let mut state = self.state();
        let State { running, agenda, .. } = &mut *state;
        for (job, running) in running {
            agenda.waits_for_site(job, running.live.borrow().waits);
        }
    }
}

/// Describes a run that waits for a slot: since when, and which jobs hold the slots.
pub(super) fn waiting(job: &str, state: &State, now: Timestamp) -> Option<String> {
    let since = state.agenda.waits_for_place(job, now)?;
    Some(format!("waiting for a place since {}; {}", at(since), holders(state)))
}

/// Returns the reason why no run begins for a due instant. For a job that waits for a slot, it says since when, and
/// which jobs hold the slots.
pub(super) fn reason_not_started(reason: SkipReason, job: &str, state: &State) -> String {
    match state.agenda.schedule_state(job).and_then(ScheduleState::unfinished) {
        Some(since) if reason == SkipReason::NoPlace && state.agenda.holders() != [job] => {
            format!("the run before waits for a place since {}; {}", at(since), holders(state))
        }
        _ => reason.as_str().to_owned(),
    }
}

fn at(instant: Timestamp) -> impl std::fmt::Display {
    instant.strftime("%F %H:%M UTC")
}

fn holders(state: &State) -> String {
    let jobs = state.agenda.holders();
    let more = jobs.len().saturating_sub(SHOWN);
    let shown: Vec<&str> = jobs.into_iter().take(SHOWN).collect();
    match (shown.as_slice(), more) {
        ([], _) => "no run is under way".to_owned(),
        ([one], 0) => format!("{one} holds it (--max-jobs)"),
        ([first @ .., last], 0) => format!("{} and {last} hold them (--max-jobs)", first.join(", ")),
        (shown, more) => format!("{} and {more} more hold them (--max-jobs)", shown.join(", ")),
    }
}
