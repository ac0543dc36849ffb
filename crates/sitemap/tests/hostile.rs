//! Hostile documents: each is bounded in time and memory, and every good entry is found.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use std::io::{BufReader, Read, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use mapwright_sitemap::{CheckRule, ReadLimits, Reader};

const HEAD: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n";
const GOOD: &str = "<url><loc>https://e.com/good</loc></url>\n";

/// Text that is generated during reading, so that the test holds none of it.
struct Endless<'t> {
    front: &'t [u8],
    filler: &'t [u8],
    repeats: usize,
    back: &'t [u8],
    at: usize,
}

impl<'t> Endless<'t> {
    fn new(front: &'t str, filler: &'t str, repeats: usize, back: &'t str) -> BufReader<Self> {
        let [front, filler, back] = [front, filler, back].map(str::as_bytes);
        BufReader::new(Self { front, filler, repeats, back, at: 0 })
    }
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut length = 0;
        while length < buffer.len() {
            if self.front.is_empty() {
                let next = if self.repeats > 0 { self.filler } else { std::mem::take(&mut self.back) };
                self.repeats = self.repeats.saturating_sub(1);
                self.front = next;
                self.at += 1;
                if next.is_empty() {
                    break;
                }
            }
            let taken = self.front.read(&mut buffer[length..])?;
            length += taken;
        }
        Ok(length)
    }
}

fn large() -> ReadLimits {
    ReadLimits { bytes: u64::MAX, ..ReadLimits::default() }
}

