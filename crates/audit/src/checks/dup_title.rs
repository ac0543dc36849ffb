//! Titles that several indexable pages share.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker = Checker::site(find, &[&DUP_TITLE]);

static DUP_TITLE: Check = Check {
    code: "dup-title",
    title: "Duplicate titles",
    topic: Topic::Duplicates,
    severity: Severity::Notice,
    reason: "Pages have the same title.",
    fix: "Give each page a title of its own.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut titles: BTreeMap<&str, Vec<UrlNo>> = BTreeMap::new();
    for (url, _, content) in site.own_pages() {
        if let Some(title) = content.title.as_deref().filter(|title| !title.is_empty()) {
            titles.entry(title).or_default().push(url);
        }
    }
    found.extend(titles.into_iter().filter(|(_, urls)| urls.len() > 1).map(|(title, urls)| {
        let message = format!("{} pages have the title \u{201c}{title}\u{201d}.", urls.len());
        Finding::group(&DUP_TITLE, urls).says(message)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn pages_of_one_title_are_a_group_and_one_letter_makes_another_title() {
        let site = builder()
            .page("/b", "<title>Our shop</title>b")
            .page("/a", "<title>  Our\n shop </title>a")
            .page("/c", "<title>Our shop.</title>c")
            .page("/empty", "<title></title>d")
            .page("/blank", "<title> </title>e")
            .page("/none", "f")
            .page("/none-too", "g")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("dup-title"), ["/a /b"]);
        assert_eq!(found.message("dup-title"), "2 pages have the title \u{201c}Our shop\u{201d}.");
    }

    #[test]
    fn pages_that_are_not_indexable_share_no_title() {
        let title = "<title>Our shop</title>";
        let site = builder()
            .page("/stays", &[title, "stays"].concat())
            .page("/noindex", &[title, "noindex"].concat())
            .header("/noindex", "x-robots-tag", "noindex")
            .page("/variant", &[title, "<link rel=canonical href=http://example.com/stays>"].concat())
            .page("/sent-on", &[title, "<meta http-equiv=refresh content='0; url=/stays'>"].concat())
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
