//! What canonicals name: another page, an error, a redirect, a noindex or blocked page, a chain, a loop, another site.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, MOST_HOPS, Site, UrlNo, WayEnd, circles, follow};
use mapwright_web::origin_of;
use std::collections::HashSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // Pages that another page's canonical names, and that name yet another.
    let chained: HashSet<UrlNo> =
        site.pages().filter_map(|(url, ..)| other(site, url)).filter(|target| other(site, *target).is_some()).collect();
    let looped = circles(site.pages().map(|(url, ..)| url), |at| around(site, at));
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

/// The canonical of a page, where that is another URL.
fn other(site: &Site, url: UrlNo) -> Option<UrlNo> {
    let node = site.node(url);
    node.canonical.filter(|canonical| node.is_page() && *canonical != url)
}

fn target_fault(site: &Site, target: UrlNo) -> Option<Code> {
    let node = site.node(target);
    match node.fate {
        _ if node.fails() => Some(Code::CanonicalToError),
        Fate::Redirect => Some(Code::CanonicalToRedirect),
        Fate::Page if node.noindex => Some(Code::CanonicalToNoindex),
        Fate::Blocked => Some(Code::CanonicalToBlocked),
        _ => None,
    }
}

fn message(site: &Site, target: UrlNo) -> String {
    let (node, text) = (site.node(target), site.text(target));
    match node.fate {
        Fate::Page => format!("The canonical is {text}, which says noindex."),
        Fate::Blocked => format!("The canonical is {text}, which robots.txt disallows."),
        Fate::NoAnswer(_) | Fate::Broken => format!("The canonical is {text}, which gives no answer."),
        _ => format!("The canonical is {text}, which answers {}.", node.status),
    }
}

/// Where a way that may come back leads: over canonicals, and the redirects between them.
fn around(site: &Site, at: UrlNo) -> Option<UrlNo> {
    other(site, at).or_else(|| site.hop(at))
}

/// A loop, told of each page in it.
fn loop_through(site: &Site, url: UrlNo) -> Finding {
    let mut way = follow(url, MOST_HOPS, |at| around(site, at));
    let found = Finding::of(Code::CanonicalLoop, url);
    if way.end == WayEnd::Beyond {
        return found
            .says(format!("The canonicals lead back here after more than {MOST_HOPS} others."))
            .through(way.urls);
    }
    way.urls.push(url);
    found.through(way.urls)
}

