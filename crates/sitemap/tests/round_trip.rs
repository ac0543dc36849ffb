//! Written sitemaps are read back, and every file is within its limits.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use mapwright_sitemap::{
    ChangeFreq, DocumentContext, Entry, Format, Gzip, Item, Lastmod, MemoryDestination, PageEntry, ReadLimits, Reader,
    Series, SeriesLimits, SeriesOptions, check,
};
use proptest::prelude::*;
use url::Url;

fn any_entry() -> impl Strategy<Value = Entry> {
    let lastmod = prop_oneof![
        Just("2026".to_owned()),
        Just("2026-05".to_owned()),
        (1..=28_u8).prop_map(|day| format!("2026-05-{day:02}")),
        (0..24_u8).prop_map(|hour| format!("2026-05-06T{hour:02}:08:09.5+02:00")),
    ]
    .prop_map(|text| text.parse::<Lastmod>().unwrap());
    let freq = proptest::sample::select(ChangeFreq::ALL.to_vec());
    (
        "https?://[a-z]{1,10}\\.example/[!-~äж語]{0,60}",
        proptest::option::of(lastmod),
        proptest::option::of(freq),
        proptest::option::of((0..=100_u8).prop_map(|hundredths| f32::from(hundredths) / 100.0)),
    )
        .prop_map(|(loc, lastmod, changefreq, priority)| Entry { loc, lastmod, changefreq, priority })
}

fn any_options() -> impl Strategy<Value = SeriesOptions> {
    let gzip = prop_oneof![Just(Gzip::Auto), Just(Gzip::Always), Just(Gzip::Never)];
    let format = prop_oneof![3 => Just(Format::Xml), 1 => Just(Format::Text)];
    (1..20_usize, 1500..4000_u64, 1..5_usize, gzip, format).prop_map(|(urls, bytes, parts_per_index, gzip, format)| {
        let base = Url::parse("https://a.example/maps/").unwrap();
        let limits = SeriesLimits { urls, bytes, parts_per_index };
        SeriesOptions { limits, gzip, format, ..SeriesOptions::new(base) }
    })
}

fn read(bytes: &[u8]) -> Vec<Item> {
    let mut reader = Reader::new(bytes, &ReadLimits::default());
    let items = reader.by_ref().collect();
    assert_eq!(reader.faults(), []);
    items
}

/// Follows the indexes from the manifest to the pages.
fn pages(files: &MemoryDestination, indexes: &[String], entry_point: &str) -> Vec<PageEntry> {
    let part_names: Vec<String> = indexes
        .iter()
        .flat_map(|index| read(&files.files[index]))
        .map(|item| item.loc().strip_prefix("https://a.example/maps/").unwrap().to_owned())
        .collect();
    let part_names = if indexes.is_empty() { vec![entry_point.to_owned()] } else { part_names };
    let page = |item| match item {
        Item::Page(page) => page,
        other => panic!("{other:?}"),
    };
    part_names.iter().flat_map(|name| read(&files.files[name])).map(page).collect()
}

proptest! {
    #[test]
    fn writing_then_reading_gives_the_input(
        entries in proptest::collection::vec(any_entry(), 1..60),
        options in any_options(),
    ) {
        let mut files = MemoryDestination::default();
        let mut series = Series::new(options.clone(), &mut files).unwrap();
        for entry in &entries {
            series.push(entry).unwrap();
        }
        let manifest = series.finish().unwrap();
        prop_assert_eq!(files.files.len(), manifest.files().count());
        let found = pages(&files, &manifest.indexes, &manifest.entry_point);
        prop_assert_eq!(found.len(), entries.len());
        for (page, entry) in found.iter().zip(&entries) {
            prop_assert_eq!(&page.loc, &entry.loc);
            if options.format == Format::Xml {
                prop_assert_eq!(page.lastmod, entry.lastmod);
                prop_assert_eq!(page.changefreq, entry.changefreq);
                prop_assert_eq!(page.priority, entry.priority);
            }
        }
        prop_assert_eq!(manifest.urls, entries.len() as u64);
        for part in &manifest.parts {
            prop_assert!(part.urls <= options.limits.urls as u64 && part.urls > 0);
            prop_assert!(part.bytes <= options.limits.bytes);
            let mut reader = Reader::new(files.files[&part.name].as_slice(), &ReadLimits { bytes: part.bytes, ..ReadLimits::default() });
            let locs: Vec<String> = reader.by_ref().map(|item| item.loc().to_owned()).collect();
            // The size is exact: one byte less truncates.
            prop_assert!(!reader.truncated());
            prop_assert_eq!((locs.first(), locs.last()), (Some(&part.first_loc), Some(&part.last_loc)));
        }
        // Every part but the last is full.
        for pair in manifest.parts.windows(2) {
            let full = pair[0].urls == options.limits.urls as u64;
            let frame = if options.format == Format::Xml { EMPTY.len() as u64 } else { 0 };
            prop_assert!(full || pair[0].bytes + (pair[1].bytes - frame) > options.limits.bytes || pair[1].urls > 1);
        }
    }

    #[test]
    fn what_is_written_of_valid_urls_is_clean(paths in proptest::collection::hash_set("[a-z0-9/?&=']{0,30}", 1..30)) {
        let mut files = MemoryDestination::default();
        let mut series = Series::new(SeriesOptions::new(Url::parse("https://a.example/").unwrap()), &mut files).unwrap();
        for path in &paths {
            series.push(&Entry::new(format!("https://a.example/{path}"))).unwrap();
        }
        series.finish().unwrap();
        let about = DocumentContext { url: Url::parse("https://a.example/sitemap.xml").ok(), ..DocumentContext::default() };
        let report = check(files.files["sitemap.xml"].as_slice(), &about, jiff::Timestamp::UNIX_EPOCH);
        prop_assert_eq!((report.faults, report.remarks), (vec![], vec![]));
    }

    /// Entries of the plain form take another code path; prefixes prevent that form.
    #[test]
    fn entries_are_read_alike_with_and_without_prefixes(pieces in proptest::collection::vec(any_piece(), 0..30)) {
        let body = pieces.concat();
        let plain = format!("<urlset xmlns='{NS}' xmlns:x='urn:x'>\n{body}</urlset>");
        let prefixed = format!("<m:urlset xmlns:m='{NS}' xmlns:x='urn:x'>\n{}</m:urlset>", with_prefixes(&body));
        prop_assert_eq!(all_of(&plain), all_of(&prefixed));
    }

    #[test]
    fn any_bytes_are_read_to_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        all_of_bytes(&bytes);
        check(bytes.as_slice(), &DocumentContext::default(), jiff::Timestamp::UNIX_EPOCH);
    }

    #[test]
    fn any_markup_is_read_to_an_end(pieces in proptest::collection::vec(any_piece(), 0..30), cut in 0..2000_usize) {
        let text = format!("<urlset xmlns='{NS}'>{}", pieces.concat());
        let cut = text.floor_char_boundary(cut.min(text.len()));
        let text = &text[..cut];
        all_of(text);
        check(text.as_bytes(), &DocumentContext::default(), jiff::Timestamp::UNIX_EPOCH);
    }
}

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A sitemap without its entries.
const EMPTY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                     <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n</urlset>\n";

