//! Feeds as sitemaps: all versions of RSS, Atom 0.3 (its drafts) and 1.0 (RFC 4287).

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{CheckRule, DocumentContext, DocumentKind, Item, PageEntry, ReadLimits, Reader, check};
use url::Url;

fn pages(text: &str) -> Vec<PageEntry> {
    of_reader(Reader::new(text.as_bytes(), &ReadLimits::default()))
}

fn pages_of(text: &str, url: &str) -> Vec<PageEntry> {
    of_reader(Reader::of_url(text.as_bytes(), &ReadLimits::default(), &Url::parse(url).unwrap()))
}

fn of_reader(reader: Reader<&[u8]>) -> Vec<PageEntry> {
    let page = |item| match item {
        Item::Page(page) => page,
        Item::Sitemap { loc, .. } => panic!("a feed lists no sitemap: {loc}"),
    };
    reader.map(page).collect()
}

fn locs(text: &str) -> Vec<String> {
    pages(text).into_iter().map(|page| page.loc).collect()
}

fn rss(items: &str) -> String {
    format!(
        "<?xml version='1.0'?><rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom' \
         xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>T</title><link>https://e.com/</link>\
         <description>D</description><atom:link href='https://e.com/feed' rel='self'/>\
         <image><link>https://e.com/image</link></image>{items}</channel></rss>"
    )
}

fn atom(entries: &str) -> String {
    format!(
        "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link href='https://e.com/'/>\
         <link rel='self' href='https://e.com/feed'/>{entries}</feed>"
    )
}

fn clean(text: &str) {
    let report = check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH);
    assert!(report.is_clean(), "{:?}", report.faults);
}

#[test]
fn rss_2_lists_the_links_of_its_items_alone() {
    let text = rss("<item><title>1</title><link> https://e.com/1?a&amp;b </link><atom:link href='https://e.com/no'/>\
                    <pubDate>Wed, 06 May 2026 07:08:09 +0200</pubDate><enclosure url='https://e.com/a.mp3'/></item>\
                    <item><link><![CDATA[https://e.com/2]]></link><dc:date>2026-05-06</dc:date></item>\
                    <item><description>no link at all</description></item>");
    let pages = pages(&text);
    assert_eq!(
        pages.iter().map(|page| page.loc.as_str()).collect::<Vec<_>>(),
        ["https://e.com/1?a&b", "https://e.com/2"]
    );
    let dates: Vec<_> = pages.iter().map(|page| page.lastmod.unwrap().to_string()).collect();
    assert_eq!(dates, ["2026-05-06T05:08:09Z", "2026-05-06"]);
    assert_eq!(pages[0].lastmod_text.as_deref(), Some("Wed, 06 May 2026 07:08:09 +0200"));
    clean(&text);
}

#[test]
fn a_guid_is_a_link_where_it_is_a_url_and_nothing_says_otherwise() {
    let text = rss("<item><guid>https://e.com/1</guid></item>\
                    <item><guid isPermaLink='true'>https://e.com/2</guid></item>\
                    <item><guid isPermaLink='false'>https://e.com/no</guid></item>\
                    <item><guid>tag:e.com,2026:4</guid></item>\
                    <item><guid>https://e.com/no</guid><link>https://e.com/5</link></item>");
    assert_eq!(locs(&text), ["https://e.com/1", "https://e.com/2", "https://e.com/5"]);
    clean(&text);
}

#[test]
fn rss_1_keeps_its_items_beside_the_channel() {
    let text = "<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
                xmlns='http://purl.org/rss/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/'>\
                <channel rdf:about='https://e.com/feed'><link>https://e.com/</link></channel>\
                <item rdf:about='https://e.com/1'><link>https://e.com/1</link><dc:date>2026-05-06T07:08Z</dc:date></item>\
                </rdf:RDF>";
    let pages = pages(text);
    assert_eq!((pages.len(), pages[0].loc.as_str()), (1, "https://e.com/1"));
    assert_eq!(pages[0].lastmod_text.as_deref(), Some("2026-05-06T07:08Z"));
    clean(text);
}

#[test]
fn old_rss_with_its_doctype_is_a_feed_like_any_other() {
    let text = "<?xml version='1.0'?><!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' \
                'http://my.netscape.com/publish/formats/rss-0.91.dtd'><rss version='0.91'><channel>\
                <item><link>https://e.com/1</link></item></channel></rss>";
    assert_eq!(locs(text), ["https://e.com/1"]);
    clean(text);
}

