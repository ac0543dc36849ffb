//! URL patterns with identifiers over several runs: decisions that rest on the links of fetched pages also hold with
//! the stored links of unchanged pages.

use mapwright_e2e::{CrawlRound, RepeatedCrawls, Revision, Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};

/// An identifier that looks random.
fn drawn(n: u64) -> String {
    format!("{:016x}a1", (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A number as a word, because only words count as content.
fn word(n: u64) -> String {
    n.to_string().bytes().map(|digit| char::from(digit + 49)).collect()
}

/// A site with this number of pages with entity tags. The start page links the first page, and each page links those of
/// `next`.
fn site(pages: u64, path: impl Fn(u64) -> String, next: impl Fn(u64) -> Vec<u64>) -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
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

fn crawl(rounds: &RepeatedCrawls, recrawl: &str) -> CrawlRound {
    rounds.crawl_with(&[&BUDGET[..], &["--recrawl", recrawl]].concat())
}

/// Crawls three times without changes in between, and returns the number of entries of each sitemap.
fn days(rounds: &RepeatedCrawls) -> [usize; 3] {
    ["conditional", "conditional", "due"].map(|recrawl| crawl(rounds, recrawl).crawled.entries().len())
}

/// The number of products exceeds the budget for a session-like parameter name, and ten times the budget for another
/// name.
#[test]
fn products_with_random_ids_are_complete_in_every_run() {
    for (name, count) in [("sid", 120), ("id", 640)] {
        let path = |n| format!("/product?{name}={}", drawn(n));
        let like = |n| (1..12).map(|near| (n * near + 7 * near * near) % count).collect();
        assert_eq!(days(&site(count, path, like)), [count as usize + 1; 3], "{name}");
    }
}

/// The products of a category link the same pages, themselves included: one set of links in the record.
#[test]
fn products_that_share_their_links_are_complete_in_every_run() {
    let path = |n| format!("/product?sid={}", drawn(n));
    let category = |n: u64| (n / 12 * 12..n / 12 * 12 + 13).collect();
    assert_eq!(days(&site(120, path, category)), [121; 3]);
}

#[test]
fn a_session_renewed_by_every_link_has_the_same_budget_in_every_run() {
    let path = |n| format!("/p{}.html?sid={}", n % 6, drawn(n));
    assert_eq!(days(&site(400, path, |n| vec![3 * n + 1, 3 * n + 2, 3 * n + 3])), [51; 3]);
}

/// A site whose pages below `/words/` each link two more, which no other page links.
fn babble(has_text: bool) -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/about", "/words/once"])).page("/about", "<h1>About</h1>");
    site.handler("/words/*", move |request: &ReceivedRequest| {
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
fn a_trap_of_random_words_is_limited_and_reported_by_the_audit() {
    for (has_text, pages) in [(true, 50..400), (false, 5..30)] {
        words_come_to_an_end(has_text, pages);
    }
}

fn words_come_to_an_end(has_text: bool, pages: std::ops::Range<usize>) {
    let (workspace, site) = (Workspace::new(), babble(has_text));
    let run = workspace.crawl_well(&site.url("/"), &["--pattern-budget", "5"]);
    let listed = workspace.listed();
    assert!(listed.contains(&site.url("/about")));
    assert!(pages.contains(&listed.len()), "{}", listed.len());
    let pattern = format!("crawl trap: {}", site.url("/words/…"));
    assert!(run.stdout.contains(&pattern) || run.stderr.contains(&pattern), "{}{}", run.stdout, run.stderr);
    let audit = workspace.run(&["audit", &site.url("/"), "--from-record", "--state", "state", "--format", "text"]);
    assert!(audit.stdout.contains("trap-growing"), "{}{}", audit.stdout, audit.stderr);
}
