//! The output of a series, by the text of the protocol.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use mapwright_sitemap::{
    ChangeFreq, ContentHash, Entry, EntryError, Format, Gzip, IndexEntry, Lastmod, MAX_BYTES, Manifest,
    MemoryDestination, OptionsError, Pushed, Series, SeriesError, SeriesLimits, SeriesOptions, SinglePartName,
    write_indexes,
};
use url::Url;

fn options() -> SeriesOptions {
    SeriesOptions::new(Url::parse("https://www.example.com/").unwrap())
}

fn page(number: usize) -> Entry {
    Entry::new(format!("https://www.example.com/{number:04}"))
}

fn written(options: SeriesOptions, entries: impl IntoIterator<Item = Entry>) -> (Manifest, MemoryDestination) {
    let mut files = MemoryDestination::default();
    let mut series = Series::new(options, &mut files).unwrap();
    for entry in entries {
        series.push(&entry).unwrap();
    }
    (series.finish().unwrap(), files)
}

fn unzipped(files: &MemoryDestination, name: &str) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(files.files[name].as_slice()).read_to_string(&mut text).unwrap();
    text
}

fn names(files: &MemoryDestination) -> Vec<&str> {
    files.files.keys().map(String::as_str).collect()
}

#[test]
fn a_small_set_is_one_plain_sitemap_at_the_entry_point() {
    let mut full = page(1).with_lastmod("2026-05-06T07:08:09+02:00".parse().unwrap());
    full.changefreq = Some(ChangeFreq::Weekly);
    full.priority = Some(0.8);
    let (manifest, files) = written(options(), [full, page(2)]);
    assert_eq!(names(&files), ["sitemap.xml"]);
    assert_eq!(
        files.text("sitemap.xml").unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>https://www.example.com/0001</loc><lastmod>2026-05-06T07:08:09+02:00</lastmod>\
         <changefreq>weekly</changefreq><priority>0.8</priority></url>\n\
         <url><loc>https://www.example.com/0002</loc></url>\n\
         </urlset>\n"
    );
    assert_eq!((manifest.entry_point.as_str(), manifest.indexes.len(), manifest.urls), ("sitemap.xml", 0, 2));
    assert_eq!(manifest.files().collect::<Vec<_>>(), ["sitemap.xml"]);
    assert_eq!(files.published, [manifest]);
}

#[test]
fn the_five_characters_are_escaped_and_other_text_is_kept() {
    let (_, files) = written(options(), [Entry::new("https://www.example.com/ä?a=1&b='\"<>")]);
    let text = files.text("sitemap.xml").unwrap();
    assert!(text.contains("<loc>https://www.example.com/ä?a=1&amp;b=&apos;&quot;&lt;&gt;</loc>"), "{text}");
}

#[test]
fn priorities_are_clamped_and_have_one_or_two_decimals() {
    let priorities = [0.0, 1.0, 0.5, 0.55, 0.333_333, 7.0, -3.0, f32::INFINITY, f32::NAN];
    let entries = priorities.map(|priority| Entry { priority: Some(priority), ..page(0) });
    let (_, files) = written(options(), entries);
    let text = files.text("sitemap.xml").unwrap();
    let found: Vec<_> = text
        .lines()
        .filter(|line| line.starts_with("<url>"))
        .map(|line| line.split_once("<priority>").map_or("", |(_, rest)| rest.split('<').next().unwrap()))
        .collect();
    assert_eq!(found, ["0.0", "1.0", "0.5", "0.55", "0.33", "1.0", "0.0", "1.0", ""]);
}

