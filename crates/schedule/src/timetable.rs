//! One job's rule, and the instants it names.

use crate::cron::Cron;
use crate::jitter::jitter;
use crate::rule::{CatchUp, Overlap, Rule, RuleError};
use crate::wall::{Reading, Wall, earlier, later};
use crate::window::Window;
use jiff::civil::DateTime;
use jiff::{Span, Timestamp};
use std::time::Duration;

/// Longest jitter, in seconds: a day.
const LONGEST_JITTER: u64 = 86_400;

/// One job's rule, valid by construction.
#[derive(Debug, Clone)]
pub struct Timetable {
    name: String,
    /// `None` where the job runs by hand alone.
    cron: Option<Cron>,
    wall: Wall,
    window: Option<Window>,
    /// Seconds.
    jitter: u32,
    overlap: Overlap,
    catch_up: CatchUp,
}

impl Timetable {
    /// Checks a rule. The name of the job decides how its jitter falls.
    ///
    /// # Errors
    /// When the cron expression, the zone, the window or the jitter is none, or the expression names no day that ever
    /// comes.
    pub fn new(rule: &Rule<'_>, name: &str) -> Result<Self, RuleError> {
        let window = rule.window.map(Window::parse).transpose()?;
        Ok(Self {
            name: name.to_owned(),
            cron: rule.cron.map(Cron::parse).transpose()?,
            wall: Wall::named(rule.zone)?,
            jitter: jitter_within(rule.jitter, window.as_ref())?,
            window,
            overlap: rule.overlap,
            catch_up: rule.catch_up,
        })
    }

    /// The next due instant after `instant`, jitter included. `None` where none is left in the years that can be told.
    #[must_use]
    pub fn due_after(&self, instant: Timestamp) -> Option<Timestamp> {
        self.dues(instant).next()
    }

    /// All due instants after `from`, in their order.
    pub fn dues(&self, from: Timestamp) -> impl Iterator<Item = Timestamp> {
        // A jittered instant stays before the next: of those named before, the last alone may still lie ahead.
        let put_off = self.last_named(from).map(|named| self.put_off(named)).filter(move |due| *due > from);
        let named = std::iter::successors(self.named_after(from), |named| self.named_after(*named));
        put_off.into_iter().chain(named.map(|named| self.put_off(named)))
    }

    /// The instant itself if the window is open then, else when it next opens. Without a window, the instant itself.
    #[must_use]
    pub fn opens(&self, instant: Timestamp) -> Timestamp {
        let opens = self.window.as_ref().map(|window| window.opens(&self.wall, instant));
        // A window that does not open again in the years that can be told never opens.
        opens.map_or(instant, |opens| opens.unwrap_or(Timestamp::MAX))
    }

    /// When the window that is open at `instant` closes. `None` without a window, or when it is not open then.
    #[must_use]
    pub fn closes(&self, instant: Timestamp) -> Option<Timestamp> {
        self.window.as_ref()?.closes(&self.wall, instant)
    }

    /// When a run for this due instant may begin at the earliest: at once if the window is open then, else at the next
    /// opening, put off by the jitter.
    #[must_use]
    pub fn begins(&self, due: Timestamp) -> Timestamp {
        let opens = self.opens(due);
        if opens == due { due } else { self.delayed(due, opens, None) }
    }

    /// Whether runs may go on at this instant.
    #[must_use]
    pub fn is_open(&self, instant: Timestamp) -> bool {
        self.window.is_none() || self.closes(instant).is_some()
    }

