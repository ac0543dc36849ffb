//! Character encodings: WHATWG HTML 13.2.3 (byte-order mark, header, `meta`, detection) and WHATWG URL (a path is
//! UTF-8, a query is in the encoding of the document).

use encoding_rs::{EUC_JP, EUC_KR, Encoding, GB18030, GBK, KOI8_R, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
use mapwright_e2e::Cases;
use mapwright_testkit::Response;

/// A language, its encoding, and words whose bytes are known.
struct Tongue {
    encoding: &'static Encoding,
    /// The label by which documents name the encoding.
    label: &'static str,
    path: &'static str,
    query: &'static str,
    /// The path on the wire: UTF-8, whatever the document's encoding.
    path_on_wire: &'static str,
    /// The query on the wire: the bytes of the document's encoding.
    query_on_wire: &'static str,
    /// A text that is long enough to detect the encoding.
    prose: &'static str,
}

const TONGUES: [Tongue; 7] = [
    Tongue {
        encoding: SHIFT_JIS,
        label: "shift_jis",
        path: "日本",
        query: "検索",
        path_on_wire: "%E6%97%A5%E6%9C%AC",
        query_on_wire: "%8C%9F%8D%F5",
        prose: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた。",
    },
    Tongue {
        encoding: EUC_JP,
        label: "euc-jp",
        path: "日本",
        query: "検索",
        path_on_wire: "%E6%97%A5%E6%9C%AC",
        query_on_wire: "%B8%A1%BA%F7",
        prose: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた。",
    },
    Tongue {
        encoding: WINDOWS_1252,
        label: "windows-1252",
        path: "café",
        query: "é€",
        path_on_wire: "caf%C3%A9",
        query_on_wire: "%E9%80",
        prose: "Les élèves français étaient très fatigués après l'été passé à la forêt où naît le chêne ; ça coûte dix €.",
    },
    Tongue {
        encoding: KOI8_R,
        label: "koi8-r",
        path: "мир",
        query: "поиск",
        path_on_wire: "%D0%BC%D0%B8%D1%80",
        query_on_wire: "%D0%CF%C9%D3%CB",
        prose: "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Все смешалось в доме.",
    },
    Tongue {
        encoding: EUC_KR,
        label: "euc-kr",
        path: "한국",
        query: "검색",
        path_on_wire: "%ED%95%9C%EA%B5%AD",
        query_on_wire: "%B0%CB%BB%F6",
        prose: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.",
    },
    Tongue {
        encoding: GB18030,
        label: "gb18030",
        path: "中文",
        query: "搜索",
        path_on_wire: "%E4%B8%AD%E6%96%87",
        query_on_wire: "%CB%D1%CB%F7",
        prose: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    },
    Tongue {
        encoding: WINDOWS_1251,
        label: "windows-1251",
        path: "мир",
        query: "поиск",
        path_on_wire: "%D0%BC%D0%B8%D1%80",
        query_on_wire: "%EF%EE%E8%F1%EA",
        prose: "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Все смешалось в доме.",
    },
];

impl Tongue {
    /// A page in this encoding with one link and this head.
    fn page(&self, head: &str) -> Vec<u8> {
        let (path, query, prose) = (self.path, self.query, self.prose);
        let html = format!(
            "<!doctype html><html><head>{head}<title>{prose}</title></head><body><p>{prose}</p>\
             <a href=\"{path}?q={query}\">{query}</a></body></html>"
        );
        encoded(self.encoding, &html)
    }

    fn on_wire(&self) -> String {
        format!("{}?q={}", self.path_on_wire, self.query_on_wire)
    }
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "the test's own text fits its encoding");
    bytes.into_owned()
}

fn typed(content_type: &str, body: Vec<u8>) -> Response {
    Response::new(200).content_type(content_type).body(body)
}

