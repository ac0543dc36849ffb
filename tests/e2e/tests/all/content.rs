//! Content changes and their dates: the rules that decide a page's `lastmod`.

use mapwright_e2e::clock;
use mapwright_e2e::{Crawl, CrawlRound, RepeatedCrawls, Revision, links};
use mapwright_testkit::Response;
use mapwright_testkit::living::dates;

const MODIFIED: &str = "Sun, 06 Nov 2016 08:49:37 GMT";
const MODIFIED_W3C: &str = "2016-11-06T08:49:37Z";

/// A page with this `head`, and these words in three paragraphs.
pub(crate) fn article(head: &str, words: &str) -> String {
    let text: String = ["opens", "goes on", "ends"].iter().map(|verb| format!("<p>{words} {verb} here.</p>")).collect();
    format!("<!doctype html><title>{words}</title>{head}<article><h1>{words}</h1>{text}</article>")
}

fn json_ld(date: &str) -> String {
    format!("<script type=application/ld+json>{{\"@type\":\"Article\",\"dateModified\":\"{date}\"}}</script>")
}

fn article_modified(date: &str) -> String {
    format!("<meta property=article:modified_time content=\"{date}\">")
}

/// A site whose start page links to these pages.
pub(crate) fn leading_to(paths: &[&str]) -> RepeatedCrawls {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", format!("<h1>Start</h1>{}", links(paths)));
    rounds
}

/// Publishes this page at `/a` with this `Last-Modified` (without one if it is empty), and crawls.
pub(crate) fn crawl_a(rounds: &RepeatedCrawls, modified: &str, html: String) -> CrawlRound {
    let response = Response::html(html);
    rounds.answer("/a", if modified.is_empty() { response } else { response.header("Last-Modified", modified) });
    rounds.crawl()
}

#[track_caller]
fn assert_date(round: &CrawlRound, url: &str, date: &str, source: &str) {
    assert_eq!(round.lastmod(url).as_deref(), Some(date), "{url}, from {}", round.source(url));
    assert_eq!(round.source(url), source, "{url}");
}

// ---- the dates that a page declares

#[test]
fn a_page_without_any_date_has_no_lastmod() {
    let rounds = leading_to(&["/a"]);
    let first = crawl_a(&rounds, "", article("", "Rivers"));
    let again = rounds.crawls(2);
    for round in [&first, &again] {
        round.assert_undated(&rounds.url("/a"));
        round.assert_undated(&rounds.url("/"));
        assert!(!mapwright_e2e::sitemaps::read(&round.crawled.out().join("sitemap.xml")).contains("lastmod"));
    }
}

#[test]
fn the_dates_of_a_page_have_an_order_of_precedence() {
    let (ld, meta) = (json_ld("2020-02-02T10:00:00Z"), article_modified("2019-01-01T10:00:00Z"));
    let cases = [
        (MODIFIED, String::new(), MODIFIED_W3C, "last-modified"),
        (MODIFIED, ld.clone(), "2020-02-02T10:00:00Z", "json-ld"),
        (MODIFIED, meta.clone(), "2019-01-01T10:00:00Z", "article:modified_time"),
        ("", ld + &meta, "2020-02-02T10:00:00Z", "json-ld"),
        ("", json_ld("2020-02-02"), "2020-02-02", "json-ld"),
    ];
    for (modified, head, date, source) in cases {
        let rounds = leading_to(&["/a"]);
        let first = crawl_a(&rounds, modified, article(&head, "Rivers"));
        assert_date(&first, &rounds.url("/a"), date, source);
        assert_date(&rounds.crawl(), &rounds.url("/a"), date, source);
    }
}

