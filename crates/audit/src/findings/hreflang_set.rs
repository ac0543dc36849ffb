//! Sets of alternates: unknown codes, several for one code, without the page itself, without x-default.

use super::languages::is_code;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Said, Site, UrlNo};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, said) in site.pages().filter(|(_, _, said)| !said.alternates.is_empty()) {
        for alternate in said.alternates.iter().filter(|alternate| !is_code(&alternate.code)) {
            let message = format!("`{}` is no language, no language and region, and not x-default.", alternate.code);
            found.push(Finding::of(Code::HreflangUnknownCode, url).says(message));
        }
        if let Some(code) = several(said) {
            let message = format!("Several URLs are given for `{code}`.");
            found.push(Finding::of(Code::HreflangSeveral, url).says(message));
        }
        if !said.alternates.iter().any(|alternate| alternate.url == Some(url)) {
            found.push(Finding::of(Code::HreflangNoSelf, url));
        }
        if !said.alternates.iter().any(|alternate| alternate.code.eq_ignore_ascii_case("x-default")) {
            found.push(Finding::of(Code::HreflangNoDefault, url));
        }
    }
}

/// A code for which URLs that differ are given.
fn several(said: &Said) -> Option<String> {
    let mut urls: BTreeMap<String, Option<UrlNo>> = BTreeMap::new();
    said.alternates.iter().find_map(|alternate| {
        let code = alternate.code.to_ascii_lowercase();
        let before = urls.insert(code.clone(), alternate.url)?;
        (before != alternate.url).then_some(code)
    })
}
