//! A sitemap or feed of a built site.

use super::answer::Answer;
use mapwright_sitemap::CheckRule;

/// A sitemap or feed.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) is_feed: bool,
    /// Its answer, if that is not a list of its entries.
    pub(super) answer: Option<Answer>,
    /// The index that names it, if that is not robots.txt.
    pub(super) index: Option<String>,
    pub(super) entries: Vec<(String, Option<String>)>,
    /// Pages, each with a code and the URL in that language.
    pub(super) alternates: Vec<(String, String, String)>,
    pub(super) faults: Vec<(CheckRule, u64, String, u64)>,
}
