//! Files left by other programs or by a killed process, and files that cannot be written.

use crate::fixture::{Fixture, urls};
use mapwright_publish::Directory;
use std::fs;

#[test]
fn files_that_a_killed_process_staged_are_swept_and_others_are_not() {
    let fixture = Fixture::new();
    for name in [".mapwright-1234-sitemap-7.xml.gz", ".mapwright-99-sitemap.xml", ".htaccess", "index.html"] {
        fs::write(fixture.path(name), "x").unwrap();
    }
    drop(fixture.directory());
    assert_eq!(fixture.names(), [".htaccess", "index.html"]);
}

#[test]
fn what_another_has_staged_that_is_at_work_is_left_alone() {
    let fixture = Fixture::new();
    let first = fixture.directory();
    let staged = fixture.path(".mapwright-1234-sitemap.xml");
    fs::write(&staged, "x").unwrap();
    let second = fixture.directory();
    assert!(staged.exists());
    drop((first, second));
    drop(fixture.directory());
    assert!(!staged.exists(), "nobody is at work");
}

#[test]
fn a_directory_is_made_and_nothing_is_left_of_trying_it() {
    let fixture = Fixture::new();
    let deep = fixture.path("a/b/c");
    drop(Directory::prepare(&deep, &|_| {}).unwrap());
    assert_eq!(fs::read_dir(&deep).unwrap().count(), 0);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let fixture = Fixture::new();
    fs::write(fixture.path("file"), "x").unwrap();
    let error = Directory::prepare(&fixture.path("file/maps"), &|_| {}).unwrap_err();
    assert!(error.to_string().contains("file/maps"), "{error}");
}

#[test]
fn a_publication_that_fails_leaves_the_old_set_and_no_temporary_file() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=7));
    let before = fixture.files();
    fixture.plan.series.limits.urls = 0;
    fixture.try_to_publish(&urls(1..=20)).unwrap_err();
    assert_eq!(fixture.files(), before);
    fixture.plan.series.limits.urls = 3;
    fixture.plan.series.limits.bytes = 400;
    fixture.plan.series.limits.parts_per_index = 0;
    fixture.try_to_publish(&urls(1..=20)).unwrap_err();
    assert_eq!(fixture.files(), before);
}

#[test]
fn nothing_to_list_is_an_error_and_changes_nothing() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=7));
    let before = fixture.files();
    fixture.try_to_publish(&[]).unwrap_err();
    assert_eq!(fixture.files(), before);
}

#[test]
fn a_part_that_was_removed_behind_our_back_is_written_again() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=7));
    fs::remove_file(fixture.path("sitemap-2.xml.gz")).unwrap();
    fixture.publish(&urls(1..=7));
    assert_eq!(fixture.urls(), urls(1..=7));
}

#[test]
fn a_part_that_another_process_left_under_the_next_name_is_not_taken_for_ours() {
    let mut fixture = Fixture::new();
    fs::write(fixture.path("sitemap-1.xml.gz"), "killed before its index was written").unwrap();
    fixture.publish(&urls(1..=7));
    assert_eq!(fixture.urls(), urls(1..=7));
}

#[test]
fn what_a_killed_publication_made_visible_is_taken_up_or_removed() {
    let mut fixture = Fixture::new();
    fixture.kill_before_record_update(&urls(1..=7));
    let visible = fixture.files();
    fixture.publish(&urls(1..=7));
    assert_eq!(fixture.files(), visible, "the same bytes keep their names and dates");
    fixture.kill_before_record_update(&urls(11..=17));
    fixture.publish(&urls(21..=27));
    fixture.publish(&urls(21..=27));
    assert_eq!(fixture.urls(), urls(21..=27));
    let files: Vec<String> = fixture.names().into_iter().filter(|name| name != "sitemap.xml").collect();
    assert_eq!(files.len(), fixture.parts().len(), "nothing is left of the others: {files:?}");
}

#[test]
fn nothing_is_left_of_publications_killed_one_after_the_other() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=7));
    fixture.kill_before_record_update(&urls(11..=17));
    fixture.kill_before_record_update(&urls(21..=27));
    fixture.publish(&urls(31..=37));
    fixture.publish(&urls(31..=37));
    assert_eq!(fixture.urls(), urls(31..=37));
    let files: Vec<String> = fixture.names().into_iter().filter(|name| name != "sitemap.xml").collect();
    assert_eq!(files.len(), fixture.parts().len(), "nothing is left of the others: {files:?}");
}

