//! Responses of a site to names that do not exist.

use super::text::{paragraphs, teasers, things};
use super::town::{SmallSite, assert_left_out, shell};

/// Linked names that no longer exist.
const LOST: [&str; 6] =
    ["/old/news.html", "/archive-1998", "/gallery/summer", "/shop.php", "/events/fair", "/downloads/map"];

/// A site with links to existing pages and to missing ones.
fn with_lost_links() -> SmallSite {
    let entries: Vec<_> = things(14).into_iter().map(|thing| (format!("/news/{}", thing.slug), thing.title)).collect();
    let lost = LOST.map(|path| (path.to_owned(), format!("More about {path}")));
    let mut town = SmallSite::open(&teasers(&[entries.as_slice(), &lost].concat()));
    for (path, title) in &entries {
        town.article(path, title);
    }
    town
}

#[test]
fn copies_of_the_home_page_are_excluded() {
    let town = with_lost_links();
    let home = town.html("/").to_owned();
    town.answers_all(move |_| home.clone());
    let crawled = town.crawl_exactly();
    for path in LOST {
        assert_left_out(&crawled, path, &["soft-404", "duplicate"]);
    }
}

#[test]
fn copies_of_the_home_page_that_differ_in_each_response_are_excluded() {
    let town = with_lost_links();
    let home = town.html("/").to_owned();
    town.answers_all(move |request| home.replace("All rights", &format!("Page {}. All rights", request.path())));
    let _ = town.crawl_exactly();
}

#[test]
fn error_pages_with_status_200_are_excluded() {
    let town = with_lost_links();
    town.answers_all(|request| {
        let text = format!("<p>The page {} could not be found. Try the navigation above.</p>", request.path());
        shell("Page not found", &text)
    });
    let crawled = town.crawl_exactly();
    for path in LOST {
        town_excludes(&town, &crawled, path);
    }
}

#[track_caller]
fn town_excludes(town: &SmallSite, crawled: &mapwright_e2e::Crawled, path: &str) {
    crawled.assert_excluded(&town.site.url(path), "soft-404");
}

#[test]
fn pages_with_little_text_stay_beside_error_pages() {
    let mut town = with_lost_links();
    town.page("/visit", "Plan your visit", "<p><a href=\"/hours\">Hours</a> <a href=\"/parking\">Parking</a></p>");
    town.page("/hours", "Hours", "<p>Open daily from nine to five.</p>");
    town.page("/parking", "Parking", "<p>Behind the market hall.</p>");
    town.answers_all(|_| shell("Page not found", "<p>Sorry, we could not find that page.</p>"));
    let _ = town.crawl_exactly();
}

#[test]
fn an_article_about_pages_that_are_not_found_stays() {
    let mut town = with_lost_links();
    town.page("/visit", "Plan your visit", "<p><a href=\"/help/404\">404 Page not found</a></p>");
    let text = format!("<p>What to do where a page is not found (404).</p>{}", paragraphs("errors", 3));
    town.page("/help/404", "404 Page not found: what it means", &text);
    // Names that do not exist answer 404 here.
    let crawled = town.crawl_exactly();
    for path in LOST {
        crawled.assert_excluded(&town.site.url(path), "http-error");
    }
}

/// These pages have only a picture and its title.
#[test]
fn pages_of_pictures_with_only_a_title_stay_beside_error_pages() {
    let mut town = with_lost_links();
    let photos: Vec<_> =
        things(40).into_iter().skip(20).map(|thing| (format!("/photo/{}", thing.slug), thing.title)).collect();
    town.page("/visit", "Plan your visit", &teasers(&photos));
    for ((path, title), number) in photos.iter().zip(1..) {
        town.page(path, title, &format!("<p><img src=\"/img/{number}.jpg\" alt=\"{title}\"></p>"));
    }
    town.site.status("/img/*", 404);
    town.answers_all(|_| shell("Page not found", "<p>Sorry, we could not find that page.</p>"));
    let _ = town.crawl_exactly();
}
