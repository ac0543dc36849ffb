//! Pages with nearly the same text: minhash sketches, compared where enough of them is equal to make it likely.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::{Site, UrlNo};
use mapwright_web::page::facts::Sketch;
use std::collections::{BTreeMap, HashMap};

/// Bytes of a sketch that must be equal for two pages to be compared. Of texts that have nine tenths in common four in
/// a row are equal with a chance of 0.66, so that one of 32 rows is nearly for certain.
const ROW: usize = 4;
/// Pages of one row that are compared with each other; in longer ones each is compared with the first alone.
const COMPARED: usize = 50;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    let mut pages: Vec<(UrlNo, &Sketch)> = Vec::new();
    let mut bodies: HashMap<u64, UrlNo> = HashMap::new();
    for (url, node, said) in site.pages() {
        let Some(sketch) = said.sketch.as_ref().filter(|_| node.stands_for_itself(url)) else { continue };
        // Of pages with the same bytes one stands for all: they are told as such.
        if bodies.insert(said.hash, url).is_none() {
            pages.push((url, sketch));
        }
    }
    let mut groups = Groups::new(pages.len());
    for row in 0..Sketch::BINS / ROW {
        for alike in rows(&pages, row).chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
            compare(&pages, alike, limits.near, &mut groups);
        }
    }
    for members in groups.into_groups() {
        let urls: Vec<UrlNo> = members.iter().filter_map(|at| pages.get(*at)).map(|(url, _)| *url).collect();
        let message = format!("{} pages have at least {} % of their text in common.", urls.len(), limits.near);
        found.push(Finding::group(Code::DupNear, urls).says(message));
    }
}

/// A row of a sketch, and the place of its page.
type Row = ([u8; ROW], usize);

/// Pages in the order of one row of their sketches; an empty row says nothing.
fn rows(pages: &[(UrlNo, &Sketch)], row: usize) -> Vec<Row> {
    let bytes = |sketch: &Sketch| sketch.0.get(row * ROW..(row + 1) * ROW)?.try_into().ok();
    let of_page = |(at, (_, sketch)): (usize, &(UrlNo, &Sketch))| Some((bytes(sketch)?, at));
    let mut rows: Vec<Row> =
        pages.iter().enumerate().filter_map(of_page).filter(|(bytes, _)| *bytes != [0; ROW]).collect();
    rows.sort_unstable();
    rows
}

fn compare(pages: &[(UrlNo, &Sketch)], alike: &[Row], near: u32, groups: &mut Groups) {
    let pivots = if alike.len() <= COMPARED { alike.len() } else { 1 };
    for (place, (_, one)) in alike.iter().enumerate().take(pivots) {
        for (_, other) in alike.iter().skip(place + 1) {
            let (Some((_, a)), Some((_, b))) = (pages.get(*one), pages.get(*other)) else { continue };
            if !groups.are_one(*one, *other) && a.likeness(b) >= near {
                groups.join(*one, *other);
            }
        }
    }
}

/// Groups that grow together (union and find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn head(&mut self, of: usize) -> usize {
        let mut at = of;
        while let Some(next) = self.0.get(at).copied().filter(|next| *next != at) {
            // Each step halves the way of the next search.
            let further = self.0.get(next).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = further;
            }
            at = further;
        }
        at
    }

    fn are_one(&mut self, one: usize, other: usize) -> bool {
        self.head(one) == self.head(other)
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.head(one), self.head(other));
        if let Some(slot) = self.0.get_mut(one.max(other)) {
            *slot = one.min(other);
        }
    }

    fn into_groups(mut self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.0.len() {
            let head = self.head(at);
            groups.entry(head).or_default().push(at);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    /// So many words that no other text of another `seed` has in a row.
    fn words(seed: usize, count: usize) -> String {
        (0..count)
            .map(|n| format!("{}{} ", ["stone", "river", "meadow", "lantern", "copper"][n % 5], seed * 10_000 + n))
            .collect()
    }

    fn told(site: &Site) -> Vec<String> {
        site.told(|site, found| find(site, &Limits::default(), found)).of(Code::DupNear)
    }

    #[test]
    fn texts_that_differ_in_a_word_are_nearly_the_same_and_texts_with_half_in_common_are_not() {
        let (text, half) = (words(1, 600), words(2, 300));
        let site = made()
            .page("/near-a", &text)
            .page("/near-b", &text.replace("10300", "otherwise"))
            .page("/half-a", &[half.clone(), words(3, 300)].concat())
            .page("/half-b", &[half, words(4, 300)].concat())
            .page("/other", &words(5, 600))
            .site();
        assert_eq!(told(&site), ["/near-a /near-b"]);
        let message = site.told(|site, found| find(site, &Limits::default(), found)).message(Code::DupNear);
        assert_eq!(message, "2 pages have at least 90 % of their text in common.");
    }

    #[test]
    fn navigation_header_and_footer_make_no_pages_alike() {
        let frame = words(1, 400);
        let page = |seed| format!("<nav>{frame}</nav><main>{}</main><footer>{frame}</footer>", words(seed, 100));
        assert_eq!(told(&made().page("/a", &page(2)).page("/b", &page(3)).site()), [""; 0]);
    }

    #[test]
    fn texts_of_fewer_than_twenty_words_are_not_compared() {
        let pair =
            |count| made().page("/a", &words(1, count)).page("/b", &[words(1, count), "<hr>".into()].concat()).site();
        assert_eq!(told(&pair(19)), [""; 0]);
        assert_eq!(told(&pair(20)), ["/a /b"]);
    }

    #[test]
    fn pages_with_the_same_bytes_are_told_as_such_and_stand_for_one() {
        let text = words(1, 300);
        let same = made().page("/a", &text).page("/b", &text).site();
        assert_eq!(told(&same), [""; 0]);
        let third = made().page("/a", &text).page("/b", &text).page("/c", &[text.as_str(), "<hr>"].concat()).site();
        assert_eq!(told(&third), ["/a /c"]);
    }

    #[test]
    fn pages_that_stay_out_of_the_index_are_no_duplicates() {
        let (text, canonical) = (words(1, 300), "<link rel=canonical href=http://example.com/a>");
        let site = made()
            .page("/a", &text)
            .page("/noindex", &[text.as_str(), "<hr>"].concat())
            .header("/noindex", "x-robots-tag", "noindex")
            .page("/variant", &[canonical, &text].concat())
            .site();
        assert_eq!(told(&site), [""; 0]);
    }

    #[test]
    fn a_group_larger_than_is_compared_pair_by_pair_is_one_all_the_same() {
        let text = words(1, 300);
        let site = made()
            .many(0..COMPARED + 30, |made, n| made.page(&format!("/{n:02}"), &format!("{text} number{n}")))
            .site();
        let told = told(&site);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].split(' ').count(), COMPARED + 30);
    }

    #[test]
    fn the_limit_is_the_users() {
        let (one, other) = (words(1, 400), [words(1, 320), words(2, 80)].concat());
        let site = made().page("/a", &one).page("/b", &other).site();
        let at = |near| {
            site.told(|site, found| find(site, &Limits { near, ..Limits::default() }, found)).of(Code::DupNear).len()
        };
        assert_eq!((at(50), at(90)), (1, 0));
    }
}
