//! The URL that a page names in its place: the canonical that applies, or the target of an instant refresh.

use crate::discover::LinkCollector;
use mapwright_model::{CanonicalGiven, Target, Via};
use mapwright_web::page::facts::{FactLocation, PageFacts};

impl LinkCollector<'_> {
    /// Returns the canonical that applies: given in `head` or header, without a conflicting one.
    pub(crate) fn canonical(&mut self, facts: &PageFacts) -> CanonicalGiven {
        let mut honoured = facts.canonicals.iter().filter(|c| c.place != FactLocation::Body);
        let Some(first) = honoured.next() else { return CanonicalGiven::None };
        if honoured.any(|other| other.url != first.url) {
            return CanonicalGiven::Conflict;
        }
        match &first.url {
            Some(url) => CanonicalGiven::One(self.find(url, Via::Canonical)),
            None => CanonicalGiven::Unusable,
        }
    }

    /// Returns the target of an instant refresh to another URL, which counts as a redirect.
    pub(crate) fn refresh(&mut self, facts: &PageFacts) -> Option<Target> {
        let refresh = facts.refresh.as_ref().filter(|refresh| refresh.is_instant())?;
        let url = refresh.url.as_ref().filter(|url| **url != self.task.url)?;
        Some(self.find(url, Via::Refresh))
    }
}
