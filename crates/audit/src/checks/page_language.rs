//! The language that a page states for itself.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&LANG_MISSING, &LANG_MALFORMED]);

static LANG_MISSING: Check = Check {
    code: "lang-missing",
    title: "No language",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page does not say its language; screen readers and translators guess it.",
    fix: "Name it in the lang attribute of the html element, such as `en`.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static LANG_MALFORMED: Check = Check {
    code: "lang-malformed",
    title: "Malformed language",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The language of the page is no language tag.",
    fix: "Write a tag such as `en` or `pt-BR` (BCP 47): hyphens between the parts, no underscore.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        match content.language.as_deref().map(str::trim).filter(|language| !language.is_empty()) {
            None => found.push(Finding::of(&LANG_MISSING, url)),
            Some(language) if !is_tag(language) => {
                let message = format!("The language is written as `{language}`.");
                found.push(Finding::of(&LANG_MALFORMED, url).says(message));
            }
            Some(_) => {}
        }
    }
}

/// Returns true for a text of the form of a language tag (RFC 5646, section 2.1): a language of two to eight characters, or
/// a private use prefix, then subtags of one to eight characters.
fn is_tag(text: &str) -> bool {
    let mut subtags = text.split('-');
    let is_language = subtags.next().is_some_and(|language| {
        let is_private = language.eq_ignore_ascii_case("x") || language.eq_ignore_ascii_case("i");
        is_private || ((2..=8).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic()))
    });
    is_language
        && subtags.all(|tag| (1..=8).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn missing_and_malformed_languages_are_reported() {
        let page = |lang: &str| format!("<html {lang}><title>t</title>{lang}");
        let site = builder()
            .start("/english")
            .page("/none", &page(""))
            .page("/empty", &page("lang=''"))
            .page("/english", &page("lang=en"))
            .page("/brazil", &page("lang=pt-BR"))
            .page("/chinese", &page("lang=zh-Hant-TW"))
            .page("/underscore", &page("lang=en_US"))
            .page("/words", &page("lang='British English'"))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("lang-missing"), ["/empty", "/none"]);
        assert_eq!(found.of("lang-malformed"), ["/underscore", "/words"]);
    }
}
