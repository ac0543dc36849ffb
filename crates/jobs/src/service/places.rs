//! Places for runs: who holds them, and who waits for one.

use super::nightly::{Nightly, State};
use jiff::Timestamp;
use mapwright_schedule::{Standing, Why};

/// Jobs that are named as those that hold the places, at most.
const SHOWN: usize = 5;

impl Nightly {
    /// Tells the agenda which runs mostly wait for their sites, and so hold no place.
    pub(super) fn note_who_waits(&self) {
        let mut state = self.state();
        let State { running, agenda, .. } = &mut *state;
        for (job, running) in running {
            agenda.waits_for_site(job, running.live.borrow().waits);
        }
    }
}

/// Of a job's run that waits for a place: since when, and who holds the places.
pub(super) fn waiting(job: &str, state: &State, now: Timestamp) -> Option<String> {
    let since = state.agenda.waits_for_place(job, now)?;
    Some(format!("waiting for a place since {}; {}", at(since), holders(state)))
}

/// Why no run begins for a due instant; of one that waits for a place, since when, and who holds them.
pub(super) fn of_none(why: Why, job: &str, state: &State) -> String {
    match state.agenda.standing(job).and_then(Standing::unfinished) {
        Some(since) if why == Why::NoPlace => {
            format!("the run before waits for a place since {}; {}", at(since), holders(state))
        }
        _ => why.as_str().to_owned(),
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
