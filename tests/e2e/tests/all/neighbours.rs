//! Differences on a page that are not its content (neighbours, boxes, by-lines, clocks), and content changes in the
//! same places.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::clock;
use mapwright_e2e::{CrawlRound, RepeatedCrawls, links};
use mapwright_testkit::Response;

/// Pages of the site.
const PAGES: usize = 36;
/// Words from which each page gets a text of its own.
const WORDS: [&str; 12] =
    ["mill", "ferry", "kiln", "loom", "canal", "forge", "quay", "barn", "weir", "lock", "tower", "wharf"];

/// The surroundings of the text of one page: the markup above it, and below it.
struct Around {
    above: String,
    below: String,
}

/// Empty surroundings.
fn bare(_: usize) -> Around {
    Around { above: String::new(), below: String::new() }
}

fn path(number: usize) -> String {
    format!("/almanac/{number}")
}

fn title(number: usize) -> String {
    format!("The {} by the {} {number}", WORDS[number % 12], WORDS[number / 3 % 12])
}

/// A paragraph that no other page has.
fn paragraph(number: usize, which: usize) -> String {
    let words = (1..16).map(|word| WORDS[(number * word + which * 5 + word * word) % 12]).collect::<Vec<_>>();
    format!("<p>In {number} of {which} the {}.</p>", words.join(" "))
}

/// The body of a page of plain elements, without class names or ids that reveal their role.
fn page(number: usize, around: &Around) -> String {
    let text: String = (0..3).map(|which| paragraph(number, which)).collect();
    let table = format!("<table><tr><th>Year<th>People<tr><td>1900<td>{}</table>", 500 + number);
    format!(
        "<!doctype html><title>{0}</title><div>Almanac</div><h1>{0}</h1>{1}{text}{table}{2}<div>Market Street 4</div>",
        title(number),
        around.above,
        around.below
    )
}

/// Publishes all pages with the surroundings of `around`, and a start page that links them.
fn publish(rounds: &RepeatedCrawls, around: impl Fn(usize) -> Around) {
    for number in 0..PAGES {
        rounds.page(&path(number), page(number, &around(number)));
    }
    let rows: String =
        (0..PAGES).map(|number| format!("<li><a href=\"{}\">{}</a>", path(number), title(number))).collect();
    rounds.page("/", format!("<title>Almanac</title><h1>Almanac</h1><ul>{rows}</ul>"));
}

/// Publishes one page again with `old` replaced by `new`.
#[track_caller]
fn edit(rounds: &RepeatedCrawls, number: usize, around: &Around, old: &str, new: &str) {
    let page = page(number, around);
    assert!(page.contains(old), "{page}");
    rounds.page(&path(number), page.replacen(old, new, 1));
}

/// Asserts that exactly these of the numbered pages have a date, from a change since `before`.
#[track_caller]
fn assert_dated(round: &CrawlRound, rounds: &RepeatedCrawls, numbers: &[usize], before: &CrawlRound) {
    for number in 0..PAGES {
        let url = rounds.url(&path(number));
        if numbers.contains(&number) {
            round.assert_changed_since(&url, before);
        } else {
            round.assert_undated(&url);
        }
    }
}

/// Crawls the pages with the surroundings `before`, then with those of `after` and one page edited, and asserts that
/// only that page has changed.
#[track_caller]
fn assert_no_change(before: impl Fn(usize) -> Around, after: impl Fn(usize) -> Around) {
    let rounds = RepeatedCrawls::new();
    publish(&rounds, before);
    let first = rounds.crawl();
    publish(&rounds, &after);
    edit(&rounds, 8, &after(8), "<p>In 8 of 0", "<p>Rebuilt in brick, in 8 of 0");
    assert_dated(&rounds.crawl(), &rounds, &[8], &first);
}

// ---- lines of the template with a text per page

