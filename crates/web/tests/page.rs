//! The facts of a page other than its links.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::page::{
    DateFrom, DocumentHeaders, EncodingFrom, FactLocation, Limits, LinkKind, PageFacts, Region, header_facts, read,
};
use mapwright_web::{PageUrl, UrlIdentity};

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

fn facts(text: &str) -> PageFacts {
    let head = DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() };
    read(text.as_bytes(), &head, &url("http://example.test/dir/page"), &Limits::default())
}

fn title(text: &str) -> Option<String> {
    facts(text).title
}

#[test]
fn the_title_is_the_first_outside_svg_and_templates() {
    assert_eq!(title("<title> A &amp;\n B&nbsp;C </title><title>two</title>").as_deref(), Some("A & B C"));
    assert_eq!(
        title("<template><title>no</title></template><svg><title>no</title></svg><title>yes</title>").as_deref(),
        Some("yes")
    );
    assert_eq!(title("<title></title><title>two</title>").as_deref(), Some(""), "an empty title is a title");
    assert_eq!(title("<title>a <b>c</title>").as_deref(), Some("a <b>c"), "its text holds no tags");
    assert_eq!(title("<p>x"), None);
    assert_eq!(title("<title>cut off").as_deref(), Some("cut off"));
    assert_eq!(title("<title>a</title>x<title>b").as_deref(), Some("a"));
}

#[test]
fn description_language_and_headings() {
    let facts = facts(
        "<html lang=' de-AT '><meta name=Description content='one &lt; two'><meta name=description content=second>\
         <h1>A <b>b</b></h1><h2>x<h3>y</h2>z<h7>no</h7><svg><desc><h4>island</h4></desc></svg>",
    );
    assert_eq!(facts.language.as_deref(), Some("de-AT"));
    assert_eq!(facts.description.as_deref(), Some("one < two"));
    let headings: Vec<_> = facts.headings.iter().map(|heading| (heading.level, heading.text.as_str())).collect();
    assert_eq!(headings, [(1, "A b"), (2, "x"), (3, "y"), (4, "island")]);
}

#[test]
fn a_canonical_for_a_language_medium_or_type_is_a_link_and_no_canonical() {
    for attribute in ["hreflang=de", "LANG=de", "media=all", "type=text/html", "media"] {
        let facts = facts(&format!("<link rel=canonical href=/a {attribute}>"));
        let kinds: Vec<_> = facts.links.iter().map(|link| link.kind).collect();
        assert_eq!((facts.canonicals.len(), kinds), (0, vec![LinkKind::Canonical]), "{attribute}");
    }
    assert_eq!(facts("<link rel=canonical href=/a title=x crossorigin>").canonicals.len(), 1);
}

#[test]
fn http_equiv_is_one_of_its_keywords_without_blanks() {
    let refresh = |pragma: &str| facts(&format!("<meta http-equiv='{pragma}' content='0; url=/a'>")).refresh.is_some();
    assert!(refresh("refresh") && refresh("ReFresh"));
    assert!(!refresh(" refresh ") && !refresh("refresh\n"));
    assert!(facts("<meta http-equiv=' last-modified' content='2026-05-06'>").dates.is_empty());
}

#[test]
fn json_ld_is_recognized_by_the_essence_of_its_type() {
    let dates = |given: &str| {
        facts(&format!("<script type='{given}'>{{\"@type\":\"WebPage\",\"dateModified\":\"2026-05-06\"}}</script>"))
            .dates
    };
    for given in ["application/ld+json", "Application/LD+JSON; charset=utf-8", " application/ld+json ;profile=x"] {
        assert_eq!(dates(given).len(), 1, "{given}");
    }
    assert!(dates("application/ld+jsonx").is_empty() && dates("x; application/ld+json").is_empty());
}

#[test]
fn an_empty_canonical_is_none() {
    for empty in ["<link rel=canonical href=''>", "<link rel=canonical href>", "<link rel=canonical href='  '>"] {
        assert!(facts(&format!("<base href=/>{empty}")).canonicals.is_empty(), "{empty}");
    }
}

