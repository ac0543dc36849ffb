//! Where redirects lead: through several hops, in a circle, to an error, to what is blocked or out of scope.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo};
use mapwright_frontier::Unfetched;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let way = site.way(url);
        let Some(last) = way.last().copied() else {
            found.push(Finding::of(Code::RedirectLoop, url).through(vec![url]).says("It redirects to itself."));
            continue;
        };
        if site.hop(last) == Some(url) {
            found.push(Finding::of(Code::RedirectLoop, url).through(way));
            continue;
        }
        if way.len() > 1 {
            let message = format!("It takes {} hops to {}.", way.len(), site.text(last));
            found.push(Finding::of(Code::RedirectChain, url).to(last).through(way.clone()).says(message));
        }
        found.extend(end(site, url, last).map(|finding| finding.to(last).through(way)));
    }
}

/// What is wrong with the end of the way.
fn end(site: &Site, url: UrlNo, last: UrlNo) -> Option<Finding> {
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