/// A chain of pages, told of its first alone.
fn chain_from(site: &Site, url: UrlNo) -> Option<Finding> {
    let way = follow(url, MOST_HOPS, |at| other(site, at));
    let is_cut = way.end == WayEnd::Beyond;
    let found = (way.urls.len() > 1).then(|| Finding::of(Code::CanonicalChain, url).through(way.urls))?;
    Some(if is_cut { found.says(format!("The canonicals lead through more than {MOST_HOPS} pages.")) } else { found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    use Code::{CanonicalChain, CanonicalLoop, CanonicalOther};

    #[test]
    fn a_canonical_to_another_page_is_told_and_one_to_itself_is_not() {
        let site = made().canonical("/variant", "/page").canonical("/page", "/page").site();
        let told = site.told(find);
        assert_eq!(told.of(CanonicalOther), ["/variant"]);
        assert_eq!((told.target(CanonicalOther), told.of(CanonicalChain)), ("/page".to_owned(), vec![]));
    }

    #[test]
    fn what_is_wrong_with_the_canonical_is_told_by_kind() {
        let site = made()
            .robots("User-agent: *\nDisallow: /private/")
            .canonical("/to-404", "/gone")
            .canonical("/to-500", "/oops")
            .status("/oops", 500)
            .canonical("/to-silent", "/silent")
            .silent("/silent", mapwright_fetch::FailureKind::TimedOut)
            .canonical("/to-moved", "/moved")
            .redirect("/moved", "/")
            .canonical("/to-veiled", "/veiled")
            .noindex("/veiled", &[])
            .canonical("/to-blocked", "/private/x")
            .canonical("/to-busy", "/busy")
            .throttled("/busy", 429)
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::CanonicalToError), ["/to-404", "/to-500", "/to-silent"]);
        assert_eq!(told.of(Code::CanonicalToRedirect), ["/to-moved"]);
        assert_eq!(told.of(Code::CanonicalToNoindex), ["/to-veiled"]);
        assert_eq!(told.of(Code::CanonicalToBlocked), ["/to-blocked"]);
        let message = told.message(Code::CanonicalToBlocked);
        assert_eq!(message, "The canonical is http://example.com/private/x, which robots.txt disallows.");
    }

    #[test]
    fn a_chain_is_told_of_its_first_page_alone() {
        let site =
            made().canonical("/1", "/2").canonical("/2", "/3").canonical("/3", "/4").canonical("/4", "/4").site();
        let told = site.told(find);
        assert_eq!(told.of(CanonicalChain), ["/1"]);
        assert_eq!(told.chain(CanonicalChain), "/2 /3 /4");
        assert_eq!(told.of(CanonicalLoop), [""; 0]);
    }

    #[test]
    fn two_pages_that_name_the_first_of_a_chain_each_begin_one() {
        let site = made().canonical("/a", "/2").canonical("/b", "/2").canonical("/2", "/3").links("/3", &[]).site();
        assert_eq!(site.told(find).of(CanonicalChain), ["/a", "/b"]);
    }

    #[test]
    fn canonicals_that_name_each_other_are_a_loop_of_each_page_in_it_and_a_chain_of_what_leads_there() {
        let site = made().canonical("/in", "/1").canonical("/1", "/2").canonical("/2", "/1").site();
        let told = site.told(find);
        assert_eq!(told.of(CanonicalLoop), ["/1", "/2"]);
        assert_eq!(told.chain(CanonicalLoop), "/2 /1");
        assert_eq!(told.of(CanonicalChain), ["/in"]);
    }

    #[test]
    fn a_redirect_on_the_way_is_no_page_that_names_another() {
        let site = made().canonical("/a", "/old").redirect("/old", "/b").canonical("/b", "/c").links("/c", &[]).site();
        let told = site.told(find);
        assert_eq!((told.of(CanonicalChain), told.of(Code::CanonicalToRedirect)), (vec![], vec!["/a".to_owned()]));
    }

    #[test]
    fn a_redirect_may_close_the_loop() {
        let back = made().canonical("/a", "/old").redirect("/old", "/a").site();
        let told = back.told(find);
        assert_eq!((told.of(CanonicalLoop), told.chain(CanonicalLoop)), (vec!["/a".to_owned()], "/old /a".to_owned()));
        assert_eq!(told.of(CanonicalChain), [""; 0]);
    }

    #[test]
    fn another_scheme_host_or_port_is_another_origin() {
        let site = made()
            .canonical("/scheme", "https://example.com/scheme")
            .canonical("/host", "http://www.example.com/host")
            .canonical("/port", "http://example.com:8080/port")
            .canonical("/usual-port", "http://example.com:80/other")
            .canonical("/query", "http://example.com?q=http://b/")
            .site();
        assert_eq!(site.told(find).of(Code::CanonicalOtherOrigin), ["/host", "/port", "/scheme"]);
    }

    #[test]
    fn ways_as_long_as_the_site_are_told_as_far_as_they_are_followed() {
        let page = |n: usize| format!("/{n}");
        let circle = made().many(0..20_000, |made, n| made.canonical(&page(n), &page((n + 1) % 20_000))).site();
        let told = circle.told(find);
        assert_eq!((told.of(CanonicalLoop).len(), told.of(CanonicalChain).len()), (20_000, 0));
        assert_eq!(told.chain(CanonicalLoop).split(' ').count(), MOST_HOPS);
        assert_eq!(told.message(CanonicalLoop), "The canonicals lead back here after more than 30 others.");
        let chain = made().many(0..20_000, |made, n| made.canonical(&page(n), &page((n + 1).max(10_000)))).site();
        let told = chain.told(find);
        assert_eq!(told.of(CanonicalChain).len(), 10_000, "each of those that name the first of the long one");
        assert_eq!(told.chain(CanonicalChain).split(' ').count(), MOST_HOPS);
        assert_eq!(told.message(CanonicalChain), "The canonicals lead through more than 30 pages.");
    }
}
