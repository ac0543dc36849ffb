//! The line of a finding.

use jiff::Timestamp;
use mapwright_sitemap::{CheckRule, DocumentContext, check};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn urlset(body: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NS}\">\n{body}\n</urlset>\n")
}

fn faults(text: String) -> Vec<(u64, CheckRule)> {
    let report = check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH);
    report.faults.iter().map(|fault| (fault.line, fault.rule)).collect()
}

/// XML 1.0, 2.11: a CR ends a line, and the LF after it does not end another.
#[test]
fn lines_end_with_lf_with_cr_and_lf_and_with_cr_alone() {
    let entries = "<url><loc>https://e.com/a</loc></url>\n<url>\n<loc>/b</loc></url>\n<url><loc>https://e.com/\nc</loc></url>\n\n\
                   text\n<!-- \n -->\n<x/><url><loc>https://e.com/\u{1}</loc>\n</url>";
    let of = |end: &str| faults(urlset(entries).replace('\n', end));
    let expected = [
        (5, CheckRule::LocRelative),
        (6, CheckRule::LocEscape),
        (9, CheckRule::StrayText),
        (12, CheckRule::UnknownElement),
        (12, CheckRule::ForbiddenCharacter),
        (12, CheckRule::LocEscape),
    ];
    let sorted = |mut found: Vec<(u64, CheckRule)>| {
        found.sort_unstable();
        found
    };
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(sorted(of(end)), sorted(expected.to_vec()), "{end:?}");
    }
    // A line end split between two chunks counts once, wherever it is split.
    let lines = |text: String| faults(text).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
    let blanks = "\r\n".repeat(100_000);
    for pad in ["", " "] {
        let text = urlset(&format!("{pad}<url><loc>/a</loc></url>{blanks}<x/>\u{1}"));
        assert_eq!(lines(text), [3, 100_003, 100_003, 100_003]);
        assert_eq!(lines(urlset(&format!("{pad}{blanks}<url><loc>/a</loc></url>"))), [100_003]);
    }
}
