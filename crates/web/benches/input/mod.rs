//! The fixed input of the benchmarks and the counted programs, so that figures compare.

#![allow(dead_code, reason = "each program takes what it needs")]
#![allow(clippy::expect_used, reason = "input that is fixed")]

use mapwright_web::{DocumentHeaders, PageUrl, UrlIdentity};
use std::fmt::Write as _;

/// A page of the benchmark's generated site: 24.5 KB, 55 links.
pub(crate) const SITE: &str = include_str!("../samples/site.html");

/// Pages of a real documentation.
pub(crate) const DOCS: [&str; 3] = [
    include_str!("../samples/functions-string.html"),
    include_str!("../samples/sql-createtable.html"),
    include_str!("../samples/tutorial-join.html"),
];

/// A text that is not UTF-8, and its `Content-Type`; `undeclared` is the Japanese one without.
pub(crate) fn legacy(name: &str) -> (Vec<u8>, Option<String>) {
    let (words, label) = match name {
        "windows-1252" => ("<p>Größe und Façade — naïve Übung", name),
        "utf-16le" => ("<p>Größe 日本語", name),
        _ => ("<p>日本語の文字コード", "shift_jis"),
    };
    let text = words.repeat(1_000);
    let bytes = match label {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        label => {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
            encoding.encode(&text).0.into_owned()
        }
    };
    (bytes, (name == label).then(|| format!("text/html; charset={label}")))
}

/// The header that pages are served with.
pub(crate) fn head() -> DocumentHeaders<'static> {
    DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() }
}

/// The URL of the pages.
pub(crate) fn page() -> PageUrl {
    url("http://127.0.0.1:8080/agree/labour-bright-farther-0004321.html")
}

pub(crate) fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).expect("a fixed URL")
}

/// References as pages write them.
pub(crate) const REFERENCES: [&str; 10] = [
    "/arrive/action-example-divide-0031657.html",
    "tutorial-select.html",
    "../images/logo.png",
    "./next.html#part-2",
    "#top",
    "?page=2&sort=name",
    "http://127.0.0.1:8080/about/",
    "https://www.example.org/elsewhere?x=1",
    "/caf%c3%a9/men\u{fc}.html",
    "list.html?utm_source=feed&id=7",
];

/// A robots.txt of the maximum length, with rules with and without wildcards.
pub(crate) fn robots() -> String {
    let mut text = String::from("User-agent: *\n");
    let mut number = 0_u32;
    while text.len() < 500 * 1024 - 200 {
        number += 1;
        let _ = writeln!(text, "Disallow: /section-{}/item-{number}/private", number % 97);
        let _ = writeln!(text, "Allow: /section-{}/*/print?id={number}$", number % 89);
    }
    text
}

/// URLs to be checked against a robots.txt.
pub(crate) fn requested() -> Vec<PageUrl> {
    (0..100)
        .map(|number| url(&format!("http://example.test/section-{number}/item-{}/print?id={number}", number * 7)))
        .collect()
}