#[test]
fn atom_lists_the_alternate_link_of_each_entry() {
    let text = atom(
        "<entry><link rel='enclosure' href='https://e.com/a.mp3'/><link rel='alternate' type='text/html' \
         href='https://e.com/1?a&amp;b'/><link rel='edit' href='https://e.com/edit/1'/>\
         <published>2026-01-01T00:00:00Z</published><updated>2026-05-06T07:08:09Z</updated></entry>\
         <entry><link href='https://e.com/2'/><source><link href='https://other.org/'/></source>\
         <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><link href='https://e.com/no'/></div></content></entry>\
         <entry><link rel='http://www.iana.org/assignments/relation/alternate' href='https://e.com/3'/></entry>\
         <entry><link type='application/json' href='https://e.com/4.json'/><link type='text/html' href='https://e.com/4'/></entry>\
         <entry><link rel='self' href='https://e.com/no'/></entry>",
    );
    let pages = pages(&text);
    let locs: Vec<_> = pages.iter().map(|page| page.loc.as_str()).collect();
    assert_eq!(locs, ["https://e.com/1?a&b", "https://e.com/2", "https://e.com/3", "https://e.com/4"]);
    assert_eq!(pages[0].lastmod.map(|date| date.to_string()).as_deref(), Some("2026-05-06T07:08:09Z"));
    clean(&text);
}

#[test]
fn atom_0_3_is_read_too() {
    let text = "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><link rel='alternate' href='https://e.com/'/>\
                <entry><link rel='alternate' type='text/html' href='https://e.com/1'/>\
                <modified>2026-05-06T07:08:09Z</modified></entry></feed>";
    let pages = pages(text);
    assert_eq!((pages.len(), pages[0].loc.as_str()), (1, "https://e.com/1"));
    assert!(pages[0].lastmod.is_some());
    clean(text);
}

/// RFC 4287, 1.2: the elements of Atom have its namespace. The reader is lenient.
#[test]
fn atom_without_its_namespace_is_a_fault_and_read_all_the_same() {
    let text =
        atom("<entry><link href='https://e.com/1'/></entry>").replace(" xmlns='http://www.w3.org/2005/Atom'", "");
    assert_eq!(locs(&text), ["https://e.com/1"]);
    let report = check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH);
    let [fault] = report.faults.as_slice() else { panic!("{:?}", report.faults) };
    assert_eq!((fault.line, fault.rule, report.kind), (1, CheckRule::Namespace, Some(DocumentKind::Atom)));
    assert!(fault.fix.contains("http://www.w3.org/2005/Atom"), "{fault}");
}

fn faults(text: &str) -> Vec<(u64, CheckRule)> {
    let report = check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH);
    report.faults.iter().map(|fault| (fault.line, fault.rule)).collect()
}

/// RSS 2.0: a channel with the items, and the version, are required.
#[test]
fn rss_has_a_version_and_a_channel_that_holds_its_items() {
    let item = "<item><link>https://e.com/1</link></item>";
    let channel = "<channel><title>T</title></channel>";
    for (text, found) in [
        (format!("<rss version='2.0'>\n<channel>{item}</channel></rss>"), vec![]),
        (format!("<rss version='2.0' xmlns='urn:rss'>\n<x/><channel>{item}</channel>\n<x/></rss>"), vec![]),
        (format!("<rss\n>\n<channel>{item}</channel></rss>"), vec![2]),
        ("\n<rss version='2.0'>\n</rss>".to_owned(), vec![2]),
        ("<rss version='2.0'/>".to_owned(), vec![1]),
        (format!("<rss version='2.0'>\n{item}</rss>"), vec![1, 2]),
        (format!("<rss version='2.0'>\n{item}{channel}</rss>"), vec![2]),
        (format!("<rss version='2.0'>\n{channel}{item}\n{item}</rss>"), vec![2, 3]),
        (format!("<rss version='2.0'>\n{channel}<items>\n{item}</items></rss>"), vec![3]),
    ] {
        let found: Vec<_> = found.into_iter().map(|line| (line, CheckRule::Feed)).collect();
        assert_eq!(faults(&text), found, "{text}");
        assert_eq!(locs(&text).len(), text.matches("<item>").count(), "they are read all the same: {text}");
    }
}

