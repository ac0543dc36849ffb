//! The extra requests of an audit: probes of URLs that cannot exist, and checks of external links.

use crate::options::EngineOptions;
use mapwright_model::{Discovery, Purpose, Unfetched, Via};
use mapwright_web::{KeyMaker, Origin, PageUrl};
use std::collections::HashMap;

/// Decides which checks are made.
#[derive(Debug)]
pub(crate) struct AuditRequests {
    probes: bool,
    /// Highest number of URLs of one external origin.
    most_external: u64,
    external: HashMap<Origin, u64>,
    max_redirects: u8,
    keys: KeyMaker,
}

impl AuditRequests {
    pub(crate) fn new(options: &EngineOptions) -> Self {
        Self {
            probes: options.checks.audit || options.recommended,
            most_external: options.checks.external,
            external: HashMap::new(),
            max_redirects: options.max_redirects,
            keys: options.reading.keys,
        }
    }

    /// Returns the check of an image or another resource in scope, which is no page whatever it answers.
    pub(crate) fn resource(&self, url: PageUrl) -> Discovery {
        let found = Discovery::new(self.keys.key(&url), url, Via::Resource, Purpose::Resource);
        Discovery { refused: Some(Unfetched::Resource), ..found }
    }

    /// Returns the probe of a URL in the folder of `root` that cannot exist. Its name is the same in each run of a
    /// record, and no site can guess it.
    pub(crate) fn probe(&self, root: &PageUrl) -> Option<Discovery> {
        let name = format!("mapwright-{:016x}", self.keys.hash(root.as_str().as_bytes()));
        let joined = root.as_url().join(&name).ok().filter(|_| self.probes)?;
        let url = PageUrl::recorded(joined.as_str())?;
        Some(Discovery::new(self.keys.key(&url), url, Via::Start, Purpose::Probe))
    }

    /// Turns a URL out of scope into a check of whether it responds, up to the limit; as a page it stays refused.
    pub(crate) fn external(&mut self, found: Discovery) -> Discovery {
        if self.most_external == 0 || found.route.hops > self.max_redirects {
            return found;
        }
        let count = self.external.entry(found.url.origin()).or_default();
        *count += 1;
        let purpose = if *count <= self.most_external { Purpose::External } else { found.purpose };
        Discovery { purpose, ..found }
    }
}

/// The rounds in which resources are requested: those that pages name, then those that style sheets name.
#[derive(Debug)]
pub(crate) struct ResourceRounds {
    /// Highest number of resources that are requested.
    most: u64,
    requested: u64,
    begun: u8,
}

impl ResourceRounds {
    const ROUNDS: u8 = 2;

    pub(crate) fn new(most: u64) -> Self {
        Self { most, requested: 0, begun: 0 }
    }

    /// Begins a round, and returns the highest number of resources in all rounds; `None` where no round is left.
    pub(crate) fn begin(&mut self) -> Option<u64> {
        if self.begun == Self::ROUNDS || self.requested >= self.most {
            return None;
        }
        self.begun += 1;
        Some(self.most)
    }

    /// Drops the checks beyond the limit, and counts the others.
    pub(crate) fn limit(&mut self, checks: &mut Vec<Discovery>) {
        checks.truncate(usize::try_from(self.most - self.requested).unwrap_or(usize::MAX));
        self.requested += checks.len() as u64;
    }
}
