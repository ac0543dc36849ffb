//! Each rule of the protocol, satisfied and violated.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper of tests may fail the test")]

use jiff::Timestamp;
use mapwright_sitemap::{CheckReport, CheckRule, CrossSubmit, DocumentContext, DocumentKind, check};
use url::Url;

const NS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

fn judged_at(text: impl AsRef<[u8]>, url: Option<&str>) -> CheckReport {
    let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
    check(
        text.as_ref(),
        &DocumentContext { url: url.map(|url| Url::parse(url).unwrap()), ..DocumentContext::default() },
        now,
    )
}

fn judged(text: impl AsRef<[u8]>) -> CheckReport {
    judged_at(text, None)
}

fn urlset(body: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NS}\">\n{body}\n</urlset>\n")
}

fn index(body: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{NS}\">\n{body}\n</sitemapindex>\n")
}

fn entry(rest: &str) -> String {
    urlset(&format!("<url><loc>https://e.com/a</loc>{rest}</url>"))
}

fn loc(url: &str) -> String {
    urlset(&format!("<url><loc>{url}</loc></url>"))
}

fn faults(text: impl AsRef<[u8]>) -> Vec<(u64, CheckRule)> {
    judged(text).faults.iter().map(|fault| (fault.line, fault.rule)).collect()
}

fn remarks(text: impl AsRef<[u8]>) -> Vec<(u64, CheckRule)> {
    let report = judged(text);
    assert!(report.is_clean(), "{:?}", report.faults);
    report.remarks.iter().map(|remark| (remark.line, remark.rule)).collect()
}

#[track_caller]
fn clean(text: impl AsRef<[u8]>) {
    let report = judged(text);
    assert_eq!((report.faults.as_slice(), report.remarks.as_slice()), ([].as_slice(), [].as_slice()));
}

#[test]
fn what_the_protocol_shows_is_clean() {
    clean(urlset(
        "<url>\n<loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>\n\
         <lastmod>2004-12-23T18:00:15+00:00</lastmod>\n<changefreq>weekly</changefreq>\n<priority>0.3</priority>\n</url>",
    ));
    clean(index(
        "<sitemap>\n<loc>http://www.example.com/sitemap1.xml.gz</loc>\n<lastmod>2004-10-01T18:23:17+00:00</lastmod>\n</sitemap>",
    ));
    clean("http://www.example.com/catalog?item=1\nhttp://www.example.com/catalog?item=11\n");
    clean("\u{FEFF}https://e.com/a\r\n\r\nhttps://e.com/b");
    clean(format!("<urlset xmlns='{NS}'><url><loc>https://e.com/</loc></url></urlset>"));
    clean(format!(
        "\u{FEFF}<?xml version='1.0'?><m:urlset xmlns:m='{NS}'><m:url><m:loc>https://e.com/</m:loc></m:url></m:urlset>"
    ));
}

#[test]
fn extensions_of_other_namespaces_are_none_of_ours() {
    clean(format!(
        "<urlset xmlns='{NS}' xmlns:xhtml='http://www.w3.org/1999/xhtml' xmlns:x='urn:x' \
         xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='{NS} {NS}/sitemap.xsd'>\
         <x:meta>text</x:meta><url><loc>https://e.com/a</loc>\
         <xhtml:link rel='alternate' hreflang='de' href='https://e.com/de?a=1&amp;b=2'/><x:loc>https://e.com/no</x:loc></url></urlset>"
    ));
}

#[test]
fn the_root_and_its_namespace() {
    let with = |root: &str, ns: &str| format!("<{root}{ns}><url><loc>https://e.com/a</loc></url></{root}>");
    let ns = format!(" xmlns='{NS}'");
    assert_eq!(faults(with("sitemaps", &ns)), [(1, CheckRule::Root)]);
    assert_eq!(faults(with("URLSET", &ns)), [(1, CheckRule::Root)]);
    assert_eq!(faults(with("urlset", "")), [(1, CheckRule::Namespace)]);
    assert_eq!(
        faults(with("urlset", " xmlns='https://www.sitemaps.org/schemas/sitemap/0.9'")),
        [(1, CheckRule::Namespace)]
    );
    assert_eq!(
        faults(with("urlset", " xmlns='http://www.google.com/schemas/sitemap/0.84'")),
        [(1, CheckRule::Namespace)]
    );
    assert!(judged(with("html", "")).faults[0].what.contains("HTML"));
    for nothing in ["", "  \n", "{\"urls\": []}", "just words", "\0\0\0", "<?xml version='1.0'?>"] {
        let report = judged(nothing);
        assert!(report.faults.iter().any(|fault| fault.rule == CheckRule::Root), "{nothing:?}");
        assert_eq!(report.kind, None);
    }
}

