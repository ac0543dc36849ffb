//! Hostile documents: read in linear time and bounded memory, and their valid facts are found.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::page::{DocumentHeaders, Limits, PageFacts, header_facts, read};
use mapwright_web::{PageUrl, UrlIdentity};

fn facts(text: &str) -> PageFacts {
    let url = PageUrl::parse("http://example.test/", &UrlIdentity::default()).unwrap();
    read(
        text.as_bytes(),
        &DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() },
        &url,
        &Limits::default(),
    )
}

/// Reads the hostile piece many times between two links, and finds both.
#[track_caller]
fn both_links(piece: &str, count: usize) -> PageFacts {
    let facts = facts(&format!("<a href=/first>x</a>{}<a href=/last>x</a>", piece.repeat(count)));
    let paths: Vec<_> = facts.links.iter().map(|link| link.url.as_ref().map_or("broken", |url| url.path())).collect();
    assert_eq!((paths.first(), paths.last()), (Some(&"/first"), Some(&"/last")), "{piece}");
    facts
}

#[test]
fn a_directive_counts_however_many_stand_before_it() {
    let facts = facts(&format!("<meta name=robots content=\"{}noindex\">", "max-snippet:-1,".repeat(200_000)));
    assert!(facts.directives[0].directives.noindex);
    assert!(facts.directives[0].directives.other.len() < 100);
}

#[test]
fn deep_nesting_costs_nothing() {
    for piece in [
        "<div>",
        "<ul><li>",
        "<b>",
        "<nav>",
        "<div role=navigation>",
        "<svg>",
        "<svg><g>",
        "<math><mi>",
        "<svg><foreignObject>",
        "<noscript>",
        "<table><td>",
    ] {
        both_links(piece, 200_000);
    }
}

/// The total size of all URLs in the facts, in bytes.
fn url_bytes(facts: &PageFacts) -> usize {
    let links = facts.links.iter().filter_map(|link| link.url.as_ref());
    let canonicals = facts.canonicals.iter().filter_map(|canonical| canonical.url.as_ref());
    let alternates = facts.hreflang.iter().filter_map(|alternate| alternate.url.as_ref());
    links.chain(canonicals).chain(alternates).map(|url| url.as_str().len()).sum()
}

#[test]
fn a_long_base_makes_no_gigabytes_of_short_references() {
    let base = format!("<base href=/{}/>", "a".repeat(60_000));
    for reference in [
        "<a href=x>",
        "<a href=''>",
        "<img src=x>",
        "<a href=//other.test/x>",
        "<link rel=canonical href=x>",
        "<link rel=canonical href='?'>",
        "<link rel=alternate hreflang=en href=x>",
    ] {
        let page = base.clone() + &reference.repeat(20_000);
        let facts = facts(&page);
        let bytes = url_bytes(&facts);
        assert!(bytes > 0 && bytes <= Limits::default().resolved_bytes + 4 * page.len(), "{reference}: {bytes}");
        assert_eq!(facts.cut, !reference.contains("//"), "{reference}");
    }
}

#[test]
fn a_long_url_of_its_own_makes_no_gigabytes_of_header_links() {
    let url = PageUrl::parse(&format!("http://example.test/{}/", "a".repeat(60_000)), &UrlIdentity::default()).unwrap();
    let links = "<x>; rel=canonical, <y>; rel=next, <z>; rel=alternate; hreflang=en,".repeat(900);
    let facts =
        header_facts(&DocumentHeaders { links: vec![&links], ..DocumentHeaders::default() }, &url, &Limits::default());
    assert!(facts.links_cut && url_bytes(&facts) <= Limits::default().resolved_bytes, "{}", url_bytes(&facts));
}

#[test]
fn many_links_of_a_usual_length_have_room() {
    let links: String = (0..40_000).map(|page| format!("<a href=/shop/products/page-{page}.html>x</a>")).collect();
    let facts = facts(&links);
    assert_eq!((facts.links.iter().filter(|link| link.url.is_some()).count(), facts.cut), (40_000, false));
}

#[test]
fn stray_end_tags_under_deep_nesting_cost_nothing() {
    both_links("<nav></x></aside>", 200_000);
    both_links("<svg><g></x></y></path>", 200_000);
    let facts = facts(&format!("{}{}<a href=/last>", "<g>".repeat(200_000), "</h>".repeat(200_000)));
    assert_eq!(facts.links.len(), 1);
}

#[test]
fn template_depth_is_only_counted() {
    let deep =
        format!("{}<a href=/no></a>{}<a href=/yes></a>", "<template>".repeat(300_000), "</template>".repeat(300_000));
    assert_eq!(facts(&deep).links.len(), 1);
}