/// The locations and the violated rules.
fn read(input: impl std::io::BufRead, limits: &ReadLimits) -> (Vec<String>, Vec<CheckRule>) {
    let mut reader = Reader::new(input, limits);
    let locs = reader.by_ref().map(|item| item.loc().to_owned()).collect();
    (locs, reader.faults().iter().map(|fault| fault.rule).collect())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn a_location_of_100_mb_is_dropped_and_the_next_entry_is_read() {
    let front = format!("{HEAD}{GOOD}<url><loc>https://e.com/");
    let back = format!("</loc></url>{GOOD}</urlset>");
    let filler = "x".repeat(1 << 20);
    let (locs, rules) = read(Endless::new(&front, &filler, 100, &back), &large());
    assert_eq!((locs, rules), (vec!["https://e.com/good".into(); 2], vec![CheckRule::LocLength]));
}

#[test]
fn a_location_of_100_mb_of_wide_characters_is_dropped_too() {
    let front = format!("{HEAD}{GOOD}<url><loc>https://e.com/");
    let back = format!("</loc></url>{GOOD}</urlset>");
    let filler = "語".repeat(1 << 18);
    let (locs, rules) = read(Endless::new(&front, &filler, 100, &back), &large());
    assert_eq!((locs.len(), rules), (2, vec![CheckRule::LocLength]));
}

#[test]
fn blanks_without_end_around_a_location_do_no_harm() {
    let front = format!("{HEAD}<url><loc>");
    let back = format!("</loc></url>{GOOD}</urlset>");
    let filler = " \n".repeat(1 << 10);
    let (locs, _) =
        read(Endless::new(&front, &filler, 4, &format!("https://e.com/a{}{back}", " ".repeat(20_000))), &large());
    assert_eq!(locs, ["https://e.com/a", "https://e.com/good"]);
}

#[test]
fn comments_instructions_and_cdata_of_40_mb_are_read_on() {
    let filler = "x".repeat(1 << 20);
    for (begin, end) in [("<!-- ", "-->"), ("<?pi ", "?>"), ("<x:f xmlns:x='urn:x'><![CDATA[", "]]></x:f>")] {
        let (front, back) = (format!("{HEAD}{GOOD}{begin}"), format!("{end}{GOOD}</urlset>"));
        let (locs, rules) = read(Endless::new(&front, &filler, 40, &back), &large());
        assert_eq!((locs.len(), rules), (2, vec![]), "{begin}");
    }
    let (front, back) = (format!("{HEAD}<url><loc><![CDATA["), format!("]]></loc></url>{GOOD}</urlset>"));
    let (locs, rules) = read(Endless::new(&front, &filler, 40, &back), &large());
    assert_eq!((locs.len(), rules), (1, vec![CheckRule::LocLength]));
}

#[test]
fn it_makes_no_difference_where_a_comment_or_cdata_is_parted() {
    let limits = ReadLimits { markup_bytes: 128, ..ReadLimits::default() };
    let entry = |of: &str| format!("<url><loc><![CDATA[https://e.com/{of}]]></loc></url>");
    for pad in 0..300 {
        let pad = "é".repeat(pad / 2) + &"x".repeat(pad % 2);
        let (comment, instruction) = (format!("<!--{pad}- ->]]>?> -->"), format!("<?p {pad}???-->? >?>"));
        let mut locs = vec![format!("https://e.com/{pad}]a]]b]]"), format!("https://e.com/->--{pad}")];
        let entries = format!("{}{}", entry(&format!("{pad}]a]]b]]")), entry(&format!("->--{pad}")));
        let text = format!("{comment}{instruction}{HEAD}{comment}{entries}{instruction}{GOOD}</urlset>{comment}");
        locs.push("https://e.com/good".into());
        assert_eq!(read(text.as_bytes(), &limits), (locs, vec![]), "{pad}");
    }
    let twice = format!("{HEAD}<!--{}-- -->{GOOD}</urlset>", "x".repeat(300));
    assert_eq!(read(twice.as_bytes(), &limits).1, [CheckRule::NotWellFormed]);
}

#[test]
fn markup_without_end_stops_the_reading_in_bounded_memory() {
    let filler = "x".repeat(1 << 20);
    for begin in ["<!-- ", "<url a='", "<url ", "<x:f xmlns:x='urn:x'><![CDATA[", "<?pi ", "<!DOCTYPE a [ <!-- "] {
        let front = format!("{HEAD}{GOOD}{begin}");
        let (locs, rules) = read(Endless::new(&front, &filler, 40, ""), &large());
        assert_eq!((locs.len(), rules.len()), (1, 1), "{begin}: {rules:?}");
        assert!(matches!(rules[0], CheckRule::ReaderLimit | CheckRule::NotWellFormed), "{begin}: {rules:?}");
    }
}

#[test]
fn a_reference_without_end_is_text_that_is_cut() {
    let front = format!("{HEAD}<url><loc>https://e.com/&");
    let back = format!("</loc></url>{GOOD}</urlset>");
    let (locs, rules) = read(Endless::new(&front, &"x".repeat(1 << 20), 40, &back), &large());
    assert_eq!(
        (locs, rules),
        (vec!["https://e.com/good".into()], vec![CheckRule::NotWellFormed, CheckRule::LocLength])
    );
}

#[test]
fn a_tag_with_too_many_attributes_stops_the_reading() {
    let attributes: String = (0..80_000).map(|number| format!(" a{number}='x'")).collect();
    let text = format!("{HEAD}{GOOD}<url{attributes}><loc>https://e.com/no</loc></url>{GOOD}</urlset>");
    let (locs, rules) = read(text.as_bytes(), &large());
    assert_eq!((locs.len(), rules), (1, vec![CheckRule::ReaderLimit]));
}

#[test]
fn prefixes_without_end_are_not_remembered() {
    let prefixes: String = (0..1000).map(|number| format!(" xmlns:p{number}='urn:{number}'")).collect();
    let text = format!("{HEAD}<url{prefixes}><loc>https://e.com/a</loc></url>{GOOD}</urlset>");
    let (locs, rules) = read(text.as_bytes(), &large());
    assert_eq!(locs, ["https://e.com/a", "https://e.com/good"]);
    assert!(rules.iter().all(|rule| *rule == CheckRule::ReaderLimit) && !rules.is_empty());
}

#[test]
fn deep_nesting_stops_the_reading() {
    let front = format!("{HEAD}{GOOD}<url>");
    let (locs, rules) = read(Endless::new(&front, "<a>", 3_000_000, ""), &large());
    assert_eq!((locs.len(), rules), (1, vec![CheckRule::UnknownElement, CheckRule::ReaderLimit]));
}

/// The parser keeps the names of all open elements.
#[test]
fn long_names_of_open_elements_stop_the_reading() {
    let name = "a".repeat(60_000);
    let front = format!("{HEAD}{GOOD}<url>");
    let (locs, rules) = read(Endless::new(&front, &format!("<{name}>"), 1_000, ""), &large());
    assert_eq!((locs.len(), rules), (1, vec![CheckRule::UnknownElement, CheckRule::ReaderLimit]));
    // The names of closed elements no longer count.
    let closed = format!("<x:{name} xmlns:x='urn:x'></x:{name}>");
    let (locs, rules) = read(Endless::new(HEAD, &closed, 100, &format!("{GOOD}</urlset>")), &large());
    assert_eq!((locs.len(), rules), (1, vec![]));
}

#[test]
fn entity_bombs_stay_packed() {
    let entities: String =
        (1..30).map(|level| format!("<!ENTITY e{level} '&e{0};&e{0};&e{0};&e{0};'>", level - 1)).collect();
    let laughs =
        format!("<!DOCTYPE urlset [<!ENTITY e0 'ha'>{entities}]>{HEAD}<url><loc>&e29;</loc></url>{GOOD}</urlset>");
    let (locs, rules) = read(laughs.as_bytes(), &large());
    assert_eq!((locs, rules), (vec!["https://e.com/good".into()], vec![CheckRule::Doctype, CheckRule::Entity]));

    let long = format!("<!DOCTYPE urlset [<!ENTITY a '{}'>]>{HEAD}<url><loc>", "x".repeat(100_000));
    let back = format!("</loc></url>{GOOD}</urlset>");
    let limits = large();
    let mut reader = Reader::new(Endless::new(&long, "&a;", 50_000, &back), &limits);
    assert_eq!(reader.by_ref().count(), 1);
    assert_eq!(reader.faults().len(), 1 + limits.faults, "the DOCTYPE, and of the references as many as of any rule");
    assert_eq!(reader.further_faults(), 50_000 - limits.faults as u64);
}

#[test]
fn a_gzip_bomb_stops_at_the_limit_of_bytes() {
    // 100 MiB of spaces, compressed twice in a hundred members.
    let member = gzip(" ".repeat(1 << 20).as_bytes());
    let bomb = [gzip(format!("{HEAD}{GOOD}").as_bytes()), member.repeat(100)].concat();
    let (locs, rules) = read(bomb.as_slice(), &ReadLimits::default());
    assert_eq!((locs.len(), rules), (1, vec![CheckRule::TooLarge]));
}

#[test]
fn gzip_members_without_content_and_end_stop_too() {
    let bomb = [gzip(format!("{HEAD}{GOOD}").as_bytes()), gzip(b"").repeat(200_000)].concat();
    let (locs, rules) = read(bomb.as_slice(), &ReadLimits::default());
    assert_eq!(locs.len(), 1);
    assert_eq!(rules, [CheckRule::ReaderLimit]);
}

#[test]
fn the_limit_of_bytes_is_exact() {
    let text = format!("{HEAD}{GOOD}</urlset>");
    let at = |bytes| {
        let mut reader = Reader::new(text.as_bytes(), &ReadLimits { bytes, ..ReadLimits::default() });
        (reader.by_ref().count(), reader.faults().len(), reader.truncated())
    };
    assert_eq!(at(text.len() as u64), (1, 0, false));
    assert_eq!(at(text.len() as u64 - 1), (1, 1, true));
    assert_eq!(at(0), (0, 1, true));
}

#[test]
fn the_limit_of_entries_is_exact() {
    let text = format!("{HEAD}{}</urlset>", GOOD.repeat(5));
    let at = |entries| {
        let mut reader = Reader::new(text.as_bytes(), &ReadLimits { entries, ..ReadLimits::default() });
        (reader.by_ref().count(), reader.faults().len(), reader.truncated())
    };
    assert_eq!(at(5), (5, 0, false));
    assert_eq!(at(4), (4, 1, true));
}

#[test]
fn a_line_without_end_is_passed_over() {
    let filler = "x".repeat(1 << 20);
    let (locs, rules) =
        read(Endless::new("https://e.com/a\nhttps://e.com/", &filler, 40, "\nhttps://e.com/b\n"), &large());
    assert_eq!((locs, rules), (vec!["https://e.com/a".into(), "https://e.com/b".into()], vec![CheckRule::TextLine]));
}

#[test]
fn findings_never_carry_terminal_sequences() {
    let text = format!("{HEAD}<\u{1b}[31murl/><url><loc>\u{1b}]0;x\u{7}\u{202e}/</loc><c\u{9b}/></url></urlset>");
    let mut reader = Reader::new(text.as_bytes(), &ReadLimits::default());
    assert_eq!(reader.next(), None);
    assert!(!reader.faults().is_empty());
    for fault in reader.faults() {
        assert!(!fault.to_string().contains(|c: char| c.is_control() || c == '\u{202e}'), "{fault:?}");
    }
}

#[test]
fn long_documents_take_no_more_memory_than_short_ones() {
    // One entry is held at a time: 100,000 of them pass through a reader with four small limits.
    let limits = ReadLimits { text_bytes: 64, markup_bytes: 256, attribute_bytes: 128, ..ReadLimits::default() };
    let entry = "<url><loc>https://e.com/a</loc><lastmod>2026-05-06</lastmod></url>\n";
    let reader = Reader::new(Endless::new(HEAD, entry, 100_000, "</urlset>"), &limits);
    assert_eq!(reader.count(), 100_000);
}
