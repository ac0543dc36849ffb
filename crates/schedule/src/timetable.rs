//! The rule of one job, and its due instants.

use crate::cron::Cron;
use crate::jitter::jitter;
use crate::rule::{CatchUp, Overlap, RuleError, ScheduleRule};
use crate::window::Window;
use crate::zoned_clock::{Reading, ZonedClock, earlier, later};
use jiff::civil::DateTime;
use jiff::{Span, Timestamp};
use std::time::Duration;

/// Longest jitter, in seconds: a day.
const MAX_JITTER: u64 = 86_400;

/// The rule of one job, valid by construction.
#[derive(Debug, Clone)]
pub struct Timetable {
    name: String,
    /// `None` if the job runs by hand only.
    cron: Option<Cron>,
    zoned_clock: ZonedClock,
    window: Option<Window>,
    /// Seconds.
    jitter: u32,
    overlap: Overlap,
    catch_up: CatchUp,
}

impl Timetable {
    /// Checks a rule. The name of the job seeds its jitter.
    ///
    /// # Errors
    /// If the cron expression, the zone, the window or the jitter is invalid, or the expression names a day that never
    /// comes.
    pub fn new(rule: &ScheduleRule<'_>, name: &str) -> Result<Self, RuleError> {
        let window = rule.window.map(Window::parse).transpose()?;
        Ok(Self {
            name: name.to_owned(),
            cron: rule.cron.map(Cron::parse).transpose()?,
            zoned_clock: ZonedClock::named(rule.zone)?,
            jitter: jitter_within(rule.jitter, window.as_ref())?,
            window,
            overlap: rule.overlap,
            catch_up: rule.catch_up,
        })
    }

    /// Returns the next due instant after `instant`, jitter included; `None` if none is left in the supported years.
    #[must_use]
    pub fn due_after(&self, instant: Timestamp) -> Option<Timestamp> {
        self.dues(instant).next()
    }

    /// Returns all due instants after `from`, in order.
    pub fn dues(&self, from: Timestamp) -> impl Iterator<Item = Timestamp> {
        // A jittered instant stays before the next one, so only the last one before `from` may still lie ahead.
        let put_off = self.last_named(from).map(|named| self.put_off(named)).filter(move |due| *due > from);
        let named = std::iter::successors(self.named_after(from), |named| self.named_after(*named));
        put_off.into_iter().chain(named.map(|named| self.put_off(named)))
    }

    /// Returns the instant itself if the window is open then or there is none, else the next opening.
    #[must_use]
    pub fn opens(&self, instant: Timestamp) -> Timestamp {
        let opens = self.window.as_ref().map(|window| window.opens(&self.zoned_clock, instant));
        // A window that does not open again in the supported years never opens.
        opens.map_or(instant, |opens| opens.unwrap_or(Timestamp::MAX))
    }

    /// Returns the instant at which the window that is open at `instant` closes; `None` if none is open.
    #[must_use]
    pub fn closes(&self, instant: Timestamp) -> Option<Timestamp> {
        self.window.as_ref()?.closes(&self.zoned_clock, instant)
    }

    /// Returns the earliest instant at which a run for this due instant may begin: the instant itself if the window is
    /// open then, else the next opening plus the jitter.
    #[must_use]
    pub fn begins(&self, due: Timestamp) -> Timestamp {
        let opens = self.opens(due);
        if opens == due { due } else { self.delayed(due, opens, None) }
    }

    /// Returns whether runs may be in progress at this instant.
    #[must_use]
    pub fn is_open(&self, instant: Timestamp) -> bool {
        self.window.is_none() || self.closes(instant).is_some()
    }

