//! How long files stay in the directory after they left the set.

use crate::desk::{Desk, urls};
use std::time::Duration;

/// Three hours, of which each publication takes one.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.plan.grace = Some(Duration::from_secs(3 * 3600));
    desk
}

fn gone(desk: &Desk, names: &[String]) -> bool {
    assert_eq!(names.iter().filter(|name| desk.path(name).exists()).count() % names.len(), 0, "all or none");
    !desk.path(&names[0]).exists()
}

#[test]
fn parts_stay_as_long_as_the_grace_period_over_any_number_of_publications() {
    let mut desk = desk();
    let first = desk.publish(&urls(1..=7)).parts;
    let second = desk.publish(&urls(11..=17)).parts;
    desk.publish(&urls(21..=27));
    desk.publish(&urls(21..=27));
    assert!(!gone(&desk, &first), "two hours after they were dropped");
    desk.publish(&urls(21..=27));
    assert!(gone(&desk, &first) && !gone(&desk, &second));
    desk.publish(&urls(21..=27));
    assert!(gone(&desk, &second));
    assert_eq!(desk.urls(), urls(21..=27));
}

#[test]
fn the_grace_period_begins_when_a_part_is_dropped_and_not_when_it_was_written() {
    let mut desk = desk();
    let first = desk.publish(&urls(1..=7)).parts;
    for _ in 0..5 {
        desk.publish(&urls(1..=7));
    }
    desk.publish(&urls(11..=17));
    desk.publish(&urls(11..=17));
    desk.publish(&urls(11..=17));
    assert!(!gone(&desk, &first));
    desk.publish(&urls(11..=17));
    assert!(gone(&desk, &first));
}

#[test]
fn without_a_grace_period_parts_stay_until_the_next_publication() {
    let mut desk = Desk::new();
    let first = desk.publish(&urls(1..=7)).parts;
    desk.publish(&urls(11..=17));
    assert!(!gone(&desk, &first));
    desk.publish(&urls(11..=17));
    assert!(gone(&desk, &first));
}

#[test]
fn no_grace_at_all_removes_them_at_once() {
    let mut desk = Desk::new();
    desk.plan.grace = Some(Duration::ZERO);
    let first = desk.publish(&urls(1..=7)).parts;
    desk.publish(&urls(11..=17));
    assert!(gone(&desk, &first));
    assert_eq!(desk.urls(), urls(11..=17));
}

#[test]
fn a_further_index_and_what_it_lists_stay_as_long() {
    let mut desk = desk();
    desk.plan.series.limits.parts_per_index = 2;
    let first = desk.publish(&urls(1..=12));
    assert_eq!(first.further_indexes, ["sitemap-index-2.xml"]);
    let lists = desk.items("sitemap-index-2.xml").len();
    assert!(lists > 0);
    let all = [first.further_indexes.as_slice(), first.parts.as_slice()].concat();
    for _ in 0..3 {
        desk.publish(&urls(21..=23));
        assert!(!gone(&desk, &all));
        assert_eq!(desk.items("sitemap-index-2.xml").len(), lists);
    }
    desk.publish(&urls(21..=23));
    assert!(gone(&desk, &all), "{:?}", desk.names());
}

#[test]
fn a_further_index_that_comes_back_is_of_the_set_again() {
    let mut desk = desk();
    desk.plan.series.limits.parts_per_index = 2;
    desk.publish(&urls(1..=12));
    desk.publish(&urls(1..=3));
    for _ in 0..5 {
        desk.publish(&urls(1..=12));
    }
    let lists = desk.items("sitemap-index-2.xml");
    assert!(lists.iter().all(|item| desk.path(item.loc().rsplit('/').next().unwrap()).exists()), "{lists:?}");
}

#[test]
fn what_killed_publications_made_visible_stays_as_long_and_no_longer() {
    let mut desk = desk();
    desk.publish(&urls(1..=7));
    desk.kill_before_the_record_tells(&urls(11..=17));
    let seen = desk.parts();
    desk.kill_before_the_record_tells(&urls(21..=27));
    for _ in 0..3 {
        desk.publish(&urls(31..=37));
        assert!(!gone(&desk, &seen));
    }
    desk.publish(&urls(31..=37));
    assert!(gone(&desk, &seen));
    let files: Vec<String> = desk.names().into_iter().filter(|name| name != "sitemap.xml").collect();
    assert_eq!(files.len(), desk.parts().len(), "nothing is left of the others: {files:?}");
}