/// Pieces of sitemaps, mostly complete entries, and text that occurs between them.
fn any_piece() -> impl Strategy<Value = String> {
    let field = prop_oneof![
        "<loc>https://e\\.com/[a-z]{0,5}</loc>",
        "<lastmod>20[0-9]{2}-0[1-9]-[0-3][0-9]</lastmod>",
        Just("<changefreq>daily</changefreq>".to_owned()),
        "<priority>[01]\\.[0-9]</priority>",
        "[ \n]{1,3}",
        Just("<loc>https://e.com/?a&amp;b</loc>".to_owned()),
        "<loc>https://e\\.com/\\?(a|&amp;|&lt;|&gt;|&quot;|&apos;|&#38;|&amp|&am;|&apo;|&nbsp;| |é){1,6}</loc>",
        "<(lastmod|priority)>(&amp;|20|26|-|&lt;| ){0,3}</(lastmod|priority)>",
        Just("<loc>https://e.com/?a&b</loc>".to_owned()),
        Just("<loc>https://e.com/]]></loc>".to_owned()),
        Just("<loc>https://e.com/<!-- c -->d</loc>".to_owned()),
        Just("<loc> https://e.com/\n </loc>".to_owned()),
        Just("<loc><![CDATA[https://e.com/c]]></loc>".to_owned()),
        Just("<loc>/relative</loc>".to_owned()),
        Just("<x:image><x:loc>https://e.com/i</x:loc></x:image>".to_owned()),
        Just("<color/>".to_owned()),
        Just("stray".to_owned()),
    ];
    let entry = proptest::collection::vec(field, 0..5).prop_map(|fields| format!("<url>{}</url>", fields.concat()));
    prop_oneof![
        8 => entry,
        2 => "[ \n]{1,3}",
        1 => Just("<url/>".to_owned()),
        1 => Just("<sitemap><loc>https://e.com/s.xml</loc></sitemap>".to_owned()),
        1 => Just("<!-- comment -->".to_owned()),
        1 => Just("stray text".to_owned()),
        1 => Just("<x:box><url><loc>https://e.com/no</loc></url></x:box>".to_owned()),
    ]
}

fn with_prefixes(text: &str) -> String {
    let mut out = text.to_owned();
    for name in ["url", "loc", "lastmod", "changefreq", "priority", "sitemap", "color"] {
        for (from, to) in [("<", "<m:"), ("</", "</m:")] {
            for end in [">", "/>"] {
                out = out.replace(&format!("{from}{name}{end}"), &format!("{to}{name}{end}"));
            }
        }
    }
    out
}

type All = (Vec<Item>, Vec<(u64, mapwright_sitemap::CheckRule)>, bool);

fn all_of(text: &str) -> All {
    all_of_bytes(text.as_bytes())
}

fn all_of_bytes(bytes: &[u8]) -> All {
    let mut reader = Reader::new(bytes, &ReadLimits::default());
    let items = reader.by_ref().collect();
    let faults = reader.faults().iter().map(|fault| (fault.line, fault.rule)).collect();
    (items, faults, reader.truncated())
}