#[test]
fn the_old_sitemap_dates_pages_without_another_date() {
    let rounds = leading_to(&["/a", "/b"]);
    let entry = |path: &str| format!("<url><loc>{}</loc><lastmod>2018-03-04</lastmod></url>", rounds.url(path));
    let xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let sitemap = format!("<urlset xmlns=\"{xmlns}\">{}{}</urlset>", entry("/a"), entry("/b"));
    rounds.answer("/sitemap.xml", Response::xml(sitemap)).page("/b", article("", "Lakes"));
    let first = crawl_a(&rounds, MODIFIED, article("", "Rivers"));
    assert_date(&first, &rounds.url("/a"), MODIFIED_W3C, "last-modified");
    assert_date(&first, &rounds.url("/b"), "2018-03-04", "sitemap");
}

#[test]
fn an_impossible_last_modified_is_ignored() {
    let rounds = leading_to(&["/a"]);
    let tomorrow = dates::http_date(clock::next_second() + 86_400);
    crawl_a(&rounds, &tomorrow, article("", "Rivers")).assert_undated(&rounds.url("/a"));
    rounds.handler("/a", |_| {
        let now = dates::http_date(clock::millis() / 1_000);
        Response::html(article("", "Rivers")).header("Date", &now).header("Last-Modified", now)
    });
    for _ in 0..2 {
        rounds.crawl().assert_undated(&rounds.url("/a"));
    }
}

#[test]
fn the_same_last_modified_on_most_pages_is_ignored() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    for path in &paths {
        rounds.answer(path, Response::html(article("", path)).header("Last-Modified", MODIFIED));
    }
    let other = "Mon, 07 Nov 2016 08:49:37 GMT";
    rounds.answer("/p/3", Response::html(article("", "/p/3")).header("Last-Modified", other));
    let first = rounds.crawl();
    first.assert_undated(&rounds.url("/p/1"));
    assert_date(&first, &rounds.url("/p/3"), "2016-11-07T08:49:37Z", "last-modified");
}

#[test]
fn no_lastmod_by_option() {
    let rounds = leading_to(&["/a"]);
    drop(crawl_a(&rounds, MODIFIED, article("", "Rivers")));
    rounds.crawl_with(&["--no-lastmod"]).crawled.entries().iter().for_each(|entry| assert_eq!(entry.lastmod, None));
}

// ---- a change between our own visits

#[test]
fn a_change_between_two_visits_dates_the_page() {
    let rounds = leading_to(&["/a", "/b"]);
    rounds.page("/b", article("", "Lakes"));
    let first = crawl_a(&rounds, "", article("", "Rivers"));
    let second = crawl_a(&rounds, "", article("", "Rivers that flood"));
    second.assert_changed_since(&rounds.url("/a"), &first);
    second.assert_undated(&rounds.url("/b"));
    second.assert_undated(&rounds.url("/"));
}

#[test]
fn a_change_wins_over_last_modified_and_older_dates() {
    for head in [String::new(), json_ld("2020-02-02T10:00:00Z"), article_modified("2020-02-02T10:00:00Z")] {
        let rounds = leading_to(&["/a"]);
        let first = crawl_a(&rounds, MODIFIED, article(&head, "Rivers"));
        let second = crawl_a(&rounds, MODIFIED, article(&head, "Rivers that flood"));
        second.assert_changed_since(&rounds.url("/a"), &first);
    }
}

#[test]
fn a_date_of_the_page_itself_between_the_visits_takes_precedence() {
    for report in [json_ld, article_modified] {
        let rounds = leading_to(&["/a"]);
        let first = crawl_a(&rounds, "", article(&report("2020-02-02T10:00:00Z"), "Rivers"));
        let written = first.ended / 1_000 + 1;
        clock::wait_for(written + 2);
        let head = report(&dates::w3c(written));
        let second = crawl_a(&rounds, "", article(&head, "Rivers that flood"));
        let reported = second.lastmod(&rounds.url("/a")).and_then(|date| dates::instant(&date));
        assert_eq!(reported, Some(written * 1_000), "{:?}", second.lastmod(&rounds.url("/a")));
        let third = rounds.crawl();
        assert_eq!(third.lastmod(&rounds.url("/a")), second.lastmod(&rounds.url("/a")));
    }
}

