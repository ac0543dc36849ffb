//! The identity of a job's run: the time it was scheduled for, and the occurrence of that time.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

/// The identity of a run among the runs of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKey {
    /// The time it was scheduled for; it may begin later.
    pub scheduled_for: Timestamp,
    /// 0, unless the clock was set back and the same time was due again.
    pub occurrence: u32,
}

/// As its time: the occurrence distinguishes runs in the database alone.
impl Serialize for RunKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.scheduled_for.serialize(serializer)
    }
}

impl RunKey {
    /// The first run that is scheduled for a time.
    #[must_use]
    pub const fn first(scheduled_for: Timestamp) -> Self {
        Self { scheduled_for, occurrence: 0 }
    }

    pub(crate) fn milliseconds(self) -> i64 {
        self.scheduled_for.as_millisecond()
    }
}
