//! The clocks on the walls of one zone: from what they show to instants, and back.

use crate::rule::{RuleError, quoted};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// Clocks that jump further than this strike a date from the calendar (Samoa, 2011); it is no change of daylight
/// saving. Vixie cron draws the line at the same length.
const LONGEST_CHANGE: SignedDuration = SignedDuration::from_hours(3);

/// The clocks of one zone.
#[derive(Debug, Clone)]
pub(crate) struct Wall {
    zone: TimeZone,
    name: String,
}

/// When clocks show a time of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// At this instant; for a time that clocks show twice, at the first.
    Shown(Timestamp),
    /// Never: a spring change skips it.
    Skipped {
        /// The first instant after the gap.
        resumes: Timestamp,
        /// When clocks would show it had they not been put forward.
        unchanged: Timestamp,
    },
    /// Never: the date is not in the calendar of this zone.
    Struck {
        /// The first instant of the date that follows.
        resumes: Timestamp,
    },
}

impl Wall {
    pub(crate) fn named(name: &str) -> Result<Self, RuleError> {
        const REMEDY: &str = "write an IANA name such as \"Europe/Berlin\", or \"UTC\"";
        if name.trim().is_empty() || name.eq_ignore_ascii_case("local") {
            return Err(RuleError::new("zone", "no time zone is named", REMEDY));
        }
        match TimeZone::get(name) {
            Ok(zone) if !zone.is_unknown() => {
                let name = zone.iana_name().unwrap_or(name).to_owned();
                Ok(Self { zone, name })
            }
            _ => Err(RuleError::new("zone", format!("there is no time zone {}", quoted(name)), REMEDY)),
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

    /// When clocks are next changed after an instant.
    pub(crate) fn next_change(&self, after: Timestamp) -> Option<Timestamp> {
        self.zone.following(after).next().map(|change| change.timestamp())
    }

    /// When clocks show this. `None` beyond the years that can be told.
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
        if unchanged.duration_since(early) > LONGEST_CHANGE {
            return Some(Reading::Struck { resumes });
        }
        Some(Reading::Skipped { resumes, unchanged })
    }
}

/// An instant so many seconds later, or the last that can be told.
pub(crate) fn later(instant: Timestamp, seconds: i64) -> Timestamp {
    instant.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

/// An instant so many seconds earlier, or the first that can be told.
pub(crate) fn earlier(instant: Timestamp, seconds: i64) -> Timestamp {
    instant.checked_sub(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(zone: &str, civil: &str) -> Reading {
        Wall::named(zone).unwrap().reading(civil.parse().unwrap()).unwrap()
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
        assert_eq!(reading("Pacific/Apia", "2011-12-30T02:00"), Reading::Struck { resumes: at("2011-12-30T10:00Z") });
    }

    #[test]
    fn a_zone_is_named_or_refused() {
        assert_eq!(Wall::named("UTC").unwrap().name(), "UTC");
        assert_eq!(Wall::named("europe/berlin").unwrap().name(), "Europe/Berlin");
        for bad in ["", " ", "local", "Local", "Europe/Berln", "CET+1", "../../etc/passwd", "+02:00"] {
            let error = Wall::named(bad).unwrap_err();
            assert_eq!(error.key, "zone", "{bad}");
            assert!(error.remedy.contains("IANA"), "{bad}");
        }
    }
}
