//! The listable pages of a run, with the data that judgement needs.

use super::view_words::has_word;
use crate::error::StoreError;
use crate::judge::link_targets::Targets;
use crate::judge::targets::SetTargets;
use crate::schema::json::Json;
use crate::write::facts::{Unpacker, fields};
use crate::write::passages;
use mapwright_model::Via;
use mapwright_traps::{PageFingerprint, has_parameters, is_revision, title_shape};
use mapwright_verdict::content::{BlockHash, Passage};
use mapwright_verdict::{Judgements, NodeIndex, Reason, UrlNode, is_listable};
use mapwright_web::page::facts::Fields;
use mapwright_web::{KeyMaker, KeyMap, PageFacts, PageUrl};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// The longest chain of pages in which each is a variant or duplicate of the next.
const MAX_CHAIN: usize = 8;

/// One page.
pub(super) struct Page {
    pub(super) node: NodeIndex,
    pub(super) url: PageUrl,
    pub(super) print: PageFingerprint,
    /// The hash of its title without numbers.
    pub(super) shape: u64,
    /// A hash of its title; 0 without one.
    pub(super) title: u64,
    /// The bytes of its text outside links, headings and forms.
    pub(super) prose: u32,
    pub(super) fields: Fields,
    /// Its URL may have parameters.
    pub(super) has_parameters: bool,
    /// A segment of its path has a word of views.
    pub(super) has_view_word: bool,
    /// It is a start URL of the crawl, or the root of its host.
    pub(super) is_home: bool,
    /// The sets of its links.
    sets: Vec<u32>,
}

/// All listable pages, and the judgements on them so far.
pub(super) struct Pages<'c> {
    pub(super) connection: &'c Connection,
    pub(super) sets: &'c SetTargets<'c>,
    pub(super) run: i64,
    pub(super) known: &'c [UrlNode],
    pub(super) all: Vec<Page>,
    by_text: KeyMap<usize>,
    keys: KeyMaker,
    judged: Judgements,
    /// The pages that others are variants, views or repeats of.
    originals: HashSet<NodeIndex>,
    /// The frame of the pages that are not left out, until one more is.
    boilerplate: OnceCell<Rc<HashSet<BlockHash>>>,
}

/// Returns the facts of a page whose scripts ran.
fn rendered_facts(
    row: &Row<'_>,
    title: Option<&str>,
    unpacker: &mut Unpacker,
) -> Result<Option<PageFacts>, StoreError> {
    let packed = row.get_ref(7)?;
    if packed == ValueRef::Null {
        return Ok(None);
    }
    let (title, prose_bytes) = (title.map(str::to_owned), row.get(4)?);
    Ok(Some(PageFacts { title, prose_bytes, ..unpacker.facts(packed)? }))
}

