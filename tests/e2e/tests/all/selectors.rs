//! `--links-in` and `--no-links-in`: links only from some parts of a page.

use mapwright_e2e::{Cases, Crawl, document};
use mapwright_testkit::FakeSite;

/// A site whose page has links in several parts.
fn parts() -> FakeSite {
    let site = FakeSite::open();
    let body = "<nav><a href=/nav>n</a></nav><main><a href=/main>m</a><div class=related><a href=/related>r</a></div>\
                </main><footer><a href=/footer>f</a></footer>";
    site.page("/", document("/", "", body));
    for path in ["/nav", "/main", "/related", "/footer"] {
        site.page(path, document(path, "", ""));
    }
    site
}

#[test]
fn links_are_taken_only_from_these_parts() {
    let site = parts();
    let crawl = |selectors: &[&str]| {
        let words = selectors.iter().flat_map(|selector| ["--links-in", selector]);
        Crawl::of(&site).args(words).run().exited(0)
    };
    crawl(&["main"]).assert_lists(&site.urls(&["/", "/main", "/related"]));
    crawl(&["main", "nav"]).assert_lists(&site.urls(&["/", "/main", "/related", "/nav"]));
    crawl(&["main, nav"]).assert_lists(&site.urls(&["/", "/main", "/related", "/nav"]));
    crawl(&["main > .related"]).assert_lists(&site.urls(&["/", "/related"]));
    crawl(&["a[href='/footer']"]).assert_lists(&site.urls(&["/", "/footer"]));
    crawl(&["article"]).assert_lists(&site.urls(&["/"]));
}

#[test]
fn links_are_not_taken_from_these_parts() {
    let site = parts();
    let crawl = |selectors: &[&str]| {
        let words = selectors.iter().flat_map(|selector| ["--no-links-in", selector]);
        Crawl::of(&site).args(words).run().exited(0)
    };
    crawl(&["nav"]).assert_lists(&site.urls(&["/", "/main", "/related", "/footer"]));
    crawl(&["nav", ".related"]).assert_lists(&site.urls(&["/", "/main", "/footer"]));
    crawl(&["body"]).assert_lists(&site.urls(&["/"]));
    crawl(&["article"]).assert_lists(&site.urls(&["/", "/nav", "/main", "/related", "/footer"]));
}

#[test]
fn both_options_together_take_links_inside_the_one_and_outside_the_other() {
    let site = parts();
    let crawled = Crawl::of(&site).args(["--links-in", "main", "--no-links-in", ".related"]).run().exited(0);
    crawled.assert_lists(&site.urls(&["/", "/main"]));
}

#[test]
fn parts_are_those_of_the_tree_that_a_browser_builds() {
    let mut cases = Cases::open();
    cases.case("an end tag that is missing").body("<main><p>x<a href=p>x</a>").lists(&["p"]);
    cases
        .case("base counts wherever it stands")
        .head("<base href=d/>")
        .body("<main><a href=p>x</a></main>")
        .lists(&["d/p"]);
    cases.case("upper case").body("<MAIN><A HREF=p>x</A></MAIN><a href=q>y</a>").lists(&["p"]).not_requested(&["q"]);
    cases.case("deep inside").body(format!("<main>{}<a href=p>x</a></main>", "<div>".repeat(100))).lists(&["p"]);
    cases.case("a template is in no part").body("<main><template><a href=q>x</a></template></main>").unknown(&["q"]);
    // HTML 13.2.6.4.9: content that a table cannot contain is moved in front of it.
    cases.case("moved in front of a table").body("<table><main><a href=p>x</a></main></table>").lists(&["p"]);
    let crawl = cases.crawl().args(["--links-in", "main", "--links-in", "a[href^='/case']"]);
    cases.check_with(crawl);
}

#[test]
fn a_bad_selector_is_a_usage_error() {
    for flag in ["--links-in", "--no-links-in"] {
        for selector in ["main >", "a[", "::", "<main>"] {
            let site = parts();
            let crawled = Crawl::of(&site).args([flag, selector]).run().exited(2);
            crawled.assert_says(flag);
            crawled.assert_says(selector);
            assert!(site.requests().is_empty(), "told before the first request");
            assert!(!crawled.has_sitemap());
        }
    }
}

#[test]
fn a_link_outside_the_parts_is_not_in_the_record_as_a_page() {
    let site = parts();
    let crawled = Crawl::of(&site).args(["--links-in", "main"]).run().exited(0);
    for path in ["/nav", "/footer"] {
        assert_eq!(site.hits(path), 0, "{path}");
    }
    crawled.assert_accounts_for_all();
}