#[test]
fn canonicals_carry_their_place() {
    let facts = facts(
        "<link rel='Canonical foo' href=' /a '><p>text<link rel=canonical href='http://example.test/b'>\
         <link rel=canonical href='mailto:x'><link rel=canonical><link rel=notcanonical href=/no>",
    );
    let canonicals: Vec<_> = facts
        .canonicals
        .iter()
        .map(|canonical| {
            (canonical.url.as_ref().map(PageUrl::as_str), canonical.raw.as_str(), canonical.place, canonical.relative)
        })
        .collect();
    assert_eq!(
        canonicals,
        [
            (Some("http://example.test/a"), "/a", FactLocation::Head, true),
            (Some("http://example.test/b"), "http://example.test/b", FactLocation::Body, false),
            (None, "mailto:x", FactLocation::Body, false),
        ]
    );
}

#[test]
fn what_the_parser_moves_to_body_ends_the_head() {
    for (text, place) in [
        ("<head><link rel=canonical href=c></head>", FactLocation::Head),
        (
            "<head><title>t</title><script>x</script><style>y</style><base href=/><link rel=canonical href=c>",
            FactLocation::Head,
        ),
        ("<head><noscript><meta name=x></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><img src=x></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><p>Words.</noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript></head><body>Words.</noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><iframe src=x></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><!-- <template><svg></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><noscript><a href=x></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript><nav></noscript><link rel=canonical href=c>", FactLocation::Head),
        ("<head><noscript></noscript><img><link rel=canonical href=c>", FactLocation::Body),
        ("<head><noscript><img><link rel=canonical href=c>", FactLocation::Body),
        ("<head></head><noscript></noscript><link rel=canonical href=c>", FactLocation::Body),
        ("<head><div></div><link rel=canonical href=c></head>", FactLocation::Body),
        ("<head>words<link rel=canonical href=c></head>", FactLocation::Body),
        ("<head>\n&#xD;&#32;&Tab;&NewLine;&#x0C<link rel=canonical href=c></head>", FactLocation::Head),
        ("<head>&nbsp;<link rel=canonical href=c></head>", FactLocation::Body),
        ("<head><svg/><link rel=canonical href=c></head>", FactLocation::Body),
        // After `</head>`, elements of the head still go into it (HTML 13.2.6.4.6).
        ("<head></head>\n<link rel=canonical href=c><body>", FactLocation::Head),
        ("<head></head><body><link rel=canonical href=c>", FactLocation::Body),
    ] {
        assert_eq!(facts(text).canonicals[0].place, place, "{text}");
    }
}

#[test]
fn robots_tags_are_kept_with_agent_and_place() {
    let facts = facts(
        "<META CONTENT=' , NoIndex ,NOFOLLOW' NAME='RoBoTs'><meta name=Mapwright content=noindex>\
         <meta name=viewport content=all><meta name=theme content=dark><meta name=description content=noindex>\
         <meta property=robots content=noindex><meta property=robots name=theme content=noindex>\
         <noscript><meta name=robots content=none></noscript><!-- <meta name=robots content=noindex> -->\
         <p><meta name=googlebot content='unavailable_after: 2019-01-01'>",
    );
    let all: Vec<_> = facts
        .directives
        .iter()
        .map(|placed| (placed.agent.as_deref(), placed.place, placed.directives.noindex))
        .collect();
    assert_eq!(
        all,
        [
            (None, FactLocation::Head, true),
            (Some("mapwright"), FactLocation::Head, true),
            (Some("theme"), FactLocation::Head, true),
            (None, FactLocation::Head, true),
            (Some("googlebot"), FactLocation::Body, false),
        ]
    );
    assert!(facts.directives[0].directives.nofollow);
}

#[test]
fn hreflang_alternates_stand_in_tags_and_header() {
    let head = DocumentHeaders {
        links: vec!["<de.html>; rel=\"alternate\"; hreflang=\"de\", <fr.html>; rel=alternate; hreflang=fr"],
        ..DocumentHeaders::default()
    };
    let text = b"<link rel=alternate hreflang=' x-default ' href=/><link rel=alternate hreflang=en href='mailto:x'>\
        <link rel='alternate stylesheet' hreflang=no href=/s><link rel=alternate hreflang=no href=''>";
    let facts = read(text, &head, &url("http://example.test/dir/page"), &Limits::default());
    let all: Vec<_> = facts
        .hreflang
        .iter()
        .map(|item| (item.code.as_str(), item.url.as_ref().map(PageUrl::path), item.place))
        .collect();
    assert_eq!(
        all,
        [
            ("de", Some("/dir/de.html"), FactLocation::Header),
            ("fr", Some("/dir/fr.html"), FactLocation::Header),
            ("x-default", Some("/"), FactLocation::Head),
            ("en", None, FactLocation::Head),
        ]
    );
}

