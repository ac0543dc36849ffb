//! The start of a crawl.

use mapwright_model::{Discovery, Purpose, Resumed, Via};
use mapwright_web::{KeyMaker, PageUrl};

/// The URLs that a crawl is given.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The start URLs.
    pub urls: Vec<PageUrl>,
    /// URLs of `--url-list`.
    pub list: Vec<PageUrl>,
    /// State of the interrupted run that is resumed: the URLs above are in its queue already.
    pub resumed: Option<Resumed>,
}

impl Start {
    /// Returns the discoveries of the start URLs.
    pub(crate) fn seeds(&self, keys: &KeyMaker) -> Vec<Discovery> {
        self.urls.iter().map(|url| seed(url, keys)).collect()
    }

    /// Returns the discoveries of the list.
    pub(crate) fn listed(&self, keys: &KeyMaker) -> Vec<Discovery> {
        self.list.iter().map(|url| discovery(url, Via::UrlList, keys)).collect()
    }
}

fn seed(url: &PageUrl, keys: &KeyMaker) -> Discovery {
    let mut found = discovery(url, Via::Start, keys);
    found.route.seed = true;
    found
}

fn discovery(url: &PageUrl, via: Via, keys: &KeyMaker) -> Discovery {
    Discovery::new(keys.key(url), url.clone(), via, Purpose::Page)
}
