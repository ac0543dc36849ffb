//! One host is crawled, and the sitemap is published for another.

use crate::fixture::{Fixture, urls};
use mapwright_publish::{Rewrite, to_stdout};
use mapwright_sitemap::Item;

fn rewriting(rules: &[&str]) -> Fixture {
    let mut fixture = Fixture::new();
    fixture.plan.rewrite = rules.iter().map(|rule| Rewrite::parse(rule).unwrap()).collect();
    fixture
}

fn at(host: &str, numbers: std::ops::RangeInclusive<u32>) -> Vec<String> {
    urls(numbers).iter().map(|url| url.replace("a.example", host)).collect()
}

/// The URLs of each part, in the order of the index and of the parts.
fn in_order(fixture: &Fixture) -> Vec<String> {
    let pages = fixture.parts().into_iter().flat_map(|part| fixture.items(&part));
    pages.filter_map(|item| if let Item::Page(page) = item { Some(page.loc) } else { None }).collect()
}

#[test]
fn every_url_is_published_under_the_other_host() {
    let mut fixture = rewriting(&["a.example=www.example"]);
    let published = fixture.publish(&urls(1..=7));
    assert_eq!((published.urls, in_order(&fixture)), (7, at("www.example", 1..=7)));
    assert_eq!(fixture.publish(&urls(1..=7)).changed, 0);
    let mut out = Vec::new();
    fixture.plan.series.limits.urls = 10;
    to_stdout(&fixture.record, &fixture.plan, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("https://www.example/001") && !text.contains("a.example"), "{text}");
}

#[test]
fn a_page_that_comes_changes_one_part_alone_under_another_host_too() {
    let mut fixture = rewriting(&["a.example=www.example"]);
    fixture.plan.series.limits.urls = 20;
    fixture.publish(&urls((1..=60).filter(|n| *n != 31)));
    assert_eq!(fixture.publish(&urls(1..=60)).changed, 1);
    assert_eq!(in_order(&fixture), at("www.example", 1..=60));
}

#[test]
fn hosts_that_swap_their_order_are_sorted_again() {
    let mut fixture = rewriting(&["a.example=z.example"]);
    fixture.publish(&[at("a.example", 1..=4), at("b.example", 1..=4)].concat());
    let expected = [at("b.example", 1..=4), at("z.example", 1..=4)].concat();
    assert_eq!(in_order(&fixture), expected);
    let again = fixture.publish(&[at("a.example", 1..=4), at("b.example", 1..=4)].concat());
    assert_eq!(again.changed, 0, "the ranges of the parts are those of the published URLs");
}

#[test]
fn hosts_that_become_one_are_listed_as_one_each_page_once() {
    let mut fixture = rewriting(&["a.example=m.example", "z.example=m.example"]);
    fixture.plan.by_host = true;
    let hosts = [at("a.example", 1..=4), at("b.example", 1..=2), at("m.example", 3..=5), at("z.example", 2..=7)];
    let published = fixture.publish(&hosts.concat());
    assert_eq!(in_order(&fixture), [at("b.example", 1..=2), at("m.example", 1..=7)].concat());
    assert_eq!(published.urls, 9);
    let of = |host: &str| fixture.parts().iter().filter(|part| part.starts_with(&format!("sitemap-{host}-"))).count();
    assert_eq!((of("m.example"), of("b.example"), fixture.parts().len()), (3, 1, 4), "{:?}", fixture.parts());
}