#[test]
fn a_second_part_makes_the_entry_point_an_index_of_packed_parts() {
    let limits = SeriesLimits { urls: 2, ..SeriesLimits::default() };
    let published = "2026-05-06T07:08:09Z".parse().ok();
    let (manifest, files) = written(SeriesOptions { limits, published, ..options() }, (0..5).map(page));
    assert_eq!(names(&files), ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz", "sitemap.xml"]);
    assert_eq!(
        files.text("sitemap.xml").unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <sitemap><loc>https://www.example.com/sitemap-1.xml.gz</loc><lastmod>2026-05-06T07:08:09Z</lastmod></sitemap>\n\
         <sitemap><loc>https://www.example.com/sitemap-2.xml.gz</loc><lastmod>2026-05-06T07:08:09Z</lastmod></sitemap>\n\
         <sitemap><loc>https://www.example.com/sitemap-3.xml.gz</loc><lastmod>2026-05-06T07:08:09Z</lastmod></sitemap>\n\
         </sitemapindex>\n"
    );
    let first = &manifest.parts[0];
    assert_eq!((first.urls, first.first_loc.as_str(), first.last_loc.as_str()), (2, &*page(0).loc, &*page(1).loc));
    let text = unzipped(&files, "sitemap-1.xml.gz");
    assert_eq!((first.bytes, first.hash), (text.len() as u64, ContentHash::of(text.as_bytes())));
    let order: Vec<_> = manifest.files().collect();
    assert_eq!(order, ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz", "sitemap.xml"]);
}

#[test]
fn a_part_may_have_exactly_the_byte_limit_and_not_one_more() {
    let (complete, _) = written(options(), (0..10).map(page));
    let bytes = complete.parts[0].bytes;
    let limited = |bytes| SeriesOptions {
        limits: SeriesLimits { bytes, ..SeriesLimits::default() },
        gzip: Gzip::Never,
        ..options()
    };
    let (manifest, files) = written(limited(bytes), (0..10).map(page));
    assert_eq!((manifest.parts.len(), files.files["sitemap.xml"].len() as u64), (1, bytes));
    let (manifest, files) = written(limited(bytes - 1), (0..10).map(page));
    let urls: Vec<_> = manifest.parts.iter().map(|part| part.urls).collect();
    assert_eq!(urls, [9, 1]);
    for part in &manifest.parts {
        assert_eq!(part.bytes, files.files[&part.name].len() as u64);
        assert!(part.bytes < bytes);
    }
}

#[test]
fn a_part_may_have_exactly_the_url_limit_and_not_one_more() {
    let limits = SeriesLimits { urls: 10, ..SeriesLimits::default() };
    let parts = |urls| written(SeriesOptions { limits, ..options() }, (0..urls).map(page)).0.parts.len();
    assert_eq!((parts(10), parts(11)), (1, 2));
}

#[test]
fn gzip_is_as_requested() {
    let limits = SeriesLimits { urls: 1, ..SeriesLimits::default() };
    let of = |gzip, urls| {
        let (manifest, files) = written(SeriesOptions { gzip, limits, ..options() }, (0..urls).map(page));
        assert_eq!(manifest.entry_point, "sitemap.xml");
        names(&files).join(" ")
    };
    assert_eq!(of(Gzip::Never, 2), "sitemap-1.xml sitemap-2.xml sitemap.xml");
    assert_eq!(of(Gzip::Never, 1), "sitemap.xml");
    assert_eq!(of(Gzip::Always, 2), "sitemap-1.xml.gz sitemap-2.xml.gz sitemap.xml");
    assert_eq!(of(Gzip::Always, 1), "sitemap-1.xml.gz sitemap.xml");
}

#[test]
fn packed_bytes_hold_no_time_and_no_name_and_come_out_the_same_again() {
    let options = || SeriesOptions { gzip: Gzip::Always, ..options() };
    let (_, once) = written(options(), (0..1000).map(page));
    let (_, again) = written(options(), (0..1000).map(page));
    assert_eq!(once.files, again.files);
    // RFC 1952, 2.3: flags (no FNAME, FCOMMENT, FEXTRA), then MTIME.
    assert_eq!(once.files["sitemap-1.xml.gz"][2..8], [8, 0, 0, 0, 0, 0]);
}

#[test]
fn text_sitemaps_have_one_url_a_line_and_an_index_in_xml() {
    let text = |urls| {
        let limits = SeriesLimits { urls: 2, ..SeriesLimits::default() };
        written(SeriesOptions { format: Format::Text, limits, ..options() }, (0..urls).map(page))
    };
    let (manifest, files) = text(2);
    assert_eq!(manifest.entry_point, "sitemap.txt");
    assert_eq!(files.text("sitemap.txt").unwrap(), "https://www.example.com/0000\nhttps://www.example.com/0001\n");
    let (manifest, files) = text(3);
    assert_eq!(manifest.entry_point, "sitemap.xml");
    assert_eq!(names(&files), ["sitemap-1.txt.gz", "sitemap-2.txt.gz", "sitemap.xml"]);
    assert_eq!(unzipped(&files, "sitemap-2.txt.gz"), "https://www.example.com/0002\n");
}

#[test]
fn a_cut_ends_a_part_where_the_caller_says() {
    let mut files = MemoryDestination::default();
    let mut series = Series::new(SeriesOptions { first_serial: 7, ..options() }, &mut files).unwrap();
    series.cut();
    assert_eq!(series.push(&page(0)).unwrap(), Pushed { part: 0, opened: true });
    assert_eq!(series.push(&page(1)).unwrap(), Pushed { part: 0, opened: false });
    series.cut();
    series.cut();
    assert_eq!(series.push(&page(2)).unwrap(), Pushed { part: 1, opened: true });
    series.cut();
    let parts = series.finish().unwrap().parts;
    let found: Vec<_> = parts.iter().map(|part| (part.name.as_str(), part.serial, part.urls)).collect();
    assert_eq!(found, [("sitemap-7.xml.gz", 7, 2), ("sitemap-8.xml.gz", 8, 1)]);
}

#[test]
fn the_hash_of_a_part_depends_on_its_urls_alone() {
    let part = |gzip, alone, first_serial, urls: usize| {
        let mut files = MemoryDestination::default();
        let mut series = Series::new(SeriesOptions { gzip, alone, first_serial, ..options() }, &mut files).unwrap();
        for number in 0..urls {
            series.push(&page(number)).unwrap();
        }
        series.finish_parts().unwrap().remove(0)
    };
    let hash = part(Gzip::Auto, SinglePartName::EntryPoint, 1, 3).hash;
    assert_eq!(part(Gzip::Never, SinglePartName::Part, 9, 3).hash, hash);
    assert_eq!(part(Gzip::Always, SinglePartName::Part, 9, 3).hash, hash);
    assert_ne!(part(Gzip::Auto, SinglePartName::EntryPoint, 1, 4).hash, hash);
    assert_eq!(hash.to_string().parse::<ContentHash>().unwrap(), hash);
}

#[test]
fn several_series_share_one_index() {
    let mut files = MemoryDestination::default();
    let mut listed = Vec::new();
    for host in ["a.example.com", "b.example.com"] {
        let options = SeriesOptions { name: format!("sitemap-{host}"), alone: SinglePartName::Part, ..options() };
        let mut series = Series::new(options, &mut files).unwrap();
        series.push(&Entry::new(format!("https://{host}/"))).unwrap();
        listed.extend(series.finish_parts().unwrap().iter().map(IndexEntry::from));
    }
    assert!(files.published.is_empty());
    let base = Url::parse("https://a.example.com/maps").unwrap();
    let indexes = write_indexes(&mut files, &base, &SeriesLimits::default(), listed).unwrap();
    assert_eq!(indexes, ["sitemap.xml"]);
    let text = files.text("sitemap.xml").unwrap();
    assert!(text.contains("<loc>https://a.example.com/maps/sitemap-a.example.com-1.xml.gz</loc></sitemap>"), "{text}");
    assert!(text.contains("<loc>https://a.example.com/maps/sitemap-b.example.com-1.xml.gz</loc></sitemap>"), "{text}");
}

#[test]
fn more_parts_than_an_index_holds_need_further_indexes() {
    let limits = SeriesLimits { urls: 1, parts_per_index: 2, ..SeriesLimits::default() };
    let (manifest, files) = written(SeriesOptions { limits, ..options() }, (0..5).map(page));
    assert_eq!(manifest.indexes, ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"]);
    assert_eq!(manifest.entry_point, "sitemap.xml");
    let counts = manifest.indexes.iter().map(|name| files.text(name).unwrap().matches("<sitemap>").count());
    assert_eq!(counts.collect::<Vec<_>>(), [2, 2, 1]);
    // The entry point comes last when files become visible one by one.
    assert_eq!(manifest.files().last(), Some("sitemap.xml"));
}

#[test]
fn an_index_keeps_within_the_byte_limit_too() {
    let lines = (0..40).map(|number| IndexEntry { name: format!("s-{number:02}.xml"), lastmod: None });
    let limits = SeriesLimits { bytes: 1000, ..SeriesLimits::default() };
    let mut files = MemoryDestination::default();
    let names = write_indexes(&mut files, &Url::parse("https://e.com/").unwrap(), &limits, lines).unwrap();
    assert!(names.len() > 1);
    assert!(files.files.values().all(|file| file.len() <= 1000));
    assert_eq!(
        files.files.values().map(|file| String::from_utf8_lossy(file).matches("<loc>").count()).sum::<usize>(),
        40
    );
}

#[test]
fn an_entry_that_no_sitemap_can_hold_is_refused_and_the_series_goes_on() {
    let loc = |path: &str| Entry::new(format!("https://www.example.com/{path}"));
    let prefix = "https://www.example.com/".len();
    let refused = [
        (Entry::new("/a"), EntryError::Relative),
        (Entry::new("www.example.com/a"), EntryError::Relative),
        (Entry::new("ftp://www.example.com/a"), EntryError::Relative),
        (Entry::new("http:///a"), EntryError::Relative),
        (Entry::new(""), EntryError::Relative),
        (loc(&"x".repeat(2048 - prefix)), EntryError::TooLong { chars: 2048 }),
        (loc("a b"), EntryError::Character { found: ' ' }),
        (loc("a\nb"), EntryError::Character { found: '\n' }),
        (loc("a\u{1}b"), EntryError::Character { found: '\u{1}' }),
        (loc("a\u{85}b"), EntryError::Character { found: '\u{85}' }),
        (loc("a\u{FFFE}b"), EntryError::Character { found: '\u{FFFE}' }),
    ];
    let mut files = MemoryDestination::default();
    let mut series = Series::new(options(), &mut files).unwrap();
    for (entry, why) in refused {
        match series.push(&entry) {
            Err(SeriesError::Entry(error)) => assert_eq!(error, why, "{entry:?}"),
            other => panic!("{entry:?}: {other:?}"),
        }
    }
    // Fewer than 2,048 characters, of any number of bytes.
    series.push(&loc(&"x".repeat(2047 - prefix))).unwrap();
    series.push(&loc(&"ä".repeat(2047 - prefix))).unwrap();
    assert_eq!(series.finish().unwrap().urls, 2);
}

#[test]
fn an_entry_larger_than_a_file_is_refused() {
    let limits = SeriesLimits { bytes: 200, ..SeriesLimits::default() };
    let mut series = Series::new(SeriesOptions { limits, ..options() }, MemoryDestination::default()).unwrap();
    let error = series.push(&Entry::new(format!("https://www.example.com/{}", "x".repeat(200)))).unwrap_err();
    assert!(error.is_entry(), "{error}");
    series.push(&page(1)).unwrap();
    assert_eq!(series.finish().unwrap().urls, 1);
}

#[test]
fn nothing_is_published_where_there_is_nothing() {
    let mut files = MemoryDestination::default();
    assert!(matches!(Series::new(options(), &mut files).unwrap().finish(), Err(SeriesError::Empty)));
    assert!(matches!(
        write_indexes(&mut files, &Url::parse("https://e.com/").unwrap(), &SeriesLimits::default(), []),
        Err(SeriesError::Empty)
    ));
    assert_eq!(files, MemoryDestination::default());
}

#[test]
fn options_outside_the_protocol_are_refused() {
    let refused = |options: SeriesOptions| match Series::new(options, MemoryDestination::default()) {
        Err(SeriesError::Options(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    };
    let limits = |urls, bytes, parts_per_index| SeriesOptions {
        limits: SeriesLimits { urls, bytes, parts_per_index },
        ..options()
    };
    assert_eq!(refused(limits(50_001, 1000, 1)), OptionsError::Urls(50_001));
    assert_eq!(refused(limits(0, 1000, 1)), OptionsError::Urls(0));
    assert_eq!(refused(limits(1, 1000, 50_001)), OptionsError::Parts(50_001));
    assert!(matches!(refused(limits(1, MAX_BYTES + 1, 1)), OptionsError::Bytes { .. }));
    assert!(matches!(refused(limits(1, 10, 1)), OptionsError::Bytes { .. }));
    for name in ["", ".hidden", "../up", "a/b", "a b", "ä"] {
        assert_eq!(refused(SeriesOptions { name: name.into(), ..options() }), OptionsError::Name(name.into()));
    }
    let base = Url::parse("file:///srv/").unwrap();
    assert!(matches!(refused(SeriesOptions::new(base)), OptionsError::Base(_)));
    assert!(Series::new(limits(50_000, MAX_BYTES, 50_000), MemoryDestination::default()).is_ok());
}

#[test]
fn a_failing_destination_stops_the_series_for_good() {
    struct Full;
    impl mapwright_sitemap::Destination for Full {
        type File = Vec<u8>;
        type Error = std::io::Error;
        fn create(&mut self, _: &str) -> Result<Vec<u8>, std::io::Error> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn close(&mut self, _: &str, _: Vec<u8>) -> Result<(), std::io::Error> {
            Ok(())
        }
        fn publish(&mut self, _: &Manifest) -> Result<(), std::io::Error> {
            panic!("nothing may be published");
        }
    }
    let limits = SeriesLimits { urls: 1, ..SeriesLimits::default() };
    let mut series = Series::new(SeriesOptions { limits, ..options() }, Full).unwrap();
    series.push(&page(0)).unwrap();
    let error = series.push(&page(1)).unwrap_err();
    assert!(matches!(error, SeriesError::Destination { .. }), "{error}");
    assert!(error.to_string().contains("sitemap-1.xml.gz"), "{error}");
    assert!(matches!(series.push(&page(1)), Err(SeriesError::Stopped)));
    assert!(matches!(series.finish(), Err(SeriesError::Stopped)));
}

#[test]
fn a_million_urls_become_twenty_parts_in_key_order() {
    /// Counts the bytes without storing them.
    #[derive(Default)]
    struct Counting {
        open: usize,
        closed: Vec<(String, usize)>,
        index: Vec<u8>,
    }
    impl mapwright_sitemap::Destination for Counting {
        type File = Vec<u8>;
        type Error = std::convert::Infallible;
        fn create(&mut self, _: &str) -> Result<Vec<u8>, Self::Error> {
            self.open += 1;
            assert_eq!(self.open, 1, "one file at a time");
            Ok(Vec::new())
        }
        fn close(&mut self, name: &str, file: Vec<u8>) -> Result<(), Self::Error> {
            self.open -= 1;
            self.closed.push((name.to_owned(), file.len()));
            if name == "sitemap.xml" {
                self.index = file;
            }
            Ok(())
        }
        fn publish(&mut self, _: &Manifest) -> Result<(), Self::Error> {
            Ok(())
        }
    }
    let lastmod: Lastmod = "2026-05-06".parse().unwrap();
    let mut files = Counting::default();
    let mut series = Series::new(options(), &mut files).unwrap();
    for number in 0..1_000_000 {
        let entry = Entry::new(format!("https://www.example.com/section/{number:07}?a=1&b=2")).with_lastmod(lastmod);
        series.push(&entry).unwrap();
    }
    let manifest = series.finish().unwrap();
    assert_eq!((manifest.urls, manifest.parts.len()), (1_000_000, 20));
    for (at, part) in manifest.parts.iter().enumerate() {
        assert_eq!(part.name, format!("sitemap-{}.xml.gz", at + 1));
        assert_eq!(part.urls, 50_000);
        assert!(part.bytes <= 10_485_760, "{}", part.bytes);
        assert!(part.first_loc.ends_with(&format!("/{:07}?a=1&b=2", at * 50_000)));
        assert!(part.last_loc.ends_with(&format!("/{:07}?a=1&b=2", at * 50_000 + 49_999)));
    }
    let names: Vec<_> = files.closed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, manifest.files().collect::<Vec<_>>());
    assert_eq!(String::from_utf8(files.index).unwrap().matches("<sitemap>").count(), 20);
}