#[test]
fn the_header_names_the_encoding() {
    let mut cases = Cases::open();
    for tongue in &TONGUES {
        let answer = typed(&format!("text/html; charset={}", tongue.label), tongue.page(""));
        cases.case(tongue.label).answer("", answer).lists(&[&tongue.on_wire()]);
    }
    let [japanese, ..] = &TONGUES;
    let answer = typed("TEXT/HTML;Charset=\"Shift_JIS\"", japanese.page(""));
    cases.case("in quotes, in any case").answer("", answer).lists(&[&japanese.on_wire()]);
    cases.check();
}

#[test]
fn meta_names_the_encoding() {
    let mut cases = Cases::open();
    for tongue in &TONGUES {
        let label = tongue.label;
        let answer = typed("text/html", tongue.page(&format!("<meta charset={label}>")));
        cases.case(&format!("charset {label}")).answer("", answer).lists(&[&tongue.on_wire()]);
        let pragma = format!("<meta http-equiv='Content-Type' content='text/html; charset={label}'>");
        let answer = typed("text/html", tongue.page(&pragma));
        cases.case(&format!("http-equiv {label}")).answer("", answer).lists(&[&tongue.on_wire()]);
    }
    cases.check();
}

#[test]
fn meta_is_prescanned_as_the_standard_says() {
    // HTML 13.2.3.2, prescan a byte stream to determine its encoding.
    let [sjis, euc, latin, koi, ..] = &TONGUES;
    let mut cases = Cases::open();
    let mut case = |name: &str, tongue: &Tongue, head: &str| {
        cases.case(name).answer("", typed("text/html", tongue.page(head))).lists(&[&tongue.on_wire()]);
    };
    case("not in a comment", koi, "<!-- <meta charset=utf-8> --><meta charset=koi8-r>");
    case("the first counts", koi, "<meta charset=koi8-r><meta charset=utf-8>");
    case("an unknown label is passed over", sjis, "<meta charset=nonsense><meta charset=shift_jis>");
    case("another label of the same encoding", sjis, "<meta charset=x-sjis>");
    case("iso-8859-1 means windows-1252", latin, "<meta charset=iso-8859-1>");
    case("ascii means windows-1252", latin, "<meta charset=us-ascii>");
    case("upper case, with a slash", euc, "<META CHARSET=\"EUC-JP\" />");
    case("content before http-equiv", euc, "<meta content=\"text/html; charset = 'euc-jp'\" http-equiv=content-type>");
    let filler = format!("<!-- {} --><meta charset=koi8-r>", "x".repeat(900));
    case("near the end of the first 1,024 bytes", koi, &filler);
    let utf16 = Tongue { encoding: UTF_8, query_on_wire: "%C3%A9%E2%82%AC", ..*latin };
    case("utf-16 in meta means UTF-8", &utf16, "<meta charset=utf-16>");
    cases.check();
}

#[test]
fn an_undeclared_encoding_is_detected() {
    let mut cases = Cases::open();
    for tongue in &TONGUES {
        let case = cases.case(tongue.label);
        let on_wire = match tongue.encoding {
            // The detected encoding is GBK, which has the same bytes for these characters.
            encoding if encoding == GB18030 || encoding == GBK => "%E4%B8%AD%E6%96%87?q=%CB%D1%CB%F7".to_owned(),
            _ => tongue.on_wire(),
        };
        case.answer("", typed("text/html", tongue.page(""))).lists(&[&on_wire]);
    }
    let utf8 = Tongue { encoding: UTF_8, query_on_wire: "%E6%A4%9C%E7%B4%A2", ..TONGUES[0] };
    cases.case("UTF-8").answer("", typed("text/html", utf8.page(""))).lists(&[&utf8.on_wire()]);
    cases.check();
}

