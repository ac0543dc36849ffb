//! Decide when each nightly job runs.
//!
//! A [`Timetable`] is one job's rule: a cron expression read by the clocks of a zone, a window, a jitter. An [`Agenda`]
//! holds all jobs and is asked, with the time handed in, what is to be done now. Nothing here reads a clock, sleeps,
//! draws lots or starts anything. The zones' rules alone come from outside: from the system's time zone database,
//! which is kept up to date while a service runs for years, or from the one built in where the system has none.
//!
//! # The policy
//!
//! **Due instants.** A cron expression has five fields: minute, hour, day of the month, month, day of the week; or it
//! is `@hourly`, `@daily` (`@midnight`), `@weekly`, `@monthly`, `@yearly` (`@annually`). Lists, ranges, steps, names,
//! `L`, `W` and `#` are taken, seconds and years are not. Where both kinds of days are given, either may match, but
//! where one of them begins with a star both must: as in Vixie cron. An expression that names no day that ever comes is
//! refused.
//!
//! **When clocks change,** Vixie cron's rule holds. A rule of fixed hours comes once for each time it names: a time that
//! spring skips comes at the first instant after the gap (several of one gap, or of the gap and that instant, are one),
//! a time that autumn shows twice comes at the first. A rule whose hours are a star, with or without a step, goes by
//! real time: it comes at each minute that clocks show, so in both of the hours that autumn shows twice, and not in the
//! hour that spring skips. In one thing a night is worth more here than Vixie's letter: a star in the minutes alone
//! (`*/15 2 * * *`), or hours of which the step leaves one (`*/24`), are fixed hours. Where clocks jump further than
//! three hours, a date was struck from the calendar, and nothing is due on it.
//!
//! **The window,** such as `01:00–05:00`, or `22:00–04:00` over midnight, bounds when a run may go on; its end is not in
//! it. A due instant outside it waits for the next opening. A run that is under way when it closes is to end in good
//! order ([`Decision::Halt`]) and goes on at the next opening. A window opens at the first instant at which clocks show
//! its beginning, or after the gap that skips it, and closes when clocks have first shown its last minute; if spring
//! skips that minute, when clocks would have shown it had they not been put forward. So the window of a spring night
//! may be an hour shorter, that of an autumn night an hour longer, and none is empty, opened twice, or closed to
//! what is due in the gap.
//!
//! **Jitter** puts a beginning off by a number of seconds that depends on the job's name and the due instant alone, up
//! to the jitter given, but never to the close of the window or to the next due instant. For a due instant outside the
//! window it counts from the opening ([`Timetable::begins`]).
//!
//! **Overlap.** A due instant that meets a run of its job that is under way, waits, or was cut is skipped
//! ([`Overlap::Skip`]), or queued ([`Overlap::Queue`]): its run follows at once, in its window, when the other is over.
//! One waits at most; further ones are skipped.
//!
//! **Downtime.** A due instant that is met more than a minute late passed while the service was down, or the machine
//! asleep. Of those, with [`CatchUp::Once`], the last is due now and the others count as made up for; with
//! [`CatchUp::None`] all are missed. A restart within the minute misses nothing. Of one downtime the newest 1,000 due
//! instants are told.
//!
//! **Restarts.** The caller keeps each job's [`Standing`] and hands it in again. A run that was under way is then
//! unfinished, and goes on at once, in its window.
//!
//! **Cut runs.** A run that ends as [`Ended::Cut`] while the service lives goes on at the next opening of its window
//! (at once if it was halted, and the window has opened again), or without a window at the job's next due instant, which
//! itself follows the overlap policy, but a day later at the latest. It does not go on before, lest a site that is down
//! is tried without end. A restart, or a new rule, ends that waiting. A run that failed is over: the next due instant
//! starts another.
//!
//! **Places.** At most so many runs are under way at once. Those that find no place begin in the order of their due
//! instants, then of their names. One whose window closes before that waits for the next opening.
//!
//! **By hand.** A run that is asked for begins whatever cron, window and pause say, as soon as there is a place, and no
//! window halts it; if one waits already, it is that one. A run that is stopped is over. While a job is paused nothing
//! starts but by hand; what is due is skipped, what is under way goes on.
//!
//! **Each due instant is decided once:** its run starts, or it is told as skipped or missed. The exceptions are a job
//! that is new or removed, a rule that is replaced, and what is beyond the 1,000 told of one downtime.

mod agenda;
mod cron;
mod decision;
mod jitter;
mod job;
mod rule;
mod standing;
mod timetable;
mod wall;
mod window;

pub use agenda::Agenda;
pub use decision::{Decision, Ended, Refused, Why};
pub use rule::{CatchUp, Overlap, Rule, RuleError};
pub use standing::Standing;
pub use timetable::Timetable;
