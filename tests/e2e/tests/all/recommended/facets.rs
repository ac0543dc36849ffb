//! Facets: parameters that narrow a list.

use mapwright_testkit::{ReceivedRequest, Response};

use super::parameters::value;
use super::text::{Thing, paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out, shell};

const COLOURS: [&str; 4] = ["red", "blue", "green", "black"];
const BRANDS: [&str; 3] = ["acorn", "beacon", "cobalt"];

/// A product with the values of its facets.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    thing: Thing,
    colour: &'static str,
    brand: &'static str,
}

pub(crate) fn products(count: usize) -> Vec<Product> {
    let product = |(at, thing)| Product { thing, colour: COLOURS[at % 4], brand: BRANDS[at / 2 % 3] };
    things(count).into_iter().enumerate().map(product).collect()
}

/// Links that add each further facet to those already chosen.
fn choices(request: &ReceivedRequest) -> String {
    let (colour, brand) = (value(request, "colour"), value(request, "brand"));
    let query = |colour: Option<&str>, brand: Option<&str>| {
        let pairs = [("colour", colour), ("brand", brand)];
        let pairs = pairs.iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}")));
        format!("/shop?{}", pairs.collect::<Vec<_>>().join("&amp;"))
    };
    let colours = COLOURS.map(|colour| format!("<a href=\"{}\">{colour}</a>\n", query(Some(colour), brand)));
    let brands = BRANDS.map(|brand| format!("<a href=\"{}\">{brand}</a>\n", query(colour, Some(brand))));
    format!("<aside><h2>Colour</h2>{}<h2>Brand</h2>{}</aside>", colours.concat(), brands.concat())
}

/// A shop whose list shows this number of products without a facet.
pub(crate) fn shop(products: Vec<Product>, shown: usize) -> SmallSite {
    let mut town = SmallSite::open("<p><a href=\"/shop\">Our shop</a></p>");
    for Product { thing, colour, brand } in &products {
        let text = format!("<p>Colour: {colour}. Brand: {brand}.</p>{}", paragraphs(&thing.title, 2));
        town.page(&format!("/shop/{}", thing.slug), &thing.title, &text);
    }
    town.belongs("/shop");
    town.site.handler("/shop", move |request| {
        let (colour, brand) = (value(request, "colour"), value(request, "brand"));
        let fits = |product: &&Product| {
            colour.is_none_or(|colour| colour == product.colour) && brand.is_none_or(|brand| brand == product.brand)
        };
        let limit = if request.query().is_some() { usize::MAX } else { shown };
        let found = products.iter().filter(fits).take(limit);
        let found: Vec<_> = found.map(|found| (format!("/shop/{}", found.thing.slug), &found.thing.title)).collect();
        Response::html(shell("Our shop", &format!("{}{}", choices(request), teasers(&found))))
    });
    town
}

#[test]
fn facets_of_a_complete_list_are_excluded() {
    let crawled = shop(products(24), usize::MAX).crawl_exactly();
    assert_left_out(&crawled, "/shop?", &["parameter-variant"]);
}

#[test]
fn a_product_that_only_a_facet_leads_to_is_listed() {
    let town = shop(products(24), 10);
    town.assert_complete(&town.crawl());
}

#[test]
fn a_single_product_that_only_one_facet_leads_to_is_listed() {
    let town = shop(products(24), 23);
    town.assert_complete(&town.crawl());
}

#[test]
fn categories_in_a_parameter_that_show_texts_of_their_own_stay() {
    let entries: Vec<_> =
        things(12).into_iter().map(|thing| (format!("/topics?colour={}", thing.slug), thing.title)).collect();
    let mut town = SmallSite::open("<p><a href=\"/topics\">All topics</a></p>");
    for (path, title) in &entries {
        town.article(path, title);
    }
    town.page("/topics", "All topics", &teasers(&entries));
    let _ = town.crawl_exactly();
}
