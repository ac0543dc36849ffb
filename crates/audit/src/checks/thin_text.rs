//! Pages that say next to nothing. The text of a list are its links.

use crate::check::{Attributes, Check, Confidence, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{PageContent, Site, UrlNo};
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
    attributes: Attributes { rest_may_refute: true, confidence: Confidence::Estimated, ..Attributes::OF_LISTED },
};

/// A page with this many links is a list, wherever they are.
const LIST_LINKS: usize = 30;
/// The bytes of a word and a blank: the record counts the bytes of texts.
const WORD: u32 = 6;

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    let is_list =
        |url, content: &PageContent| site.is_mostly_links(url) || site.links.of(content).nth(LIST_LINKS - 1).is_some();
    for (url, node, content) in site.own_pages() {
        let is_thin = content.prose_bytes < limits.thin && !node.cut;
        if is_thin && !is_list(url, content) {
            found.push(finding(url, content.prose_bytes));
        }
    }
}

/// Returns the finding about a page; pages without any text come before the others.
fn finding(url: UrlNo, bytes: u32) -> Finding {
    let finding = Finding::of(&THIN_TEXT, url);
    if bytes == 0 {
        return finding.says("It has no text of its own.").ahead();
    }
    let words = counted(u64::from(bytes.div_ceil(WORD)), "word");
    finding.says(format!("It has about {words} of text of its own."))
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
        assert_eq!(found.message("thin-text"), "It has about 3 words of text of its own.");
    }

    #[test]
    fn an_index_of_a_few_links_is_no_thin_page_and_a_page_with_few_words_beside_a_menu_is() {
        let menu = "<nav><a href=/>home</a><a href=/index>index</a></nav>";
        let site = builder()
            .links("/", &["/index", "/stub", "/empty"])
            .page(
                "/index",
                &format!("<title>a</title>{menu}<h1>Tags</h1><a href=/stub>craft</a><a href=/empty>water</a>"),
            )
            .page("/stub", &format!("<title>b</title>{menu}<p>To be done.</p><a href=/index>All tags</a>"))
            .page("/empty", &format!("<title>c</title>{menu}<h1>Craft</h1>"))
            .site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("thin-text"), ["/empty", "/stub"]);
        let ahead = site.run_check(|site, found| {
            find(site, &CheckThresholds::default(), found);
            found.retain(Finding::is_ahead);
        });
        assert_eq!(
            (ahead.of("thin-text"), ahead.message("thin-text").as_str()),
            (vec!["/empty".to_owned()], "It has no text of its own.")
        );
    }
}
