//! One crawl: built from settings, run, published, reported.
//!
//! `mapwright crawl` and scheduled jobs run through the same [`run`]. One file, `wire.rs`, turns settings into the
//! options of the crates below.

mod audit;
mod begin;
mod crawl_spec;
pub mod differences;
mod disk;
mod error;
mod excluded;
pub mod explain;
mod fetch_options;
mod fetcher;
mod finish;
mod foreign;
mod input_name;
mod noting_observer;
mod publish_plan;
mod record_folder;
mod record_outside_output;
mod recorded_settings;
mod rendering;
mod report;
mod robots_sitemaps;
mod run;
mod shortened;
mod site;
mod speed;
mod start_texts;
mod starts;
mod starts_excluded;
mod summary_advice;
pub mod time;
mod tls_hint;
mod unmatched;
mod url_list;
mod wire;

pub use audit::{AuditPlan, audit_record};
pub use crawl_spec::CrawlSpec;
pub use error::{CrawlError, CrawlFault};
pub use excluded::excluded_meaning;
pub use fetch_options::fetch_options;
pub use publish_plan::rewrites;
pub use record_folder::{known_records, state_folder};
pub use recorded_settings::begun_with;
pub use report::{Audited, NotPublished, Publication, RobotsLine, RunReport, StartAnswer};
pub use run::run;
pub use shortened::shortened;
pub use speed::CrawlSpeed;
pub use starts::check_start;
pub use wire::retention;
