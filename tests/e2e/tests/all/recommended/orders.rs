//! Sort orders of a list, selected by a parameter.

use mapwright_testkit::{ReceivedRequest, Response};

use super::parameters::value;
use super::text::{Thing, lot, teasers, things};
use super::town::{SmallSite, assert_left_out, shell};

/// A list of goods in this order.
fn goods_in_order(things: &[Thing], order: &str) -> String {
    let mut sorted: Vec<_> =
        things.iter().map(|thing| (format!("/goods/{}", thing.slug), thing.title.clone())).collect();
    match order {
        "price" => sorted.sort_by_key(|(path, _)| lot(path, 0)),
        "name" => sorted.sort(),
        "newest" => sorted.reverse(),
        _ => {}
    }
    let orders = ["price", "name", "newest"].map(|order| format!("<a href=\"/goods/?sort={order}\">by {order}</a>"));
    format!("<p>Sort: {}</p>{}", orders.join(" "), teasers(&sorted))
}

/// A shop with a list of its goods, which can be sorted.
pub(crate) fn sorted_shop() -> SmallSite {
    let things = things(18);
    let mut town = SmallSite::open("<p><a href=\"/goods/\">All goods</a></p>");
    for thing in &things {
        town.article(&format!("/goods/{}", thing.slug), &thing.title);
    }
    town.belongs("/goods/");
    town.site.handler("/goods/", move |request| {
        Response::html(shell("All goods", &goods_in_order(&things, value(request, "sort").unwrap_or("none"))))
    });
    town
}

#[test]
fn sort_orders_are_excluded() {
    let crawled = sorted_shop().crawl_exactly();
    assert_left_out(&crawled, "sort=", &["parameter-variant"]);
}

#[test]
fn a_page_of_its_own_stays_though_its_parameter_sorts_elsewhere() {
    let mut town = sorted_shop();
    town.page(
        "/history",
        "A short history",
        "<p><a href=\"/waste?sort=guide\">How to sort waste</a> <a href=\"/waste\">Collection</a></p>",
    );
    town.article("/waste?sort=guide", "How we sort waste");
    town.article("/waste", "Collection days");
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/goods/?sort=", &["parameter-variant"]);
}

/// A directory listing in the format of Apache.
fn listing(request: &ReceivedRequest, folder: &str, files: &[Thing]) -> String {
    let mut rows: Vec<_> = files.iter().map(|file| (format!("{}.html", file.slug), lot(&file.slug, 9))).collect();
    let column = value(request, "C").unwrap_or("N");
    match column {
        "M" | "S" => rows.sort_by_key(|row| row.1),
        _ => rows.sort(),
    }
    let descending = value(request, "O") == Some("D");
    if descending {
        rows.reverse();
    }
    let head = [("N", "Name"), ("M", "Last modified"), ("S", "Size"), ("D", "Description")].map(|(key, name)| {
        let order = if key == column && !descending { "D" } else { "A" };
        format!("<th><a href=\"?C={key};O={order}\">{name}</a></th>")
    });
    let row = |(name, size): &(String, u64)| {
        format!(
            "<tr><td><a href=\"{name}\">{name}</a></td><td>2023-05-{:02} 10:{:02}</td><td>{}K</td></tr>\n",
            size % 28 + 1,
            size % 60,
            size % 900
        )
    };
    format!(
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">\n<html><head><title>Index of {folder}</title></head>\
         <body><h1>Index of {folder}</h1><table><tr>{}</tr><tr><td><a href=\"/\">Parent Directory</a></td></tr>\n{}\
         </table></body></html>",
        head.concat(),
        rows.iter().map(row).collect::<String>()
    )
}

#[test]
fn sort_orders_of_directory_listings_are_excluded() {
    const FOLDERS: [&str; 3] = ["/files/maps/", "/files/songs/", "/files/tales/"];
    let mut town = SmallSite::open(&teasers(&FOLDERS.map(|folder| (folder, folder))));
    for (folder, files) in FOLDERS.iter().zip(things(21).chunks(7)) {
        for file in files {
            town.article(&format!("{folder}{}.html", file.slug), &file.title);
        }
        town.belongs(folder);
        let files = files.to_vec();
        town.site.handler(folder, move |request| Response::html(listing(request, folder, &files)));
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "?C=", &["parameter-variant"]);
}

/// A shop that shows six goods per page in the selected order.
#[test]
fn sort_orders_of_a_paginated_list_are_excluded() {
    let goods: Vec<_> = things(30).into_iter().map(|thing| (format!("/goods/{}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/goods/\">All goods</a></p>");
    for (path, title) in &goods {
        town.article(path, title);
    }
    town.belongs("/goods/");
    town.site.handler("/goods/", move |request| {
        let order = value(request, "sort");
        let mut goods = goods.clone();
        match order {
            Some("price") => goods.sort_by_key(|(path, _)| lot(path, 0)),
            Some("name") => goods.sort(),
            _ => {}
        }
        let number: usize = value(request, "page").and_then(|page| page.parse().ok()).unwrap_or(1);
        let kept = order.map_or_else(String::new, |order| format!("sort={order}&amp;"));
        let pages = (2..=5).map(|page| (format!("/goods/?{kept}page={page}"), format!("Page {page}")));
        let links = [("/goods/?sort=price", "By price"), ("/goods/?sort=name", "By name")];
        let shown = goods.chunks(6).nth(number - 1).unwrap_or_default();
        let main = format!("{}{}{}", teasers(&links), teasers(shown), teasers(&pages.collect::<Vec<_>>()));
        Response::html(shell("All goods", &main))
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "/goods/?", &["parameter-variant", "pagination"]);
}
