//! All facts of one rich page.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::page::{DocumentHeaders, Limits, Link, Rel, read};
use mapwright_web::{PageUrl, UrlIdentity};

const PAGE: &str = include_str!("pages/rich.html");

fn line(link: &Link) -> String {
    let Link { url, fragment, kind, rel, region, anchor, raw } = link;
    let url = url.as_ref().map_or("no URL", PageUrl::as_str);
    let fragment = fragment.as_deref().map(|text| format!("#{text}")).unwrap_or_default();
    let raw = raw.as_deref().unwrap_or_default();
    let Rel { nofollow, ugc, sponsored } = rel;
    let rel = [(nofollow, " nofollow"), (ugc, " ugc"), (sponsored, " sponsored")];
    let rel: String = rel.into_iter().filter(|(set, _)| **set).map(|(_, name)| name).collect();
    format!("{kind:?} in {region:?}{rel}: {url}{fragment}{raw} {anchor:?}")
}

#[test]
fn a_rich_page() {
    let head = DocumentHeaders {
        content_type: Some("text/html; charset=utf-8"),
        links: vec!["</rich.html>; rel=canonical, <fr.html>; rel=alternate; hreflang=fr", "</x.css>; rel=preload"],
        robots: vec!["noarchive, otherbot: noindex"],
        refresh: None,
        ..DocumentHeaders::default()
    };
    let url = PageUrl::parse("https://example.test/docs/rich.html?utm_source=x", &UrlIdentity::default()).unwrap();
    let facts = read(PAGE.as_bytes(), &head, &url, &Limits::default());
    let links: Vec<String> = facts.links.iter().map(line).collect();
    let json = serde_json::to_string_pretty(&facts).unwrap();
    insta::assert_snapshot!(format!("{}\n\n{json}\n\n{} blocks", links.join("\n"), facts.blocks.len()));
}
