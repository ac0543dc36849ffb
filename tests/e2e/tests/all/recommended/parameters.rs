//! Parameters without effect, and parameters that select content.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mapwright_e2e::Workspace;
use mapwright_testkit::{ReceivedRequest, Response};

use super::text::{Thing, paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out, shell, with_parameter};

/// The exclusion reason of a variant.
const VARIANT: &[&str] = &["parameter-variant"];

/// The value of a query parameter, with any separator.
pub(crate) fn value<'a>(request: &'a ReceivedRequest, name: &str) -> Option<&'a str> {
    let pairs = request.query()?.split(['&', ';']);
    pairs.filter_map(|pair| pair.split_once('=')).find_map(|(key, value)| (key == name).then_some(value))
}

/// An article's path and title.
fn entry(thing: &Thing) -> (String, String) {
    (format!("/articles/{}", thing.slug), thing.title.clone())
}

/// A magazine whose articles link their neighbours.
fn magazine(articles: usize) -> SmallSite {
    let entries: Vec<_> = things(articles).iter().map(entry).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (at, (path, title)) in entries.iter().enumerate() {
        let related = [&entries[(at + 1) % articles], &entries[(at + 5) % articles]].map(Clone::clone);
        town.page(path, title, &format!("{}<h2>Related</h2>{}", paragraphs(title, 3), teasers(&related)));
    }
    town
}

