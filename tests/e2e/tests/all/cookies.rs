//! Cookies of sites: only those without which a site cannot be crawled are sent back.

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, assert_listed};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const TRAIL: &str = "trail=";
const PASS: &str = "pass=yes";
const SESSION: &str = "PHPSESSID=0f1e2d3c4b5a6978";

/// The `Cookie` header of a request.
fn cookies(request: &ReceivedRequest) -> String {
    request.header("Cookie").unwrap_or_default().to_owned()
}

/// A site that shows the pages visited before, as wikis and shops do.
fn trail_site(paths: &'static [&'static str]) -> FakeSite {
    let site = FakeSite::open();
    for path in paths {
        site.handler(path, move |request: &ReceivedRequest| {
            let before = cookies(request);
            let seen = before.split("; ").find_map(|pair| pair.strip_prefix(TRAIL)).unwrap_or_default().to_owned();
            let body = format!("<h1>{path}</h1><p>The text of {path}.</p><p>Trace: {seen}</p>{}", links(paths));
            Response::html(body).header("Set-Cookie", format!("{TRAIL}{seen}{}; Path=/", path.replace('/', ".")))
        });
    }
    site
}

/// The `Cookie` headers of the site's requests.
fn sent(site: &FakeSite) -> Vec<String> {
    site.requests().iter().map(cookies).filter(|cookies| !cookies.is_empty()).collect()
}

#[test]
fn a_list_of_visited_pages_causes_no_change_in_the_second_run() {
    let (workspace, site) = (Workspace::new(), trail_site(&["/", "/a", "/b", "/c"]));
    workspace.crawl_well(&site.url("/"), &[]);
    let before = workspace.published();
    workspace.crawl_well(&site.url("/"), &[]);
    assert!(workspace.published() == before, "each file as it was");
    assert_eq!(sent(&site), Vec::<String>::new());
}

#[test]
fn every_cookie_is_sent_back_on_request() {
    let (workspace, site) = (Workspace::new(), trail_site(&["/", "/a"]));
    workspace.crawl_well(&site.url("/"), &["--cookies", "all", "-c", "1"]);
    assert!(sent(&site).iter().any(|cookies| cookies.starts_with(TRAIL)));
}

#[test]
fn a_login_that_a_page_offers_is_not_kept() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["/news", "/a"]));
    site.answer("/news", Response::html("<h1>News</h1>").header("Set-Cookie", "login=guest; Path=/"));
    site.answer("/a", Response::redirect(302, "/b").header("Set-Cookie", "login=redirected; Path=/"));
    site.page("/b", links(&["/c"])).page("/c", "<h1>C</h1>");
    workspace.crawl_well(&site.url("/"), &["-c", "1"]);
    assert_eq!(sent(&site), Vec::<String>::new());
    assert_listed(&workspace.out(), &site.urls(&["/", "/news", "/b", "/c"]));
}

/// A site whose pages redirect until the cookie comes back: to `gate`, which sets the cookie, or to themselves.
fn walled(gate: Option<&'static str>) -> FakeSite {
    let site = FakeSite::open();
    let paths = ["/", "/a", "/b"];
    for path in paths {
        site.handler(path, move |request: &ReceivedRequest| {
            if cookies(request).contains(PASS) {
                let body = format!("<h1>{path}</h1>{}", links(&paths));
                return Response::html(body).header("Set-Cookie", format!("{TRAIL}{}; Path=/", path.len()));
            }
            match gate {
                Some(gate) => Response::redirect(302, &format!("{gate}?back={path}")),
                None => Response::redirect(302, path).header("Set-Cookie", format!("{PASS}; Path=/")),
            }
        });
        let open = Response::redirect(302, path).header("Set-Cookie", format!("{PASS}; Path=/"));
        site.answer(&format!("/gate?back={path}"), open);
    }
    site
}

#[test]
fn a_cookie_wall_is_passed_and_no_other_cookie_is_kept() {
    for gate in [None, Some("/gate")] {
        let (workspace, site) = (Workspace::new(), walled(gate));
        workspace.crawl_well(&site.url("/"), &[]);
        assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/b"]));
        assert!(!sent(&site).is_empty() && sent(&site).iter().all(|sent| sent == PASS), "{:?}", sent(&site));
        assert_eq!(site.hits("/a"), 1, "the wall is passed once");
    }
}

