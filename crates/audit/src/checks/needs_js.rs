//! Sites that show nothing without JavaScript: every page is an empty shell for scripts to fill.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_text::counted;

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

/// The percentage of pages that counts as nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut shells = Vec::new();
    let mut pages = 0;
    for (url, _, content) in site.pages() {
        pages += 1;
        if site.is_shell_before_scripts(url, content) {
            shells.push(url);
        }
    }
    if pages > 0 && shells.len() * 100 >= pages * NEARLY_ALL {
        let count = shells.len();
        let gain = gain(site, &shells);
        let message = format!("{count} of {pages} pages are empty shells for scripts to fill, without links{gain}.");
        found.push(Finding::site(&NEEDS_JS).says(message).shown_by(shells.into_iter().take(SAMPLE)));
    }
}

/// Returns what scripts make of the shells that were rendered: text and links.
fn gain(site: &Site, shells: &[UrlNo]) -> String {
    let rendered = shells.iter().filter_map(|url| Some((site.page_content(*url)?, site.before_scripts(*url)?)));
    let added = rendered.fold(None, |sum: Option<[u64; 3]>, (content, before)| {
        let [before_bytes, bytes, links] = sum.unwrap_or_default();
        let of_page = [before.text_bytes, content.text_bytes, before.links_added].map(u64::from);
        Some([before_bytes + of_page[0], bytes + of_page[1], links + of_page[2]])
    });
    added.map_or_else(String::new, |[before, bytes, links]| {
        format!(": scripts turn {before} bytes of text into {bytes}, and add {}", counted(links, "link"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_web::page::facts::BeforeScripts;

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
    fn a_shell_that_scripts_fill_is_still_one_and_the_gain_is_named() {
        let before = BeforeScripts { text_bytes: 0, links_added: 2, ..BeforeScripts::default() };
        let filled = "<title>App</title><script></script><a href=/0>The words of the app.</a>";
        let site = builder().start("/0").page("/0", filled).before_scripts("/0", before).site();
        let expected = "1 of 1 pages are empty shells for scripts to fill, without links: scripts turn 0 bytes of text \
                        into 21, and add 2 links.";
        assert_eq!(site.run_check(find).message("needs-js"), expected);
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
