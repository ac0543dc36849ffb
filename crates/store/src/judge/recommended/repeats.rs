//! Repeats: pages of one URL pattern with the same content, of which the most linked stays, and pages that the site
//! shows twice, under a parameter and under a path of their own.

use super::pages::{Page, Pages};
use mapwright_traps::{PageFingerprint, path_pattern};
use mapwright_verdict::{NodeIndex, Reason};
use mapwright_web::origin_of;
use std::collections::{HashMap, HashSet};

/// The fewest equal pages with little text and with names of their own, without parameters or digits, that are repeats.
const MANY_NAMED: usize = 3;
/// The length in bytes from which on two pages do not have equal text by chance.
const MUCH_PROSE: u32 = 400;
/// The length in bytes from which on equal text means equal content, unlike on pages of pictures.
const ENOUGH_PROSE: u32 = 12;

/// Leaves out all but one of the pages with the same content: within a URL pattern, in many folders, and in two forms
/// of URL.
pub(super) fn judge(pages: &mut Pages<'_>) {
    let repeated = Repeated::of(pages);
    if repeated.0.is_empty() {
        return;
    }
    within_patterns(pages, &repeated);
    in_many_folders(pages, &repeated);
    in_two_forms(pages, &repeated);
}

/// The fingerprints that several pages have, in any order of blocks. Other pages are not considered.
struct Repeated(HashSet<PageFingerprint>);

impl Repeated {
    fn of(pages: &Pages<'_>) -> Self {
        let mut met = HashSet::new();
        Self(pages.open().map(|page| unordered(page.print)).filter(|print| !met.insert(*print)).collect())
    }

    fn has(&self, page: &Page) -> bool {
        self.0.contains(&unordered(page.print))
    }
}

fn unordered(print: PageFingerprint) -> PageFingerprint {
    PageFingerprint { order: 0, ..print }
}

fn within_patterns(pages: &mut Pages<'_>, repeated: &Repeated) {
    let mut groups: HashMap<(String, PageFingerprint), Vec<&Page>> = HashMap::new();
    for page in pages.open().filter(|page| page.prose >= ENOUGH_PROSE && repeated.has(page)) {
        groups.entry((path_pattern(&page.url), unordered(page.print))).or_default().push(page);
    }
    let mut repeats: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for group in groups.into_values().flat_map(by_order).filter(|group| group.len() > 1) {
        let is_named =
            |page: &&&Page| !page.has_parameters && !page.url.path().bytes().any(|byte| byte.is_ascii_digit());
        if group.iter().filter(is_named).count() == group.len()
            && group.len() < MANY_NAMED
            && group.iter().any(|page| page.prose < MUCH_PROSE)
        {
            continue;
        }
        repeats.extend(but_the_best(pages, &group));
    }
    leave_out(pages, repeats);
}

/// The pages of a group without the best one, which stays; each with the best one.
fn but_the_best(pages: &Pages<'_>, group: &[&Page]) -> Vec<(NodeIndex, NodeIndex)> {
    let Some(stays) = pages.best(group) else { return Vec::new() };
    group.iter().map(|page| page.node).filter(|node| *node != stays).map(|node| (node, stays)).collect()
}

fn leave_out(pages: &mut Pages<'_>, repeats: Vec<(NodeIndex, NodeIndex)>) {
    repeats.into_iter().for_each(|(node, stays)| pages.leave_out(node, Reason::Duplicate, Some(stays)));
}

/// Divides a group by the order of the blocks, unless parameters may decide the order.
fn by_order(mut group: Vec<&Page>) -> Vec<Vec<&Page>> {
    if group.iter().any(|page| page.has_parameters) {
        return vec![group];
    }
    group.sort_by_key(|page| page.print.order);
    group.chunk_by(|one, next| one.print.order == next.print.order).map(<[_]>::to_vec).collect()
}

/// Leaves out all but one of several long pages with the same content, in any folders, such as a thread under the URL
/// of each of its messages. Two such pages may be on purpose.
fn in_many_folders(pages: &mut Pages<'_>, repeated: &Repeated) {
    let mut groups: HashMap<(&str, PageFingerprint), Vec<&Page>> = HashMap::new();
    for page in pages.open().filter(|page| page.prose >= MUCH_PROSE && repeated.has(page)) {
        groups.entry((origin_of(page.url.as_str()), page.print)).or_default().push(page);
    }
    let many = groups.into_values().filter(|group| group.len() >= MANY_NAMED);
    let repeats = many.flat_map(|group| but_the_best(pages, &group)).collect();
    leave_out(pages, repeats);
}

/// Leaves out one form of pages that have a URL with parameters and one without (`?title=Mill` and `/Mill`). For each
/// pattern, the form with more links in total stays; if both have equally many, the form without parameters.
fn in_two_forms(pages: &mut Pages<'_>, repeated: &Repeated) {
    let mut plain: HashMap<(&str, PageFingerprint), Vec<&Page>> = HashMap::new();
    let long = || pages.open().filter(|page| page.prose >= ENOUGH_PROSE && repeated.has(page));
    for page in long().filter(|page| !page.has_parameters) {
        plain.entry((origin_of(page.url.as_str()), page.print)).or_default().push(page);
    }
    let mut forms: HashMap<String, Vec<(&Page, &Page)>> = HashMap::new();
    for page in long().filter(|page| page.has_parameters) {
        let same = plain.get(&(origin_of(page.url.as_str()), page.print)).map(Vec::as_slice).unwrap_or_default();
        let same: Vec<&Page> =
            same.iter().copied().filter(|other| page.prose >= MUCH_PROSE || shares_name(page, other)).collect();
        if let Some(other) = pages.best(&same).and_then(|best| same.into_iter().find(|other| other.node == best)) {
            forms.entry(path_pattern(&page.url)).or_default().push((page, other));
        }
    }
    let mut repeats: Vec<(NodeIndex, NodeIndex)> = Vec::new();
    for pairs in forms.into_values() {
        let links =
            |of: fn(&(&Page, &Page)) -> NodeIndex| -> u64 { pairs.iter().map(|pair| pages.inlinks(of(pair))).sum() };
        let stays_with = links(|(page, _)| page.node) > links(|(_, other)| other.node);
        repeats.extend(pairs.iter().map(|(page, other)| match (stays_with || page.is_home) && !other.is_home {
            true => (other.node, page.node),
            false => (page.node, other.node),
        }));
    }
    repeats.sort_unstable();
    leave_out(pages, repeats);
}

/// Reports whether a segment in the path of `other` is the value of a parameter of `page`.
fn shares_name(page: &Page, other: &Page) -> bool {
    let values =
        || page.url.query().into_iter().flat_map(|query| query.split('&')).filter_map(|pair| pair.split_once('='));
    other.url.path().split('/').filter(|name| !name.is_empty()).any(|name| values().any(|(_, value)| value == name))
}
