use super::*;
use crate::discovery::Via;
use crate::task::Purpose;
use mapwright_web::{Identity, UrlKey};

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &Identity::default()).unwrap()
}

fn found(text: &str, generation: u16) -> Discovery {
    Discovery {
        key: UrlKey(0),
        url: url(text),
        via: Via::Link,
        purpose: Purpose::Page,
        depth: 1,
        hops: 0,
        level: 0,
        seed: false,
        invited: false,
        generation,
        refused: None,
    }
}

fn admitted(urls: impl Iterator<Item = (String, u16)>) -> usize {
    let mut patterns = Patterns::new(1000);
    urls.filter(|(text, generation)| patterns.admit(&found(text, *generation), None)).count()
}

#[test]
fn a_calendar_whose_months_lead_to_months_alone_has_a_budget() {
    let count = admitted((0..5000).map(|n| (format!("http://a.example/cal?m={n}"), (n / 2) as u16)));
    assert!((1000..=1001).contains(&count), "{count}");
}

#[test]
fn a_list_of_pages_that_leads_to_articles_has_none() {
    let mut patterns = Patterns::new(1000);
    for n in 0..3000_u16 {
        let list = format!("http://a.example/list?page={n}");
        assert!(patterns.admit(&found(&list, n), None));
        assert!(patterns.admit(&found(&format!("http://a.example/article-{n}"), 0), Some(&url(&list))));
    }
}

#[test]
fn plain_numbered_names_have_no_budget() {
    assert_eq!(admitted((0..5000).map(|n| (format!("http://a.example/p/{n}"), 2))), 5000);
    assert_eq!(admitted((0..5000).map(|n| (format!("http://a.example/page-{n}.html"), 2))), 5000);
    assert_eq!(admitted((0..5000).map(|n| (format!("http://a.example/?id={n}"), 2))), 5000);
}

#[test]
fn a_wiki_of_titles_under_one_path_has_no_budget() {
    assert_eq!(admitted((0..5000).map(|n| (format!("http://a.example/index.php?title=Word_{n}_of"), 9))), 5000);
}

#[test]
fn combinations_of_few_filters_have_a_budget() {
    let combos = (0..4096_u32).map(|n| {
        let query: Vec<String> = (0..6).map(|f| format!("f{f}={}", (n >> (2 * f)) & 3)).collect();
        (format!("http://a.example/shop?{}", query.join("&")), 4)
    });
    let count = admitted(combos);
    assert!((1000..=1001).contains(&count), "{count}");
}

#[test]
fn session_identifiers_have_a_budget() {
    let count = admitted((0..5000_u64).map(|n| {
        let drawn = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (format!("http://a.example/shop?sid={drawn:016x}a1"), 9)
    }));
    assert!((1000..=1001).contains(&count), "{count}");
}

#[test]
fn repeating_segments_are_one_pattern_and_have_a_budget() {
    let mut patterns = Patterns::new(3);
    let admitted = (3..20).filter(|n| {
        let path = "a/b/".repeat(*n);
        patterns.admit(&found(&format!("http://a.example/x/{path}"), 0), None)
    });
    assert_eq!(admitted.count(), 3);
    assert_eq!(patterns.refused(), [("http://a.example/x/…".to_owned(), 14)]);
}

#[test]
fn a_budget_of_nought_watches_nothing() {
    let mut patterns = Patterns::new(0);
    assert!((0..2000).all(|n| patterns.admit(&found(&format!("http://a.example/c?m={n}"), n), None)));
}

#[test]
fn repetitions_mixed_in_ever_new_ways_are_one_pattern() {
    let mut patterns = Patterns::new(10);
    let admitted = (0..1024_u32).filter(|n| {
        let mixed: String = (0..10).map(|bit| if n >> bit & 1 == 0 { "a/" } else { "b/" }).collect();
        patterns.admit(&found(&format!("http://a.example/grow/{mixed}"), 0), None)
    });
    assert_eq!(admitted.count(), 10);
    assert_eq!(patterns.refused().len(), 1);
}