#[test]
fn elements_that_do_not_belong() {
    assert_eq!(faults(entry("<color>red</color>")), [(3, CheckRule::UnknownElement)]);
    assert_eq!(faults(entry("<Priority>1</Priority>")), [(3, CheckRule::UnknownElement)]);
    let two = "<url><loc>https://e.com/a</loc></url>\n<sitemap><loc>https://e.com/s.xml</loc></sitemap>";
    assert_eq!(faults(urlset(two)), [(4, CheckRule::UnknownElement)]);
    assert_eq!(faults(index(two)), [(3, CheckRule::UnknownElement)]);
    let with_freq = "<sitemap><loc>https://e.com/s.xml</loc><changefreq>daily</changefreq></sitemap>";
    assert_eq!(faults(index(with_freq)), [(3, CheckRule::UnknownElement)]);
    assert_eq!(faults(loc("<b>https://e.com/a</b>")), [(3, CheckRule::UnknownElement), (3, CheckRule::LocEmpty)]);
    assert_eq!(faults(urlset("hello\n<url><loc>https://e.com/a</loc></url>")), [(3, CheckRule::StrayText)]);
    assert_eq!(faults(entry("hello")), [(3, CheckRule::StrayText)]);
    assert_eq!(faults(entry("<loc>https://e.com/b</loc>")), [(3, CheckRule::Repeated)]);
    assert_eq!(faults(entry("<priority>1</priority><priority>1</priority>")), [(3, CheckRule::Repeated)]);
}

#[test]
fn locations_that_are_missing_or_no_urls_of_the_web() {
    assert_eq!(faults(urlset("<url><lastmod>2026</lastmod></url>")), [(3, CheckRule::LocMissing)]);
    assert_eq!(faults(index("<sitemap/>")), [(3, CheckRule::LocMissing)]);
    assert_eq!(faults(urlset("")), [(1, CheckRule::NoEntries)]);
    assert_eq!(faults(index("")), [(1, CheckRule::NoEntries)]);
    let cases = [
        ("", CheckRule::LocEmpty),
        (" \n ", CheckRule::LocEmpty),
        ("/a", CheckRule::LocRelative),
        ("//e.com/a", CheckRule::LocRelative),
        ("www.e.com/a", CheckRule::LocRelative),
        ("e.com:80/a", CheckRule::LocRelative),
        ("ftp://e.com/a", CheckRule::LocScheme),
        ("mailto:a@e.com", CheckRule::LocScheme),
        ("https:/e.com/a", CheckRule::LocInvalid),
        ("https:///a", CheckRule::LocInvalid),
        ("https://e.com:99999/", CheckRule::LocInvalid),
        ("https://[::1/", CheckRule::LocInvalid),
    ];
    for (url, rule) in cases {
        assert_eq!(faults(loc(url)).iter().map(|(_, rule)| *rule).collect::<Vec<_>>(), [rule], "{url}");
    }
    clean(loc("HTTPS://E.com/a"));
    clean(loc("https://e.com"));
    clean(loc("\n  https://e.com/a  \n"));
}

#[test]
fn locations_have_less_than_2048_characters() {
    let of = |length: usize| loc(&format!("https://e.com/{}", "a".repeat(length - "https://e.com/".len())));
    clean(of(2047));
    assert_eq!(faults(of(2048)), [(3, CheckRule::LocLength)]);
    assert_eq!(faults(of(100_000)), [(3, CheckRule::LocLength)]);
    // References count as the characters that they represent.
    clean(loc(&format!("https://e.com/{}", "&amp;".repeat(2000))));
}

#[test]
fn locations_are_escaped_as_urls() {
    for raw in
        ["é", " ", "[", "]", "?f[]=1", "\"", "&lt;", "&gt;", "|", "\\", "^", "`", "{", "}", "%", "%2", "%zz", "a%b%20"]
    {
        assert_eq!(faults(loc(&format!("https://e.com/a{raw}~"))), [(3, CheckRule::LocEscape)], "{raw}");
    }
    clean(loc("https://[2001:db8::1]:80/a?b"));
    clean(loc("https://[2001:db8::1]"));
    clean(loc("https://e.com/-._~:/?%5B%5D@!$&amp;&apos;()*+,;=%20%C3%A9"));
}

