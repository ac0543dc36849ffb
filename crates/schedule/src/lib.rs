//! Decides when each scheduled job runs.
//!
//! A [`Timetable`] is the rule of one job: a cron expression read by the clocks of a zone, a window, a jitter. An
//! [`Agenda`] holds all jobs and returns the decisions for a time that the caller passes. This crate reads no clock,
//! draws no random numbers, does not sleep and starts nothing. Only the rules of zones come from outside: from the time
//! zone database of the system, which is kept up to date while a service runs for years, or from the built-in one if
//! the system has none.
//!
//! The policy, which holds for [`ScheduleRule`], [`Agenda`] and [`Timetable`] alike, is documented for all users in
//! `docs/schedule.md`: due instants, clock changes, windows, jitter, overlap ([`Overlap`]), downtime ([`CatchUp`]),
//! restarts ([`ScheduleState`]), interrupted runs ([`RunEnd::Cut`]), slots, and runs by hand.

mod agenda;
mod cron;
mod decision;
mod downtime;
mod jitter;
mod job;
mod rule;
mod schedule_state;
mod timetable;
mod window;
mod zoned_clock;

pub use agenda::Agenda;
pub use decision::{CommandError, Decision, RunEnd, SkipReason};
pub use rule::{CatchUp, Overlap, RuleError, ScheduleRule};
pub use schedule_state::ScheduleState;
pub use timetable::Timetable;
