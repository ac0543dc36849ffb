//! The hours of the day in which runs may be in progress.

use crate::rule::{RuleError, quoted};
use crate::zoned_clock::{Reading, ZonedClock, later};
use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Timestamp};

/// The span from one time of day to another; it passes midnight if the second is earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    opens: Time,
    /// Its last minute, which determines when it closes. The end itself may be ambiguous or non-existent if the last
    /// minute is skipped or shown twice.
    last: Time,
}

/// One occurrence of a window: from the first instant up to the second, exclusive.
type Opening = (Timestamp, Timestamp);

impl Window {
    pub(crate) fn parse(text: &str) -> Result<Self, RuleError> {
        let refused = |reason: &str| {
            let hint = "write the first and the last hour, such as \"01:00-05:00\" or \"22:00-04:00\"";
            RuleError::new("window", format!("{} {reason}", quoted(text)), hint)
        };
        let Some((from, to)) = text.split_once(['-', '–']) else { return Err(refused("has no beginning and end")) };
        let from = minute_of_day(from).filter(|minute| *minute < DAY);
        let (Some(from), Some(to)) = (from, minute_of_day(to)) else {
            return Err(refused("does not name two times of the day"));
        };
        if from == to % DAY {
            let what = format!("{} opens when it closes", quoted(text));
            return Err(RuleError::new("window", what, "leave the window out to run at any hour"));
        }
        match (time(from), time((to + DAY - 1) % DAY)) {
            (Some(opens), Some(last)) => Ok(Self { opens, last }),
            _ => Err(refused("does not name two times of the day")),
        }
    }

    /// Returns the seconds from its opening to its close on an ordinary day.
    pub(crate) fn length(&self) -> i64 {
        let minutes = i64::from(of_day(self.last)) - i64::from(of_day(self.opens)) + 1;
        60 * if minutes > 0 { minutes } else { minutes + i64::from(DAY) }
    }

    /// Returns the instant itself if the window is open then, else the next opening.
    pub(crate) fn opens(&self, zoned_clock: &ZonedClock, instant: Timestamp) -> Option<Timestamp> {
        if self.closes(zoned_clock, instant).is_some() {
            return Some(instant);
        }
        self.openings(zoned_clock, instant).map(|(opens, _)| opens).filter(|opens| *opens > instant).min()
    }

    /// Returns the instant at which the window that is open at `instant` closes.
    pub(crate) fn closes(&self, zoned_clock: &ZonedClock, instant: Timestamp) -> Option<Timestamp> {
        let open = self.openings(zoned_clock, instant).filter(|(opens, closes)| *opens <= instant && instant < *closes);
        open.map(|(_, closes)| closes).max()
    }

    /// Returns the occurrences near an instant, with enough days on each side for a date that is missing.
    fn openings(&self, zoned_clock: &ZonedClock, instant: Timestamp) -> impl Iterator<Item = Opening> {
        let today = zoned_clock.shows(instant).date();
        (-1..=3).filter_map(move |days: i8| self.opening(zoned_clock, today.checked_add(Span::new().days(days)).ok()?))
    }

    fn opening(&self, zoned_clock: &ZonedClock, date: Date) -> Option<Opening> {
        let opens = match zoned_clock.reading(date.to_datetime(self.opens))? {
            Reading::Shown(instant) | Reading::Skipped { resumes: instant, .. } => instant,
            Reading::NonExistent { .. } => return None,
        };
        let closes = match zoned_clock.reading(self.last_minute(date)?)? {
            Reading::Shown(instant) | Reading::Skipped { unchanged: instant, .. } => later(instant, 60),
            Reading::NonExistent { resumes } => resumes,
        };
        Some((opens, closes))
    }

    fn last_minute(&self, date: Date) -> Option<DateTime> {
        let date = if self.last < self.opens { date.tomorrow().ok()? } else { date };
        Some(date.to_datetime(self.last))
    }
}

impl std::fmt::Display for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = of_day(self.last) + 1;
        write!(f, "{}–{:02}:{:02}", self.opens.strftime("%H:%M"), end / 60, end % 60)
    }
}

/// Minutes of a day.
const DAY: u16 = 24 * 60;

fn of_day(time: Time) -> u16 {
    u16::from(time.hour().unsigned_abs()) * 60 + u16::from(time.minute().unsigned_abs())
}

fn time(minute: u16) -> Option<Time> {
    Time::new(i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?, 0, 0).ok()
}

