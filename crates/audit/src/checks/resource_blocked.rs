//! Files of the site that robots.txt disallows for the search engine, which then sees the pages without them.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_web::PageUrl;
use mapwright_web::page::facts::LinkKind;
use std::collections::HashSet;

pub(super) static CHECKER: Checker = Checker::site(find, &[&RESOURCE_BLOCKED]);

static RESOURCE_BLOCKED: Check = Check {
    code: "resource-blocked",
    title: "File that search engines may not load",
    topic: Topic::Indexability,
    severity: Severity::Warning,
    reason: "robots.txt disallows an image, a style sheet or a script for the search engine, which sees the pages without it.",
    fix: "Allow the file in robots.txt.",
    needs: RequiredCoverage::Site,
    attributes: Attributes { is_about_robots: true, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let is_shown = |kind: LinkKind| !matches!(kind, LinkKind::Icon | LinkKind::Manifest);
    // A finding about a page says what its scripts lacked.
    let lacked: HashSet<&str> = site.rendered_pages().flat_map(|(_, page)| page.disallowed()).collect();
    let shown = site.own_resources().filter(|resource| resource.sheet.is_some() || resource.kinds().any(is_shown));
    for resource in shown.filter(|resource| !lacked.contains(site.text(resource.url))) {
        if let Some((number, text)) = ruling(site, resource.url) {
            let message = format!("Line {number} of robots.txt disallows it for {}: {text}", site.search_agent);
            found.push(Finding::of(&RESOURCE_BLOCKED, resource.url).says(message));
        }
    }
}

/// Returns the line of robots.txt that disallows a URL for the search engine.
fn ruling(site: &Site, url: UrlNo) -> Option<(u32, String)> {
    let url = PageUrl::recorded(site.text(url))?;
    let robots = site.urls.number(&format!("{}/robots.txt", url.origin()))?;
    let file = site.robots.get(&site.robots_end(robots).unwrap_or(robots))?;
    let ruling = file.rules.rule_for(&site.search_agent, &url);
    ruling.line.filter(|_| !ruling.allowed).map(|line| (line.number, line.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn files_that_the_search_engine_may_not_load_are_reported() {
        let site = builder()
            .robots("User-agent: *\nDisallow: /all/\n\nUser-agent: googlebot\nDisallow: /css/")
            .page(
                "/",
                "<link rel=stylesheet href=/css/a.css><script src=/all/b.js></script><img src=/img/c.png>\
                 <link rel=icon href=/css/icon.png><img src=http://other.example/css/d.png>",
            )
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("resource-blocked"), ["/css/a.css"]);
        let expected = "Line 5 of robots.txt disallows it for googlebot: Disallow: /css/";
        assert_eq!(found.message("resource-blocked"), expected);
    }
}