    /// What becomes of due instants that meet an unfinished run.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        self.overlap
    }

    /// What becomes of due instants that pass while the service is down.
    #[must_use]
    pub fn catch_up(&self) -> CatchUp {
        self.catch_up
    }

    /// The rule in plain words.
    #[must_use]
    pub fn describe(&self) -> String {
        let Some(cron) = &self.cron else { return "by hand alone".to_owned() };
        let mut words = format!("{} ({} time)", cron.describe(), self.wall.name());
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
            CatchUp::Once => "; made up for once after downtime",
            CatchUp::None => "; not made up for after downtime",
        });
        words
    }

    /// The due instants that passed after `settled` up to `now`, in their order; of more than `most` the newest.
    pub(crate) fn passed(&self, settled: Timestamp, now: Timestamp, most: usize) -> Vec<Timestamp> {
        // Back in growing steps, so that a job unsettled for decades costs no more than what is told of it.
        let mut back = 86_400;
        if self.due_after(settled).is_none_or(|due| due > now) {
            return Vec::new();
        }
        loop {
            let from = earlier(now, back).max(settled);
            let mut dues: Vec<Timestamp> = self.dues(from).take_while(|due| *due <= now).collect();
            if from == settled || dues.len() >= most {
                return dues.split_off(dues.len().saturating_sub(most));
            }
            back *= 2;
        }
    }

    /// The first instant after another that the cron expression names.
    fn named_after(&self, after: Timestamp) -> Option<Timestamp> {
        let cron = self.cron.as_ref()?;
        if cron.by_real_time() { self.shown_after(cron, after) } else { self.once_a_night_after(cron, after) }
    }

    /// By fixed hours: each time of the clock once, at its first showing, or after the gap that skips it.
    fn once_a_night_after(&self, cron: &Cron, after: Timestamp) -> Option<Timestamp> {
        let mut civil = whole_minute(self.wall.shows(after))?;
        loop {
            civil = cron.next(civil)?;
            match self.wall.reading(civil)? {
                Reading::Shown(instant) | Reading::Skipped { resumes: instant, .. } if instant > after => {
                    return Some(instant);
                }
                _ => civil = civil.checked_add(Span::new().minutes(1)).ok()?,
            }
        }
    }

    /// By real time: each minute that clocks show, from one change of the clocks to the next.
    fn shown_after(&self, cron: &Cron, after: Timestamp) -> Option<Timestamp> {
        let mut from = after.checked_add(Span::new().nanoseconds(1)).ok()?;
        loop {
            let offset = self.wall.offset(from);
            let shown = cron.next(next_whole_minute(offset.to_datetime(from))?)?;
            let instant = offset.to_timestamp(shown).ok()?;
            match self.wall.next_change(from) {
                Some(change) if change <= instant => from = change,
                _ => return Some(instant),
            }
        }
    }

    /// The last named instant up to `instant` that jitter might still put off beyond it.
    fn last_named(&self, instant: Timestamp) -> Option<Timestamp> {
        let most = i64::from(self.jitter);
        let mut back = most.min(60);
        while back > 0 {
            let first = self.named_after(earlier(instant, back + 1));
            let named = std::iter::successors(first, |named| self.named_after(*named));
            if let Some(last) = named.take_while(|named| *named <= instant).last() {
                return Some(last);
            }
            back = if back < most { most.min(back * 4) } else { 0 };
        }
        None
    }

    /// A named instant with its jitter. One outside the window has none: its run waits for the opening, and is put off
    /// then.
    fn put_off(&self, named: Timestamp) -> Timestamp {
        if self.jitter == 0 || !self.is_open(named) {
            return named;
        }
        self.delayed(named, named, self.named_after(named))
    }

    /// A beginning, later by the jitter of this due instant, but before the window closes and before the next.
    fn delayed(&self, due: Timestamp, begins: Timestamp, next: Option<Timestamp>) -> Timestamp {
        let room =
            [self.closes(begins), next].into_iter().flatten().map(|end| end.as_second() - begins.as_second() - 1);
        let most = room.fold(i64::from(self.jitter), i64::min).max(0);
        let seconds = jitter(&self.name, due.as_second(), u32::try_from(most).unwrap_or(self.jitter));
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
        Ok(short) if seconds <= LONGEST_JITTER => Ok(short),
        _ => Err(RuleError::new("jitter", format!("{} is longer than a day", plain(jitter)), "make it a day at most")),
    }
}

/// A duration as people write it.
fn plain(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds > 0 && seconds % 3600 == 0 => format!("{} h", seconds / 3600),
        seconds if seconds > 0 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

fn whole_minute(civil: DateTime) -> Option<DateTime> {
    civil.with().second(0).subsec_nanosecond(0).build().ok()
}

fn next_whole_minute(civil: DateTime) -> Option<DateTime> {
    let whole = whole_minute(civil)?;
    if whole == civil { Some(whole) } else { whole.checked_add(Span::new().minutes(1)).ok() }
}

#[cfg(test)]
#[path = "timetable_tests.rs"]
mod tests;
