//! Sitemaps as found in the wild, read leniently.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use mapwright_sitemap::{ChangeFreq, CheckRule, DocumentKind, Fault, Item, ReadLimits, Reader};

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

struct Read {
    items: Vec<Item>,
    faults: Vec<Fault>,
    kind: Option<DocumentKind>,
    truncated: bool,
}

impl Read {
    fn locs(&self) -> Vec<&str> {
        self.items.iter().map(Item::loc).collect()
    }

    fn rules(&self) -> Vec<CheckRule> {
        self.faults.iter().map(|fault| fault.rule).collect()
    }
}

fn read(bytes: impl AsRef<[u8]>) -> Read {
    let mut reader = Reader::new(bytes.as_ref(), &ReadLimits::default());
    let items = reader.by_ref().collect();
    Read { items, faults: reader.faults().to_vec(), kind: reader.kind(), truncated: reader.truncated() }
}

fn urlset(body: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NS}\">\n{body}\n</urlset>\n")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn utf_16(text: &str, mark: bool, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn an_entry_is_read_with_all_it_says() {
    let found = read(urlset(
        "<url><loc>https://e.com/a</loc><lastmod>2026-05-06</lastmod><changefreq>daily</changefreq><priority>0.7</priority></url>\n\
         <url>\n <priority>2</priority><changefreq>often</changefreq>\n <lastmod>last week</lastmod><loc>https://e.com/b</loc>\n</url>",
    ));
    let [Item::Page(first), Item::Page(second)] = found.items.as_slice() else { panic!("{:?}", found.items) };
    assert_eq!(first.lastmod.map(|date| date.to_string()).as_deref(), Some("2026-05-06"));
    assert_eq!((first.changefreq, first.priority, first.line), (Some(ChangeFreq::Daily), Some(0.7), 3));
    assert_eq!(
        (second.loc.as_str(), second.lastmod, second.lastmod_text.as_deref()),
        ("https://e.com/b", None, Some("last week"))
    );
    assert_eq!((second.changefreq, second.priority, second.line), (None, None, 4));
    assert_eq!((found.kind, found.truncated, found.rules()), (Some(DocumentKind::UrlSet), false, vec![]));
}

#[test]
fn alternates_in_other_languages_come_with_their_entry() {
    let link = |attributes: &str| format!("<x:link {attributes}/>");
    let links = [
        link("rel='alternate' hreflang='de' href=' https://e.com/de?a&amp;b '"),
        link("href='https://e.com/fr' hreflang=' fr-CH ' rel='nofollow ALTERNATE'"),
        link("rel='alternate' media='handheld' href='https://m.e.com/'"),
        link("rel='canonical' hreflang='it' href='https://e.com/it'"),
        link("rel='alternate' hreflang='es' href='/relative'"),
        "<link rel='alternate' hreflang='nl' href='https://e.com/nl'/>".to_owned(),
        "<i:link rel='alternate' hreflang='pl' href='https://e.com/pl'/>".to_owned(),
    ];
    let found = read(format!(
        "<urlset xmlns='{NS}' xmlns:x='http://www.w3.org/1999/xhtml' xmlns:i='https://e.com/other'>
         <url><loc>https://e.com/a</loc>{}</url><url><loc>https://e.com/b</loc></url></urlset>",
        links.concat()
    ));
    let [Item::Page(first), Item::Page(second)] = found.items.as_slice() else { panic!("{:?}", found.items) };
    let named: Vec<_> = first.alternates.iter().map(|named| (named.code.as_str(), named.loc.as_str())).collect();
    assert_eq!(named, [("de", "https://e.com/de?a&b"), ("fr-CH", "https://e.com/fr")]);
    assert!(second.alternates.is_empty(), "{:?}", second.alternates);
}

#[test]
fn alternates_beyond_the_bound_are_passed_over_and_the_entry_stays() {
    let link = |number: usize| format!("<x:link rel='alternate' hreflang='en' href='https://e.com/{number}'/>");
    let links: String = (0..3_000).map(link).collect();
    let found = read(format!(
        "<urlset xmlns='{NS}' xmlns:x='http://www.w3.org/1999/xhtml'><url>{links}<loc>https://e.com/a</loc></url></urlset>"
    ));
    let [Item::Page(page)] = found.items.as_slice() else { panic!("{:?}", found.items) };
    assert_eq!((page.alternates.len(), found.truncated), (500, false));
}

#[test]
fn an_index_yields_sitemaps() {
    let found = read(format!(
        "<sitemapindex xmlns='{NS}'><sitemap><loc>https://e.com/1.xml</loc><lastmod>2026</lastmod></sitemap></sitemapindex>"
    ));
    assert_eq!(found.items, [Item::Sitemap { loc: "https://e.com/1.xml".into(), lastmod: "2026".parse().ok() }]);
    assert_eq!(found.kind, Some(DocumentKind::Index));
}

#[test]
fn any_namespace_and_prefix_of_the_root_will_do() {
    let entry = "<url><loc>https://e.com/a</loc></url>";
    let prefixed = "<m:url><m:loc>https://e.com/a</m:loc></m:url>";
    for text in [
        format!("<urlset>{entry}</urlset>"),
        format!("<urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'>{entry}</urlset>"),
        format!("<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>{entry}</urlset>"),
        format!("<m:urlset xmlns:m='{NS}'>{prefixed}</m:urlset>"),
        format!("<m:urlset xmlns:m='urn:other'>{prefixed}</m:urlset>"),
        format!("<URLSET>{entry}</URLSET>"),
        format!("<urlset><url xmlns='{NS}'><loc>https://e.com/a</loc></url></urlset>"),
    ] {
        assert_eq!(read(&text).locs(), ["https://e.com/a"], "{text}");
    }
}

#[test]
fn only_the_entry_s_own_loc_counts() {
    let body = "<url><image:image><image:loc>https://e.com/i.png</image:loc><loc>https://e.com/no</loc></image:image>\
                <image:loc>https://e.com/i2.png</image:loc><x:wrap xmlns:x='urn:x'><loc>https://e.com/trap</loc></x:wrap>\
                <loc>https://e.com/a</loc></url>\
                <x:box xmlns:x='urn:x'><url><loc>https://e.com/boxed</loc></url></x:box>\
                <url xmlns='urn:x'><loc>https://e.com/foreign</loc></url>";
    let text =
        format!("<urlset xmlns='{NS}' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>{body}</urlset>");
    assert_eq!(read(text).locs(), ["https://e.com/a"]);
}

#[test]
fn text_in_pieces_is_put_together() {
    let found = read(urlset(
        "<url><loc>\n  https://e.com/<!-- no -->a?x=1&amp;y=&#50;<![CDATA[&z=3]]>&#x26;&apos;&quot;&lt;&gt;  \n</loc></url>",
    ));
    assert_eq!(found.locs(), ["https://e.com/a?x=1&y=2&z=3&'\"<>"]);
}

#[test]
fn a_bare_ampersand_is_forgiven() {
    let found = read(urlset("<url><loc>https://e.com/?a=1&b=2&c=3;d&amp;e</loc></url>"));
    assert_eq!(found.locs(), ["https://e.com/?a=1&b=2&c=3;d&e"]);
    assert!(found.rules().iter().all(|rule| *rule == CheckRule::NotWellFormed) && !found.faults.is_empty());
}

#[test]
fn declared_entities_are_never_resolved() {
    let text = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE urlset SYSTEM 'http://127.0.0.1/x.dtd' [<!ENTITY e 'https://e.com/a'>\n\
         <!ENTITY f SYSTEM 'file:///etc/hostname'> <!-- > ]> --> ]>\n\
         <urlset xmlns='{NS}'>\n<url><loc>&e;</loc></url><url><loc>https://e.com/&f;</loc></url>\
         <url><loc>https://e.com/b</loc></url></urlset>"
    );
    let found = read(text);
    assert_eq!(found.locs(), ["https://e.com/b"]);
    assert_eq!(found.rules(), [CheckRule::Doctype, CheckRule::Entity, CheckRule::Entity]);
}

