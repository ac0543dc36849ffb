//! Pages that telephones show as wide as a large screen.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&VIEWPORT_MISSING]);

static VIEWPORT_MISSING: Check = Check {
    code: "viewport-missing",
    title: "No viewport",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "The page names no viewport; telephones show it tiny, as wide as on a large screen.",
    fix: "Add a meta element named viewport, with `width=device-width, initial-scale=1`.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let lacking = site.own_pages().filter(|(_, _, content)| !content.markup.viewport);
    found.extend(lacking.map(|(url, _, _)| Finding::of(&VIEWPORT_MISSING, url)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_page_without_a_viewport_is_reported() {
        let site = builder()
            .start("/wide")
            .links("/none", &[])
            .head("/wide", "<meta name=Viewport content='width=device-width'>")
            .noindex("/noindex", &[])
            .site();
        assert_eq!(site.run_check(find).of("viewport-missing"), ["/none"]);
    }
}