#[test]
fn a_date_of_the_page_itself_in_the_future_is_not_taken_for_a_change() {
    let rounds = leading_to(&["/a"]);
    let first = crawl_a(&rounds, "", article("", "Rivers"));
    let head = json_ld(&dates::w3c(clock::next_second() + 86_400));
    let second = crawl_a(&rounds, "", article(&head, "Rivers that flood"));
    second.assert_changed_since(&rounds.url("/a"), &first);
}

#[test]
fn the_first_date_of_a_change_stays_while_nothing_changes() {
    for etag in [None, Some("\"2\"")] {
        let rounds = leading_to(&["/a"]);
        let first = crawl_a(&rounds, "", article("", "Rivers"));
        let flood = etag.into_iter().fold(Revision::new(article("", "Rivers that flood")), Revision::etag);
        flood.publish(&rounds, "/a");
        let second = rounds.crawl();
        second.assert_changed_since(&rounds.url("/a"), &first);
        for _ in 0..3 {
            let later = rounds.crawl();
            assert_eq!(later.conditions("/a").0, etag);
            assert_eq!(later.lastmod(&rounds.url("/a")), second.lastmod(&rounds.url("/a")));
        }
        let settled = rounds.crawl_with(&["--recrawl", "full"]);
        assert_date(&settled, &rounds.url("/a"), &second.lastmod(&rounds.url("/a")).unwrap(), "change");
    }
}

/// Between two changes there is a visit without a change: a page that differs at each fetch is treated differently.
#[test]
fn each_change_moves_the_date() {
    let rounds = leading_to(&["/a"]);
    drop(crawl_a(&rounds, "", article("", "Rivers")));
    for words in ["Rivers that flood", "Lakes of old", "Seas without end"] {
        assert_moves_the_date(&rounds, words);
    }
}

#[test]
fn a_text_that_comes_back_is_a_change_too() {
    let rounds = leading_to(&["/a"]);
    drop(crawl_a(&rounds, "", article("", "Rivers")));
    for words in ["Rivers that flood", "Rivers"] {
        assert_moves_the_date(&rounds, words);
    }
}

/// A visit of a failed crawl counts as a visit without a change too.
#[test]
fn a_change_after_a_failed_crawl_that_saw_none_moves_the_date() {
    let rounds = leading_to(&["/a"]);
    let url = rounds.url("/a");
    drop(crawl_a(&rounds, "", article("", "Rivers")));
    let second = crawl_a(&rounds, "", article("", "Rivers that flood"));
    rounds.answer("/", Response::new(503));
    drop(Crawl::of(&rounds).within(rounds.workspace()).args(["--retries", "0"]).run().exited(3));
    rounds.page("/", format!("<h1>Start</h1>{}", links(&["/a"])));
    clock::wait_for(clock::next_second());
    let fourth = crawl_a(&rounds, "", article("", "Lakes of old"));
    fourth.assert_changed_since(&url, &second);
    assert_ne!(fourth.lastmod(&url), second.lastmod(&url));
}

/// Asserts that these words update the page's date, after a visit without a change.
#[track_caller]
fn assert_moves_the_date(rounds: &RepeatedCrawls, words: &str) {
    let before = rounds.crawl();
    clock::wait_for(clock::next_second());
    let round = crawl_a(rounds, "", article("", words));
    round.assert_changed_since(&rounds.url("/a"), &before);
    assert_ne!(round.lastmod(&rounds.url("/a")), before.lastmod(&rounds.url("/a")), "{words}");
}

#[test]
fn a_part_added_or_removed_is_a_change() {
    for (old, young) in [("", "<p>One more paragraph.</p>"), ("<p>One more paragraph.</p>", "")] {
        let rounds = leading_to(&["/a"]);
        let first = crawl_a(&rounds, "", article("", "Rivers") + old);
        let second = crawl_a(&rounds, "", article("", "Rivers") + young);
        second.assert_changed_since(&rounds.url("/a"), &first);
    }
}

