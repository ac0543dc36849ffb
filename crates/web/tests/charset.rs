//! The encoding of a document (HTML 13.2.3.2).

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use encoding_rs::{
    EUC_JP, EUC_KR, Encoding, GB18030, GBK, KOI8_R, KOI8_U, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use mapwright_web::charset::decode;
use mapwright_web::page::EncodingFrom;

#[track_caller]
fn read(bytes: &[u8], content_type: Option<&str>, encoding: &'static Encoding, from: EncodingFrom) -> String {
    let decoded = decode(bytes, content_type);
    assert_eq!((decoded.encoding.name(), decoded.from), (encoding.name(), from));
    decoded.text.into_owned()
}

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, lossy) = encoding.encode(text);
    assert!(!lossy, "{text} is not in {}", encoding.name());
    bytes.into_owned()
}

#[test]
fn a_mark_beats_the_header_and_the_header_beats_meta() {
    let page = b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9";
    let text = read(page, Some("text/html; charset=windows-1252"), UTF_8, EncodingFrom::Bom);
    assert_eq!(text, "<meta charset=koi8-r>é", "the mark is no text");
    let text =
        read(b"<meta charset=utf-8>\xe9", Some("text/html; charset=iso-8859-1"), WINDOWS_1252, EncodingFrom::Header);
    assert!(text.ends_with('é'));
}

#[test]
fn iso_8859_1_means_windows_1252() {
    assert_eq!(read(b"\x80", Some("text/html;charset=ISO-8859-1"), WINDOWS_1252, EncodingFrom::Header), "€");
    assert_eq!(read(b"\x80", Some("text/html; x=y; Charset=\"latin1\""), WINDOWS_1252, EncodingFrom::Header), "€");
}

#[test]
fn every_supported_encoding_is_read_by_header_and_by_meta() {
    let cases = [
        (SHIFT_JIS, "日本語のページ"),
        (EUC_JP, "日本語のページ"),
        (WINDOWS_1252, "café €"),
        (KOI8_R, "Привет"),
        (EUC_KR, "한국어"),
        (GB18030, "中文网页"),
    ];
    for (encoding, words) in cases {
        let header = format!("text/html; charset={}", encoding.name());
        assert_eq!(read(&encoded(words, encoding), Some(&header), encoding, EncodingFrom::Header), words);
        let page = format!("<html><head><meta charset=\"{}\"><title>{words}</title>", encoding.name());
        assert_eq!(read(&encoded(&page, encoding), Some("text/html"), encoding, EncodingFrom::Meta), page);
        let label = encoding.name();
        let page = format!("<META content='text/html; charset={label}' http-equiv=Content-Type>{words}");
        assert_eq!(read(&encoded(&page, encoding), None, encoding, EncodingFrom::Meta), page);
    }
}

#[test]
fn utf_16_is_read_by_mark_and_by_header() {
    let little: Vec<u8> = "<p>é".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "<p>é".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(read(&[b"\xff\xfe", &little[..]].concat(), None, UTF_16LE, EncodingFrom::Bom), "<p>é");
    assert_eq!(read(&[b"\xfe\xff", &big[..]].concat(), Some("text/html"), UTF_16BE, EncodingFrom::Bom), "<p>é");
    assert_eq!(read(&little, Some("text/html; charset=utf-16"), UTF_16LE, EncodingFrom::Header), "<p>é");
    assert_eq!(read(&big, Some("text/html; charset=utf-16be"), UTF_16BE, EncodingFrom::Header), "<p>é");
}

#[test]
fn meta_utf_16_means_utf_8_and_x_user_defined_windows_1252() {
    read("<meta charset=utf-16le>é".as_bytes(), None, UTF_8, EncodingFrom::Meta);
    read(b"<meta charset=x-user-defined>\xe9", None, WINDOWS_1252, EncodingFrom::Meta);
}

#[test]
fn the_prescan_skips_comments_and_other_tags() {
    for page in [
        "<!-- <meta charset=koi8-r> --><meta charset=shift_jis>",
        "<!--><meta charset=shift_jis>",
        "<p title='<meta charset=koi8-r>'><meta charset=shift_jis>",
        "</p title=\"<meta charset=koi8-r>\"><meta charset=shift_jis>",
        "<!doctype html><?x <?><meta/charset=shift_jis>",
        "<meta name=x><meta a=b charset='shift_jis' charset=koi8-r>",
        "<metax charset=koi8-r><meta charset=\"shift_jis\">",
        "<meta charset=nonsense><meta charset=shift_jis>",
        "<meta content='charset=koi8-r'><meta charset=shift_jis>",
        "<meta http-equiv=content-type content='text/html; charsetx charset = \"shift_jis\"; y'>",
        "<meta http-equiv=content-type content='charset=shift_jis;x' charset=>",
    ] {
        let decoded = decode(page.as_bytes(), None);
        if page.ends_with("charset=>") {
            continue;
        }
        assert_eq!((decoded.encoding.name(), decoded.from), ("Shift_JIS", EncodingFrom::Meta), "{page}");
    }
}

