use crate::trap_detector::tests::{THIS_YEAR, found, url};
use crate::{PatternFamily, TrapDetector, pattern};
use mapwright_model::{Discovery, UrlId, Via};
use mapwright_web::PageUrl;
use std::collections::{HashMap, VecDeque};

const BUDGET: u64 = 10;
/// Pages after which a crawl of a trap is given up.
const MANY: usize = 4_000;

/// The links of the page with this path.
type Links<'a> = &'a dyn Fn(&str) -> Vec<String>;
/// The links of the page with this number.
type Numbered<'a> = &'a dyn Fn(u64) -> Vec<String>;

/// Crawls a site from `/`, page by page as the engine does; `links` gives the links of each path. Returns the number of
/// pages read.
fn read(links: impl Fn(&str) -> Vec<String>, remembered: bool) -> usize {
    let mut patterns = TrapDetector::new(BUDGET, THIS_YEAR);
    let mut known: HashMap<String, u32> = HashMap::from([("/".to_owned(), 0)]);
    let mut queue = VecDeque::from(["/".to_owned()]);
    let mut read = 0;
    while let Some(path) = queue.pop_front().filter(|_| read < MANY) {
        read += 1;
        let page = at(&path);
        let family =
            PatternFamily::of(&page).or_else(|| PatternFamily::near(&page).filter(|_| patterns.tracks_relinks()));
        let (mut again, mut fresh) = (Vec::new(), Vec::new());
        for link in links(&path) {
            match known.get(&link) {
                Some(id) if link != path && family.is_some_and(|family| family.holds(at(&link).as_str())) => {
                    again.push(UrlId(*id));
                }
                Some(_) => {}
                None => fresh.push(link),
            }
        }
        patterns.read(&page, &again, remembered);
        for link in fresh {
            let id = u32::try_from(known.len()).unwrap();
            let found = Discovery { via: Via::Link, ..found(at(&link).as_str(), 0) };
            if known.insert(link.clone(), id).is_none() && patterns.admit(&found, Some(&page)) {
                queue.push_back(link);
            }
        }
        patterns.begin_commit();
    }
    read
}

fn at(path: &str) -> PageUrl {
    url(&format!("http://a.example{path}"))
}

/// A random-looking number for the n-th link of a page.
fn lot(path: &str, n: u64) -> u64 {
    let mixed = path.bytes().fold(n + 1, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
}

/// The same number in letters of `alphabet`.
fn word(path: &str, n: u64, alphabet: &str) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut left = lot(path, n);
    let mut word = String::new();
    while left > 0 {
        word.push(letters[usize::try_from(left % letters.len() as u64).unwrap()]);
        left /= letters.len() as u64;
    }
    word
}

#[test]
fn new_random_names_on_every_link_get_ten_budgets() {
    let small = "abcdefghijklmnopqrstuvwxyz";
    let mixed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    let three = |name: &dyn Fn(u64) -> String| (0..3).map(name).collect::<Vec<_>>();
    let ways: [(&str, Links<'_>); 10] = [
        ("words", &|path| three(&|n| format!("/words/{}", word(path, n, small)))),
        ("words below the root", &|path| three(&|n| format!("/{}", word(path, n, small)))),
        ("letters of both cases", &|path| three(&|n| format!("/t/{}.html", word(path, n, mixed)))),
        ("numbers", &|path| three(&|n| format!("/s/{}", lot(path, n) % 10_000_000_000))),
        ("numbers in a query", &|path| three(&|n| format!("/post/?replytocom={}", lot(path, n) % 1_000_000_000))),
        ("numbers in names", &|path| three(&|n| format!("/page-{}.html", lot(path, n) % 10_000_000_000))),
        ("words in directories", &|path| {
            three(&|n| format!("/maze/{}/{}/", word(path, n, small), word(path, n + 9, small)))
        }),
        ("letters and digits", &|path| {
            three(&|n| format!("/b/{}", word(path, n, "abcdefghijklmnopABCDEFGHIJKLMNOP0123")))
        }),
        ("one each", &|path| vec![format!("/words/{}", word(path, 0, small)), "/".to_owned(), "/words/".to_owned()]),
        ("names that grow", &|path| {
            let name = path.rsplit('/').next().unwrap_or_default();
            ["a", "b"].map(|more| format!("/d/{name}.{more}")).to_vec()
        }),
    ];
    for (name, links) in ways {
        let count = read(links, false);
        assert!((100..=700).contains(&count), "{name}: {count}");
        // Pages that were only remembered prove nothing.
        assert!(read(links, true) > 1_000, "{name}, remembered");
    }
}

/// Returns the number of pages read of a site with these pages besides its root.
fn crawl_all(pages: &[(String, Vec<String>)]) -> usize {
    let site: HashMap<&str, &Vec<String>> = pages.iter().map(|(path, links)| (path.as_str(), links)).collect();
    read(|path| site.get(path).map(|links| (*links).clone()).unwrap_or_default(), false)
}

#[test]
fn sites_of_many_pages_of_one_kind_have_no_budget() {
    let item = |n: u64| format!("/item/{}", word("", n, "abcdefghijklmnop"));
    let range = |from: u64, to: u64| (from..to.min(3_000)).map(item).collect::<Vec<_>>();
    let forms: [(&str, Numbered<'_>); 6] = [
        ("a tree with ways back to its upper half", &|n| {
            [range(n / 8, n / 8 + 1), range(4 * n + 1, 4 * n + 5)].concat()
        }),
        ("categories that list products once", &|n| if n == 0 { range(1, 50) } else { range(n * 60, n * 60 + 60) }),
        ("earlier and later", &|n| [range(n.saturating_sub(1), n), range(n + 1, n + 2)].concat()),
        ("parents and children", &|n| [range(n / 3, n / 3 + 1), range(3 * n + 1, 3 * n + 4)].concat()),
        ("related ones", &|n| (0..10).map(|k| item(lot("related", 10 * n + k) % 3_000)).collect()),
        ("all newer ones", &|n| range(n + 1, n + 12)),
    ];
    for (name, links) in forms {
        let mut pages: Vec<_> = (0..3_000).map(|n| (item(n), links(n))).collect();
        pages.push(("/".to_owned(), vec![item(0)]));
        let reached = crawl_all(&pages);
        let mut met = std::collections::HashSet::from([0]);
        let mut queue = VecDeque::from([0]);
        let numbers: HashMap<String, u64> = (0..3_000).map(|n| (item(n), n)).collect();
        while let Some(n) = queue.pop_front() {
            queue.extend(links(n).iter().filter_map(|link| numbers.get(link)).filter(|to| met.insert(**to)));
        }
        assert_eq!(reached, met.len() + 1, "{name}");
        assert!(met.len() > 1_000, "{name}: {}", met.len());
    }
}

#[test]
fn a_run_that_goes_on_knows_what_was_endless() {
    let mut patterns = TrapDetector::new(BUDGET, THIS_YEAR);
    let before = at("/words/before");
    assert!(patterns.admit(&found(before.as_str(), 0), None));
    patterns.recall_refused(&before);
    assert!(!patterns.admit(&found(at("/words/after").as_str(), 0), Some(&before)));
    assert_eq!(pattern(&before).as_deref(), Some("http://a.example/words/…"));
    assert_eq!(patterns.refused(), [("http://a.example/words/*".to_owned(), 2)]);
}