// ---- differences that are no change

/// Markup, scripts, styles and comments are not content.
#[test]
fn invisible_markup_is_no_change() {
    let rounds = leading_to(&["/a"]);
    drop(crawl_a(&rounds, "", article("<style>p{color:red}</style>", "Rivers")));
    let versions = [
        article("<style>p{color:blue}</style><meta name=csrf content=f00>", "Rivers"),
        article("<script>var token = 'x1'</script>", "Rivers") + "<!-- built at noon -->",
        article("<link rel=stylesheet href=/other.css>", "Rivers").replace("<p>", "\n\n  <p class=x>  "),
        article("", "Rivers") + "<input type=hidden name=token value=abcdef>",
    ];
    for html in versions {
        crawl_a(&rounds, "", html.clone()).assert_undated(&rounds.url("/a"));
    }
}

/// Thirty pages, each with its own text between the same navigation and footer.
fn furnished(rounds: &RepeatedCrawls, nav: &str, footer: &str, third: &str) {
    (0..30).for_each(|number| furnish(rounds, nav, footer, number, if number == 3 { third } else { "" }));
}

/// Publishes another navigation on all of these pages except one.
fn furnished_but(rounds: &RepeatedCrawls, nav: &str, one: usize) {
    (0..30).filter(|number| *number != one).for_each(|number| furnish(rounds, nav, "", number, ""));
}

fn furnish(rounds: &RepeatedCrawls, nav: &str, footer: &str, number: usize, words: &str) {
    let words = if words.is_empty() { format!("Subject {number}") } else { words.to_owned() };
    let html = format!("<nav>{nav}</nav>{}<footer>{footer}</footer>", article("", &words));
    rounds.page(&format!("/p/{number}"), html);
}

#[test]
fn navigation_and_footers_of_all_pages_are_no_content() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    furnished(&rounds, "<ul><li>Home<li>Shop</ul>", "<p>Printed in May</p>", "Subject three");
    drop(rounds.crawl());
    furnished(&rounds, "<ul><li>Home<li>Shop<li>Blog</ul>", "<p>Printed in June</p>", "Subject three");
    let second = rounds.crawl();
    paths.iter().for_each(|path| second.assert_undated(&rounds.url(path)));
    furnished(&rounds, "<ul><li>Home<li>News</ul>", "<p>Printed in July</p><p>All of it.</p>", "Another subject");
    let third = rounds.crawl();
    third.assert_changed_since(&rounds.url("/p/3"), &second);
    paths.iter().filter(|path| *path != "/p/3").for_each(|path| third.assert_undated(&rounds.url(path)));
}

/// A page may miss the run with a new menu, or come from a cache that is a run behind: the late menu still counts as
/// boilerplate, and the page's own text as content.
#[test]
fn a_page_that_gets_a_new_menu_late_has_not_changed() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let (old, new) = ("<ul><li>Home<li>Shop</ul>", "<ul><li>Home<li>Blog</ul>");
    let page =
        |nav: &str, words: &str| Response::html(format!("<nav>{nav}</nav>{}<footer></footer>", article("", words)));
    let cases = [
        (Response::new(503), "Subject 5", false),
        (Response::new(503), "Subject 5, and more", true),
        (page(old, "Subject 5"), "Subject 5", false),
        (page(old, "Subject 5"), "Subject 5, and more", true),
    ];
    for (behind, words, changes) in cases {
        let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let url = rounds.url("/p/5");
        furnished(&rounds, old, "", "Subject three");
        drop(rounds.crawls(2));
        furnished(&rounds, new, "", "Subject three");
        rounds.answer("/p/5", behind);
        let third = rounds.crawl_with(&["--retries", "0"]);
        rounds.answer("/p/5", page(new, words));
        let fourth = rounds.crawl();
        if changes {
            fourth.assert_changed_since(&url, &third);
        } else {
            fourth.assert_undated(&url);
        }
    }
}

