//! Header fields: `Link` (RFC 8288) and `Refresh` (HTML 4.2.5.3).

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::link_header::{HeaderLink, parse_link_header};
use mapwright_web::page::{DocumentHeaders, FactLocation, Limits, LinkKind, PageFacts, header_facts};
use mapwright_web::refresh::parse_refresh;
use mapwright_web::{PageUrl, UrlIdentity};
use proptest::prelude::*;

fn hrefs(value: &str) -> Vec<(String, String)> {
    parse_link_header(value).map(|link| (link.href, link.rel.join(" "))).collect()
}

fn facts(links: &[&str]) -> PageFacts {
    let url = PageUrl::parse("http://example.test/dir/page", &UrlIdentity::default()).unwrap();
    header_facts(&DocumentHeaders { links: links.to_vec(), ..DocumentHeaders::default() }, &url, &Limits::default())
}

#[test]
fn several_links_in_one_field_with_parameters_in_any_order() {
    let value =
        "</x.css>; rel=preload; as=style, <main.html>; title=\"a, b; c\"; REL=Canonical , <n>;rel=\"next  prev\"";
    let want = [("/x.css", "preload"), ("main.html", "canonical"), ("n", "next prev")];
    assert_eq!(hrefs(value), want.map(|(href, rel)| (href.to_owned(), rel.to_owned())));
}

#[test]
fn all_parameters_are_read() {
    let field = "< /a >;hreflang=de;type=\"text/html\" ; anchor=\"#x\";rel=alternate;rel=no;hreflang=fr;x";
    let links: Vec<_> = parse_link_header(field).collect();
    let want = HeaderLink {
        href: "/a".to_owned(),
        rel: vec!["alternate".to_owned()],
        hreflang: Some("de".to_owned()),
        media_type: Some("text/html".to_owned()),
        anchor: Some("#x".to_owned()),
        qualified: true,
    };
    assert_eq!(links, [want]);
}

