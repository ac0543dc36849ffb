//! Several hosts: each file lists one of them, and one index lists all files.

use crate::fixture::Fixture;
use mapwright_sitemap::Item;
use std::collections::BTreeSet;

fn lists() -> Vec<String> {
    let mut urls: Vec<String> =
        ["https://a.example", "https://blog.a.example", "https://a.example:8443", "http://shop.a.example"]
            .iter()
            .flat_map(|origin| (1..=4).map(move |n| format!("{origin}/{n}")))
            .collect();
    urls.sort();
    urls
}

#[test]
fn each_part_lists_one_origin_alone_and_the_index_lists_every_part() {
    let mut fixture = Fixture::new();
    fixture.plan.by_host = true;
    let published = fixture.publish(&lists());
    assert_eq!(fixture.parts().len(), 8, "two parts for each of four");
    for part in fixture.parts() {
        let origins: BTreeSet<String> =
            fixture.items(&part).iter().map(|item| item.loc().rsplit_once('/').unwrap().0.to_owned()).collect();
        assert_eq!(origins.len(), 1, "{part} lists {origins:?}");
        assert!(fixture.items(&part).iter().all(|item| matches!(item, Item::Page(_))));
    }
    assert_eq!(published.urls, 16);
    assert_eq!(fixture.urls(), lists());
}

#[test]
fn a_host_is_named_in_the_names_of_its_parts() {
    let mut fixture = Fixture::new();
    fixture.plan.by_host = true;
    fixture.publish(&lists());
    let of_blog = |name: &&String| name.starts_with("sitemap-blog.a.example-") && name.ends_with(".xml.gz");
    assert_eq!(fixture.names().iter().filter(of_blog).count(), 2, "{:?}", fixture.names());
}

#[test]
fn a_host_that_changes_leaves_the_parts_of_others_as_they_are() {
    let mut fixture = Fixture::new();
    fixture.plan.by_host = true;
    fixture.publish(&lists());
    let before = fixture.parts();
    let mut list = lists();
    list.push("https://blog.a.example/5".to_owned());
    list.sort();
    let published = fixture.publish(&list);
    assert_eq!(published.changed, 1);
    let kept = before.iter().filter(|part| published.parts.contains(part)).count();
    assert_eq!(kept, before.len() - 1);
    assert_eq!(fixture.urls(), list);
}

#[test]
fn one_host_alone_is_listed_by_an_index_all_the_same() {
    let mut fixture = Fixture::new();
    fixture.plan.by_host = true;
    fixture.publish(&["https://a.example/1".to_owned()]);
    assert_eq!(fixture.parts().len(), 1);
    assert_eq!(fixture.urls(), ["https://a.example/1"]);
}

#[test]
fn several_hosts_have_parts_each_whatever_the_scope() {
    let (mut requested, mut not_requested) = (Fixture::new(), Fixture::new());
    requested.plan.by_host = true;
    requested.publish(&lists());
    not_requested.publish(&lists());
    assert_eq!(not_requested.files(), requested.files());
}

#[test]
fn a_host_that_comes_or_goes_parts_the_set_or_joins_it_again() {
    let mut fixture = Fixture::new();
    let one = vec!["https://a.example/1".to_owned()];
    let two = vec!["https://a.example/1".to_owned(), "https://a.example:8443/1".to_owned()];
    assert_eq!(fixture.publish(&one).parts, Vec::<String>::new());
    assert_eq!(fixture.publish(&two).parts, ["sitemap-a.example-1.xml.gz", "sitemap-a.example-8443-2.xml.gz"]);
    assert_eq!(fixture.urls(), two);
    fixture.publish(&one);
    assert_eq!(fixture.urls(), one);
    fixture.publish(&one);
    assert_eq!(fixture.names(), ["sitemap.xml"]);
}
