//! Verdicts on recorded graphs: each URL is listed, or excluded for exactly one reason.

use crate::crawled::ReadRecord;
use mapwright_model::FailureKind;
use mapwright_testcrawl::{START, Web};

#[test]
fn each_url_that_is_known_is_listed_or_has_one_reason() {
    let site = Web::default()
        .links(
            "/",
            &[
                "/gone",
                "/moved",
                "/noindex",
                "/copy",
                "/file",
                "/blocked/a",
                "/out",
                "/dead",
                "/nolist",
                "http://b.example/",
            ],
        )
        .replies("/robots.txt", 200, &[("content-type", "text/plain")], "User-agent: *\nDisallow: /blocked")
        .redirect("/moved", "/target")
        .links("/target", &[])
        .page("/noindex", "<meta name=robots content=noindex>")
        .page("/copy", "<link rel=canonical href=/target>")
        .replies("/file", 200, &[("content-type", "application/pdf")], "%PDF-1.7")
        .page("/out", "<img src=/image.png><a rel=nofollow href=/untrusted>x</a><a href=/skip>x</a>")
        .fails("/dead", FailureKind::Tls)
        .page("/nolist", "not for everybody")
        .excluding("/skip");
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/out", "/target"]);
    let expected = [
        ("/gone", "http-error"),
        ("/moved", "redirect"),
        ("/noindex", "noindex"),
        ("/copy", "canonical"),
        ("/file", "media-type"),
        ("/blocked/a", "robots"),
        ("/dead", "no-answer"),
        ("/nolist", "no-list"),
        ("/image.png", "resource"),
        ("/untrusted", "nofollow"),
        ("/skip", "excluded"),
        ("http://b.example/", "out-of-scope"),
    ];
    for (path, reason) in expected {
        assert_eq!(crawled.reason(path), reason, "{path}");
    }
    let known: u64 = crawled.reader().query_row("SELECT count(*) FROM url", [], |row| row.get(0)).unwrap();
    assert_eq!(known as usize, crawled.listed().len() + crawled.excluded().len());
}

#[test]
fn a_reason_names_the_url_that_it_rests_on() {
    let site = Web::default()
        .links("/", &["/moved", "/copy"])
        .redirect("/moved", "/target")
        .page("/copy", "<link rel=canonical href=/target>")
        .links("/target", &[]);
    let excluded = site.crawled().excluded();
    assert_eq!(excluded["/moved"], ("redirect", Some("/target".to_owned())));
    assert_eq!(excluded["/copy"], ("canonical", Some("/target".to_owned())));
}

#[test]
fn a_canonical_whose_target_fails_is_ignored() {
    let site = Web::default()
        .links("/", &["/a", "/b"])
        .page("/a", "<link rel=canonical href=/gone>a")
        .page("/b", "<link rel=canonical href=http://[broken>b");
    assert_eq!(site.crawled().listed(), ["/", "/a", "/b"]);
}

#[test]
fn a_canonical_to_the_published_url_of_a_page_counts_as_that_page() {
    let canonical = |path: &str| format!("<link rel=canonical href=http://www.example.org{path}>{path}");
    let mut crawled = Web::default()
        .page("/", &format!("{}<a href=/a>a</a><a href=/b?x=1>b</a><a href=/b>b</a><a href=/c>c</a>", canonical("/")))
        .page("/a", &canonical("/a"))
        .page("/b?x=1", &canonical("/b"))
        .page("/b", &canonical("/b"))
        .page("/c", &canonical("/elsewhere"))
        .crawled();
    assert_eq!(crawled.listed(), [""; 0]);
    crawled.judge_as(Some(&|text| Some(text.replace("example.com", "www.example.org"))));
    assert_eq!(crawled.listed(), ["/", "/a", "/b"]);
    let excluded = crawled.excluded();
    assert_eq!(excluded["/b?x=1"], ("canonical", Some("/b".to_owned())));
    assert_eq!(excluded["/c"].0, "canonical");
}

#[test]
fn a_published_url_of_several_pages_belongs_to_one_that_may_be_listed() {
    let named = "<link rel=canonical href=http://www.example.org/x>";
    let firsts = [
        Web::default().page("/a/x", &format!("<meta name=robots content=noindex>{named}a")),
        Web::default().page("/a/x", "<link rel=canonical href=/other>a"),
        Web::default().redirect("/a/x", "/other"),
    ];
    for site in firsts {
        let mut crawled = site.links("/", &["/a/x", "/b/x"]).page("/b/x", &format!("{named}b")).crawled();
        crawled.judge_as(Some(&|text| {
            Some(text.replace("example.com/a", "www.example.org").replace("example.com/b", "www.example.org"))
        }));
        assert!(crawled.listed().contains(&"/b/x".to_owned()), "{:?}", crawled.excluded());
    }
}

