//! The real clock, which the product reads and no test can set: nights are real seconds.

use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Pause between two looks at the clock.
const POLL: Duration = Duration::from_millis(5);
/// Longest wait for a second to come. A clock that is set back meanwhile ends the test.
const PATIENCE: Duration = Duration::from_secs(10);

/// Milliseconds since 1970.
///
/// # Panics
/// Where the clock stands before that.
#[must_use]
pub fn millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a clock before the end of time")
}

/// The first whole second after now, in seconds since 1970.
#[must_use]
pub fn next_second() -> i64 {
    millis() / 1_000 + 1
}

/// Waits until this second has begun.
///
/// # Panics
/// Where it does not begin within ten seconds.
#[track_caller]
pub fn wait_for(second: i64) {
    let deadline = Instant::now() + PATIENCE;
    while millis() < second * 1_000 {
        assert!(Instant::now() < deadline, "second {second} does not come; the clock shows {} ms", millis());
        sleep(POLL);
    }
}
