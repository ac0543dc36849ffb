//! The discovery of URLs from the facts of a page.

use crate::context::VisitContext;
use crate::options::Reading;
use mapwright_frontier::{DiscoveryState, Known, Seen};
use mapwright_model::{Discovery, LISTED_DEPTH, LinkRef, Links, Purpose, Route, Target, Task, UrlId, Via};
use mapwright_traps::{KnownShape, PatternFamily};
use mapwright_web::page::facts::{Link, LinkKind, Region, Rel};
use mapwright_web::page::{Outlinks, WrittenLink};
use mapwright_web::{Joiner, KeyMap, PageUrl, UrlKey};
use std::collections::HashSet;

/// The kind of a prerequisite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prerequisite {
    pub(crate) purpose: Purpose,
    /// Sitemap indexes above it.
    pub(crate) level: u8,
    /// Named by robots.txt itself, or by an index so named.
    pub(crate) named_by_robots: bool,
}

/// A feed that a page names.
const FEED: Prerequisite = Prerequisite { purpose: Purpose::Feed, level: 0, named_by_robots: false };

/// Collects the URLs that one visit finds. It looks them up in `Seen` first: most links end there.
pub(crate) struct LinkCollector<'a> {
    reading: &'a Reading,
    seen: &'a Seen,
    pub(crate) task: &'a Task,
    shape: Option<KnownShape>,
    /// The pattern family of the task's URL.
    family: Option<PatternFamily<'a>>,
    /// Known pages of that family that the page links to.
    relinked: Vec<UrlId>,
    found: Vec<Discovery>,
    /// Index in `found` of each key: a page that links to a URL twice finds it once, by its best link.
    places: KeyMap<usize>,
    /// Buffer for the text of the current reference.
    text: String,
    /// Keys of the pages of its own site that the page leads to; `None` where they do not matter.
    own: Option<HashSet<u64>>,
}

impl<'a> LinkCollector<'a> {
    pub(crate) fn new<C>(context: &'a VisitContext<C>, task: &'a Task) -> Self {
        let near = || PatternFamily::near(&task.url).filter(|_| context.tracks_relinks());
        Self {
            reading: &context.reading,
            seen: &context.seen,
            task,
            shape: KnownShape::of(&task.url),
            family: PatternFamily::of(&task.url).or_else(near),
            relinked: Vec::new(),
            found: Vec::new(),
            places: KeyMap::default(),
            text: String::new(),
            own: context.renders().map(|_| HashSet::new()),
        }
    }

    pub(crate) fn into_found(self) -> Vec<Discovery> {
        self.found
    }

    /// Takes the known pages of the task's own pattern that the page links to: see [`PatternFamily`].
    pub(crate) fn take_relinked(&mut self) -> Vec<UrlId> {
        std::mem::take(&mut self.relinked)
    }

    /// Reports whether this known page, by its text, is another page of the task's pattern family.
    fn is_same_family(&self, known: Known, text: &str) -> bool {
        self.family.is_some_and(|family| family.holds(text)) && self.task.url_id != Some(known.id)
    }

