//! Patterns of identifiers from night to night: what is told from links of pages that are read holds for those that
//! are remembered.

use mapwright_e2e::desk::Desk;
use mapwright_e2e::{Revision, Round, Rounds, links};
use mapwright_testkit::{Request, Response, Site};

/// A number that looks drawn by lot.
fn drawn(n: u64) -> String {
    format!("{:016x}a1", (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A number in letters: what a page says is its words.
fn word(n: u64) -> String {
    n.to_string().bytes().map(|digit| char::from(digit + 49)).collect()
}

/// A site of so many pages under tags; the start page leads to the first, each of the others to those that `next` says.
fn site(pages: u64, path: impl Fn(u64) -> String, next: impl Fn(u64) -> Vec<u64>) -> Rounds {
    let rounds = Rounds::new();
    let tagged = |title: &str, targets: Vec<String>| {
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        Revision::new(format!("<h1>{title}</h1>{}", links(&targets))).etag("\"1\"")
    };
    tagged("Start", vec![path(0)]).publish(&rounds, "/");
    for n in 0..pages {
        let targets = next(n).into_iter().filter(|n| *n < pages).map(&path).collect();
        tagged(&word(n), targets).publish(&rounds, &path(n));
    }
    rounds
}

const BUDGET: [&str; 2] = ["--pattern-budget", "50"];

fn crawl(rounds: &Rounds, recrawl: &str) -> Round {
    rounds.crawl_with(&[&BUDGET[..], &["--recrawl", recrawl]].concat())
}

/// Crawls, and then twice without anything being changed. How many entries each sitemap has.
fn nights(rounds: &Rounds) -> [usize; 3] {
    ["conditional", "conditional", "due"].map(|recrawl| crawl(rounds, recrawl).crawled.entries().len())
}

/// More than the budget by a name that is an identifier's, more than ten times as many by any other.
#[test]
fn products_named_by_lot_are_whole_from_night_to_night() {
    for (name, count) in [("sid", 120), ("id", 640)] {
        let path = |n| format!("/product?{name}={}", drawn(n));
        let like = |n| (1..12).map(|near| (n * near + 7 * near * near) % count).collect();
        assert_eq!(nights(&site(count, path, like)), [count as usize + 1; 3], "{name}");
    }
}

/// Those of a category link the very same pages, itself included: one set of links in the record.
#[test]
fn products_that_share_their_links_are_whole_from_night_to_night() {
    let path = |n| format!("/product?sid={}", drawn(n));
    let category = |n: u64| (n / 12 * 12..n / 12 * 12 + 13).collect();
    assert_eq!(nights(&site(120, path, category)), [121; 3]);
}

#[test]
fn a_session_renewed_by_every_link_has_its_budget_each_night() {
    let path = |n| format!("/p{}.html?sid={}", n % 6, drawn(n));
    assert_eq!(nights(&site(400, path, |n| vec![3 * n + 1, 3 * n + 2, 3 * n + 3])), [51; 3]);
}

/// A site whose pages below `/words/` lead to two more, which no other page names.
fn babble(has_text: bool) -> Site {
    let site = Site::open();
    site.page("/", links(&["/about", "/words/once"])).page("/about", "<h1>About</h1>");
    site.handler("/words/*", move |request: &Request| {
        let word = |n: u64| {
            let mixed =
                request.target.bytes().fold(n, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
            format!("/words/{}", format!("{mixed:016x}").replace(|c: char| c.is_ascii_digit(), "k"))
        };
        let title = if has_text { word(3) } else { "Words".to_owned() };
        Response::html(format!("<h1>{title}</h1>{}", links(&["/", &word(1), &word(2)])))
    });
    site
}

#[test]
fn words_made_up_on_every_link_come_to_an_end_and_the_audit_tells_of_them() {
    for (has_text, pages) in [(true, 50..400), (false, 5..30)] {
        words_come_to_an_end(has_text, pages);
    }
}

fn words_come_to_an_end(has_text: bool, pages: std::ops::Range<usize>) {
    let (desk, site) = (Desk::new(), babble(has_text));
    let run = desk.crawl_well(&site.url("/"), &["--pattern-budget", "5"]);
    let listed = desk.listed();
    assert!(listed.contains(&site.url("/about")));
    assert!(pages.contains(&listed.len()), "{}", listed.len());
    let pattern = format!("endless pattern: {}", site.url("/words/…"));
    assert!(run.out().contains(&pattern) || run.err().contains(&pattern), "{}{}", run.out(), run.err());
    let audit = desk.run(&["audit", &site.url("/"), "--from-record", "--state", "state", "--format", "text"]);
    assert!(audit.out().contains("trap-growing"), "{}{}", audit.out(), audit.err());
}
