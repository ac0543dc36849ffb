//! Scripts of JSON-LD that search engines cannot read.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&JSON_LD_MALFORMED]);

static JSON_LD_MALFORMED: Check = Check {
    code: "json-ld-malformed",
    title: "JSON-LD that is not JSON",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "A script of JSON-LD is not JSON; search engines ignore it.",
    fix: "Correct it: often a comma, a quote or a line break inside a text.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let malformed = site.own_pages().filter(|(_, _, content)| content.markup.malformed_json_ld > 0);
    found.extend(malformed.map(|(url, _, _)| Finding::of(&JSON_LD_MALFORMED, url)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

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
