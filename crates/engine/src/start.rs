//! Where a crawl begins.

use mapwright_frontier::{Discovery, Purpose, Via};
use mapwright_web::{KeyMaker, Origin, PageUrl, UrlKey};

/// The URLs that a crawl is given.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The start URLs.
    pub urls: Vec<PageUrl>,
    /// URLs of `--url-list`.
    pub list: Vec<PageUrl>,
    /// How far a run that was cut had come: then the URLs above are in its queue already.
    pub resumed: Option<Resumed>,
}

/// How far a run had come when it was cut.
#[derive(Debug, Clone, Default)]
pub struct Resumed {
    /// The roots of the scope, as redirects of the start URLs had moved them.
    pub roots: Vec<PageUrl>,
    /// A start URL has answered 200.
    pub start_answered: bool,
    /// Sitemaps and feeds that were admitted.
    pub files: Vec<UrlKey>,
    /// Origins that have pages in the run.
    pub origins: Vec<Origin>,
    /// URLs that the budgets of endless patterns refused.
    pub endless: Vec<PageUrl>,
}

impl Start {
    /// The discoveries that stand for the start URLs.
    pub(crate) fn seeds(&self, keys: &KeyMaker) -> Vec<Discovery> {
        self.urls.iter().map(|url| Discovery { seed: true, ..discovery(url, Via::Start, keys) }).collect()
    }

    /// The discoveries that stand for the list.
    pub(crate) fn listed(&self, keys: &KeyMaker) -> Vec<Discovery> {
        self.list.iter().map(|url| discovery(url, Via::UrlList, keys)).collect()
    }
}

fn discovery(url: &PageUrl, via: Via, keys: &KeyMaker) -> Discovery {
    Discovery::new(keys.key(url), url.clone(), via, Purpose::Page)
}
