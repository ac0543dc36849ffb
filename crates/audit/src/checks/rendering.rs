//! Pages whose scripts fail, do not come to an end, or load more as long as visitors scroll.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_text::counted;
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&RENDER_FAILED, &RENDER_CUT, &SCRIPT_ERROR, &INFINITE_SCROLL]);

static RENDER_FAILED: Check = Check {
    code: "render-failed",
    title: "Page that cannot be rendered",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "The page crashes the browser, or takes more memory or time than a page may: its scripts were not taken into account.",
    fix: "Find the script that takes so much, with the browser's performance tools.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static RENDER_CUT: Check = Check {
    code: "render-cut",
    title: "Page that does not come to rest",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "The page was still working when its time was up, and was read as it stood. Search engines cut it off as well.",
    fix: "Find the script or call that takes so long. A higher `--render-timeout` waits longer.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static SCRIPT_ERROR: Check = Check {
    code: "script-error",
    title: "Error of a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "A script ends with an error that nothing catches; what it was to do is missing.",
    fix: "Correct the script.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static INFINITE_SCROLL: Check = Check {
    code: "infinite-scroll",
    title: "Content that loads on scrolling",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "The page loads more content as long as visitors scroll. Search engines do not scroll.",
    fix: "Link the further parts as pages of their own.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

/// Most different errors that are reported, those of the most pages.
const MAX_ERRORS: usize = 200;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut errors: BTreeMap<&str, Vec<UrlNo>> = BTreeMap::new();
    for (url, page) in site.rendered_pages() {
        let Some(rendering) = page.rendering.as_deref() else { continue };
        if let Some(reason) = &rendering.failure {
            found.push(Finding::of(&RENDER_FAILED, url).says(format!("{}.", capitalised(reason))));
        } else if rendering.cut {
            found.push(Finding::of(&RENDER_CUT, url));
        }
        if rendering.scrolls_on {
            found.push(Finding::of(&INFINITE_SCROLL, url));
        }
        for error in &rendering.errors {
            let pages = errors.entry(error.lines().next().unwrap_or_default()).or_default();
            pages.extend((pages.last() != Some(&url)).then_some(url));
        }
    }
    let mut errors: Vec<_> = errors.into_iter().collect();
    errors.sort_by_key(|(_, pages)| std::cmp::Reverse(pages.len()));
    found.extend(errors.into_iter().take(MAX_ERRORS).map(|(error, pages)| script_error(site, error, &pages)));
}

/// Returns the finding about one error, on all pages that have it.
fn script_error(site: &Site, error: &str, pages: &[UrlNo]) -> Finding {
    let count = pages.len() as u64;
    let first = pages.first().map_or("", |page| site.text(*page));
    let on =
        if count == 1 { format!("on {first}") } else { format!("on {}, first on {first}", counted(count, "page")) };
    let finding = Finding::pattern(&SCRIPT_ERROR, error).says(format!("A script ends with an error {on}."));
    let finding = finding.affecting(count).shown_by(pages.iter().copied().take(SAMPLE));
    let is_shell = |page: &UrlNo| site.page_content(*page).is_some_and(|content| site.is_shell(content));
    if pages.iter().any(is_shell) { finding.ahead() } else { finding }
}

/// Returns a text that begins with a capital.
fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_model::Rendering;

    #[test]
    fn pages_that_fail_are_cut_or_scroll_on_are_reported() {
        let failure = Some("the page crashed".to_owned());
        let site = builder()
            .rendered_as("/failed", Rendering { failure, ..Rendering::default() })
            .rendered_as("/cut", Rendering { cut: true, ..Rendering::default() })
            .rendered_as("/scrolls", Rendering { scrolls_on: true, ..Rendering::default() })
            .rendered_as("/good", Rendering::default())
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("render-failed"), ["/failed"]);
        assert_eq!(found.of("render-cut"), ["/cut"]);
        assert_eq!(found.message("render-failed"), "The page crashed.");
        assert_eq!(found.of("infinite-scroll"), ["/scrolls"]);
    }

    #[test]
    fn an_error_is_reported_once_with_its_pages() {
        let errors = |texts: &[&str]| {
            let errors = texts.iter().map(|text| (*text).to_owned()).collect();
            Rendering { errors, ..Rendering::default() }
        };
        let site = builder()
            .rendered_as("/a", errors(&["TypeError: x is null\n    at app.js:1:2", "TypeError: x is null"]))
            .rendered_as("/b", errors(&["TypeError: x is null"]))
            .rendered_as("/c", errors(&["Error: lost"]))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("script-error"), ["Error: lost", "TypeError: x is null"]);
        assert_eq!(
            found.message("script-error"),
            "A script ends with an error on 2 pages, first on http://example.com/a."
        );
    }
}
