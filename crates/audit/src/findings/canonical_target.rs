//! Canonicals to another page, an error, a redirect, a noindex or blocked page, a chain, a loop, another site.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{ChainEnd, MAX_HOPS, NodeStatus, Site, UrlNo, cycles, follow};
use mapwright_web::origin_of;
use std::collections::HashSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // Pages that are canonical targets and are canonicalised to yet another page.
    let chained: HashSet<UrlNo> =
        site.pages().filter_map(|(url, ..)| other(site, url)).filter(|target| other(site, *target).is_some()).collect();
    let looped = cycles(site.pages().map(|(url, ..)| url), |at| around(site, at));
    for (url, ..) in site.pages() {
        let Some(target) = other(site, url) else { continue };
        let text = site.text(target);
        found.push(Finding::of(Code::CanonicalOther, url).to(target).says(format!("The canonical is {text}.")));
        if let Some(code) = target_fault(site, target) {
            found.push(Finding::of(code, url).to(target).says(message(site, target)));
        }
        if origin_of(site.text(url)) != origin_of(text) {
            let message = format!("The canonical is {text}, on another origin.");
            found.push(Finding::of(Code::CanonicalOtherOrigin, url).to(target).says(message));
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

fn target_fault(site: &Site, target: UrlNo) -> Option<Code> {
    let node = site.node(target);
    match node.fetch_status {
        _ if node.fails() => Some(Code::CanonicalToError),
        NodeStatus::Redirect => Some(Code::CanonicalToRedirect),
        NodeStatus::Page if node.noindex => Some(Code::CanonicalToNoindex),
        NodeStatus::Blocked => Some(Code::CanonicalToBlocked),
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
    let found = Finding::of(Code::CanonicalLoop, url);
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
    let found = (chain.urls.len() > 1).then(|| Finding::of(Code::CanonicalChain, url).through(chain.urls))?;
    Some(if is_cut { found.says(format!("The canonicals lead through more than {MAX_HOPS} pages.")) } else { found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    use Code::{CanonicalChain, CanonicalLoop, CanonicalOther};

    #[test]
    fn a_canonical_to_another_page_is_reported_and_one_to_itself_is_not() {
        let site = builder().canonical("/variant", "/page").canonical("/page", "/page").site();
        let found = site.run_check(find);
        assert_eq!(found.of(CanonicalOther), ["/variant"]);
        assert_eq!((found.target(CanonicalOther), found.of(CanonicalChain)), ("/page".to_owned(), vec![]));
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
        assert_eq!(found.of(Code::CanonicalToError), ["/to-404", "/to-500", "/to-silent"]);
        assert_eq!(found.of(Code::CanonicalToRedirect), ["/to-moved"]);
        assert_eq!(found.of(Code::CanonicalToNoindex), ["/to-hidden"]);
        assert_eq!(found.of(Code::CanonicalToBlocked), ["/to-blocked"]);
        let message = found.message(Code::CanonicalToBlocked);
        assert_eq!(message, "The canonical is http://example.com/private/x, which robots.txt disallows.");
    }

    #[test]
    fn a_chain_is_reported_only_on_its_first_page() {
        let site =
            builder().canonical("/1", "/2").canonical("/2", "/3").canonical("/3", "/4").canonical("/4", "/4").site();
        let found = site.run_check(find);
        assert_eq!(found.of(CanonicalChain), ["/1"]);
        assert_eq!(found.chain(CanonicalChain), "/2 /3 /4");
        assert_eq!(found.of(CanonicalLoop), [""; 0]);
    }

    #[test]
    fn two_pages_canonicalised_to_the_first_of_a_chain_each_begin_one() {
        let site = builder().canonical("/a", "/2").canonical("/b", "/2").canonical("/2", "/3").links("/3", &[]).site();
        assert_eq!(site.run_check(find).of(CanonicalChain), ["/a", "/b"]);
    }

    #[test]
    fn mutual_canonicals_are_a_loop_and_a_page_that_leads_there_begins_a_chain() {
        let site = builder().canonical("/in", "/1").canonical("/1", "/2").canonical("/2", "/1").site();
        let found = site.run_check(find);
        assert_eq!(found.of(CanonicalLoop), ["/1", "/2"]);
        assert_eq!(found.chain(CanonicalLoop), "/2 /1");
        assert_eq!(found.of(CanonicalChain), ["/in"]);
    }

    #[test]
    fn a_redirect_in_between_does_not_extend_a_chain() {
        let site =
            builder().canonical("/a", "/old").redirect("/old", "/b").canonical("/b", "/c").links("/c", &[]).site();
        let found = site.run_check(find);
        assert_eq!((found.of(CanonicalChain), found.of(Code::CanonicalToRedirect)), (vec![], vec!["/a".to_owned()]));
    }

    #[test]
    fn a_redirect_may_close_the_loop() {
        let back = builder().canonical("/a", "/old").redirect("/old", "/a").site();
        let found = back.run_check(find);
        assert_eq!(
            (found.of(CanonicalLoop), found.chain(CanonicalLoop)),
            (vec!["/a".to_owned()], "/old /a".to_owned())
        );
        assert_eq!(found.of(CanonicalChain), [""; 0]);
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
        assert_eq!(site.run_check(find).of(Code::CanonicalOtherOrigin), ["/host", "/port", "/scheme"]);
    }

    #[test]
    fn chains_as_long_as_the_site_are_reported_up_to_the_limit() {
        let page = |n: usize| format!("/{n}");
        let circle =
            builder().many(0..20_000, |builder, n| builder.canonical(&page(n), &page((n + 1) % 20_000))).site();
        let found = circle.run_check(find);
        assert_eq!((found.of(CanonicalLoop).len(), found.of(CanonicalChain).len()), (20_000, 0));
        assert_eq!(found.chain(CanonicalLoop).split(' ').count(), MAX_HOPS);
        assert_eq!(found.message(CanonicalLoop), "The canonicals lead back here after more than 30 others.");
        let chain =
            builder().many(0..20_000, |builder, n| builder.canonical(&page(n), &page((n + 1).max(10_000)))).site();
        let found = chain.run_check(find);
        assert_eq!(found.of(CanonicalChain).len(), 10_000, "each of those that name the first of the long one");
        assert_eq!(found.chain(CanonicalChain).split(' ').count(), MAX_HOPS);
        assert_eq!(found.message(CanonicalChain), "The canonicals lead through more than 30 pages.");
    }
}
