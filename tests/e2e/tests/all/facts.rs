//! The facts of a page, which are read in one pass, stored in the record and shown by its public views.

use mapwright_e2e::Crawl;
use mapwright_store::Record;
use mapwright_testkit::{FakeSite, Response};
use mapwright_web::{PageUrl, UrlIdentity};

/// A page with every recorded fact.
const SAMPLE: &str = "<!doctype html><html lang=pt-BR><head><title>Sample title</title>\
     <meta name=description content='Sample description'><meta property=article:modified_time content=2021-04-05>\
     <link rel=alternate hreflang=de-AT href=austria>\
     <script type=application/ld+json>{\"@type\":\"WebPage\",\"dateModified\":\"2022-06-07\"}</script></head><body>\
     <nav><a href=a>In the nav</a></nav><header><a href=b>In the header</a></header>\
     <main id=place><h1>Sample heading</h1><a href='c#spot' rel='nofollow ugc'>In  the\nmain</a><img src=picture alt=x></main>\
     <aside><a href=d>In the aside</a></aside><footer><a href=e rel=sponsored><b>In</b> the footer</a></footer></body></html>";

#[test]
fn the_facts_of_a_page_are_recorded() {
    let site = FakeSite::open();
    site.answer("/", Response::html(SAMPLE));
    let crawled = Crawl::of(&site).run().exited(0);
    let pages = crawled.query("SELECT title, description FROM v_pages WHERE status = 200");
    assert_eq!(pages, [["Sample title", "Sample description"]]);
    let of_home = format!("FROM version JOIN url ON url.id = version.url WHERE text = '{}'", site.url("/"));
    let record = Record::open_to_read(&crawled.state()).unwrap();
    let home = PageUrl::parse(&site.url("/"), &UrlIdentity::keep_all()).unwrap();
    let facts = format!("{:?}", record.facts(&home).unwrap().unwrap());
    for fact in ["Sample heading", "pt-br", "de-at", "2022-06-07", "place"] {
        assert!(facts.to_lowercase().contains(&fact.to_lowercase()), "no {fact} in {facts}");
    }
    let blocks = crawled.query(&format!("SELECT length(blocks) > 0 {of_home}"));
    assert_eq!(blocks, [["1"]], "hashes of the text blocks");
}

#[test]
fn each_link_is_recorded_with_its_text_relation_region_and_fragment() {
    let site = FakeSite::open();
    site.answer("/", Response::html(SAMPLE));
    let crawled = Crawl::of(&site).run().exited(0);
    let sql = "SELECT target, region, anchor, fragment, nofollow, ugc, sponsored FROM v_links WHERE kind = 'anchor' ORDER BY target";
    let expected = [
        ["/a", "nav", "In the nav", "", "0", "0", "0"],
        ["/b", "header", "In the header", "", "0", "0", "0"],
        ["/c", "main", "In the main", "spot", "1", "1", "0"],
        ["/d", "aside", "In the aside", "", "0", "0", "0"],
        ["/e", "footer", "In the footer", "", "0", "0", "1"],
    ];
    let found: Vec<Vec<String>> = crawled.query(sql);
    let found: Vec<Vec<String>> =
        found.into_iter().map(|row| row.into_iter().map(|cell| cell.replace(&site.base(), "")).collect()).collect();
    assert_eq!(found, expected);
    let sql = "SELECT kind, region FROM v_links WHERE kind IN ('image', 'alternate') ORDER BY kind";
    assert_eq!(crawled.query(sql), [["alternate", "head"], ["image", "main"]]);
}
