//! Descriptions that are missing, too long, or the same on several pages.

use super::date_archive;
use crate::check::{Attributes, Check, RequiredCoverage, RestsOn, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_text::{counted, pixels, shortened};
use mapwright_web::page::Limits;
use std::collections::BTreeMap;

pub(super) static CHECKER: Checker =
    Checker::limits(find, &[&DESC_MISSING, &DESC_SEVERAL, &DESC_LONG, &DESC_DUPLICATE]);

static DESC_MISSING: Check = Check {
    code: "desc-missing",
    title: "No description",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page has no description, or an empty one; search results show a piece of its text.",
    fix: "Describe the page in one or two sentences, in a meta element named description.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static DESC_SEVERAL: Check = Check {
    code: "desc-several",
    title: "Several descriptions",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page has several descriptions; often two plugins write one each.",
    fix: "Keep one.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static DESC_LONG: Check = Check {
    code: "desc-long",
    title: "Description too long",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The description is longer than search results show.",
    fix: "Say what matters in the first 150 characters.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static DESC_DUPLICATE: Check = Check {
    code: "desc-duplicate",
    title: "Duplicate descriptions",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "Pages have the same description.",
    fix: "Describe each page in its own words, or leave the description out.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Likeness, ..Attributes::OF_LISTED },
};

/// The most characters of a description in a message.
const MAX_SHOWN: usize = 160;
/// The font size of descriptions in search results, in pixels.
const FONT_SIZE: u32 = 14;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let mut pages: BTreeMap<&str, Vec<UrlNo>> = BTreeMap::new();
    for (url, _, content) in site.own_pages() {
        let description = content.description.as_deref().unwrap_or_default();
        if content.markup.descriptions > 1 {
            let message = format!("It has {} descriptions.", content.markup.descriptions);
            found.push(Finding::of(&DESC_SEVERAL, url).says(message));
        }
        if description.is_empty() {
            // Nobody describes each month of a blog. Its path alone decides: if its posts fail in one run, it is no other
            // page.
            if date_archive::is_at_month(site.text(url)) {
                continue;
            }
            let is_given = content.markup.descriptions > 0;
            let message = if is_given { "The description is empty." } else { "The page has no description." };
            found.push(Finding::of(&DESC_MISSING, url).says(message));
            continue;
        }
        pages.entry(description).or_default().push(url);
        let (length, width) = (description.chars().count(), pixels(description, FONT_SIZE));
        if length > limits.description.max && width > limits.description.max_width {
            // The record cuts texts between characters.
            let is_cut = description.len() + char::MAX.len_utf8() > Limits::default().text_bytes;
            let least = if is_cut { "at least " } else { "" };
            let message = format!("It has {least}{} ({width} px).", counted(length as u64, "character"));
            found.push(Finding::of(&DESC_LONG, url).says(message));
        }
    }
    found.extend(pages.into_iter().filter(|(_, urls)| urls.len() > 1).map(|(description, urls)| {
        let shown = shortened(description, MAX_SHOWN);
        let message = format!("{} pages are described as \u{201c}{shown}\u{201d}.", urls.len());
        Finding::group(&DESC_DUPLICATE, urls).says(message)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{SiteBuilder, builder};

    fn described(builder: SiteBuilder, path: &str, description: &str) -> SiteBuilder {
        builder.head(path, &format!("<meta name=description content='{description}'>"))
    }

    fn found(site: &Site, code: &str) -> Vec<String> {
        let find = |site: &Site, found: &mut Vec<Finding>| find(site, &CheckThresholds::default(), found);
        site.run_check(find).of(code)
    }

    #[test]
    fn a_page_without_a_description_is_reported() {
        let site = described(described(builder(), "/good", "Chairs for the garden."), "/empty", "  ")
            .start("/good")
            .links("/none", &[])
            .head("/og", "<meta property='og:description' content='Tables.'>")
            .head("/upper", "<META NAME=Description CONTENT='Hoses for the garden.'>")
            .noindex("/noindex", &[])
            .site();
        assert_eq!(found(&site, "desc-missing"), ["/empty", "/none", "/og"]);
        let message = |builder: SiteBuilder| {
            let site = described(builder.start("/subject"), "/other", "Chairs.").site();
            site.run_check(|site, found| find(site, &CheckThresholds::default(), found)).message("desc-missing")
        };
        assert_eq!(message(builder().links("/subject", &[])), "The page has no description.");
        assert_eq!(message(described(builder(), "/subject", " ")), "The description is empty.");
    }

    #[test]
    fn archives_of_months_and_days_need_no_description() {
        let paths = ["/2025/01/", "/blog/2025/01/15", "/2025/", "/2025/01/a-post", "/2025/13/", "/items/15/"];
        let site = paths.iter().fold(builder().start("/2025/"), |builder, path| builder.links(path, &[])).site();
        assert_eq!(found(&site, "desc-missing"), ["/2025/", "/2025/01/a-post", "/2025/13/", "/items/15/"]);
    }

    #[test]
    fn several_descriptions_are_reported() {
        let twice = "<meta name=description content='Chairs.'><meta name=description content='Tables.'>";
        let site = described(builder().head("/two", twice), "/one", "Hoses.").site();
        assert_eq!(found(&site, "desc-several"), ["/two"]);
    }

    #[test]
    fn a_long_description_and_one_of_several_pages_are_reported() {
        let long = "Chairs for the garden. ".repeat(10);
        let site = described(builder(), "/long", &long);
        let site = described(described(site, "/fits", "Tables for the garden."), "/b", "The shop.");
        let site = described(described(site, "/a", " The\n shop. "), "/c", "The shop!").site();
        assert_eq!(found(&site, "desc-long"), ["/long"]);
        assert_eq!(found(&site, "desc-duplicate"), ["/a /b"]);
    }

    #[test]
    fn a_description_that_the_record_cuts_has_at_least_its_length() {
        let site = described(builder(), "/long", &"Chairs and tables. ".repeat(60)).site();
        let find = |site: &Site, found: &mut Vec<Finding>| find(site, &CheckThresholds::default(), found);
        let message = site.run_check(find).message("desc-long");
        assert!(message.starts_with("It has at least 102"), "{message}");
    }
}