#[test]
fn a_by_line_that_changes_on_all_pages_changes_none_of_them() {
    let by = |who: &'static str| {
        move |number: usize| format!("<p>Last modified 2025-04-{:02} by {who}</p>", 1 + number % 28)
    };
    let above = |who| move |number| Around { above: by(who)(number), ..bare(number) };
    let below = |who| move |number| Around { below: by(who)(number), ..bare(number) };
    assert_no_change(above("127.0.0.1"), above("the gardener"));
    assert_no_change(below("127.0.0.1"), below("the gardener"));
}

#[test]
fn a_paragraph_added_beside_such_a_line_is_a_change() {
    let by = |who: &'static str| {
        move |number: usize| Around { below: format!("<p>Page {number}, by {who}</p>"), ..bare(number) }
    };
    let rounds = RepeatedCrawls::new();
    publish(&rounds, by("127.0.0.1"));
    let first = rounds.crawl();
    publish(&rounds, by("the gardener"));
    edit(&rounds, 3, &by("the gardener")(3), "</table>", "</table><p>A new last word.</p>");
    assert_dated(&rounds.crawl(), &rounds, &[3], &first);
}

#[test]
fn a_line_added_to_all_pages_changes_none_of_them() {
    let line = |number| Around { above: format!("<p>Reading time: {number} minutes</p>"), ..bare(number) };
    assert_no_change(bare, line);
    assert_no_change(line, bare);
}

/// The site's name in all titles comes from the template; a title that changes otherwise is the page's content.
#[test]
fn a_title_that_changes_alone_is_content() {
    let rounds = RepeatedCrawls::new();
    publish(&rounds, bare);
    let first = rounds.crawl();
    for number in 0..PAGES {
        let title = if number == 5 { "Something else".to_owned() } else { title(number) };
        edit(&rounds, number, &bare(number), "<title>", &format!("<title>{title} | "));
    }
    let second = rounds.crawl();
    assert_dated(&second, &rounds, &[], &first);
    edit(&rounds, 5, &bare(5), "<title>The", "<title>What was the");
    for number in (0..PAGES).filter(|number| *number != 5) {
        edit(&rounds, number, &bare(number), "<title>", &format!("<title>{} | ", title(number)));
    }
    let third = rounds.crawl();
    assert_dated(&third, &rounds, &[5], &second);
}

#[test]
fn a_clock_and_a_load_time_change_no_date_in_the_first_run_without_changes() {
    for footer in ["<footer>", "<div id=footer>", "<div class=x>"] {
        let rounds = RepeatedCrawls::new();
        publish(&rounds, bare);
        let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(1_000));
        for number in 0..PAGES {
            let (count, footer) = (std::sync::Arc::clone(&count), footer.to_owned());
            rounds.handler(&path(number), move |_| {
                let count = count.fetch_add(7, std::sync::atomic::Ordering::Relaxed);
                let line = format!("{footer}generated in 0.{count} s, token {:x}", count * 7_919);
                Response::html(page(number, &Around { below: line, ..bare(number) }))
            });
        }
        let first = rounds.crawl();
        assert_dated(&rounds.crawl(), &rounds, &[], &first);
    }
}

#[test]
fn changes_on_a_few_pages_in_the_same_place_are_content() {
    let hours = |number: usize| Around { below: format!("<p>Open from {}:00</p>", 8 + number % 3), ..bare(number) };
    let rounds = RepeatedCrawls::new();
    publish(&rounds, hours);
    let first = rounds.crawl();
    edit(&rounds, 6, &hours(6), "Open from 8", "Open from 11");
    edit(&rounds, 21, &hours(21), "<td>521", "<td>530");
    for number in [4, 14, 24] {
        edit(&rounds, number, &hours(number), "of 1 the", "of 1 the greater");
    }
    assert_dated(&rounds.crawl(), &rounds, &[4, 6, 14, 21, 24], &first);
}

// ---- neighbours

