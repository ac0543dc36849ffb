//! Pages that say next to nothing.

use crate::check::{Attributes, Check, Confidence, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{PageContent, Site};
use mapwright_text::counted;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&THIN_TEXT]);

static THIN_TEXT: Check = Check {
    code: "thin-text",
    title: "Thin text",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page has next to no text of its own.",
    fix: "Say more, or keep the page out of the index.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, confidence: Confidence::Estimated, ..Attributes::NONE },
};

/// A page with this many links is a list, whose content are its links.
const LIST_LINKS: usize = 30;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let is_list = |content: &PageContent| site.links.of(content).nth(LIST_LINKS - 1).is_some();
    for (url, node, content) in site.own_pages() {
        let is_thin = content.prose_bytes < limits.thin && !node.cut;
        if is_thin && !is_list(content) {
            let message = format!("It has {} of text of its own.", counted(u64::from(content.prose_bytes), "byte"));
            found.push(Finding::of(&THIN_TEXT, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_page_of_a_few_words_is_thin_and_a_list_is_not() {
        let prose = "This page speaks of chairs for the garden. ".repeat(6);
        let links: String = (0..40).map(|n| format!("<li><a href=/n{n}>Chair {n}</a></li>")).collect();
        let site = builder()
            .start("/full")
            .page("/thin", "<title>a</title><p>To be done.</p>")
            .page("/full", &format!("<title>b</title><p>{prose}</p>"))
            .page("/menu", &format!("<title>c</title><nav>{prose}</nav><p>To be done too.</p>"))
            .page("/list", &format!("<title>d</title><ul>{links}</ul>"))
            .page("/noindex", "<title>e</title><meta name=robots content=noindex>")
            .site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("thin-text"), ["/menu", "/thin"]);
    }
}
