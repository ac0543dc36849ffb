//! `cargo bench -p mapwright-web`: pages, charsets, URLs and robots rules, compared with `scraper` on the same pages.

mod input;
mod scraped;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use mapwright_web::charset::decode;
use mapwright_web::page::{Document, Limits, read};
use mapwright_web::{Joiner, KeyMaker, PageUrl, Robots, UrlIdentity};
use scraper::{Html, Selector};

fn main() {
    divan::main();
}

/// The pages of one kind.
fn pages(kind: &str) -> &'static [&'static str] {
    if kind == "site" { &[input::SITE] } else { &input::DOCS }
}

fn size(pages: &[&str]) -> BytesCount {
    BytesCount::new(pages.iter().map(|page| page.len()).sum::<usize>())
}

#[divan::bench(args = ["site", "docs"])]
fn page_facts(bencher: Bencher<'_, '_>, kind: &str) {
    let (pages, url, head, limits) = (pages(kind), input::page(), input::head(), Limits::default());
    bencher.counter(size(pages)).bench_local(|| {
        for page in pages {
            black_box(read(black_box(page.as_bytes()), &head, &url, &limits));
        }
    });
}

/// Reads a page as a crawl does: its links are recognized by their texts, without parsing.
#[divan::bench(args = ["site", "docs"])]
fn page_facts_and_keys(bencher: Bencher<'_, '_>, kind: &str) {
    let (pages, url, head, limits) = (pages(kind), input::page(), input::head(), Limits::default());
    let (keys, mut text) = (KeyMaker::new(1, 2), String::new());
    bencher.counter(size(pages)).bench_local(|| {
        for page in pages {
            let document = Document::decode(black_box(page.as_bytes()), &head);
            let (facts, links) = document.read(&head, &url, &limits);
            for link in &links.written {
                if links.joiner.write_canonical_candidate(link.href(), &mut text) {
                    black_box(keys.key_text(&text));
                }
            }
            black_box(facts);
        }
    });
}

#[divan::bench(args = ["site", "docs"])]
fn page_facts_by_scraper(bencher: Bencher<'_, '_>, kind: &str) {
    let pages = pages(kind);
    bencher.counter(size(pages)).bench_local(|| {
        for page in pages {
            black_box(scraped::facts(black_box(page)));
        }
    });
}

#[divan::bench(args = ["site", "docs"])]
fn page_links_by_scraper(bencher: Bencher<'_, '_>, kind: &str) {
    let (pages, url, identity) = (pages(kind), input::page(), UrlIdentity::default());
    let Ok(anchors) = Selector::parse("a[href]") else { return };
    bencher.counter(size(pages)).bench_local(|| {
        for page in pages {
            let tree = Html::parse_document(black_box(page));
            for href in tree.select(&anchors).filter_map(|element| element.attr("href")) {
                let _ = black_box(PageUrl::join(url.as_url(), href, encoding_rs::UTF_8, &identity));
            }
        }
    });
}

#[divan::bench(args = ["site", "docs"])]
fn charset(bencher: Bencher<'_, '_>, kind: &str) {
    let pages = pages(kind);
    bencher.counter(size(pages)).bench_local(|| {
        for page in pages {
            black_box(decode(black_box(page.as_bytes()), None));
        }
    });
}

/// Text that is not UTF-8: declared, and detected from its bytes.
#[divan::bench(args = ["windows-1252", "shift_jis", "utf-16le", "undeclared"])]
fn charset_legacy(bencher: Bencher<'_, '_>, name: &str) {
    let (bytes, content_type) = input::legacy(name);
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| {
        black_box(decode(black_box(&bytes), content_type.as_deref()));
    });
}

#[divan::bench]
fn url_join(bencher: Bencher<'_, '_>) {
    let (page, identity) = (input::page(), UrlIdentity::default());
    bencher.counter(ItemsCount::new(input::REFERENCES.len())).bench_local(|| {
        for href in input::REFERENCES {
            let _ = black_box(PageUrl::join(page.as_url(), black_box(href), encoding_rs::UTF_8, &identity));
        }
    });
}

#[divan::bench]
fn url_spelt(bencher: Bencher<'_, '_>) {
    let (page, identity) = (input::page(), UrlIdentity::default());
    let (joiner, mut text) = (Joiner::new(&page, encoding_rs::UTF_8, &identity), String::new());
    bencher.counter(ItemsCount::new(input::REFERENCES.len())).bench_local(|| {
        for href in input::REFERENCES {
            let _ = black_box(joiner.write_canonical_candidate(black_box(href), &mut text));
        }
    });
}

#[divan::bench]
fn url_canonical(bencher: Bencher<'_, '_>) {
    let identity = UrlIdentity::default();
    bencher.bench_local(|| {
        let text = "HTTP://Example.COM:80/a/./b/../caf%c3%a9/%7euser?b=2&utm_source=x&a=1#top";
        let _ = black_box(PageUrl::parse(black_box(text), &identity));
    });
}

#[divan::bench]
fn robots_compiled(bencher: Bencher<'_, '_>) {
    let text = input::robots();
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| Robots::compile(black_box(text.as_bytes())));
}

#[divan::bench]
fn robots_requested(bencher: Bencher<'_, '_>) {
    let (robots, urls) = (Robots::compile(input::robots().as_bytes()), input::requested());
    bencher.counter(ItemsCount::new(urls.len())).bench_local(|| {
        let rules = robots.agent("mapwright");
        urls.iter().filter(|url| rules.rule(black_box(url).path_and_query()).allowed).count()
    });
}