#[test]
fn gzip_is_known_by_its_bytes_in_any_number_of_members() {
    let text = urlset("<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></url>");
    let (front, back) = text.split_at(text.len() / 2);
    for bytes in [
        gzip(text.as_bytes()),
        [gzip(front.as_bytes()), gzip(b""), gzip(back.as_bytes())].concat(),
        [gzip(text.as_bytes()), vec![0; 512]].concat(),
    ] {
        let found = read(bytes);
        assert_eq!((found.locs(), found.rules()), (vec!["https://e.com/a", "https://e.com/b"], vec![]));
    }
    let found = read([gzip(text.as_bytes()), b"junk".to_vec()].concat());
    assert_eq!((found.locs().len(), found.rules()), (2, vec![CheckRule::Gzip]));
}

#[test]
fn truncated_and_damaged_gzip_gives_what_can_be_had() {
    let body: String = (0..5000).map(|n| format!("<url><loc>https://e.com/{n}</loc></url>\n")).collect();
    let mut packed = gzip(urlset(&body).as_bytes());
    let found = read(&packed[..packed.len() / 2]);
    assert!((500..5000).contains(&found.items.len()), "{}", found.items.len());
    assert_eq!((found.rules(), found.truncated), (vec![CheckRule::Gzip], true));

    let crc = packed.len() - 8;
    packed[crc] ^= 1;
    let found = read(&packed);
    assert_eq!((found.items.len(), found.rules()), (5000, vec![CheckRule::Gzip]));
    assert_eq!(read(&packed[..11]).rules(), [CheckRule::Gzip]);
}

