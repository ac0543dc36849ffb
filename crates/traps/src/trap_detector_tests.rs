use super::*;
use mapwright_model::{Purpose, Route, Via};
use mapwright_web::{UrlIdentity, UrlKey};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

pub(crate) const THIS_YEAR: u16 = 2026;

pub(crate) fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

pub(crate) fn found(text: &str, generation: u16) -> Discovery {
    let key = UrlKey(BuildHasherDefault::<DefaultHasher>::default().hash_one(text));
    let route = Route { depth: 1, generation, ..Route::default() };
    Discovery { route, ..Discovery::new(key, url(text), Via::Link, Purpose::Page) }
}

/// Returns how many of these URLs, each found on the one before, are admitted with a budget of 1,000.
pub(crate) fn chained(urls: impl Iterator<Item = String>) -> usize {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    let (mut before, mut generation) = (None::<PageUrl>, 0);
    let admit = |text: String| {
        let same = before.as_ref().is_some_and(|before| shape(before).is_some() && shape(before) == shape(&url(&text)));
        generation = if same { u16::saturating_add(generation, 1) } else { 0 };
        let admitted = patterns.admit(&found(&text, generation), before.as_ref());
        before = Some(url(&text));
        admitted
    };
    urls.map(admit).filter(|admitted| *admitted).count()
}

pub(crate) fn admitted(urls: impl Iterator<Item = (String, u16)>) -> usize {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    urls.filter(|(text, generation)| patterns.admit(&found(text, *generation), None)).count()
}

#[test]
fn a_calendar_whose_months_lead_to_months_alone_has_a_budget() {
    let count = admitted((0..5000).map(|n| (format!("http://a.example/cal?m={n}"), (n / 2) as u16)));
    assert!((1000..=1001).contains(&count), "{count}");
}

