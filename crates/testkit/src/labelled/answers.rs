//! Responses that are not pages.

use super::not_found_page::not_found_page;
use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![statuses(), throttled(), misled()]
}

fn statuses() -> LabelledSite {
    let mut site = SiteBuilder::new("statuses", &["http-4xx", "http-5xx", "auth", "soft-404"]);
    site.plain(10)
        .link("/missing")
        .answer("/gone", Response::html("<h1>Gone</h1>").status(410))
        .first("/missing-once", Response::html("<h1>Not found</h1>").status(404))
        .put(Page::at("/on-404").title("404 Not Found: what it means"))
        .all_have("http-4xx", &["/missing", "/gone"])
        .expect_not("http-4xx", "/missing-once", "it is there on a second try")
        .expect_not("http-4xx", "/on-404", "a page that speaks of the status")
        .expect_not("http-4xx", "/members", "401 has a code of its own")
        .expect_not("http-4xx", "/staff", "403 has a code of its own");
    site.answer("/broken", Response::html("<h1>Oops</h1>").status(500))
        .answer("/bad-gateway", Response::html("<h1>Oops</h1>").status(502))
        .first("/broken-once", Response::html("<h1>Oops</h1>").status(500))
        .first("/busy-once", Response::html("<h1>Busy</h1>").status(503).header("Retry-After", "1"))
        .all_have("http-5xx", &["/broken", "/bad-gateway"])
        .expect_not("http-5xx", "/broken-once", "it answers on a second try")
        .expect_not("http-5xx", "/busy-once", "it asked for patience, and then answered")
        .expect_not("http-5xx", "/gone", "the fault is the link's, not the server's");
    let realm = Response::html("<h1>Members only</h1>").status(401).header("WWW-Authenticate", "Basic realm=\"m\"");
    site.answer("/members", realm)
        .answer("/staff", Response::html("<h1>Staff only</h1>").status(403))
        .put(
            Page::at("/login").title("Log in: no access without a password").body("<form><input type=password></form>"),
        )
        .all_have("auth", &["/members", "/staff"])
        .expect_not("auth", "/login", "a page that asks for a password, and answers 200");
    // Unknown names answer 404 here, but this missing page answers 200.
    site.answer("/ghost", Response::html(not_found_page("/ghost")))
        .put(Page::at("/thin").paragraphs(vec!["We open at nine.".to_owned()]))
        .expect_code("soft-404", "/ghost")
        .expect_not("soft-404", "/thin", "little text, but its own")
        .expect_not("soft-404", "/on-404", "a page that speaks of pages that are missing")
        .expect_not("soft-404", "/missing", "it answers 404, as it should");
    site.open()
}

/// A 429 is not a failure, however often it occurs.
fn throttled() -> LabelledSite {
    let mut site = SiteBuilder::new("throttled", &["http-4xx", "http-5xx", "auth"]);
    site.plain(10)
        .answer("/limited", Response::html("<h1>Slow down</h1>").status(429).header("Retry-After", "1"))
        .expect_not("http-4xx", "/limited", "429 says that we ask too often, not that the page is missing");
    site.open()
}

/// A site that answers 200 for every name.
fn misled() -> LabelledSite {
    let mut site = SiteBuilder::new("never-404", &["soft-404", "http-4xx"]);
    site.plain(10)
        .handler("/*", |request| Response::html(not_found_page(request.origin_form())))
        .link("/ghost")
        .link("/deeper/ghost")
        .all_have("soft-404", &["/ghost", "/deeper/ghost"])
        .expect_not("soft-404", "/plain/1", "a page of its own, on a site that has one for every name")
        .expect_not("http-4xx", "/ghost", "it should answer 404, and does not");
    site.open()
}
