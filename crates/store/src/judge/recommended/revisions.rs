//! Revisions: pages that show an earlier state of another page, recognised by the name of a revision in their URLs.

use super::pages::{Page, Pages, TAGS, names_revision};
use super::text::{beside_boilerplate, boilerplate, bytes, counts, paragraphs, shown};
use crate::error::StoreError;
use mapwright_traps::{parameters, wide_pattern, without};
use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use mapwright_verdict::{NodeIndex, Reason};
use std::collections::{HashMap, HashSet};

/// The factor by which the text that a revision shares with the current page must exceed its own text.
const MOSTLY: u32 = 2;
/// The fewest blocks that both have.
const FEW_BLOCKS: usize = 2;
/// The most pages that a revision is compared with.
const MAX_FULL_PAGES: usize = 16;
/// The fewest pages with the name of a revision in a part of a site, and the percentage of them left out, from which on
/// the remaining ones are left out, too.
const MANY: usize = 50;
const NEARLY_ALL: usize = 80;

/// Leaves out the revisions of pages that are listed.
///
/// Returns whether any page has the name of a revision.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<bool, StoreError> {
    let revisions: Vec<(&Page, RevisionPosition)> = pages
        .open()
        .filter(|page| !page.is_home)
        .filter_map(|page| Some((page, RevisionPosition::of(page)?)))
        .collect();
    if revisions.is_empty() {
        return Ok(false);
    }
    let shapes: HashSet<u64> = revisions.iter().map(|(page, _)| page.shape).collect();
    let mut named: HashMap<u64, Vec<&Page>> = HashMap::new();
    for page in pages.all.iter().filter(|page| shapes.contains(&page.shape) && pages.is_shown(page.node)) {
        if RevisionPosition::of(page).is_none() {
            named.entry(page.shape).or_default().push(page);
        }
    }
    let boilerplate = boilerplate(pages)?;
    let said = counts(pages, &pages.all)?;
    let mut out: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for (page, place) in &revisions {
        let alike = named.get(&page.shape).into_iter().flatten().filter(|full_page| place.has(page, full_page));
        for full_page in alike.take(MAX_FULL_PAGES) {
            if is_mostly(pages, page, full_page, (&boilerplate, &said))? {
                out.push((page.node, full_page.node));
                break;
            }
        }
    }
    out.into_iter().for_each(|(node, full_page)| pages.leave_out(node, Reason::Duplicate, Some(full_page)));
    Ok(true)
}

/// Leaves out the remaining pages with the name of a revision in a part of the site where nearly all were left out,
/// unless they have a paragraph that no other page has. Which of very many pages remain depends on which were
/// requested.
pub(super) fn judge_last(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut groups: HashMap<String, (usize, Vec<&Page>)> = HashMap::new();
    for page in pages.all.iter().filter(|page| !page.is_home && RevisionPosition::of(page).is_some()) {
        let (total, open) = groups.entry(wide_pattern(&page.url).unwrap_or_default()).or_default();
        *total += 1;
        open.extend(pages.is_open(page.node).then_some(page));
    }
    groups.retain(|_, (total, open)| *total >= MANY && open.len() * 100 <= *total * (100 - NEARLY_ALL));
    let last: Vec<&Page> = groups.into_values().flat_map(|(_, open)| open).collect();
    if last.is_empty() {
        return Ok(());
    }
    let said = counts(pages, pages.open())?;
    let mut out = Vec::new();
    for page in last {
        let is_own = |paragraph: &BlockHash| said.get(paragraph).is_none_or(|count| *count <= 1);
        if !paragraphs(pages, page.node)?.iter().any(is_own) {
            out.push(page.node);
        }
    }
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::CrawlTrap, None));
    Ok(())
}

/// The place of a revision's name in the URL.
enum RevisionPosition {
    /// In the path: the URL before it, and the path after its segment.
    Path(String, String),
    /// In the query.
    Query,
}

impl RevisionPosition {
    fn of(page: &Page) -> Option<Self> {
        let url = &page.url;
        if !names_revision(url.path_and_query()) {
            return None;
        }
        if let Some((start, end)) = in_path(url.path()) {
            let tail = url.path().get(end..).unwrap_or_default();
            return Some(Self::Path(format!("{}{}", url.origin(), url.path().get(..start)?), tail.to_owned()));
        }
        url.query().filter(|query| names_revision(query)).map(|_| Self::Query)
    }

    /// Reports whether `full_page`, a page without the name of a revision, may be the current state of `page`, by their
    /// URLs.
    fn has(&self, page: &Page, full_page: &Page) -> bool {
        match self {
            Self::Path(before, tail) => {
                let path = format!("{}{}", full_page.url.origin(), full_page.url.path());
                let before = before.trim_end_matches('/');
                let rest = path.strip_prefix(before).filter(|rest| rest.is_empty() || rest.starts_with('/'));
                rest.is_some_and(|rest| rest.ends_with(tail.as_str())) && page.url.query() == full_page.url.query()
            }
            Self::Query => parameters(&page.url).iter().any(|parameter| without(&page.url, parameter) == full_page.url),
        }
    }
}

/// The start and end, in bytes, of the first name of a revision in a path: a segment, or a tag with the two segments
/// before it.
fn in_path(path: &str) -> Option<(usize, usize)> {
    let end_of =
        |name: usize| path.get(name..).and_then(|rest| rest.find('/')).map_or(path.len(), |slash| name + slash);
    let tag = path.find(TAGS).map(|start| (start, end_of(start + TAGS.len())));
    let starts = path.match_indices('/').map(|(slash, _)| slash + 1);
    let segment = starts
        .map(|start| (start, end_of(start)))
        .find(|(start, end)| path.get(*start..*end).is_some_and(names_revision));
    segment.into_iter().chain(tag).min()
}

/// Reports whether most of a page's content is also on `full_page`. Blocks on most pages (`frame`) do not count, nor do
/// own blocks that are also on other pages, such as the message of a commit on all pages that belong to it.
fn is_mostly(
    pages: &Pages<'_>,
    page: &Page,
    full_page: &Page,
    (boilerplate, said): (&HashSet<BlockHash>, &HashMap<BlockHash, u32>),
) -> Result<bool, StoreError> {
    let shown = shown(pages, full_page.node)?;
    let all = beside_boilerplate(pages, page.node, boilerplate)?;
    // If a page has no text, its links are its content.
    let is_text = |passage: &&Passage| passage.role == PassageRole::Text;
    let texts: Vec<&Passage> = if all.iter().any(|passage| is_text(&passage)) {
        all.iter().filter(is_text).collect()
    } else {
        all.iter().collect()
    };
    let (shared, own): (Vec<&Passage>, Vec<&Passage>) =
        texts.into_iter().partition(|passage| shown.contains(&passage.text));
    let own = own.into_iter().filter(|passage| said.get(&passage.text).is_none_or(|pages| *pages <= 1));
    let (much, little) = (bytes(shared.iter().copied()), bytes(own));
    Ok(shared.len() >= FEW_BLOCKS.min(shown.len()).max(1) && little.saturating_mul(MOSTLY) <= much)
}
