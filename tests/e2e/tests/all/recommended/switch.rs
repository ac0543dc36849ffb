//! The option `--list` itself, and the messages about excluded pages.

use std::collections::BTreeSet;

use mapwright_e2e::{Crawl, Crawled, Workspace};
use mapwright_testkit::Response;

use super::parameters::value;
use super::text::{lot, paragraphs, teasers, things};
use super::town::{SmallSite, shell};

/// The reasons that only occur with `--list recommended`.
const JUDGED: [&str; 5] = ["parameter-variant", "soft-404", "crawl-trap", "form-page", "pagination"];

/// A market with pages of each kind: goods in a list that can be sorted, a form for each of them, paginated news, and
/// links to missing pages.
pub(crate) fn market() -> SmallSite {
    let goods: Vec<_> = things(24).into_iter().map(|thing| (format!("/goods/{}", thing.slug), thing.title)).collect();
    let news: Vec<_> =
        things(44).into_iter().skip(24).map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let entrances = [("/goods", "Goods"), ("/news", "News"), ("/old/fair", "Fair"), ("/spring", "Spring")];
    let mut town = SmallSite::open(&teasers(&entrances));
    for (path, title) in &goods {
        let query = path.replace("/goods/", "/ask/");
        town.page(path, title, &format!("{}<p><a href=\"{query}\">Ask</a></p>", paragraphs(title, 3)));
        let form = "<form method=\"post\"><label>Question <textarea name=\"text\"></textarea></label>\
            <button>Send</button></form>";
        town.junk(&query, &format!("Ask about: {title}"), form);
    }
    for (path, title) in &news {
        town.article(path, title);
    }
    town.belongs("/goods");
    town.site.handler("/goods", move |request| Response::html(shell("Goods", &sorted(&goods, value(request, "sort")))));
    town.belongs("/news");
    town.site.handler("/news", move |request| {
        let number: usize = value(request, "page").and_then(|page| page.parse().ok()).unwrap_or(1);
        let shown = news.chunks(7).nth(number - 1).unwrap_or_default();
        let more = "<p><a href=\"/news?page=2\">2</a> <a href=\"/news?page=3\">3</a></p>";
        Response::html(shell("News", &format!("{}{more}", teasers(shown))))
    });
    town.answers_all(|request| {
        shell("Page not found", &format!("<p>There is no page {} here.</p>", request.origin_form()))
    });
    town
}

/// The goods in this order, with links to the other orders.
fn sorted(goods: &[(String, String)], order: Option<&str>) -> String {
    let mut goods = goods.to_vec();
    match order {
        Some("price") => goods.sort_by_key(|(path, _)| lot(path, 3)),
        Some("name") => goods.sort(),
        Some("newest") => goods.reverse(),
        _ => {}
    }
    let orders = ["price", "name", "newest"].map(|order| (format!("/goods?sort={order}"), order));
    format!("{}{}", teasers(&orders), teasers(&goods))
}

/// The URLs excluded for one of the [`JUDGED`] reasons.
fn judged(crawled: &Crawled) -> BTreeSet<String> {
    let excluded = crawled.excluded().into_iter();
    excluded.filter(|(_, gone)| JUDGED.contains(&gone.reason.as_str())).map(|(url, _)| url).collect()
}

#[test]
fn each_kind_is_excluded_on_one_site() {
    let town = market();
    let crawled = town.crawl_exactly();
    crawled.assert_excluded(&town.site.url("/goods?sort=price"), "parameter-variant");
    crawled.assert_excluded(&town.site.url("/news?page=2"), "pagination");
    crawled.assert_excluded(&town.site.url("/ask/copper-kettle"), "form-page");
    crawled.assert_excluded(&town.site.url("/old/fair"), "soft-404");
}

#[test]
fn list_indexable_lists_all_of_them() {
    let town = market();
    let left_out = judged(&town.crawl());
    assert!(left_out.len() > 24, "{left_out:#?}");
    let crawled = Crawl::of(&town.site).args(["--list", "indexable"]).run().exited(0);
    let listed = crawled.listed();
    let missing: Vec<_> = left_out.difference(&listed).map(|url| (url, crawled.reason(url))).collect();
    // The URLs of the crawl's own probes are no pages of the site.
    let linked: Vec<_> = missing.iter().filter(|(_, reason)| reason.is_some()).collect();
    assert!(linked.is_empty(), "{linked:#?}");
    assert_eq!(judged(&crawled), BTreeSet::new());
    town.assert_complete(&crawled);
}

/// The next sitemap of the same record follows the new value.
#[test]
fn the_option_may_be_changed_between_two_crawls() {
    let town = market();
    let workspace = Workspace::new();
    let crawl = |list: &str| {
        let crawl = Crawl::of(&town.site).within(&workspace).args(["--list", list, "--shrink-guard", "0"]);
        crawl.run().exited(0)
    };
    town.assert_exact(&crawl("recommended"));
    let sort = town.site.url("/goods?sort=price");
    assert!(crawl("indexable").listed().contains(&sort));
    town.assert_exact(&crawl("recommended"));
}

#[test]
fn the_summary_shows_in_one_line_their_number_and_the_option_that_lists_them() {
    let town = market();
    let crawled = town.plan().text().run().exited(0);
    let said = format!("{}\n{}", crawled.stdout(), crawled.stderr());
    let count = judged(&crawled).len().to_string();
    let reports = |line: &&str| {
        line.contains("--list indexable") && line.split(|c: char| !c.is_ascii_digit()).any(|number| number == count)
    };
    assert_eq!(said.lines().filter(reports).count(), 1, "not one line that reports {count} and the switch:\n{said}");
}

#[test]
fn a_summary_without_such_pages_names_no_option() {
    let mut town = SmallSite::open("");
    town.page("/", "Home", "<p>Welcome.</p>");
    let crawled = town.plan().text().run().exited(0);
    let said = format!("{}\n{}", crawled.stdout(), crawled.stderr());
    assert!(!said.contains("--list indexable"), "{said}");
}