#[test]
fn with_the_record_lost_no_name_of_the_live_set_is_used_for_other_bytes() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=7));
    let before = fixture.files();
    fixture.lose_the_record();
    fixture.publish(&urls(11..=17));
    assert_eq!(fixture.urls(), urls(11..=17));
    for (name, bytes) in before.iter().filter(|(name, _)| *name != "sitemap.xml") {
        assert_eq!(&fixture.files()[name], bytes, "{name}");
    }
    fixture.publish(&urls(11..=17));
    assert!(!fixture.path("sitemap-1.xml.gz").exists(), "what left the set goes with the next publication");
}

#[test]
fn with_the_record_lost_a_stale_part_is_not_taken_for_a_new_one() {
    let mut fixture = Fixture::new();
    fixture.publish(&urls(1..=9));
    fixture.publish(&urls(1..=6));
    fixture.lose_the_record();
    fixture.publish(&urls(1..=12));
    assert_eq!(fixture.urls(), urls(1..=12));
}

#[test]
fn a_url_that_no_file_can_hold_is_named_and_the_others_are_published() {
    let mut fixture = Fixture::new();
    let long = format!("https://a.example/{}", "x".repeat(3000));
    let list: Vec<String> = urls(1..=4).into_iter().chain([long.clone()]).collect();
    let published = fixture.publish(&list);
    assert_eq!(published.refused, [long]);
    assert_eq!(fixture.urls(), urls(1..=4));
}

#[test]
fn what_is_not_ours_stays_whatever_it_is_called() {
    let mut fixture = Fixture::new();
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://a.example/sitemap-shop.xml</loc></sitemap></sitemapindex>";
    fs::write(fixture.path("sitemap.xml"), index).unwrap();
    let others = ["sitemap-shop.xml", "sitemap-index-2.xml", "sitemap.txt", "sitemap-1.xml.gz"];
    for name in others {
        fs::write(fixture.path(name), "mine").unwrap();
    }
    for _ in 0..3 {
        fixture.publish(&urls(1..=7));
    }
    for name in others {
        assert_eq!(fs::read_to_string(fixture.path(name)).unwrap(), "mine", "{name}");
    }
}

#[test]
fn with_the_record_lost_further_indexes_of_ours_are_known_by_what_they_list() {
    let mut fixture = Fixture::new();
    fixture.plan.series.limits.parts_per_index = 2;
    fixture.publish(&urls(1..=12));
    fixture.lose_the_record();
    for _ in 0..2 {
        fixture.publish(&urls(1..=3));
    }
    assert_eq!(fixture.names(), ["sitemap.xml"]);
}

/// Files of another tool, in a form near to mapwright's, under names of the same pattern.
#[test]
fn parts_of_another_tool_stay_though_its_index_lists_them() {
    const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const NS: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    let mut fixture = Fixture::new();
    let entry = "<sitemap><loc>https://a.example/sitemap-0.xml</loc></sitemap>";
    let index = format!("{HEAD}<sitemapindex {NS}>\n{entry}\n</sitemapindex>");
    let part =
        format!("{HEAD}<urlset {NS} xmlns:image=\"urn:x\">\n<url><loc>https://a.example/</loc></url>\n</urlset>");
    fs::write(fixture.path("sitemap.xml"), index).unwrap();
    fs::write(fixture.path("sitemap-0.xml"), &part).unwrap();
    for _ in 0..3 {
        fixture.publish(&urls(1..=7));
    }
    assert_eq!(fs::read_to_string(fixture.path("sitemap-0.xml")).unwrap(), part);
}

#[test]
fn a_part_whose_file_has_other_bytes_is_published_again() {
    for other in [None, Some("sitemap-2.xml.gz")] {
        let mut fixture = Fixture::new();
        fixture.publish(&urls(1..=7));
        let bytes = other.map_or_else(|| b"cut".to_vec(), |name| fixture.files()[name].clone());
        fs::write(fixture.path("sitemap-1.xml.gz"), bytes).unwrap();
        let published = fixture.publish(&urls(1..=7));
        assert_eq!(published.parts, ["sitemap-4.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz"]);
        assert_eq!((published.changed, fixture.urls()), (1, urls(1..=7)));
    }
}
