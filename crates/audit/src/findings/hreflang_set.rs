//! Sets of alternates: unknown codes, several URLs for one code, without the page itself, without x-default. Sets of
//! pages that are canonicalised to another page or say noindex do not count.

use super::languages::is_code;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Node, PageContent, Site, UrlNo};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let counts = |(url, node, content): &(UrlNo, &Node, &PageContent)| {
        !content.alternates.is_empty() && node.is_own_canonical(*url)
    };
    for (url, _, content) in site.pages().filter(counts) {
        for alternate in content.alternates.iter().filter(|alternate| !is_code(&alternate.code)) {
            let message = format!("`{}` is no language, no language and region, and not x-default.", alternate.code);
            found.push(Finding::of(Code::HreflangUnknownCode, url).says(message));
        }
        if let Some(code) = several(content) {
            let message = format!("Several URLs are given for `{code}`.");
            found.push(Finding::of(Code::HreflangSeveral, url).says(message));
        }
        if !content.alternates.iter().any(|alternate| alternate.url == Some(url)) {
            found.push(Finding::of(Code::HreflangNoSelf, url));
        }
        if !content.alternates.iter().any(|alternate| alternate.code.eq_ignore_ascii_case("x-default")) {
            found.push(Finding::of(Code::HreflangNoDefault, url));
        }
    }
}

/// Returns a code for which different URLs are given.
fn several(content: &PageContent) -> Option<String> {
    let mut urls: BTreeMap<String, Option<UrlNo>> = BTreeMap::new();
    content.alternates.iter().find_map(|alternate| {
        let code = alternate.code.to_ascii_lowercase();
        let before = urls.insert(code.clone(), alternate.url)?;
        (before != alternate.url).then_some(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_complete_set_with_the_page_itself_and_a_default_is_fine() {
        let set = [("en-GB", "/en"), ("de", "/de"), ("zh-Hant", "/zh"), ("es-419", "/es"), ("x-default", "/en")];
        let site =
            set.iter().fold(builder(), |builder, (_, page)| builder.alternates(page, &set)).links("/none", &[]).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn each_invalid_code_is_reported() {
        let set = [("en-UK", "/uk"), ("english", "/uk"), ("en_GB", "/uk"), ("x-default", "/uk"), ("en", "/uk")];
        let site = builder().alternates("/uk", &set).site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::HreflangUnknownCode).len(), 3);
        let expected = "`en-UK` is no language, no language and region, and not x-default.";
        assert_eq!(found.message(Code::HreflangUnknownCode), expected);
    }

    #[test]
    fn several_urls_for_one_code_are_reported_in_any_case_and_one_url_twice_is_not() {
        let site = builder()
            .alternates("/a", &[("de", "/de"), ("en", "/a"), ("DE", "/de2"), ("x-default", "/a")])
            .alternates("/b", &[("de", "/de"), ("en", "/b"), ("de", "/de"), ("en-GB", "/b"), ("x-default", "/b")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::HreflangSeveral), ["/a"]);
        assert_eq!(found.message(Code::HreflangSeveral), "Several URLs are given for `de`.");
    }

    #[test]
    fn the_set_of_a_canonicalised_or_noindex_page_is_not_checked() {
        let set = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let site = builder()
            .head("/en?sort=price", &[set, "<link rel=canonical href=http://example.com/en>"].concat())
            .head("/draft", &[set, "<meta name=robots content=noindex>"].concat())
            .site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_set_without_the_page_itself_or_without_a_default_is_reported() {
        let site = builder()
            .alternates("/no-self", &[("de", "/de"), ("x-default", "/de")])
            .alternates("/no-default", &[("en", "/no-default"), ("de", "/de")])
            .alternates("/default-is-self", &[("de", "/de"), ("X-Default", "/default-is-self")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::HreflangNoSelf), ["/no-self"]);
        assert_eq!(found.of(Code::HreflangNoDefault), ["/no-default"]);
    }
}