#[test]
fn canonicals_in_a_loop_with_redirects_are_ignored() {
    let site = Web::default()
        .links("/", &["/a", "/b", "/c"])
        .page("/a", "<link rel=canonical href=/b>a")
        .page("/b", "<link rel=canonical href=/a>b")
        .page("/c", "<link rel=canonical href=/d>c")
        .redirect("/d", "/c");
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/a", "/b", "/c"]);
    assert_eq!(crawled.reason("/d"), "redirect");
}

#[test]
fn a_canonical_counts_in_the_head_and_the_header_and_nowhere_else() {
    let linked = [("content-type", "text/html"), ("link", "</target>; rel=canonical")];
    let site = Web::default()
        .links("/", &["/head", "/header", "/body", "/two"])
        .page("/head", "<link rel=canonical href=/target>head")
        .replies("/header", 200, &linked, "header")
        .page("/body", "<body><p>text</p><link rel=canonical href=/target>")
        .page("/two", "<link rel=canonical href=/target><link rel=canonical href=/>two")
        .links("/target", &[]);
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/body", "/target", "/two"]);
    let faults: String = crawled
        .reader()
        .query_row(
            "SELECT canonical_fault FROM visit v JOIN url u ON u.id = v.url WHERE u.text LIKE '%/two'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(faults, "conflict");
}

#[test]
fn the_most_linked_exact_duplicate_stays_and_other_pages_with_equal_bytes_stay_too() {
    let site = Web::default()
        .links("/", &["/dir/", "/dir/index.html", "/other", "/page"])
        .links("/page", &["/dir/index.html"])
        .page("/dir/", "the same")
        .page("/dir/index.html", "the same")
        .page("/other", "the same");
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/dir/index.html", "/other", "/page"]);
    assert_eq!(crawled.excluded()["/dir/"], ("duplicate", Some("/dir/index.html".to_owned())));
}

#[test]
fn the_shortest_of_equally_linked_duplicates_stays_and_pages_with_other_bytes_stay() {
    let site = Web::default()
        .links("/", &["/dir/", "/dir/index.html", "/a", "/A"])
        .page("/dir/", "the same")
        .page("/dir/index.html", "the same")
        .page("/a", "one")
        .page("/A", "another");
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/A", "/a", "/dir/"]);
}

#[test]
fn a_url_of_2048_characters_is_too_long_and_one_of_2047_is_not() {
    let long = |chars: usize| format!("/{}", "x".repeat(chars - START.len()));
    let (fits, exceeds) = (long(2047), long(2048));
    let site = Web::default().links("/", &[&fits, &exceeds]).links(&fits, &[]).links(&exceeds, &[]);
    let crawled = site.crawled();
    assert_eq!((crawled.reason(&fits), crawled.reason(&exceeds)), ("", "too-long"));
}

#[test]
fn an_instant_refresh_counts_as_a_redirect_and_a_slow_one_does_not() {
    let site = Web::default()
        .links("/", &["/now", "/slow"])
        .page("/now", "<meta http-equiv=refresh content='0; url=/target'>")
        .page("/slow", "<meta http-equiv=refresh content='5; url=/target'>")
        .links("/target", &[]);
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/slow", "/target"]);
    assert_eq!(crawled.excluded()["/now"], ("redirect", Some("/target".to_owned())));
}

#[test]
fn earlier_reasons_take_precedence_over_later_ones() {
    let site = Web::default()
        .links("/", &["/nolist/noindex", "/nolist/gone"])
        .page("/nolist/noindex", "<meta name=robots content=noindex><link rel=canonical href=/>");
    let crawled = site.crawled();
    assert_eq!((crawled.reason("/nolist/noindex"), crawled.reason("/nolist/gone")), ("noindex", "http-error"));
}

#[test]
fn an_unavailable_robots_file_is_reported_with_its_own_reason() {
    let site = Web::default().replies("/robots.txt", 503, &[], "").links("/", &[]);
    assert_eq!(site.crawled().reason("/"), "robots-unavailable");
    let site = Web::default().fails("/robots.txt", FailureKind::TimedOut).links("/", &[]);
    assert_eq!(site.crawled().reason("/"), "no-answer");
}

#[test]
fn urls_beyond_the_budget_have_the_reason_url_limit() {
    let site = Web::default().links("/", &["/a", "/b"]).links("/a", &[]).links("/b", &[]).with_budget(2);
    let crawled = site.crawled();
    assert_eq!((crawled.reason("/a"), crawled.reason("/b")), ("", "url-limit"));
}

#[test]
fn judging_again_changes_nothing() {
    let mut crawled = Web::default().links("/", &["/a", "/gone"]).links("/a", &[]).crawled();
    let before = (crawled.listed(), crawled.excluded());
    crawled.judge();
    assert_eq!((crawled.listed(), crawled.excluded()), before);
}
