//! Views: pages that show again, under its title, what another page shows: who wrote each line of a file, a change limited
//! to one folder.

use super::form_names::is_named_form;
use super::links::are_linked;
use super::pages::{Page, Pages, names_revision};
use super::text::{beside_frame, bytes, frame, shown, usual};
use crate::error::StoreError;
use mapwright_verdict::content::{Block, Passage, Role};
use mapwright_verdict::{Node, Reason};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Words in the paths of views of one thing, as applications write them. They decide nothing where the page has text.
const WORDS: [&str; 14] = [
    "annotate",
    "blame",
    "commitdiff",
    "comparison",
    "diff",
    "edit",
    "embed",
    "history",
    "log",
    "patch",
    "plain",
    "print",
    "raw",
    "source",
];
/// A title that more than one in so many pages have says nothing of them.
const MANY: usize = 4;
/// Blocks of text that a view may have of its own: where it leads from, what it is limited to.
const OWN_BLOCKS: usize = 2;
/// What a view shows of another page is so many times as long as what it has of its own, at least.
const MOSTLY: u32 = 5;
/// The same of a page that is links alone.
const MOSTLY_LINKS: u32 = 2;
/// Blocks that a page and the one that it is a view of have in common, at least.
const FEW_BLOCKS: usize = 2;
/// Labels and hints that a form has at most; what stands around it is so many times as long.
const LABELS: usize = 16;
const FORM: u32 = 3;
/// Bytes from which on text is more than labels.
const TEXT: u32 = 100;
/// Pages beside a view, at most.
const MAX_BESIDE: usize = 16;

/// Views by one word that are linked with what they show, from which on others by that word may be linked by none.
const ESTABLISHED: usize = 3;

/// Pages by what their URLs are beside a name between two slashes: the hash of that.
pub(super) struct Beside<'p> {
    pages: HashMap<u64, Vec<&'p Page>>,
    /// Words that the site uses of views, each with its origin.
    words: HashSet<(&'p str, &'p str)>,
}

/// Leaves out the pages that are views of others.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let titled = titled(pages);
    let beside = beside(pages)?;
    let usual = usual(pages.open().map(|page| page.fields.texts));
    if titled.is_empty() && beside.pages.is_empty() && !pages.open().any(|page| page.fields.texts > usual) {
        return Ok(());
    }
    let frame = frame(pages)?;
    let mut views: Vec<(Node, Node, Reason)> = Vec::new();
    for page in pages.open().filter(|page| !page.is_home) {
        let above = titled.get(&page.title).map(|same| above(page, same)).unwrap_or_default();
        // An archive of a month may show its one post in full, which has a form for comments.
        let around = if page.fields.texts > usual && is_named_form(page) { around(pages, page) } else { Vec::new() };
        let aside = aside(pages, &beside, page)?.into_iter().map(|aside| (aside.whole, aside.is_tied));
        for (whole, is_tied) in above.into_iter().chain(around).map(|whole| (whole, true)).chain(aside) {
            if let Some(reason) = shows_nothing_else(pages, page, (whole, is_tied), &frame)? {
                views.push((page.node, whole.node, reason));
                break;
            }
        }
    }
    views.into_iter().for_each(|(node, whole, reason)| pages.leave_out(node, reason, Some(whole)));
    Ok(())
}

/// The pages that share their title with a few others, by that and by their URLs.
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

/// The pages in the folders above a page, whatever their titles: a form may repeat what it is an answer to.
fn around<'p>(pages: &'p Pages<'_>, page: &Page) -> Vec<&'p Page> {
    let at = |path: &str| pages.at(&page.url.with_path(path)).filter(|whole| pages.is_shown(whole.node));
    folders(&page.url).filter_map(at).filter(|whole| !whole.is_home).collect()
}

/// The paths of the folders above a URL, without and with the slash at their ends.
pub(super) fn folders(url: &PageUrl) -> impl Iterator<Item = &str> {
    let path = url.path();
    let slashes = path.trim_end_matches('/').match_indices('/').skip(1);
    slashes.flat_map(|(slash, _)| [path.get(..slash), path.get(..=slash)]).flatten()
}

