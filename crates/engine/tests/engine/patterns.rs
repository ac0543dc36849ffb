//! Crawl traps, and parts of a site that only resemble them.

use crate::crawl::Crawl;
use mapwright_model::Unfetched;
use mapwright_testcrawl::Web;

const START: &str = "http://example.com/";

/// A random-looking number.
fn drawn(n: u64) -> String {
    format!("{:016x}a1", (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A number as a word.
fn word(n: u64) -> String {
    format!("Word {}", n.to_string().bytes().map(|digit| char::from(digit + 49)).collect::<String>())
}

/// Crawls pages, the n-th of which leads to those of `next`, each with a text of its own, with a budget of 50. Returns
/// the numbers of pages fetched and refused.
fn crawled(pages: u64, url: impl Fn(u64) -> String, next: impl Fn(u64) -> Vec<u64>) -> (usize, usize) {
    crawled_with(pages, word, url, next)
}

/// Crawls pages with these texts.
fn crawled_with(
    pages: u64,
    text: impl Fn(u64) -> String,
    url: impl Fn(u64) -> String,
    next: impl Fn(u64) -> Vec<u64>,
) -> (usize, usize) {
    let links = |numbers: Vec<u64>| numbers.into_iter().filter(|n| *n < pages).map(&url).collect::<Vec<_>>();
    let first = url(0);
    let web = (0..pages).fold(Web::default().links(START, &[&first]), |web, n| {
        let targets = links(next(n));
        let links: String = targets.iter().map(|target| format!("<p><a href='{target}'>Another one</a></p>")).collect();
        web.page(&url(n), &format!("<h1>{}</h1>{links}", text(n)))
    });
    let mut crawl = Crawl::of(web, START);
    crawl.options.pattern_budget = 50;
    let crawl = crawl.run();
    let fetched = (0..pages).filter(|n| crawl.web.times(&url(*n)) == 1).count();
    let refused =
        |n: &u64| crawl.record.found(&url(*n)).iter().any(|found| found.refused.is_some_and(Unfetched::is_of_trap));
    (fetched, (0..pages).filter(refused).count())
}

#[test]
fn products_with_random_names_that_link_to_each_other_are_complete() {
    let url = |n| format!("http://example.com/product?id={}", drawn(n));
    let related = |n| (1..12).map(|near| (n * near + 7 * near * near) % 1500).collect();
    assert_eq!(crawled(1500, url, related), (1500, 0));
}

#[test]
fn a_session_renewed_by_every_link_spends_its_budget_once() {
    let url = |n| format!("http://example.com/p{}.html?sid={}", n % 6, drawn(n));
    let (fetched, refused) = crawled(400, url, |n| vec![3 * n + 1, 3 * n + 2, 3 * n + 3]);
    assert_eq!(fetched, 50);
    assert!(refused > 50, "{refused}");
}

#[test]
fn what_many_pages_find_at_once_is_counted_once() {
    // Combinations of three filters, each found by all of its neighbours.
    let url = |n| format!("http://example.com/s?a={}&b={}&c={}", n / 25, n / 5 % 5, n % 5);
    let near = |n: u64| vec![n + 1, n + 5, n + 25, (n + 2) % 125, (n + 10) % 125, (n + 50) % 125];
    let fetched = crawled(125, url, near).0;
    assert!((40..=50).contains(&fetched), "{fetched}");
}

#[test]
fn pages_with_nothing_of_their_own_spend_one_budget_whatever_their_urls() {
    let paths = |n: u64| format!("http://example.com/{}/", word(n).replace(' ', "/").to_lowercase());
    let queries = |n: u64| format!("http://example.com/day?from={n}");
    let tree = |n: u64| vec![3 * n + 1, 3 * n + 2, 3 * n + 3];
    type Way<'w> = (&'w dyn Fn(u64) -> String, &'w dyn Fn(u64) -> Vec<u64>, usize);
    let ways: [Way<'_>; 2] = [(&paths, &tree, 70), (&queries, &|n| vec![n + 1], 55)];
    for (url, next, most) in ways {
        let (fetched, refused) = crawled_with(400, |n| format!("Nothing on day {n}"), url, next);
        assert!((20..=most).contains(&fetched) && refused > 0, "{fetched} {refused} {}", url(1));
        assert_eq!(crawled(400, url, next).0, 400, "{}", url(1));
    }
}
