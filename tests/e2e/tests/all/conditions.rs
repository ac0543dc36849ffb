//! The conditions under which the next crawl of a known site requests a page (RFC 9110, 13.1; RFC 9111, 4.3).

use mapwright_e2e::{CrawlRound, RepeatedCrawls, Revision, links};
use mapwright_testkit::Response;

const MODIFIED: &str = "Sun, 06 Nov 2016 08:49:37 GMT";

/// A page with this HTML and an entity tag.
fn tagged(html: &str) -> Revision {
    Revision::new(html).etag("\"1\"")
}

/// A site whose start page links only to `/a`, crawled once.
fn crawled_once(a: Revision) -> (RepeatedCrawls, CrawlRound) {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    a.publish(&rounds, "/a");
    let first = rounds.crawl();
    (rounds, first)
}

/// An entity tag of Apache for a compressed response.
const PACKED: &str = "\"abc-gzip\"";

#[test]
fn the_validators_of_the_first_crawl_are_the_conditions_of_the_second() {
    let cases = [
        (Some("\"abc\""), None),
        (Some("W/\"weak one\""), None),
        (Some("\"a,b;c='d'\""), None),
        (Some("\"\""), None),
        (None, Some(MODIFIED)),
        (Some(PACKED), Some(MODIFIED)),
        (None, None),
    ];
    for (etag, modified) in cases {
        let mut page = Revision::new("<h1>A</h1>");
        page = etag.into_iter().fold(page, Revision::etag);
        page = modified.into_iter().fold(page, Revision::modified);
        let (rounds, first) = crawled_once(page);
        assert_eq!(first.conditions("/a"), (None, None));
        // Apache's compression adds the suffix, but does not recognise it in a condition.
        let sent = etag.map(|etag| if etag == PACKED { "\"abc-gzip\", \"abc\"" } else { etag });
        assert_eq!(rounds.crawl().conditions("/a"), (sent, modified));
    }
}

/// RFC 9110, 13.1.3: the server compares the date with the one it sent, so the crawl sends it back verbatim.
#[test]
fn an_obsolete_date_is_sent_back_verbatim_or_not_at_all() {
    for date in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        let (rounds, _) = crawled_once(Revision::new("<h1>A</h1>").modified(date));
        let second = rounds.crawl();
        assert!(matches!(second.conditions("/a"), (None, None)) || second.conditions("/a") == (None, Some(date)));
        second.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    }
}

#[test]
fn a_full_recrawl_makes_unconditional_requests() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>").modified(MODIFIED));
    assert_eq!(rounds.crawl_with(&["--recrawl", "full"]).conditions("/a"), (None, None));
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
}

/// RFC 9111, 3.2 and 4.3.4: the header fields of a 304 replace the stored ones.
#[test]
fn validators_that_a_304_renews_are_the_next_conditions() {
    let later = "Mon, 07 Nov 2016 08:49:37 GMT";
    let page = tagged("<h1>A</h1>").modified(MODIFIED);
    let renewing = page.clone().header_of_304("ETag", "W/\"2\"").header_of_304("Last-Modified", later);
    let (rounds, _) = crawled_once(renewing);
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
    assert_eq!(rounds.crawl().conditions("/a"), (Some("W/\"2\""), Some(later)));
}

/// RFC 9111, 4.3.4: a 304 with a strong validator updates only stored responses with the same validator.
#[test]
fn a_304_for_another_representation_revalidates_nothing() {
    for (given, requests) in [("\"2\"", 2), ("\"1-gzip\"", 1), ("\"1\"", 1)] {
        let rounds = RepeatedCrawls::new();
        rounds.page("/", links(&["/a"]));
        tagged("<h1>A</h1>").publish(&rounds, "/a");
        drop(rounds.crawl());
        rounds.handler("/a", move |request| match request.header("if-none-match") {
            Some(_) => Response::new(304).header("ETag", given),
            None => Response::html("<h1>Another</h1>").header("ETag", given),
        });
        let second = rounds.crawl();
        assert_eq!(second.hits("/a"), requests, "{given}");
        assert_eq!(second.lastmod(&rounds.url("/a")).is_some(), requests == 2, "{given}");
    }
}

#[test]
fn validators_that_a_304_leaves_out_stay() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"]));
    rounds.handler("/a", |request| match request.header("if-none-match") {
        Some(_) => Response::new(304),
        None => Response::html("<h1>A</h1>").header("ETag", "\"1\"").header("Last-Modified", MODIFIED),
    });
    drop(rounds.crawls(2));
    let third = rounds.crawl();
    assert_eq!(third.conditions("/a"), (Some("\"1\""), Some(MODIFIED)));
    assert_eq!(third.lastmod(&rounds.url("/a")).as_deref(), Some("2016-11-06T08:49:37Z"));
}

#[test]
fn a_page_that_lost_its_validators_is_requested_without_conditions() {
    let (rounds, _) = crawled_once(tagged("<h1>A</h1>"));
    rounds.page("/a", "<h1>Another</h1>");
    assert_eq!(rounds.crawl().conditions("/a"), (Some("\"1\""), None));
    assert_eq!(rounds.crawl().conditions("/a"), (None, None));
}

#[test]
fn other_kinds_of_documents_are_requested_on_condition_too() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a.pdf"]));
    rounds.handler("/a.pdf", |request| match request.header("if-none-match") {
        Some("\"pdf\"") => Response::new(304),
        _ => Response::new(200).content_type("application/pdf").header("ETag", "\"pdf\"").body("%PDF-1.4"),
    });
    for condition in [None, Some("\"pdf\""), Some("\"pdf\"")] {
        let round = rounds.crawl_with(&["--list-types", "html,pdf"]);
        assert_eq!(round.conditions("/a.pdf").0, condition);
        round.crawled.assert_lists(&rounds.urls(&["/", "/a.pdf"]));
    }
}