#[test]
fn fragments_and_repetitions_are_remarked_on() {
    assert_eq!(remarks(loc("https://e.com/a#part")), [(3, CheckRule::LocFragment)]);
    let twice = "<url><loc>https://e.com/a</loc></url>\n<url><loc>https://e.com/b</loc></url>\n<url><loc> https://e.com/a </loc></url>";
    assert_eq!(remarks(urlset(twice)), [(5, CheckRule::LocDuplicate)]);
    assert!(judged(urlset(twice)).remarks[0].what.contains("line 3"));
}

#[test]
fn dates_are_of_the_calendar_and_not_of_the_future() {
    for date in ["", "2024-02-30", "2024/01/01", "05/06/2024", "2024-05-06T07:08:09", "yesterday", "2024-5-6"] {
        assert_eq!(faults(entry(&format!("<lastmod>{date}</lastmod>"))), [(3, CheckRule::Lastmod)], "{date}");
    }
    for date in
        ["2024", "2024-05", "2024-05-06", "2026-11-20", "2026-11-21", "2026-11-20T12:00Z", "2026-11-20T14:00:00+02:00"]
    {
        clean(entry(&format!("<lastmod> {date}\n</lastmod>")));
    }
    for date in ["2027", "2026-12", "2026-11-22", "2189-05-06", "2026-11-20T12:00:01Z"] {
        assert_eq!(remarks(entry(&format!("<lastmod>{date}</lastmod>"))), [(3, CheckRule::LastmodFuture)], "{date}");
    }
    assert_eq!(
        faults(index("<sitemap><loc>https://e.com/s.xml</loc><lastmod>soon</lastmod></sitemap>")),
        [(3, CheckRule::Lastmod)]
    );
}

#[test]
fn frequencies_are_of_the_seven() {
    for freq in ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"] {
        clean(entry(&format!("<changefreq>{freq}</changefreq>")));
    }
    for freq in ["", "sometimes", "Daily", "daily,weekly"] {
        assert_eq!(faults(entry(&format!("<changefreq>{freq}</changefreq>"))), [(3, CheckRule::ChangeFreq)], "{freq}");
    }
}

#[test]
fn priorities_lie_between_nought_and_one() {
    for priority in ["0", "1", "0.0", "1.0", "0.55", ".5", "1.", "+0.5", " 0.5 ", "0.50000", "-0"] {
        clean(entry(&format!("<priority>{priority}</priority>")));
    }
    for priority in ["", "1.5", "-0.1", "high", "0,5", "5e-1", "NaN", "INF", ".", "1.0.0", "1.000001"] {
        assert_eq!(
            faults(entry(&format!("<priority>{priority}</priority>"))),
            [(3, CheckRule::Priority)],
            "{priority}"
        );
    }
}

/// An `xsd:decimal` has any number of digits.
#[test]
fn priorities_are_compared_digit_by_digit() {
    for priority in "-0.00 001.000 0.99999999999999999999".split(' ') {
        clean(entry(&format!("<priority>{priority}</priority>")));
    }
    for priority in "10 -1 + -. 1.00000000000000001 -0.00000000000000000000000001".split(' ') {
        assert_eq!(
            faults(entry(&format!("<priority>{priority}</priority>"))),
            [(3, CheckRule::Priority)],
            "{priority}"
        );
    }
}

