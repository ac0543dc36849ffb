//! Sets of alternates: unknown codes, several URLs for one code, without the page itself, without x-default. Sets of
//! pages that are canonicalised to another page or say noindex do not count.

use super::languages::is_code;
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Node, PageContent, Site, UrlNo};
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&HREFLANG_UNKNOWN_CODE, &HREFLANG_SEVERAL, &HREFLANG_NO_SELF, &HREFLANG_NO_DEFAULT]);

static HREFLANG_UNKNOWN_CODE: Check = Check {
    code: "hreflang-unknown-code",
    title: "Unknown language code (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "A code is no language, no language and region, and not x-default.",
    fix: "Write an ISO 639-1 language, and an ISO 3166-1 region after a hyphen, as in en-GB.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static HREFLANG_SEVERAL: Check = Check {
    code: "hreflang-several",
    title: "Several alternates for one code (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "Several alternates are given for one code.",
    fix: "Give one URL for each code.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static HREFLANG_NO_SELF: Check = Check {
    code: "hreflang-no-self",
    title: "Page missing from its own hreflang set",
    topic: Topic::Languages,
    severity: Severity::Notice,
    reason: "The set of alternates lacks the page itself.",
    fix: "List the page itself with its own language.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static HREFLANG_NO_DEFAULT: Check = Check {
    code: "hreflang-no-default",
    title: "No x-default (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Notice,
    reason: "The set of alternates has no x-default.",
    fix: "Name the page for all other visitors as x-default.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let counts = |(url, node, content): &(UrlNo, &Node, &PageContent)| {
        !content.alternates.is_empty() && node.is_own_canonical(*url)
    };
    for (url, _, content) in site.pages().filter(counts) {
        for alternate in content.alternates.iter().filter(|alternate| !is_code(&alternate.code)) {
            let message = format!("`{}` is no language, no language and region, and not x-default.", alternate.code);
            found.push(Finding::of(&HREFLANG_UNKNOWN_CODE, url).says(message));
        }
        if let Some(code) = several(content) {
            let message = format!("Several URLs are given for `{code}`.");
            found.push(Finding::of(&HREFLANG_SEVERAL, url).says(message));
        }
        if !content.alternates.iter().any(|alternate| alternate.url == Some(url)) {
            found.push(Finding::of(&HREFLANG_NO_SELF, url));
        }
        if !content.alternates.iter().any(|alternate| alternate.code.eq_ignore_ascii_case("x-default")) {
            found.push(Finding::of(&HREFLANG_NO_DEFAULT, url));
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
        assert_eq!(found.of("hreflang-unknown-code").len(), 3);
        let expected = "`en-UK` is no language, no language and region, and not x-default.";
        assert_eq!(found.message("hreflang-unknown-code"), expected);
    }

    #[test]
    fn several_urls_for_one_code_are_reported_in_any_case_and_one_url_twice_is_not() {
        let site = builder()
            .alternates("/a", &[("de", "/de"), ("en", "/a"), ("DE", "/de2"), ("x-default", "/a")])
            .alternates("/b", &[("de", "/de"), ("en", "/b"), ("de", "/de"), ("en-GB", "/b"), ("x-default", "/b")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("hreflang-several"), ["/a"]);
        assert_eq!(found.message("hreflang-several"), "Several URLs are given for `de`.");
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
        assert_eq!(found.of("hreflang-no-self"), ["/no-self"]);
        assert_eq!(found.of("hreflang-no-default"), ["/no-default"]);
    }
}
