//! Near duplicates: pages whose minhash sketches have enough equal bytes are compared.

use crate::check::{Attributes, Check, Confidence, LeftOut, RequiredCoverage, RestsOn, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_web::page::facts::Sketch;
use std::collections::{BTreeMap, HashMap};

pub(super) static CHECKER: Checker = Checker::limits(find, &[&DUP_NEAR]);

static DUP_NEAR: Check = Check {
    code: "dup-near",
    title: "Near duplicates",
    topic: Topic::Duplicates,
    severity: Severity::Notice,
    reason: "Pages have nearly the same text.",
    fix: "Merge them, make them differ, or name one as the others' canonical.",
    needs: RequiredCoverage::Page,
    attributes: Attributes {
        rests_on: RestsOn::Likeness,
        confidence: Confidence::Estimated,
        left_out: LeftOut::VoidExceptDuplicates,
        ..Attributes::NONE
    },
};

/// Bytes of a sketch that must be equal for two pages to be compared. For texts with nine tenths in common, four bytes
/// in a row are equal with a probability of 0.66, so that one of 32 rows is equal almost certainly.
const ROW: usize = 4;
/// The most pages with an equal row that are compared with each other; of more pages, each is compared with the first.
const COMPARED: usize = 50;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let mut pages: Vec<(UrlNo, &Sketch)> = Vec::new();
    let mut bodies: HashMap<u64, UrlNo> = HashMap::new();
    for (url, node, content) in site.pages() {
        let Some(sketch) = content.sketch.as_ref().filter(|_| node.is_own_canonical(url)) else { continue };
        // Of exact duplicates one is compared: they are reported as exact duplicates.
        if bodies.insert(content.hash, url).is_none() {
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
        found.push(Finding::group(&DUP_NEAR, urls).says(message));
    }
}

/// A row of a sketch, and the index of its page.
type Row = ([u8; ROW], usize);

/// Returns the pages in the order of one row of their sketches, without empty rows.
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

/// Disjoint sets of pages (union-find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn head(&mut self, of: usize) -> usize {
        let mut at = of;
        while let Some(next) = self.0.get(at).copied().filter(|next| *next != at) {
            // Each step halves the path of the next search.
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
    use crate::site::builder::builder;

    /// Returns `count` words that no text of another `seed` has in a row.
    fn words(seed: usize, count: usize) -> String {
        (0..count)
            .map(|n| format!("{}{} ", ["stone", "river", "meadow", "lantern", "copper"][n % 5], seed * 10_000 + n))
            .collect()
    }

    fn found(site: &Site) -> Vec<String> {
        site.run_check(|site, found| find(site, &CheckThresholds::default(), found)).of("dup-near")
    }

    #[test]
    fn texts_that_differ_in_a_word_are_near_duplicates_and_texts_with_half_in_common_are_not() {
        let (text, half) = (words(1, 600), words(2, 300));
        let site = builder()
            .page("/near-a", &text)
            .page("/near-b", &text.replace("10300", "otherwise"))
            .page("/half-a", &[half.clone(), words(3, 300)].concat())
            .page("/half-b", &[half, words(4, 300)].concat())
            .page("/other", &words(5, 600))
            .site();
        assert_eq!(found(&site), ["/near-a /near-b"]);
        let message = site.run_check(|site, found| find(site, &CheckThresholds::default(), found)).message("dup-near");
        assert_eq!(message, "2 pages have at least 90 % of their text in common.");
    }

    #[test]
    fn navigation_header_and_footer_do_not_make_pages_near_duplicates() {
        let frame = words(1, 400);
        let page = |seed| format!("<nav>{frame}</nav><main>{}</main><footer>{frame}</footer>", words(seed, 100));
        assert_eq!(found(&builder().page("/a", &page(2)).page("/b", &page(3)).site()), [""; 0]);
    }

    #[test]
    fn texts_of_fewer_than_twenty_words_are_not_compared() {
        let pair = |count| {
            builder().page("/a", &words(1, count)).page("/b", &[words(1, count), "<hr>".into()].concat()).site()
        };
        assert_eq!(found(&pair(19)), [""; 0]);
        assert_eq!(found(&pair(20)), ["/a /b"]);
    }

    #[test]
    fn exact_duplicates_are_not_near_duplicates_and_count_once() {
        let text = words(1, 300);
        let same = builder().page("/a", &text).page("/b", &text).site();
        assert_eq!(found(&same), [""; 0]);
        let third = builder().page("/a", &text).page("/b", &text).page("/c", &[text.as_str(), "<hr>"].concat()).site();
        assert_eq!(found(&third), ["/a /c"]);
    }

    #[test]
    fn pages_that_are_not_indexable_are_no_near_duplicates() {
        let (text, canonical) = (words(1, 300), "<link rel=canonical href=http://example.com/a>");
        let site = builder()
            .page("/a", &text)
            .page("/noindex", &[text.as_str(), "<hr>"].concat())
            .header("/noindex", "x-robots-tag", "noindex")
            .page("/variant", &[canonical, &text].concat())
            .site();
        assert_eq!(found(&site), [""; 0]);
    }

    #[test]
    fn a_group_too_large_for_pairwise_comparison_is_one_group() {
        let text = words(1, 300);
        let site = builder()
            .many(0..COMPARED + 30, |builder, n| builder.page(&format!("/{n:02}"), &format!("{text} number{n}")))
            .site();
        let found = found(&site);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].split(' ').count(), COMPARED + 30);
    }

    #[test]
    fn the_user_sets_the_limit() {
        let (one, other) = (words(1, 400), [words(1, 320), words(2, 80)].concat());
        let site = builder().page("/a", &one).page("/b", &other).site();
        let at = |near| {
            site.run_check(|site, found| find(site, &CheckThresholds { near, ..CheckThresholds::default() }, found))
                .of("dup-near")
                .len()
        };
        assert_eq!((at(50), at(90)), (1, 0));
    }
}
