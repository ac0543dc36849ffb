//! Sites that show nothing without JavaScript: every page is an empty shell for scripts to fill.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Said, Site};

/// A page with scripts and less visible text than this is a shell.
const SHELL_TEXT: u32 = 200;
/// Percent of the pages that are nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut shells = Vec::new();
    let mut pages = 0;
    for (url, _, said) in site.pages() {
        pages += 1;
        if said.scripts > 0 && said.text_bytes < SHELL_TEXT && !links_on(site, said) {
            shells.push(url);
        }
    }
    if pages > 0 && shells.len() * 100 >= pages * NEARLY_ALL {
        let message = format!("{} of {pages} pages are empty shells for scripts to fill, without links.", shells.len());
        found.push(Finding::site(Code::NeedsJs).says(message).shown_by(shells.into_iter().take(SAMPLE)));
    }
}

fn links_on(site: &Site, said: &Said) -> bool {
    site.links.of(said).any(|link| !link.is_reference() && site.node(link.target()).in_scope())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    const SHELL: &str =
        "<title>App</title><script src=/app.js></script><div id=root></div><noscript>Enable it.</noscript>";

    fn site(shells: usize, pages: usize) -> Site {
        let made = made().start("/0").many(0..shells, |made, n| made.page(&format!("/{n}"), SHELL));
        made.many(shells..shells + pages, |made, n| made.links(&format!("/{n}"), &["/0"])).site()
    }

    #[test]
    fn a_site_of_empty_shells_is_told() {
        let site = site(1, 0);
        let told = site.told(find);
        assert_eq!(told.of(Code::NeedsJs), ["the site"]);
        assert_eq!(told.message(Code::NeedsJs), "1 of 1 pages are empty shells for scripts to fill, without links.");
        assert_eq!(told.examples(Code::NeedsJs), "/0");
    }

    #[test]
    fn eighty_percent_are_nearly_all() {
        assert!(!site(4, 1).told(find).is_nothing());
        assert!(site(79, 21).told(find).is_nothing());
    }

    #[test]
    fn text_or_a_link_or_no_script_make_a_page_no_shell() {
        let text = |letters| format!("<script></script><p>{}</p>", "x".repeat(letters));
        assert!(!made().page("/", &text(199)).site().told(find).is_nothing());
        assert!(made().page("/", &text(200)).site().told(find).is_nothing());
        assert!(made().page("/", "<script></script><a href=/a>a</a>").site().told(find).is_nothing());
        assert!(!made().page("/", "<script></script><a href=http://b.example/>b</a>").site().told(find).is_nothing());
        assert!(made().page("/", "Short.").site().told(find).is_nothing());
    }
}