impl<'c> Pages<'c> {
    pub(super) fn load(
        (connection, sets): (&'c Connection, &'c SetTargets<'c>),
        run: i64,
        known: &'c [UrlNode],
        keys: KeyMaker,
    ) -> Result<Self, StoreError> {
        let (all, by_text, judged, originals) = (Vec::new(), KeyMap::default(), Judgements::new(), HashSet::new());
        let boilerplate = OnceCell::new();
        let mut pages = Self { connection, sets, run, known, all, by_text, keys, judged, originals, boilerplate };
        let mut starts = connection.prepare("SELECT url FROM found WHERE run = ? AND via < 2 AND via = ?")?;
        let starts: HashSet<NodeIndex> =
            starts.query_map((run, Via::Start.code()), |row| row.get(0))?.collect::<Result<_, _>>()?;
        let mut select = connection.prepare(
            "SELECT v.url, u.text, x.title, x.blocks, x.prose_bytes, x.fields, x.sets,
                    CASE WHEN m.rendered THEN x.facts END
             FROM visit v JOIN version x ON x.id = v.version JOIN url u ON u.id = v.url
             LEFT JOIN memory m ON m.url = v.url
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0",
        )?;
        let mut unpacker = Unpacker::new()?;
        let mut rows = select.query([run])?;
        while let Some(row) = rows.next()? {
            let node: NodeIndex = row.get(0)?;
            let Some(url) = PageUrl::recorded(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?) else {
                continue;
            };
            if !is_listable(known, node) {
                continue;
            }
            let title = row.get_ref(2)?.as_str_or_null().map_err(rusqlite::Error::from)?;
            let blocks = passages::content(row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?);
            let is_root = url.path_and_query() == "/";
            let rendered = rendered_facts(row, title, &mut unpacker)?;
            let distinctive = rendered.as_ref().map_or(title, PageFacts::distinctive_title);
            pages.all.push(Page {
                node,
                print: PageFingerprint::of(blocks.into_iter().map(u64::from), distinctive),
                shape: title_shape(title.unwrap_or_default()),
                title: title.filter(|title| !title.is_empty()).map_or(0, |title| keys.hash(title.as_bytes())),
                prose: row.get(4)?,
                fields: fields(row.get(5)?),
                has_parameters: has_parameters(&url),
                has_view_word: url.path().split('/').any(has_word),
                is_home: is_root || starts.contains(&node),
                sets: row.get::<_, Json<_>>(6)?.0,
                url,
            });
        }
        pages.all.sort_unstable_by(|one, other| one.url.as_str().cmp(other.url.as_str()));
        pages.by_text = pages.all.iter().enumerate().map(|(at, page)| (keys.key(&page.url).0, at)).collect();
        Ok(pages)
    }

    /// The page at a URL.
    pub(super) fn at(&self, url: &PageUrl) -> Option<&Page> {
        self.by_text.get(&self.keys.key(url).0).and_then(|at| self.all.get(*at))
    }

    /// Reports whether a page is not left out so far.
    pub(super) fn is_open(&self, node: NodeIndex) -> bool {
        !self.judged.contains_key(&node)
    }

    /// Reports whether a URL is a listable page, left out by judgement or not.
    pub(super) fn is_page(&self, node: NodeIndex) -> bool {
        is_listable(self.known, node)
    }

    /// The judgement on a page, if it is left out.
    pub(super) fn judgement(&self, node: NodeIndex) -> Option<(Reason, Option<NodeIndex>)> {
        self.judged.get(&node).copied()
    }

    /// Removes the judgement on a page.
    pub(super) fn list_again(&mut self, node: NodeIndex) {
        self.judged.remove(&node);
        self.boilerplate.take();
    }

    /// Reports whether a page was judged to be a form.
    pub(super) fn is_form(&self, node: NodeIndex) -> bool {
        self.judged.get(&node).is_some_and(|(reason, _)| *reason == Reason::FormPage)
    }

    /// The pages that are not left out so far.
    pub(super) fn open(&self) -> impl Iterator<Item = &Page> {
        self.all.iter().filter(|page| self.is_open(page.node))
    }

    /// Reports whether the content of a page is listed: under its own URL, or as that of which it is a variant or
    /// duplicate.
    pub(super) fn is_shown(&self, node: NodeIndex) -> bool {
        let judged = self.judged.get(&node);
        judged.is_none_or(|(reason, _)| matches!(reason, Reason::ParameterVariant | Reason::Duplicate))
    }

    /// The page that is listed for this one: itself, or the page of which it is a variant or duplicate; `None` where
    /// there is none.
    pub(super) fn listed_node_of(&self, node: NodeIndex) -> Option<NodeIndex> {
        let shows_same = |reason: &Reason| matches!(reason, Reason::ParameterVariant | Reason::Duplicate);
        let mut stays = node;
        for _ in 0..MAX_CHAIN {
            let Some((reason, other)) = self.judged.get(&stays) else { return Some(stays) };
            stays = (*other).filter(|_| shows_same(reason))?;
        }
        None
    }

    /// The page that stays, among pages with the same content. Home pages rank first, then the URL that all others
    /// extend by parameters, then pages that others are left out for, URLs that name no revision, the most links, the
    /// shortest URL.
    pub(super) fn best(&self, group: &[&Page]) -> Option<NodeIndex> {
        let inlinks = |page: &Page| self.inlinks(page.node);
        let is_core = |page: &Page| group.iter().all(|other| is_part(&page.url, &other.url));
        let rank = |page: &&&Page| {
            let (stands, is_current) =
                (self.originals.contains(&page.node), !names_revision(page.url.path_and_query()));
            let linked = Reverse((page.is_home, is_core(page), stands, is_current, inlinks(page)));
            (linked, page.url.chars(), page.url.as_str().to_owned())
        };
        group.iter().min_by_key(rank).map(|page| page.node)
    }

    /// The number of pages that link a page.
    pub(super) fn inlinks(&self, node: NodeIndex) -> u64 {
        self.known.get(node as usize).map_or(0, |known| u64::from(known.inlinks))
    }

    /// Leaves out a page for a reason, unless it is already left out.
    pub(super) fn leave_out(&mut self, node: NodeIndex, reason: Reason, evidence: Option<NodeIndex>) {
        if let Entry::Vacant(entry) = self.judged.entry(node) {
            entry.insert((reason, evidence));
            self.boilerplate.take();
            let is_same = matches!(reason, Reason::ParameterVariant | Reason::Duplicate);
            self.originals.extend(evidence.filter(|_| is_same));
        }
    }

    /// Reports whether other pages were left out as variants, views or repeats of this one.
    pub(super) fn stands_for_others(&self, node: NodeIndex) -> bool {
        self.originals.contains(&node)
    }

    pub(super) fn into_judgements(self) -> Judgements {
        self.judged
    }

    /// The node and properties of a URL, whether it is a page or not.
    pub(super) fn known_of(&self, url: &PageUrl) -> Result<Option<(NodeIndex, UrlNode)>, StoreError> {
        let mut select = self.connection.prepare_cached("SELECT id FROM url WHERE key = ? AND text = ?")?;
        let key = self.keys.key(url).0.cast_signed();
        let node: Option<NodeIndex> = select.query_row((key, url.as_str()), |row| row.get(0)).optional()?;
        Ok(node.and_then(|node| Some((node, *self.known.get(node as usize)?))))
    }

    /// The frame of the pages that are not left out so far, computed once by `compute` for all steps that leave it as
    /// it is.
    pub(super) fn boilerplate(
        &self,
        compute: impl FnOnce() -> Result<HashSet<BlockHash>, StoreError>,
    ) -> Result<Rc<HashSet<BlockHash>>, StoreError> {
        if let Some(known) = self.boilerplate.get() {
            return Ok(Rc::clone(known));
        }
        let computed = Rc::new(compute()?);
        Ok(Rc::clone(self.boilerplate.get_or_init(|| computed)))
    }

    /// The targets of a page's links, set by set, in the order of the page.
    pub(super) fn link_sets(&self, page: &Page) -> impl Iterator<Item = Result<Rc<Targets>, StoreError>> {
        page.sets.iter().map(|set| self.sets.targets(*set))
    }

    /// The text blocks of a page.
    pub(super) fn blocks(&self, node: NodeIndex) -> Result<Vec<BlockHash>, StoreError> {
        Ok(passages::content(&self.packed(node)?))
    }

    /// The passages of a page, without its title.
    pub(super) fn passages(&self, node: NodeIndex) -> Result<Vec<Passage>, StoreError> {
        Ok(passages::read(None, &self.packed(node)?))
    }

    fn packed(&self, node: NodeIndex) -> Result<Vec<u8>, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT x.blocks FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
        )?;
        let bytes: Option<Vec<u8>> = select.query_row((self.run, node), |row| row.get(0)).optional()?;
        Ok(bytes.unwrap_or_default())
    }
}

/// The path of git's tags: any name after it is the name of a revision.
pub(super) const TAGS: &str = "refs/tags/";

/// Reports whether a part of a URL has the name of a revision.
pub(super) fn names_revision(text: &str) -> bool {
    text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).any(is_revision) || text.contains(TAGS)
}

/// Reports whether `url` is `full_page` with the same parameters or fewer.
fn is_part(url: &PageUrl, full_page: &PageUrl) -> bool {
    let parameters = |url: &PageUrl| -> Vec<String> {
        url.query().into_iter().flat_map(|query| query.split(['&', ';'])).map(str::to_owned).collect()
    };
    let (own, all) = (parameters(url), parameters(full_page));
    url.origin() == full_page.origin() && url.path() == full_page.path() && own.iter().all(|pair| all.contains(pair))
}
