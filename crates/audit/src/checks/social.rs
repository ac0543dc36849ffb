//! The Open Graph properties and JSON-LD of a page, which decide how others show it.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::page::facts::OpenGraph;

pub(super) static CHECKER: Checker = Checker::site(find, &[&OG_INCOMPLETE, &JSON_LD_MALFORMED]);

static OG_INCOMPLETE: Check = Check {
    code: "og-incomplete",
    title: "Open Graph incomplete",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The page gives some of the basic Open Graph properties, and not all.",
    fix: "Give og:title, og:type, og:image and og:url.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::NONE },
};

static JSON_LD_MALFORMED: Check = Check {
    code: "json-ld-malformed",
    title: "JSON-LD that is not JSON",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "A script of JSON-LD is not JSON; search engines ignore it.",
    fix: "Correct it: often a comma, a quote or a line break inside a text.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        let missing = missing(content.markup.open_graph);
        if (1..=3).contains(&missing.len()) {
            found.push(Finding::of(&OG_INCOMPLETE, url).says(format!("It lacks {}.", missing.join(", "))));
        }
        if content.markup.malformed_json_ld > 0 {
            found.push(Finding::of(&JSON_LD_MALFORMED, url));
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

    #[test]
    fn json_ld_that_does_not_parse_is_reported() {
        let script = |text: &str| format!("<script type='application/ld+json'>{text}</script>");
        let site = builder()
            .head("/good", &script("{\"@type\": \"Product\"}"))
            .head("/comma", &script("{\"@type\": \"Product\",}"))
            .head("/script", "<script>{,}</script>")
            .head("/empty", &script(" "))
            .site();
        assert_eq!(site.run_check(find).of("json-ld-malformed"), ["/comma"]);
    }
}
