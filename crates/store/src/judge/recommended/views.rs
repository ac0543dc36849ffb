//! Views: pages that repeat the content of another page under its title, such as the authors of each line of a file, or
//! a change limited to one folder.

use super::form_names::is_named_form;
use super::links::are_linked;
use super::pages::{Page, Pages, names_revision};
use super::text::{beside_boilerplate, boilerplate, bytes, shown, usual};
use super::view_words::has_word;
use crate::error::StoreError;
use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// A title that more than one in `MANY` pages have is no evidence about them.
const MANY: usize = 4;
/// The most blocks that a view may have of its own: the way back, the limitation of the view.
const OWN_BLOCKS: usize = 2;
/// The factor by which the text that a view shares with the other page must exceed its own.
const MOSTLY: u32 = 5;
/// The same factor for a page of links alone.
const MOSTLY_LINKS: u32 = 2;
/// The fewest blocks that a view and the other page have in common.
const FEW_BLOCKS: usize = 2;
/// The most labels and hints of a form, and the factor by which the shared text around it must exceed them.
const LABELS: usize = 16;
const FORM: u32 = 3;
/// The length in bytes from which on text is more than labels.
const TEXT: u32 = 100;
/// The most pages beside a view.
const MAX_BESIDE: usize = 16;

/// The number of classes of contexts.
const CLASSES: usize = 4_096;
/// The number of linked views with one word from which on views with that word count without a link.
const ESTABLISHED: usize = 3;

/// Pages by the hash of their URL without one path segment.
pub(super) struct SiblingIndex<'p> {
    pages: HashMap<u64, Vec<&'p Page>>,
    /// The words that the site uses for views, each with its origin.
    words: HashSet<(&'p str, &'p str)>,
}

/// Leaves out the pages that are views of others.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let titled = titled(pages);
    let sibling_index = sibling_index(pages)?;
    let usual = usual(pages.open().map(|page| page.fields.texts));
    if titled.is_empty() && sibling_index.pages.is_empty() && !pages.open().any(|page| page.fields.texts > usual) {
        return Ok(());
    }
    let boilerplate = boilerplate(pages)?;
    let mut views: Vec<(NodeIndex, NodeIndex, Reason)> = Vec::new();
    for page in pages.open().filter(|page| !page.is_home) {
        let above = titled.get(&page.title).map(|same| above(page, same)).unwrap_or_default();
        // Only pages with the name of a form: the archive of a month may show its one post in full, which has a comment
        // form.
        let around = if page.fields.texts > usual && is_named_form(page) { around(pages, page) } else { Vec::new() };
        let sibling =
            sibling(pages, &sibling_index, page)?.into_iter().map(|sibling| (sibling.full_page, sibling.is_tied));
        for (full_page, is_tied) in above.into_iter().chain(around).map(|full_page| (full_page, true)).chain(sibling) {
            if let Some(reason) = shows_nothing_else(pages, page, (full_page, is_tied), &boilerplate)? {
                views.push((page.node, full_page.node, reason));
                break;
            }
        }
    }
    views.into_iter().for_each(|(node, full_page, reason)| pages.leave_out(node, reason, Some(full_page)));
    Ok(())
}

/// The pages that share their title with a few others, by title and URL.
fn titled<'p>(pages: &'p Pages<'_>) -> HashMap<u64, HashMap<&'p str, &'p Page>> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let with_title = || shown_pages(pages).filter(|page| page.title != 0);
    with_title().for_each(|page| *counts.entry(page.title).or_default() += 1);
    counts.retain(|_, count| *count > 1 && *count * MANY <= pages.all.len());
    let mut titled: HashMap<u64, HashMap<&str, &Page>> = HashMap::new();
    for page in with_title().filter(|page| counts.contains_key(&page.title)) {
        titled.entry(page.title).or_default().insert(page.url.as_str(), page);
    }
    titled
}

