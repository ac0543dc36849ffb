//! Judges the URLs of a finished run: verdicts, changes, dates of modification.

pub(crate) mod candidate;
pub(crate) mod changes;
pub(crate) mod clicks;
pub(crate) mod graph;
pub(crate) mod lastmod;
pub(crate) mod link_targets;
pub(crate) mod new_pages;
pub(crate) mod options;
pub(crate) mod page_states;
pub(crate) mod recommended;
pub(crate) mod republish;
pub(crate) mod shared;
pub(crate) mod targets;
pub(crate) mod template;
pub(crate) mod transient_failures;
pub(crate) mod verdicts;
pub(crate) mod volatile_places;
