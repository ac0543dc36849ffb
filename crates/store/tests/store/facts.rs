//! The facts of pages come back from the record unchanged.

use mapwright_testcrawl::{Web, parse, url};
use mapwright_web::page::{self, DocumentHeaders, Limits, SecurityHeaders};

const PAGE: &str = "<html lang=en><head><title>A title</title><meta name=description content='Said of it'>
    <meta name=robots content=noarchive><meta property=article:modified_time content=2026-11-01>
    <link rel=canonical href=/page><link rel=alternate hreflang=de href=/de></head>
    <body><h1 id=top>Heading</h1><script></script><p>Text</body>";

#[test]
fn the_facts_of_a_page_come_back_without_links_and_blocks() {
    let fields = [("content-type", "text/html; charset=utf-8"), ("referrer-policy", "no-referrer")];
    let site = Web::default().links("/", &["/page"]).replies("/page", 200, &fields, PAGE);
    let crawled = site.crawled();
    let reported = crawled.record().facts(&parse(&url("/page"))).unwrap().unwrap();
    let security = SecurityHeaders { referrer: true, ..SecurityHeaders::default() };
    let head =
        DocumentHeaders { content_type: Some("text/html; charset=utf-8"), security, ..DocumentHeaders::default() };
    let mut said = page::read(PAGE.as_bytes(), &head, &parse(&url("/page")), &Limits::default());
    assert!(!said.blocks.is_empty() && !said.links.is_empty() && said.title.is_some() && !said.dates.is_empty());
    said.blocks.clear();
    said.links.clear();
    said.unnumbered = Default::default();
    assert_eq!(reported, said);
    assert_eq!(crawled.record().facts(&parse("http://example.com/never-met")).unwrap(), None);
}
