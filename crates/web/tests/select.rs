//! `--links-in` and `--no-links-in`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use mapwright_web::page::{DocumentHeaders, Limits, LinkKind, PageFacts, read};
use mapwright_web::select::Selection;
use mapwright_web::{PageUrl, UrlIdentity};
use std::cell::Cell;
use std::time::Duration;

fn words(selectors: &[&str]) -> Vec<String> {
    selectors.iter().map(|selector| (*selector).to_owned()).collect()
}

fn limits(links_in: &[&str], no_links_in: &[&str]) -> Limits {
    Limits { links_in: Selection::parse(&words(links_in), &words(no_links_in)).unwrap(), ..Limits::default() }
}

fn facts(text: &str, limits: &Limits) -> PageFacts {
    let url = PageUrl::parse("http://example.test/", &UrlIdentity::default()).unwrap();
    read(text.as_bytes(), &DocumentHeaders::default(), &url, limits)
}

fn paths(facts: &PageFacts) -> Vec<&str> {
    let followed = facts.links.iter().filter(|link| link.kind.followed());
    followed.map(|link| link.url.as_ref().map_or("broken", PageUrl::path)).collect()
}

fn found(text: &str, links_in: &[&str], no_links_in: &[&str]) -> Vec<String> {
    paths(&facts(text, &limits(links_in, no_links_in))).into_iter().map(str::to_owned).collect()
}

const PAGE: &str = "<head><link rel=next href=/next></head><body><nav><a href=/n>n</a><a href=/both>b</a></nav>\
    <main><a href=/m>m</a><a href=/both>b</a><aside class='ads x'><a href=/ad>a</a></aside></main>\
    <footer><a href=/f>f</a><iframe src=/i></iframe></footer>";

#[test]
fn no_selectors_are_no_selection() {
    assert!(Selection::parse(&[], &[]).unwrap().is_none());
}

#[test]
fn links_in_takes_only_what_stands_inside_head_apart() {
    assert_eq!(found(PAGE, &["main"], &[]), ["/next", "/m", "/both", "/ad"]);
    assert_eq!(found(PAGE, &["main", "footer"], &[]), ["/next", "/m", "/both", "/ad", "/f", "/i"]);
    assert_eq!(found(PAGE, &["nav, footer iframe"], &[]), ["/next", "/n", "/both", "/i"]);
}

#[test]
fn a_matching_link_itself_counts() {
    assert_eq!(found(PAGE, &["main > a[href='/m']"], &[]), ["/next", "/m"]);
}

#[test]
fn no_links_in_takes_all_but_what_stands_inside() {
    assert_eq!(found(PAGE, &[], &["nav", ".ads"]), ["/next", "/m", "/both", "/f", "/i"]);
    assert_eq!(found(PAGE, &[], &["head", "footer"]), ["/n", "/both", "/m", "/both", "/ad"]);
}

#[test]
fn inside_of_both_the_refusal_counts() {
    assert_eq!(found(PAGE, &["main"], &[".ads"]), ["/next", "/m", "/both"]);
    assert_eq!(found(PAGE, &[".ads"], &["main"]), ["/next"]);
}

#[test]
fn the_same_reference_is_judged_where_it_stands() {
    let facts = facts(PAGE, &limits(&["nav"], &[]));
    let both: Vec<_> =
        facts.links.iter().filter(|link| link.url.as_ref().is_some_and(|url| url.path() == "/both")).collect();
    assert_eq!(both.len(), 1);
    assert_eq!(both[0].region, mapwright_web::page::Region::Nav);
}

#[test]
fn copies_and_moves_of_the_tree_do_not_confuse_the_count() {
    let text = "<a href=/x><p>one</p></a><template><a href=/x></a></template><table><a href=/x>moved</a><tr><td>\
        <main><a href=/x>two</a></main></table><a href=/x>three</a>";
    let facts = facts(text, &limits(&["main"], &[]));
    assert_eq!(facts.links.len(), 1);
    assert_eq!(facts.links[0].anchor, "two");
}

#[test]
fn resources_and_facts_of_the_page_stay() {
    let text = "<link rel=canonical href=/c><meta name=robots content=noindex><nav><img src=/i.png></nav>\
        <p><link rel=canonical href=/d></p>";
    let facts = facts(text, &limits(&["main"], &[]));
    assert_eq!(facts.canonicals.len(), 2);
    assert!(facts.directives[0].directives.noindex);
    let kinds: Vec<_> = facts.links.iter().map(|link| link.kind).collect();
    assert_eq!(kinds, [LinkKind::Canonical, LinkKind::Image]);
}

#[test]
fn a_bad_selector_is_named_with_a_reason() {
    for bad in ["main >", "a[", "::", "", "a:nonsense-pseudo(", "@x", ".."] {
        let error = Selection::parse(&words(&["main"]), &words(&[bad])).unwrap_err();
        assert_eq!(error.selector, bad);
        assert!(!error.reason.is_empty(), "{bad}");
        let text = error.to_string();
        assert!(text.contains(bad) && !text.contains('\n'), "{text}");
    }
}

#[test]
fn svg_links_and_noscript_are_judged_as_any() {
    let text = "<main><svg><a href=/s><text>x</text></a><a xlink:href=/t></a></svg><noscript><a href=/n>n</a></noscript>\
        </main><svg><a href=/no></a></svg>";
    assert_eq!(found(text, &["main"], &[]), ["/s", "/t", "/n"]);
}

thread_local! {
    static NOW: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A clock that advances by a millisecond with each call.
fn ticking() -> Duration {
    NOW.set(NOW.get() + Duration::from_millis(1));
    NOW.get()
}

#[test]
fn when_the_time_is_up_what_was_found_is_kept() {
    let text = format!("<main><a href=/first>x</a>{}<a href=/last>x</a></main>", "<div>".repeat(20_000));
    let mut limits = limits(&["main"], &[]);
    limits.clock = ticking;
    limits.selection_time = Duration::from_millis(30);
    let facts = facts(&text, &limits);
    assert!(facts.cut && facts.links_cut);
    assert_eq!(paths(&facts), ["/first"]);
}

#[test]
fn no_time_at_all_takes_nothing() {
    let mut limits = limits(&[], &["nav"]);
    limits.selection_time = Duration::ZERO;
    let facts = facts(PAGE, &limits);
    assert!(facts.cut && paths(&facts).is_empty());
}