#[test]
fn a_page_that_checks_its_own_cookie_is_crawled() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.handler("/", |request: &ReceivedRequest| match cookies(request).contains(PASS) {
        true => Response::html(links(&["/a"])),
        false => Response::redirect(302, "/?check=1").header("Set-Cookie", format!("{PASS}; Path=/")),
    });
    site.handler("/?check=1", |request: &ReceivedRequest| match cookies(request).contains(PASS) {
        true => Response::redirect(302, "/"),
        false => Response::html("<h1>Please allow cookies</h1>"),
    });
    site.page("/a", "<h1>A</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
}

#[test]
fn a_cookie_wall_stays_closed_if_no_cookies_are_sent() {
    let (workspace, site) = (Workspace::new(), walled(None));
    let run = workspace.crawl(&site.url("/"), &["--cookies", "none"]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!((sent(&site), site.hits("/")), (Vec::new(), 1));
}

/// A site that writes the session `value` into its links until a cookie comes back.
fn session_site(value: &'static str) -> FakeSite {
    let (site, names) = (FakeSite::open(), ["/", "/a", "/b", "/c"]);
    for name in names {
        let page = move |request: &ReceivedRequest| {
            let known = cookies(request).contains(SESSION);
            let link = |to: &str| if known { to.to_owned() } else { format!("{to}?PHPSESSID={value}") };
            let body = links(&names.map(link).each_ref().map(String::as_str));
            Response::html(format!("<h1>{name}</h1>{body}")).header("Set-Cookie", format!("{SESSION}; path=/"))
        };
        site.handler(name, page);
        site.handler(&format!("{name}?PHPSESSID={value}"), page);
    }
    site
}

#[test]
fn links_are_free_of_sessions_once_the_cookie_is_sent() {
    for value in ["0f1e2d3c4b5a6978", "anothersession77"] {
        let (workspace, site) = (Workspace::new(), session_site(value));
        workspace.crawl_well(&site.url("/"), &[]);
        assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/b", "/c"]));
        assert_eq!((site.hits("/"), site.hits("/a")), (2, 1), "only the first page is requested twice");
        assert!(sent(&site).iter().all(|sent| sent == SESSION));
    }
}

#[test]
fn the_first_session_is_kept_though_each_response_sets_another() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let begun = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
    let paths = ["/", "/a", "/b"];
    for path in paths {
        let begun = begun.clone();
        site.handler(path, move |request: &ReceivedRequest| {
            let mut begun = begun.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let session = cookies(request);
            if let Some(pages) = begun.get_mut(&session) {
                *pages += 1;
                return Response::html(links(&paths)).header("Set-Cookie", format!("JSESSIONID=new{pages}"));
            }
            let fresh = format!("JSESSIONID=begun{}", begun.len());
            begun.insert(fresh.clone(), 0);
            let link = |to: &str| format!("{to};{}", fresh.replace("JSESSIONID", "jsessionid"));
            let body = links(&paths.map(link).each_ref().map(String::as_str));
            Response::html(body).header("Set-Cookie", format!("{fresh}; Path=/"))
        });
    }
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&paths));
    assert!(sent(&site).iter().all(|sent| sent == "JSESSIONID=begun0"), "{:?}", sent(&site));
}

#[test]
fn a_parameter_with_the_name_but_not_the_value_of_a_cookie_keeps_no_cookie() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let body = links(&["/a", "/b", "/results?sid=77"]);
    site.answer("/", Response::html(body).header("Set-Cookie", "sid=0f1e2d3c; Path=/"));
    site.page("/a", "A").page("/b", "B").page("/results?sid=77", "Results");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_eq!((sent(&site), site.hits("/")), (Vec::new(), 1));
    assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/b", "/results?sid=77"]));
}

#[test]
fn the_cookie_file_is_sent_in_every_cookie_mode() {
    for policy in ["none", "needed", "all"] {
        let (workspace, site) = (Workspace::new(), FakeSite::open());
        site.answer("/", Response::html(links(&["/a"])).header("Set-Cookie", "trail=1; Path=/"));
        site.page("/a", "<h1>A</h1>");
        let file = workspace.file("cookies.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\tlogin\tmaria\n");
        workspace.crawl_well(&site.url("/"), &["--cookies", policy, "--cookie-file", &file]);
        let last = site.requests_for("/a").iter().map(cookies).collect::<String>();
        assert_eq!(last, if policy == "all" { "login=maria; trail=1" } else { "login=maria" }, "{policy}");
    }
}
