//! Entries of the published sitemaps, against what the crawl saw of them.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Node, Site, UrlNo};
use mapwright_fetch::FailureKind;
use mapwright_frontier::Unfetched;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, files) in site.listed_in() {
        let node = site.node(url);
        let Some(code) = fault(&node, url) else { continue };
        let finding = Finding::of(code, url).in_sitemaps(&files);
        found.push(match (code, node.target, node.canonical) {
            (Code::SitemapRedirect, Some(target), _) => {
                finding.to(target).says(format!("It is listed, and redirects to {}.", site.text(target)))
            }
            (Code::SitemapCanonicalised, _, Some(canonical)) => {
                finding.to(canonical).says(format!("It is listed, and its canonical is {}.", site.text(canonical)))
            }
            _ if node.status >= 400 => finding.says(format!("It is listed, and answers {}.", node.status)),
            _ => finding,
        });
    }
}

fn fault(node: &Node, url: UrlNo) -> Option<Code> {
    match (node.fate, node.status) {
        (Fate::Status, 401 | 403 | 407) => Some(Code::SitemapAuth),
        (Fate::Status, 429) => None,
        (Fate::Status, 400..=499) => Some(Code::Sitemap4xx),
        (Fate::Status, 500..=599) => Some(Code::Sitemap5xx),
        (Fate::NoAnswer(FailureKind::TimedOut), _) => Some(Code::SitemapTimeout),
        (Fate::Redirect, _) => Some(Code::SitemapRedirect),
        (Fate::Blocked, _) => Some(Code::SitemapBlocked),
        (Fate::Refused(Unfetched::OutOfScope), _) => Some(Code::SitemapOutOfScope),
        (Fate::Page, _) if node.noindex => Some(Code::SitemapNoindex),
        (Fate::Page, _) if node.target.is_some() => Some(Code::SitemapRedirect),
        (Fate::Page, _) if node.canonical.is_some_and(|canonical| canonical != url) => Some(Code::SitemapCanonicalised),
        _ => None,
    }
}
