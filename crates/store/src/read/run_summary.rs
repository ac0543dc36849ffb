//! The figures of a run, as the record stores them.

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

/// The figures of the renderings of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderingCounts {
    /// Pages that were rendered, or could not be.
    pub pages: u64,
    /// Those that could not be rendered, or were read before they came to rest.
    pub cut: u64,
    /// The requests that pages made, without those of their documents.
    pub requests: u64,
    /// Their bytes as received.
    pub bytes: u64,
    /// The time of all renderings in milliseconds; several go on at once.
    pub millis: u64,
}
