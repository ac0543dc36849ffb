//! From the facts of a page to the URLs it leads to.

use crate::options::Reading;
use crate::visited::{CanonicalGiven, LinkRef};
use mapwright_frontier::{Discovery, Purpose, Seen, Standing, Target, Task, Via, shape};
use mapwright_web::page::facts::{Link, LinkKind, Place, Region, Rel};
use mapwright_web::{PageFacts, PageUrl};
use std::collections::HashMap;

/// What a prerequisite is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prerequisite {
    pub(crate) purpose: Purpose,
    /// Sitemap indexes above it.
    pub(crate) level: u8,
    /// Named by robots.txt itself, or by an index so named.
    pub(crate) invited: bool,
}

/// A feed that a page names.
const FEED: Prerequisite = Prerequisite { purpose: Purpose::Feed, level: 0, invited: false };

/// Gathers what one visit finds, asking `Seen` first: most links end here.
pub(crate) struct Finds<'a> {
    reading: &'a Reading,
    seen: &'a Seen,
    task: &'a Task,
    shape: Option<String>,
    found: Vec<Discovery>,
    /// Place in `found` of each key: a page that links a URL twice finds it once, by its best link.
    places: HashMap<u64, usize>,
}

impl<'a> Finds<'a> {
    pub(crate) fn new(reading: &'a Reading, seen: &'a Seen, task: &'a Task) -> Self {
        Self { reading, seen, task, shape: shape(&task.url), found: Vec::new(), places: HashMap::new() }
    }

    pub(crate) fn into_found(self) -> Vec<Discovery> {
        self.found
    }

    /// Notes that `url` was found by `via`, and returns how the visit refers to it.
    pub(crate) fn find(&mut self, url: &PageUrl, via: Via) -> Target {
        let key = self.reading.keys.key(url);
        let known = self.seen.get(key);
        let open = match known.map(|k| k.standing) {
            None | Some(Standing::Past) => true,
            Some(Standing::Heard) => via.followed(),
            Some(Standing::Listed) => via.followed() && !matches!(via, Via::Sitemap | Via::Feed),
            Some(Standing::Decided) => false,
        };
        if open {
            self.note(Discovery { key, ..self.discovery(url, via) });
        }
        known.map_or_else(|| Target::New(key, url.clone()), |k| Target::Known(k.id))
    }

    /// Notes a file that is a prerequisite; whether it is known is the admission's affair.
    pub(crate) fn prerequisite(&mut self, url: &PageUrl, via: Via, file: Prerequisite) {
        let Prerequisite { purpose, level, invited } = file;
        self.found.push(Discovery { purpose, level, invited, ..self.discovery(url, via) });
    }

    fn note(&mut self, discovery: Discovery) {
        match self.places.get(&discovery.key.0).and_then(|at| self.found.get_mut(*at)) {
            Some(before) if discovery.via.followed() && !before.via.followed() => *before = discovery,
            Some(_) => {}
            None => {
                self.places.insert(discovery.key.0, self.found.len());
                self.found.push(discovery);
            }
        }
    }

    fn discovery(&self, url: &PageUrl, via: Via) -> Discovery {
        let hop = matches!(via, Via::Redirect | Via::Refresh);
        let same_shape = self.shape.is_some() && shape(url) == self.shape;
        Discovery {
            key: self.reading.keys.key(url),
            url: url.clone(),
            via,
            purpose: Purpose::Page,
            depth: if hop || via == Via::Canonical { self.task.depth } else { self.task.depth + 1 },
            hops: if hop { self.task.hops.saturating_add(1) } else { 0 },
            level: 0,
            seed: false,
            invited: false,
            generation: if same_shape { self.task.generation.saturating_add(1) } else { 0 },
            refused: None,
        }
    }

    /// Links of a page. `nofollow` holds for all of them.
    pub(crate) fn links(&mut self, links: &[Link], nofollow: bool) -> Vec<LinkRef> {
        let mut refs = Vec::with_capacity(links.len());
        for link in links {
            let Some(url) = &link.url else { continue };
            let via = self.via(link.kind, link.rel, link.region, nofollow);
            let target = if via == Via::FeedLink { self.feed(url) } else { self.find(url, via) };
            refs.push(LinkRef {
                target,
                kind: link.kind,
                rel: link.rel,
                region: link.region,
                anchor: link.anchor.clone(),
                fragment: link.fragment.clone(),
            });
        }
        refs
    }

    /// A feed that a page names: read for its entries, and no page itself.
    pub(crate) fn feed(&mut self, url: &PageUrl) -> Target {
        if self.reading.feeds {
            self.prerequisite(url, Via::FeedLink, FEED);
        }
        self.find(url, Via::Resource)
    }

    /// The way in which a link leads to its target. `nofollow` holds for the whole page.
    pub(crate) fn via(&self, kind: LinkKind, rel: Rel, region: Region, nofollow: bool) -> Via {
        let nofollow = (nofollow || rel.nofollow) && !self.reading.follow_nofollow;
        match kind {
            LinkKind::Image | LinkKind::Media => Via::Resource,
            LinkKind::Canonical if region == Region::Head => Via::Canonical,
            LinkKind::Canonical => Via::Resource,
            _ if nofollow => Via::Nofollow,
            LinkKind::Feed => Via::FeedLink,
            _ => Via::Link,
        }
    }

    /// The canonical that counts: given in `head` or header, and not contradicted by another one.
    pub(crate) fn canonical(&mut self, facts: &PageFacts) -> CanonicalGiven {
        let mut honoured = facts.canonicals.iter().filter(|c| c.place != Place::Body);
        let Some(first) = honoured.next() else { return CanonicalGiven::None };
        if honoured.any(|other| other.url != first.url) {
            return CanonicalGiven::Conflict;
        }
        match &first.url {
            Some(url) => CanonicalGiven::One(self.find(url, Via::Canonical)),
            None => CanonicalGiven::Unusable,
        }
    }

    /// Where an instant refresh leads, if to another URL: it counts as a redirect.
    pub(crate) fn refresh(&mut self, facts: &PageFacts) -> Option<Target> {
        let refresh = facts.refresh.as_ref().filter(|r| r.seconds == 0)?;
        let url = refresh.url.as_ref().filter(|url| **url != self.task.url)?;
        Some(self.find(url, Via::Refresh))
    }
}
