//! When a letter that was not delivered is tried again.

use jiff::{SignedDuration, Timestamp};

use crate::undelivered::Undelivered;

/// Waits after the first tries; after these comes [`LATER`] again and again.
const FIRST: [SignedDuration; 4] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(15),
    SignedDuration::from_mins(60),
];
/// The wait after every further try.
const LATER: SignedDuration = SignedDuration::from_hours(1);
/// A letter that cannot be delivered for so long is given up.
pub(crate) const LONGEST: SignedDuration = SignedDuration::from_hours(3 * 24);
/// No wait that a receiver asks for is longer.
const LONGEST_ASKED: SignedDuration = SignedDuration::from_hours(24);

/// When the try after the one of this number (from 1) is made, if that one fails `now`.
pub(crate) fn next(tries: u32, now: Timestamp) -> Timestamp {
    let nth = usize::try_from(tries.saturating_sub(1)).unwrap_or(usize::MAX);
    later(now, FIRST.get(nth).copied().unwrap_or(LATER))
}

/// Later than this no letter is due that was tried before `now`.
pub(crate) fn latest(now: Timestamp) -> Timestamp {
    later(now, LONGEST_ASKED)
}

/// When a letter put at `put` is tried again after this failure; `None` where it is given up.
pub(crate) fn after(failure: &Undelivered, tries: u32, put: Timestamp, now: Timestamp) -> Option<Timestamp> {
    if failure.lasting || now >= later(put, LONGEST) {
        return None;
    }
    let asked = failure.after.map(|wait| SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX));
    let asked = asked.unwrap_or_default();
    Some(next(tries, now).max(later(now, asked.min(LONGEST_ASKED))))
}

/// The end of time stands for what lies beyond it.
fn later(instant: Timestamp, wait: SignedDuration) -> Timestamp {
    instant.checked_add(wait).unwrap_or(Timestamp::MAX)
}
