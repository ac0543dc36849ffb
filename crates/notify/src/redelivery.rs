//! When a notification that was not delivered is tried again, and when it is given up.

use jiff::{SignedDuration, Timestamp};

use crate::undelivered::Undelivered;

/// The waits after the first tries; every later one is [`LATER`].
const FIRST: [SignedDuration; 4] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(15),
    SignedDuration::from_mins(60),
];
/// The wait after every further try.
const LATER: SignedDuration = SignedDuration::from_hours(1);
/// The time after which a notification that cannot be delivered is given up.
pub(crate) const DEAD_AFTER: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The longest wait that a receiver may request.
const MAX_RETRY_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// Returns the time of the next try, if try number `tries` (from 1) fails `now`.
pub(crate) fn next(tries: u32, now: Timestamp) -> Timestamp {
    let nth = usize::try_from(tries.saturating_sub(1)).unwrap_or(usize::MAX);
    later(now, FIRST.get(nth).copied().unwrap_or(LATER))
}

/// Returns the latest possible due time of a notification that was tried before `now`.
pub(crate) fn latest(now: Timestamp) -> Timestamp {
    later(now, MAX_RETRY_AFTER)
}

/// Returns the next try after this failure of a notification put at `put`; `None` if it is given up.
pub(crate) fn after(failure: &Undelivered, tries: u32, put: Timestamp, now: Timestamp) -> Option<Timestamp> {
    if failure.permanent || now >= later(put, DEAD_AFTER) {
        return None;
    }
    let requested = failure.after.map(|wait| SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX));
    let requested = requested.unwrap_or_default();
    Some(next(tries, now).max(later(now, requested.min(MAX_RETRY_AFTER))))
}

/// Adds a wait to an instant, saturating at the end of time.
fn later(instant: Timestamp, wait: SignedDuration) -> Timestamp {
    instant.checked_add(wait).unwrap_or(Timestamp::MAX)
}
