//! Canonicals to another page, an error, a redirect, a noindex or blocked page, a chain, a loop, another site.

use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ChainEnd, MAX_HOPS, NodeStatus, Site, UrlNo, cycles, follow};
use mapwright_web::origin_of;
use std::collections::HashSet;

pub(super) static CHECKER: Checker = Checker::site(
    find,
    &[
        &CANONICAL_OTHER,
        &CANONICAL_TO_ERROR,
        &CANONICAL_TO_REDIRECT,
        &CANONICAL_TO_NOINDEX,
        &CANONICAL_TO_BLOCKED,
        &CANONICAL_CHAIN,
        &CANONICAL_LOOP,
        &CANONICAL_OTHER_ORIGIN,
    ],
);

static CANONICAL_OTHER: Check = Check {
    code: "canonical-other",
    title: "Canonicalised to another page",
    topic: Topic::Canonicals,
    severity: Severity::Notice,
    reason: "The canonical names another page, which is indexed in place of this one.",
    fix: "See that it is meant; let the page name itself otherwise.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static CANONICAL_TO_ERROR: Check = Check {
    code: "canonical-to-error",
    title: "Canonical to an error",
    topic: Topic::Canonicals,
    severity: Severity::Error,
    reason: "The canonical names a URL that fails.",
    fix: "Name a page that exists.",
    needs: RequiredCoverage::Leads(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

static CANONICAL_TO_REDIRECT: Check = Check {
    code: "canonical-to-redirect",
    title: "Canonical to a redirect",
    topic: Topic::Canonicals,
    severity: Severity::Warning,
    reason: "The canonical names a URL that redirects.",
    fix: "Name the final target.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static CANONICAL_TO_NOINDEX: Check = Check {
    code: "canonical-to-noindex",
    title: "Canonical to a noindex page",
    topic: Topic::Canonicals,
    severity: Severity::Error,
    reason: "The canonical names a noindex page: neither is indexed.",
    fix: "Name an indexable page, or remove the noindex.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static CANONICAL_TO_BLOCKED: Check = Check {
    code: "canonical-to-blocked",
    title: "Canonical to a URL blocked by robots.txt",
    topic: Topic::Canonicals,
    severity: Severity::Error,
    reason: "The canonical names a URL that robots.txt disallows.",
    fix: "Name a page that may be crawled, or allow it.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes { is_about_robots: true, ..Attributes::NONE },
};

static CANONICAL_CHAIN: Check = Check {
    code: "canonical-chain",
    title: "Canonical chain",
    topic: Topic::Canonicals,
    severity: Severity::Warning,
    reason: "The canonical names a page that names yet another.",
    fix: "Name the last one directly.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static CANONICAL_LOOP: Check = Check {
    code: "canonical-loop",
    title: "Canonical loop",
    topic: Topic::Canonicals,
    severity: Severity::Error,
    reason: "The canonicals name each other in a circle.",
    fix: "Let one of the pages name itself, and the others that one.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static CANONICAL_OTHER_ORIGIN: Check = Check {
    code: "canonical-other-origin",
    title: "Canonical on another origin",
    topic: Topic::Canonicals,
    severity: Severity::Notice,
    reason: "The canonical lies on another origin.",
    fix: "See that it is meant: this page then gives way to the other site's.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // Pages that are canonical targets and are canonicalised to yet another page.
    let chained: HashSet<UrlNo> =
        site.pages().filter_map(|(url, ..)| other(site, url)).filter(|target| other(site, *target).is_some()).collect();
    let looped = cycles(site.pages().map(|(url, ..)| url), |at| around(site, at));
    for (url, ..) in site.pages() {
        let Some(target) = other(site, url) else { continue };
        let text = site.text(target);
        found.push(Finding::of(&CANONICAL_OTHER, url).to(target).says(format!("The canonical is {text}.")));
        if let Some(check) = target_fault(site, target) {
            found.push(Finding::of(check, url).to(target).says(message(site, target)));
        }
        if origin_of(site.text(url)) != origin_of(text) {
            let message = format!("The canonical is {text}, on another origin.");
            found.push(Finding::of(&CANONICAL_OTHER_ORIGIN, url).to(target).says(message));
        }
        if looped.contains(&url) {
            found.push(loop_through(site, url));
        } else if !chained.contains(&url) {
            found.extend(chain_from(site, url));
        }
    }
}

/// Returns the canonical of a page if it is another URL.
fn other(site: &Site, url: UrlNo) -> Option<UrlNo> {
    let node = site.node(url);
    node.canonical.filter(|canonical| node.is_page() && *canonical != url)
}

fn target_fault(site: &Site, target: UrlNo) -> Option<&'static Check> {
    let node = site.node(target);
    match node.fetch_status {
        _ if node.fails() => Some(&CANONICAL_TO_ERROR),
        NodeStatus::Redirect => Some(&CANONICAL_TO_REDIRECT),
        NodeStatus::Page if node.noindex => Some(&CANONICAL_TO_NOINDEX),
        NodeStatus::Blocked => Some(&CANONICAL_TO_BLOCKED),
        _ => None,
    }
}

fn message(site: &Site, target: UrlNo) -> String {
    let (node, text) = (site.node(target), site.text(target));
    match node.fetch_status {
        NodeStatus::Page => format!("The canonical is {text}, which says noindex."),
        NodeStatus::Blocked => format!("The canonical is {text}, which robots.txt disallows."),
        NodeStatus::NoAnswer(_) | NodeStatus::Broken => format!("The canonical is {text}, which gives no answer."),
        _ => format!("The canonical is {text}, which answers {}.", node.status),
    }
}

/// Returns the next URL of a chain that may be a loop: over canonicals, and the redirects between them.
fn around(site: &Site, at: UrlNo) -> Option<UrlNo> {
    other(site, at).or_else(|| site.hop(at))
}

/// Returns the finding of a loop, which is made for each page in it.
fn loop_through(site: &Site, url: UrlNo) -> Finding {
    let mut chain = follow(url, MAX_HOPS, |at| around(site, at));
    let found = Finding::of(&CANONICAL_LOOP, url);
    if chain.end == ChainEnd::Beyond {
        return found
            .says(format!("The canonicals lead back here after more than {MAX_HOPS} others."))
            .through(chain.urls);
    }
    chain.urls.push(url);
    found.through(chain.urls)
}

/// Returns the finding of a chain, which is made only for its first page.
fn chain_from(site: &Site, url: UrlNo) -> Option<Finding> {
    let chain = follow(url, MAX_HOPS, |at| other(site, at));
    let is_cut = chain.end == ChainEnd::Beyond;
    let found = (chain.urls.len() > 1).then(|| Finding::of(&CANONICAL_CHAIN, url).through(chain.urls))?;
    Some(if is_cut { found.says(format!("The canonicals lead through more than {MAX_HOPS} pages.")) } else { found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_canonical_to_another_page_is_reported_and_one_to_itself_is_not() {
        let site = builder().canonical("/variant", "/page").canonical("/page", "/page").site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-other"), ["/variant"]);
        assert_eq!((found.target("canonical-other"), found.of("canonical-chain")), ("/page".to_owned(), vec![]));
    }

    #[test]
    fn each_fault_of_a_canonical_target_has_its_code() {
        let site = builder()
            .robots("User-agent: *\nDisallow: /private/")
            .canonical("/to-404", "/gone")
            .canonical("/to-500", "/oops")
            .status("/oops", 500)
            .canonical("/to-silent", "/silent")
            .silent("/silent", mapwright_model::FailureKind::TimedOut)
            .canonical("/to-moved", "/moved")
            .redirect("/moved", "/")
            .canonical("/to-hidden", "/hidden")
            .noindex("/hidden", &[])
            .canonical("/to-blocked", "/private/x")
            .canonical("/to-busy", "/busy")
            .throttled("/busy", 429)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-to-error"), ["/to-404", "/to-500", "/to-silent"]);
        assert_eq!(found.of("canonical-to-redirect"), ["/to-moved"]);
        assert_eq!(found.of("canonical-to-noindex"), ["/to-hidden"]);
        assert_eq!(found.of("canonical-to-blocked"), ["/to-blocked"]);
        let message = found.message("canonical-to-blocked");
        assert_eq!(message, "The canonical is http://example.com/private/x, which robots.txt disallows.");
    }

    #[test]
    fn a_chain_is_reported_only_on_its_first_page() {
        let site =
            builder().canonical("/1", "/2").canonical("/2", "/3").canonical("/3", "/4").canonical("/4", "/4").site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-chain"), ["/1"]);
        assert_eq!(found.chain("canonical-chain"), "/2 /3 /4");
        assert_eq!(found.of("canonical-loop"), [""; 0]);
    }

    #[test]
    fn two_pages_canonicalised_to_the_first_of_a_chain_each_begin_one() {
        let site = builder().canonical("/a", "/2").canonical("/b", "/2").canonical("/2", "/3").links("/3", &[]).site();
        assert_eq!(site.run_check(find).of("canonical-chain"), ["/a", "/b"]);
    }

    #[test]
    fn mutual_canonicals_are_a_loop_and_a_page_that_leads_there_begins_a_chain() {
        let site = builder().canonical("/in", "/1").canonical("/1", "/2").canonical("/2", "/1").site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-loop"), ["/1", "/2"]);
        assert_eq!(found.chain("canonical-loop"), "/2 /1");
        assert_eq!(found.of("canonical-chain"), ["/in"]);
    }

    #[test]
    fn a_redirect_in_between_does_not_extend_a_chain() {
        let site =
            builder().canonical("/a", "/old").redirect("/old", "/b").canonical("/b", "/c").links("/c", &[]).site();
        let found = site.run_check(find);
        assert_eq!((found.of("canonical-chain"), found.of("canonical-to-redirect")), (vec![], vec!["/a".to_owned()]));
    }

    #[test]
    fn a_redirect_may_close_the_loop() {
        let back = builder().canonical("/a", "/old").redirect("/old", "/a").site();
        let found = back.run_check(find);
        assert_eq!(
            (found.of("canonical-loop"), found.chain("canonical-loop")),
            (vec!["/a".to_owned()], "/old /a".to_owned())
        );
        assert_eq!(found.of("canonical-chain"), [""; 0]);
    }

    #[test]
    fn another_scheme_host_or_port_is_another_origin() {
        let site = builder()
            .canonical("/scheme", "https://example.com/scheme")
            .canonical("/host", "http://www.example.com/host")
            .canonical("/port", "http://example.com:8080/port")
            .canonical("/usual-port", "http://example.com:80/other")
            .canonical("/query", "http://example.com?q=http://b/")
            .site();
        assert_eq!(site.run_check(find).of("canonical-other-origin"), ["/host", "/port", "/scheme"]);
    }

    #[test]
    fn chains_as_long_as_the_site_are_reported_up_to_the_limit() {
        let page = |n: usize| format!("/{n}");
        let circle =
            builder().many(0..20_000, |builder, n| builder.canonical(&page(n), &page((n + 1) % 20_000))).site();
        let found = circle.run_check(find);
        assert_eq!((found.of("canonical-loop").len(), found.of("canonical-chain").len()), (20_000, 0));
        assert_eq!(found.chain("canonical-loop").split(' ').count(), MAX_HOPS);
        assert_eq!(found.message("canonical-loop"), "The canonicals lead back here after more than 30 others.");
        let chain =
            builder().many(0..20_000, |builder, n| builder.canonical(&page(n), &page((n + 1).max(10_000)))).site();
        let found = chain.run_check(find);
        assert_eq!(found.of("canonical-chain").len(), 10_000, "each of those that name the first of the long one");
        assert_eq!(found.chain("canonical-chain").split(' ').count(), MAX_HOPS);
        assert_eq!(found.message("canonical-chain"), "The canonicals lead through more than 30 pages.");
    }
}