/// The footer changes in every run, so that no run before the page's last visit knows its footer.
#[test]
fn a_page_that_fails_in_one_run_and_returns_with_a_new_footer_has_not_changed() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    for day in 0..6 {
        furnished(&rounds, "menu", &format!("<p>Today is day {day}"), "Subject three");
        if day == 4 {
            rounds.status("/p/5", 404);
        }
        drop(rounds.crawl_with(&["--shrink-guard", "0"]));
    }
    let diff = rounds.query(&["diff", "4", "6", "--format", "json"]).exited(0).stdout;
    let diff: serde_json::Value = serde_json::from_str(&diff).unwrap();
    assert_eq!(diff["changed"], serde_json::json!([]));
}

/// A server may answer 304 for a page while the menu changes twice elsewhere: the page then changes from a menu that no
/// other page has.
#[test]
fn a_page_revalidated_through_two_menus_has_not_changed() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let page = |nav: &str| Response::html(format!("<nav>{nav}</nav>{}<footer></footer>", article("", "Subject 5")));
    let menus = ["<ul><li>Home<li>Shop</ul>", "<ul><li>Home<li>Blog</ul>", "<ul><li>Home<li>News</ul>"];
    furnished(&rounds, menus[0], "", "Subject three");
    rounds.answer("/p/5", page(menus[0]).header("ETag", "\"5\""));
    drop(rounds.crawl());
    rounds.answer("/p/5", Response::new(304).header("ETag", "\"5\""));
    for menu in &menus[1..] {
        furnished_but(&rounds, menu, 5);
        drop(rounds.crawls(4));
    }
    rounds.answer("/p/5", page(menus[2]).header("ETag", "\"6\""));
    rounds.crawl().assert_undated(&rounds.url("/p/5"));
}

/// Words that are on many pages, and on as many as before, are content of a page that gains or loses them.
#[test]
fn a_word_on_many_pages_is_content_where_it_changes() {
    let paths: Vec<String> = (0..30).map(|number| format!("/p/{number}")).collect();
    let rounds = leading_to(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let shelf = |number: usize, word: &str| {
        rounds.page(&format!("/p/{number}"), article("", &format!("Chair {number}")) + &format!("<p>{word}</p>"));
    };
    (0..30).for_each(|number| shelf(number, if number % 2 == 0 { "In stock" } else { "Sold out" }));
    let second = rounds.crawls(2);
    shelf(4, "Sold out");
    let third = rounds.crawl();
    third.assert_changed_since(&rounds.url("/p/4"), &second);
    shelf(5, "In stock");
    let fourth = rounds.crawl();
    fourth.assert_changed_since(&rounds.url("/p/5"), &third);
    fourth.assert_undated(&rounds.url("/p/6"));
}

/// A page with a counter that differs at each fetch.
fn counting(rounds: &RepeatedCrawls, words: &str) {
    let (words, count) = (words.to_owned(), std::sync::atomic::AtomicUsize::new(0));
    rounds.handler("/a", move |_| {
        let visitor = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Response::html(article("", &words) + &format!("<p>You are visitor number {} of {words}</p>", visitor + 4_711))
    });
}

/// A first difference is a change; differences at two fetches in a row are not.
#[test]
fn a_counter_is_reported_once_at_most_and_never_after() {
    let rounds = leading_to(&["/a"]);
    let url = rounds.url("/a");
    counting(&rounds, "Rivers");
    drop(rounds.crawl());
    let once = rounds.crawl().lastmod(&url);
    let mut last = None;
    for _ in 0..5 {
        let round = rounds.crawl();
        assert!(round.lastmod(&url).is_none() || round.lastmod(&url) == once, "{:?}, {once:?}", round.lastmod(&url));
        last = Some(round);
    }
    // A change of other content still counts.
    counting(&rounds, "Rivers that flood");
    rounds.crawl().assert_changed_since(&url, &last.unwrap());
}
