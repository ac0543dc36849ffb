//! Titles that several indexable pages share.

use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Node, Site, UrlNo};
use mapwright_verdict::Reason;
use std::collections::{BTreeMap, HashSet};

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
    for (url, _, content) in site.pages().filter(|(url, node, _)| may_be_listed(*url, node)) {
        if let Some(title) = content.title.as_deref().filter(|title| !title.is_empty()) {
            titles.entry(title).or_default().push(url);
        }
    }
    let groups = titles.into_iter().filter(|(_, urls)| urls.len() > 1 && !are_of_many_languages(site, urls));
    found.extend(groups.map(|(title, urls)| {
        let message = format!("{} pages have the title \u{201c}{title}\u{201d}.", urls.len());
        Finding::group(&DUP_TITLE, urls).says(message)
    }));
}

/// Returns true if each page states another language: search engines show one language's pages, and a name is the same
/// in many.
fn are_of_many_languages(site: &Site, urls: &[UrlNo]) -> bool {
    let language = |url: &UrlNo| {
        let stated = site.page_content(*url)?.language.as_deref()?;
        stated.split('-').next().filter(|language| !language.is_empty()).map(str::to_lowercase)
    };
    let mut met = HashSet::new();
    urls.iter().all(|url| language(url).is_some_and(|language| met.insert(language)))
}

/// Returns true for a page that search engines may list. A form that declares nothing is one, too: the sitemap leaves it
/// out by judgement alone.
fn may_be_listed(url: UrlNo, node: &Node) -> bool {
    node.is_own_canonical(url) && (node.is_indexable() || node.reason == Some(Reason::FormPage))
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
    fn pages_in_different_languages_may_have_the_same_title() {
        let page = |language: &str| format!("<html lang={language}><title>Galleries</title>");
        let site = builder().page("/galleries", &page("en-GB")).page("/de/galleries", &page("de")).site();
        assert!(site.run_check(find).is_nothing());
        let site = builder().page("/a", &page("en-GB")).page("/b", &page("en-US")).page("/de", &page("de")).site();
        assert_eq!(site.run_check(find).of("dup-title"), ["/a /b /de"]);
    }

    #[test]
    fn a_form_that_declares_nothing_is_a_page_with_a_title() {
        let title = "<title>A garden chair</title>";
        let mut site = builder().page("/chair", title).page("/chair/review", title).page("/chair?sort=1", title).site();
        for (path, reason) in [("/chair/review", Reason::FormPage), ("/chair?sort=1", Reason::ParameterVariant)] {
            let number = site.urls.number(&format!("http://example.com{path}")).unwrap();
            let node = &mut site.nodes[number as usize];
            (node.reason, node.listed) = (Some(reason), false);
        }
        assert_eq!(site.run_check(find).of("dup-title"), ["/chair /chair/review"]);
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
