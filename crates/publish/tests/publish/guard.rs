//! The guard against publishing a sitemap that is probably wrong.

use crate::fixture::{Fixture, urls};
use mapwright_publish::{ShrinkGuard, ShrinkRefusal};
use mapwright_sitemap::Format;

fn judge(before: u32, percent: u8, now: u64) -> Option<ShrinkRefusal> {
    let mut fixture = Fixture::new();
    if before > 0 {
        fixture.publish(&urls(1..=before));
    }
    ShrinkGuard { percent }.judge(&fixture.record, &fixture.directory(), now).unwrap()
}

fn shrunk(before: u64, now: u64) -> Option<ShrinkRefusal> {
    Some(ShrinkRefusal::Shrunk { before, now })
}

#[test]
fn a_sitemap_may_lose_as_many_urls_as_the_guard_says_and_none_more() {
    assert_eq!(judge(10, 50, 5), None, "exactly half is left");
    assert_eq!(judge(10, 50, 4), shrunk(10, 4));
    assert_eq!(judge(9, 50, 5), None);
    assert_eq!(judge(9, 50, 4), shrunk(9, 4), "four of nine is fewer than half");
    assert_eq!(judge(100, 1, 99), None);
    assert_eq!(judge(100, 1, 98), shrunk(100, 98));
    assert_eq!(judge(3, 10, 2), shrunk(3, 2));
}

#[test]
fn nought_percent_switches_the_guard_off_and_a_hundred_lets_all_but_everything_go() {
    assert_eq!(judge(100, 0, 1), None);
    assert_eq!(judge(100, 100, 1), None);
    assert_eq!(judge(100, 255, 1), None, "more than all is all");
}

#[test]
fn an_empty_sitemap_is_refused_whatever_the_guard_says() {
    for percent in [0, 50, 100] {
        assert_eq!(judge(10, percent, 0), Some(ShrinkRefusal::Empty));
        assert_eq!(judge(0, percent, 0), Some(ShrinkRefusal::Empty));
    }
}

#[test]
fn a_first_sitemap_and_a_growing_one_pass() {
    assert_eq!(judge(0, 50, 1), None);
    assert_eq!(judge(5, 50, 5_000_000_000), None);
}

#[test]
fn urls_are_counted_in_every_form_that_a_set_may_have() {
    let read = |fixture: &Fixture| ShrinkGuard { percent: 1 }.judge(&fixture.record, &fixture.directory(), 1).unwrap();
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=20));
    assert_eq!(read(&fixture), shrunk(20, 1), "an index of compressed parts");
    fixture.plan.series.format = Format::Text;
    fixture.publish(&urls(1..=20));
    assert_eq!(read(&fixture), shrunk(20, 1), "an index of texts");
    let mut fixture = Fixture::new();
    fixture.plan.series.format = Format::Text;
    fixture.publish(&urls(1..=3));
    assert_eq!(read(&fixture), shrunk(3, 1), "a text alone");
}

#[test]
fn a_url_that_is_listed_twice_counts_once() {
    let fixture = Fixture::new();
    let entries: String =
        urls((0..30).map(|n| n % 10)).iter().map(|url| format!("<url><loc>{url}</loc></url>")).collect();
    let text = format!("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>");
    std::fs::write(fixture.path("sitemap.xml"), text).unwrap();
    assert_eq!(ShrinkGuard { percent: 1 }.judge(&fixture.record, &fixture.directory(), 1).unwrap(), shrunk(10, 1));
}

#[test]
fn an_entry_point_of_the_other_kind_that_left_the_set_counts_no_more() {
    let mut fixture = Fixture::new();
    fixture.plan.series.format = Format::Text;
    fixture.publish(&urls(1..=3));
    fixture.publish(&urls(11..=20));
    assert!(fixture.path("sitemap.txt").exists() && fixture.path("sitemap.xml").exists());
    let judged = ShrinkGuard { percent: 1 }.judge(&fixture.record, &fixture.directory(), 1).unwrap();
    assert_eq!(judged, shrunk(10, 1));
}
