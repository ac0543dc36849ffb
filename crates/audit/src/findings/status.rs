//! Errors, refusals and odd answers. A second try confirmed the errors; throttling is none.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes() {
        let code = match (node.fate, node.status) {
            (Fate::Broken, _) => Code::BrokenAnswer,
            (Fate::Status, 401 | 403 | 407) => Code::Auth,
            (Fate::Status, 429) => continue,
            (Fate::Status, 400..=499) => Code::Http4xx,
            (Fate::Status, 500..=599) => Code::Http5xx,
            (Fate::Status, _) => Code::OddAnswer,
            _ => continue,
        };
        let message = match (node.fate, site.details.get(&url)) {
            (Fate::Broken, Some(detail)) => format!("The answer cannot be read: {detail}."),
            (Fate::Broken, None) => "The answer broke off.".to_owned(),
            _ => format!("The URL answers {}.", node.status),
        };
        found.push(Finding::of(code, url).says(message));
    }
}
