//! Sites that show nothing without JavaScript: every page is an empty shell for scripts to fill.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{PageContent, Site};

pub(super) static CHECKER: Checker = Checker::site(find, &[&NEEDS_JS]);

static NEEDS_JS: Check = Check {
    code: "needs-js",
    title: "Content only with JavaScript",
    topic: Topic::Site,
    severity: Severity::Error,
    reason: "The site shows its content and links only with JavaScript.",
    fix: "Serve the content and plain links in the HTML itself, or render it on the server.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

/// A page with scripts and less visible text than this is a shell.
const SHELL_TEXT: u32 = 200;
/// The percentage of pages that counts as nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut shells = Vec::new();
    let mut pages = 0;
    for (url, _, content) in site.pages() {
        pages += 1;
        if content.scripts > 0 && content.text_bytes < SHELL_TEXT && !links_on(site, content) {
            shells.push(url);
        }
    }
    if pages > 0 && shells.len() * 100 >= pages * NEARLY_ALL {
        let message = format!("{} of {pages} pages are empty shells for scripts to fill, without links.", shells.len());
        found.push(Finding::site(&NEEDS_JS).says(message).shown_by(shells.into_iter().take(SAMPLE)));
    }
}

fn links_on(site: &Site, content: &PageContent) -> bool {
    site.links.of(content).any(|link| !link.is_reference() && site.node(link.target()).in_scope())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const SHELL: &str =
        "<title>App</title><script src=/app.js></script><div id=root></div><noscript>Enable it.</noscript>";

    fn site(shells: usize, pages: usize) -> Site {
        let builder = builder().start("/0").many(0..shells, |builder, n| builder.page(&format!("/{n}"), SHELL));
        builder.many(shells..shells + pages, |builder, n| builder.links(&format!("/{n}"), &["/0"])).site()
    }

    #[test]
    fn a_site_of_empty_shells_is_reported() {
        let site = site(1, 0);
        let found = site.run_check(find);
        assert_eq!(found.of("needs-js"), ["the site"]);
        assert_eq!(found.message("needs-js"), "1 of 1 pages are empty shells for scripts to fill, without links.");
        assert_eq!(found.examples("needs-js"), "/0");
    }

    #[test]
    fn eighty_percent_are_nearly_all() {
        assert!(!site(4, 1).run_check(find).is_nothing());
        assert!(site(79, 21).run_check(find).is_nothing());
    }

    #[test]
    fn a_page_with_text_a_link_or_no_script_is_no_shell() {
        let text = |letters| format!("<script></script><p>{}</p>", "x".repeat(letters));
        assert!(!builder().page("/", &text(199)).site().run_check(find).is_nothing());
        assert!(builder().page("/", &text(200)).site().run_check(find).is_nothing());
        assert!(builder().page("/", "<script></script><a href=/a>a</a>").site().run_check(find).is_nothing());
        assert!(
            !builder()
                .page("/", "<script></script><a href=http://b.example/>b</a>")
                .site()
                .run_check(find)
                .is_nothing()
        );
        assert!(builder().page("/", "Short.").site().run_check(find).is_nothing());
    }
}
