//! Sets of alternates: unknown codes, several for one code, without the page itself, without x-default. Those of a page
//! that gives way to another, or says noindex, do not count.

use super::languages::is_code;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Node, Said, Site, UrlNo};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let counts =
        |(url, node, said): &(UrlNo, &Node, &Said)| !said.alternates.is_empty() && node.stands_for_itself(*url);
    for (url, _, said) in site.pages().filter(counts) {
        for alternate in said.alternates.iter().filter(|alternate| !is_code(&alternate.code)) {
            let message = format!("`{}` is no language, no language and region, and not x-default.", alternate.code);
            found.push(Finding::of(Code::HreflangUnknownCode, url).says(message));
        }
        if let Some(code) = several(said) {
            let message = format!("Several URLs are given for `{code}`.");
            found.push(Finding::of(Code::HreflangSeveral, url).says(message));
        }
        if !said.alternates.iter().any(|alternate| alternate.url == Some(url)) {
            found.push(Finding::of(Code::HreflangNoSelf, url));
        }
        if !said.alternates.iter().any(|alternate| alternate.code.eq_ignore_ascii_case("x-default")) {
            found.push(Finding::of(Code::HreflangNoDefault, url));
        }
    }
}

/// A code for which URLs that differ are given.
fn several(said: &Said) -> Option<String> {
    let mut urls: BTreeMap<String, Option<UrlNo>> = BTreeMap::new();
    said.alternates.iter().find_map(|alternate| {
        let code = alternate.code.to_ascii_lowercase();
        let before = urls.insert(code.clone(), alternate.url)?;
        (before != alternate.url).then_some(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    #[test]
    fn a_whole_set_with_the_page_itself_and_a_default_is_fine() {
        let set = [("en-GB", "/en"), ("de", "/de"), ("zh-Hant", "/zh"), ("es-419", "/es"), ("x-default", "/en")];
        let site = set.iter().fold(made(), |made, (_, page)| made.alternates(page, &set)).links("/none", &[]).site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn codes_that_are_none_are_told_each() {
        let set = [("en-UK", "/uk"), ("english", "/uk"), ("en_GB", "/uk"), ("x-default", "/uk"), ("en", "/uk")];
        let site = made().alternates("/uk", &set).site();
        let told = site.told(find);
        assert_eq!(told.of(Code::HreflangUnknownCode).len(), 3);
        let expected = "`en-UK` is no language, no language and region, and not x-default.";
        assert_eq!(told.message(Code::HreflangUnknownCode), expected);
    }

    #[test]
    fn several_urls_for_one_code_are_told_whatever_the_case_and_one_url_twice_is_not() {
        let site = made()
            .alternates("/a", &[("de", "/de"), ("en", "/a"), ("DE", "/de2"), ("x-default", "/a")])
            .alternates("/b", &[("de", "/de"), ("en", "/b"), ("de", "/de"), ("en-GB", "/b"), ("x-default", "/b")])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::HreflangSeveral), ["/a"]);
        assert_eq!(told.message(Code::HreflangSeveral), "Several URLs are given for `de`.");
    }

    #[test]
    fn the_set_of_a_page_that_gives_way_or_is_not_indexed_is_not_judged() {
        let set = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let site = made()
            .head("/en?sort=price", &[set, "<link rel=canonical href=http://example.com/en>"].concat())
            .head("/draft", &[set, "<meta name=robots content=noindex>"].concat())
            .site();
        assert!(site.told(find).is_nothing());
    }

    #[test]
    fn a_set_without_the_page_itself_or_without_a_default_is_told() {
        let site = made()
            .alternates("/no-self", &[("de", "/de"), ("x-default", "/de")])
            .alternates("/no-default", &[("en", "/no-default"), ("de", "/de")])
            .alternates("/default-is-self", &[("de", "/de"), ("X-Default", "/default-is-self")])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::HreflangNoSelf), ["/no-self"]);
        assert_eq!(told.of(Code::HreflangNoDefault), ["/no-default"]);
    }
}