/// Parses `H:MM` or `HH:MM`, up to `24:00`, as the minute of the day.
fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.trim().split_once(':')?;
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !matches!(hour.len(), 1 | 2) || minute.len() != 2 || !digits(hour) || !digits(minute) {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (minute < 60 && hour * 60 + minute <= DAY).then_some(hour * 60 + minute)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Returns the occurrence that is open at an instant, or opens next after it.
    fn opening(zone: &str, window: &str, instant: &str) -> (String, String) {
        let (zoned_clock, window) = (ZonedClock::named(zone).unwrap(), Window::parse(window).unwrap());
        let opens = window.opens(&zoned_clock, at(instant)).unwrap();
        (opens.to_string(), window.closes(&zoned_clock, opens).unwrap().to_string())
    }

    #[track_caller]
    fn expect(zone: &str, window: &str, instant: &str, opens: &str, closes: &str) {
        assert_eq!(opening(zone, window, instant), (at(opens).to_string(), at(closes).to_string()));
    }

    #[test]
    fn both_dashes_are_read_and_written_one_way() {
        for text in ["01:00–05:00", "1:00-5:00", " 01:00 - 05:00 "] {
            assert_eq!(Window::parse(text).unwrap().to_string(), "01:00–05:00");
        }
        assert_eq!(Window::parse("22:00-24:00").unwrap().to_string(), "22:00–24:00");
        assert_eq!(Window::parse("22:00-04:00").unwrap().length(), 6 * 3600);
    }

    #[test]
    fn what_is_no_window_is_refused() {
        for text in ["", "01:00", "01:00-", "1-5", "01:00-25:00", "24:00-01:00", "01:60-02:00", "+1:00-02:00", "a-b"] {
            assert_eq!(Window::parse(text).unwrap_err().key, "window", "{text}");
        }
        for text in ["01:00-01:00", "00:00-24:00"] {
            assert!(Window::parse(text).unwrap_err().hint.contains("leave the window out"), "{text}");
        }
    }

    #[test]
    fn an_open_window_stays_where_it_is_and_a_closed_one_opens_next() {
        let (zoned_clock, window) = (ZonedClock::named("UTC").unwrap(), Window::parse("22:00-04:00").unwrap());
        assert_eq!(window.opens(&zoned_clock, at("2026-01-02T03:59:59Z")), Some(at("2026-01-02T03:59:59Z")));
        assert_eq!(window.opens(&zoned_clock, at("2026-01-02T04:00:00Z")), Some(at("2026-01-02T22:00:00Z")));
        assert_eq!(window.closes(&zoned_clock, at("2026-01-02T23:00:00Z")), Some(at("2026-01-03T04:00:00Z")));
        assert_eq!(window.closes(&zoned_clock, at("2026-01-02T04:00:00Z")), None);
    }

    #[test]
    fn daylight_saving_lengthens_or_shortens_an_occurrence_but_never_loses_one() {
        // The window is an hour shorter in spring, and an hour longer in autumn.
        expect("Europe/Berlin", "01:00-05:00", "2026-03-28T12:00Z", "2026-03-29T00:00Z", "2026-03-29T03:00Z");
        expect("Europe/Berlin", "01:00-05:00", "2026-10-24T12:00Z", "2026-10-24T23:00Z", "2026-10-25T04:00Z");
        // A window entirely in the gap opens right after it, with its usual length.
        expect("Europe/Berlin", "02:15-02:45", "2026-03-28T12:00Z", "2026-03-29T01:00Z", "2026-03-29T01:45Z");
        // A window that ends in the gap, or at the end of the gap, is open for instants that are due in the gap.
        expect("Europe/Berlin", "01:00-02:30", "2026-03-28T12:00Z", "2026-03-29T00:00Z", "2026-03-29T01:30Z");
        expect("Europe/Berlin", "01:00-03:00", "2026-03-28T12:00Z", "2026-03-29T00:00Z", "2026-03-29T02:00Z");
        // A window in the repeated hour opens once.
        expect("Europe/Berlin", "02:00-02:30", "2026-10-24T12:00Z", "2026-10-25T00:00Z", "2026-10-25T00:30Z");
        expect("Europe/Berlin", "02:00-02:30", "2026-10-25T01:00Z", "2026-10-26T01:00Z", "2026-10-26T01:30Z");
        // Midnight does not exist on this date.
        expect("Africa/Cairo", "00:00-04:00", "2026-04-23T12:00Z", "2026-04-23T22:00Z", "2026-04-24T01:00Z");
    }

    #[test]
    fn a_date_that_does_not_exist_has_no_occurrence() {
        expect("Pacific/Apia", "01:00-05:00", "2011-12-29T16:00Z", "2011-12-30T11:00Z", "2011-12-30T15:00Z");
        expect("Pacific/Apia", "22:00-04:00", "2011-12-30T00:00Z", "2011-12-30T08:00Z", "2011-12-30T10:00Z");
    }
}
