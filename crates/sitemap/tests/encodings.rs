//! In which encoding a document is read, and what is said of one that is not UTF-8.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{Fault, ReadLimits, Reader, Rule, Subject, check};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn urlset(loc: &str) -> String {
    format!("<urlset xmlns='{NS}'><url><loc>{loc}</loc></url></urlset>")
}

fn served_as(charset: &str) -> Subject {
    Subject { charset: Some(charset.to_owned()), ..Subject::default() }
}

fn faults(text: &[u8], about: &Subject) -> Vec<Fault> {
    check(text, about, Timestamp::UNIX_EPOCH).faults
}

#[test]
fn another_encoding_is_called_as_the_document_calls_it() {
    for label in ["ISO-8859-1", "US-ASCII"] {
        let text = format!("<?xml version='1.0' encoding='{label}'?>{}", urlset("https://e.com/a"));
        let found = faults(text.as_bytes(), &Subject::default());
        assert!(found[0].rule == Rule::Encoding && found[0].what.contains(label), "{}", found[0]);
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
    let rules = |text: &[u8]| -> Vec<Rule> {
        faults(text, &served_as("iso-8859-1")).into_iter().map(|fault| fault.rule).collect()
    };
    assert_eq!(rules(&latin), [Rule::Encoding, Rule::LocEscape]);
    assert_eq!(rules(urlset("https://e.com/a").as_bytes()), [], "which is the same in UTF-8");
}

#[test]
fn what_a_document_declares_counts_though_the_server_says_it_too() {
    let rules = |declared: &str| -> Vec<Rule> {
        let text = format!("<?xml version='1.0' encoding='{declared}'?>{}", urlset("https://e.com/a"));
        faults(text.as_bytes(), &served_as("iso-8859-1")).into_iter().map(|fault| fault.rule).collect()
    };
    for declared in ["ISO-8859-1", "Shift_JIS"] {
        assert_eq!(rules(declared), [Rule::Encoding], "{declared}");
    }
    assert_eq!(rules("utf-8"), []);
}
