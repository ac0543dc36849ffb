//! Wire a crawl from settings; run it; say what happened.
//!
//! `mapwright crawl` and nightly jobs run through the same [`run`]. One file, `wire.rs`, makes of settings what a crawl
//! goes by.

mod advice;
mod apart;
mod audit;
mod begin;
mod counted;
pub mod differences;
mod disk;
mod error;
pub mod explain;
mod fetch_options;
mod finish;
mod foreign;
mod job;
mod kept_out;
mod pace;
mod recorded;
mod report;
mod resolved;
mod robots_lines;
mod run;
pub mod service;
mod shortened;
pub mod size;
mod starts;
mod state;
pub mod time;
mod unmatched;
mod watch;
mod wire;

pub use audit::{AuditPlan, audit_record};
pub use counted::counted;
pub use error::{JobError, JobFault};
pub use fetch_options::fetch_options;
pub use job::Job;
pub use pace::Pace;
pub use recorded::{begun_with, is_audit};
pub use report::{Answer, Audited, Held, Publication, Report, RobotsLine};
pub use run::run;
pub use shortened::shortened;
pub use state::{known_records, state_folder};
pub use wire::retention;