#[test]
fn identifiers_are_ids_and_anchor_names_outside_templates() {
    let facts = facts(
        "<p id=a&amp;b><a name=c id=d></a><i name=no></i><svg><g id=e></svg><template><i id=no></template><b id=''>",
    );
    assert_eq!(facts.ids, ["a&b", "d", "c", "e"]);
}

#[test]
fn scripts_and_visible_text_are_counted() {
    let shell = facts(
        "<title>App</title><body><noscript>You need to enable JavaScript.</noscript><div id=root> \n </div>\
         <script src=a></script><script>var x = 'words'</script><style>p {}</style><template>inert</template>\
         <svg><style>css</style><script>code</script></svg>",
    );
    assert_eq!((shell.text_bytes, shell.scripts), (0, 3));
    assert_eq!(facts("<p>two  words</p>\n<p>x").text_bytes, 10);
}

#[test]
fn blocks_are_the_runs_between_block_level_tags() {
    let blocks = |text| hashes(&facts(text));
    assert_eq!(blocks("<p>one</p><p>two</p>").len(), 2);
    assert_eq!(blocks("<p> one <b>two</b><!-- c -->\n three </p>"), blocks("<div>one two three"));
    assert_eq!(blocks("one<br>two"), blocks("onetwo"), "inline tags part nothing");
    assert_eq!(blocks("<p>a &amp; b"), blocks("<p>a & b"), "references are decoded");
    assert_eq!(blocks("<p></p> <div> </div><hr>"), Vec::<u64>::new());
    assert_eq!(blocks("<title>t</title><script>x</script><p>a<script>b</script>"), blocks("<p>a"));
    assert_eq!(blocks("<p>a</nav>b"), blocks("<p>a<p>b"), "stray tags part too");
    assert_eq!(blocks("<p>a<template>no</template>"), blocks("<p>a"));
}

#[test]
fn block_hashes_never_change() {
    // XXH3 over the text. Records store these: a change here would mark every page as changed.
    assert_eq!(hashes(&facts("<p>Hello,   world")), [HELLO_WORLD]);
}

fn hashes(facts: &PageFacts) -> Vec<u64> {
    facts.blocks.iter().map(|block| block.hash).collect()
}

/// XXH3 (64 bits) of `Hello, world`.
const HELLO_WORLD: u64 = 0x965B_4AE1_5A50_A0B9;

#[test]
fn the_encoding_is_named() {
    let head = DocumentHeaders { content_type: Some("text/html; charset=latin1"), ..DocumentHeaders::default() };
    let facts = read(b"<title>\xe9</title>", &head, &url("http://example.test/"), &Limits::default());
    assert_eq!(
        (facts.title.as_deref(), facts.encoding.as_str(), facts.encoding_from),
        (Some("é"), "windows-1252", EncodingFrom::Header)
    );
}

fn dates(text: &str) -> Vec<(DateFrom, String)> {
    facts(text).dates.into_iter().map(|date| (date.from, date.date.to_string())).collect()
}

#[test]
fn dates_of_meta_tags() {
    let all = dates(
        "<meta property=article:published_time content=2020-01-01><meta property='og:updated_time' content='2021-01-01 10:00:00+00:00'>\
         <meta name=article:modified_time content='2022-01-01T00:00:00+0200'>\
         <meta http-equiv=Last-Modified content='Sun, 06 Nov 1994 08:49:37 GMT'><meta property=article:modified_time content=never>",
    );
    let want = [
        (DateFrom::ArticleModified, "2022-01-01T00:00:00+02:00"),
        (DateFrom::OgUpdated, "2021-01-01T10:00:00+00:00"),
        (DateFrom::MetaLastModified, "1994-11-06T08:49:37Z"),
        (DateFrom::Published, "2020-01-01"),
    ];
    assert_eq!(all, want.map(|(from, date)| (from, date.to_owned())));
}

fn json_ld(json: &str) -> Vec<(DateFrom, String)> {
    dates(&format!("<link rel=canonical href=/canonical><script type='Application/LD+JSON'>{json}</script>"))
}

