//! Sitemaps that the site names and that cannot be fetched.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{File, NodeStatus, Site, UnreadSitemap};
use mapwright_web::PageUrl;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SITEMAP_UNREACHABLE]);

static SITEMAP_UNREACHABLE: Check = Check {
    code: "sitemap-unreachable",
    title: "Sitemap not available",
    topic: Topic::Sitemaps,
    severity: Severity::Error,
    reason: "A sitemap that robots.txt or an index names is not available, so that nobody learns what it lists.",
    fix: "Publish the file, or correct or remove the line that names it.",
    needs: RequiredCoverage::FileResponse,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let published = site.published();
    for unread in published.unread() {
        let end = unread.chain.last().copied().unwrap_or(unread.url);
        let Some(what) = what(unread, site.files.get(&end)) else { continue };
        let index = site.node(unread.url).found_on.map(|index| site.text(index));
        let namer = published.named_by(site.text(unread.url)).or(index);
        let named = namer.map_or_else(|| "It is published".to_owned(), |namer| format!("{namer} names it"));
        let what = match namer.and_then(|namer| other_host(namer, site.text(end))) {
            Some(host) => format!("is on another host ({host}) and {what}"),
            None => what,
        };
        let message = if unread.chain.is_empty() {
            format!("{named}, and it {what}.")
        } else {
            format!("{named}, and it redirects to {}, which {what}.", site.text(end))
        };
        let finding = Finding::of(&SITEMAP_UNREACHABLE, unread.url).says(message);
        let index = site.node(unread.url).found_on.filter(|file| site.files.contains_key(file));
        let finding = finding.in_sitemaps(index.as_slice());
        found.push(if unread.chain.is_empty() { finding } else { finding.through(unread.chain.clone()).to(end) });
    }
}

/// Returns the host of a sitemap, if the file that names it is on another.
fn other_host(namer: &str, sitemap: &str) -> Option<String> {
    let host = |url: &str| PageUrl::recorded(url).map(|url| url.host().to_owned());
    host(sitemap).filter(|of_sitemap| host(namer).is_some_and(|of_namer| of_namer != *of_sitemap))
}

/// Returns what a file answers instead of a sitemap; none if that is not a fault of the site, or not known.
fn what(unread: &UnreadSitemap, file: Option<&File>) -> Option<String> {
    if unread.endless {
        return Some("redirects without end".to_owned());
    }
    let file = file?;
    match file.fetch_status {
        NodeStatus::Status if file.status == 429 => None,
        NodeStatus::Status => Some(format!("answers {}", file.status)),
        NodeStatus::NoAnswer(_) => Some("gives no answer".to_owned()),
        NodeStatus::Broken => Some("breaks off its answer".to_owned()),
        NodeStatus::Blocked => Some("is disallowed by robots.txt".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_model::FailureKind;

    #[test]
    fn an_unreachable_sitemap_that_robots_txt_names_is_reported() {
        let named = "User-agent: *\nSitemap: /gone.xml\nSitemap: /silent.xml\nSitemap: /busy.xml\nSitemap: /fine.xml\n";
        let site = builder()
            .robots(named)
            .sitemap("/fine.xml", &["/"])
            .lost("/gone.xml")
            .sitemap_silent("/silent.xml", FailureKind::Refused)
            .sitemap_status("/busy.xml", 503, true)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-unreachable"), ["/gone.xml", "/silent.xml"], "throttling is no fault");
        let expected = "http://example.com/robots.txt names it, and it answers 404.";
        assert_eq!(found.message("sitemap-unreachable"), expected);
    }

    #[test]
    fn a_sitemap_on_another_host_is_reported_with_the_host() {
        let message = |part: &str| {
            let builder = builder().robots("User-agent: *\nSitemap: /index.xml\n").sitemap("/index.xml", &[]);
            let site = builder.part_of("/index.xml", part).sitemap_silent(part, FailureKind::Dns).site();
            site.run_check(find).message("sitemap-unreachable")
        };
        let named = "http://example.com/index.xml names it, and it";
        let other = "http://shop.example/part.xml";
        assert_eq!(message(other), format!("{named} is on another host (shop.example) and gives no answer."));
        assert_eq!(message("/part.xml"), format!("{named} gives no answer."));
    }

    #[test]
    fn an_unreachable_part_of_an_index_is_reported_with_the_index() {
        let site = builder()
            .robots("User-agent: *\nSitemap: /index.xml\n")
            .sitemap("/index.xml", &[])
            .part_of("/index.xml", "/part.xml")
            .lost("/part.xml")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-unreachable"), ["/part.xml"]);
        assert_eq!(found.sitemaps("sitemap-unreachable"), "/index.xml");
        let expected = "http://example.com/index.xml names it, and it answers 404.";
        assert_eq!(found.message("sitemap-unreachable"), expected);
    }

    #[test]
    fn a_named_sitemap_that_redirects_is_judged_by_its_final_target() {
        let site = builder()
            .robots("User-agent: *\nSitemap: /old.xml\nSitemap: /moved.xml\nSitemap: /round.xml\n")
            .sitemap_redirect("/old.xml", "/gone.xml")
            .lost("/gone.xml")
            .sitemap_redirect("/moved.xml", "/new.xml")
            .sitemap("/new.xml", &["/"])
            .sitemap_redirect("/round.xml", "/round.xml")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("sitemap-unreachable"), ["/old.xml", "/round.xml"]);
        assert_eq!(
            (found.target("sitemap-unreachable"), found.chain("sitemap-unreachable")),
            ("/gone.xml".into(), "/gone.xml".into())
        );
    }

    #[test]
    fn the_usual_place_is_a_guess_that_need_not_hold_a_sitemap() {
        assert!(builder().robots("").lost("/sitemap.xml").site().run_check(find).is_nothing());
        assert!(
            builder().no_robots(404).sitemap_status("/sitemap.xml", 500, false).site().run_check(find).is_nothing()
        );
        let named = builder().robots("User-agent: *\nSitemap: /sitemap.xml").lost("/sitemap.xml").site();
        assert_eq!(named.run_check(find).of("sitemap-unreachable"), ["/sitemap.xml"]);
    }
}
