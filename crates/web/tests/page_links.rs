//! Links: their elements, targets and properties.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use encoding_rs::{EUC_JP, EUC_KR, Encoding, GB18030, KOI8_R, SHIFT_JIS, WINDOWS_1252};
use mapwright_web::page::{DocumentHeaders, Limits, Link, LinkKind, PageFacts, Region, read};
use mapwright_web::{PageUrl, UrlIdentity};

fn page() -> PageUrl {
    PageUrl::parse("http://example.test/dir/page?q", &UrlIdentity::default()).unwrap()
}

fn read_with(bytes: &[u8], head: &DocumentHeaders<'_>) -> PageFacts {
    read(bytes, head, &page(), &Limits::default())
}

fn links(text: &str) -> Vec<Link> {
    read_with(
        text.as_bytes(),
        &DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() },
    )
    .links
}

fn path(link: &Link) -> String {
    link.url.as_ref().map_or_else(|| "broken".to_owned(), |url| url.path_and_query().to_owned())
}

fn kinds(text: &str) -> Vec<(LinkKind, String)> {
    links(text).iter().map(|link| (link.kind, path(link))).collect()
}

fn paths(text: &str) -> Vec<String> {
    links(text).iter().map(path).collect()
}

#[test]
fn every_element_that_links_is_read() {
    let text = "<link rel=canonical href=/c><link rel=next href=/n><link rel=PREV href=/p><link rel=alternate href=/alt>\
        <link rel=alternate type='Text/HTML; charset=x' href=/alt2><link rel=alternate type=application/rss+xml href=/rss>\
        <link rel=alternate type=application/atom+xml href=/atom><a href=/a></a><area href=/area><iframe src=/i></iframe>\
        <frame src=/f>";
    use LinkKind::{Alternate, Anchor, Area, Canonical, Feed, Frame, Sequence};
    let want = [
        (Canonical, "/c"),
        (Sequence, "/n"),
        (Sequence, "/p"),
        (Alternate, "/alt"),
        (Alternate, "/alt2"),
        (Feed, "/rss"),
        (Feed, "/atom"),
        (Anchor, "/a"),
        (Area, "/area"),
        (Frame, "/i"),
        (Frame, "/f"),
    ];
    assert_eq!(kinds(text), want.map(|(kind, path)| (kind, path.to_owned())));
}

#[test]
fn rel_says_nothing_of_frames() {
    let text = "<iframe rel=nofollow src=/i></iframe><frame rel=nofollow src=/f><a rel=nofollow href=/a>a</a>\
        <area rel=nofollow href=/b><link rel='next nofollow' href=/n>";
    let refused: Vec<(String, bool)> = links(text).iter().map(|link| (path(link), link.rel.nofollow)).collect();
    let want = [("/i", false), ("/f", false), ("/a", true), ("/b", true), ("/n", true)];
    assert_eq!(refused, want.map(|(path, nofollow)| (path.to_owned(), nofollow)));
}

#[test]
fn other_relations_and_types_are_no_links() {
    let text = "<link rel=preconnect href=/p><link rel=dns-prefetch href=/d><link rel=alternate type=application/json+oembed href=/o><link rel=alternate type=application/feed+json href=/f>\
        <link rel=nexts href=/n><link href=/x><link rel=next href=''><form action=/no></form><object data=/no></object>";
    assert_eq!(paths(text), Vec::<String>::new());
}

#[test]
fn resources_are_recorded_and_not_followed() {
    let text = "<img src=/1.png srcset='/2.png 2x, /3.png 3x' alt='A  picture'><picture><source srcset=/4.webp></picture>\
        <video src=/5.mp4 poster=/6.png><source src=/7.mp4><track src=/8.vtt></video><audio src=/9.mp3></audio>\
        <img src=''><img src='data:image/png;base64,xx'>";
    let found = links(text);
    let names: Vec<_> = found.iter().map(path).collect();
    assert_eq!(names, ["/1.png", "/2.png", "/3.png", "/4.webp", "/5.mp4", "/6.png", "/7.mp4", "/8.vtt", "/9.mp3"]);
    assert!(found.iter().all(|link| !link.kind.followed()));
    assert_eq!(found[0].anchor, "A picture");
    assert_eq!((found[4].kind, found[5].kind), (LinkKind::Media, LinkKind::Image));
}

