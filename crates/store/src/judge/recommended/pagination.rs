//! Pagination: the pages from the second on of a paginated list whose items are listed.

use super::links::targets;
use super::pages::{Page, Pages};
use super::text::{boilerplate, bytes, text};
use crate::error::StoreError;
use mapwright_traps::{Parameter, ParameterPosition, names_pages, parameters, without};
use mapwright_verdict::content::{BlockHash, Passage};
use mapwright_verdict::{FetchStatus, NodeIndex, Reason};
use mapwright_web::PageUrl;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// A further page of a series, with its number.
struct Further {
    node: NodeIndex,
    number: u64,
}

/// The most bytes of text for each item of a list: an excerpt and a by-line.
const PROSE_AN_ITEM: u64 = 700;
/// The most bytes of text of a page that says that a list is empty.
const LITTLE_PROSE: u32 = 120;
/// The fewest bytes of an article.
const ARTICLE: u32 = 100;
/// The factor by which the comments below an article may be longer than the article.
const COMMENTS: u32 = 3;
/// The fewest items on the first page of a list, since a page of content may link one by chance.
const FEWEST_ITEMS: usize = 2;
/// A target that more than one in `FRAME` pages link is part of the frame, not an item.
const FRAME: usize = 4;
/// The most items of a page whose text is compared with it, and the factor by which their text must exceed its own.
const MAX_ITEMS: usize = 50;
const MOSTLY: u32 = 4;
/// The number of pages that may link an item on a site of any size.
const FEW_INLINKS: u32 = 8;

/// Leaves out the further pages of lists.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut out: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    let all = all(pages);
    let boilerplate = if all.is_empty() { Rc::default() } else { boilerplate(pages)? };
    let at_path = at_path(pages, all.iter().map(|(first, ..)| first));
    for (first, named, series) in all {
        let Some(first) = pages.at(&first) else { continue };
        let Some(stays) = pages.listed_node_of(first.node).filter(|_| is_series(&series)) else { continue };
        // Pages at the path of the list with other parameters are not items either.
        let own = at_path.get(&path_of(&first.url)).into_iter().flatten().copied();
        let members: HashSet<NodeIndex> = series.iter().map(|further| further.node).chain(own).collect();
        let shapes = shapes(pages, &members);
        let shown = items(pages, first, &members)?;
        let mut list = List {
            first,
            named,
            members: &members,
            boilerplate: &boilerplate,
            is_proven: shown.len() >= FEWEST_ITEMS,
            shown,
        };
        if named {
            // The newest items, on the first page, may be linked from everywhere, so further pages are checked, too.
            for page in shapes.values() {
                list.is_proven |= items(pages, page, &members)?.difference(&list.shown).count() > FEWEST_ITEMS;
            }
        }
        let (mut continuing, mut is_apart) = (Vec::new(), 0);
        for further in series.iter().filter(|further| further.node != stays) {
            let Some(page) = shapes.get(&further.node) else { continue };
            match (named || page.shape == first.shape) && list.is_continued_by(pages, page)? {
                true => continuing.push((further.node, stays)),
                false => is_apart += 1,
            }
        }
        // If most are not further pages of the list, the number selects content, some of which is short.
        if continuing.len() >= is_apart {
            out.extend(continuing);
        }
    }
    out.into_iter().for_each(|(node, first)| pages.leave_out(node, Reason::Pagination, Some(first)));
    Ok(())
}

/// All pages at the paths of these URLs, with any parameters.
fn at_path<'u>(pages: &Pages<'_>, urls: impl Iterator<Item = &'u PageUrl>) -> HashMap<String, Vec<NodeIndex>> {
    let mut at_path: HashMap<String, Vec<NodeIndex>> = urls.map(|url| (path_of(url), Vec::new())).collect();
    if !at_path.is_empty() {
        pages.all.iter().for_each(|page| {
            at_path.entry(path_of(&page.url)).and_modify(|own| own.push(page.node));
        });
    }
    at_path
}

fn path_of(url: &PageUrl) -> String {
    format!("{}{}", url.origin(), url.path())
}

/// The members of a series that stay so far, by their numbers.
fn shapes<'p>(pages: &'p Pages<'_>, members: &HashSet<NodeIndex>) -> BTreeMap<NodeIndex, &'p Page> {
    pages.open().filter(|page| members.contains(&page.node)).map(|page| (page.node, page)).collect()
}

/// All series: the URL of the first page, whether the name of the number stands for pages, and the further pages.
fn all(pages: &Pages<'_>) -> Vec<(PageUrl, bool, Vec<Further>)> {
    let mut series: BTreeMap<(String, bool), (PageUrl, Vec<Further>)> = BTreeMap::new();
    for page in pages.open().filter(|page| !page.is_home) {
        for (first, named, number) in firsts(page) {
            if pages.at(&first).is_some_and(|first| first.node != page.node) {
                let entry = series.entry((first.as_str().to_owned(), named)).or_insert_with(|| (first, Vec::new()));
                entry.1.push(Further { node: page.node, number });
            }
        }
    }
    series.into_iter().map(|((_, named), (first, further))| (first, named, further)).collect()
}

