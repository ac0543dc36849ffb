//! Findings that most pages of a part of the site share: one cause, such as a template.

use crate::check::Check;
use crate::classifier::ClassifiedFinding;
use crate::figures::CommonFinding;
use crate::finding::SubjectIds;
use crate::folders::Folders;
use crate::site::{Site, UrlNo};
use mapwright_verdict::Reason;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// The least percentage of the pages that share a finding.
const MIN_SHARE: u64 = 80;
/// The fewest pages that are called a pattern.
const MIN_PAGES: u64 = 5;
/// The most examples of one.
const EXAMPLES: usize = 3;
/// The most that are reported, the most severe ones.
const MAX_COMMON: usize = 200;

/// Returns what most indexable pages of the site, or of patterns of its URLs, share: each kind once, because its cause is
/// one. Findings of the baseline are left out. In the order of the findings, which is by severity.
pub(crate) fn common(site: &Site, classified: &[ClassifiedFinding]) -> Vec<CommonFinding> {
    let patterns = PagePatterns::of(site);
    let of_checks = classified.chunk_by(|one, other| one.finding.check == other.finding.check);
    let shared = of_checks.filter_map(|of_check| {
        let check = of_check.first()?.finding.check;
        let open = of_check.iter().filter(|one| !one.accepted);
        let urls = open.flat_map(|one| urls(&one.finding.about)).copied();
        let pages: Vec<UrlNo> = urls.filter(|url| patterns.by_page.contains_key(url)).collect();
        patterns.shared(site, check, &pages)
    });
    shared.take(MAX_COMMON).collect()
}

/// Returns the pages that a finding is about: one, or those of a group, such as all that have one title.
fn urls(about: &SubjectIds) -> &[UrlNo] {
    match about {
        SubjectIds::Url(url) => std::slice::from_ref(url),
        SubjectIds::Group(urls) => urls,
        _ => &[],
    }
}

/// The indexable pages of a site, by the patterns of their URLs.
#[derive(Default)]
struct PagePatterns {
    /// The number of the pattern of each page.
    by_page: HashMap<UrlNo, usize>,
    /// The name of each pattern, and the count of its pages.
    patterns: Vec<(String, u64)>,
}

impl PagePatterns {
    fn of(site: &Site) -> Self {
        let (mut all, mut numbers) = (Self::default(), HashMap::new());
        // A duplicate has no findings about what search results show of it.
        let own_pages = || site.own_pages().filter(|(_, node, _)| node.reason != Some(Reason::Duplicate));
        let folders = Folders::of(own_pages().map(|(url, ..)| site.text(url)));
        for (url, ..) in own_pages() {
            let number = *numbers.entry(folders.pattern(site.text(url))).or_insert_with_key(|name: &String| {
                all.patterns.push((name.clone(), 0));
                all.patterns.len() - 1
            });
            all.patterns.get_mut(number).into_iter().for_each(|(_, size)| *size += 1);
            all.by_page.insert(url, number);
        }
        all
    }

    fn size(&self, number: usize) -> u64 {
        self.patterns.get(number).map_or(0, |(_, size)| *size)
    }

    /// Returns the finding that most pages of the site share, or most pages of a pattern; the examples are of the largest
    /// pattern, which is named.
    fn shared(&self, site: &Site, check: &'static Check, pages: &[UrlNo]) -> Option<CommonFinding> {
        let all = self.patterns.iter().map(|(_, size)| size).sum();
        if is_common(pages.len(), all) {
            return Some(CommonFinding { pages: all, ..finding(site, check, pages) });
        }
        let mut by_pattern: BTreeMap<usize, Vec<UrlNo>> = BTreeMap::new();
        pages.iter().for_each(|url| by_pattern.entry(self.number(*url)).or_default().push(*url));
        let mut by_pattern: Vec<(usize, Vec<UrlNo>)> =
            by_pattern.into_iter().filter(|(number, urls)| is_common(urls.len(), self.size(*number))).collect();
        by_pattern.sort_by_key(|(number, _)| Reverse(self.size(*number)));
        let (largest, _) = by_pattern.first()?;
        let urls: Vec<UrlNo> = by_pattern.iter().flat_map(|(_, urls)| urls).copied().collect();
        Some(CommonFinding {
            pattern: self.patterns.get(*largest).map(|(name, _)| name.clone()),
            patterns: by_pattern.len() as u64,
            pages: by_pattern.iter().map(|(number, _)| self.size(*number)).sum(),
            ..finding(site, check, &urls)
        })
    }

