//! Findings that most pages of a part of the site share: one cause, such as a template.

use crate::classifier::ClassifiedFinding;
use crate::figures::CommonFinding;
use crate::finding::SubjectIds;
use crate::site::{Site, UrlNo};
use mapwright_web::origin_of;
use std::collections::{BTreeMap, HashMap};

/// The least percentage of the pages that share a finding.
const MIN_SHARE: u64 = 80;
/// The fewest pages that are called a pattern.
const MIN_PAGES: u64 = 5;
/// The most examples of one.
const EXAMPLES: usize = 3;
/// The most that are reported, the most severe ones.
const MAX_COMMON: usize = 200;

/// Returns what most indexable pages of the site, or of a pattern of its URLs, share. Findings of the baseline are left
/// out. In the order of the findings, which is by severity.
pub(crate) fn common(site: &Site, classified: &[ClassifiedFinding]) -> Vec<CommonFinding> {
    let mut patterns: HashMap<UrlNo, usize> = HashMap::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut sizes: Vec<u64> = Vec::new();
    for (url, ..) in site.own_pages() {
        let number = *names.entry(pattern(site.text(url))).or_insert_with(|| {
            sizes.push(0);
            sizes.len() - 1
        });
        if let Some(size) = sizes.get_mut(number) {
            *size += 1;
        }
        patterns.insert(url, number);
    }
    let names: HashMap<usize, String> = names.into_iter().map(|(name, number)| (number, name)).collect();
    let all = sizes.iter().sum();
    let mut found = Vec::new();
    for of_check in classified.chunk_by(|one, other| one.finding.check == other.finding.check) {
        let open = of_check.iter().filter(|one| !one.accepted);
        let pages: Vec<(UrlNo, usize)> = open
            .filter_map(|one| match one.finding.about {
                SubjectIds::Url(url) => Some((url, *patterns.get(&url)?)),
                _ => None,
            })
            .collect();
        let Some(check) = of_check.first().map(|one| one.finding.check) else { continue };
        let mut add = |pattern: Option<&String>, of: u64, pages: &[UrlNo]| {
            let affected = pages.len() as u64;
            let is_common = of >= MIN_PAGES && affected * 100 >= of * MIN_SHARE;
            if is_common {
                let examples = pages.iter().take(EXAMPLES).map(|url| site.text(*url).to_owned()).collect();
                found.push(CommonFinding { check, pattern: pattern.cloned(), affected, pages: of, examples });
            }
            is_common
        };
        let urls: Vec<UrlNo> = pages.iter().map(|(url, _)| *url).collect();
        if add(None, all, &urls) {
            continue;
        }
        let mut by_pattern: BTreeMap<usize, Vec<UrlNo>> = BTreeMap::new();
        pages.iter().for_each(|(url, number)| by_pattern.entry(*number).or_default().push(*url));
        for (number, urls) in by_pattern {
            add(names.get(&number), sizes.get(number).copied().unwrap_or_default(), &urls);
        }
    }
    found.truncate(MAX_COMMON);
    found
}

/// Returns the pattern of a URL: its last name is `*`, and so is each name before it that is a number.
fn pattern(url: &str) -> String {
    let origin = origin_of(url);
    let path = url.get(origin.len()..).unwrap_or_default().split('?').next().unwrap_or_default();
    let names: Vec<&str> = path.split('/').collect();
    let last = names.iter().rposition(|name| !name.is_empty());
    let general = (0..).zip(&names).map(|(at, name)| {
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if last == Some(at) || is_number { "*" } else { name }
    });
    format!("{origin}{}", general.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;
    use crate::finding::Finding;
    use crate::site::builder::{builder, url};

    #[test]
    fn a_pattern_is_the_folder_of_a_page() {
        assert_eq!(pattern("http://a.example/"), "http://a.example/");
        assert_eq!(pattern("http://a.example/blog/one?page=2"), "http://a.example/blog/*");
        assert_eq!(pattern("http://a.example/2024/05/one/"), "http://a.example/*/*/*/");
        assert_eq!(pattern("http://a.example/blog/2024/one"), "http://a.example/blog/*/*");
    }

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
    fn what_most_pages_of_the_site_share_is_said_once() {
        let found = of(&["/", "/blog/1", "/blog/2", "/blog/3", "/blog/4"]);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.affected, one.pages, one.pattern.as_deref()), (5, 6, None));
    }
}
