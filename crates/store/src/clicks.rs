//! Clicks from the start by the shortest way, over the finished graph.

use crate::error::StoreError;
use crate::json::{self, Json};
use crate::numbers::Numbers;
use crate::targets::SetTargets;
use mapwright_verdict::{Judgements, Known, Node, Pointer, Reason};
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::collections::VecDeque;

/// A place on the shortest way from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClickPlace {
    clicks: u32,
    parent: Pointer,
}

impl ClickPlace {
    /// Links lead nowhere near.
    const NOWHERE: Self = Self { clicks: u32::MAX, parent: Pointer::NONE };
    const START: Self = Self { clicks: 0, parent: Pointer::NONE };

    /// Clicks; none where links do not lead there.
    pub(crate) fn depth(self) -> Option<u32> {
        (self.clicks != u32::MAX).then_some(self.clicks)
    }

    /// The page (or redirect) before it; none for start URLs.
    pub(crate) fn parent(self) -> Option<Node> {
        self.parent.get()
    }
}

/// The place of each URL. A redirect costs no click. Each set of links is followed once, from the page where it is
/// first met: later meetings are no nearer to the start.
pub(crate) fn places(
    connection: &Connection,
    run: i64,
    graph: (&[Known], &Judgements),
    sets: &SetTargets<'_>,
    follows_nofollow: bool,
) -> Result<Vec<ClickPlace>, StoreError> {
    places_from(connection, run, graph, sets, follows_nofollow, starts(connection, run)?)
}

/// The place of each URL on the way from these.
pub(crate) fn places_from(
    connection: &Connection,
    run: i64,
    (known, judgements): (&[Known], &Judgements),
    sets: &SetTargets<'_>,
    follows_nofollow: bool,
    starts: Vec<Node>,
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
    let mut level: VecDeque<Node> = VecDeque::new();
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
    known: &'w [Known],
    judgements: &'w Judgements,
    places: Vec<ClickPlace>,
    /// By number of URL, the version of its page; 0 where there is none, or where its links were followed.
    versions: Vec<u32>,
    follows_nofollow: bool,
    /// Sets that were followed.
    followed: Numbers,
    sets_of: CachedStatement<'w>,
}

impl Walk<'_> {
    /// Follows the links of the pages at so many clicks; gives those one click further.
    fn level(
        &mut self,
        clicks: u32,
        mut level: VecDeque<Node>,
        sets: &SetTargets<'_>,
    ) -> Result<VecDeque<Node>, StoreError> {
        let mut next = VecDeque::new();
        while let Some(url) = level.pop_front() {
            // A redirect may have brought it nearer since it was put here.
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

    /// Where a redirect leads, or which page a variant or a repeat of it shows, or begins the list that it goes on with.
    fn stands_for(&self, url: Node) -> Option<Node> {
        let redirect = self.known.get(url as usize).and_then(|known| known.redirect.get());
        let variant = || match self.judgements.get(&url) {
            Some((Reason::ParameterVariant | Reason::Duplicate | Reason::Pagination, page)) => *page,
            _ => None,
        };
        redirect.or_else(variant)
    }

    /// Notes that `url` is reached at `place`, if that is nearer than where it was; `enter` puts it in line.
    fn reach(&mut self, url: Node, place: ClickPlace, enter: impl FnOnce(Node)) {
        if let Some(slot) = self.places.get_mut(url as usize).filter(|slot| place.clicks < slot.clicks) {
            *slot = place;
            enter(url);
        }
    }

    /// The sets of a page's links that were not followed before.
    fn sets(&mut self, url: Node) -> Result<Vec<u32>, StoreError> {
        let version = self.versions.get_mut(url as usize).map(std::mem::take).unwrap_or_default();
        if version == 0 {
            return Ok(Vec::new());
        }
        let sets: Option<Json<Vec<u32>>> = self.sets_of.query_row([version], |row| row.get(0)).optional()?;
        Ok(json::or_default(sets).into_iter().filter(|set| self.followed.insert(*set)).collect())
    }
}

/// The start URLs; where there are none, those of the list: beside start URLs it is visited as a sitemap's URLs are, and
/// brings nothing nearer.
fn starts(connection: &Connection, run: i64) -> Result<Vec<Node>, StoreError> {
    const SELECT: &str = "SELECT url FROM found
         WHERE run = ?1 AND via = (SELECT min(via) FROM found WHERE run = ?1 AND via IN (0, 1)) ORDER BY url";
    let starts = connection.prepare(SELECT)?.query_map([run], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(starts)
}

/// The version of each page of the run; 0 where there is none, and where the page says nofollow and that was minded: its
/// links are no way.
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