#[test]
fn encodings_are_read_as_marked_or_declared() {
    let text = |declared: &str| {
        format!(
            "<?xml version='1.0' encoding='{declared}'?>\n<urlset xmlns='{NS}'><url><loc>https://e.com/é</loc></url></urlset>"
        )
    };
    let latin: Vec<u8> = text("ISO-8859-1").chars().map(|c| c as u8).collect();
    let cases = [
        text("UTF-8").into_bytes(),
        format!("\u{FEFF}{}", text("utf-8")).into_bytes(),
        text("UTF-16").into_bytes(),
        text("unheard-of").into_bytes(),
        latin,
        utf_16(&text("UTF-16"), true, u16::to_le_bytes),
        utf_16(&text("UTF-16"), true, u16::to_be_bytes),
        utf_16(&text("UTF-16"), false, u16::to_le_bytes),
        utf_16(&text("UTF-16"), false, u16::to_be_bytes),
    ];
    for bytes in cases {
        let found = read(&bytes);
        assert_eq!(found.locs(), ["https://e.com/é"], "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn bad_bytes_spoil_one_character_and_no_more() {
    let found = read(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url><loc>https://e.com/\xFF</loc></url>\n<url><loc>https://e.com/b</loc></url></urlset>");
    assert_eq!(found.locs(), ["https://e.com/\u{FFFD}", "https://e.com/b"]);
    assert_eq!((found.rules(), found.faults[0].line), (vec![CheckRule::Encoding], 2));
}

#[test]
fn what_stands_before_the_document_is_passed_over() {
    let entry = "<url><loc>https://e.com/a</loc></url>";
    for junk in ["\n\n", "  ", "Notice: undefined index in /srv/map.php\n"] {
        let found = read(format!("{junk}{}", urlset(entry)));
        assert_eq!(found.locs(), ["https://e.com/a"], "{junk:?}");
        assert!(found.rules().iter().all(|rule| *rule == CheckRule::NotWellFormed) && !found.faults.is_empty());
    }
}

#[test]
fn a_broken_document_gives_what_comes_before_the_break() {
    let good = "<url><loc>https://e.com/a</loc></url><url><loc>https://e.com/b</loc></url>";
    for broken in [
        "<url><loc>https://e.com/c</loc>",
        "<url><loc>https://e.com/c",
        "<url><loc>https://e.com/c</url></loc><url><loc>https://e.com/d</loc></url>",
        "<url><loc attr='https://e.com/c</loc></url>",
        "<url><!-- ",
        "<url><![CDATA[",
        "<",
        "<!",
        "</nothing>",
        "< url>",
    ] {
        let found = read(format!("<urlset xmlns='{NS}'>{good}{broken}"));
        assert_eq!(found.locs(), ["https://e.com/a", "https://e.com/b"], "{broken}");
        assert_eq!((found.rules(), found.truncated), (vec![CheckRule::NotWellFormed], true), "{broken}");
    }
}

#[test]
fn unusable_locations_are_left_out_and_reported() {
    let cases = [
        ("<url></url>", CheckRule::LocMissing),
        ("<url><loc></loc></url>", CheckRule::LocEmpty),
        ("<url><loc>  </loc></url>", CheckRule::LocEmpty),
        ("<url><loc>/a</loc></url>", CheckRule::LocRelative),
        ("<url><loc>www.e.com/a</loc></url>", CheckRule::LocRelative),
        ("<url><loc>mailto:a@e.com</loc></url>", CheckRule::LocRelative),
        ("<url><loc>https://e.com/a&#1;b</loc></url>", CheckRule::ForbiddenCharacter),
        ("<url><loc>https://e.com/a&#x85;b</loc></url>", CheckRule::LocEscape),
        ("<url><loc>https://e.com/a&nbsp;b</loc></url>", CheckRule::Entity),
    ];
    for (entry, rule) in cases {
        let found = read(urlset(&format!("{entry}\n<url><loc>https://e.com/z</loc></url>")));
        assert_eq!((found.locs(), found.rules()), (vec!["https://e.com/z"], vec![rule]), "{entry}");
        assert_eq!(found.faults[0].line, 3, "{entry}");
    }
}

#[test]
fn a_url_broken_over_lines_is_put_together() {
    let found = read(urlset("<url><loc>https://e.com/long\n\t/path</loc></url>"));
    assert_eq!((found.locs(), found.rules()), (vec!["https://e.com/long/path"], vec![CheckRule::LocEscape]));
}

#[test]
fn mixed_sitemaps_and_pages_are_distinguished() {
    let found = read(urlset(
        "<url><loc>https://e.com/a</loc></url><sitemap><loc>https://e.com/s.xml</loc></sitemap><url><loc>https://e.com/b</loc></url>",
    ));
    assert!(
        matches!(found.items.as_slice(), [Item::Page(_), Item::Sitemap { .. }, Item::Page(_)]),
        "{:?}",
        found.items
    );
}

#[test]
fn what_is_no_sitemap_has_no_items() {
    for text in [
        "<!DOCTYPE html><html><head><title>404</title></head><body><a href='https://e.com/'>x</a></body></html>",
        "<html><p>unclosed",
        "<sitemaps><url><loc>https://e.com/a</loc></url></sitemaps>",
        "{\"urls\": [\"https://e.com/a\"]}",
        "\0\u{1}\u{2}binary",
        "",
        "   \n",
        "<?xml version='1.0'?>",
        "<!-- nothing -->",
    ] {
        let found = read(text);
        assert_eq!((found.items.len(), found.kind), (0, None), "{text:?}");
        assert!(found.rules().contains(&CheckRule::Root), "{text:?}: {:?}", found.faults);
    }
    assert!(read("<html></html>").faults[0].what.contains("HTML"));
}

#[test]
fn text_sitemaps_are_read_with_any_line_end() {
    let found = read("\u{FEFF}https://e.com/a\r\n\r\n  HTTP://e.com/b\rhttps://e.com/c\n\nhttps://e.com/d");
    assert_eq!(found.locs(), ["https://e.com/a", "HTTP://e.com/b", "https://e.com/c", "https://e.com/d"]);
    assert_eq!((found.kind, found.rules()), (Some(DocumentKind::Text), vec![]));
    let lines: Vec<_> =
        found.items.iter().map(|item| if let Item::Page(page) = item { page.line } else { 0 }).collect();
    assert_eq!(lines, [1, 3, 4, 6]);
    let wide = utf_16("https://e.com/ä\nhttps://e.com/b", true, u16::to_le_bytes);
    assert_eq!(read(wide).locs(), ["https://e.com/ä", "https://e.com/b"]);
    assert_eq!(read(gzip(b"https://e.com/a\n")).locs(), ["https://e.com/a"]);
}

#[test]
fn lines_that_are_no_urls_are_reported() {
    let found = read("My sitemap\nhttps://e.com/a\nwww.e.com\nhttps://e.com/b https://e.com/c\nhttps://e.com/d\n");
    assert_eq!(found.locs(), ["https://e.com/a", "https://e.com/d"]);
    let lines: Vec<_> = found.faults.iter().map(|fault| (fault.line, fault.rule)).collect();
    assert_eq!(lines, [(1, CheckRule::TextLine), (3, CheckRule::TextLine), (4, CheckRule::TextLine)]);
}

#[test]
fn an_input_that_fails_gives_what_it_gave() {
    struct Failing(usize);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let text = b"https://e.com/a\n";
            self.0 += 1;
            match self.0 {
                1 => Err(std::io::ErrorKind::Interrupted.into()),
                2 => {
                    buffer[..text.len()].copy_from_slice(text);
                    Ok(text.len())
                }
                _ => Err(std::io::ErrorKind::ConnectionReset.into()),
            }
        }
    }
    let mut reader = Reader::new(std::io::BufReader::new(Failing(0)), &ReadLimits::default());
    assert_eq!(reader.by_ref().count(), 1);
    assert_eq!((reader.faults()[0].rule, reader.truncated()), (CheckRule::Unreadable, true));
}

#[test]
fn an_input_that_drips_reads_the_same() {
    let text = urlset("<url><loc>https://e.com/ä</loc></url>\n<url><loc>https://e.com/b</loc></url>");
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let drip = std::io::BufReader::with_capacity(1, bytes.as_slice());
        let reader = Reader::new(drip, &ReadLimits::default());
        assert_eq!(reader.count(), 2);
    }
}
