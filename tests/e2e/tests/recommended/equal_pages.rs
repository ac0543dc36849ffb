//! Equal pages, and those that are nearly so.

use crate::text::{paragraphs, teasers, things};
use crate::town::Town;

/// A site on which two URLs have one page: most pages link `popular`, one links `rare`, which the home page links too,
/// before or after.
fn twins(rare_first: bool) -> Town {
    let (popular, rare) = ("/z-guide/walking-in-the-hills-around-town.html", "/a-walk");
    let entries: Vec<_> = things(12).into_iter().map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let order = if rare_first { [rare, popular] } else { [popular, rare] };
    let mut town = Town::open(&format!("{}{}", teasers(&order.map(|path| (path, "Walk"))), teasers(&entries)));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}<p><a href=\"{popular}\">Walks</a></p>", paragraphs(title, 3)));
    }
    town.article(popular, "Walking in the hills");
    town.junk(rare, "Walking in the hills", &paragraphs("Walking in the hills", 3));
    town
}

#[test]
fn of_equal_pages_the_one_that_most_pages_link_stays() {
    for rare_first in [true, false] {
        let town = twins(rare_first);
        let crawled = town.crawl_exactly();
        crawled.assert_excluded(&town.site.url("/a-walk"), "duplicate");
        crawled.assert_accounts_for_all();
    }
}

/// Most pages link the one, but it is found last: behind two clicks.
#[test]
fn the_one_that_most_pages_link_stays_also_where_it_is_found_last() {
    let entries: Vec<_> = things(10).into_iter().map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let mut town = Town::open("<p><a href=\"/a-walk\">Walk</a> <a href=\"/all-news\">All news</a></p>");
    town.page("/all-news", "All news", &teasers(&entries));
    for (path, title) in &entries {
        town.page(path, title, &format!("{}<p><a href=\"/walks/hills\">Walks</a></p>", paragraphs(title, 3)));
    }
    town.article("/walks/hills", "Walking in the hills");
    town.junk("/a-walk", "Walking in the hills", &paragraphs("Walking in the hills", 3));
    let crawled = town.crawl_exactly();
    crawled.assert_excluded(&town.site.url("/a-walk"), "duplicate");
}

#[test]
fn products_that_differ_in_one_word_stay() {
    let colours = ["red", "blue", "green", "black", "white", "yellow", "purple", "orange", "brown", "grey"];
    let entries = colours.map(|colour| (format!("/shirts/shirt-{colour}"), format!("Cotton shirt, {colour}")));
    let mut town = Town::open(&teasers(&entries));
    for ((path, title), colour) in entries.iter().zip(colours) {
        let text = format!("<p>Colour: {colour}. Price: 24.90.</p>{}", paragraphs("a cotton shirt", 3));
        town.page(path, title, &text);
    }
    let _ = town.crawl_exactly();
}

#[test]
fn products_by_number_that_differ_in_one_word_stay() {
    let sizes = ["six", "eight", "ten", "twelve", "fourteen", "sixteen", "eighteen", "twenty"];
    let entries: Vec<_> = sizes
        .iter()
        .zip(40..)
        .map(|(size, id)| (format!("/product?id={id}"), format!("Screws of {size} millimetres")))
        .collect();
    let mut town = Town::open(&teasers(&entries));
    for (path, title) in &entries {
        town.page(path, title, &format!("<p>{title}, in boxes of one hundred.</p>{}", paragraphs("screws", 2)));
    }
    let _ = town.crawl_exactly();
}