/// The pages that stand beside one with a word of views in its path, where that has another name.
pub(super) fn beside<'p>(pages: &'p Pages<'_>) -> Result<Beside<'p>, StoreError> {
    let views: Vec<&Page> = pages.open().filter(|page| page.url.path().split('/').any(has_word)).collect();
    let sides_of_views = views.iter().flat_map(|page| sides_of_view(&page.url));
    let mut beside: HashMap<u64, Vec<&Page>> = sides_of_views.map(|(_, key)| (key, Vec::new())).collect();
    if !beside.is_empty() {
        for page in shown_pages(pages) {
            for (_, key) in sides(&page.url).filter(|(name, _)| !has_word(name)) {
                beside.entry(key).and_modify(|pages| pages.push(page));
            }
        }
    }
    beside.retain(|_, pages| !pages.is_empty() && pages.len() <= MAX_BESIDE);
    let mut own = Beside { pages: beside, words: HashSet::new() };
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for page in views {
        for aside in aside(pages, &own, page)?.iter().filter(|aside| aside.is_tied) {
            *counts.entry((origin_of(page.url.as_str()), aside.word)).or_default() += 1;
        }
    }
    own.words = counts.into_iter().filter(|(_, count)| *count >= ESTABLISHED).map(|(word, _)| word).collect();
    Ok(own)
}

/// A page beside one that has a word of views at a place of its path.
pub(super) struct Aside<'p, 'u> {
    pub(super) word: &'u str,
    pub(super) whole: &'p Page,
    /// One links the other, or the word is one of views on this site. Pages of their own may stand beside one another
    /// too, of two packages, say, one of which is called `print`.
    pub(super) is_tied: bool,
}

/// The pages beside one with a word of views in its path.
pub(super) fn aside<'p, 'u>(
    pages: &Pages<'_>,
    beside: &Beside<'p>,
    page: &'u Page,
) -> Result<Vec<Aside<'p, 'u>>, StoreError> {
    let mut found = Vec::new();
    for (word, key) in sides_of_view(&page.url) {
        let is_established = beside.words.contains(&(origin_of(page.url.as_str()), word));
        for whole in beside.pages.get(&key).into_iter().flatten().copied() {
            let is_tied = is_established || are_linked(pages, page, whole)?;
            found.push(Aside { word, whole, is_tied });
        }
    }
    Ok(found)
}

/// The words of views in a path, each with the sides of it: with the query, and without.
fn sides_of_view(url: &PageUrl) -> impl Iterator<Item = (&str, u64)> {
    let bare = url.as_str().split_once('?').map(|(bare, _)| bare);
    let without_query = bare.into_iter().flat_map(move |bare| sides_in(url, bare));
    sides(url).chain(without_query).filter(|(name, _)| has_word(name))
}

/// Each name between two slashes of a path, with the hash of what stands before and behind it.
pub(super) fn sides(url: &PageUrl) -> impl Iterator<Item = (&str, u64)> {
    sides_in(url, url.as_str())
}

/// The same for a URL, given its text or that without its query.
fn sides_in<'u>(url: &PageUrl, text: &'u str) -> impl Iterator<Item = (&'u str, u64)> + use<'u> {
    let path_end = text.find('?').unwrap_or(text.len());
    let begin = url.as_str().len() - url.path_and_query().len();
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let slashes = move || text.match_indices('/').map(|(at, _)| at).filter(move |at| (begin..path_end).contains(at));
    slashes().zip(slashes().skip(1)).filter_map(move |(from, to)| {
        let (tail, query) = (text.get(to..path_end)?.trim_end_matches('/'), text.get(path_end..)?);
        Some((text.get(from + 1..to)?, hasher.hash_one((text.get(..from)?, tail, query))))
    })
}

/// Whether a name is a word of views, or has one before or behind an underscore.
pub(super) fn has_word(name: &str) -> bool {
    name.split('_').any(|word| WORDS.contains(&word))
}

/// Whether what a page shows is what `whole` shows, but for a label, or for a form; its links, too, where the two are not
/// tied otherwise.
fn shows_nothing_else(
    pages: &Pages<'_>,
    page: &Page,
    (whole, is_tied): (&Page, bool),
    frame: &HashSet<Block>,
) -> Result<Option<Reason>, StoreError> {
    let shown = shown(pages, whole.node)?;
    let own = beside_frame(pages, page.node, frame)?.into_iter();
    let (shared, own): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| shown.contains(&passage.text));
    // The links of a page are its content where it has no other.
    let has_text = bytes(shared.iter().filter(|passage| passage.role == Role::Text)) >= TEXT;
    let own: Vec<&Passage> = own.iter().filter(|passage| !has_text || !is_tied || passage.role == Role::Text).collect();
    let (much, little) = (bytes(&shared), bytes(own.iter().copied()));
    let is_form = page.fields.texts > whole.fields.texts;
    let mostly = if has_text { MOSTLY } else { MOSTLY_LINKS };
    Ok(match own.len() {
        // An old revision of a folder may have held one file.
        0 if !shared.is_empty() && names_revision(page.url.path_and_query()) => Some(Reason::Duplicate),
        _ if shared.len() < FEW_BLOCKS => None,
        0..=OWN_BLOCKS if little.saturating_mul(mostly) <= much => Some(Reason::Duplicate),
        0..=LABELS if is_form && little.saturating_mul(FORM) <= much => Some(Reason::FormPage),
        _ => None,
    })
}
