//! Sites behind a gate: a page that leads to another place, which sets a cookie and leads back.

use mapwright_e2e::desk::Desk;
use mapwright_e2e::links;
use mapwright_testkit::{Request, Response, Site, assert_listed};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The cookie that the gate sets.
const PASS: &str = "pass=yes";

/// Whether the request bears this cookie.
fn bears(request: &Request, cookie: &str) -> bool {
    request.header("Cookie").is_some_and(|cookies| cookies.contains(cookie))
}

/// A page that only those see who passed the gate.
fn behind(site: &Site, path: &'static str, html: String) {
    site.handler(path, move |request: &Request| match bears(request, PASS) {
        true => Response::html(html.clone()).header("ETag", "\"1\""),
        false => Response::redirect(302, &format!("/gate?back={path}")),
    });
}

/// A gate that lets people through to this page.
fn gate(site: &Site, back: &'static str) {
    let open = Response::redirect(302, back).header("Set-Cookie", format!("{PASS}; Path=/"));
    site.answer(&format!("/gate?back={back}"), open);
}

fn gated(paths: &[&'static str]) -> Site {
    let site = Site::open();
    behind(&site, "/", links(paths));
    gate(&site, "/");
    for path in paths {
        behind(&site, path, format!("<h1>{path}</h1>"));
        gate(&site, path);
    }
    site
}

#[test]
fn a_site_behind_a_gate_is_crawled_once_the_gate_lets_through() {
    let (desk, site) = (Desk::new(), gated(&["/a", "/b"]));
    let run = desk.crawl_well(&site.url("/"), &[]);
    assert_listed(&desk.out(), &site.urls(&["/", "/a", "/b"]));
    assert_eq!((site.hits("/"), site.hits("/gate?back=/"), site.hits("/a")), (2, 1, 1));
    assert!(!run.err().contains("loop"), "{}", run.err());
    assert_eq!(desk.exclusion(&site.url("/gate?back=/")).reason, "redirect");
}

#[test]
fn many_pages_that_meet_the_gate_at_once_are_all_let_through() {
    let paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
    let (desk, site) = (Desk::new(), gated(&paths));
    let list = desk.file("list.txt", site.urls(&paths).join("\n"));
    desk.crawl_well(&site.url("/"), &["--url-list", &list, "-c", "6"]);
    assert_listed(&desk.out(), &site.urls(&[&paths[..], &["/"]].concat()));
}

#[test]
fn a_session_that_ends_in_the_midst_of_a_crawl_costs_no_page() {
    let (desk, site) = (Desk::new(), Site::open());
    let names: Vec<String> = (0..30).map(|number| format!("/p{number}")).collect();
    let paths: Vec<&str> = names.iter().map(String::as_str).collect();
    // The start page begins a session; each is good for twenty pages.
    site.answer("/", Response::html(links(&paths)).header("Set-Cookie", "session=0; Path=/"));
    let served = std::sync::Arc::new(AtomicUsize::new(0));
    for name in &names {
        let (served, path) = (served.clone(), name.clone());
        site.handler(name, move |request: &Request| {
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
    desk.crawl_well(&site.url("/"), &["-c", "1"]);
    let all: Vec<String> = std::iter::once(site.url("/")).chain(names.iter().map(|name| site.url(name))).collect();
    assert_listed(&desk.out(), &all);
}

#[test]
fn a_gate_of_several_steps_lets_a_start_through() {
    let (desk, site) = (Desk::new(), Site::open());
    behind(&site, "/", links(&["/a"]));
    site.page("/a", "<h1>A</h1>");
    site.redirect("/gate?back=/", "/login", 302);
    site.answer("/login", Response::redirect(303, "/granted").header("Set-Cookie", format!("{PASS}; Path=/")));
    site.redirect("/granted", "/", 302);
    desk.crawl_well(&site.url("/"), &[]);
    assert_listed(&desk.out(), &site.urls(&["/", "/a"]));
}

#[test]
fn a_gate_that_lets_nobody_through_is_knocked_at_once() {
    let (desk, site) = (Desk::new(), Site::open());
    site.redirect("/", "/gate?back=/", 302);
    gate(&site, "/");
    let run = desk.crawl(&site.url("/"), &[]);
    assert_ne!(run.done.code, Some(0), "{}", run.err());
    assert_eq!((site.hits("/"), site.hits("/gate?back=/")), (2, 1));
}

#[test]
fn a_gate_that_never_gives_the_same_name_twice_ends() {
    let (desk, site) = (Desk::new(), Site::open());
    let count = AtomicUsize::new(0);
    site.page("/", links(&["/a"]));
    site.handler("/a", move |_: &Request| {
        Response::redirect(302, &format!("/gate{}", count.fetch_add(1, Ordering::SeqCst)))
    });
    site.answer("/gate*", Response::redirect(302, "/a").header("Set-Cookie", "pass=no; Path=/"));
    desk.crawl_well(&site.url("/"), &[]);
    assert_listed(&desk.out(), &site.urls(&["/"]));
    // A session may end once before the page's turn comes: once more, then no more.
    assert_eq!(site.hits("/a"), 3);
}

#[test]
fn what_a_gate_guards_is_asked_on_condition_the_next_night() {
    let (desk, site) = (Desk::new(), gated(&["/a"]));
    desk.crawl_well(&site.url("/"), &[]);
    desk.crawl_well(&site.url("/"), &[]);
    assert_listed(&desk.out(), &site.urls(&["/", "/a"]));
    let conditions: Vec<bool> =
        site.requests_for("/").iter().map(|request| request.header("If-None-Match").is_some()).collect();
    assert_eq!(conditions, [false, false, true, true]);
    let told = desk.run(&["explain", &site.url("/"), "--state", "state"]).exited(0);
    assert!(told.out().contains("in the sitemap: yes"), "{}", told.out());
}
