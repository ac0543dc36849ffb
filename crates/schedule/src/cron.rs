//! A cron expression, evaluated on civil time.
//!
//! croner parses and evaluates expressions, here on civil time alone, as if all clocks were UTC. `timetable.rs` decides
//! the effect of daylight saving on due instants, because croner treats only rules of one minute and one hour as fixed:
//! it would skip `0 2,14 * * *` on a spring night, and run it twice on an autumn one.

use crate::rule::{RuleError, quoted};
use croner::parser::{CronParser, Seconds, Year};
use jiff::civil::{DateTime, date};
use jiff::tz::TimeZone;

/// The longest expression, in bytes.
const MAX_LENGTH: usize = 256;
const NICKNAMES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// A cron expression that has a next time.
#[derive(Debug, Clone)]
pub(crate) struct Cron {
    parsed: croner::Cron,
    /// The five fields, separated by one space.
    fields: String,
    by_real_time: bool,
}

impl Cron {
    pub(crate) fn parse(text: &str) -> Result<Self, RuleError> {
        let text = text.trim();
        if text.len() > MAX_LENGTH {
            return Err(refused(format!("{} is longer than {MAX_LENGTH} bytes", quoted(text))));
        }
        let spelled = spelled_out(text)?;
        let fields: Vec<&str> = spelled.split_ascii_whitespace().collect();
        let &[minutes, hours, days, months, weekdays] = fields.as_slice() else {
            return Err(miscounted(text, fields.len()));
        };
        let weekdays = sundays(weekdays);
        let fields = [minutes, hours, days, months, &weekdays];
        let starred = days.starts_with('*') || weekdays.starts_with('*');
        let parser =
            CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).dom_and_dow(starred).build();
        let parsed = read(&parser, &fields.join(" "))
            .ok_or_else(|| refused(format!("{} is no cron expression{}", quoted(text), fault(&parser, &fields))))?;
        let many_hours = parsed.pattern.hours.values().len() > 1;
        let by_real_time = hours.starts_with('*') && many_hours;
        let cron = Self { parsed, fields: fields.join(" "), by_real_time };
        if cron.next(date(2000, 1, 1).at(0, 0, 0, 0)).is_none() {
            return Err(refused(format!("{} never comes: no year has such a day", quoted(text))));
        }
        Ok(cron)
    }

    /// Returns whether the hours are a star: such a rule keeps its intervals in real time, not its times of day.
    pub(crate) fn by_real_time(&self) -> bool {
        self.by_real_time
    }

    /// Returns the first civil time at or after `from` that the expression names. `from` is a full minute.
    pub(crate) fn next(&self, from: DateTime) -> Option<DateTime> {
        let from = from.to_zoned(TimeZone::UTC).ok()?;
        Some(self.parsed.find_next_occurrence(&from, true).ok()?.datetime())
    }

    /// Describes the expression in plain words.
    pub(crate) fn describe(&self) -> String {
        let fields: Vec<&str> = self.fields.split(' ').collect();
        if let [minute, hour, "*", "*", "*"] = fields.as_slice()
            && let (Ok(minute), Ok(hour)) = (minute.parse::<u8>(), hour.parse::<u8>())
        {
            return format!("every day at {hour:02}:{minute:02}");
        }
        let words = self.parsed.describe();
        let mut letters = words.trim_end_matches('.').chars();
        let words: String =
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
        format!("{words} [{}]", self.fields)
    }
}

/// Expands a nickname to its five fields; returns any other text unchanged.
fn spelled_out(text: &str) -> Result<&str, RuleError> {
    if !text.starts_with('@') {
        return Ok(text);
    }
    let known = NICKNAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    known.map(|(_, fields)| *fields).ok_or_else(|| refused(format!("{} is not known", quoted(text))))
}

/// Replaces a range from Sunday to Sunday by Sunday, which it means, because croner reads the end of the range as that
/// of the week.
fn sundays(weekdays: &str) -> String {
    let is_sunday = |item: &&str| {
        let range = item.split('/').next().unwrap_or_default();
        range.split_once('-').is_some_and(|(from, to)| [from, to].iter().all(|day| day.eq_ignore_ascii_case("sun")))
    };
    weekdays.split(',').map(|item| if is_sunday(&item) { "0" } else { item }).collect::<Vec<_>>().join(",")
}

/// Parses five fields. Refuses lists with an empty item, as cron does, because an item is missing there; croner ignores
/// them.
fn read(parser: &CronParser, fields: &str) -> Option<croner::Cron> {
    let lacks_item = fields.split(' ').flat_map(|field| field.split(',')).any(str::is_empty);
    if lacks_item { None } else { parser.parse(fields).ok() }
}

/// The names of the fields, and their ranges.
const FIELDS: [(&str, &str); 5] = [
    ("minute", "0 to 59"),
    ("hour", "0 to 23"),
    ("day of the month", "1 to 31"),
    ("month", "1 to 12 or JAN to DEC"),
    ("day of the week", "0 to 7 or SUN to SAT"),
];

