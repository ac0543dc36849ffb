//! Sitemap files that break the protocol.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;
use mapwright_sitemap::Rule;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, file) in site.files.iter().filter(|(_, file)| file.answered && !file.is_feed) {
        let has = |rule: Rule| file.faults.iter().find(|(code, ..)| code == rule.code());
        if let Some((_, _, what, _)) = has(Rule::TooMany) {
            found.push(Finding::of(Code::SitemapTooMany, *url).says(format!("{}.", sentence(what))));
        }
        if let Some((_, _, what, _)) = has(Rule::TooLarge) {
            found.push(Finding::of(Code::SitemapTooBig, *url).says(format!("{}.", sentence(what))));
        }
        let others: Vec<String> = file
            .faults
            .iter()
            .filter(|(code, ..)| is_form(code))
            .map(|(_, line, what, count)| match count {
                1 => format!("line {line}: {what}"),
                count => format!("line {line} (and {} more like it): {what}", count - 1),
            })
            .collect();
        if !others.is_empty() {
            found.push(Finding::of(Code::SitemapMalformed, *url).says(format!("{}.", sentence(&others.join("; ")))));
        }
    }
}

/// Whether a rule is about the form of the file: size, place and truth of its entries are findings of their own.
fn is_form(code: &str) -> bool {
    let elsewhere =
        [Rule::TooMany, Rule::TooLarge, Rule::LocHost, Rule::LocDirectory, Rule::LastmodFuture, Rule::LocDuplicate];
    elsewhere.iter().all(|rule| rule.code() != code)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
