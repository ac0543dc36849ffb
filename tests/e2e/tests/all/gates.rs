//! Sites behind a cookie wall: a page redirects to a URL that sets a cookie and redirects back.

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, assert_listed};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The cookie that the cookie wall sets.
const PASS: &str = "pass=yes";

/// Returns true if the request has this cookie.
fn bears(request: &ReceivedRequest, cookie: &str) -> bool {
    request.header("Cookie").is_some_and(|cookies| cookies.contains(cookie))
}

/// Adds a page that is served only with the cookie, and else redirects to the cookie wall.
fn behind(site: &FakeSite, path: &'static str, html: String) {
    site.handler(path, move |request: &ReceivedRequest| match bears(request, PASS) {
        true => Response::html(html.clone()).header("ETag", "\"1\""),
        false => Response::redirect(302, &format!("/gate?back={path}")),
    });
}

/// Adds the URL that sets the cookie and redirects back to this page.
fn gate(site: &FakeSite, back: &'static str) {
    let open = Response::redirect(302, back).header("Set-Cookie", format!("{PASS}; Path=/"));
    site.answer(&format!("/gate?back={back}"), open);
}

fn walled(paths: &[&'static str]) -> FakeSite {
    let site = FakeSite::open();
    behind(&site, "/", links(paths));
    gate(&site, "/");
    for path in paths {
        behind(&site, path, format!("<h1>{path}</h1>"));
        gate(&site, path);
    }
    site
}

#[test]
fn a_site_behind_a_cookie_wall_is_crawled() {
    let (workspace, site) = (Workspace::new(), walled(&["/a", "/b"]));
    let run = workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/b"]));
    assert_eq!((site.hits("/"), site.hits("/gate?back=/"), site.hits("/a")), (2, 1, 1));
    assert!(!run.stderr.contains("loop"), "{}", run.stderr);
    assert_eq!(workspace.exclusion(&site.url("/gate?back=/")).reason, "redirect");
}

#[test]
fn many_pages_pass_the_cookie_wall_at_once() {
    let paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
    let (workspace, site) = (Workspace::new(), walled(&paths));
    let list = workspace.file("list.txt", site.urls(&paths).join("\n"));
    workspace.crawl_well(&site.url("/"), &["--url-list", &list, "-c", "6"]);
    assert_listed(&workspace.out(), &site.urls(&[&paths[..], &["/"]].concat()));
}

#[test]
fn a_session_that_ends_during_a_crawl_costs_no_page() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let names: Vec<String> = (0..30).map(|number| format!("/p{number}")).collect();
    let paths: Vec<&str> = names.iter().map(String::as_str).collect();
    // The start page begins a session, and each session is valid for 20 pages.
    site.answer("/", Response::html(links(&paths)).header("Set-Cookie", "session=0; Path=/"));
    let served = std::sync::Arc::new(AtomicUsize::new(0));
    for name in &names {
        let (served, path) = (served.clone(), name.clone());
        site.handler(name, move |request: &ReceivedRequest| {
            let session = format!("session={}", served.load(Ordering::SeqCst) / 20);
            if bears(request, &session) {
                served.fetch_add(1, Ordering::SeqCst);
                return Response::html(format!("<h1>{path}</h1>"));
            }
            Response::redirect(302, &format!("/session?{session}&back={path}"))
        });
        for session in 0..2 {
            let cookie = format!("session={session}");
            let open = Response::redirect(302, name).header("Set-Cookie", format!("{cookie}; Path=/"));
            site.answer(&format!("/session?{cookie}&back={name}"), open);
        }
    }
    workspace.crawl_well(&site.url("/"), &["-c", "1"]);
    let all: Vec<String> = std::iter::once(site.url("/")).chain(names.iter().map(|name| site.url(name))).collect();
    assert_listed(&workspace.out(), &all);
}

#[test]
fn a_start_url_passes_a_cookie_wall_of_several_redirects() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    behind(&site, "/", links(&["/a"]));
    site.page("/a", "<h1>A</h1>");
    site.redirect("/gate?back=/", "/login", 302);
    site.answer("/login", Response::redirect(303, "/granted").header("Set-Cookie", format!("{PASS}; Path=/")));
    site.redirect("/granted", "/", 302);
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
}

#[test]
fn a_cookie_wall_that_never_opens_is_tried_once() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.redirect("/", "/gate?back=/", 302);
    gate(&site, "/");
    let run = workspace.crawl(&site.url("/"), &[]);
    assert_ne!(run.code, Some(0), "{}", run.stderr);
    assert_eq!((site.hits("/"), site.hits("/gate?back=/")), (2, 1));
}

#[test]
fn a_cookie_wall_whose_url_changes_each_time_ends() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let count = AtomicUsize::new(0);
    site.page("/", links(&["/a"]));
    site.handler("/a", move |_: &ReceivedRequest| {
        Response::redirect(302, &format!("/gate{}", count.fetch_add(1, Ordering::SeqCst)))
    });
    site.answer("/gate*", Response::redirect(302, "/a").header("Set-Cookie", "pass=no; Path=/"));
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/"]));
    // A session may end before the page is requested again, so the crawl makes one more attempt.
    assert_eq!(site.hits("/a"), 3);
}

#[test]
fn a_page_behind_a_cookie_wall_is_requested_on_condition_in_the_next_run() {
    let (workspace, site) = (Workspace::new(), walled(&["/a"]));
    workspace.crawl_well(&site.url("/"), &[]);
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
    let conditions: Vec<bool> =
        site.requests_for("/").iter().map(|request| request.header("If-None-Match").is_some()).collect();
    assert_eq!(conditions, [false, false, true, true]);
    let reported = workspace.run(&["explain", &site.url("/"), "--state", "state"]).exited(0);
    assert!(reported.stdout.contains("in the sitemap: yes"), "{}", reported.stdout);
}