#[test]
fn five_million_angle_brackets() {
    assert_eq!(facts(&format!("{}<a href=/x>", "<".repeat(5_000_000))).links.len(), 1);
    assert_eq!(facts(&format!("{}<a href=/x>", "</ ".repeat(1_000_000))).links.len(), 0, "one bogus comment up to `>`");
}

#[test]
fn a_tag_with_300_000_attributes() {
    let attributes: String = (0..300_000).map(|number| format!(" a{number}=v")).collect();
    let facts = facts(&format!("<a{attributes} href=/one{attributes} href=/two>"));
    assert_eq!(facts.links[0].url.as_ref().unwrap().path(), "/one");
    let facts = self::facts(&"<a href=/one href=/two ".repeat(100_000));
    assert!(facts.links.is_empty(), "a tag that never ends is none");
}

#[test]
fn an_attribute_of_megabytes_is_no_link() {
    let facts = facts(&format!("<a href='/{}'>x</a><a href=/y>", "x".repeat(4 << 20)));
    assert!(facts.cut);
    assert_eq!(facts.links.len(), 1);
}

#[test]
fn megabytes_of_references() {
    for piece in ["&amp", "&", "&#", "&#x", "&CounterClockwiseContourIntegral", "&#99999999999"] {
        let facts = both_links(piece, 300_000);
        assert!(!facts.cut);
    }
    let facts = facts(&format!("<h1>{}</h1><p id='{}'>", "&notit;".repeat(300_000), "&amp;".repeat(300_000)));
    assert!(facts.headings[0].text.len() <= Limits::default().text_bytes);
    assert!(facts.ids.is_empty());
}

#[test]
fn unfinished_constructs_of_megabytes() {
    for start in [
        "<!--",
        "<!-- --",
        "<script>",
        "<script><!--<script>",
        "<style>",
        "<title>",
        "<a href='",
        "<a ",
        "</a ",
        "<svg><![CDATA[",
        "<!x",
        "<?",
        "<plaintext>",
    ] {
        for filler in ["x", "-", "<", "</", "<!--", "]]", "</scrip", "</title"] {
            let facts = facts(&format!("<a href=/first></a>{start}{}", filler.repeat(400_000)));
            assert!(!facts.links.is_empty(), "{start} {filler}");
        }
    }
}

#[test]
fn each_list_is_bounded_and_the_cut_is_reported() {
    let limits = Limits::default();
    let many = facts(&"<a href=/x>y</a>".repeat(limits.links + 10));
    assert!(many.cut && many.links_cut);
    assert_eq!(many.links.len(), limits.links);
    let many = facts(&"<h1>x</h1><p id=x>y</p>".repeat(limits.blocks));
    assert!(many.cut && !many.links_cut);
    assert_eq!((many.headings.len(), many.ids.len(), many.blocks.len()), (limits.headings, limits.ids, limits.blocks));
    let many = facts(&"<link rel=canonical href=/c><link rel=alternate hreflang=x href=/c><meta name=robots content=noindex><meta property=og:updated_time content=2024>".repeat(5_000));
    assert!(many.cut);
    assert_eq!(
        (many.canonicals.len(), many.directives.len(), many.hreflang.len(), many.dates.len()),
        (limits.annotations, limits.annotations, limits.annotations, limits.annotations)
    );
    let many = facts(&format!("<img srcset='{}'>", "/x,, /y 1x,".repeat(limits.links)));
    assert!(many.cut);
    assert_eq!(many.links.len(), limits.links);
    assert!(!facts(&"<a href=/x>y</a>".repeat(10)).cut);
}

#[test]
fn texts_are_cut_between_characters() {
    let facts = facts(&format!(
        "<title>{}</title><meta name=description content='{}'><a href=/x>{}</a>",
        "é".repeat(9_999),
        "日".repeat(9_999),
        "😀".repeat(9_999)
    ));
    let limit = Limits::default().text_bytes;
    assert!(facts.title.unwrap().len() <= limit);
    assert!(facts.description.unwrap().len() <= limit);
    assert!(facts.links[0].anchor.len() <= limit);
}

#[test]
fn json_ld_bombs_are_passed_over() {
    let deep = format!("{{\"@graph\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let wide = format!("[{}{{}}]", "{\"@type\":\"Article\",\"url\":\"/x\"},".repeat(20_000));
    let large = format!("\"{}\"", "x".repeat(2 << 20));
    for json in [&deep, &wide, &large] {
        let facts = facts(&format!("<script type=application/ld+json>{json}</script><a href=/x>"));
        assert_eq!((facts.dates.len(), facts.links.len()), (0, 1));
    }
    assert!(facts(&format!("<script type=application/ld+json>{large}</script>")).cut);
}
