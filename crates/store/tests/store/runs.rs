//! Several runs in one record.

use crate::crawled::ReadRecord;
use mapwright_store::Retention;
use mapwright_testcrawl::Web;

#[test]
fn a_url_keeps_its_number_and_an_unchanged_page_its_version() {
    let site = Web::default().links("/", &["/a", "/b"]).links("/a", &[]).links("/b", &[]);
    let mut crawled = site.crawled();
    let count = |crawled: &mapwright_testcrawl::Crawled, sql: &str| -> u64 {
        crawled.reader().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let (urls, versions) = ("SELECT count(*) FROM url", "SELECT count(*) FROM version");
    let before = (count(&crawled, urls), count(&crawled, versions));
    crawled.again(&site);
    assert_eq!((count(&crawled, urls), count(&crawled, versions)), before);
    let changed = site.page("/a", "something new");
    crawled.again(&changed);
    assert_eq!((count(&crawled, urls), count(&crawled, versions)), (before.0, before.1 + 1));
    assert_eq!(count(&crawled, "SELECT count(*) FROM run WHERE state = 'complete'"), 3);
}

#[test]
fn a_run_reports_only_its_own_urls() {
    let mut crawled = Web::default().links("/", &["/old"]).links("/old", &[]).crawled();
    assert_eq!(crawled.listed(), ["/", "/old"]);
    crawled.again(&Web::default().links("/", &["/new"]).links("/new", &[]));
    assert_eq!(crawled.listed(), ["/", "/new"]);
    assert!(!crawled.excluded().contains_key("/old"), "it was not met in this run");
}

#[test]
fn a_url_that_was_refused_in_one_run_may_be_fetched_in_the_next() {
    let blocked = [("content-type", "text/plain")];
    let site = Web::default().links("/", &["/a"]).links("/a", &[]);
    let mut crawled = site.clone().replies("/robots.txt", 200, &blocked, "User-agent: *\nDisallow: /a").crawled();
    assert_eq!(crawled.reason("/a"), "robots");
    crawled.again(&site);
    assert_eq!(crawled.reason("/a"), "");
}

#[test]
fn links_that_many_pages_share_are_stored_once() {
    let nav = "<nav><a href=/>home</a><a href=/1>one</a><a href=/2>two</a></nav>";
    let site = (1..30).fold(Web::default().page("/", nav), |site, n| {
        site.page(&format!("/{n}"), &format!("{nav}<main><a href=/{}>next</a></main>", n + 1))
    });
    let crawled = site.crawled();
    let stored = "SELECT sum(json_array_length(links)) FROM link_set";
    let stored: u64 = crawled.reader().query_row(stored, [], |row| row.get(0)).unwrap();
    assert_eq!(stored, 3 + 29);
    let reported: u64 = crawled.reader().query_row("SELECT count(*) FROM v_links", [], |row| row.get(0)).unwrap();
    assert_eq!(reported, 30 * 3 + 29);
}

#[test]
fn the_run_whose_sitemap_is_published_stays() {
    let site = Web::default().links("/", &[]);
    let mut crawled = site.crawled();
    crawled.again(&site);
    let published = "UPDATE run SET published = 1";
    crawled.reader().execute(published, []).unwrap();
    (0..3).for_each(|_| crawled.again(&site));
    crawled.record_mut().prune(&Retention { runs: 2, age: None }).unwrap();
    let kept: Vec<i64> = crawled.record().runs().unwrap().iter().map(|run| run.run).collect();
    assert_eq!(kept, [5, 4, 2]);
}