/// Links to the previous and the next page, up to `last`, in this element.
fn pager(open: &str, number: usize, last: usize) -> String {
    let near = [number.checked_sub(1), Some(number + 1).filter(|next| *next <= last)];
    let near = near.into_iter().flatten().map(|near| format!("<li><a href=\"{}\">{}</a>", path(near), title(near)));
    format!("{open}<ul>{}</ul>", near.collect::<String>())
}

#[test]
fn a_pager_that_gains_a_link_is_no_change() {
    for open in ["<nav>", "<div class=\"nav-links\">", "<div>"] {
        let until = |last| move |number| Around { below: pager(open, number, last), ..bare(number) };
        assert_no_change(until(PAGES - 1), until(PAGES));
    }
}

#[test]
fn a_box_of_related_pages_is_no_change() {
    for open in ["<aside>", "<div class=related>", "<div>"] {
        let related = |day: usize| {
            move |number: usize| {
                let other = |nth: usize| (number * 5 + nth * 7 + day * 11 * (number % 3)) % PAGES;
                let rows = (0..4).map(|nth| format!("<li><a href=\"{}\">{}</a>", path(other(nth)), title(other(nth))));
                Around { below: format!("{open}<h2>Related</h2><ul>{}</ul>", rows.collect::<String>()), ..bare(number) }
            }
        };
        assert_no_change(related(0), related(1));
    }
}

/// A link in the running text is content.
#[test]
fn a_link_within_a_paragraph_that_leads_elsewhere_is_a_change() {
    let see = |number, target: usize, words: &str| Around {
        above: format!("<p>Whoever comes here should see <a href=\"{}\">{words}</a> first.</p>", path(target)),
        ..bare(number)
    };
    let rounds = RepeatedCrawls::new();
    publish(&rounds, |number| see(number, 3, "the sluice"));
    let first = rounds.crawl();
    rounds.page(&path(12), page(12, &see(12, 20, "the observatory")));
    assert_dated(&rounds.crawl(), &rounds, &[12], &first);
}

#[test]
fn an_aside_of_text_within_an_article_is_content() {
    let note = |number: usize| Around {
        above: format!("<article><aside><p>The keeper of house {number} has the key until noon.</p></aside></article>"),
        ..bare(number)
    };
    let rounds = RepeatedCrawls::new();
    publish(&rounds, note);
    let first = rounds.crawl();
    edit(&rounds, 9, &note(9), "until noon", "until three");
    assert_dated(&rounds.crawl(), &rounds, &[9], &first);
}

/// A table of contents changes with its list in any element, and so does an article that contains a long list.
#[test]
fn a_list_with_more_pages_is_a_change_of_its_page() {
    for open in [
        "<ul>",
        "<nav><ul>",
        "<div class=latest><ul>",
        "<p>A preface that says at some length what this volume holds, and who wrote all of it down.</p><ul>",
    ] {
        let rounds = RepeatedCrawls::new();
        publish(&rounds, bare);
        let volume = |numbers: std::ops::Range<usize>| {
            let rows: String =
                numbers.map(|number| format!("<li><a href=\"{}\">{}</a>", path(number), title(number))).collect();
            format!("<title>Volume</title><h1>Volume</h1>{open}{rows}</ul>")
        };
        rounds.page("/volume", volume(0..9));
        rounds.page("/", links(&["/volume", &path(0)]));
        let first = rounds.crawl();
        rounds.page("/volume", volume(0..11));
        let second = rounds.crawl();
        second.assert_changed_since(&rounds.url("/volume"), &first);
        second.assert_undated(&rounds.url(&path(0)));
    }
}

// ---- pages that are new

/// Asserts that the date of a page is that of its first visit, in this round.
#[track_caller]
fn assert_first_seen(round: &CrawlRound, url: &str) {
    let reported = round.lastmod(url).unwrap_or_else(|| panic!("{url} has no date"));
    let instant = mapwright_testkit::living::dates::instant(&reported).unwrap();
    assert!((round.began - round.began % 1_000..=round.ended).contains(&instant), "{reported}");
    assert_eq!(round.source(url), "first seen");
}

