//! Titles that are missing, or that search engines cut or replace.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_text::{counted, pixels};

pub(super) static CHECKER: Checker =
    Checker::limits(find, &[&TITLE_MISSING, &TITLE_SEVERAL, &TITLE_LONG, &TITLE_SHORT]);

static TITLE_MISSING: Check = Check {
    code: "title-missing",
    title: "No title",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "The page has no title, or an empty one; search engines and browsers make one up.",
    fix: "Give the page a title element that says what it is about.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static TITLE_SEVERAL: Check = Check {
    code: "title-several",
    title: "Several titles",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "The page has several title elements; browsers and search engines take the first.",
    fix: "Keep one, in head.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static TITLE_LONG: Check = Check {
    code: "title-long",
    title: "Title too long",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The title is longer than search results show.",
    fix: "Put what sets the page apart first, and shorten the rest.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static TITLE_SHORT: Check = Check {
    code: "title-short",
    title: "Title too short",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The title says little.",
    fix: "Say in the title what the page is about and whose it is.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

/// The font size of titles in search results, in pixels.
const FONT_SIZE: u32 = 20;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        let title = content.title.as_deref().unwrap_or_default();
        let (length, width) = (title.chars().count(), pixels(title, FONT_SIZE));
        if content.markup.titles > 1 {
            found.push(Finding::of(&TITLE_SEVERAL, url).says(format!("It has {} titles.", content.markup.titles)));
        }
        let shown = || format!("\u{201c}{title}\u{201d} has {} ({width} px)", counted(length as u64, "character"));
        if title.is_empty() {
            let message = if content.title.is_some() { "The title is empty." } else { "The page has no title." };
            found.push(Finding::of(&TITLE_MISSING, url).says(message));
        } else if length > limits.title.max || width > limits.title.max_width {
            let limit = format!("{}; results show {} px", shown(), limits.title.max_width);
            found.push(Finding::of(&TITLE_LONG, url).says(format!("{limit}.")));
        } else if length < limits.title.min {
            let again = if content.first_headings.is_title { ", and the first heading says the same" } else { "" };
            found.push(Finding::of(&TITLE_SHORT, url).says(format!("{}{again}.", shown())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn found(site: &Site, code: &str) -> Vec<String> {
        let find = |site: &Site, found: &mut Vec<Finding>| find(site, &CheckThresholds::default(), found);
        site.run_check(find).of(code)
    }

    #[test]
    fn a_page_without_a_title_is_reported_and_a_title_elsewhere_is_none() {
        let site = builder()
            .page("/none", "<body>a")
            .page("/empty", "<title> \n</title><body>b")
            .page("/picture", "<body><svg><title>A drawing</title></svg>c")
            .page("/titled", "<title>Garden chairs</title><body>d")
            .page("/late", "<body><title>Garden tables</title>e")
            .page("/noindex", "<meta name=robots content=noindex><body>f")
            .page("/other", "<link rel=canonical href=http://example.com/titled><body>g")
            .site();
        assert_eq!(found(&site, "title-missing"), ["/empty", "/none", "/picture"]);
    }

    #[test]
    fn several_titles_are_reported_and_those_of_drawings_are_not_counted() {
        let site = builder()
            .page("/two", "<title>Garden chairs</title><title>Garden tables</title>a")
            .page("/body", "<title>Garden hoses</title><body>b<title>Garden sheds</title>")
            .page("/drawing", "<title>Garden gates</title><body><svg><title>A gate</title></svg>c")
            .site();
        assert_eq!(found(&site, "title-several"), ["/body", "/two"]);
    }

    #[test]
    fn titles_are_measured_in_characters_and_pixels() {
        let title = |text: &str| format!("<title>{text}</title><body>{}", text.len());
        let site = builder()
            .start("/ten")
            .page("/narrow", &title(&"il ".repeat(20)))
            .page("/wide", &title(&"WM ".repeat(20)))
            .page("/many", &title(&"il ".repeat(30)))
            .page("/nine", &title("Nine char"))
            .page("/ten", &title("Ten charac"))
            .site();
        assert_eq!(found(&site, "title-long"), ["/many", "/wide"]);
        assert_eq!(found(&site, "title-short"), ["/nine"]);
    }

    #[test]
    fn a_short_title_that_the_first_heading_repeats_says_so() {
        let message = |html: &str| {
            let site = builder().start("/a").page("/a", html).site();
            let find = |site: &Site, found: &mut Vec<Finding>| find(site, &CheckThresholds::default(), found);
            site.run_check(find).message("title-short")
        };
        let again = message("<title>Chairs</title><h1>Chairs</h1>");
        assert!(again.ends_with(" px), and the first heading says the same."), "{again}");
        let other = message("<title>Chairs</title><h1>Garden chairs</h1><h1>Chairs</h1>");
        assert!(other.ends_with(" px)."), "{other}");
    }
}
