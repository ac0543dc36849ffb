//! Links that search engines find only if they run scripts, or not at all.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_text::counted;

pub(super) static CHECKER: Checker = Checker::site(find, &[&LINKS_BY_SCRIPT, &HASH_ROUTES, &UNCRAWLABLE_LINKS]);

static LINKS_BY_SCRIPT: Check = Check {
    code: "links-by-script",
    title: "Links made by scripts",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "Scripts add links to the page. Search engines find them later than others, or not at all.",
    fix: "Write the links that matter into the HTML itself.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static HASH_ROUTES: Check = Check {
    code: "hash-routes",
    title: "Views behind a #",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "Links lead to views of the page whose addresses differ only behind a #. Search engines see one page.",
    fix: "Give each view a path of its own (History API), and serve it there.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static UNCRAWLABLE_LINKS: Check = Check {
    code: "uncrawlable-links",
    title: "Links without a URL",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "Links of the page have no URL and work by a script alone; search engines do not follow them.",
    fix: "Give each link the URL of its page as `href`. Use a button for what is no link.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, page) in site.rendered_pages() {
        let Some(before) = &page.before else { continue };
        if before.links_added > 0 {
            let added = counted(u64::from(before.links_added), "link");
            let message = format!("Scripts add {added} to the {} that the document has itself.", before.links);
            found.push(Finding::of(&LINKS_BY_SCRIPT, url).says(message).shown_by(page.links.iter().copied()));
        }
        if before.hash_routes > 0 {
            let links = counted(u64::from(before.hash_routes), "link");
            found.push(Finding::of(&HASH_ROUTES, url).says(format!("It has {links} to views behind a #.")));
        }
    }
    for (url, _, content) in site.pages().filter(|(_, _, content)| content.markup.scripted_links > 0) {
        let links = counted(u64::from(content.markup.scripted_links), "link");
        found.push(Finding::of(&UNCRAWLABLE_LINKS, url).says(format!("It has {links} that only a script follows.")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_web::page::facts::BeforeScripts;

    #[test]
    fn links_that_scripts_add_and_views_behind_a_hash_are_reported_with_their_number() {
        let before =
            |links_added, hash_routes| BeforeScripts { links: 3, links_added, hash_routes, ..Default::default() };
        let site = builder()
            .rendered("/added", before(2, 0))
            .rendered("/views", before(0, 4))
            .rendered("/same", BeforeScripts { links_removed: 2, ..before(0, 0) })
            .links("/plain", &["/#/x"])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("links-by-script"), ["/added"]);
        assert_eq!(found.of("hash-routes"), ["/views"]);
        assert_eq!(found.message("links-by-script"), "Scripts add 2 links to the 3 that the document has itself.");
        assert_eq!(found.message("hash-routes"), "It has 4 links to views behind a #.");
    }

    #[test]
    fn links_that_only_a_script_follows_are_reported_and_buttons_are_not() {
        let site = builder()
            .page("/script", "<a href=\" JavaScript:go('/a')\">a</a><a onclick=\"go('/b')\">b</a>")
            .page("/no-op", "<a href='javascript:void(0);' onclick='go()'>c</a>")
            .page("/button", "<a href='javascript:;'>menu</a><a>name</a><a href='/x' onclick='count()'>x</a>")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("uncrawlable-links"), ["/no-op", "/script"]);
        assert_eq!(found.message("uncrawlable-links"), "It has 1 link that only a script follows.");
    }
}
