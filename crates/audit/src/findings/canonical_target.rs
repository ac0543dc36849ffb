//! What canonicals name: another page, an error, a redirect, a noindex or blocked page, a chain, a loop, another site.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo};
use std::collections::HashSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    // Pages that another page's canonical names, and that name yet another.
    let chained: HashSet<UrlNo> =
        site.pages().filter_map(|(url, ..)| other(site, url)).filter(|target| other(site, *target).is_some()).collect();
    for (url, ..) in site.pages() {
        let Some(target) = other(site, url) else { continue };
        let text = site.text(target);
        found.push(Finding::of(Code::CanonicalOther, url).to(target).says(format!("The canonical is {text}.")));
        if let Some(code) = target_fault(site, target) {
            found.push(Finding::of(code, url).to(target).says(message(site, target)));
        }
        if origin(site.text(url)) != origin(text) {
            let message = format!("The canonical is {text}, on another origin.");
            found.push(Finding::of(Code::CanonicalOtherOrigin, url).to(target).says(message));
        }
        found.extend(way_fault(site, url, &chained));
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

/// A chain, told of its first page alone; or a loop, told of each page in it.
fn way_fault(site: &Site, url: UrlNo, chained: &HashSet<UrlNo>) -> Option<Finding> {
    let mut way = vec![url];
    while let Some(next) = way.last().and_then(|at| other(site, *at)) {
        if next == url {
            way.push(next);
            return Some(Finding::of(Code::CanonicalLoop, url).through(way.split_off(1)));
        }
        if way.contains(&next) {
            break;
        }
        way.push(next);
    }
    let chain = way.split_off(1);
    let is_first = !chained.contains(&url);
    (chain.len() > 1 && is_first).then(|| Finding::of(Code::CanonicalChain, url).through(chain))
}

/// Scheme, host and port.
fn origin(url: &str) -> &str {
    let rest = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(rest..).and_then(|rest| rest.find(['/', '?'])).map_or(url.len(), |at| rest + at);
    url.get(..end).unwrap_or(url)
}