#[test]
fn a_charset_that_names_nothing_voids_its_meta() {
    // The attribute `charset` sets the result whatever its value (step "get an encoding": failure).
    let decoded = decode(b"<meta http-equiv=content-type content='charset=shift_jis' charset=nonsense>", None);
    assert_eq!(decoded.from, EncodingFrom::Detected);
}

#[test]
fn only_the_first_1024_bytes_are_prescanned() {
    let meta = "<meta charset=shift_jis>";
    let near = format!("{}{meta}", " ".repeat(1_024 - meta.len()));
    assert_eq!(decode(near.as_bytes(), None).from, EncodingFrom::Meta);
    let far = format!("{}{meta}", " ".repeat(1_025 - meta.len()));
    assert_eq!(decode(far.as_bytes(), None).from, EncodingFrom::Detected);
}

#[test]
fn a_charset_that_names_nothing_voids_its_meta_wherever_it_stands() {
    let decoded = decode(b"<meta charset=nonsense http-equiv=content-type content='charset=shift_jis'>", None);
    assert_eq!(decoded.from, EncodingFrom::Detected);
}

#[test]
fn a_meta_says_nothing_of_the_encoding_of_xml() {
    let page = "<html><head><meta charset='iso-8859-1'/></head>é</html>";
    read(page.as_bytes(), Some("application/xhtml+xml"), UTF_8, EncodingFrom::Detected);
    let page = b"<?xml version='1.0' encoding='koi8-r'?><meta charset='iso-8859-1'/>";
    read(page, Some("application/xhtml+xml"), KOI8_R, EncodingFrom::Meta);
}

#[test]
fn an_xml_declaration_counts_and_xml_without_one_is_utf_8() {
    read(b"<?xml version='1.0' encoding='EUC-JP'?><html/>", Some("application/xhtml+xml"), EUC_JP, EncodingFrom::Meta);
    read("<html>é</html>".as_bytes(), Some("application/xhtml+xml"), UTF_8, EncodingFrom::Detected);
    read(b"<?xml version=\"1.0\" encoding = \"koi8-r\" ?><html>", Some("text/html"), KOI8_R, EncodingFrom::Meta);
}

#[test]
fn unlabelled_pages_are_detected() {
    read("Déjà vu — naïve café".as_bytes(), None, UTF_8, EncodingFrom::Detected);
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(20);
    // KOI8-U is KOI8-R with a few more characters: if both are possible, detection prefers the larger one.
    assert_eq!(read(&encoded(&russian, KOI8_R), None, KOI8_U, EncodingFrom::Detected), russian);
    let japanese = "日本語のページです。これは文字コードの宣言がありません。".repeat(20);
    read(&encoded(&japanese, SHIFT_JIS), None, SHIFT_JIS, EncodingFrom::Detected);
    read(&encoded(&japanese, EUC_JP), None, EUC_JP, EncodingFrom::Detected);
    let escaped = encoded(&japanese, encoding_rs::ISO_2022_JP);
    assert_eq!(read(&escaped, None, encoding_rs::ISO_2022_JP, EncodingFrom::Detected), japanese);
    let late = [" ".repeat(2 << 20).as_bytes(), &encoded(&japanese, EUC_JP)].concat();
    read(&late, None, EUC_JP, EncodingFrom::Detected);
    read(b"plain", None, WINDOWS_1252, EncodingFrom::Detected);
    read(b"", None, WINDOWS_1252, EncodingFrom::Detected);
}

#[test]
fn an_unknown_label_in_the_header_is_passed_over() {
    read(b"<meta charset=koi8-r>", Some("text/html; charset=nonsense"), KOI8_R, EncodingFrom::Meta);
    read(b"<meta charset=koi8-r>", Some("text/html; charset="), KOI8_R, EncodingFrom::Meta);
}

#[test]
fn malformed_bytes_are_replaced_and_reported() {
    let decoded = decode(b"a\xffb", Some("text/html; charset=utf-8"));
    assert_eq!(decoded.text, "a\u{fffd}b");
    assert!(decoded.had_errors);
    assert!(!decode(b"ab", Some("text/html; charset=utf-8")).had_errors);
}

#[test]
fn the_last_valid_of_several_content_types_decides_the_encoding() {
    let cases = [
        ("text/html;charset=gbk, text/html", GBK),
        ("text/html;charset=gbk, */*;charset=koi8-r, text/html", GBK),
        ("text/plain;charset=gbk, text/html;charset=koi8-r", KOI8_R),
        ("text/html;charset=gbk, text/html;charset=koi8-r", KOI8_R),
        ("text/plain;charset=gbk, text/html", WINDOWS_1252),
        ("text/html, charset=gbk", GBK),
        (r#"text/html; q="a;charset=utf-8"; charset=koi8-r"#, KOI8_R),
        (r#"text/html; q="a\";charset=utf-8,"; charset="koi8-r""#, KOI8_R),
    ];
    for (content_type, encoding) in cases {
        assert_eq!(decode(b"<p>plain", Some(content_type)).encoding, encoding, "{content_type}");
    }
}
