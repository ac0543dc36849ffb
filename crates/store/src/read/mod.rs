//! Views of a record: runs, URLs, differences, exports, the data of an audit, the state of an interrupted run.

pub(crate) mod audits;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod explain_scripts;
pub(crate) mod explained;
pub(crate) mod exports;
pub(crate) mod history;
pub(crate) mod listed;
pub(crate) mod moved_to;
pub(crate) mod renderings;
pub(crate) mod resume;
pub(crate) mod run_summary;
pub(crate) mod seen;
pub(crate) mod starts;
pub(crate) mod summary;
pub(crate) mod survey;
pub(crate) mod surveyed;
pub(crate) mod text_change;
pub(crate) mod urls;
pub(crate) mod visited;