/// Names the field at fault: the first that is invalid if all others are stars.
fn fault(parser: &CronParser, fields: &[&str]) -> String {
    let alone = |at: usize, field: &str| {
        let others = (0..FIELDS.len()).map(|other| if other == at { field } else { "*" });
        others.collect::<Vec<_>>().join(" ")
    };
    let mut named = fields.iter().copied().zip(FIELDS).enumerate();
    let faulty = named.find(|(at, (field, _))| read(parser, &alone(*at, field)).is_none());
    let Some((_, (field, (name, range)))) = faulty else { return String::new() };
    format!(": its {name}, {}, is none ({range})", quoted(field))
}

fn miscounted(text: &str, count: usize) -> RuleError {
    let what = match count {
        0 => "nothing is given".to_owned(),
        6 => format!("{} has six fields, and seconds are not taken", quoted(text)),
        _ => format!("{} has {count} fields instead of five", quoted(text)),
    };
    refused(what)
}

fn refused(what: String) -> RuleError {
    let hint = "write minute, hour, day of the month, month and day of the week, such as \"30 2 * * *\" for every \
                  day at 02:30, or one of @hourly, @daily, @weekly, @monthly, @yearly";
    RuleError::new("cron", what, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nexts(text: &str, count: usize) -> Vec<String> {
        let cron = Cron::parse(text).unwrap();
        let mut from = date(2026, 1, 1).at(0, 0, 0, 0);
        let mut found = Vec::new();
        while found.len() < count {
            let next = cron.next(from).unwrap();
            found.push(next.strftime("%a %Y-%m-%d %H:%M").to_string());
            from = next.checked_add(jiff::Span::new().minutes(1)).unwrap();
        }
        found
    }

    #[test]
    fn the_usual_forms_are_taken() {
        assert_eq!(nexts("30 2 * * *", 2), ["Thu 2026-01-01 02:30", "Fri 2026-01-02 02:30"]);
        assert_eq!(nexts("@weekly", 2), ["Sun 2026-01-04 00:00", "Sun 2026-01-11 00:00"]);
        assert_eq!(nexts("@Monthly", 2), ["Thu 2026-01-01 00:00", "Sun 2026-02-01 00:00"]);
        assert_eq!(nexts("0 3 L * *", 2), ["Sat 2026-01-31 03:00", "Sat 2026-02-28 03:00"]);
        assert_eq!(nexts("0 3 15W * *", 2), ["Thu 2026-01-15 03:00", "Mon 2026-02-16 03:00"]);
        assert_eq!(nexts("0 3 * * mon#2", 2), ["Mon 2026-01-12 03:00", "Mon 2026-02-09 03:00"]);
        assert_eq!(nexts("0 3 * * 7", 1), ["Sun 2026-01-04 03:00"]);
        assert_eq!(nexts("0 3 * * Sun-SUN", 2), ["Sun 2026-01-04 03:00", "Sun 2026-01-11 03:00"]);
        assert_eq!(nexts("0 3 * * SUN-MON", 2), ["Sun 2026-01-04 03:00", "Mon 2026-01-05 03:00"]);
        assert_eq!(nexts("0 3 29 2 *", 2), ["Tue 2028-02-29 03:00", "Sun 2032-02-29 03:00"]);
    }

    #[test]
    fn two_kinds_of_days_are_joined_as_vixie_cron_joins_them() {
        assert_eq!(nexts("0 3 13 * FRI", 3), ["Fri 2026-01-02 03:00", "Fri 2026-01-09 03:00", "Tue 2026-01-13 03:00"]);
        assert_eq!(nexts("0 3 */2 * MON", 2), ["Mon 2026-01-05 03:00", "Mon 2026-01-19 03:00"]);
    }

    #[test]
    fn stars_in_the_hours_go_by_real_time() {
        for (text, real) in [
            ("*/15 * * * *", true),
            ("0 */2 * * *", true),
            ("@hourly", true),
            ("*/15 2 * * *", false),
            ("0 2,14 * * *", false),
            ("0 */24 * * *", false),
            ("@daily", false),
        ] {
            assert_eq!(Cron::parse(text).unwrap().by_real_time(), real, "{text}");
        }
    }

    #[test]
    fn expressions_that_are_invalid_are_refused_in_plain_words() {
        for (text, words) in [
            ("", "nothing is given"),
            ("0 30 2 * * *", "seconds are not taken"),
            ("30 2 * *", "has 4 fields"),
            ("0 0 30 2 * * 2027", "has 7 fields"),
            ("0 0 31 2 *", "never comes"),
            ("0 0 31 4,6,9,11 *", "never comes"),
            ("@reboot", "is not known"),
            ("61 * * * *", "is no cron expression: its minute, \"61\", is none (0 to 59)"),
            ("*/0 * * * *", "its minute, \"*/0\", is none"),
            ("0 24 * * *", "its hour, \"24\", is none (0 to 23)"),
            ("0 3 * * MOM", "its day of the week, \"MOM\", is none (0 to 7 or SUN to SAT)"),
            ("1,,2 * * * *", "its minute, \"1,,2\", is none"),
            ("0 2 * * MON,", "its day of the week, \"MON,\", is none"),
            ("ten past two", "has 3 fields"),
        ] {
            let error = Cron::parse(text).unwrap_err();
            assert!(error.what.contains(words), "{text}: {error}");
            assert_eq!(error.key, "cron");
        }
        assert!(Cron::parse(&"1,".repeat(500)).unwrap_err().what.contains("longer than"));
    }
}
