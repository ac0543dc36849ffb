//! Names of parts: never reused for other bytes, kept for the same bytes, and removed one publication after they left
//! the set.

use crate::fixture::{Fixture, urls};
use mapwright_sitemap::{Format, Gzip};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;

#[test]
fn parts_that_did_not_change_keep_their_name_their_file_and_their_date() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=9));
    let before = fixture.files();
    let first = fixture.plan.now.to_string();
    let written = fs::metadata(fixture.path("sitemap-1.xml.gz")).unwrap().modified().unwrap();
    let mut list = urls(1..=9);
    list[8] = "https://a.example/999".to_owned();
    let published = fixture.publish(&list);
    assert_eq!(published.parts, ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-4.xml.gz"]);
    assert_eq!(published.changed, 1);
    assert_eq!(fixture.files()["sitemap-1.xml.gz"], before["sitemap-1.xml.gz"]);
    assert_eq!(fs::metadata(fixture.path("sitemap-1.xml.gz")).unwrap().modified().unwrap(), written);
    assert_eq!(fixture.lastmod("sitemap-1.xml.gz"), first);
    assert_eq!(fixture.lastmod("sitemap-4.xml.gz"), fixture.plan.now.to_string());
}

#[test]
fn a_set_that_did_not_change_is_the_same_to_the_last_byte() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=9));
    let before = fixture.files();
    assert_eq!(fixture.publish(&urls(1..=9)).changed, 0);
    assert_eq!(fixture.files(), before);
}

#[test]
fn a_part_that_left_the_set_stays_for_one_publication() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=6));
    fixture.publish(&urls(4..=9));
    assert!(fixture.path("sitemap-1.xml.gz").is_file(), "the index before may still be in somebody's hands");
    fixture.publish(&urls(4..=9));
    assert!(!fixture.path("sitemap-1.xml.gz").exists());
    assert_eq!(fixture.urls(), urls(4..=9));
}

#[test]
fn a_set_that_shrinks_to_one_file_and_grows_again_uses_no_name_twice() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=6));
    fixture.publish(&urls(1..=2));
    assert_eq!(fixture.names(), ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap.xml"]);
    fixture.publish(&urls(1..=2));
    assert_eq!(fixture.names(), ["sitemap.xml"]);
    fixture.publish(&urls(11..=16));
    assert_eq!(fixture.parts(), ["sitemap-3.xml.gz", "sitemap-4.xml.gz"]);
}

#[test]
fn two_parts_with_the_same_bytes_have_names_of_their_own() {
    let mut fixture = Fixture::new();
    let list: Vec<String> = (0..6).map(|_| "https://a.example/same".to_owned()).collect();
    let published = fixture.publish(&list);
    let names: BTreeSet<&String> = published.parts.iter().collect();
    assert_eq!(names.len(), 2);
}

/// A deterministic random number generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    /// A list near to the previous one: some URLs are removed, others added.
    fn next(&mut self, list: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut next: BTreeSet<u32> = list.iter().copied().filter(|_| self.below(10) > 0).collect();
        let fresh = self.below(12);
        next.extend((0..fresh).map(|_| self.below(60) as u32));
        next.insert(0);
        next
    }
}

#[test]
fn through_a_hundred_publications_every_index_resolves_until_the_next_but_one() {
    let mut fixture = Fixture::new();
    let mut dice = Dice(4711);
    let mut list = BTreeSet::from([0]);
    let mut ever: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut before: Vec<String> = Vec::new();
    for publication in 0..100 {
        list = dice.next(&list);
        let published = fixture.publish(&urls(list.iter().copied()));
        assert_eq!(fixture.urls(), urls(list.iter().copied()), "publication {publication}");
        let files = fixture.files();
        for (name, bytes) in files.iter().filter(|(name, _)| *name != "sitemap.xml") {
            let first = ever.entry(name.clone()).or_insert_with(|| bytes.clone());
            assert_eq!(first, bytes, "{name} holds other bytes than it once did");
        }
        let now = if published.parts.is_empty() { Vec::new() } else { fixture.parts() };
        let expected: BTreeSet<&str> = before.iter().chain(&now).map(String::as_str).chain(["sitemap.xml"]).collect();
        assert_eq!(files.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected, "publication {publication}");
        before = now;
    }
}

#[test]
fn what_did_not_change_is_not_written() {
    for last in [3, 9] {
        let mut fixture = Fixture::new();
        fixture.publish(&urls(1..=last));
        let inodes = |fixture: &Fixture| -> BTreeMap<String, u64> {
            fixture
                .names()
                .into_iter()
                .map(|name| (name.clone(), fs::metadata(fixture.path(&name)).unwrap().ino()))
                .collect()
        };
        let before = inodes(&fixture);
        fixture.publish(&urls(1..=last));
        assert_eq!(inodes(&fixture), before);
    }
}

#[test]
fn parts_that_are_packed_otherwise_have_other_names() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=6));
    fixture.plan.series.gzip = Gzip::Never;
    assert_eq!(fixture.publish(&urls(1..=6)).parts, ["sitemap-3.xml", "sitemap-4.xml"]);
    assert!(fixture.files()["sitemap-3.xml"].starts_with(b"<?xml"));
    fixture.plan.series.gzip = Gzip::Auto;
    assert_eq!(fixture.publish(&urls(1..=6)).parts, ["sitemap-5.xml.gz", "sitemap-6.xml.gz"]);
}

#[test]
fn an_entry_point_of_the_other_kind_leaves_the_set_as_a_part_does() {
    let mut fixture = Fixture::new();
    fixture.plan.series.format = Format::Text;
    fixture.publish(&urls(1..=3));
    fixture.publish(&urls(1..=6));
    assert!(fixture.path("sitemap.txt").exists(), "somebody may still hold robots.txt of the day before");
    fixture.publish(&urls(1..=6));
    assert_eq!(fixture.names(), ["sitemap-1.txt.gz", "sitemap-2.txt.gz", "sitemap.xml"]);
    fixture.publish(&urls(1..=3));
    fixture.publish(&urls(1..=3));
    assert_eq!(fixture.names(), ["sitemap.txt"]);
    fixture.plan.series.format = Format::Xml;
    for _ in 0..2 {
        fixture.publish(&urls(1..=3));
    }
    assert_eq!(fixture.names(), ["sitemap.xml"]);
}
