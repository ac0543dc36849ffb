//! Parts of a page that also have their own page, such as the messages of a thread.

use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out};

/// Issues with three messages each, which the issue shows in full and which also have their own pages with this title.
fn tracker(title: impl Fn(usize, &str) -> String, own: impl Fn(usize) -> String) -> (SmallSite, Vec<String>) {
    let all = things(8);
    let entries: Vec<_> = (1..).zip(&all).map(|(n, thing)| (format!("/issue{n}"), thing.title.as_str())).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    let mut paths = Vec::new();
    for (n, issue) in (1..).zip(&all) {
        let messages: Vec<(usize, String)> =
            (0..3).map(|k| n * 3 + k).map(|k| (k, paragraphs(&format!("{} {k}", issue.title), 1))).collect();
        let complete = messages.iter().map(|(k, text)| format!("<p><a href=\"/msg{k}\">msg{k} (view)</a></p>{text}"));
        town.page(&format!("/issue{n}"), &issue.title, &complete.collect::<String>());
        for (k, text) in messages {
            let path = format!("/msg{k}");
            town.junk(&path, &title(k, &text), &format!("<p>Author</p>{text}{}", own(k)));
            paths.push(path);
        }
    }
    (town, paths)
}

#[test]
fn messages_that_their_issue_shows_in_full_are_excluded() {
    let (town, _) = tracker(|n, _| format!("Message {n}"), |_| String::new());
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/msg", &["duplicate"]);
}

#[test]
fn messages_with_a_title_of_their_own_stay() {
    let (mut town, paths) =
        tracker(|_, text| text.chars().filter(|c| c.is_alphabetic()).take(40).collect(), |_| String::new());
    paths.iter().for_each(|path| town.belongs(path));
    let _ = town.crawl_exactly();
}

#[test]
fn messages_that_say_more_than_their_issue_shows_stay() {
    let (mut town, paths) = tracker(|n, _| format!("Message {n}"), |n| paragraphs(&format!("what follows {n}"), 1));
    paths.iter().for_each(|path| town.belongs(path));
    let _ = town.crawl_exactly();
}

#[test]
fn posts_that_a_list_shows_in_full_stay() {
    // A diary without titles: each page of the list shows five entries.
    let entry = |n: usize| format!("/entry/{n}");
    let list = |n: usize| if n == 1 { "/diary".to_owned() } else { format!("/diary?page={n}") };
    let mut town = SmallSite::open("<p><a href=\"/diary\">Diary</a></p>");
    for page in 1..6 {
        let entries: String = (1..6)
            .map(|k| page * 5 + k)
            .map(|n| format!("<h2><a href=\"{}\">Entry {n}</a></h2>{}", entry(n), paragraphs(&format!("day {n}"), 2)))
            .collect();
        let next = if page < 5 { format!("<p><a href=\"{}\">Older</a></p>", list(page + 1)) } else { String::new() };
        let title = format!("Diary, page {page}");
        match page {
            1 => town.page(&list(page), &title, &format!("{entries}{next}")),
            _ => town.junk(&list(page), &title, &format!("{entries}{next}")),
        };
        for n in (1..6).map(|k| page * 5 + k) {
            town.page(&entry(n), &format!("Entry {n}"), &paragraphs(&format!("day {n}"), 2));
        }
    }
    let _ = town.crawl_exactly();
}
