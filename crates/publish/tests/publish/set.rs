//! The files of a set.

use crate::fixture::{Fixture, urls};
use mapwright_sitemap::{Format, Gzip, Item};

#[test]
fn what_fits_one_file_is_one_plain_sitemap() {
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=3));
    assert_eq!((published.entry_point.as_str(), published.urls, published.parts.len()), ("sitemap.xml", 3, 0));
    assert_eq!(fixture.names(), ["sitemap.xml"]);
    assert_eq!(fixture.urls(), urls(1..=3));
    assert!(fixture.files()["sitemap.xml"].starts_with(b"<?xml"));
}

#[test]
fn what_does_not_is_an_index_of_compressed_parts_in_the_order_of_their_urls() {
    let mut fixture = Fixture::new();
    let published = fixture.publish(&urls(1..=7));
    assert_eq!(published.parts, ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz"]);
    assert_eq!(fixture.parts(), published.parts);
    assert_eq!((published.changed, published.urls), (3, 7));
    assert_eq!(fixture.names(), ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz", "sitemap.xml"]);
    assert_eq!(fixture.urls(), urls(1..=7));
    for part in fixture.parts() {
        assert!(fixture.files()[&part].starts_with(&[0x1F, 0x8B]));
        assert_eq!(fixture.lastmod(&part), fixture.plan.now.to_string());
    }
}

#[test]
fn the_same_lists_and_history_give_the_same_bytes() {
    let (mut one, mut other) = (Fixture::new(), Fixture::new());
    for list in [urls(1..=7), urls(2..=12), urls(5..=6)] {
        one.publish(&list);
        other.publish(&list);
        assert_eq!(one.files(), other.files());
    }
}

#[test]
fn parts_beyond_one_index_make_further_indexes_that_are_named() {
    let mut fixture = Fixture::new();
    fixture.plan.series.limits.parts_per_index = 2;
    let published = fixture.publish(&urls(1..=13));
    assert_eq!(published.further_indexes, ["sitemap-index-2.xml", "sitemap-index-3.xml"]);
    let listed: usize = ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-3.xml"]
        .iter()
        .map(|index| fixture.items(index).iter().filter(|item| matches!(item, Item::Sitemap { .. })).count())
        .sum();
    assert_eq!(listed, 5);
}

#[test]
fn a_text_sitemap_and_an_uncompressed_set_are_named_for_what_they_are() {
    let mut fixture = Fixture::new();
    fixture.plan.series.format = Format::Text;
    assert_eq!(fixture.publish(&urls(1..=3)).entry_point, "sitemap.txt");
    assert_eq!(fixture.names(), ["sitemap.txt"]);
    let mut fixture = Fixture::new();
    fixture.plan.series.gzip = Gzip::Never;
    fixture.publish(&urls(1..=4));
    assert_eq!(fixture.parts(), ["sitemap-1.xml", "sitemap-2.xml"]);
}

#[test]
fn always_compressed_even_one_part_is_listed_by_an_index() {
    let mut fixture = Fixture::new();
    fixture.plan.series.gzip = Gzip::Always;
    fixture.publish(&urls(1..=2));
    assert_eq!(fixture.parts(), ["sitemap-1.xml.gz"]);
    assert_eq!(fixture.urls(), urls(1..=2));
}

#[test]
fn without_dates_the_index_has_none_either() {
    let mut fixture = Fixture::new();
    fixture.plan.extras.lastmod = false;
    fixture.publish(&urls(1..=7));
    assert!(fixture.items("sitemap.xml").iter().all(|item| matches!(item, Item::Sitemap { lastmod: None, .. })));
}