#[test]
fn xml_is_well_formed_without_a_dtd_and_in_utf_8() {
    let rule = |text: String| faults(text).first().map(|(_, rule)| *rule);
    assert_eq!(rule(loc("https://e.com/?a=1&b=2")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(urlset("<url><loc>https://e.com/a</url></loc>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(entry("<!-- a -- b -->")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(loc("https://e.com/]]>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(urlset("<url a='1' a='2'><loc>https://e.com/a</loc></url>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(urlset("<url a=1><loc>https://e.com/a</loc></url>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(urlset("<url a='x&y'><loc>https://e.com/a</loc></url>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(urlset("<url a='x<y'><loc>https://e.com/a</loc></url>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(entry("<p:x/>")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(format!("\n{}", loc("https://e.com/a"))), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(format!("{}more", loc("https://e.com/a"))), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(format!("{0}{0}", loc("https://e.com/a"))), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(loc("https://e.com/a").replace("</urlset>", "")), Some(CheckRule::NotWellFormed));
    assert_eq!(rule(loc("https://e.com/a&#1;b")), Some(CheckRule::ForbiddenCharacter));
    assert_eq!(rule(entry("<!-- \u{1} -->")), Some(CheckRule::ForbiddenCharacter));
    assert_eq!(rule(loc("https://e.com/&copy;")), Some(CheckRule::Entity));
    assert_eq!(
        rule(format!(
            "<!DOCTYPE urlset>{}",
            loc("https://e.com/a").replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "")
        )),
        Some(CheckRule::Doctype)
    );
    assert_eq!(rule(loc("https://e.com/a").replace("UTF-8", "ISO-8859-1")), Some(CheckRule::Encoding));
    assert_eq!(rule(loc("https://e.com/a").replace("UTF-8", "klingon")), Some(CheckRule::Encoding));
    assert_eq!(faults(b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n<url><loc>https://e.com/a</loc></url>\n<!-- \xFF --></urlset>"), [(3, CheckRule::Encoding)]);
}

#[test]
fn text_sitemaps_hold_urls_and_nothing_else() {
    assert_eq!(faults("My sitemap\nhttps://e.com/a\n"), [(1, CheckRule::TextLine)]);
    assert_eq!(faults("https://e.com/a https://e.com/b\n"), [(1, CheckRule::TextLine), (1, CheckRule::Root)]);
    assert_eq!(faults("https://e.com/a\nhttps://e.com/é\n"), [(2, CheckRule::LocEscape)]);
    assert_eq!(judged("https://e.com/a\n").kind, Some(DocumentKind::Text));
}

#[test]
fn fifty_thousand_entries_and_no_more() {
    let many = |count| {
        let body: String = (0..count).map(|number| format!("<url><loc>https://e.com/{number}</loc></url>\n")).collect();
        urlset(&body)
    };
    clean(many(50_000));
    let report = judged(many(50_001));
    assert_eq!(
        report.faults.iter().map(|fault| (fault.line, fault.rule)).collect::<Vec<_>>(),
        [(50_003, CheckRule::TooMany)]
    );
    assert_eq!(report.entries, 50_001);
    let index = index(&"<sitemap><loc>https://e.com/s.xml</loc></sitemap>\n".repeat(50_001));
    assert_eq!(faults(index), [(50_003, CheckRule::TooMany)]);
}

#[test]
fn fifty_two_million_bytes_and_no_more() {
    let padded = |bytes: usize| {
        let text = loc("https://e.com/a");
        let blanks = " ".repeat(bytes - text.len());
        text.replace("</urlset>", &format!("{blanks}</urlset>"))
    };
    clean(padded(52_428_800));
    assert!(faults(padded(52_428_801)).contains(&(4, CheckRule::TooLarge)));
}

#[test]
fn a_sitemap_lists_its_own_host_scheme_port_and_directory() {
    let text = loc("https://e.com/shop/a");
    let at = |url| judged_at(&text, Some(url)).faults.iter().map(|fault| fault.rule).collect::<Vec<_>>();
    for url in ["https://e.com/sitemap.xml", "https://e.com/shop/sitemap.xml", "https://E.com:443/shop/?map"] {
        assert_eq!(at(url), [], "{url}");
    }
    for url in ["http://e.com/sitemap.xml", "https://www.e.com/sitemap.xml", "https://e.com:8443/sitemap.xml"] {
        assert_eq!(at(url), [CheckRule::LocHost], "{url}");
    }
    for url in
        ["https://e.com/shop/maps/sitemap.xml", "https://e.com/sho/sitemap.xml", "https://e.com/Shop/sitemap.xml"]
    {
        assert_eq!(at(url), [CheckRule::LocDirectory], "{url}");
    }
    // An index may list sitemaps anywhere on its site.
    let index = index("<sitemap><loc>https://e.com/other/s.xml</loc></sitemap>");
    assert!(judged_at(&index, Some("https://e.com/maps/sitemap.xml")).is_clean());
    assert_eq!(judged_at(&index, Some("https://f.org/sitemap.xml")).faults[0].rule, CheckRule::LocHost);
}

/// sitemaps.org, "Sitemaps & Cross Submits": the robots.txt of `host1` proves the sitemap on `sitehost`, for `host1`
/// only.
#[test]
fn a_sitemap_lists_one_other_host_where_its_robots_txt_names_it() {
    let here = "<url><loc>https://sitehost.com/maps/a</loc></url>\n";
    let there = "<url><loc>https://host1.com/a</loc></url>\n<url><loc>https://host1.com/b/c</loc></url>\n";
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"https://host1.com/a\"/></entry></feed>";
    let parts = index("<sitemap><loc>https://host1.com/s.xml</loc></sitemap>");
    let (unproven, not_requested, proven) = (CrossSubmit::Unproven, CrossSubmit::NotRequested, CrossSubmit::Proven);
    let cases = [
        (urlset(there), unproven, 2, 0),
        (urlset(there), not_requested, 0, 1),
        (urlset(there), proven, 0, 0),
        (urlset(&format!("{there}{here}")), not_requested, 1, 1),
        (urlset(&format!("{there}{here}")), proven, 1, 0),
        (urlset(&format!("{here}{there}")), proven, 2, 0),
        (urlset("<url><loc>https://sitehost.com/other/a</loc></url>"), proven, 1, 0),
        (feed.to_owned(), proven, 0, 0),
        // An index lists only sitemaps of its own site ("Using Sitemap index files").
        (parts, proven, 1, 0),
    ];
    for (text, cross_submit, faults, remarks) in cases {
        let url = Url::parse("https://sitehost.com/maps/s.xml").ok();
        let about = DocumentContext { url, cross_submit, ..DocumentContext::default() };
        let report = check(text.as_bytes(), &about, Timestamp::UNIX_EPOCH);
        assert_eq!((report.faults.len(), report.remarks.len()), (faults, remarks), "{cross_submit:?} {text}");
        assert!(report.remarks.iter().all(|remark| remark.rule == CheckRule::CrossSubmit), "{:?}", report.remarks);
    }
}

#[test]
fn findings_beyond_a_thousand_are_counted() {
    let report = judged(urlset(&"<url/>\n".repeat(1500)));
    assert_eq!(
        (report.faults.len(), report.further_faults, report.entries),
        (1000, vec![(CheckRule::LocMissing, 500)], 1500)
    );
}

#[test]
fn every_finding_names_a_rule_a_clause_and_a_fix() {
    let mut codes: Vec<_> = CheckRule::ALL.iter().map(|rule| rule.code()).collect();
    for rule in CheckRule::ALL {
        assert!(!rule.clause().is_empty() && !rule.fix().is_empty());
        assert!(rule.code().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{rule}");
    }
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), CheckRule::ALL.len());
    let fault = &judged(loc("/a")).faults[0];
    assert_eq!(
        fault.to_string(),
        "line 3: the URL \"/a\" is not absolute [loc-relative]; write the absolute URL, beginning with http:// or https://"
    );
}

#[test]
fn many_faults_of_one_kind_hide_none_of_another() {
    let entries: String = (0..50_001).map(|n| format!("<url><loc>https://other.com/{n}</loc></url>")).collect();
    let report = judged_at(urlset(&entries), Some("https://e.com/sitemap.xml"));
    assert_eq!(report.faults.iter().filter(|fault| fault.rule == CheckRule::TooMany).count(), 1);
    assert_eq!(report.further_faults, [(CheckRule::LocHost, 49_001)]);
}

#[test]
fn all_entries_are_on_the_host_of_the_first() {
    let two = |other: &str| format!("<url><loc>https://e.com/a</loc></url>\n<url><loc>{other}</loc></url>");
    for other in ["https://f.com/b", "http://e.com/b", "https://e.com:8443/b", "https://www.e.com/b"] {
        assert_eq!(faults(urlset(&two(other))), [(4, CheckRule::LocHost)], "{other}");
    }
    clean(urlset(&two("https://E.com:443/b/c")));
    assert_eq!(faults("https://e.com/a\nhttps://f.com/b\n"), [(2, CheckRule::LocHost)]);
    let files = "<sitemap><loc>https://e.com/1.xml</loc></sitemap>\n<sitemap><loc>https://f.com/2.xml</loc></sitemap>";
    assert_eq!(faults(index(files)), [(4, CheckRule::LocHost)]);
}

#[test]
fn an_index_does_not_list_itself() {
    let text = index("<sitemap><loc>https://e.com/sitemap.xml</loc></sitemap>");
    let rules = |url| -> Vec<CheckRule> { judged_at(&text, Some(url)).faults.iter().map(|fault| fault.rule).collect() };
    assert_eq!(rules("https://e.com/sitemap.xml"), [CheckRule::NestedIndex]);
    assert_eq!(rules("https://e.com/index.xml"), []);
}
