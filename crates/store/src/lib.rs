//! The record: URLs, visits, links, queue and runs in one SQLite file.
//!
//! All reports of mapwright are views of the record. One process writes at a time, guarded by a file lock of the
//! operating system; within it one thread writes, in batched transactions.

mod error;
mod judge;
mod local_frontier;
mod read;
mod record;
mod run_kind;
mod run_state;
mod schema;
mod write;

pub use error::StoreError;
pub use judge::options::{JudgeOptions, Renames};
pub use local_frontier::LocalFrontier;
pub use read::audits::{AuditRow, FindingRow, StoredHistory};
pub use read::diff::{Difference, UrlState};
pub use read::explain_scripts::ExplainedScripts;
pub use read::explained::{Explained, History, ResponseRow, RobotsRuling, Step, StoredVerdict};
pub use read::exports::{Cell, Export};
pub use read::history::RunRow;
pub use read::listed::Listed;
pub use read::renderings::RenderingRow;
pub use read::resume::Resumption;
pub use read::run_summary::{Arrivals, RenderingCounts, RunSummary};
pub use read::starts::{RedirectEnd, StartStatus};
pub use read::summary::{Counts, ExcludedRow, Slow};
pub use read::surveyed::{
    CodeRow, DiscoveryRow, EntryRow, FaultRow, LinkRow, PageRow, RecalledRow, RunFacts, VerdictRow, VisitRow,
};
pub use read::text_change::TextChange;
pub use read::urls::{UrlFilter, UrlRow};
pub use record::{Record, RunInfo, Unfinished};
pub use run_kind::RunKind;
pub use run_state::RunState;
pub use schema::same_file::is_same_file;
pub use write::parameters::ParameterRow;
pub use write::parts::PartRow;
pub use write::recrawl::{Policy, Recrawl};
pub use write::retention::Retention;
pub use write::writer_handle::WriterHandle;
