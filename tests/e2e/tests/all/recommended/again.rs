//! Each crawl of an unchanged site gives the same list.

use mapwright_e2e::Workspace;

use super::facets::{products, shop};
use super::orders::sorted_shop;
use super::parameters::linked_by_variants;
use super::sessions::with_fresh_sessions;
use super::switch::market;
use super::town::SmallSite;

/// Crawls three times on one record, and asserts that each sitemap has the bytes of the first.
#[track_caller]
fn check_crawls_again(town: &SmallSite) {
    let workspace = Workspace::new();
    let mut sitemaps = (1..=3).map(|_| {
        let crawled = town.plan().within(&workspace).run().exited(0);
        std::fs::read_to_string(crawled.out().join("sitemap.xml")).unwrap()
    });
    let first = sitemaps.next().unwrap();
    for (later, number) in sitemaps.zip(2..) {
        assert!(first == later, "crawl 1:\n{first}\ncrawl {number}:\n{later}");
    }
}

/// Crawls with one request at a time and with sixteen, and asserts that each sitemap lists exactly the expected pages.
#[track_caller]
fn check_concurrency(town: &SmallSite) {
    for concurrency in ["1", "16", "1", "16"] {
        let crawled = town.plan().args(["--concurrency", concurrency]).run().exited(0);
        town.assert_exact(&crawled);
    }
}

#[test]
fn a_second_crawl_of_the_same_record_gives_the_same_bytes() {
    check_crawls_again(&market());
}

#[test]
fn a_second_crawl_gives_the_same_bytes_though_sessions_are_fresh() {
    check_crawls_again(&with_fresh_sessions("s"));
}

#[test]
fn a_second_crawl_of_facets_gives_the_same_bytes() {
    check_crawls_again(&shop(products(24), usize::MAX));
}

#[test]
fn a_second_crawl_of_sort_orders_gives_the_same_bytes() {
    check_crawls_again(&sorted_shop());
}

#[test]
fn the_list_does_not_depend_on_the_concurrency() {
    check_concurrency(&market());
}

#[test]
fn the_list_does_not_depend_on_the_concurrency_where_sessions_are_fresh() {
    check_concurrency(&with_fresh_sessions("s"));
}

#[test]
fn the_list_does_not_depend_on_the_concurrency_where_there_are_facets() {
    check_concurrency(&shop(products(24), usize::MAX));
}

#[test]
fn the_list_does_not_depend_on_the_concurrency_where_only_variants_are_linked() {
    check_concurrency(&linked_by_variants());
}

#[test]
fn a_second_crawl_gives_the_same_bytes_where_only_variants_are_linked() {
    check_crawls_again(&linked_by_variants());
}
