//! The options of judging.

use mapwright_verdict::Reason;

/// Returns the URL that replaces another, or `None` where it stays the same.
pub type Renames<'o> = &'o dyn Fn(&str) -> Option<String>;

/// The options of judging.
pub struct JudgeOptions<'o> {
    /// Returns true if documents of this kind (`media_kind` in the record) are listed.
    pub lists: &'o dyn Fn(&str) -> bool,
    /// Returns true for a URL that is crawled and not listed (`--no-list`).
    pub no_list: &'o dyn Fn(&str) -> bool,
    /// Returns the URL under which another is published, where the two differ (`--rewrite-host`). Pages may name it as
    /// their canonical.
    pub published: Option<Renames<'o>>,
    /// Returns the text that all candidates for exact duplicates of a URL have in common.
    pub duplicate_key: &'o dyn Fn(&str) -> String,
    /// Leaves out not only the URLs that the site forbids, but also those that no expert would submit (`--list
    /// recommended`).
    pub recommended: bool,
    /// The reason for URLs that are still queued.
    pub unreached: Reason,
    /// Looks for modification dates.
    pub lastmod: bool,
    /// Detects boilerplate in the content; false where the user has selected the content.
    pub learns: bool,
    /// Stores the changes, dates and failures of the run for later runs. A run that was interrupted or failed is judged
    /// without storing them.
    pub remembers: bool,
    /// Links with nofollow were followed (`--follow-nofollow`), so they count for click paths.
    pub follows_nofollow: bool,
    /// The number of runs for which a listed page stays listed during a transient failure.
    pub keep_failing: u32,
}
