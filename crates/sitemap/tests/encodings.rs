//! The detection of a document's encoding, and the findings about one that is not UTF-8.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{CheckRule, DocumentContext, Fault, ReadLimits, Reader, check};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn urlset(loc: &str) -> String {
    format!("<urlset xmlns='{NS}'><url><loc>{loc}</loc></url></urlset>")
}

fn served_as(charset: &str) -> DocumentContext {
    DocumentContext { charset: Some(charset.to_owned()), ..DocumentContext::default() }
}

fn faults(text: &[u8], about: &DocumentContext) -> Vec<Fault> {
    check(text, about, Timestamp::UNIX_EPOCH).faults
}

#[test]
fn another_encoding_is_called_as_the_document_calls_it() {
    for label in ["ISO-8859-1", "US-ASCII"] {
        let text = format!("<?xml version='1.0' encoding='{label}'?>{}", urlset("https://e.com/a"));
        let found = faults(text.as_bytes(), &DocumentContext::default());
        assert!(found[0].rule == CheckRule::Encoding && found[0].what.contains(label), "{}", found[0]);
    }
}

#[test]
fn what_xml_is_served_as_decides_its_encoding() {
    let text = urlset("https://e.com/\u{e9}");
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    let locs = |charset: &str| -> Vec<String> {
        let reader = Reader::of(latin.as_slice(), &ReadLimits::default(), &served_as(charset));
        reader.map(|item| item.loc().to_owned()).collect()
    };
    assert_eq!(locs("iso-8859-1"), ["https://e.com/\u{e9}"]);
    assert_ne!(locs("utf-8"), ["https://e.com/\u{e9}"]);
    let rules = |text: &[u8]| -> Vec<CheckRule> {
        faults(text, &served_as("iso-8859-1")).into_iter().map(|fault| fault.rule).collect()
    };
    assert_eq!(rules(&latin), [CheckRule::Encoding, CheckRule::LocEscape]);
    assert_eq!(rules(urlset("https://e.com/a").as_bytes()), [], "which is the same in UTF-8");
}

#[test]
fn what_a_document_declares_counts_though_the_server_says_it_too() {
    let rules = |declared: &str| -> Vec<CheckRule> {
        let text = format!("<?xml version='1.0' encoding='{declared}'?>{}", urlset("https://e.com/a"));
        faults(text.as_bytes(), &served_as("iso-8859-1")).into_iter().map(|fault| fault.rule).collect()
    };
    for declared in ["ISO-8859-1", "Shift_JIS"] {
        assert_eq!(rules(declared), [CheckRule::Encoding], "{declared}");
    }
    assert_eq!(rules("utf-8"), []);
}

/// XML 1.0, 4.3.3: a fatal error.
#[test]
fn a_declaration_that_the_bytes_belie_is_a_fault_and_the_entries_are_read() {
    let declaring = |label: &str| format!("<?xml version='1.0' encoding='{label}'?>{}", urlset("https://e.com/a"));
    let of_feed = |label: &str| declaring(label).replace("urlset", "feed").replace(NS, "http://www.w3.org/2005/Atom");
    let marked = |label: &str| format!("\u{FEFF}{}", declaring(label));
    let wide: Vec<u8> = format!("\u{FEFF}{}", of_feed("UTF-8")).encode_utf16().flat_map(u16::to_be_bytes).collect();
    let belied = ["UTF-16", "UTF-16LE", "utf-16be", "ISO-10646-UCS-2"].map(|label| declaring(label).into_bytes());
    let belied_by_mark = ["ISO-8859-1", "UTF-16", "us-ascii", "klingon"].map(|label| marked(label).into_bytes());
    for text in belied.into_iter().chain(belied_by_mark).chain([of_feed("UTF-16").into_bytes(), wide]) {
        let found = faults(&text, &DocumentContext::default());
        assert_eq!(found.iter().map(|fault| (fault.line, fault.rule)).collect::<Vec<_>>(), [(1, CheckRule::Encoding)]);
        assert!(found[0].what.starts_with("the declared encoding"), "{}", found[0]);
    }
    for good in ["UTF-8", "utf-8", "UTF8"] {
        assert_eq!(faults(marked(good).as_bytes(), &DocumentContext::default()), [], "{good}");
    }
    let text = declaring("UTF-16");
    assert_eq!(Reader::new(text.as_bytes(), &ReadLimits::default()).count(), 1);
}
