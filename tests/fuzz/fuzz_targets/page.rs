//! Pages: for any bytes, the reader terminates, every URL is canonical, and every limit holds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mapwright_web::page::{self, DocumentHeaders, PageFacts};
use mapwright_web::{UrlIdentity, Limits, PageUrl};

/// Content types of servers; the last one is parsed as XHTML.
const TYPES: [Option<&str>; 4] =
    [None, Some("text/html; charset=utf-8"), Some("text/html; charset=shift_jis"), Some("application/xhtml+xml")];

fuzz_target!(|data: &[u8]| {
    let url = PageUrl::parse("https://www.example.com/dir/page?x=1", &UrlIdentity::default()).unwrap();
    let tight = Limits {
        links: 5,
        headings: 2,
        ids: 3,
        blocks: 4,
        annotations: 2,
        text_bytes: 16,
        url_bytes: 64,
        json_ld_bytes: 256,
        ..Limits::default()
    };
    for content_type in TYPES {
        let head = DocumentHeaders { content_type, ..DocumentHeaders::default() };
        for limits in [&Limits::default(), &tight] {
            let facts = page::read(data, &head, &url, limits);
            canonical(&facts);
            within(&facts, limits);
        }
    }
    from_the_header(data, &url, &tight);
});

/// Reads the same bytes as header fields.
fn from_the_header(data: &[u8], url: &PageUrl, tight: &Limits) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let head = DocumentHeaders { content_type: None, links: vec![text], robots: vec![text], refresh: Some(text), ..DocumentHeaders::default() };
    let facts = page::header_facts(&head, url, tight);
    canonical(&facts);
    within(&facts, tight);
}

/// Asserts that every URL of the facts is canonical: parsing its text yields the same URL.
fn canonical(facts: &PageFacts) {
    let links = facts.links.iter().filter_map(|link| link.url.as_ref());
    let others = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_ref());
    let alternates = facts.hreflang.iter().filter_map(|alternate| alternate.url.as_ref());
    let refresh = facts.refresh.iter().filter_map(|refresh| refresh.url.as_ref());
    for url in links.chain(others).chain(alternates).chain(refresh) {
        let again = PageUrl::parse(url.as_str(), &UrlIdentity::default()).unwrap();
        assert_eq!(&again, url);
        assert!(url.as_str().is_ascii() && !url.as_str().contains('#'), "{url}");
        assert!(matches!(url.scheme(), "http" | "https") && !url.host().is_empty(), "{url}");
    }
    for link in &facts.links {
        assert!(link.url.is_some() != link.raw.is_some(), "a link is a URL, or reported as written: {link:?}");
        assert!(link.fragment.as_ref().is_none_or(|fragment| !fragment.is_empty()));
    }
}

fn within(facts: &PageFacts, limits: &Limits) {
    assert!(facts.links.len() <= limits.links, "{} links", facts.links.len());
    assert!(facts.headings.len() <= limits.headings);
    assert!(facts.ids.len() <= limits.ids);
    assert!(facts.blocks.len() <= limits.blocks);
    for count in [facts.canonicals.len(), facts.directives.len(), facts.hreflang.len(), facts.dates.len()] {
        assert!(count <= limits.annotations, "{count} annotations");
    }
    let headings = facts.headings.iter().map(|heading| &heading.text);
    let anchors = facts.links.iter().map(|link| &link.anchor);
    for text in facts.title.iter().chain(&facts.description).chain(headings).chain(anchors) {
        assert!(text.len() <= limits.text_bytes, "{} bytes of text", text.len());
        assert!(!text.starts_with(' ') && !text.contains("  "), "blanks are collapsed: {text:?}");
    }
    for heading in &facts.headings {
        assert!((1..=6).contains(&heading.level));
    }
}
