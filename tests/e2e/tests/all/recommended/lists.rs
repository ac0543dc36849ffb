//! Pagination of lists.

use mapwright_testkit::Response;

use super::parameters::value;
use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out, shell};

/// Entries on a page of the list.
const PER_PAGE: usize = 6;

/// The main part of a page of a list. An `endless` list links a next page even after the last one.
fn page_of(entries: &[(String, String)], number: usize, endless: bool, url: impl Fn(usize) -> String) -> String {
    let shown = entries.chunks(PER_PAGE).nth(number - 1).unwrap_or_default();
    let body = if shown.is_empty() { "<p>No entries.</p>".to_owned() } else { teasers(shown) };
    let last = entries.len().div_ceil(PER_PAGE);
    let link = |to: usize, name: &str| format!("<a href=\"{}\">{name}</a> ", url(to));
    let newer = if number > 1 { link(number - 1, "Newer") } else { String::new() };
    let older = if number < last || endless { link(number + 1, "Older") } else { String::new() };
    format!("{body}<p>{newer}{older}</p>")
}

/// A journal with a page for each entry, and no list yet.
fn journal() -> (SmallSite, Vec<(String, String)>) {
    let entries: Vec<_> = things(30).into_iter().map(|thing| (format!("/entry/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/list\">All entries</a></p>");
    for (path, title) in &entries {
        town.article(path, title);
    }
    town.belongs("/list");
    (town, entries)
}

/// A journal whose list is paged by a parameter.
fn by_parameter(endless: bool) -> SmallSite {
    let (town, entries) = journal();
    town.site.handler("/list", move |request| {
        let number = value(request, "page").and_then(|page| page.parse().ok()).unwrap_or(1);
        let url = |to: usize| if to == 1 { "/list".to_owned() } else { format!("/list?page={to}") };
        Response::html(shell("All entries", &page_of(&entries, number, endless, url)))
    });
    town
}

/// A journal whose list is paged by folders.
fn by_folder(endless: bool) -> SmallSite {
    let (town, entries) = journal();
    let url = |to: usize| if to == 1 { "/list".to_owned() } else { format!("/list/page/{to}/") };
    town.site.page("/list", shell("All entries", &page_of(&entries, 1, endless, url)));
    town.site.handler("/list/page/*", move |request| {
        let number = request.path().trim_end_matches('/').rsplit('/').next().and_then(|page| page.parse().ok());
        let Some(number) = number else { return Response::new(404) };
        Response::html(shell(&format!("All entries, page {number}"), &page_of(&entries, number, endless, url)))
    });
    town
}

#[test]
fn pages_of_a_list_by_a_parameter_are_excluded() {
    let crawled = by_parameter(false).crawl_exactly();
    assert_left_out(&crawled, "/list?page=", &["pagination"]);
}

#[test]
fn pages_of_a_list_by_folders_are_excluded() {
    let crawled = by_folder(false).crawl_exactly();
    assert_left_out(&crawled, "/list/page/", &["pagination"]);
}

#[test]
fn empty_pages_after_the_last_are_excluded() {
    for town in [by_parameter(true), by_folder(true)] {
        let _ = town.crawl_exactly();
        let (requests, pages) = (town.site.requests().len(), town.size());
        assert!(requests <= 2 * pages + 60, "{requests} requests for {pages} pages");
    }
}

#[test]
fn chapters_that_are_counted_like_pages_stay() {
    for form in ["/tale?page=", "/tale/page/"] {
        let path = |chapter: usize| if chapter == 1 { "/tale".to_owned() } else { format!("{form}{chapter}") };
        let mut town = SmallSite::open("<p><a href=\"/tale\">A tale in chapters</a></p>");
        for chapter in 1..=12 {
            let next = if chapter < 12 { format!("<a href=\"{}\">Next</a>", path(chapter + 1)) } else { String::new() };
            let title = format!("Chapter {chapter}");
            town.page(&path(chapter), &title, &format!("{}{next}", paragraphs(&title, 4)));
        }
        let _ = town.crawl_exactly();
    }
}

/// The entries have no pages of their own, so the list is the only place of their text.
#[test]
fn pages_of_a_list_with_the_complete_texts_stay() {
    let things = things(30);
    let path = |number: usize| if number == 1 { "/list".to_owned() } else { format!("/list?page={number}") };
    let mut town = SmallSite::open("<p><a href=\"/list\">All entries</a></p>");
    for (chunk, number) in things.chunks(5).zip(1..) {
        let texts = chunk.iter().map(|thing| format!("<h2>{}</h2>{}", thing.title, paragraphs(&thing.title, 1)));
        let next = if number < 6 { format!("<a href=\"{}\">Older</a>", path(number + 1)) } else { String::new() };
        town.page(&path(number), "All entries", &format!("{}{next}", texts.collect::<String>()));
    }
    let _ = town.crawl_exactly();
}

#[test]
fn the_first_page_under_its_number_is_excluded() {
    let (town, entries) = journal();
    town.site.handler("/list", move |request| {
        let number = value(request, "page").and_then(|page| page.parse().ok()).unwrap_or(1);
        Response::html(shell("All entries", &page_of(&entries, number, false, |to| format!("/list?page={to}"))))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/list?page=", &["pagination", "parameter-variant", "duplicate"]);
}

#[test]
fn pages_of_a_list_by_an_offset_are_excluded() {
    let (town, entries) = journal();
    town.site.handler("/list", move |request| {
        let start: usize = value(request, "start").and_then(|start| start.parse().ok()).unwrap_or(0);
        let url = |to: usize| if to == 1 { "/list".to_owned() } else { format!("/list?start={}", (to - 1) * PER_PAGE) };
        Response::html(shell("All entries", &page_of(&entries, start / PER_PAGE + 1, false, url)))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/list?start=", &["pagination"]);
}

/// The posts of each forum member, in full and over several pages; each post links its thread through a redirect.
#[test]
fn further_pages_of_the_posts_of_members_are_excluded() {
    let threads = things(24);
    let links: Vec<_> = threads.iter().map(|thread| (format!("/topic/{}", thread.slug), &thread.title)).collect();
    let members = "<p><a href=\"/user/mabel/posts\">Mabel</a> <a href=\"/user/orla/posts\">Orla</a></p>";
    let mut town = SmallSite::open(&format!("{}{members}", teasers(&links)));
    let text = |thread: &str, member: &str| paragraphs(&format!("{member} on {thread}"), 4);
    for (path, title) in &links {
        town.page(path, title, &["mabel", "orla"].map(|member| text(title, member)).concat());
        town.site.redirect(&path.replace("/topic/", "/post/"), path, 302);
    }
    for member in ["mabel", "orla"] {
        let pager: String = (2..=3).map(|n| format!("<a href=\"/user/{member}/posts?page={n}\">{n}</a> ")).collect();
        for (number, part) in (1..).zip(links.chunks(8)) {
            let post = |(path, title): &(String, &String)| {
                format!("<h2><a href=\"{}\">{title}</a></h2>{}", path.replace("/topic/", "/post/"), text(title, member))
            };
            let posts: String = part.iter().map(post).collect();
            let (path, title) = (format!("/user/{member}/posts"), format!("Posts by {member}"));
            match number {
                1 => town.page(&path, &title, &format!("{posts}{pager}")),
                _ => town.junk(&format!("{path}?page={number}"), &title, &format!("{posts}{pager}")),
            }
        }
    }
    town.crawl_exactly();
}
