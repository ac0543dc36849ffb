//! The generated pages: a navigation that all share, own links, some text.

use super::parse;
use mapwright_web::PageUrl;
use std::fmt::Write as _;

/// The number of links that all pages share, and of own links to other pages, of which two are to new pages.
const NAVIGATION: usize = 20;
const OWN: usize = 35;

/// The number of paragraphs, and of words in each: few, since generating and parsing the text is not measured.
const PARAGRAPHS: usize = 40;
const WORDS: usize = 8;

/// The page of this number.
pub(super) fn url(number: usize) -> PageUrl {
    parse(&format!("http://example.test{}", path(number)))
}

fn path(number: usize) -> String {
    format!("/section-{}/page-{number}.html", number % 97)
}

fn number(url: &PageUrl) -> usize {
    let digits = url.path().rsplit(['-', '.']).nth(1);
    digits.and_then(|digits| digits.parse().ok()).unwrap_or_default()
}

pub(super) fn html(page: &PageUrl) -> String {
    let number = number(page);
    let mut text = format!(
        "<!doctype html><html lang=en><head><title>Page {number}</title>\
         <meta name=description content=\"What there is to say of {number}\"></head><body><nav>"
    );
    for at in 0..NAVIGATION {
        let _ = write!(text, "<a href=\"{}\">Part {at}</a> ", path(at));
    }
    let _ = write!(text, "</nav><main><h1 id=top>Page {number}</h1>");
    for at in 0..PARAGRAPHS {
        let _ = write!(text, "<h2 id=part-{at}>Part {at} of {number}</h2><p>");
        for word in 0..WORDS {
            let _ = write!(text, "word-{} ", (number + at * word) % 1_009);
        }
        if at < OWN {
            let _ = write!(text, "<a href=\"{}\">read {at}</a>", path(linked(number, at)));
        }
        text.push_str("</p>");
    }
    text.push_str("</main></body></html>");
    text
}

/// The target of a page's link. The first two targets are new pages, the others are near the page itself.
fn linked(number: usize, at: usize) -> usize {
    match at {
        0 | 1 => 2 * number + at + 1,
        _ => number.saturating_sub(at * at),
    }
}
