//! The heading of the first level, which says what a page is about.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&H1_MISSING, &H1_EMPTY, &H1_SEVERAL]);

static H1_MISSING: Check = Check {
    code: "h1-missing",
    title: "No h1 heading",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page has no heading of the first level (h1).",
    fix: "Mark what the page is about as its h1.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static H1_EMPTY: Check = Check {
    code: "h1-empty",
    title: "Empty h1 heading",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The heading of the first level (h1) has no text.",
    fix: "Give it a text, or its image an alt attribute.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static H1_SEVERAL: Check = Check {
    code: "h1-several",
    title: "Several h1 headings",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page has several headings of the first level (h1).",
    fix: "Keep the one that names the page, and make the others h2.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, content) in site.own_pages() {
        match (content.first_headings.texts, content.first_headings.empty) {
            (0, 0) if !node.cut => found.push(Finding::of(&H1_MISSING, url)),
            (0, 1..) => found.push(Finding::of(&H1_EMPTY, url)),
            // The template of a list is reported with its first page.
            (2.., _) if site.is_further_page(url) => {}
            (count @ 2.., _) => {
                let message = format!("The page has {count} headings of the first level (h1).");
                found.push(Finding::of(&H1_SEVERAL, url).says(message));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn missing_empty_and_several_first_headings_differ() {
        let site = builder()
            .start("/one")
            .page("/none", "<title>a</title><h2>Chairs</h2>")
            .page("/empty", "<title>b</title><h1> </h1>")
            .page("/one", "<title>c</title><h1>Chairs</h1><h2>Tables</h2>")
            .page("/spare", "<title>d</title><h1></h1><h1>Chairs</h1>")
            .page("/two", "<title>e</title><h1>Chairs</h1><h1>Tables</h1>")
            .page("/text", "<title>f</title>&lt;h1>Chairs&lt;/h1>")
            .page("/noindex", "<meta name=robots content=noindex>g")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("h1-missing"), ["/none", "/text"]);
        assert_eq!(found.of("h1-empty"), ["/empty"]);
        assert_eq!(found.of("h1-several"), ["/two"]);
        assert_eq!(found.message("h1-several"), "The page has 2 headings of the first level (h1).");
    }

    #[test]
    fn further_pages_of_a_list_repeat_no_finding_about_its_template() {
        let site = builder()
            .page("/news/", "<title>News</title><h1>Chairs</h1><h1>Tables</h1>")
            .page("/news/index-2.html", "<title>News, page 2</title><h1>Beds</h1><h1>Lamps</h1>")
            .page("/news/lamps.html", "<title>Lamps</title><h1>Lamps</h1><h1>Tables</h1>")
            .site();
        assert_eq!(site.run_check(find).of("h1-several"), ["/news/", "/news/lamps.html"]);
    }

    #[test]
    fn an_image_with_a_text_is_a_heading() {
        let site = builder()
            .start("/logo")
            .page("/logo", "<title>a</title><h1><a href=/><img src=/l.png alt='The shop'></a></h1>")
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
