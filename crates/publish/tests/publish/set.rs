//! What a set looks like.

use crate::desk::{Desk, urls};
use mapwright_sitemap::{Format, Gzip, Item};

#[test]
fn what_fits_one_file_is_one_plain_sitemap() {
    let mut desk = Desk::new();
    let published = desk.publish(&urls(1..=3));
    assert_eq!((published.entry_point.as_str(), published.urls, published.parts.len()), ("sitemap.xml", 3, 0));
    assert_eq!(desk.names(), ["sitemap.xml"]);
    assert_eq!(desk.urls(), urls(1..=3));
    assert!(desk.files()["sitemap.xml"].starts_with(b"<?xml"));
}

#[test]
fn what_does_not_is_an_index_of_compressed_parts_in_the_order_of_their_urls() {
    let mut desk = Desk::new();
    let published = desk.publish(&urls(1..=7));
    assert_eq!(published.parts, ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz"]);
    assert_eq!(desk.parts(), published.parts);
    assert_eq!((published.changed, published.urls), (3, 7));
    assert_eq!(desk.names(), ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz", "sitemap.xml"]);
    assert_eq!(desk.urls(), urls(1..=7));
    for part in desk.parts() {
        assert!(desk.files()[&part].starts_with(&[0x1F, 0x8B]));
        assert_eq!(desk.lastmod(&part), desk.plan.now.to_string());
    }
}

#[test]
fn the_same_lists_and_history_give_the_same_bytes() {
    let (mut one, mut other) = (Desk::new(), Desk::new());
    for list in [urls(1..=7), urls(2..=12), urls(5..=6)] {
        one.publish(&list);
        other.publish(&list);
        assert_eq!(one.files(), other.files());
    }
}

#[test]
fn parts_beyond_one_index_make_further_indexes_that_are_named() {
    let mut desk = Desk::new();
    desk.plan.series.limits.parts_per_index = 2;
    let published = desk.publish(&urls(1..=13));
    assert_eq!(published.further_indexes, ["sitemap-index-2.xml", "sitemap-index-3.xml"]);
    let listed: usize = ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"]
        .iter()
        .map(|index| desk.items(index).iter().filter(|item| matches!(item, Item::Sitemap { .. })).count())
        .sum();
    assert_eq!(listed, 5);
}

#[test]
fn a_text_sitemap_and_an_uncompressed_set_are_named_for_what_they_are() {
    let mut desk = Desk::new();
    desk.plan.series.format = Format::Text;
    assert_eq!(desk.publish(&urls(1..=3)).entry_point, "sitemap.txt");
    assert_eq!(desk.names(), ["sitemap.txt"]);
    let mut desk = Desk::new();
    desk.plan.series.gzip = Gzip::Never;
    desk.publish(&urls(1..=4));
    assert_eq!(desk.parts(), ["sitemap-1.xml", "sitemap-2.xml"]);
}

#[test]
fn always_compressed_even_one_part_is_listed_by_an_index() {
    let mut desk = Desk::new();
    desk.plan.series.gzip = Gzip::Always;
    desk.publish(&urls(1..=2));
    assert_eq!(desk.parts(), ["sitemap-1.xml.gz"]);
    assert_eq!(desk.urls(), urls(1..=2));
}

#[test]
fn without_dates_the_index_has_none_either() {
    let mut desk = Desk::new();
    desk.plan.extras.lastmod = false;
    desk.publish(&urls(1..=7));
    assert!(desk.items("sitemap.xml").iter().all(|item| matches!(item, Item::Sitemap { lastmod: None, .. })));
}