#[test]
fn a_parameter_without_effect_is_excluded() {
    let town = magazine(14);
    // The links of half of the pages have a parameter with the page of origin.
    town.rewrite(|request, html| match request.path().len() % 2 {
        0 => html.to_owned(),
        _ => with_parameter(html, &format!("ref={}", request.path().rsplit('/').next().unwrap_or_default())),
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "ref=", VARIANT);
}

#[test]
fn the_clean_url_is_requested_and_listed_though_nothing_links_it() {
    let town = magazine(12);
    town.rewrite(|request, html| {
        let from = if request.path() == "/" { "home" } else { "related" };
        with_parameter(html, &format!("origin={from}"))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "origin=", VARIANT);
    for thing in things(12) {
        town.assert_requested(&entry(&thing).0);
    }
}

#[test]
fn pages_that_a_parameter_selects_stay() {
    for name in ["id", "page", "ref"] {
        let things = things(14);
        let path = |at: usize| format!("/read?{name}={}", 100 + at);
        let entries: Vec<_> = things.iter().enumerate().map(|(at, thing)| (path(at), &thing.title)).collect();
        let mut town = SmallSite::open(&teasers(&entries));
        for (path, title) in &entries {
            town.article(path, title);
        }
        let _ = town.crawl_exactly();
    }
}

#[test]
fn pages_that_a_parameter_selects_by_name_stay() {
    let entries: Vec<_> =
        things(10).iter().map(|thing| (format!("/index.php?page={}", thing.slug), thing.title.clone())).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        town.article(path, title);
    }
    // Without the parameter, the script shows the home page.
    let home = town.html("/").to_owned();
    town.site.page("/index.php", home);
    let _ = town.crawl_exactly();
}

#[test]
fn a_parameter_without_effect_is_excluded_beside_one_that_selects() {
    let things = things(12);
    let entries: Vec<_> =
        things.iter().enumerate().map(|(at, thing)| (format!("/read?id={at}"), &thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, _) in &entries {
        town.belongs(path);
    }
    let titles: Vec<String> = things.iter().map(|thing| thing.title.clone()).collect();
    town.site.handler("/read", move |request| {
        let title = value(request, "id").and_then(|id| titles.get(id.parse::<usize>().ok()?));
        let Some(title) = title else { return Response::html(shell("Gone", "<p>Gone.</p>")).status(404) };
        let back = (0..12).map(|at| (format!("/read?id={at}&via={}", value(request, "id").unwrap_or("list")), "More"));
        Response::html(shell(title, &format!("{}{}", paragraphs(title, 3), teasers(&back.collect::<Vec<_>>()))))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "via=", VARIANT);
}

/// A site whose home page links a variant of each article; the articles link no others.
pub(crate) fn linked_by_variants() -> SmallSite {
    let entries: Vec<_> = things(20).iter().map(entry).collect();
    let variants: Vec<_> = entries.iter().map(|(path, title)| (format!("{path}?origin=home"), title)).collect();
    let mut town = SmallSite::open(&teasers(&variants));
    for (path, title) in &entries {
        town.article(path, title);
    }
    town
}

#[test]
fn clean_urls_are_listed_where_one_page_links_all_variants() {
    let _ = linked_by_variants().crawl_exactly();
}

#[test]
fn clean_urls_are_listed_where_one_page_links_all_variants_beside_a_parameter_that_selects() {
    let things = things(20);
    let variants: Vec<_> =
        things.iter().enumerate().map(|(id, thing)| (format!("/read?id={id}&amp;via=home"), &thing.title)).collect();
    let mut town = SmallSite::open(&teasers(&variants));
    for (id, thing) in things.iter().enumerate() {
        town.article(&format!("/read?id={id}"), &thing.title);
        let html = town.html(&format!("/read?id={id}")).to_owned();
        town.site.page(&format!("/read?id={id}&via=home"), html);
    }
    let _ = town.crawl_exactly();
}

/// The print version has only the text, without navigation.
#[test]
fn print_versions_are_excluded() {
    let entries: Vec<_> = things(14).iter().map(entry).collect();
    let mut town = SmallSite::open(&teasers(&entries));
    for (path, title) in &entries {
        let text = paragraphs(title, 3);
        town.page(path, title, &format!("{text}<p><a href=\"{path}?format=print\">Print</a></p>"));
        let print = format!("<title>{title} - Millbrook</title><h1>{title}</h1>{text}");
        town.site.page(&format!("{path}?format=print"), print);
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "format=print", &["parameter-variant", "duplicate"]);
}

/// Each response contains the number of responses before it.
#[test]
fn a_parameter_without_effect_is_excluded_though_no_two_responses_are_equal() {
    let town = magazine(14);
    let visits = Arc::new(AtomicU64::new(7_000));
    town.rewrite(move |request, html| {
        let visit = visits.fetch_add(1, Ordering::Relaxed);
        let html = html.replace("<footer><p>", &format!("<footer><p>You are visitor {visit}. "));
        if request.path() == "/" { html } else { with_parameter(&html, "ref=related") }
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "ref=", VARIANT);
}

/// robots.txt disallows the filters of a list that is complete without them. No URL is requested in their place, and no
/// unlinked URL is listed, in the first crawl and in the second.
#[test]
fn nothing_is_requested_in_place_of_disallowed_urls() {
    let all = things(12);
    let entries: Vec<_> = all.iter().map(|thing| (format!("/issues/{}", thing.slug), &thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/issues\">Issues</a></p>");
    town.page("/issues", "Issues", &teasers(&entries));
    for (number, (path, title)) in entries.iter().enumerate() {
        let filter = format!("/issues?author={}&amp;set_filter=1", number % 4);
        let sorted = format!("{path}?set_filter=1");
        let links = format!("<p><a href=\"{filter}\">More</a> <a href=\"{sorted}\">Again</a></p>");
        town.page(path, title, &format!("{}{links}", paragraphs(title, 2)));
    }
    town.rewrite(|_, html| html.to_owned());
    town.site.robots("User-agent: *\nDisallow: /issues?*set_filter=\n");
    let workspace = Workspace::new();
    for _ in 0..2 {
        let crawled = town.plan().within(&workspace).run().exited(0);
        town.assert_exact(&crawled);
    }
    let requests = town.site.requests();
    let filtered: Vec<_> =
        requests.iter().map(ReceivedRequest::origin_form).filter(|path| path.contains("author=")).collect();
    assert!(filtered.is_empty(), "{filtered:#?}");
}

/// Stories selected by a number, each linked with a further parameter for a view. Without the view, a page has another
/// text, and links a page that no other page links.
fn with_views(linked_too: bool) -> (SmallSite, String) {
    let all = things(4);
    let path = |n: usize| format!("/story?n={n}&view=full");
    let entries: Vec<_> = all.iter().enumerate().map(|(n, thing)| (path(n), thing.title.as_str())).collect();
    let hidden = "/hidden".to_owned();
    let also = if linked_too { format!("<p><a href=\"{hidden}\">Hidden</a></p>") } else { String::new() };
    let mut town = SmallSite::open(&format!("{also}{}", teasers(&entries)));
    for (n, thing) in all.iter().enumerate() {
        town.page(&path(n), &thing.title, &paragraphs(&thing.title, 3));
        let other = format!("{}<p><a href=\"{hidden}\">Hidden</a></p>", paragraphs(&format!("short {n}"), 1));
        town.junk(&format!("/story?n={n}"), &format!("In short: {}", thing.title), &other);
    }
    town.junk(&hidden, "What is hidden", &paragraphs("what is hidden", 3));
    (town, hidden)
}

#[test]
fn a_page_found_only_by_parameter_tests_is_excluded() {
    let (town, hidden) = with_views(false);
    let crawled = town.crawl_exactly();
    town.assert_requested(&hidden);
    assert_left_out(&crawled, &hidden, VARIANT);
}

#[test]
fn a_page_found_by_a_parameter_test_and_by_a_link_stays() {
    let (mut town, hidden) = with_views(true);
    town.belongs(&hidden);
    let _ = town.crawl_exactly();
}

#[test]
fn a_page_found_only_as_the_canonical_of_a_parameter_test_is_excluded_in_each_run() {
    let (town, hidden) = with_views(false);
    for path in (0..4).map(|n| format!("/story?n={n}")) {
        let html = shell(&format!("In short: {path}"), &paragraphs(&format!("short {path}"), 1));
        town.site.page(&path, html.replace("<title>", &format!("<link rel=canonical href=\"{hidden}\"><title>")));
    }
    let workspace = Workspace::new();
    for _ in 0..2 {
        let crawled = town.plan().within(&workspace).run().exited(0);
        town.assert_exact(&crawled);
    }
    town.assert_requested(&hidden);
}