#[test]
fn a_list_of_pages_that_leads_to_articles_has_none() {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
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
fn counters_in_names_that_lead_to_nothing_but_the_next_have_ten_budgets() {
    for form in ["/page-N.html", "/pageN", "/itemN/x", "/N-item", "/v2/sN"] {
        let chain = (0..15_000).map(|n| format!("http://a.example{}", form.replace('N', &n.to_string())));
        let count = chained(chain);
        assert!((9_990..=10_010).contains(&count), "{form}: {count}");
    }
}

/// A long chain of threads that link to the next one does not make a trap of the threads that lists lead to.
#[test]
fn numbers_that_lists_lead_to_have_no_budget() {
    for form in ["/thread/N", "/thread-N.html"] {
        let thread = |n: u32| format!("http://a.example{}", form.replace('N', &n.to_string()));
        let threads = (0..30_000).map(|n| (thread(n), if n % 5 == 0 { (n / 5).min(500) as u16 } else { 0 }));
        assert_eq!(admitted(threads), 30_000, "{form}");
    }
}

#[test]
fn a_wiki_of_titles_under_one_path_has_no_budget() {
    assert_eq!(admitted((0..5000).map(|n| (format!("http://a.example/index.php?title=Word_{n}_of"), 9))), 5000);
}

#[test]
fn finite_numbers_are_complete_and_endless_ones_are_cut() {
    assert_eq!(chained((0..2500).map(|n| format!("http://a.example/comic/{n}"))), 2500);
    assert_eq!(chained((0..2000).map(|n| format!("http://a.example/thread?page={n}"))), 2000);
    assert_eq!(chained((0..1800).map(|n| format!("http://a.example/read/{}/{}", n / 30 + 1, n % 30 + 1))), 1800);
    assert_eq!(chained((0..12_000).map(|n| format!("http://a.example/list?page={n}"))), 10_000);
    assert_eq!(chained((0..12_000).map(|n| format!("http://a.example/comic/{n}"))), 10_000);
}

#[test]
fn combinations_that_other_pages_list_have_no_budget() {
    let all =
        (0..1728).map(|n| format!("http://a.example/dict?from={}&to={}&chapter={}", n / 144, n / 12 % 12, n % 12));
    assert_eq!(admitted(all.map(|combination| (combination, 0))), 1728);
}

#[test]
fn filters_have_a_budget_whatever_their_names() {
    let drupal = |n: u32| format!("s?f[0]=color:{}&f[1]=size:{}&f[2]=brand:{}", n / 144, n / 12 % 12, n % 12);
    let tags = |n: u32| format!("tags/a{}+b{}+c{}", n / 144, n / 12 % 12, n % 12);
    let longer = |n: u32| format!("s?tag={}&tag={}&tag={}&tag={}", n / 512 % 8, n / 64 % 8, n / 8 % 8, n % 8);
    let ways: [&dyn Fn(u32) -> String; 3] = [&drupal, &tags, &longer];
    for way in ways {
        let count = admitted((0..1700).map(|n| (format!("http://a.example/{}", way(n)), 3)));
        assert!((1000..=1001).contains(&count), "{count} {}", way(0));
    }
}

/// A language switch that each page appends to its own address is one page for each page of the site.
#[test]
fn what_every_page_adds_to_its_query_has_one_budget_for_all() {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    let mut admit = |n: u32| {
        let added: String = (0..3 + n % 9).map(|at| if n >> at & 1 == 0 { "&lang=de" } else { "&lang=fr" }).collect();
        let parent = format!("http://a.example/page{}?x={n}{added}", n % 40);
        patterns.admit(&found(&format!("{parent}&lang=de"), 3), Some(&url(&parent)))
    };
    assert_eq!((0..5_000).filter(|n| admit(*n)).count(), 1_000);
}

/// A template may give a parameter twice, without growth.
#[test]
fn a_parameter_that_all_links_give_twice_has_no_budget() {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    let item = |n: u32| format!("http://a.example/item?sku=K{n}&l=en&l=en");
    let admit = |n: u32| patterns.admit(&found(&item(n), 0), Some(&url(&item(n / 2))));
    assert_eq!((0..3_000).map(admit).filter(|admitted| *admitted).count(), 3_000);
}

/// The n-th random-looking number.
fn drawn(n: u64) -> u64 {
    (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[test]
fn a_session_that_every_link_renews_is_one_pattern_whatever_the_path() {
    let ways: [&dyn Fn(u64) -> String; 5] = [
        &|n| format!("p{}.html?sid={:016x}a1", n % 60, drawn(n)),
        &|n| format!("p{}.html;jsessionid={:016X}A1", n % 60, drawn(n)),
        &|n| format!("(S({:016x}a1))/p{}", drawn(n), n % 60),
        &|n| format!("index.php?page=p{}&sid={:018}", n % 60, drawn(n) >> 6),
        &|n| format!("p{}?_={}", n % 60, 1_700_000_000_000_000 + n),
    ];
    for way in ways {
        let count = chained((0..3000).map(|n| format!("http://a.example/{}", way(n))));
        assert!((1000..=1001).contains(&count), "{count} {}", way(0));
    }
}

#[test]
fn a_session_that_goes_on_has_no_budget() {
    let session = "sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0";
    assert_eq!(chained((0..3000).map(|n| format!("http://a.example/p{n}.html?{session}"))), 3000);
}

/// Returns how many of these URLs are admitted, each found with two more on a page three levels above.
fn branched(urls: impl Iterator<Item = String>) -> usize {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    let mut pages: Vec<PageUrl> = Vec::new();
    let admit = |text: String| {
        let parent = pages.len().checked_sub(1).and_then(|last| pages.get(last / 3));
        let admitted = patterns.admit(&found(&text, if parent.is_some() { 3 } else { 0 }), parent);
        pages.push(url(&text));
        admitted
    };
    urls.map(admit).filter(|admitted| *admitted).count()
}

#[test]
fn new_random_names_in_paths_on_every_link_get_ten_budgets() {
    let ways: [&dyn Fn(u64) -> String; 4] = [
        &|n| format!("s/{:016x}a1/{}", drawn(n), n % 3),
        &|n| format!("shop;s={:016x}a1/p{}?x=1", drawn(n), n % 60),
        &|n| format!("o/{:08x}-e89b-42d3-a456-426614174000", drawn(n) >> 32),
        &|n| format!("w/{:016x}a1.html", drawn(n)),
    ];
    for way in ways {
        let count = branched((0..13_000).map(|n| format!("http://a.example/{}", way(n))));
        // A few of the names do not look random.
        assert!((9_000..=11_000).contains(&count), "{count} {}", way(0));
    }
    let kept = branched((0..13_000).map(|n| format!("http://a.example/s/0f1e2d3c4b5a6978/{n}/x-{n}")));
    assert_eq!(kept, 13_000, "one name all the way");
}

#[test]
fn pages_named_by_lot_that_link_each_other_again_have_no_budget() {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    for n in 0..3000_u64 {
        let product = format!("http://a.example/product?id={:016x}a1", drawn(n));
        assert!(patterns.admit(&found(&product, 9), None));
        patterns.read(&url(&product), &[UrlId(n as u32 / 5)], false);
    }
}

#[test]
fn pages_named_by_lot_that_their_like_find_at_once_have_no_budget() {
    let mut patterns = TrapDetector::new(1000, THIS_YEAR);
    for n in 0..3000_u64 {
        let product = found(&format!("http://a.example/product?sid={:016x}a1", drawn(n)), 9);
        assert!(patterns.admit(&product, None), "{n}");
        assert!(patterns.admit(&product, None), "{n}, found on another page before it was committed");
    }
}

#[test]
fn a_url_that_several_pages_find_at_once_counts_once() {
    let mut patterns = TrapDetector::new(3, THIS_YEAR);
    let deep = |n: usize| found(&format!("http://a.example/x/{}", "a/".repeat(n)), 0);
    let mut take = |n| [(); 4].map(|()| patterns.admit(&deep(n), None));
    assert_eq!([3, 4, 5, 6].map(&mut take), [[true; 4], [true; 4], [true; 4], [false; 4]]);
    assert_eq!(patterns.refused(), [("http://a.example/x/…".to_owned(), 1)]);
    patterns.begin_commit();
    assert!(patterns.admit(&deep(3), None), "not committed yet");
    assert!(!patterns.admit(&deep(7), None));
}

#[test]
fn articles_below_dates_do_not_crowd_out_the_watch() {
    let mut patterns = TrapDetector::new(10, THIS_YEAR);
    for n in 0..50_000 {
        assert!(patterns.admit(&found(&format!("http://a.example/2013/05/14/title-{n}"), 0), None));
    }
    let pages = (0..500).filter(|n| patterns.admit(&found(&format!("http://a.example/list?page={n}"), *n), None));
    assert_eq!(pages.count(), 100);
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
    let mut patterns = TrapDetector::new(3, THIS_YEAR);
    let admitted = (3..20).filter(|n| {
        let path = "a/b/".repeat(*n);
        patterns.admit(&found(&format!("http://a.example/x/{path}"), 0), None)
    });
    assert_eq!(admitted.count(), 3);
    assert_eq!(patterns.refused(), [("http://a.example/x/…".to_owned(), 14)]);
}

#[test]
fn a_budget_of_nought_watches_nothing() {
    let mut patterns = TrapDetector::new(0, THIS_YEAR);
    assert!((0..2000).all(|n| patterns.admit(&found(&format!("http://a.example/c?m={n}"), n), None)));
}

#[test]
fn repetitions_mixed_in_ever_new_ways_are_one_pattern() {
    let mut patterns = TrapDetector::new(10, THIS_YEAR);
    let admitted = (0..1024_u32).filter(|n| {
        let mixed: String = (0..10).map(|bit| if n >> bit & 1 == 0 { "a/" } else { "b/" }).collect();
        patterns.admit(&found(&format!("http://a.example/grow/{mixed}"), 0), None)
    });
    assert_eq!(admitted.count(), 10);
    assert_eq!(patterns.refused().len(), 1);
}