#[test]
fn a_byte_order_mark_names_the_encoding() {
    let html = "<!doctype html><title>x</title><p>日本語</p><a href='日本?q=検索'>x</a>";
    let on_wire = "%E6%97%A5%E6%9C%AC?q=%E6%A4%9C%E7%B4%A2";
    let utf8 = ["\u{feff}", html].concat().into_bytes();
    let marked: String = format!("\u{feff}{html}");
    let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut cases = Cases::open();
    // WHATWG URL: the query of a UTF-16 document is UTF-8 (Encoding, "get an output encoding").
    for (name, bytes) in [("UTF-8", &utf8), ("UTF-16, little-endian", &little), ("UTF-16, big-endian", &big)] {
        cases.case(name).answer("", typed("text/html", bytes.clone())).lists(&[on_wire]);
        let header = typed("text/html; charset=windows-1252", bytes.clone());
        cases.case(&format!("{name} beats the header")).answer("", header).lists(&[on_wire]);
    }
    let mut misled = "\u{feff}<!doctype html><meta charset=koi8-r>".to_owned();
    misled.push_str(html);
    cases.case("UTF-8 beats meta").answer("", typed("text/html", misled.into_bytes())).lists(&[on_wire]);
    cases.check();
}

#[test]
fn utf_16_by_header_is_read() {
    let html = "<!doctype html><title>x</title><p>日本語</p><a href='日本?q=検索'>x</a>";
    let on_wire = "%E6%97%A5%E6%9C%AC?q=%E6%A4%9C%E7%B4%A2";
    let little: Vec<u8> = html.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = html.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut cases = Cases::open();
    cases.case("utf-16le").answer("", typed("text/html; charset=utf-16le", little.clone())).lists(&[on_wire]);
    cases.case("utf-16 is little-endian").answer("", typed("text/html; charset=utf-16", little)).lists(&[on_wire]);
    cases.case("utf-16be").answer("", typed("text/html; charset=utf-16be", big)).lists(&[on_wire]);
    cases.check();
}

#[test]
fn the_header_beats_meta_and_an_unknown_header_does_not() {
    let [sjis, _, latin, koi, ..] = &TONGUES;
    let mut cases = Cases::open();
    let answer = typed("text/html; charset=windows-1252", latin.page("<meta charset=utf-8>"));
    cases.case("header before meta").answer("", answer).lists(&[&latin.on_wire()]);
    let answer = typed("text/html; charset=nonsense", koi.page("<meta charset=koi8-r>"));
    cases.case("an unknown label in the header").answer("", answer).lists(&[&koi.on_wire()]);
    let answer = typed("text/html; charset=", sjis.page("<meta charset=shift_jis>"));
    cases.case("an empty label in the header").answer("", answer).lists(&[&sjis.on_wire()]);
    cases.check();
}

#[test]
fn queries_keep_characters_that_their_encoding_lacks_and_existing_escapes() {
    let mut cases = Cases::open();
    let mut case = |name: &str, encoding: &'static Encoding, href: &str, on_wire: &str| {
        let html = format!("<!doctype html><title>x</title><a href='{href}'>x</a>");
        let answer = typed(&format!("text/html; charset={}", encoding.name()), encoded(encoding, &html));
        cases.case(name).answer("", answer).lists(&[on_wire]);
    };
    // WHATWG URL, percent-encode after encoding: a character that the encoding lacks becomes the reference `&#26085;`,
    // percent-encoded.
    case("a character that the encoding lacks", WINDOWS_1252, "p?q=&#26085;", "p?q=%26%2326085%3B");
    case("escapes in the query stay", SHIFT_JIS, "p?q=%E3%81%82", "p?q=%E3%81%82");
    case("escapes in the path stay", SHIFT_JIS, "%93%FA", "%93%FA");
    // Shift_JIS 0x95 0x5C: the second byte is a back slash, which RFC 3986 does not allow raw.
    case("a second byte that is ASCII", SHIFT_JIS, "p?q=表", "p?q=%95%5C");
    // GB18030 0x81 0x39 0xEE 0x39: digits are unreserved.
    case("four bytes, two of them digits", GB18030, "p?q=㐀", "p?q=%819%EE9");
    case("a fragment changes nothing", KOI8_R, "p?q=а#б", "p?q=%C1");
    case("references are characters, not bytes", KOI8_R, "p?q=&#1072;", "p?q=%C1");
    cases.check();
}
