//! Media types: declared, sniffed (MIME Sniffing 7.1), contradicted.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::media::{Media, MediaKind};

fn sniffed(body: &[u8]) -> Option<MediaKind> {
    Media::of(None, body).sniffed
}

fn declared(content_type: &str) -> MediaKind {
    Media::of(Some(content_type), b"").kind
}

#[test]
fn declared_types_are_read_in_any_case_parameters_ignored() {
    assert_eq!(declared("Text/HTML ; Charset=UTF-8; x=y"), MediaKind::Html);
    assert_eq!(declared("application/xhtml+xml"), MediaKind::Xhtml);
    assert_eq!(declared("application/pdf"), MediaKind::Pdf);
    assert_eq!(declared("application/xml"), MediaKind::Xml);
    assert_eq!(declared("application/atom+xml;charset=utf-8"), MediaKind::Feed);
    assert_eq!(declared("text/plain"), MediaKind::Text);
    assert_eq!(declared("image/svg+xml"), MediaKind::Image);
    assert_eq!(declared("application/json"), MediaKind::Other);
    assert_eq!(Media::of(Some("TEXT/html;x"), b"").declared.as_deref(), Some("text/html"));
    assert_eq!(declared("text/plain, text/html"), MediaKind::Html, "the last of several");
}

#[test]
fn a_missing_empty_or_unparsable_type_is_sniffed() {
    for content_type in
        [None, Some(""), Some("html"), Some("text/"), Some("*/*"), Some("application/unknown"), Some("a b/c")]
    {
        let media = Media::of(content_type, b"<!doctype html><p>x");
        assert_eq!((media.declared.as_deref(), media.kind), (None, MediaKind::Html), "{content_type:?}");
        assert!(media.is_page() && !media.contradicted());
    }
    assert!(!Media::of(None, b"\x00\x01\x02\x7fELF").is_page());
    assert_eq!(Media::of(None, b"").kind, MediaKind::Other);
}

#[test]
fn the_declared_type_wins_and_octet_stream_is_a_file() {
    let file = Media::of(Some("application/octet-stream"), b"<!doctype html>");
    assert!(!file.is_page() && !file.contradicted());
    assert!(!Media::of(Some("application/json"), b"<html>").is_page());
    assert!(Media::of(Some("text/html"), b"%PDF-1.4").is_page());
}

#[test]
fn html_is_known_by_its_first_tag() {
    for body in [
        "<!DOCTYPE html>",
        "\n\t <HTML>",
        "<head >",
        "<script >",
        "<a >",
        "<p>",
        "<!-- x -->",
        "<!--x--><html>",
        "<br>",
        "<div\nclass=x>",
        "\u{feff}<html>",
    ] {
        assert_eq!(sniffed(body.as_bytes()), Some(MediaKind::Html), "{body}");
    }
    for body in ["<abc>", "<pre>", "x<html>", "<htmlx>"] {
        assert_eq!(sniffed(body.as_bytes()), Some(MediaKind::Text), "{body}");
    }
    assert_eq!(sniffed(b"\xff\xfe<\0h\0t\0m\0l\0>\0"), Some(MediaKind::Html), "UTF-16");
}

#[test]
fn other_signatures_are_known() {
    assert_eq!(sniffed(b"%PDF-1.7\n"), Some(MediaKind::Pdf));
    assert_eq!(sniffed(b"\x89PNG\r\n\x1a\n"), Some(MediaKind::Image));
    assert_eq!(sniffed(b"GIF89a...."), Some(MediaKind::Image));
    assert_eq!(sniffed(b"\xff\xd8\xff\xe0"), Some(MediaKind::Image));
    assert_eq!(sniffed(b"RIFF....WEBPVP8 "), Some(MediaKind::Image));
    assert_eq!(sniffed(b"\x1f\x8b\x08\0"), Some(MediaKind::Other));
    assert_eq!(sniffed(b"PK\x03\x04"), Some(MediaKind::Other));
    assert_eq!(sniffed(b"<?xml version='1.0'?><x/>"), Some(MediaKind::Xml));
    assert_eq!(sniffed(b"<?xml version='1.0'?>\n<!-- c --><rss version='2.0'>"), Some(MediaKind::Feed));
    assert_eq!(sniffed(b"<feed xmlns='http://www.w3.org/2005/Atom'>"), Some(MediaKind::Feed));
    assert_eq!(sniffed(b"<rdf:RDF >"), Some(MediaKind::Feed));
    assert_eq!(sniffed(b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='x'>"), Some(MediaKind::Xhtml));
    assert_eq!(sniffed("héllo".as_bytes()), Some(MediaKind::Text));
    assert_eq!(sniffed(b"a\0b"), Some(MediaKind::Other));
    assert_eq!(sniffed(b"esc \x1b is text"), Some(MediaKind::Text));
    assert_eq!(sniffed(b""), None);
}

#[test]
fn content_belies_a_type_only_where_it_says_so() {
    let belied = |content_type, body: &[u8]| Media::of(Some(content_type), body).contradicted();
    assert!(belied("text/html", b"%PDF-1.4"));
    assert!(belied("text/html", b"\x89PNG\r\n\x1a\n"));
    assert!(belied("text/html", b"\0\x01\x02"));
    assert!(belied("text/html", b"<?xml version='1.0'?><rss>"));
    assert!(belied("text/plain", b"<!doctype html><p>"));
    assert!(belied("application/pdf", b"<!doctype html>"));
    assert!(belied("application/pdf", b"plain words"));
    assert!(belied("image/png", b"<html>"));
    assert!(belied("application/json", b"<html>"));
    assert!(belied("application/rss+xml", b"<!doctype html>"));

    assert!(!belied("text/html", b"just words"));
    assert!(!belied("text/html", b"<section>"));
    assert!(!belied("text/html", b"\xef\xbb\xbf<!doctype html>"));
    assert!(!belied("text/html", b"<?xml version='1.0'?><!DOCTYPE html><html>"));
    assert!(!belied("application/xhtml+xml", b"<?xml version='1.0'?><html>"));
    assert!(!belied("application/xhtml+xml", b"<!doctype html><html>"));
    assert!(!belied("application/xml", b"<?xml version='1.0'?><rss>"));
    assert!(!belied("image/svg+xml", b"<?xml version='1.0'?><svg>"));
    assert!(!belied("image/svg+xml", b"<svg>"));
    assert!(!belied("image/jpeg", b"\x89PNG\r\n\x1a\n"), "one picture for another");
    assert!(!belied("text/css", b"a { color: red }"));
    assert!(!belied("text/plain", b""));
    assert!(!belied("application/zip", b"PK\x03\x04"));
}
