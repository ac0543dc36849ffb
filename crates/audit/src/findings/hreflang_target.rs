//! Alternates that do not link back, do not answer 200, say noindex, or are not canonical.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo};
use std::collections::HashSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, said) in site.pages() {
        let mut told = HashSet::new();
        for target in said.alternates.iter().filter_map(|alternate| alternate.url).filter(|target| *target != url) {
            if let Some((code, message)) = fault(site, url, target).filter(|_| told.insert(target)) {
                found.push(Finding::of(code, url).to(target).says(message));
            }
        }
    }
}

fn fault(site: &Site, url: UrlNo, target: UrlNo) -> Option<(Code, String)> {
    let (node, text) = (site.node(target), site.text(target));
    match node.fate {
        Fate::Page if node.noindex => Some((Code::HreflangNoindex, format!("{text} says noindex."))),
        Fate::Page if node.canonical.is_some_and(|canonical| canonical != target) => {
            Some((Code::HreflangNotCanonical, format!("{text} names another page as its canonical.")))
        }
        Fate::Page => {
            let back = site.said(target)?.alternates.iter().any(|alternate| alternate.url == Some(url));
            (!back).then(|| (Code::HreflangNoReturn, format!("{text} does not link back.")))
        }
        Fate::Status | Fate::Redirect => Some((Code::HreflangNot200, format!("{text} answers {}.", node.status))),
        Fate::NoAnswer(_) | Fate::Broken => Some((Code::HreflangNot200, format!("{text} gives no answer."))),
        _ => None,
    }
}
