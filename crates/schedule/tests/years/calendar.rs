//! The calendar of the oracle: walks through every minute of a zone's wall clock, as the text of the policy says.
//!
//! It uses nothing of the crate. Each minute of the wall clock occurs once, in order: when clocks first show it, or, if
//! they skip it, at the first minute after the gap.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// A rule as the tests write it, with its results for each minute.
pub(crate) struct Calendar {
    name: &'static str,
    jitter: i64,
    first: i64,
    /// Unix seconds of the instants that the cron expression names.
    named: Vec<i64>,
    /// The state of the window for each minute since `first`: open or closed.
    open: Vec<bool>,
    windowed: bool,
    /// The due instants, each with the earliest beginning of its run.
    pub(crate) dues: Vec<(i64, i64)>,
}

/// The timing of a rule.
#[derive(Clone, Copy)]
pub(crate) struct Hours {
    pub(crate) cron: &'static str,
    pub(crate) zone: &'static str,
    pub(crate) window: Option<&'static str>,
    pub(crate) jitter: i64,
}

impl Calendar {
    /// Builds the calendar of a job from one Unix second to another, both full minutes.
    pub(crate) fn walk(name: &'static str, hours: &Hours, first: i64, end: i64) -> Self {
        let (zone, fields) = (TimeZone::get(hours.zone).unwrap(), Fields::of(hours.cron));
        let window = hours.window.map(|text| {
            let (from, to) = text.split_once('-').unwrap();
            (minute(from), (minute(to) + 1439) % 1440)
        });
        let (mut named, mut days) = (Vec::new(), Vec::<(i64, i64)>::new());
        let mut highest = wall(&zone, first) - 1;
        for instant in (first..end).step_by(60) {
            let shown = wall(&zone, instant);
            let fresh: Vec<i64> = (highest + 1..=shown).collect();
            highest = highest.max(shown);
            let due = if fields.starred_hours { fields.name(shown) } else { fresh.iter().any(|at| fields.name(*at)) };
            named.extend(due.then_some(instant));
            let Some((opens, last)) = window else { continue };
            for (late, at) in fresh.iter().enumerate() {
                // In a gap, `late` is the time after its beginning at which clocks would have shown this minute.
                let late = if *at == shown { 0 } else { late as i64 };
                if at.rem_euclid(1440) == opens {
                    days.push((instant, i64::MAX));
                }
                if at.rem_euclid(1440) == last
                    && let Some(day) = days.last_mut()
                {
                    day.1 = instant + 60 * late + 60;
                }
            }
        }
        let mut open = vec![window.is_none(); usize::try_from((end - first) / 60).unwrap()];
        for (opens, closes) in days {
            let place = |at: i64| usize::try_from((at.min(end) - first) / 60).unwrap();
            open[place(opens)..place(closes)].fill(true);
        }
        let mut calendar =
            Self { name, jitter: hours.jitter, first, named, open, windowed: window.is_some(), dues: Vec::new() };
        calendar.put_off();
        calendar
    }

    pub(crate) fn is_open(&self, at: i64) -> bool {
        self.open.get(usize::try_from((at - self.first) / 60).unwrap()).copied().unwrap_or(false)
    }

    pub(crate) fn is_windowed(&self) -> bool {
        self.windowed
    }

    /// Returns the first instant from `at` on at which the window is open (with `false`: closed).
    pub(crate) fn first_that_is(&self, open: bool, at: i64) -> i64 {
        if self.is_open(at) == open {
            return at;
        }
        let place = usize::try_from((at - self.first) / 60).unwrap();
        let until = self.open.iter().skip(place).position(|is| *is == open);
        until.map_or(i64::MAX, |minutes| self.first + 60 * i64::try_from(place + minutes).unwrap())
    }

    pub(crate) fn begins(&self, due: i64) -> i64 {
        let opens = self.first_that_is(true, due);
        if opens == due || opens == i64::MAX { opens } else { self.later(due, opens, i64::MAX) }
    }

    fn put_off(&mut self) {
        let mut dues = Vec::new();
        for (place, named) in self.named.iter().enumerate() {
            let next = self.named.get(place + 1).copied().unwrap_or(i64::MAX);
            let due = if self.is_open(*named) { self.later(*named, *named, next) } else { *named };
            dues.push((due, self.begins(due)));
        }
        self.dues = dues;
    }

    fn later(&self, due: i64, from: i64, next: i64) -> i64 {
        let closes = if self.windowed { self.first_that_is(false, from) } else { i64::MAX };
        let most = self.jitter.min(next.min(closes) - from - 1).max(0);
        let mut hasher = SipHasher13::new();
        hasher.write(self.name.as_bytes());
        hasher.write_u8(255);
        hasher.write(&due.to_le_bytes());
        from + i64::try_from(hasher.finish() % u64::try_from(most + 1).unwrap()).unwrap()
    }
}

/// Returns the minute that clocks show, counted from the epoch.
fn wall(zone: &TimeZone, instant: i64) -> i64 {
    (instant + i64::from(zone.to_offset(Timestamp::from_second(instant).unwrap()).seconds())).div_euclid(60)
}

fn minute(text: &str) -> i64 {
    let (hour, minute) = text.split_once(':').unwrap();
    hour.parse::<i64>().unwrap() * 60 + minute.parse::<i64>().unwrap()
}

/// The five fields, in the forms that the tests use.
struct Fields {
    sets: [Vec<i64>; 5],
    both_days: bool,
    starred_hours: bool,
    last_day: bool,
}

impl Fields {
    fn of(cron: &str) -> Self {
        let text: Vec<&str> = cron.split(' ').collect();
        let set = |place: usize, low: i64, high: i64| -> Vec<i64> {
            let part = |part: &str| -> Vec<i64> {
                let (range, step) = part.split_once('/').unwrap_or((part, "1"));
                let (low, high) = match range.split_once('-') {
                    Some((low, high)) => (low.parse().unwrap(), high.parse().unwrap()),
                    None if range == "*" => (low, high),
                    None if range == "L" => (99, 99),
                    None => (range.parse().unwrap(), range.parse().unwrap()),
                };
                (low..=high).step_by(step.parse().unwrap()).collect()
            };
            text[place].split(',').flat_map(part).collect()
        };
        let sets = [set(0, 0, 59), set(1, 0, 23), set(2, 1, 31), set(3, 1, 12), set(4, 0, 6)];
        Self {
            starred_hours: text[1].starts_with('*') && sets[1].len() > 1,
            both_days: text[2].starts_with('*') || text[4].starts_with('*'),
            last_day: text[2] == "L",
            sets,
        }
    }

    fn name(&self, wall: i64) -> bool {
        let [minutes, hours, days, months, weekdays] = &self.sets;
        if !minutes.contains(&(wall.rem_euclid(60))) || !hours.contains(&(wall.rem_euclid(1440) / 60)) {
            return false;
        }
        let since = wall.div_euclid(1440);
        let date = Date::constant(1970, 1, 1) + jiff::Span::new().days(since);
        let day = days.contains(&date.day().into()) || (self.last_day && date == date.last_of_month());
        let weekday = weekdays.contains(&(since + 4).rem_euclid(7));
        months.contains(&date.month().into()) && if self.both_days { day && weekday } else { day || weekday }
    }
}