#[test]
fn a_page_that_was_not_there_before_has_the_date_of_the_run_that_found_it() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"])).page("/a", page(1, &bare(1)));
    rounds.crawl().assert_undated(&rounds.url("/a"));
    clock::wait_for(clock::next_second());
    rounds.page("/", links(&["/a", "/b"])).page("/b", page(2, &bare(2)).replace("</h1>", "</h1><a href=/c>c</a>"));
    rounds.page("/c", page(3, &bare(3)));
    let second = rounds.crawl();
    second.assert_undated(&rounds.url("/a"));
    assert_first_seen(&second, &rounds.url("/b"));
    assert_first_seen(&second, &rounds.url("/c"));
    let third = rounds.crawl();
    assert_eq!(third.lastmod(&rounds.url("/b")), second.lastmod(&rounds.url("/b")));
}

#[test]
fn a_new_page_with_a_date_of_its_own_keeps_that_date() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/a"])).page("/a", page(1, &bare(1)));
    drop(rounds.crawl());
    let dated = "<meta property=article:modified_time content=2020-02-02T10:00:00Z>";
    rounds.page("/", links(&["/a", "/b"])).page("/b", format!("{dated}{}", page(2, &bare(2))));
    let second = rounds.crawl();
    assert_eq!(second.lastmod(&rounds.url("/b")).as_deref(), Some("2020-02-02T10:00:00Z"));
    assert_eq!(second.source(&rounds.url("/b")), "article:modified_time");
}

/// A page that a run did not reach or read may have linked other pages, which are therefore not known to be new.
#[test]
fn a_page_that_an_earlier_run_did_not_reach_is_not_new() {
    let chain = |rounds: &RepeatedCrawls| {
        rounds
            .page("/", links(&["/1"]))
            .page("/1", links(&["/2"]))
            .page("/2", links(&["/3"]))
            .page("/3", "<p>The end.</p>");
    };
    for limit in [["--max-urls", "2"], ["--max-depth", "1"]] {
        let rounds = RepeatedCrawls::new();
        chain(&rounds);
        drop(rounds.crawl_with(&limit));
        let second = rounds.crawl();
        for path in ["/1", "/2", "/3"] {
            second.assert_undated(&rounds.url(path));
        }
    }
    let rounds = RepeatedCrawls::new();
    chain(&rounds);
    rounds.status("/1", 404);
    drop(rounds.crawl());
    chain(&rounds);
    let second = rounds.crawl();
    ["/1", "/2", "/3"].iter().for_each(|path| second.assert_undated(&rounds.url(path)));
}

// ---- Last-Modified

/// Rebuilt files have new and different `Last-Modified` dates; with the same text, the pages have not changed.
#[test]
fn rebuilt_files_keep_their_dates() {
    for (first, count) in [(Some("Sun, 06 Nov 2016 08:49:37 GMT"), 36), (None, 0)] {
        let rounds = RepeatedCrawls::new();
        publish(&rounds, bare);
        let dated = |number: usize, modified: &str| {
            rounds.answer(&path(number), Response::html(page(number, &bare(number))).header("Last-Modified", modified));
        };
        (0..count).for_each(|number| first.into_iter().for_each(|first| dated(number, first)));
        let before = rounds.crawl();
        let built = clock::next_second();
        clock::wait_for(built + 2);
        for number in 0..PAGES {
            dated(number, &mapwright_testkit::living::dates::http_date(built + i64::from(number % 2 == 1)));
        }
        rounds.page(&path(7), page(7, &bare(7)).replace("of 1 the", "of 1 the greater"));
        assert_dated(&rounds.crawl(), &rounds, &[7], &before);
    }
}
