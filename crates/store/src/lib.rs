//! The record: URLs, visits, links, queue and runs in one SQLite file.
//!
//! Everything that mapwright tells is a view of it. One process writes at a time, which an operating system's file
//! lock guards; within it one thread writes, in batched transactions.

mod audits;
mod changes;
mod checkpoint;
mod clicks;
mod commit;
mod diff;
mod error;
mod explain;
mod explained;
mod exports;
mod facts;
mod found;
mod graph;
mod history;
mod judge;
mod keeping;
mod lastmod;
mod link_json;
mod link_targets;
mod links;
mod listed;
mod local;
mod memory;
mod migrate;
mod names;
mod numbers;
mod open;
mod parts;
mod past;
mod queue;
mod recall;
mod record;
mod republish;
mod resume;
mod retention;
mod seen;
mod starts;
mod summary;
mod survey;
mod surveyed;
mod targets;
mod version;
mod visited;
mod visits;
mod writer;

pub use audits::{AuditRow, FindingRow, Life};
pub use diff::{Difference, Seen};
pub use error::StoreError;
pub use explained::{Answered, Explained, History, Judged, RobotsSays, Step};
pub use exports::{Cell, Export};
pub use history::RunRow;
pub use judge::{JudgeOptions, Renames};
pub use listed::Listed;
pub use local::LocalFrontier;
pub use memory::{Policy, Recrawl};
pub use parts::PartRow;
pub use record::{Record, RunInfo, RunState, Unfinished};
pub use resume::Resumption;
pub use retention::Retention;
pub use starts::{RedirectEnd, StartFate};
pub use summary::{Counts, Slow};
pub use surveyed::{EntryRow, FaultRow, FetchedRow, FoundRow, LinkRow, RecalledRow, RunFacts, SaidRow, VerdictRow};
pub use writer::Keeper;
