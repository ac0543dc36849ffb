//! The figures of a run, as the record stores them.

use crate::read::renderings::RenderingCounts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The figures of a run when it ended. Its JSON is a column of `v_runs`, so fields are only ever added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    /// A sitemap was published or printed.
    pub published: bool,
    /// The reason why no sitemap was published, if one was requested.
    pub not_published: Option<String>,
    /// Pages fetched.
    pub fetched: u64,
    /// Pages that the server answered with 304 Not Modified.
    pub not_modified: u64,
    /// Pages that were not due.
    pub not_requested: u64,
    /// Pages listed in the sitemap.
    pub listed: u64,
    /// Listed pages that fail transiently.
    pub kept_failing: u64,
    /// URLs left out of the sitemap.
    pub excluded: u64,
    /// Bytes received.
    pub wire_bytes: u64,
    /// Sitemap files beyond the limits of number or nesting.
    pub sitemap_files_not_read: u64,
    /// The renderings, if there are any.
    pub rendering: Option<RenderingCounts>,
    /// Findings that are new or have come back, by kind, if the run was audited.
    pub findings: Option<BTreeMap<String, Arrivals>>,
}

/// The findings of one kind that the audit before did not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrivals {
    /// Findings that no audit had before.
    pub new: u64,
    /// Findings that were fixed, and have come back.
    pub regressed: u64,
}