/// The first pages that a URL may be a further page of: the URL without a parameter that is a number, or without the
/// number at the end of its path and the word before it. Each comes with whether the name stands for pages, and the
/// number.
fn firsts(page: &Page) -> Vec<(PageUrl, bool, u64)> {
    let (url, mut found) = (&page.url, Vec::new());
    let own = if page.has_parameters { parameters(url) } else { Vec::new() };
    for parameter in own.into_iter().filter(|parameter| parameter.place == ParameterPosition::Query) {
        if let Some(number) = number_of(url, &parameter) {
            found.push((without(url, &parameter), names_pages(&parameter.name), number));
        }
    }
    let (path, slash) = match url.path().strip_suffix('/') {
        Some(path) => (path, "/"),
        None => (url.path(), ""),
    };
    let Some((before, last)) = path.rsplit_once('/') else { return found };
    let (word, digits) = last.rsplit_once('-').unwrap_or(("", last));
    let Ok(number) = digits.parse() else { return found };
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut push = |path: &str, named| {
        for ending in [slash, if slash.is_empty() { "/" } else { "" }] {
            found.push((url.with_path(&format!("{path}{ending}{query}")), named, number));
        }
    };
    if word.is_empty() {
        push(before, false);
        if let Some((parent, _)) = before.rsplit_once('/').filter(|(_, name)| names_pages(name)) {
            push(parent, true);
        }
    } else if names_pages(word) {
        push(before, true);
    }
    found
}

fn number_of(url: &PageUrl, parameter: &Parameter) -> Option<u64> {
    let pairs = url.query()?.split(['&', ';']);
    let mut values = pairs.filter_map(|pair| pair.strip_prefix(parameter.name.as_str())?.strip_prefix('='));
    values.next()?.parse().ok()
}

/// Reports whether the numbers are those of the pages of one list: they begin near zero and increase in steps.
fn is_series(series: &[Further]) -> bool {
    let mut numbers: Vec<u64> = series.iter().map(|further| further.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else { return false };
    let step = numbers.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?)).min().unwrap_or(*least).max(1);
    *least <= 2 * step.max(1) && *most <= step.saturating_mul(2 * numbers.len() as u64 + 3)
}

/// The first page of a series: a list, or an article with comments.
struct List<'l> {
    first: &'l Page,
    /// The name of the number stands for pages.
    named: bool,
    members: &'l HashSet<NodeIndex>,
    boilerplate: &'l HashSet<BlockHash>,
    /// The items that the first page shows.
    shown: HashSet<NodeIndex>,
    /// It is proven to be a list of items.
    is_proven: bool,
}

impl List<'_> {
    /// Reports whether a page continues the first one: the same article with further comments, a list of items that are
    /// listed, or a remark beyond the end of such a list.
    fn is_continued_by(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        if self.named && self.is_again_in(pages, page)? {
            return Ok(true);
        }
        // Targets that both pages link belong to the frame or to the list as such.
        let own = items(pages, page, self.members)?;
        let further = own.difference(&self.shown).count();
        if further > 0 {
            let is_short = u64::from(page.prose) <= PROSE_AN_ITEM * further as u64;
            return Ok(self.is_proven && (is_short || self.named && self.is_said_by(pages, &own, page)?));
        }
        Ok(self.named && !self.shown.is_empty() && self.is_empty(pages, page)?)
    }

    /// Reports whether most of a page's text is that of its items: the page shows them in full.
    fn is_said_by(&self, pages: &Pages<'_>, items: &HashSet<NodeIndex>, page: &Page) -> Result<bool, StoreError> {
        let mut said: HashSet<BlockHash> = HashSet::new();
        for item in items.iter().take(MAX_ITEMS) {
            said.extend(text(pages, *item)?.iter().map(|passage| passage.text));
        }
        let own = text(pages, page.node)?.into_iter().filter(|passage| !self.boilerplate.contains(&passage.text));
        let (again, new): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| said.contains(&passage.text));
        Ok(bytes(&again) >= bytes(&new).saturating_mul(MOSTLY))
    }

    /// Reports whether a page shows nothing that is not on the first page of its list, except, in a proven list of
    /// items, for a remark under the same title. A page without text is no evidence.
    fn is_empty(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let shown: HashSet<_> = pages.blocks(self.first.node)?.into_iter().collect();
        let blocks = pages.blocks(page.node)?;
        let own = blocks.iter().filter(|block| !shown.contains(block)).count();
        let is_titled = page.title != 0 && page.shape == self.first.shape;
        let is_remark = self.is_proven && own <= 2 && is_titled && page.prose <= LITTLE_PROSE;
        Ok(!blocks.is_empty() && (own == 0 || is_remark))
    }

    /// Reports whether a page repeats enough of the text of the first one to be the same article with other comments.
    fn is_again_in(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let shown: HashSet<BlockHash> = text(pages, page.node)?.iter().map(|passage| passage.text).collect();
        let own = text(pages, self.first.node)?.into_iter().filter(|passage| !self.boilerplate.contains(&passage.text));
        let (again, gone): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| shown.contains(&passage.text));
        Ok(!self.first.is_home && bytes(&again) >= ARTICLE && bytes(&again) * COMMENTS >= bytes(&gone))
    }
}

/// The items of a page: the listed pages that it links, without those of its series and of the site's frame.
fn items(pages: &Pages<'_>, page: &Page, members: &HashSet<NodeIndex>) -> Result<HashSet<NodeIndex>, StoreError> {
    let most = FEW_INLINKS.max(u32::try_from(pages.all.len() / FRAME).unwrap_or(u32::MAX));
    let known = |node: NodeIndex| pages.known.get(node as usize).copied().unwrap_or_default();
    // A link to a variant of a page, or to a redirect to one, counts as a link to that page.
    let meant = |node: NodeIndex| {
        let redirected =
            known(node).redirect.get().filter(|_| matches!(known(node).fetch_status, FetchStatus::Redirect));
        let stays = pages.listed_node_of(redirected.unwrap_or(node))?;
        let is_page = matches!(known(stays).fetch_status, FetchStatus::Page) && pages.is_open(stays);
        (is_page && known(node).inlinks <= most && !members.contains(&stays)).then_some(stays)
    };
    Ok(targets(pages, page)?.into_iter().filter_map(meant).collect())
}