    /// Takes the keys of the other pages of its own site that the page leads to by followed links; none where pages are
    /// not rendered.
    pub(crate) fn take_own(&mut self) -> HashSet<u64> {
        self.own.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn note_own(&mut self, url: &PageUrl, via: Via) {
        let is_own = via.followed() && url != &self.task.url && is_same_site(url, &self.task.url);
        if let Some(own) = self.own.as_mut().filter(|_| is_own) {
            own.insert(self.reading.keys.key(url).0);
        }
    }

    /// Drops all discoveries so far.
    pub(crate) fn forget(&mut self) {
        self.found.clear();
        self.places.clear();
    }

    /// Notes that `url` was found by `via`, and returns how the visit refers to it.
    pub(crate) fn find(&mut self, url: &PageUrl, via: Via) -> Target {
        let key = self.reading.keys.key(url);
        let known = self.seen.get(key);
        if let Some(known) = known.filter(|known| self.is_same_family(*known, url.as_str())) {
            self.relinked.push(known.id);
        }
        if is_open(known, via) {
            self.note(key, url, via);
        }
        known.map_or_else(|| Target::New(key, url.clone()), |known| Target::Known(known.id))
    }

    /// Works as [`LinkCollector::find`], for a reference as written; `None` where it is no page. The text alone is
    /// enough for a known and decided URL, as most are.
    fn follow(&mut self, joiner: &Joiner<'_>, href: &str, via: Via) -> Option<Target> {
        if joiner.write_canonical_candidate(href, &mut self.text) {
            let known = self.seen.get(self.reading.keys.key_text(&self.text));
            if let Some(known) = known.filter(|known| !is_open(Some(*known), via)) {
                if self.is_same_family(known, &self.text) {
                    self.relinked.push(known.id);
                }
                return Some(Target::Known(known.id));
            }
        }
        joiner.join(href).ok().map(|url| self.find(&url, via))
    }

    /// Adds `url` once more, since its redirect chain came back to it through the task.
    pub(crate) fn after_cookie_wall(&mut self, url: &PageUrl) {
        let key = self.reading.keys.key(url);
        let mut hop = Discovery { after_cookie_wall: true, ..self.discovery(key, url, Via::Redirect) };
        hop.route.hops = 0;
        hop.route.seed = self.task.route.seed;
        self.found.push(hop);
    }

    /// Adds a prerequisite file; the admission checks whether it is known.
    pub(crate) fn prerequisite(&mut self, url: &PageUrl, via: Via, file: Prerequisite) {
        let Prerequisite { purpose, level, named_by_robots } = file;
        let key = self.reading.keys.key(url);
        let mut found = Discovery { purpose, ..self.discovery(key, url, via) };
        found.route.level = level;
        found.route.named_by_robots = named_by_robots;
        self.found.push(found);
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
        let same_shape = self.shape.as_ref().is_some_and(|shape| shape.fits(url));
        let route = Route {
            depth: match via {
                Via::Sitemap | Via::Feed => LISTED_DEPTH,
                _ if hop || via == Via::Canonical => self.task.route.depth,
                _ => self.task.route.depth + 1,
            },
            hops: if hop { self.task.route.hops.saturating_add(1) } else { 0 },
            generation: if same_shape { self.task.route.generation.saturating_add(1) } else { 0 },
            ..Route::default()
        };
        Discovery { route, ..Discovery::new(key, url.clone(), via, Purpose::Page) }
    }

    /// Returns the links of a page, and whether some were left out for lack of room. `nofollow` applies to all of them.
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
        self.note_own(url, via);
        Some(if via == Via::FeedLink { self.feed(url) } else { self.find(url, via) })
    }

    fn written(&mut self, joiner: &Joiner<'_>, link: &WrittenLink<'_>, nofollow: bool) -> Option<Target> {
        match self.via(link.kind(), link.rel(), link.region(), nofollow) {
            Via::FeedLink => Some(self.feed(&joiner.join(link.href()).ok()?)),
            via => {
                if self.own.is_some()
                    && let Ok(url) = joiner.join(link.href())
                {
                    self.note_own(&url, via);
                }
                self.follow(joiner, link.href(), via)
            }
        }
    }

    /// Adds a feed that a page names: it is read for its entries, and is no page itself.
    pub(crate) fn feed(&mut self, url: &PageUrl) -> Target {
        if self.reading.feeds {
            self.prerequisite(url, Via::FeedLink, FEED);
        }
        self.find(url, Via::Resource)
    }

    /// Returns the way in which a link leads to its target. `nofollow` applies to the entire page.
    pub(crate) fn via(&self, kind: LinkKind, rel: Rel, region: Region, nofollow: bool) -> Via {
        let nofollow = (nofollow || rel.nofollow) && !self.reading.follow_nofollow;
        match kind {
            _ if kind.is_resource() => Via::Resource,
            LinkKind::Canonical if region == Region::Head => Via::Canonical,
            LinkKind::Canonical => Via::Resource,
            _ if nofollow => Via::Nofollow,
            LinkKind::Feed => Via::FeedLink,
            _ => Via::Link,
        }
    }
}

/// Reports whether two URLs are of one site: of one host, or of a host and one below it.
fn is_same_site(one: &PageUrl, other: &PageUrl) -> bool {
    let is_below =
        |host: &str, above: &str| host.strip_suffix(above).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    is_below(one.host(), other.host()) || is_below(other.host(), one.host())
}

/// Reports whether finding a URL by `via` may change its discovery state.
fn is_open(known: Option<Known>, via: Via) -> bool {
    match known.map(|known| known.discovery_state) {
        None | Some(DiscoveryState::Past) => true,
        Some(DiscoveryState::Mentioned) => via.followed(),
        Some(DiscoveryState::Listed) => via.followed() && !matches!(via, Via::Sitemap | Via::Feed),
        Some(DiscoveryState::Decided) => false,
    }
}