    fn number(&self, page: UrlNo) -> usize {
        self.by_page.get(&page).copied().unwrap_or(usize::MAX)
    }
}

/// Returns true if so many pages of a pattern share a finding that it has one cause.
fn is_common(affected: usize, pages: u64) -> bool {
    pages >= MIN_PAGES && affected as u64 * 100 >= pages * MIN_SHARE
}

/// Returns a finding that these pages share.
fn finding(site: &Site, check: &'static Check, urls: &[UrlNo]) -> CommonFinding {
    let examples = urls.iter().take(EXAMPLES).map(|url| site.text(*url).to_owned()).collect();
    CommonFinding { check, pattern: None, patterns: 0, affected: urls.len() as u64, pages: 0, examples }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;
    use crate::finding::Finding;
    use crate::site::builder::{SiteBuilder, builder, url};

    fn of(affected: &[&str]) -> Vec<CommonFinding> {
        let blog = |n: usize| format!("/blog/{n}");
        let site = builder().links("/", &[]).many(0..5, |builder, n| builder.links(&blog(n), &[])).site();
        let finding = |path: &&str| Finding::of(check("desc-missing"), site.urls.number(&url(path)).unwrap());
        let found: Vec<ClassifiedFinding> = affected.iter().map(finding).map(ClassifiedFinding::new_for_test).collect();
        common(&site, &found)
    }

    #[test]
    fn what_four_of_five_pages_share_is_common() {
        assert_eq!(of(&["/blog/1", "/blog/2", "/blog/3"]), []);
        let found = of(&["/blog/1", "/blog/2", "/blog/3", "/blog/4"]);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.affected, one.pages, one.pattern.as_deref()), (4, 5, Some("http://example.com/blog/*")));
        assert_eq!(one.examples.len(), 3);
    }

    #[test]
    fn what_the_pages_of_several_patterns_share_is_said_once() {
        let path = |folder: &str, n: usize| format!("/{folder}/{n}");
        let add = |folder: &'static str, count: usize| {
            move |builder: SiteBuilder| builder.many(0..count, |builder, n| builder.links(&path(folder, n), &[]))
        };
        let site = add("rest", 9)(add("shop", 6)(add("blog", 5)(builder()))).site();
        let affected = (0..5).map(|n| path("blog", n)).chain((0..6).map(|n| path("shop", n)));
        let finding = |path: String| Finding::of(check("desc-missing"), site.urls.number(&url(&path)).unwrap());
        let found: Vec<ClassifiedFinding> = affected.map(finding).map(ClassifiedFinding::new_for_test).collect();
        let found = common(&site, &found);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.patterns, one.affected, one.pages), (2, 11, 11));
        assert_eq!(one.pattern.as_deref(), Some("http://example.com/shop/*"), "the one with the most pages");
        assert!(one.examples.iter().all(|url| url.contains("/shop/")), "{:?}", one.examples);
    }

    #[test]
    fn pages_of_many_groups_are_counted_together() {
        let path = |n: usize| format!("/shop/{n}");
        let site = builder().many(0..6, |builder, n| builder.links(&path(n), &[])).site();
        let number = |n: usize| site.urls.number(&url(&path(n))).unwrap();
        let group = |n: usize| Finding::group(check("dup-title"), vec![number(2 * n), number(2 * n + 1)]);
        let found: Vec<ClassifiedFinding> = (0..3).map(group).map(ClassifiedFinding::new_for_test).collect();
        let found = common(&site, &found);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.affected, one.pages), (6, 7), "the start page is one, too");
    }

    #[test]
    fn what_most_pages_of_the_site_share_is_said_once() {
        let found = of(&["/", "/blog/1", "/blog/2", "/blog/3", "/blog/4"]);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.affected, one.pages, one.pattern.as_deref()), (5, 6, None));
    }
}