    /// Returns the policy for due instants that meet an unfinished run.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        self.overlap
    }

    /// Returns the policy for due instants that pass while the service is down.
    #[must_use]
    pub fn catch_up(&self) -> CatchUp {
        self.catch_up
    }

    /// Describes the rule in plain words.
    #[must_use]
    pub fn describe(&self) -> String {
        let Some(cron) = &self.cron else { return "by hand alone".to_owned() };
        let mut words = format!("{} ({} time)", cron.describe(), self.zoned_clock.name());
        if let Some(window) = &self.window {
            words.push_str(&format!(", within {window}"));
        }
        if self.jitter > 0 {
            words.push_str(&format!(", up to {} later", plain(Duration::from_secs(self.jitter.into()))));
        }
        words.push_str(match self.overlap {
            Overlap::Skip => "; skipped while a run is unfinished",
            Overlap::Queue => "; queued while a run is unfinished",
        });
        words.push_str(match self.catch_up {
            CatchUp::Once => "; a run missed while the service was down is run once when it starts",
            CatchUp::None => "; a run missed while the service was down is not run later",
        });
        words
    }

    /// Returns the due instants after `settled` up to `now`, in order; the newest `most` if there are more.
    pub(crate) fn passed(&self, settled: Timestamp, now: Timestamp, max_dues: usize) -> Vec<Timestamp> {
        // Looks back in growing steps, so that a job unsettled for decades costs no more than the instants returned.
        let mut back = 86_400;
        if self.due_after(settled).is_none_or(|due| due > now) {
            return Vec::new();
        }
        loop {
            let from = earlier(now, back).max(settled);
            let mut dues: Vec<Timestamp> = self.dues(from).take_while(|due| *due <= now).collect();
            if from == settled || dues.len() >= max_dues {
                return dues.split_off(dues.len().saturating_sub(max_dues));
            }
            back *= 2;
        }
    }

    /// Returns the first instant after another that the cron expression names.
    fn named_after(&self, after: Timestamp) -> Option<Timestamp> {
        let cron = self.cron.as_ref()?;
        if cron.by_real_time() { self.shown_after(cron, after) } else { self.next_fixed(cron, after) }
    }

    /// Evaluates fixed hours: each time of day occurs once, when clocks first show it, or after the gap that skips it.
    fn next_fixed(&self, cron: &Cron, after: Timestamp) -> Option<Timestamp> {
        let mut civil = full_minute(self.zoned_clock.shows(after))?;
        loop {
            civil = cron.next(civil)?;
            match self.zoned_clock.reading(civil)? {
                Reading::Shown(instant) | Reading::Skipped { resumes: instant, .. } if instant > after => {
                    return Some(instant);
                }
                _ => civil = civil.checked_add(Span::new().minutes(1)).ok()?,
            }
        }
    }

    /// Evaluates starred hours by real time: each minute that clocks show, from one clock change to the next.
    fn shown_after(&self, cron: &Cron, after: Timestamp) -> Option<Timestamp> {
        let mut from = after.checked_add(Span::new().nanoseconds(1)).ok()?;
        loop {
            let offset = self.zoned_clock.offset(from);
            let shown = cron.next(next_full_minute(offset.to_datetime(from))?)?;
            let instant = offset.to_timestamp(shown).ok()?;
            match self.zoned_clock.next_change(from) {
                Some(change) if change <= instant => from = change,
                _ => return Some(instant),
            }
        }
    }

    /// Returns the last named instant up to `instant` that jitter might delay beyond it.
    fn last_named(&self, instant: Timestamp) -> Option<Timestamp> {
        let max_jitter = i64::from(self.jitter);
        let mut back = max_jitter.min(60);
        while back > 0 {
            let first = self.named_after(earlier(instant, back + 1));
            let named = std::iter::successors(first, |named| self.named_after(*named));
            if let Some(last) = named.take_while(|named| *named <= instant).last() {
                return Some(last);
            }
            back = if back < max_jitter { max_jitter.min(back * 4) } else { 0 };
        }
        None
    }

    /// Adds the jitter to a named instant. An instant outside the window gets none here: its run waits for the opening,
    /// and is delayed then.
    fn put_off(&self, named: Timestamp) -> Timestamp {
        if self.jitter == 0 || !self.is_open(named) {
            return named;
        }
        self.delayed(named, named, self.named_after(named))
    }

    /// Delays a beginning by the jitter of this due instant, but not beyond the close of the window or the next
    /// instant.
    fn delayed(&self, due: Timestamp, begins: Timestamp, next: Option<Timestamp>) -> Timestamp {
        let room =
            [self.closes(begins), next].into_iter().flatten().map(|end| end.as_second() - begins.as_second() - 1);
        let max_jitter = room.fold(i64::from(self.jitter), i64::min).max(0);
        let seconds = jitter(&self.name, due.as_second(), u32::try_from(max_jitter).unwrap_or(self.jitter));
        later(begins, seconds.into())
    }
}

fn jitter_within(jitter: Duration, window: Option<&Window>) -> Result<u32, RuleError> {
    let seconds = jitter.as_secs();
    if let Some(window) = window
        && i64::try_from(seconds).is_ok_and(|seconds| seconds >= window.length())
    {
        let what = format!("{} is as long as the window {window}", plain(jitter));
        return Err(RuleError::new("jitter", what, "make it shorter than the window"));
    }
    match u32::try_from(seconds) {
        Ok(short) if seconds <= MAX_JITTER => Ok(short),
        _ => Err(RuleError::new("jitter", format!("{} is longer than a day", plain(jitter)), "make it a day at most")),
    }
}

/// Renders a duration for people.
fn plain(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds > 0 && seconds % 3600 == 0 => format!("{} h", seconds / 3600),
        seconds if seconds > 0 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

fn full_minute(civil: DateTime) -> Option<DateTime> {
    civil.with().second(0).subsec_nanosecond(0).build().ok()
}

fn next_full_minute(civil: DateTime) -> Option<DateTime> {
    let minute = full_minute(civil)?;
    if minute == civil { Some(minute) } else { minute.checked_add(Span::new().minutes(1)).ok() }
}

#[cfg(test)]
#[path = "timetable_tests.rs"]
mod tests;