#[test]
fn quoted_strings_hide_commas_and_escapes() {
    assert_eq!(hrefs(r#"<a>; title="x\", <no>; rel=no"; rel=next, <b>; rel=prev"#).len(), 2);
    assert_eq!(hrefs("<a,b;c>; rel=next"), [("a,b;c".to_owned(), "next".to_owned())]);
}

#[test]
fn malformed_fields_give_what_can_be_read() {
    assert_eq!(hrefs(""), []);
    assert_eq!(hrefs(",, ,"), []);
    assert_eq!(hrefs("<unclosed; rel=next"), []);
    assert_eq!(hrefs("rubbish; x=\",\", <a>; rel=next"), [("a".to_owned(), "next".to_owned())]);
    assert_eq!(hrefs("<a> rubbish, <b>;rel=next").len(), 2);
    assert_eq!(hrefs("<a>; rel=\"next").len(), 1);
    assert_eq!(hrefs("<a>; rel = next")[0].1, "next");
}

#[test]
fn header_links_are_facts_of_the_page() {
    let facts = facts(&[
        "<c>; rel=canonical",
        "<2>; rel=next",
        "</feed>; rel=alternate; type=application/rss+xml",
        "<s>; rel=preload",
    ]);
    let kinds: Vec<_> = facts.links.iter().map(|link| (link.kind, link.url.as_ref().unwrap().path())).collect();
    assert_eq!(kinds, [(LinkKind::Canonical, "/dir/c"), (LinkKind::Sequence, "/dir/2"), (LinkKind::Feed, "/feed")]);
    assert_eq!(facts.canonicals[0].place, FactLocation::Header);
}

#[test]
fn a_link_of_another_context_is_none_of_the_page() {
    assert!(facts(&["<c>; rel=canonical; anchor=\"/other\""]).canonicals.is_empty());
    assert_eq!(facts(&["<c>; rel=canonical; anchor=\"#part\""]).canonicals.len(), 1, "a fragment is the page");
    assert_eq!(facts(&["<c>; rel=canonical; anchor=\"http://example.test/dir/page\""]).canonicals.len(), 1);
}

#[test]
fn a_refresh_is_read_by_the_shared_steps() {
    let target = |value: &str| parse_refresh(value).map(|(seconds, url)| (seconds, url.unwrap_or_default()));
    for (value, seconds, url) in [
        ("0", 0, ""),
        ("60", 60, ""),
        (" 5 ", 5, ""),
        ("5.9", 5, ""),
        (".5", 0, ""),
        ("5..7;x", 5, "x"),
        ("0; url=p.html", 0, "p.html"),
        ("0;URL = 'p.html'x", 0, "p.html"),
        ("0,url=\"a'b\"", 0, "a'b"),
        ("0 p.html", 0, "p.html"),
        ("1;p.html", 1, "p.html"),
        ("1; 'quoted'", 1, "quoted"),
        ("1; url", 1, "url"),
        ("1; urlx=y", 1, "urlx=y"),
        ("1; url=  ", 1, ""),
        ("1;", 1, ""),
        ("1; url='unclosed", 1, "unclosed"),
        ("99999999999999999999999", u64::MAX, ""),
    ] {
        assert_eq!(target(value), Some((seconds, url.to_owned())), "{value}");
    }
    for value in ["", "x", "; url=p", "-1", "5x; url=p", "url=p"] {
        assert_eq!(parse_refresh(value), None, "{value}");
    }
}

proptest! {
    #[test]
    fn any_field_is_survived(value in "[<>;,=\"\\\\ a-c]{0,64}|.{0,64}") {
        let _ = (parse_refresh(&value), parse_link_header(&value).count());
    }

    #[test]
    fn a_well_formed_field_reads_back(
        links in proptest::collection::vec(("[a-z/.,;]{1,12}", "[a-z]{1,8}", "[a-z ,;<>]{0,8}"), 1..6),
    ) {
        let field: Vec<_> = links.iter().map(|(href, rel, title)| format!("<{href}>; title=\"{title}\"; rel={rel}")).collect();
        let read: Vec<_> = parse_link_header(&field.join(", ")).map(|link| (link.href, link.rel.join(" "))).collect();
        let want: Vec<_> = links.into_iter().map(|(href, rel, _)| (href, rel)).collect();
        prop_assert_eq!(read, want);
    }
}

#[test]
fn megabytes_of_field_are_bounded() {
    let limit = Limits::default().links;
    let read = facts(&[&"<a>;rel=next,".repeat(limit + 1)]);
    assert_eq!((read.links.len(), read.cut, read.links_cut), (limit, true, true));
    assert_eq!(parse_link_header(&"<".repeat(4_000_000)).count(), 0);
    assert_eq!(parse_link_header(&"x\"".repeat(2_000_000)).count(), 0);
    assert_eq!(parse_link_header(&format!("<a>{}", ";x".repeat(2_000_000))).count(), 1);
}

#[test]
fn links_that_nothing_is_done_with_leave_room_for_others() {
    let preloads = "</style.css>; rel=preload, ".repeat(3_000);
    let read = facts(&[&format!("{preloads}<next>; rel=next")]);
    assert_eq!((read.links.len(), read.cut), (1, false));
}

#[test]
fn a_canonical_for_a_language_medium_or_type_is_a_link_and_no_canonical() {
    for parameter in ["hreflang=de", "LANG=de", "media=print", "type=\"text/html\""] {
        let read = facts(&[&format!("<a>; rel=canonical; {parameter}")]);
        let kinds: Vec<_> = read.links.iter().map(|link| link.kind).collect();
        assert_eq!((read.canonicals.len(), kinds), (0, vec![LinkKind::Canonical]), "{parameter}");
    }
    assert_eq!(facts(&["<a>; rel=canonical; title=x"]).canonicals.len(), 1);
}
