//! Redirects: followed, counted, and never listed.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use mapwright_e2e::Workspace;
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, assert_listed};

#[test]
fn every_kind_of_redirect_leads_on_and_is_itself_not_listed() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let kinds = [301, 302, 303, 307, 308];
    let links: String = kinds.iter().map(|kind| format!("<a href=/from/{kind}>x</a>")).collect();
    site.page("/", links);
    let mut expected = vec![site.url("/")];
    for kind in kinds {
        site.redirect(&format!("/from/{kind}"), &format!("../to/{kind}#part"), kind);
        site.page(&format!("/to/{kind}"), format!("<h1>By {kind}</h1>"));
        expected.push(site.url(&format!("/to/{kind}")));
    }
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &expected);
}

#[test]
fn ten_hops_are_followed_and_the_eleventh_is_not() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/ten/1>Ten</a> <a href=/eleven/1>Eleven</a>");
    for hop in 1..10 {
        site.redirect(&format!("/ten/{hop}"), &format!("/ten/{}", hop + 1), 302);
    }
    site.redirect("/ten/10", "/ten/end", 302).page("/ten/end", "<h1>The end of ten hops</h1>");
    for hop in 1..11 {
        site.redirect(&format!("/eleven/{hop}"), &format!("/eleven/{}", hop + 1), 302);
    }
    site.redirect("/eleven/11", "/eleven/end", 302).page("/eleven/end", "<h1>Too far</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/ten/end"]));
    assert_eq!(site.hits("/eleven/end"), 0);
}

#[test]
fn a_loop_of_redirects_ends_and_lists_nothing() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/a>A</a> <a href=/self>Self</a>");
    site.redirect("/a", "/b", 302).redirect("/b", "/a", 302).redirect("/self", "/self", 301);
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/"]));
    assert_eq!(["/a", "/b", "/self"].map(|path| site.hits(path)), [1, 1, 1]);
}

#[test]
fn a_redirect_to_itself_that_sets_a_cookie_is_tried_once_more() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/consent>Consent</a> <a href=/never>Never content</a>");
    let again = |path: &str| Response::redirect(302, path).header("Set-Cookie", "seen=yes; Path=/");
    let refusal = again("/consent");
    site.handler("/consent", move |request: &ReceivedRequest| match request.header("Cookie") {
        Some(cookies) if cookies.contains("seen=yes") => Response::html("<h1>Welcome</h1>"),
        _ => refusal.clone(),
    });
    site.answer("/never", again("/never"));
    workspace.crawl_well(&site.url("/"), &["-c", "1"]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/consent"]));
    assert_eq!((site.hits("/consent"), site.hits("/never")), (2, 2));
}

#[test]
fn a_redirect_to_another_spelling_of_itself_leads_to_the_page() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.redirect("/", "/?utm_source=direct", 302)
        .page("/?utm_source=direct", "<a href=/caf%C3%A9>C</a> <a href=/p>P</a>");
    // One server writes escapes in lower case, and another leaves characters unescaped.
    site.handler("/caf%C3%A9", |_: &ReceivedRequest| Response::redirect(301, "/caf%c3%a9"));
    site.page("/caf%c3%a9", "<a href='/x%7Cy'>X</a>");
    site.redirect("/x%7Cy", "/x|y", 301).page("/x|y", "<h1>XY</h1>");
    site.redirect("/p", "/p?gclid=1", 302).redirect("/p?gclid=1", "/p?gclid=2", 302);
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/caf%C3%A9", "/x%7Cy"]));
    assert_eq!(site.hits("/p"), 2);
}

#[test]
fn a_start_url_that_moves_within_its_domain_moves_the_scope_and_says_so() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let port = site.port();
    site.redirect("//apex.test/", &format!("http://www.apex.test:{port}/"), 301);
    site.page("//www.apex.test/", "<a href=/a>A</a>").page("//www.apex.test/a", "<h1>A</h1>");
    let pins = [format!("apex.test:{port}:127.0.0.1"), format!("www.apex.test:{port}:127.0.0.1")];
    let run =
        workspace.crawl_well(&format!("http://apex.test:{port}/"), &["--resolve", &pins[0], "--resolve", &pins[1]]);
    let www = |path: &str| format!("http://www.apex.test:{port}{path}");
    assert_listed(&workspace.out(), &[www("/"), www("/a")]);
    assert!(run.said().contains(&www("/")), "{}", run.said());
}

#[test]
fn a_start_url_that_moves_to_another_domain_is_one_error_that_names_it() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.redirect("/", "http://elsewhere.example/welcome", 301);
    let run = workspace.crawl(&site.url("/"), &[]);
    let run = run.exited(3);
    assert!(run.said().contains("http://elsewhere.example/welcome"), "{}", run.said());
    assert!(workspace.published().is_empty());
}
