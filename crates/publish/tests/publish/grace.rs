//! The grace period of files in the directory after they left the set.

use crate::fixture::{Fixture, urls};
use std::time::Duration;

/// A grace period of three hours; publications are an hour apart.
fn fixture() -> Fixture {
    let mut fixture = Fixture::new();
    fixture.plan.grace = Some(Duration::from_secs(3 * 3600));
    fixture
}

fn gone(fixture: &Fixture, names: &[String]) -> bool {
    assert_eq!(names.iter().filter(|name| fixture.path(name).exists()).count() % names.len(), 0, "all or none");
    !fixture.path(&names[0]).exists()
}

#[test]
fn parts_stay_as_long_as_the_grace_period_over_any_number_of_publications() {
    let mut fixture = fixture();
    let first = fixture.publish(&urls(1..=7)).parts;
    let second = fixture.publish(&urls(11..=17)).parts;
    fixture.publish(&urls(21..=27));
    fixture.publish(&urls(21..=27));
    assert!(!gone(&fixture, &first), "two hours after they were dropped");
    fixture.publish(&urls(21..=27));
    assert!(gone(&fixture, &first) && !gone(&fixture, &second));
    fixture.publish(&urls(21..=27));
    assert!(gone(&fixture, &second));
    assert_eq!(fixture.urls(), urls(21..=27));
}

#[test]
fn the_grace_period_begins_when_a_part_is_dropped_and_not_when_it_was_written() {
    let mut fixture = fixture();
    let first = fixture.publish(&urls(1..=7)).parts;
    for _ in 0..5 {
        fixture.publish(&urls(1..=7));
    }
    fixture.publish(&urls(11..=17));
    fixture.publish(&urls(11..=17));
    fixture.publish(&urls(11..=17));
    assert!(!gone(&fixture, &first));
    fixture.publish(&urls(11..=17));
    assert!(gone(&fixture, &first));
}

#[test]
fn without_a_grace_period_parts_stay_until_the_next_publication() {
    let mut fixture = Fixture::new();
    let first = fixture.publish(&urls(1..=7)).parts;
    fixture.publish(&urls(11..=17));
    assert!(!gone(&fixture, &first));
    fixture.publish(&urls(11..=17));
    assert!(gone(&fixture, &first));
}

#[test]
fn no_grace_at_all_removes_them_at_once() {
    let mut fixture = Fixture::new();
    fixture.plan.grace = Some(Duration::ZERO);
    let first = fixture.publish(&urls(1..=7)).parts;
    fixture.publish(&urls(11..=17));
    assert!(gone(&fixture, &first));
    assert_eq!(fixture.urls(), urls(11..=17));
}

#[test]
fn a_further_index_and_what_it_lists_stay_as_long() {
    let mut fixture = fixture();
    fixture.plan.series.limits.parts_per_index = 2;
    let first = fixture.publish(&urls(1..=12));
    assert_eq!(first.further_indexes, ["sitemap-index-2.xml"]);
    let lists = fixture.items("sitemap-index-2.xml").len();
    assert!(lists > 0);
    let all = [first.further_indexes.as_slice(), first.parts.as_slice()].concat();
    for _ in 0..3 {
        fixture.publish(&urls(21..=23));
        assert!(!gone(&fixture, &all));
        assert_eq!(fixture.items("sitemap-index-2.xml").len(), lists);
    }
    fixture.publish(&urls(21..=23));
    assert!(gone(&fixture, &all), "{:?}", fixture.names());
}

#[test]
fn a_further_index_that_comes_back_is_of_the_set_again() {
    let mut fixture = fixture();
    fixture.plan.series.limits.parts_per_index = 2;
    fixture.publish(&urls(1..=12));
    fixture.publish(&urls(1..=3));
    for _ in 0..5 {
        fixture.publish(&urls(1..=12));
    }
    let lists = fixture.items("sitemap-index-2.xml");
    assert!(lists.iter().all(|item| fixture.path(item.loc().rsplit('/').next().unwrap()).exists()), "{lists:?}");
}

#[test]
fn what_killed_publications_made_visible_stays_as_long_and_no_longer() {
    let mut fixture = fixture();
    fixture.publish(&urls(1..=7));
    fixture.kill_before_record_update(&urls(11..=17));
    let seen = fixture.parts();
    fixture.kill_before_record_update(&urls(21..=27));
    for _ in 0..3 {
        fixture.publish(&urls(31..=37));
        assert!(!gone(&fixture, &seen));
    }
    fixture.publish(&urls(31..=37));
    assert!(gone(&fixture, &seen));
    let files: Vec<String> = fixture.names().into_iter().filter(|name| name != "sitemap.xml").collect();
    assert_eq!(files.len(), fixture.parts().len(), "nothing is left of the others: {files:?}");
}
