//! What an audit asks beyond what a crawl needs: names that cannot exist, and whether other sites' URLs answer.

use crate::options::EngineOptions;
use mapwright_frontier::{Discovery, Purpose, Unfetched, Via};
use mapwright_web::{KeyMaker, Origin, PageUrl};
use std::collections::HashMap;

/// Decides which checks are made.
#[derive(Debug)]
pub(crate) struct Checking {
    probes: bool,
    /// URLs of one other origin, at most.
    most_external: u64,
    external: HashMap<Origin, u64>,
    max_redirects: u8,
    keys: KeyMaker,
}

impl Checking {
    pub(crate) fn new(options: &EngineOptions) -> Self {
        Self {
            probes: options.checks.audit || options.recommended,
            most_external: options.checks.external,
            external: HashMap::new(),
            max_redirects: options.max_redirects,
            keys: options.reading.keys,
        }
    }

    /// The question whether an image or the like answers, which lies in scope: it is no page, whatever it answers.
    pub(crate) fn resource(&self, url: PageUrl) -> Discovery {
        let found = Discovery::new(self.keys.key(&url), url, Via::Resource, Purpose::External);
        Discovery { refused: Some(Unfetched::Resource), ..found }
    }

    /// A name in the folder of `root` that cannot exist. It is the same in each run of a record, and no site can guess
    /// it.
    pub(crate) fn probe(&self, root: &PageUrl) -> Option<Discovery> {
        let name = format!("mapwright-{:016x}", self.keys.hash(root.as_str().as_bytes()));
        let joined = root.as_url().join(&name).ok().filter(|_| self.probes)?;
        let url = PageUrl::recorded(joined.as_str())?;
        Some(Discovery::new(self.keys.key(&url), url, Via::Start, Purpose::Probe))
    }

    /// A URL out of scope: it stays refused as a page, and is asked for whether it answers, if so wished.
    pub(crate) fn external(&mut self, found: Discovery) -> Discovery {
        if self.most_external == 0 || found.hops > self.max_redirects {
            return found;
        }
        let count = self.external.entry(found.url.origin()).or_default();
        *count += 1;
        let purpose = if *count <= self.most_external { Purpose::External } else { found.purpose };
        Discovery { purpose, ..found }
    }
}
