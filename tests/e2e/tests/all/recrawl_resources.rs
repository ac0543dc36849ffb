//! Sitemaps and redirects that are requested again, and settings that read pages differently.

use crate::recrawl::{crawled_once, tagged};

use mapwright_e2e::{RepeatedCrawls, links};
use mapwright_testkit::Response;

// ---- resources that are requested again

#[test]
fn redirects_are_requested_again() {
    let rounds = RepeatedCrawls::new();
    rounds.page("/", links(&["/old"])).page("/one", "<h1>One</h1>").page("/two", "<h1>Two</h1>");
    rounds.answer("/old", Response::redirect(301, "/one").header("ETag", "\"r\""));
    let first = rounds.crawl();
    first.crawled.assert_lists(&rounds.urls(&["/", "/one"]));
    rounds.redirect("/old", "/two", 301);
    let second = rounds.crawl();
    assert_eq!(second.hits("/old"), 1);
    assert_eq!(second.conditions("/old"), (None, None));
    second.crawled.assert_lists(&rounds.urls(&["/", "/two"]));
}

#[test]
fn sitemaps_are_requested_again() {
    let rounds = RepeatedCrawls::new();
    tagged("<h1>Home</h1>").publish(&rounds, "/");
    rounds.page("/a", "<h1>A</h1>").page("/b", "<h1>B</h1>").sitemap("/sitemap.xml", &["/a"]);
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    let second = rounds.crawl();
    assert_eq!(second.hits("/sitemap.xml"), 1);
    second.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
    rounds.sitemap("/sitemap.xml", &["/a", "/b"]);
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a", "/b"]));
}

/// During a transient failure, a sitemap keeps its entries, as a page keeps its links.
#[test]
fn the_entries_of_a_sitemap_remain_while_it_cannot_be_read() {
    let unreadable = [
        Response::new(503),
        Response::new(500),
        Response::html("<h1>Sorry</h1>"),
        Response::xml(""),
        Response::xml("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://"),
    ];
    for answer in unreadable {
        for file in ["/sitemap.xml", "/part.xml"] {
            let rounds = RepeatedCrawls::new();
            tagged("<h1>Home</h1>").publish(&rounds, "/");
            rounds.page("/a", "<h1>A</h1>").page("/b", "<h1>B</h1>");
            rounds.sitemap_index("/sitemap.xml", &["/part.xml"]).sitemap("/part.xml", &["/a", "/b"]);
            rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/a", "/b"]));
            rounds.answer(file, answer.clone()).status("/b", 404);
            for _ in 0..2 {
                let round = rounds.crawl_with(&["--retries", "0"]);
                round.crawled.assert_lists(&rounds.urls(&["/", "/a"]));
            }
            rounds.status(file, 404);
            rounds.crawl_with(&["--shrink-guard", "0"]).crawled.assert_lists(&rounds.urls(&["/"]));
        }
    }
}

#[test]
fn the_alternates_of_a_sitemap_remain_while_it_cannot_be_read() {
    let rounds = RepeatedCrawls::new();
    tagged("<h1>Home</h1>").publish(&rounds, "/");
    rounds.page("/en", "<h1>English</h1>").page("/de", "<h1>Deutsch</h1>");
    let link = format!("<x:link rel='alternate' hreflang='de' href='{}'/>", rounds.url("/de"));
    rounds.answer(
        "/sitemap.xml",
        Response::xml(format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='http://www.w3.org/1999/xhtml'>
             <url><loc>{}</loc>{link}</url></urlset>",
            rounds.url("/en")
        )),
    );
    rounds.crawl().crawled.assert_lists(&rounds.urls(&["/", "/en", "/de"]));
    rounds.status("/sitemap.xml", 503);
    let round = rounds.crawl_with(&["--retries", "0"]);
    round.crawled.assert_lists(&rounds.urls(&["/", "/en", "/de"]));
}

/// During a transient failure, a redirect keeps its target for as long as a page is kept; one that is gone has none.
#[test]
fn the_target_of_a_redirect_remains_while_the_redirect_fails() {
    let rounds = RepeatedCrawls::new();
    tagged(&links(&["/old"])).publish(&rounds, "/");
    rounds.redirect("/old", "/one", 301).page("/one", links(&["/two"])).page("/two", "<h1>Two</h1>");
    let all = rounds.urls(&["/", "/one", "/two"]);
    let options = ["--retries", "0", "--keep-failing", "2", "--shrink-guard", "0"];
    rounds.crawl().crawled.assert_lists(&all);
    rounds.status("/old", 503);
    for _ in 0..2 {
        rounds.crawl_with(&options).crawled.assert_lists(&all);
    }
    rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&["/"]));
    rounds.redirect("/old", "/two", 302);
    rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&["/", "/two"]));
    rounds.status("/old", 500);
    rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&["/", "/two"]));
    rounds.status("/old", 404);
    rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&["/"]));
    rounds.status("/old", 503);
    rounds.crawl_with(&options).crawled.assert_lists(&rounds.urls(&["/"]));
}

// ---- settings that read pages differently

#[test]
fn changed_reading_settings_cause_one_unconditional_crawl() {
    for setting in [["--drop-param", "x"], ["--links-in", "body"], ["--content-selector", "h1"]] {
        let (rounds, _) = crawled_once(tagged("<h1>A</h1><p>words</p><a href='/b?x=1'>b</a>"));
        rounds.page("/b", "<h1>B</h1>");
        assert_eq!(rounds.crawl().conditions("/a").0, Some("\"1\""), "{setting:?}");
        let other = rounds.crawl_with(&setting);
        assert_eq!(other.conditions("/a"), (None, None), "{setting:?}");
        other.assert_undated(&rounds.url("/a"));
        let same = rounds.crawl_with(&setting);
        assert_eq!(same.conditions("/a").0, Some("\"1\""), "{setting:?}");
        same.assert_undated(&rounds.url("/a"));
    }
}

/// A 304 would revalidate links that were read with the old settings.
#[test]
fn changed_reading_settings_take_effect_at_once() {
    let (rounds, _) = crawled_once(tagged("<nav><a href=/nav>n</a></nav><main><a href='/m?x=1'>m</a></main>"));
    rounds.page("/m", "<h1>M</h1>").page("/nav", "<h1>Nav</h1>");
    let main = rounds.crawl_with(&["--no-links-in", "nav", "--drop-param", "x", "--shrink-guard", "0"]);
    main.crawled.assert_lists(&rounds.urls(&["/", "/a", "/m"]));
    let all = rounds.crawl();
    all.crawled.assert_lists(&rounds.urls(&["/", "/a", "/m?x=1", "/nav"]));
}