fn shown_pages<'p>(pages: &'p Pages<'_>) -> impl Iterator<Item = &'p Page> {
    pages.all.iter().filter(|page| pages.is_shown(page.node))
}

/// The pages of the same title in a folder above a page, with the same query.
fn above<'p>(page: &Page, same: &HashMap<&str, &'p Page>) -> Vec<&'p Page> {
    let query = page.url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let at = |path: &str| same.get(page.url.with_path(&format!("{path}{query}")).as_str()).copied();
    folders(&page.url).filter_map(at).collect()
}

/// The pages in the folders above a page, of any title, since a form may quote the post that it replies to.
fn around<'p>(pages: &'p Pages<'_>, page: &Page) -> Vec<&'p Page> {
    let at = |path: &str| pages.at(&page.url.with_path(path)).filter(|full_page| pages.is_shown(full_page.node));
    folders(&page.url).filter_map(at).filter(|full_page| !full_page.is_home).collect()
}

/// The paths of the folders above a URL, each without and with its trailing slash.
pub(super) fn folders(url: &PageUrl) -> impl Iterator<Item = &str> {
    let path = url.path();
    let slashes = path.trim_end_matches('/').match_indices('/').skip(1);
    slashes.flat_map(|(slash, _)| [path.get(..slash), path.get(..=slash)]).flatten()
}

/// The pages whose paths differ from that of a view only by another name in the place of its word.
pub(super) fn sibling_index<'p>(pages: &'p Pages<'_>) -> Result<SiblingIndex<'p>, StoreError> {
    let views: Vec<&Page> = pages.open().filter(|page| page.has_view_word).collect();
    let (mut sibling_index, mut classes) = (HashMap::<u64, Vec<&Page>>::new(), [false; CLASSES]);
    for (_, around) in views.iter().flat_map(|page| sides_of_view(&page.url)) {
        classes.get_mut(around.class()).into_iter().for_each(|is_used| *is_used = true);
        sibling_index.entry(around.key()).or_default();
    }
    let has_contexts = !sibling_index.is_empty();
    for page in shown_pages(pages).filter(|_| has_contexts) {
        let fitting =
            sides(&page.url).filter(|(name, around)| classes.get(around.class()) == Some(&true) && !has_word(name));
        for (_, around) in fitting {
            sibling_index.entry(around.key()).and_modify(|pages| pages.push(page));
        }
    }
    sibling_index.retain(|_, pages| !pages.is_empty() && pages.len() <= MAX_BESIDE);
    let mut own = SiblingIndex { pages: sibling_index, words: HashSet::new() };
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for page in views {
        for sibling in sibling(pages, &own, page)?.iter().filter(|sibling| sibling.is_tied) {
            *counts.entry((origin_of(page.url.as_str()), sibling.word)).or_default() += 1;
        }
    }
    own.words = counts.into_iter().filter(|(_, count)| *count >= ESTABLISHED).map(|(word, _)| word).collect();
    Ok(own)
}

/// A page beside a view, and the word of the view.
pub(super) struct Sibling<'p, 'u> {
    pub(super) word: &'u str,
    pub(super) full_page: &'p Page,
    /// One links the other, or the word is established for views on this site. Independent pages may also differ by
    /// such a word, such as those of two packages of which one is called `print`.
    pub(super) is_tied: bool,
}

/// The pages beside a page, for each word of views in its path.
pub(super) fn sibling<'p, 'u>(
    pages: &Pages<'_>,
    sibling_index: &SiblingIndex<'p>,
    page: &'u Page,
) -> Result<Vec<Sibling<'p, 'u>>, StoreError> {
    let mut found = Vec::new();
    if sibling_index.pages.is_empty() || !page.has_view_word {
        return Ok(found);
    }
    for (word, around) in sides_of_view(&page.url) {
        let is_established = sibling_index.words.contains(&(origin_of(page.url.as_str()), word));
        for full_page in sibling_index.pages.get(&around.key()).into_iter().flatten().copied() {
            let is_tied = is_established || are_linked(pages, page, full_page)?;
            found.push(Sibling { word, full_page, is_tied });
        }
    }
    Ok(found)
}

