//! From the facts of a page to the URLs it leads to.

use crate::desk::Desk;
use crate::links::{LinkRef, Links};
use crate::options::Reading;
use crate::visited::CanonicalGiven;
use mapwright_frontier::{
    Discovery, Kin, Known, LISTED_DEPTH, Purpose, Seen, Standing, Target, Task, UrlId, Via, shape,
};
use mapwright_web::page::facts::{Link, LinkKind, Place, Region, Rel};
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{Joiner, PageFacts, PageUrl, UrlKey};
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
    /// What tells pages of the task's own pattern.
    kin: Option<Kin<'a>>,
    /// Those of them that were known.
    again: Vec<UrlId>,
    found: Vec<Discovery>,
    /// Place in `found` of each key: a page that links a URL twice finds it once, by its best link.
    places: HashMap<u64, usize>,
    /// Text of the reference that is looked at.
    text: String,
}

impl<'a> Finds<'a> {
    pub(crate) fn new<C>(desk: &'a Desk<C>, task: &'a Task) -> Self {
        let near = || Kin::near(&task.url).filter(|_| desk.is_wary());
        Self {
            reading: &desk.reading,
            seen: &desk.seen,
            task,
            shape: shape(&task.url),
            kin: Kin::of(&task.url).or_else(near),
            again: Vec::new(),
            found: Vec::new(),
            places: HashMap::new(),
            text: String::new(),
        }
    }

    pub(crate) fn into_found(self) -> Vec<Discovery> {
        self.found
    }

    /// The pages of the task's own pattern that were known before it linked them: see [`Kin`].
    pub(crate) fn take_again(&mut self) -> Vec<UrlId> {
        std::mem::take(&mut self.again)
    }

    /// Whether this known page, by its text, is another of the task's own pattern.
    fn is_kin(&self, known: Known, text: &str) -> bool {
        self.kin.is_some_and(|kin| kin.holds(text)) && self.task.id != Some(known.id)
    }

    /// Lets go of everything found so far.
    pub(crate) fn forget(&mut self) {
        self.found.clear();
        self.places.clear();
    }

    /// Notes that `url` was found by `via`, and returns how the visit refers to it.
    pub(crate) fn find(&mut self, url: &PageUrl, via: Via) -> Target {
        let key = self.reading.keys.key(url);
        let known = self.seen.get(key);
        if let Some(known) = known.filter(|known| self.is_kin(*known, url.as_str())) {
            self.again.push(known.id);
        }
        if is_open(known, via) {
            self.note(key, url, via);
        }
        known.map_or_else(|| Target::New(key, url.clone()), |known| Target::Known(known.id))
    }

    /// As [`Finds::find`], for a reference as written; `None` where it is no page. One that is known and decided, as
    /// most are, is told by its text alone.
    fn follow(&mut self, joiner: &Joiner<'_>, href: &str, via: Via) -> Option<Target> {
        if joiner.spell(href, &mut self.text) {
            let known = self.seen.get(self.reading.keys.key_text(&self.text));
            if let Some(known) = known.filter(|known| !is_open(Some(*known), via)) {
                if self.is_kin(known, &self.text) {
                    self.again.push(known.id);
                }
                return Some(Target::Known(known.id));
            }
        }
        joiner.join(href).ok().map(|url| self.find(&url, via))
    }

    /// Notes that the redirects from `url` came back to it by way of the task.
    pub(crate) fn back(&mut self, url: &PageUrl) {
        let key = self.reading.keys.key(url);
        let hop = Discovery { back: true, hops: 0, seed: self.task.seed, ..self.discovery(key, url, Via::Redirect) };
        self.found.push(hop);
    }

    /// Notes a file that is a prerequisite; whether it is known is the admission's affair.
    pub(crate) fn prerequisite(&mut self, url: &PageUrl, via: Via, file: Prerequisite) {
        let Prerequisite { purpose, level, invited } = file;
        let key = self.reading.keys.key(url);
        self.found.push(Discovery { purpose, level, invited, ..self.discovery(key, url, via) });
    }

    fn note(&mut self, key: UrlKey, url: &PageUrl, via: Via) {
        let place = self.places.get(&key.0).copied();
        let before = place.and_then(|at| self.found.get(at)).map(|before| before.via);
        if before.is_some_and(|before| before.followed() || !via.followed()) {
            return;
        }
        let discovery = self.discovery(key, url, via);
        match place.and_then(|at| self.found.get_mut(at)) {
            Some(before) => *before = discovery,
            None => {
                self.places.insert(key.0, self.found.len());
                self.found.push(discovery);
            }
        }
    }

    fn discovery(&self, key: UrlKey, url: &PageUrl, via: Via) -> Discovery {
        let hop = matches!(via, Via::Redirect | Via::Refresh);
        let same_shape = self.shape.is_some() && shape(url) == self.shape;
        Discovery {
            depth: match via {
                Via::Sitemap | Via::Feed => LISTED_DEPTH,
                _ if hop || via == Via::Canonical => self.task.depth,
                _ => self.task.depth + 1,
            },
            hops: if hop { self.task.hops.saturating_add(1) } else { 0 },
            generation: if same_shape { self.task.generation.saturating_add(1) } else { 0 },
            ..Discovery::new(key, url.clone(), via, Purpose::Page)
        }
    }

    /// Links of a page, and whether there was no room for some. `nofollow` holds for all of them.
    pub(crate) fn links(&mut self, links: Outlinks<'_>, nofollow: bool) -> (Links, bool) {
        let Outlinks { resolved, written, joiner, .. } = links;
        let mut links = Links::with_capacity(resolved.len() + written.len());
        for link in &resolved {
            if let Some(target) = self.resolved(link, nofollow) {
                let Link { kind, rel, region, anchor, fragment, .. } = link;
                let fragment = fragment.as_deref();
                links.push(target, LinkRef { kind: *kind, rel: *rel, region: *region, anchor, fragment });
            }
        }
        for link in &written {
            if let Some(target) = self.written(&joiner, link, nofollow) {
                let (kind, rel, region) = (link.kind(), link.rel(), link.region());
                links.push(target, LinkRef { kind, rel, region, anchor: link.anchor(), fragment: link.fragment() });
            }
        }
        (links, joiner.is_full())
    }

    fn resolved(&mut self, link: &Link, nofollow: bool) -> Option<Target> {
        let url = link.url.as_ref()?;
        let via = self.via(link.kind, link.rel, link.region, nofollow);
        Some(if via == Via::FeedLink { self.feed(url) } else { self.find(url, via) })
    }

    fn written(&mut self, joiner: &Joiner<'_>, link: &WrittenLink<'_>, nofollow: bool) -> Option<Target> {
        match self.via(link.kind(), link.rel(), link.region(), nofollow) {
            Via::FeedLink => Some(self.feed(&joiner.join(link.href()).ok()?)),
            via => self.follow(joiner, link.href(), via),
        }
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

/// Whether finding a URL by `via` may change what becomes of it.
fn is_open(known: Option<Known>, via: Via) -> bool {
    match known.map(|known| known.standing) {
        None | Some(Standing::Past) => true,
        Some(Standing::Heard) => via.followed(),
        Some(Standing::Listed) => via.followed() && !matches!(via, Via::Sitemap | Via::Feed),
        Some(Standing::Decided) => false,
    }
}
