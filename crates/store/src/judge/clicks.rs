//! Computes the click depth of each URL: the length of the shortest path from the start, over the finished graph.

use crate::error::StoreError;
use crate::judge::targets::SetTargets;
use crate::schema::json::{self, Json};
use crate::schema::numbers::Numbers;
use mapwright_verdict::{Judgements, NodeIndex, Pointer, Reason, UrlNode};
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::collections::VecDeque;

/// The place of a URL on its shortest click path from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClickPlace {
    clicks: u32,
    parent: Pointer,
}

impl ClickPlace {
    /// The place of a URL that links do not reach.
    const NOWHERE: Self = Self { clicks: u32::MAX, parent: Pointer::NONE };
    const START: Self = Self { clicks: 0, parent: Pointer::NONE };

    /// The number of clicks; `None` where links do not reach the URL.
    pub(crate) fn depth(self) -> Option<u32> {
        (self.clicks != u32::MAX).then_some(self.clicks)
    }

    /// The page (or redirect) before it; `None` for start URLs.
    pub(crate) fn parent(self) -> Option<NodeIndex> {
        self.parent.get()
    }
}

/// The place of each URL. A redirect costs no click. Each set of links is followed once, from the first page that has
/// it, since later pages are no nearer to the start.
pub(crate) fn places(
    connection: &Connection,
    run: i64,
    graph: (&[UrlNode], &Judgements),
    sets: &SetTargets<'_>,
    follows_nofollow: bool,
) -> Result<Vec<ClickPlace>, StoreError> {
    places_from(connection, run, graph, sets, follows_nofollow, starts(connection, run)?)
}

/// The place of each URL on the shortest path from these start URLs.
pub(crate) fn places_from(
    connection: &Connection,
    run: i64,
    (known, judgements): (&[UrlNode], &Judgements),
    sets: &SetTargets<'_>,
    follows_nofollow: bool,
    starts: Vec<NodeIndex>,
) -> Result<Vec<ClickPlace>, StoreError> {
    let mut walk = Walk {
        known,
        judgements,
        places: vec![ClickPlace::NOWHERE; known.len()],
        versions: page_versions(connection, run, known.len(), follows_nofollow)?,
        follows_nofollow,
        followed: Numbers::default(),
        sets_of: connection.prepare_cached("SELECT sets FROM version WHERE id = ?")?,
    };
    let mut level: VecDeque<NodeIndex> = VecDeque::new();
    for url in starts {
        walk.reach(url, ClickPlace::START, |url| level.push_back(url));
    }
    let mut clicks = 0;
    while !level.is_empty() {
        level = walk.level(clicks, level, sets)?;
        clicks += 1;
    }
    Ok(walk.places)
}

struct Walk<'w> {
    known: &'w [UrlNode],
    judgements: &'w Judgements,
    places: Vec<ClickPlace>,
    /// By number of URL, the version of its page; 0 where there is none, or where its links are already followed.
    versions: Vec<u32>,
    follows_nofollow: bool,
    /// Sets that were followed.
    followed: Numbers,
    sets_of: CachedStatement<'w>,
}

impl Walk<'_> {
    /// Follows the links of the pages at this number of clicks; returns the pages one click further.
    fn level(
        &mut self,
        clicks: u32,
        mut level: VecDeque<NodeIndex>,
        sets: &SetTargets<'_>,
    ) -> Result<VecDeque<NodeIndex>, StoreError> {
        let mut next = VecDeque::new();
        while let Some(url) = level.pop_front() {
            // A redirect may have moved the page to an earlier level after it was queued here.
            if self.places.get(url as usize).is_none_or(|place| place.clicks != clicks) {
                continue;
            }
            if let Some(target) = self.stands_for(url) {
                self.reach(target, ClickPlace { clicks, parent: Pointer::to(url) }, |url| level.push_front(url));
            }
            let further = ClickPlace { clicks: clicks + 1, parent: Pointer::to(url) };
            for set in self.sets(url)? {
                let targets = sets.targets(set)?;
                let nofollow: &[u32] = if self.follows_nofollow { &targets.nofollow } else { &[] };
                for target in targets.open.iter().chain(nofollow) {
                    self.reach(*target, further, |url| next.push_back(url));
                }
            }
        }
        Ok(next)
    }

    /// The URL that is reached with `url` at no click: the target of a redirect, the page of a variant or duplicate, or
    /// the first page of a paginated list.
    fn stands_for(&self, url: NodeIndex) -> Option<NodeIndex> {
        let redirect = self.known.get(url as usize).and_then(|known| known.redirect.get());
        let variant = || match self.judgements.get(&url) {
            Some((Reason::ParameterVariant | Reason::Duplicate | Reason::Pagination, page)) => *page,
            _ => None,
        };
        redirect.or_else(variant)
    }

    /// Notes that `url` is reached at `place`, if that is nearer than before; `enter` queues it.
    fn reach(&mut self, url: NodeIndex, place: ClickPlace, enter: impl FnOnce(NodeIndex)) {
        if let Some(slot) = self.places.get_mut(url as usize).filter(|slot| place.clicks < slot.clicks) {
            *slot = place;
            enter(url);
        }
    }

    /// The sets of a page's links that are not followed yet.
    fn sets(&mut self, url: NodeIndex) -> Result<Vec<u32>, StoreError> {
        let version = self.versions.get_mut(url as usize).map(std::mem::take).unwrap_or_default();
        if version == 0 {
            return Ok(Vec::new());
        }
        let sets: Option<Json<Vec<u32>>> = self.sets_of.query_row([version], |row| row.get(0)).optional()?;
        Ok(json::or_default(sets).into_iter().filter(|set| self.followed.insert(*set)).collect())
    }
}

/// The start URLs, or those of the URL list where there are none. Beside start URLs, the list is treated like a sitemap
/// and shortens no path.
fn starts(connection: &Connection, run: i64) -> Result<Vec<NodeIndex>, StoreError> {
    const SELECT: &str = "SELECT url FROM found
         WHERE run = ?1 AND via < 2 AND via = (SELECT min(via) FROM found WHERE run = ?1 AND via < 2) ORDER BY url";
    let starts = connection.prepare(SELECT)?.query_map([run], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(starts)
}

/// The version of each page of the run; 0 where there is none, and where the page says nofollow and nofollow is
/// respected, so that its links count for no path.
fn page_versions(
    connection: &Connection,
    run: i64,
    size: usize,
    follows_nofollow: bool,
) -> Result<Vec<u32>, StoreError> {
    let mut versions = vec![0; size];
    let mut select = connection.prepare(
        "SELECT url, version FROM visit
         WHERE run = ? AND last = 1 AND purpose = 0 AND (? OR NOT nofollow) AND version IS NOT NULL",
    )?;
    let mut rows = select.query((run, follows_nofollow))?;
    while let Some(row) = rows.next()? {
        if let Some(slot) = versions.get_mut(row.get::<_, usize>(0)?) {
            *slot = row.get(1)?;
        }
    }
    Ok(versions)
}
