//! Decide when each nightly job runs.
//!
//! A [`Timetable`] is one job's rule: a cron expression read by the clocks of a zone, a window, a jitter. An [`Agenda`]
//! holds all jobs and is asked, with the time handed in, what is to be done now. Nothing here reads a clock, sleeps,
//! draws lots or starts anything. The zones' rules alone come from outside: from the system's time zone database,
//! which is kept up to date while a service runs for years, or from the one built in where the system has none.
//!
//! The policy, which holds for [`Rule`], [`Agenda`] and [`Timetable`] alike, is written down for all who use it in
//! `docs/schedule.md`: due instants, clocks that change, windows, jitter, overlap ([`Overlap`]), downtime ([`CatchUp`]),
//! restarts ([`Standing`]), runs that were cut ([`Ended::Cut`]), places, and what is asked for by hand.

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
