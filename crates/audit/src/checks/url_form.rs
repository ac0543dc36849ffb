//! URLs that are hard to read, to write or to share.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_text::counted;
use mapwright_web::PageUrl;
use std::collections::HashMap;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&URL_BLANK, &URL_UPPER_CASE, &URL_UNDERSCORE, &URL_LONG]);

static URL_BLANK: Check = Check {
    code: "url-blank",
    title: "Blank in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL contains a blank, which is cut where the URL is copied.",
    fix: "Write hyphens instead, and redirect the old URL.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_UPPER_CASE: Check = Check {
    code: "url-upper-case",
    title: "Upper case in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL contains upper case; a link in lower case is another URL.",
    fix: "Use lower case for new pages, and redirect the other spelling.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_UNDERSCORE: Check = Check {
    code: "url-underscore",
    title: "Underscore in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL joins words with underscores, which search engines do not take for word separators.",
    fix: "Use hyphens as word separators in the URLs of new pages.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_LONG: Check = Check {
    code: "url-long",
    title: "Long URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The URL is longer than people copy and results show.",
    fix: "Shorten the path of new pages.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

/// The fewest pages of a folder, and their least percentage of those with joined words, whose names begin with a prefix
/// that a program writes.
const FEWEST_PREFIXED: usize = 3;
const PREFIXED_SHARE: usize = 80;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let mut joined = Vec::new();
    for (url, _, _) in site.own_pages() {
        let text = site.text(url);
        let Some(page) = PageUrl::recorded(text) else { continue };
        let path = mapwright_web::percent_decoded(page.as_url().path());
        if path.contains(char::is_whitespace) {
            found.push(Finding::of(&URL_BLANK, url));
        }
        if path.contains(char::is_uppercase) {
            found.push(Finding::of(&URL_UPPER_CASE, url));
        }
        if joins_words(&path) {
            joined.push(url);
        }
        let length = text.chars().count();
        if length > limits.long_url {
            let message = format!("It has {}.", counted(length as u64, "character"));
            found.push(Finding::of(&URL_LONG, url).says(message));
        }
    }
    report_underscores(site, &joined, found);
}

/// Reports the pages with joined words, without those whose part before the first underscore most of them in the folder
/// share: a program writes it, and URLs that are known should stay.
fn report_underscores(site: &Site, joined: &[UrlNo], found: &mut Vec<Finding>) {
    let mut folders: HashMap<&str, HashMap<&str, usize>> = HashMap::new();
    for url in joined {
        let (folder, prefix) = folder_and_prefix(site.text(*url));
        *folders.entry(folder).or_default().entry(prefix).or_default() += 1;
    }
    let is_usual = |url: UrlNo| {
        let (folder, prefix) = folder_and_prefix(site.text(url));
        let Some(prefixes) = folders.get(folder).filter(|_| !prefix.is_empty()) else { return false };
        let (same, all) = (prefixes.get(prefix).copied().unwrap_or_default(), prefixes.values().sum::<usize>());
        same >= FEWEST_PREFIXED && same * 100 >= all * PREFIXED_SHARE
    };
    found.extend(joined.iter().filter(|url| !is_usual(**url)).map(|url| Finding::of(&URL_UNDERSCORE, *url)));
}

/// Returns the folder of a URL, and what stands before the first underscore of its last name; an empty text where there
/// is none.
fn folder_and_prefix(url: &str) -> (&str, &str) {
    let path = url.split('?').next().unwrap_or_default().trim_end_matches('/');
    let (folder, name) = path.rsplit_once('/').unwrap_or_default();
    (folder, name.split_once('_').map_or("", |(prefix, _)| prefix))
}

/// Returns true if an underscore joins two words. Before a number, or at the beginning of a name, it joins none.
fn joins_words(path: &str) -> bool {
    let characters: Vec<char> = path.chars().collect();
    let joins =
        |three: &[char]| matches!(three, [before, '_', after] if before.is_alphabetic() && after.is_alphabetic());
    characters.windows(3).any(joins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn each_form_is_reported_and_the_query_is_left_alone() {
        let long = format!("/{}", "a".repeat(120));
        let site = builder()
            .links("/garden-chairs", &[])
            .links("/Garden", &[])
            .links("/garden_chairs", &[])
            .links("/garden%20chairs", &[])
            .links("/%C3%84pfel", &[])
            .links("/garden?Sort_by=Price%20up", &[])
            .links(&long, &[])
            .site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("url-upper-case"), ["/%C3%84pfel", "/Garden"]);
        assert_eq!(found.of("url-underscore"), ["/garden_chairs"]);
        assert_eq!(found.of("url-blank"), ["/garden%20chairs"]);
        assert_eq!(found.of("url-long"), [long]);
    }

    #[test]
    fn a_prefix_that_the_pages_of_a_folder_share_is_no_joined_word() {
        let paths = [
            "/categories/cat_craft/",
            "/categories/cat_water",
            "/categories/cat_garden",
            "/categories/all",
            "/cat_craft",
            "/my_cat",
        ];
        let site = paths.iter().fold(builder(), |builder, path| builder.links(path, &[])).site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("url-underscore"), ["/cat_craft", "/my_cat"]);
    }

    #[test]
    fn an_underscore_is_reported_where_it_joins_two_words() {
        let paths = ["/anchor-and-furrow-9_9/", "/file_2", "/_next", "/a__b", "/end_", "/x/_/y", "/%C3%A4pfel_%C3%B6l"];
        let site =
            paths.iter().fold(builder(), |builder, path| builder.links(path, &[])).links("/cat_craft", &[]).site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("url-underscore"), ["/%C3%A4pfel_%C3%B6l", "/cat_craft"]);
    }
}