/// RFC 4287, 4.2.7.1.
#[test]
fn a_link_of_atom_to_a_page_has_an_href() {
    let good = "<entry><link href='https://e.com/1'/></entry>";
    for bad in
        ["<link/>", "<link rel='alternate'/>", "<link rel='http://www.iana.org/assignments/relation/alternate'/>"]
    {
        assert_eq!(faults(&atom(&format!("{good}\n<entry>{bad}</entry>"))), [(2, CheckRule::Feed)], "{bad}");
        assert_eq!(faults(&atom(&format!("\n{bad}{good}"))), [(2, CheckRule::Feed)], "{bad}");
    }
    clean(&atom(&format!("{good}<entry><content><link xmlns=''/></content></entry>")));
}

#[test]
fn bases_are_nested_and_end_with_their_elements() {
    let text = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://e.com/blog/'>\
                <entry xml:base='2026/'><link href='one'/></entry><entry><link href='two'/></entry>\
                <entry><link xml:base='/three/' href='four'/></entry><entry><link href='//f.org/five'/></entry></feed>";
    let expected =
        ["https://e.com/blog/2026/one", "https://e.com/blog/two", "https://e.com/three/four", "https://f.org/five"];
    assert_eq!(locs(text), expected);
}

/// Pages nest elements at any depth, and feeds contain complete pages.
#[test]
fn deeply_nested_content_is_passed_over() {
    for depth in [70, 10_000] {
        let (open, close) = ("<div xml:base='/no/'>".repeat(depth), "</div>".repeat(depth));
        let content = format!("<content type='xhtml'>{open}<link href='no'/>{close}</content>");
        let text = atom(&format!(
            "<entry>{content}<link href='https://e.com/1'/></entry><entry><link href='https://e.com/2'/></entry>"
        ));
        assert_eq!(locs(&text), ["https://e.com/1", "https://e.com/2"], "{depth}");
        clean(&text);
        let crossed = text.replacen("</div>", "</p>", 1);
        assert_eq!(faults(&crossed), [(1, CheckRule::NotWellFormed)], "{depth}");
    }
}

#[test]
fn without_a_base_the_address_of_the_feed_is_the_base() {
    let text = atom("<entry><link href='post-1'/></entry>");
    assert_eq!(pages_of(&text, "https://e.com/blog/feed")[0].loc, "https://e.com/blog/post-1");
    let mut reader = Reader::new(text.as_bytes(), &ReadLimits::default());
    assert_eq!(reader.next(), None);
    assert_eq!((reader.kind(), reader.faults()[0].rule), (Some(DocumentKind::Atom), CheckRule::LocRelative));
}

#[test]
fn the_date_format_of_a_feed_is_remarked_on_at_most() {
    let text = rss("<item><link>https://e.com/1</link><pubDate>yesterday</pubDate></item>");
    let report = check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH);
    assert!(report.is_clean());
    assert_eq!(report.remarks[0].rule, CheckRule::Lastmod);
    assert_eq!(report.kind, Some(DocumentKind::Rss));
}

/// RSS 2.0: dates use RFC 822. RFC 4287, 3.3: those of Atom use RFC 3339.
#[test]
fn the_fix_for_a_date_is_in_the_format_of_the_feed() {
    let remark =
        |text: &str| check(text.as_bytes(), &DocumentContext::default(), Timestamp::UNIX_EPOCH).remarks.remove(0);
    for date in ["yesterday", "2024-02-30", ""] {
        let of_rss = remark(&rss(&format!("<item><link>https://e.com/1</link><pubDate>{date}</pubDate></item>")));
        let of_atom = remark(&atom(&format!("<entry><link href='https://e.com/1'/><updated>{date}</updated></entry>")));
        assert!(of_rss.fix.contains("Mon, 06 May 2024 07:08:09 GMT"), "{of_rss}");
        assert!(of_atom.fix.contains("RFC 3339") && !of_atom.fix.contains("RFC 822"), "{of_atom}");
        assert!(!format!("{of_rss}{of_atom}").contains("W3C"), "{of_rss}, {of_atom}");
    }
}

#[test]
fn a_feed_on_another_host_than_its_pages_is_at_fault_and_one_in_a_directory_is_not() {
    let text = rss("<item><link>https://e.com/1</link></item>");
    let served = |url: &str| {
        let about = DocumentContext { url: Url::parse(url).ok(), ..DocumentContext::default() };
        let report = check(text.as_bytes(), &about, Timestamp::UNIX_EPOCH);
        (report.faults.iter().map(|fault| fault.rule).collect::<Vec<_>>(), report.remarks.len())
    };
    assert_eq!(served("https://e.com/feed/"), (vec![], 1));
    assert_eq!(served("https://e.com/feed"), (vec![], 0));
    assert_eq!(served("https://feeds.org/e"), (vec![CheckRule::LocHost], 0));
}
