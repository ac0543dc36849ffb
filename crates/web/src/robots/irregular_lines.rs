//! Lines of a robots.txt that violate the standards, even if readers guess their meaning.

use super::lines::Lines;
use super::parser::{FOREIGN, SITEMAP};
use super::{LineFlaw, MAX_FAULTS, Robots, RobotsFault};
use crate::{PageUrl, UrlIdentity};

/// The keys of RFC 9309 section 2.2, and others that many readers support.
const KEYS: [&str; 5] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay"];

/// Lines of a file that are no records by the grammar (RFC 9309 section 2.2): those without meaning
/// ([`Robots::faults`]), and those that readers accept as rules despite a misspelt key or a missing colon; then
/// sitemaps that are not absolute URLs, and lines that are not in UTF-8. In order, at most [`MAX_FAULTS`], one for each
/// line.
///
/// In a file that was decoded before, the replacement character marks text that was not UTF-8.
#[must_use]
pub fn irregular_lines(bytes: &[u8]) -> Vec<RobotsFault> {
    let lines = Lines::of(bytes);
    let fault = |line: u32| Some(RobotsFault { line, text: lines.text(line), flaw: flaw(&lines, line)? });
    let mut faults: Vec<RobotsFault> = (1..=lines.count()).filter_map(fault).take(MAX_FAULTS).collect();
    faults.extend(Robots::compile(bytes).faults().iter().cloned());
    faults.sort_by_key(|fault| fault.line);
    faults.dedup_by_key(|fault| fault.line);
    faults.truncate(MAX_FAULTS);
    faults
}

fn flaw(lines: &Lines<'_>, line: u32) -> Option<LineFlaw> {
    if !lines.is_blank(line) && !is_record(lines, line) {
        Some(LineFlaw::NoRule)
    } else if !lines.is_utf8(line) {
        Some(LineFlaw::NoUtf8)
    } else if SITEMAP.contains(&lines.key(line).as_str()) && !is_absolute_url(&lines.value(line)) {
        Some(LineFlaw::SitemapUrl)
    } else {
        None
    }
}

fn is_record(lines: &Lines<'_>, line: u32) -> bool {
    let key = lines.key(line);
    lines.has_colon(line) && (KEYS.contains(&key.as_str()) || FOREIGN.contains(&key.as_str()))
}

/// Returns true if a sitemap can be requested by this text alone. A text that the URL standard repairs, such as one
/// without `//`, is no absolute URL.
fn is_absolute_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https")) && PageUrl::parse(text, &UrlIdentity::keep_all()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_and_missing_colons_are_irregular_though_readers_guess_them() {
        let text = b"User-agent *\nDisalow: /x/\nUSER-AGENT : *\nDisallow /y/\nallow:/z # fine\nHost: a\n\n# note\nx\n";
        let found: Vec<u32> = irregular_lines(text).iter().map(|fault| fault.line).collect();
        assert_eq!(found, [1, 2, 4, 9]);
    }

    #[test]
    fn sitemaps_are_named_by_absolute_urls() {
        for value in
            ["/sm.xml", "not a url", "//e.com/sm.xml", "e.com/sm.xml", "http:/sm.xml", "https://", "ftp://e.com/a"]
        {
            let found = irregular_lines(format!("Sitemap: {value}\n").as_bytes());
            assert_eq!(found.first().map(|fault| fault.flaw), Some(LineFlaw::SitemapUrl), "{value}");
        }
        for value in ["https://e.com/sm.xml", "HTTP://e.com:8080/a?b#c", "https://b\u{fc}cher.example/\u{e9}.xml"] {
            assert_eq!(irregular_lines(format!("Sitemap: {value}\n").as_bytes()), [], "{value}");
        }
    }

    #[test]
    fn a_line_in_another_encoding_is_reported_and_its_rule_applies() {
        for text in [&b"User-agent: *\nDisallow: /caf\xE9\n# r\xE9sum\xE9\n"[..], "\n/\u{FFFD}\n#\u{FFFD}".as_bytes()] {
            let found: Vec<u32> = irregular_lines(text).iter().map(|fault| fault.line).collect();
            assert_eq!(found, [2, 3]);
        }
        let words = irregular_lines(b"User-agent: *\nDisallow: /caf\xE9");
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["line 2 is not in UTF-8: Disallow: /caf\u{FFFD}"]);
        assert_eq!(irregular_lines("User-agent: *\nDisallow: /caf\u{e9}\n".as_bytes()), []);
    }
}
