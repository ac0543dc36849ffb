//! The basic properties of the Open Graph protocol, by which others show a page.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::page::facts::OpenGraph;

pub(super) static CHECKER: Checker = Checker::site(find, &[&OG_INCOMPLETE]);

static OG_INCOMPLETE: Check = Check {
    code: "og-incomplete",
    title: "Open Graph incomplete",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page gives some of the basic Open Graph properties, and not all.",
    fix: "Give og:title, og:type, og:image and og:url.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        let missing = missing(content.markup.open_graph);
        if (1..=3).contains(&missing.len()) {
            found.push(Finding::of(&OG_INCOMPLETE, url).says(format!("It lacks {}.", missing.join(", "))));
        }
    }
}

/// Returns the basic properties that are missing (The Open Graph protocol, "Basic Metadata").
fn missing(given: OpenGraph) -> Vec<&'static str> {
    let OpenGraph { title, kind, image, url } = given;
    let all = [(title, "og:title"), (kind, "og:type"), (image, "og:image"), (url, "og:url")];
    all.into_iter().filter(|(given, _)| !given).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn open_graph_that_is_begun_is_to_be_complete() {
        let og = |name: &str| format!("<meta property='og:{name}' content='x'>");
        let all = ["title", "type", "image", "url"].map(og).concat();
        let site = builder()
            .head("/none", "")
            .head("/all", &all)
            .head("/named", "<meta name='og:title' content='x'>")
            .head("/empty", &[&all[..], "<meta property='og:image' content=''>"].concat())
            .head("/secure", &[og("title"), og("type"), og("image:secure_url"), og("url")].concat())
            .head("/three", &[og("title"), og("type"), og("url")].concat())
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("og-incomplete"), ["/named", "/three"]);
    }
}
