//! The wall clock of one zone: converts its times to instants, and back.

use crate::rule::{RuleError, quoted};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// The longest daylight saving change. A longer jump removes a date from the calendar (Samoa, 2011). Vixie cron uses
/// the same limit.
const MAX_CHANGE: SignedDuration = SignedDuration::from_hours(3);

/// The wall clock of one zone.
#[derive(Debug, Clone)]
pub(crate) struct ZonedClock {
    zone: TimeZone,
    name: String,
}

/// The instant of a time of day on a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// This instant; for a time that clocks show twice, the first one.
    Shown(Timestamp),
    /// None: the clocks skip this time when they are put forward.
    Skipped {
        /// The first instant after the gap.
        resumes: Timestamp,
        /// The instant of this time if the clocks had not been put forward.
        unchanged: Timestamp,
    },
    /// None: the date does not exist in the calendar of this zone.
    NonExistent {
        /// The first instant of the following date.
        resumes: Timestamp,
    },
}

impl ZonedClock {
    pub(crate) fn named(name: &str) -> Result<Self, RuleError> {
        const HINT: &str = "write an IANA name such as \"Europe/Berlin\", or \"UTC\"";
        if name.trim().is_empty() || name.eq_ignore_ascii_case("local") {
            return Err(RuleError::new("zone", "no time zone is named", HINT));
        }
        match TimeZone::get(name) {
            Ok(zone) if !zone.is_unknown() => {
                let name = zone.iana_name().unwrap_or(name).to_owned();
                Ok(Self { zone, name })
            }
            _ => Err(RuleError::new("zone", format!("there is no time zone {}", quoted(name)), HINT)),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn shows(&self, instant: Timestamp) -> DateTime {
        self.zone.to_datetime(instant)
    }

    pub(crate) fn offset(&self, instant: Timestamp) -> Offset {
        self.zone.to_offset(instant)
    }

    /// Returns the next clock change after an instant.
    pub(crate) fn next_change(&self, after: Timestamp) -> Option<Timestamp> {
        self.zone.following(after).next().map(|change| change.timestamp())
    }

    /// Returns the reading of a civil time; `None` beyond the supported years.
    pub(crate) fn reading(&self, civil: DateTime) -> Option<Reading> {
        match self.zone.to_ambiguous_timestamp(civil).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                Some(Reading::Shown(offset.to_timestamp(civil).ok()?))
            }
            AmbiguousOffset::Gap { before, after } => self.skipped(civil, before, after),
        }
    }

    fn skipped(&self, civil: DateTime, before: Offset, after: Offset) -> Option<Reading> {
        let unchanged = before.to_timestamp(civil).ok()?;
        let early = after.to_timestamp(civil).ok()?;
        let resumes = self.next_change(early).unwrap_or(unchanged);
        if unchanged.duration_since(early) > MAX_CHANGE {
            return Some(Reading::NonExistent { resumes });
        }
        Some(Reading::Skipped { resumes, unchanged })
    }
}

/// Returns the instant this many seconds later, or the last supported one.
pub(crate) fn later(instant: Timestamp, seconds: i64) -> Timestamp {
    instant.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

/// Returns the instant this many seconds earlier, or the first supported one.
pub(crate) fn earlier(instant: Timestamp, seconds: i64) -> Timestamp {
    instant.checked_sub(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(zone: &str, civil: &str) -> Reading {
        ZonedClock::named(zone).unwrap().reading(civil.parse().unwrap()).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_time_shown_twice_is_read_at_the_first() {
        assert_eq!(reading("Europe/Berlin", "2026-10-25T02:30"), Reading::Shown(at("2026-10-25T00:30Z")));
        assert_eq!(reading("Australia/Lord_Howe", "2026-04-05T01:45"), Reading::Shown(at("2026-04-04T14:45Z")));
    }

    #[test]
    fn a_time_in_the_gap_is_skipped() {
        let skipped = |resumes, unchanged| Reading::Skipped { resumes: at(resumes), unchanged: at(unchanged) };
        assert_eq!(reading("Europe/Berlin", "2026-03-29T02:30"), skipped("2026-03-29T01:00Z", "2026-03-29T01:30Z"));
        assert_eq!(reading("Antarctica/Troll", "2026-03-29T01:30"), skipped("2026-03-29T01:00Z", "2026-03-29T01:30Z"));
        assert_eq!(
            reading("Australia/Lord_Howe", "2026-10-04T02:10"),
            skipped("2026-10-03T15:30Z", "2026-10-03T15:40Z")
        );
        assert_eq!(reading("America/Sao_Paulo", "2018-11-04T00:00"), skipped("2018-11-04T03:00Z", "2018-11-04T03:00Z"));
    }

    #[test]
    fn a_date_that_never_was_is_struck() {
        assert_eq!(
            reading("Pacific/Apia", "2011-12-30T02:00"),
            Reading::NonExistent { resumes: at("2011-12-30T10:00Z") }
        );
    }

    #[test]
    fn a_zone_is_named_or_refused() {
        assert_eq!(ZonedClock::named("UTC").unwrap().name(), "UTC");
        assert_eq!(ZonedClock::named("europe/berlin").unwrap().name(), "Europe/Berlin");
        for bad in ["", " ", "local", "Local", "Europe/Berln", "CET+1", "../../etc/passwd", "+02:00"] {
            let error = ZonedClock::named(bad).unwrap_err();
            assert_eq!(error.key, "zone", "{bad}");
            assert!(error.hint.contains("IANA"), "{bad}");
        }
    }
}
