//! The redirects of robots files.

use super::urls::UrlNo;
use std::collections::{HashMap, HashSet};

/// The redirects of robots files, computed for all at once: there is a robots file for each host that links lead to,
/// and there may be as many hosts as URLs.
#[derive(Debug, Default)]
pub(crate) struct RobotsChains {
    /// The origins with pages in the crawl.
    pub(super) own: HashSet<Box<str>>,
    /// The robots files that redirect to another, by their final target.
    pub(super) redirected: HashMap<UrlNo, Vec<UrlNo>>,
    /// Robots files that were read.
    pub(super) read: HashSet<UrlNo>,
}