#[test]
fn json_ld_gives_the_dates_of_the_pages_own_node() {
    let modified = |date: &str| vec![(DateFrom::JsonLd, date.to_owned())];
    assert_eq!(json_ld(r#"{"@type":"Article","dateModified":"2024-05-01","datePublished":"2023-01-01"}"#).len(), 2);
    assert_eq!(json_ld(r#"[{"@type":["x","NewsArticle"],"dateModified":"2024-05-01"}]"#), modified("2024-05-01"));
    let graph = r#"{"@graph":[
        {"@type":"Organization","dateModified":"2001-01-01"},
        {"@type":"Article","url":"/other","dateModified":"2002-02-02"},
        {"@type":"Article","dateModified":"2003-03-03"},
        {"@type":"WebPage","@id":"http://example.test/dir/page#webpage","dateModified":"2004-04-04"}]}"#;
    assert_eq!(json_ld(graph), modified("2004-04-04"));
    let canonical = r#"{"@type":"BlogPosting","mainEntityOfPage":{"@id":"http://example.test/canonical"},"dateModified":"2024-05-01"}"#;
    assert_eq!(json_ld(canonical), modified("2024-05-01"));
    assert_eq!(json_ld(r#"{"@type":"Article","url":"/other","dateModified":"2024-05-01"}"#), []);
    assert_eq!(
        json_ld(r#"{"@type":"http://schema.org/Recipe","datePublished":"2024"}"#),
        [(DateFrom::Published, "2024".to_owned())]
    );
    let entity =
        r#"{"mainEntity":{"dateModified":"2024-05-01","url":7,"@type":"Article"},"@type":"Thing","x":[1,{"y":null}]}"#;
    assert_eq!(json_ld(entity), modified("2024-05-01"));
    let late = r#"{"@graph":[{"@type":"Article","dateModified":"2002"}],"dateModified":"2001","@type":"WebPage"}"#;
    assert_eq!(json_ld(late), modified("2001"), "a node comes before those in it");
}

#[test]
fn broken_json_ld_is_passed_over() {
    for json in [
        "",
        "{",
        "null",
        "[1,2,{}]",
        "{\"@type\":\"Article\"}",
        "{\"@type\":\"Article\",\"dateModified\":5}",
        &"[".repeat(100_000),
    ] {
        assert_eq!(json_ld(json), [], "{json:.20}");
    }
    let two = "<script type=application/ld+json>{broken</script>\
        <script type=application/ld+json>{\"@type\":\"WebPage\",\"dateModified\":\"2024\"}</script>";
    assert_eq!(dates(two).len(), 1);
}

#[test]
fn instructions_and_sections_of_xhtml_end_as_those_of_xml() {
    let links = |content_type: &'static str, body: &str| -> Vec<String> {
        let head = DocumentHeaders { content_type: Some(content_type), ..DocumentHeaders::default() };
        let text = format!("<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}<a href='/end'/></body></html>");
        let facts = read(text.as_bytes(), &head, &url("http://example.test/"), &Limits::default());
        facts.links.iter().map(|link| link.url.as_ref().unwrap().path().to_owned()).collect()
    };
    for body in [
        "<?php > <a href='/q'/> ?>",
        "<script><![CDATA[ </script><a href='/q'/> ]]></script>",
        "<style><!-- </style><a href='/q'/> --></style>",
    ] {
        assert_eq!(links("application/xhtml+xml", body), ["/end"], "{body}");
        assert_eq!(links("text/html", body), ["/q", "/end"], "{body}");
    }
    assert_eq!(links("application/xhtml+xml", "<?never ends <a href='/q'/>"), [""; 0]);
}

#[test]
fn nothing_but_its_end_ends_the_head_of_xhtml() {
    let head = DocumentHeaders { content_type: Some("application/xhtml+xml"), ..DocumentHeaders::default() };
    let canonical = "<link rel='canonical' href='/c'/>";
    let xmlns = "http://www.w3.org/1999/xhtml";
    for (text, place) in [
        (
            format!(
                "<!DOCTYPE html [ <!ENTITY n \"&#xA0;\"> <!ENTITY m '>]>'> <!-- ' ]> --> ]><html><head>{canonical}"
            ),
            FactLocation::Head,
        ),
        (
            format!("<h:html xmlns:h='{xmlns}'><h:head><h:title>t</h:title><h:link rel='canonical' href='/c'/>"),
            FactLocation::Head,
        ),
        (
            format!(
                "<h:html xmlns:h='{xmlns}'><h:head><h:script>'<'</h:script></h:head><h:body><h:link rel='canonical' href='/c'/>"
            ),
            FactLocation::Body,
        ),
        (
            format!("<html><head><p>words</p><dc:title>t</dc:title><![CDATA[words]]>{canonical}</head>"),
            FactLocation::Head,
        ),
        (format!("<html><head><noscript><p/></noscript>{canonical}</head>"), FactLocation::Head),
        (format!("<?pi <body> ?><html><!--><body>--><head><?pi <body> ?>{canonical}</head>"), FactLocation::Head),
        (format!("<html><head></head>{canonical}"), FactLocation::Body),
        (format!("<html><head><body>{canonical}"), FactLocation::Body),
        (format!("<html><p>words</p>{canonical}"), FactLocation::Body),
        (format!("<!DOCTYPE html [ <!ENTITY n \"> ]><html><p/>{canonical}"), FactLocation::Body),
    ] {
        let facts = read(text.as_bytes(), &head, &url("http://example.test/"), &Limits::default());
        assert_eq!(facts.canonicals.iter().map(|c| c.place).collect::<Vec<_>>(), [place], "{text}");
    }
    // A name with a prefix of another namespace is not an HTML element.
    let other = "<html xmlns:x='http://example.test/x'><head><x:link rel='canonical' href='/c'/></head></html>";
    let facts = read(other.as_bytes(), &head, &url("http://example.test/"), &Limits::default());
    assert!(facts.canonicals.is_empty());
}

#[test]
fn xhtml_is_read_as_xml() {
    let head = DocumentHeaders { content_type: Some("application/xhtml+xml"), ..DocumentHeaders::default() };
    let text = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='fr'><head><title/><script src='x'/>\
        </head><body><a name='n'/><p><![CDATA[<a href='no'>]]></p><iframe src='f'/><a href='é'>x</a></body></html>";
    let facts = read(text.as_bytes(), &head, &url("http://example.test/"), &Limits::default());
    let links: Vec<_> = facts.links.iter().map(|link| link.url.as_ref().unwrap().path()).collect();
    assert_eq!(links, ["/x", "/f", "/%C3%A9"]);
    assert_eq!((facts.language.as_deref(), facts.encoding.as_str()), (Some("fr"), "UTF-8"));
}

#[test]
fn xml_knows_no_raw_text() {
    let head = DocumentHeaders { content_type: Some("application/xhtml+xml"), ..DocumentHeaders::default() };
    let found = |text: &str, head: &DocumentHeaders<'_>| {
        read(text.as_bytes(), head, &url("http://example.test/"), &Limits::default()).links.len()
    };
    for name in ["textarea", "xmp", "iframe", "noembed", "noframes", "plaintext"] {
        let text = format!("<html><body><{name}><a href='in'>x</a></{name}><a href='behind'>x</a></body></html>");
        let in_html = if name == "plaintext" { 0 } else { 1 };
        assert_eq!((found(&text, &head), found(&text, &DocumentHeaders::default())), (2, in_html), "{name}");
    }
    assert_eq!(found("<html><head><style>a &lt; b</style></head><body><a href='a'>x</a></body></html>", &head), 1);
}

#[test]
fn header_facts_read_the_header_alone() {
    let head = DocumentHeaders {
        content_type: Some("application/pdf"),
        links: vec!["</c.pdf>; rel=canonical"],
        robots: vec!["otherbot: noindex", "nofollow"],
        refresh: Some("5; url=/next"),
        ..DocumentHeaders::default()
    };
    let facts = header_facts(&head, &url("http://example.test/a.pdf"), &Limits::default());
    assert_eq!(facts.canonicals[0].place, FactLocation::Header);
    assert_eq!(facts.directives.len(), 2);
    assert_eq!(facts.refresh.as_ref().unwrap().seconds, 5);
    assert_eq!(facts.links.len(), 2);
    assert!(facts.links.iter().all(|link| link.region == Region::Head));
    assert!(facts.title.is_none());
}

#[test]
fn images_name_a_heading_only_where_it_has_no_text() {
    let text = "<h1><img src=/l.png alt='The shop'><img src=/m.png alt='in town'></h1>\
        <h2>Chairs <button><img src=/c.png alt='Copy the path'></button></h2><h2><img src=/d.png alt=''></h2>";
    let head = DocumentHeaders { content_type: Some("text/html"), ..DocumentHeaders::default() };
    let facts = read(text.as_bytes(), &head, &url("http://example.test/"), &Limits::default());
    let texts: Vec<_> = facts.headings.iter().map(|heading| heading.text.as_str()).collect();
    assert_eq!(texts, ["The shop in town", "Chairs", ""]);
}
