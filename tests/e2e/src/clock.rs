//! The real clock, which the product reads and no test can set. A simulated day therefore takes real seconds.

use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Pause between two readings of the clock.
const POLL: Duration = Duration::from_millis(5);
/// Longest wait for a second to begin. The test fails if the clock is set back meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);

/// Milliseconds since 1970.
pub fn millis() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a clock before the end of time")
}

/// The next full second, in seconds since 1970.
pub fn next_second() -> i64 {
    millis() / 1_000 + 1
}

/// Waits until this second has begun.
#[track_caller]
pub fn wait_for(second: i64) {
    let deadline = Instant::now() + PATIENCE;
    while millis() < second * 1_000 {
        assert!(Instant::now() < deadline, "second {second} does not come; the clock shows {} ms", millis());
        sleep(POLL);
    }
}