/// The URL around a path segment.
#[derive(Hash)]
struct SegmentContext<'u> {
    before: &'u str,
    tail: &'u str,
    query: &'u str,
}

impl SegmentContext<'_> {
    fn key(&self) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(self)
    }

    /// One of [`CLASSES`], by lengths and the last characters before: contexts of two classes are never equal.
    fn class(&self) -> usize {
        let last = self.before.bytes().rev().take(4).fold(0, |sum, byte| sum * 31 + usize::from(byte));
        (last + 97 * self.before.len() + 389 * self.tail.len()) % CLASSES
    }
}

/// The words of views in a path, each with the URL around it: with the query, and without.
fn sides_of_view(url: &PageUrl) -> impl Iterator<Item = (&str, SegmentContext<'_>)> {
    let bare = url.as_str().split_once('?').map(|(bare, _)| bare);
    let without_query = bare.into_iter().flat_map(move |bare| sides_in(url, bare));
    sides(url).chain(without_query).filter(|(name, _)| has_word(name))
}

/// The path segments between two slashes.
pub(super) fn segments(url: &PageUrl) -> impl Iterator<Item = &str> {
    sides(url).map(|(name, _)| name)
}

fn sides(url: &PageUrl) -> impl Iterator<Item = (&str, SegmentContext<'_>)> {
    sides_in(url, url.as_str())
}

/// The segments of a URL, each with what is around it; `text` is the text of the URL, with or without its query.
fn sides_in<'u>(url: &PageUrl, text: &'u str) -> impl Iterator<Item = (&'u str, SegmentContext<'u>)> + use<'u> {
    let path_end = text.find('?').unwrap_or(text.len());
    let begin = url.as_str().len() - url.path_and_query().len();
    let slashes = move || text.match_indices('/').map(|(at, _)| at).filter(move |at| (begin..path_end).contains(at));
    slashes().zip(slashes().skip(1)).filter_map(move |(from, to)| {
        let (tail, query) = (text.get(to..path_end)?.trim_end_matches('/'), text.get(path_end..)?);
        Some((text.get(from + 1..to)?, SegmentContext { before: text.get(..from)?, tail, query }))
    })
}

/// Returns the reason to leave out a page that shows only the content of `full_page`, except for a few labels or a
/// form; `None` for another page. The links of the page count, too, unless the two pages are tied.
fn shows_nothing_else(
    pages: &Pages<'_>,
    page: &Page,
    (full_page, is_tied): (&Page, bool),
    boilerplate: &HashSet<BlockHash>,
) -> Result<Option<Reason>, StoreError> {
    let shown = shown(pages, full_page.node)?;
    let own = beside_boilerplate(pages, page.node, boilerplate)?.into_iter();
    let (shared, own): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| shown.contains(&passage.text));
    // If a page has no text, its links are its content.
    let has_text = bytes(shared.iter().filter(|passage| passage.role == PassageRole::Text)) >= TEXT;
    let own: Vec<&Passage> =
        own.iter().filter(|passage| !has_text || !is_tied || passage.role == PassageRole::Text).collect();
    let (much, little) = (bytes(&shared), bytes(own.iter().copied()));
    let is_form = page.fields.texts > full_page.fields.texts;
    let mostly = if has_text { MOSTLY } else { MOSTLY_LINKS };
    Ok(match own.len() {
        // No minimum of blocks, because an old revision of a folder may have held one file.
        0 if !shared.is_empty() && names_revision(page.url.path_and_query()) => Some(Reason::Duplicate),
        _ if shared.len() < FEW_BLOCKS => None,
        0..=OWN_BLOCKS if little.saturating_mul(mostly) <= much => Some(Reason::Duplicate),
        0..=LABELS if is_form && little.saturating_mul(FORM) <= much => Some(Reason::FormPage),
        _ => None,
    })
}
