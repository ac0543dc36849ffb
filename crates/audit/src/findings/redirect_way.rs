//! Where redirects lead: through several hops, in a circle, to an error, to what is blocked or out of scope.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo, Way, WayEnd};
use mapwright_frontier::Unfetched;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let Way { urls: way, end } = site.way(url);
        let Some(last) = way.last().copied() else {
            found.push(Finding::of(Code::RedirectLoop, url).through(vec![url]).says("It redirects to itself."));
            continue;
        };
        if let WayEnd::Circle(to) = end {
            let looped = Finding::of(Code::RedirectLoop, url).through(way);
            found.push(if to == url { looped } else { looped.says("It leads into a loop of redirects.") });
            continue;
        }
        if way.len() > 1 {
            let chain = Finding::of(Code::RedirectChain, url).through(way.clone());
            let hops = way.len();
            found.push(if end == WayEnd::Beyond {
                chain.says(format!("It takes {hops} hops, and they come to no end."))
            } else if site.is_cut_at(last) {
                let limit = site.max_redirects;
                chain.says(format!(
                    "It takes {hops} hops or more: it was not followed to its end (--max-redirects {limit})."
                ))
            } else {
                chain.to(last).says(format!("It takes {hops} hops to {}.", site.text(last)))
            });
        }
        found.extend(fault(site, url, last).map(|finding| finding.to(last).through(way)));
    }
}

/// What is wrong with the end of the way.
fn fault(site: &Site, url: UrlNo, last: UrlNo) -> Option<Finding> {
    let node = site.node(last);
    let text = site.text(last);
    match node.fate {
        _ if node.fails() && node.status > 0 => {
            let message = format!("It leads to {text}, which answers {}.", node.status);
            Some(Finding::of(Code::RedirectToError, url).says(message))
        }
        _ if node.fails() => {
            Some(Finding::of(Code::RedirectToError, url).says(format!("It leads to {text}, which gives no answer.")))
        }
        Fate::Blocked => Some(Finding::of(Code::RedirectToBlocked, url)),
        Fate::Refused(Unfetched::OutOfScope) => Some(Finding::of(Code::RedirectOutOfScope, url)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    use Code::{RedirectChain, RedirectLoop, RedirectToError};

    #[test]
    fn more_than_one_hop_is_a_chain() {
        let site = made().redirect("/1", "/2").redirect("/2", "/3").redirect("/3", "/end").links("/end", &[]).site();
        let told = site.told(find);
        assert_eq!(told.of(RedirectChain), ["/1", "/2"], "/3 takes one hop");
        assert_eq!((told.chain(RedirectChain), told.target(RedirectChain)), ("/2 /3 /end".into(), "/end".into()));
        assert_eq!(told.message(RedirectChain), "It takes 3 hops to http://example.com/end.");
    }

    #[test]
    fn redirects_that_lead_back_to_themselves_are_a_loop() {
        let site =
            made().redirect("/a", "/b").redirect("/b", "/c").redirect("/c", "/a").redirect("/self", "/self").site();
        let told = site.told(find);
        assert_eq!(told.of(RedirectLoop), ["/a", "/b", "/c", "/self"]);
        assert_eq!(told.chain(RedirectLoop), "/b /c");
        assert_eq!(told.of(RedirectChain), [""; 0]);
    }

    #[test]
    fn a_redirect_into_a_loop_is_told_as_one_since_pages_may_link_to_it_alone() {
        let site = made().redirect("/in", "/a").redirect("/a", "/b").redirect("/b", "/a").site();
        let told = site.told(find);
        assert_eq!(
            (told.of(RedirectLoop), told.of(RedirectChain)),
            (vec!["/a".into(), "/b".into(), "/in".into()], vec![])
        );
        let into_itself = made().redirect("/in", "/self").redirect("/self", "/self").site();
        let told = into_itself.told(find);
        assert_eq!(told.of(RedirectLoop), ["/in", "/self"]);
        assert_eq!(
            (told.message(RedirectLoop), told.chain(RedirectLoop)),
            ("It leads into a loop of redirects.".into(), "/self".into())
        );
        assert_eq!(told.target(RedirectLoop), "");
    }

    #[test]
    fn a_way_longer_than_is_followed_comes_to_no_end_either() {
        let site = made().many(0..60, |made, n| made.redirect(&format!("/{n}"), &format!("/{}", n + 1))).site();
        let told = site.told(find);
        assert_eq!(told.target(RedirectChain), "");
        assert!(told.of(RedirectToError).contains(&"/59".to_owned()), "/60 answers 404");
    }

    #[test]
    fn a_chain_that_the_crawl_cut_has_no_final_target() {
        let made = made().redirect("/1", "/2").redirect("/2", "/3").refused("/3", Unfetched::Redirects, "/2");
        let site = Site { max_redirects: 1, ..made.site() };
        let told = site.told(find);
        assert_eq!((told.of(RedirectChain), told.target(RedirectChain)), (vec!["/1".into()], String::new()));
        let message = "It takes 2 hops or more: it was not followed to its end (--max-redirects 1).";
        assert_eq!(told.message(RedirectChain), message);
    }

    #[test]
    fn what_is_wrong_with_the_end_is_told_by_kind() {
        let site = made()
            .robots("User-agent: *\nDisallow: /private/")
            .redirect("/to-404", "/gone")
            .redirect("/to-500", "/oops")
            .status("/oops", 500)
            .redirect("/to-silence", "/silent")
            .silent("/silent", mapwright_fetch::FailureKind::Reset)
            .redirect("/to-blocked", "/private/x")
            .redirect("/away", "http://other.example/")
            .redirect("/to-file", "/file")
            .file("/file")
            .redirect("/to-busy", "/busy")
            .throttled("/busy", 503)
            .site();
        let told = site.told(find);
        assert_eq!(told.of(RedirectToError), ["/to-404", "/to-500", "/to-silence"]);
        assert_eq!(told.of(Code::RedirectToBlocked), ["/to-blocked"]);
        assert_eq!(told.of(Code::RedirectOutOfScope), ["/away"]);
        assert_eq!(told.target(Code::RedirectOutOfScope), "http://other.example/");
        assert_eq!(told.message(RedirectToError), "It leads to http://example.com/gone, which answers 404.");
    }

    #[test]
    fn an_error_at_the_end_of_a_chain_is_told_of_each_redirect() {
        let site = made().redirect("/1", "/2").redirect("/2", "/gone").site();
        let told = site.told(find);
        assert_eq!(
            (told.of(RedirectToError), told.of(RedirectChain)),
            (vec!["/1".into(), "/2".into()], vec!["/1".into()])
        );
    }
}