#[test]
fn files_that_pages_load_have_their_kinds() {
    use LinkKind::{Icon, Manifest, Preload, Script, Stylesheet};
    let text = "<link rel=stylesheet href=/1><link rel='alternate stylesheet' href=/2><link rel='shortcut ICON' href=/3>\
        <link rel=apple-touch-icon href=/4><link rel=manifest href=/5><link rel=preload as=font href=/6>\
        <link rel=modulepreload href=/7><script src=/8></script><script>src=/no</script>\
        <template><script src=/no></script></template><link rel=stylesheet href=''>";
    let kinds: Vec<_> = links(text).iter().map(|link| (link.kind, path(link))).collect();
    let want = [
        (Stylesheet, "/1"),
        (Stylesheet, "/2"),
        (Icon, "/3"),
        (Icon, "/4"),
        (Manifest, "/5"),
        (Preload, "/6"),
        (Preload, "/7"),
        (Script, "/8"),
    ];
    assert_eq!(kinds, want.map(|(kind, path)| (kind, path.to_owned())));
    assert!(links(text).iter().all(|link| !link.kind.followed()));
}

#[test]
fn links_without_a_text_have_the_names_of_their_parts() {
    let text = "<a href=/1 aria-label='One  &amp; only'><i></i></a><a href=/2 title=Two></a>\
        <a href=/3 title=no><img alt=Three></a><a href=/4><svg aria-label=Four></svg></a>\
        <a href=/5><img alt='' title=Five></a><a href=/6 aria-label=no>Six</a><a href=/7 aria-label=' ' title=Seven></a>\
        <a href=/8><i title=Eight></i></a><a href=/9><img alt=Nine title=no></a><a href=/0></a>";
    let names: Vec<String> =
        links(text).into_iter().filter(|link| link.kind == LinkKind::Anchor).map(|link| link.anchor).collect();
    assert_eq!(names, ["One & only", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", ""]);
}

#[test]
fn the_first_base_counts_for_the_entire_document() {
    assert_eq!(
        paths("<a href=before><base target=t><base href=/b/><base href=/c/><a href=after>"),
        ["/b/before", "/b/after"]
    );
    assert_eq!(paths("<base href=sub/x.html><a href=p>"), ["/dir/sub/p"], "base is relative to the page");
    assert_eq!(paths("<template><base href=/t/></template><svg><base href=/s/></svg><a href=p>"), ["/dir/p"]);
    assert_eq!(paths("<base href='data:x'><a href=p>"), ["/dir/p"]);
    assert_eq!(paths("<base href='http://['><a href=p>"), ["/dir/p"]);
}

#[test]
fn what_is_inert_is_no_link() {
    let text = "<!-- <a href=no> --><script>'<a href=no>'</script><style><a href=no></style><textarea><a href=no></textarea>\
        <title><a href=no></title><template><a href=no></template><iframe srcdoc='<a href=no>'></iframe>\
        <iframe><a href=no></iframe><xmp><a href=no></xmp>";
    assert_eq!(paths(text), Vec::<String>::new());
}

#[test]
fn noscript_and_svg_links_count() {
    assert_eq!(paths("<noscript><a href=/n></a></noscript>"), ["/n"]);
    assert_eq!(
        paths("<svg><a href=/1 xlink:href=/no></a><a xlink:href=/2></a><use href=/no></use></svg>"),
        ["/1", "/2"]
    );
    assert_eq!(paths("<a xlink:href=/no></a><math><a href=/no></a></math>"), Vec::<String>::new());
    assert_eq!(paths("<svg/><script>'<a href=no>'</script>"), Vec::<String>::new());
    // An HTML integration point (HTML 13.2.6, "annotation-xml").
    assert_eq!(paths("<math><annotation-xml encoding=Text/HTML><a href=/m></a></annotation-xml></math>"), ["/m"]);
}

#[test]
fn references_in_attributes_are_decoded_once_by_the_attribute_rules() {
    assert_eq!(paths("<a href='/?a=1&amp;b=2'>"), ["/?a=1&b=2"]);
    assert_eq!(
        paths("<a href='/?a=1&copy=2&reg=3&lt=4'><a href='/?x=1&notin=2'>"),
        ["/?a=1&copy=2&reg=3&lt=4", "/?x=1&notin=2"]
    );
    assert_eq!(paths("<a href=/caf&eacute;&period;html>"), ["/caf%C3%A9.html"]);
    assert_eq!(paths("<a href='/&amp;amp;'>"), ["/&amp;"]);
    assert_eq!(paths("<a href='javascript&colon;void(0)'><a href='&#106;avascript:x()'>"), Vec::<String>::new());
}

#[test]
fn blanks_go_and_duplicates_lose() {
    assert_eq!(paths("<a href='  /a b\n'><a href='/x\ty\nz'>"), ["/a%20b", "/xyz"]);
    assert_eq!(paths("<a href=/one HREF=/two>"), ["/one"]);
    assert_eq!(paths("<a href=/a\0b>"), ["/a%EF%BF%BDb"]);
    assert_eq!(paths("<a href=''><a href><a href='#top'><a name=x>"), ["/dir/page?q", "/dir/page?q", "/dir/page?q"]);
}

#[test]
fn other_schemes_are_no_links_and_broken_urls_are_kept_raw() {
    let found = links(
        "<a href=mailto:x><a href=tel:1><a href=javascript:x><a href=data:x><a href=ftp://h/><a href=' http://[::1/ '><a href=//><a href=/p>",
    );
    let all: Vec<_> = found.iter().map(|link| (path(link), link.raw.as_deref())).collect();
    assert_eq!(
        all,
        [("broken".to_owned(), Some("http://[::1/")), ("broken".to_owned(), Some("//")), ("/p".to_owned(), None)]
    );
}

#[test]
fn fragments_are_kept_beside_the_url() {
    let found = links("<a href='/p#one'><a href='/p#'><a href='#two&amp;'><a href=/p>");
    let all: Vec<_> = found.iter().map(|link| link.fragment.as_deref()).collect();
    assert_eq!(all, [Some("one"), None, Some("two&"), None]);
}

#[test]
fn anchor_text_is_collapsed_and_alt_stands_in() {
    let text = "<a href=1> Read\n <b>more &raquo;</b><img alt=icon></a><a href=2><img alt='A'><img alt='B  C'></a>\
        <a href=3>x<a href=4>y</a>z<a href=5><script>no</script><style>no</style></a><a href=6>open <p>end";
    let all: Vec<_> = links(text).into_iter().map(|link| link.anchor).collect();
    assert_eq!(all, ["Read more »", "A B C", "x", "y", "", "open end"]);
    assert_eq!(links("<area href=1 alt=' Map '>")[0].anchor, "Map");
}

#[test]
fn qualifying_relations_are_kept() {
    let found = links("<a href=1 rel='NoFollow noopener'><a href=2 rel='ugc sponsored'><a href=3 rel=nofollows>");
    assert!(found[0].rel.nofollow && !found[0].rel.ugc);
    assert!(found[1].rel.ugc && found[1].rel.sponsored && !found[1].rel.nofollow);
    assert!(!found[2].rel.nofollow);
}

#[test]
fn each_link_knows_its_region() {
    let text = "<head><link rel=next href=0></head><header><a href=1><nav><a href=2></nav></header><main><header><a href=3></header>\
        <nav><a href=4></nav><aside><a href=5></aside></main><article><footer><a href=6></footer></article><footer><a href=7>\
        </footer><a href=8><div role=' Navigation '><div></div><a href=9></div><div><a href=10></div>";
    use Region::{Aside, Body, Footer, Header, Main, Nav};
    let all: Vec<_> = links(text).into_iter().map(|link| link.region).collect();
    assert_eq!(all, [Region::Head, Header, Nav, Main, Nav, Aside, Main, Footer, Body, Nav, Body]);
}

#[test]
fn a_query_is_in_the_documents_encoding_and_a_path_in_utf_8() {
    let cases: [(&'static Encoding, &str, &str); 6] = [
        (SHIFT_JIS, "日本.html?q=検索", "/dir/%E6%97%A5%E6%9C%AC.html?q=%8C%9F%8D%F5"),
        (EUC_JP, "日.html?q=日", "/dir/%E6%97%A5.html?q=%C6%FC"),
        (WINDOWS_1252, "é?x=é&y=€", "/dir/%C3%A9?x=%E9&y=%80"),
        (KOI8_R, "д?q=д", "/dir/%D0%B4?q=%C4"),
        (EUC_KR, "한?q=한", "/dir/%ED%95%9C?q=%C7%D1"),
        (GB18030, "中?q=中", "/dir/%E4%B8%AD?q=%D6%D0"),
    ];
    for (encoding, href, want) in cases {
        let (bytes, _, _) = encoding.encode(href);
        let page = [b"<a href=\"", &bytes[..], b"\">"].concat();
        let content_type = format!("text/html; charset={}", encoding.name());
        let facts =
            read_with(&page, &DocumentHeaders { content_type: Some(&content_type), ..DocumentHeaders::default() });
        assert_eq!(path(&facts.links[0]), want, "{}", encoding.name());
    }
}

#[test]
fn a_meta_behind_the_first_bytes_changes_an_encoding_that_was_guessed() {
    let late = |meta: &str, content_type| {
        let page = format!("<title>t</title><script>{}</script>{meta}<a href='?q=&eacute;'></a>", "//".repeat(600));
        let head = DocumentHeaders { content_type: Some(content_type), ..DocumentHeaders::default() };
        path(&read_with(page.as_bytes(), &head).links[0])
    };
    assert_eq!(late("<meta charset=utf-8>", "text/html"), "/dir/page?q=%C3%A9");
    let pragma = "<meta http-equiv=Content-Type content='text/html; Charset=UTF-8'>";
    assert_eq!(late(pragma, "text/html"), "/dir/page?q=%C3%A9");
    assert_eq!(late("<meta charset=nonsense><p><meta charset=utf-8>", "text/html"), "/dir/page?q=%C3%A9");
    for none in ["<meta content='charset=utf-8'>", "<!--<meta charset=utf-8>-->", "<style><meta charset=utf-8></style>"]
    {
        assert_eq!(late(none, "text/html"), "/dir/page?q=%E9", "{none}");
    }
    assert_eq!(late("<meta charset=utf-8>", "text/html; charset=latin1"), "/dir/page?q=%E9", "it was not guessed");
}

#[test]
fn the_query_of_the_base_is_in_the_documents_encoding() {
    let head = DocumentHeaders { content_type: Some("text/html; charset=latin1"), ..DocumentHeaders::default() };
    let facts = read_with(b"<base href='b?x=\xe9'><a href=''></a>", &head);
    assert_eq!(path(&facts.links[0]), "/dir/b?x=%E9");
}

#[test]
fn a_character_that_the_encoding_lacks_becomes_a_reference() {
    let head = DocumentHeaders { content_type: Some("text/html; charset=windows-1252"), ..DocumentHeaders::default() };
    assert_eq!(path(&read_with(b"<a href='p?q=&#26085;'>", &head).links[0]), "/dir/p?q=%26%2326085%3B");
}

#[test]
fn utf_16_documents_have_utf_8_queries() {
    let bytes: Vec<u8> = "\u{feff}<a href='?é'>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(path(&read_with(&bytes, &DocumentHeaders::default()).links[0]), "/dir/page?%C3%A9");
}

#[test]
fn a_slow_refresh_is_a_link_and_a_fast_one_is_not() {
    let slow = read_with(b"<meta http-equiv=Refresh content='5; URL=next'>", &DocumentHeaders::default());
    assert_eq!(
        slow.links.iter().map(|link| (link.kind, path(link))).collect::<Vec<_>>(),
        [(LinkKind::Refresh, "/dir/next".to_owned())]
    );
    let fast = read_with(b"<meta http-equiv=refresh content='0;url=next'>", &DocumentHeaders::default());
    assert!(fast.links.is_empty());
    let refresh = fast.refresh.unwrap();
    assert_eq!((refresh.seconds, refresh.url.unwrap().path().to_owned()), (0, "/dir/next".to_owned()));
}

#[test]
fn a_refresh_in_noscript_is_a_link() {
    let tag = "<noscript><meta http-equiv=refresh content='0;url=next'></noscript>";
    let scripted = "<meta http-equiv=refresh content='0;url=scripted'>";
    for page in [tag.to_owned(), format!("<p>x</p>{tag}"), format!("<noscript><img></noscript>{tag}")] {
        for (page, expected) in [(page.clone(), None), (format!("{scripted}{page}{scripted}"), Some("/dir/scripted"))] {
            let facts = read_with(page.as_bytes(), &DocumentHeaders::default());
            let links: Vec<_> = facts.links.iter().filter(|link| link.kind == LinkKind::Refresh).map(path).collect();
            assert_eq!(links, ["/dir/next"], "{page}");
            let refresh = facts.refresh.and_then(|refresh| refresh.url);
            assert_eq!(refresh.as_ref().map(PageUrl::path), expected, "{page}");
        }
    }
}

#[test]
fn a_reload_is_no_refresh() {
    for content in ["60", "0", "0; url=", "3; url=http://example.test/dir/page?q#x", "5; url=page?q"] {
        let page = format!("<meta http-equiv=refresh content='{content}'>");
        assert_eq!(read_with(page.as_bytes(), &DocumentHeaders::default()).refresh, None, "{content}");
    }
}

#[test]
fn the_refresh_header_wins_and_the_first_tag_counts() {
    let page = b"<base href=/b/><meta http-equiv=refresh content='x'><meta http-equiv=refresh content='1;one'><meta http-equiv=refresh content='1;two'>";
    let tag = read_with(page, &DocumentHeaders::default());
    assert_eq!(tag.refresh.unwrap().url.unwrap().path(), "/b/one");
    let header = read_with(page, &DocumentHeaders { refresh: Some("0; url=h"), ..DocumentHeaders::default() });
    assert_eq!(header.refresh.unwrap().url.unwrap().path(), "/dir/h", "a header knows no base");
}
