//! Parameters without effect, and those that select.

use mapwright_testkit::{Request, Response};

use crate::text::{Thing, paragraphs, teasers, things};
use crate::town::{Town, assert_left_out, shell, with_parameter};

/// The reason of a variant.
const VARIANT: &[&str] = &["parameter-variant"];

/// The value of a query parameter, whichever separator stands before it.
pub(crate) fn value<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let pairs = request.query()?.split(['&', ';']);
    pairs.filter_map(|pair| pair.split_once('=')).find_map(|(key, value)| (key == name).then_some(value))
}

/// An article's path and title.
fn entry(thing: &Thing) -> (String, String) {
    (format!("/articles/{}", thing.slug), thing.title.clone())
}

/// A magazine whose articles link their neighbours.
fn magazine(articles: usize) -> Town {
    let entries: Vec<_> = things(articles).iter().map(entry).collect();
    let mut town = Town::open(&teasers(&entries));
    for (at, (path, title)) in entries.iter().enumerate() {
        let related = [&entries[(at + 1) % articles], &entries[(at + 5) % articles]].map(Clone::clone);
        town.page(path, title, &format!("{}<h2>Related</h2>{}", paragraphs(title, 3), teasers(&related)));
    }
    town
}

#[test]
fn a_parameter_without_effect_goes() {
    let town = magazine(14);
    // Each page says in its links where the reader comes from; half of the pages do so.
    town.rewrite(|request, html| match request.path().len() % 2 {
        0 => html.to_owned(),
        _ => with_parameter(html, &format!("ref={}", request.path().rsplit('/').next().unwrap_or_default())),
    });
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "ref=", VARIANT);
    crawled.assert_accounts_for_all();
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
        let mut town = Town::open(&teasers(&entries));
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
    let mut town = Town::open(&teasers(&entries));
    for (path, title) in &entries {
        town.article(path, title);
    }
    // Without a name, the program shows the home page.
    let home = town.html("/").to_owned();
    town.site.page("/index.php", home);
    let _ = town.crawl_exactly();
}

#[test]
fn a_parameter_without_effect_goes_beside_one_that_selects() {
    let things = things(12);
    let entries: Vec<_> =
        things.iter().enumerate().map(|(at, thing)| (format!("/read?id={at}"), &thing.title)).collect();
    let mut town = Town::open(&teasers(&entries));
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

/// A list of goods in an order.
fn goods_in_order(things: &[Thing], order: &str) -> String {
    let mut sorted: Vec<_> =
        things.iter().map(|thing| (format!("/goods/{}", thing.slug), thing.title.clone())).collect();
    match order {
        "price" => sorted.sort_by_key(|(path, _)| crate::text::lot(path, 0)),
        "name" => sorted.sort(),
        "newest" => sorted.reverse(),
        _ => {}
    }
    let orders = ["price", "name", "newest"].map(|order| format!("<a href=\"/goods/?sort={order}\">by {order}</a>"));
    format!("<p>Sort: {}</p>{}", orders.join(" "), teasers(&sorted))
}

/// A shop with a list of its goods, which can be sorted.
fn sorted_shop() -> Town {
    let things = things(18);
    let mut town = Town::open("<p><a href=\"/goods/\">All goods</a></p>");
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
fn sort_orders_go() {
    let crawled = sorted_shop().crawl_exactly();
    assert_left_out(&crawled, "sort=", VARIANT);
}

#[test]
fn a_page_of_its_own_stays_though_its_parameter_sorts_elsewhere() {
    let mut town = sorted_shop();
    town.page("/history", "A short history", "<p>See <a href=\"/waste?sort=guide\">how we sort waste</a>.</p>");
    town.article("/waste?sort=guide", "How we sort waste");
    town.article("/waste", "Collection days");
    town.assert_complete(&town.crawl());
}

/// A listing of a directory as Apache makes it.
fn listing(request: &Request, folder: &str, files: &[Thing]) -> String {
    let mut rows: Vec<_> =
        files.iter().map(|file| (format!("{}.html", file.slug), crate::text::lot(&file.slug, 9))).collect();
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
fn sort_orders_of_directory_listings_go() {
    const FOLDERS: [&str; 3] = ["/files/maps/", "/files/songs/", "/files/tales/"];
    let mut town = Town::open(&teasers(&FOLDERS.map(|folder| (folder, folder))));
    for (folder, files) in FOLDERS.iter().zip(things(21).chunks(7)) {
        for file in files {
            town.article(&format!("{folder}{}.html", file.slug), &file.title);
        }
        town.belongs(folder);
        let files = files.to_vec();
        town.site.handler(folder, move |request| Response::html(listing(request, folder, &files)));
    }
    let crawled = town.crawl_exactly();
    assert_left_out(&crawled, "?C=", VARIANT);
}
