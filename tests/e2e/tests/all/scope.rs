//! The URLs that belong to the site: scopes, start URLs that redirect, `--include`, `--exclude`, `--no-list`.

use mapwright_e2e::{Crawl, Crawled, document, links, port_that_hangs_up};
use mapwright_testkit::{FakeSite, Response};

/// A site with these pages, each linking to all of them.
fn mesh(paths: &[&str]) -> FakeSite {
    let site = FakeSite::open();
    for path in paths {
        site.page(path, document(path, "", &links(paths)));
    }
    site
}

#[track_caller]
fn run(crawl: Crawl) -> Crawled {
    let crawled = crawl.run().exited(0);
    crawled.assert_accounts_for_all();
    crawled
}

#[test]
fn the_scope_is_the_directory_of_the_start_url() {
    let pages = ["/", "/shop", "/shop/", "/shop/a", "/shop/deep/b", "/shopping/c", "/other"];
    let site = mesh(&pages);
    let crawled = run(Crawl::from(&[site.url("/shop/")]));
    crawled.assert_lists(&site.urls(&["/shop/", "/shop/a", "/shop/deep/b"]));
    for path in ["/", "/shop", "/shopping/c", "/other"] {
        crawled.assert_excluded(&site.url(path), "out-of-scope");
        assert_eq!(site.hits(path), 0, "{path}");
    }
    // The directory of a page is the folder that contains it; that of `/shop` is the root.
    run(Crawl::from(&[site.url("/shop/a")])).assert_lists(&site.urls(&["/shop/", "/shop/a", "/shop/deep/b"]));
    run(Crawl::from(&[site.url("/shop")])).assert_lists(&site.urls(&pages));
}

#[test]
fn scope_host_is_the_entire_origin() {
    let site = mesh(&["/", "/shop/a", "/other"]);
    let elsewhere = FakeSite::open();
    site.page(
        "/other",
        document("/other", "", &links(&[&elsewhere.url("/x"), &site.url("/y").replace("http:", "https:")])),
    );
    let crawled = run(Crawl::from(&[site.url("/shop/a")]).args(["--scope", "host"]));
    crawled.assert_lists(&site.urls(&["/", "/shop/a", "/other"]));
    // Another port and another scheme are other origins.
    crawled.assert_excluded(&elsewhere.url("/x"), "out-of-scope");
    crawled.assert_excluded(&site.url("/y").replace("http:", "https:"), "out-of-scope");
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn scope_domain_is_every_host_below_the_registrable_domain() {
    let site = FakeSite::open();
    let at = |host: &str| format!("http://{host}:{}/", site.port());
    let inside = ["www.site.test", "site.test", "blog.site.test", "a.b.site.test"];
    let outside = ["evilsite.test", "site.test.other.test", "site.example", "test"];
    let all: Vec<String> = inside.iter().chain(&outside).map(|host| at(host)).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for host in inside {
        site.page(&format!("//{host}/"), document(host, "", &links(&all)));
    }
    let crawled = run(Crawl::from(&[at("www.site.test")]).args(["--scope", "domain"]).hosts(&site, &inside));
    crawled.assert_lists(&inside.map(at));
    for host in outside {
        crawled.assert_excluded(&at(host), "out-of-scope");
    }
}

/// Each host links to five others, without end. A crawl requests no robots.txt of a host whose pages it will not
/// request.
#[test]
fn a_budget_over_endless_hosts_costs_no_requests_for_hosts_beyond_it() {
    let proxy = FakeSite::open();
    proxy.handler("//*", |request| {
        let number: usize =
            request.host().trim_start_matches('h').split('.').next().unwrap_or_default().parse().unwrap_or(0);
        let hosts: Vec<String> = (1..=5).map(|n| format!("http://h{}.site.test/", 5 * number + n)).collect();
        let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
        if request.path() == "/" { Response::html(links(&hosts)) } else { Response::new(404) }
    });
    let arguments = ["--scope", "domain", "--max-urls", "60", "--proxy", &proxy.base()];
    let crawled = Crawl::from(&["http://h0.site.test/"]).args(arguments).run().exited(0);
    assert_eq!(crawled.listed().len(), 60);
    assert!(proxy.requests().len() <= 200, "{} requests for 60 pages", proxy.requests().len());
}

#[test]
fn scope_domain_includes_every_port_and_scheme() {
    let (site, other) = (FakeSite::open(), FakeSite::open());
    let hung_up = port_that_hangs_up();
    let start = format!("http://site.test:{}/", site.port());
    let port = format!("http://blog.site.test:{}/x", other.port());
    let scheme = format!("https://site.test:{hung_up}/y");
    site.page("/", document("/", "", &links(&[&port, &scheme])));
    other.page("/x", document("/x", "", ""));
    let crawl = Crawl::from(&[&start]).args(["--scope", "domain", "--retries", "0"]);
    let crawl = crawl.args(["--resolve", &format!("site.test:{hung_up}:127.0.0.1")]);
    let crawled = run(crawl.hosts(&site, &["site.test"]).hosts(&other, &["blog.site.test"]));
    crawled.assert_lists(&[start, port]);
    // The URL is in scope and requested, but no TLS server listens there.
    crawled.assert_excluded(&scheme, "no-answer");
}

#[test]
fn the_public_suffix_list_determines_the_registrable_domain() {
    let site = FakeSite::open();
    let at = |host: &str| format!("http://{host}:{}/", site.port());
    let (inside, outside) = (["a.one.co.uk", "b.one.co.uk"], ["two.co.uk", "co.uk"]);
    let all: Vec<String> = inside.iter().chain(&outside).map(|host| at(host)).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for host in inside {
        site.page(&format!("//{host}/"), document(host, "", &links(&all)));
    }
    let crawled = run(Crawl::from(&[at("a.one.co.uk")]).args(["--scope", "domain"]).hosts(&site, &inside));
    crawled.assert_lists(&inside.map(at));
    crawled.assert_excluded(&at("two.co.uk"), "out-of-scope");
}

#[test]
fn scope_list_is_exactly_the_list() {
    let site = mesh(&["/a", "/b", "/c", "/deep/d"]);
    let list = format!("{}\n{}\n{}\n", site.url("/a"), site.url("/deep/d"), site.url("/gone"));
    let none: [&str; 0] = [];
    let crawled = run(Crawl::from(&none).args(["--scope", "list", "--url-list", "-"]).stdin(list));
    crawled.assert_lists(&site.urls(&["/a", "/deep/d"]));
    crawled.assert_excluded(&site.url("/b"), "out-of-scope");
    crawled.assert_excluded(&site.url("/gone"), "http-error");
    assert_eq!(site.hits("/b") + site.hits("/c"), 0);
}

#[test]
fn several_start_urls_make_one_scope() {
    let site = mesh(&["/one/", "/one/a", "/two/", "/two/b", "/three/"]);
    let crawled = run(Crawl::from(&[site.url("/one/"), site.url("/two/")]));
    crawled.assert_lists(&site.urls(&["/one/", "/one/a", "/two/", "/two/b"]));
    crawled.assert_excluded(&site.url("/three/"), "out-of-scope");
}

#[test]
fn patterns_do_not_move_the_scope_of_a_start_that_redirects_within_it() {
    for (patterns, listed) in [
        (["--include", "/blog/"], &["/en/", "/en/blog/1", "/de/blog/1"][..]),
        (["--exclude", "/en/$"], &["/en/", "/en/blog/1", "/de/blog/1", "/de/"]),
    ] {
        let site = FakeSite::open();
        site.redirect("/", "/en/", 301);
        site.page("/en/", document("en", "", &links(&["/en/blog/1", "/de/blog/1", "/de/"])));
        for path in ["/en/blog/1", "/de/blog/1", "/de/"] {
            site.page(path, document(path, "", ""));
        }
        let crawled = run(Crawl::from(&[site.url("/")]).args(patterns));
        crawled.assert_lists(&site.urls(listed));
        assert!(!crawled.summary()["notes"].to_string().contains("the scope of the crawl moved"));
    }
}

#[test]
fn a_site_whose_start_moves_to_another_host_in_several_redirects_is_crawled_completely() {
    for by_way_of in [None, Some("/")] {
        let site = FakeSite::open();
        let at = |path: &str| format!("http://www.site.test:{}{path}", site.port());
        site.redirect("//site.test/", &at(by_way_of.unwrap_or("/en/")), 301);
        site.redirect("//www.site.test/", &at("/en/"), 302);
        site.page("//www.site.test/en/", document("en", "", &links(&["/de/"])));
        site.page("//www.site.test/de/", document("de", "", ""));
        let start = format!("http://site.test:{}/", site.port());
        let crawled = run(Crawl::from(&[start]).hosts(&site, &["site.test", "www.site.test"]));
        crawled.assert_lists(&[at("/de/"), at("/en/")]);
        let notes = crawled.summary()["notes"].to_string();
        assert!(notes.contains("the scope of the crawl moved") && notes.contains(&at("/")), "{notes}");
    }
}

#[test]
fn a_start_that_redirects_inside_its_domain_moves_the_scope_and_says_so() {
    let site = FakeSite::open();
    let at = |host: &str, path: &str| format!("http://{host}:{}{path}", site.port());
    let www = at("www.site.test", "/");
    site.redirect("//site.test/", &www, 301);
    site.page("//www.site.test/", document("www", "", &links(&["/a", &at("site.test", "/b")])));
    site.page("//www.site.test/a", document("a", "", ""));
    let crawl = Crawl::from(&[at("site.test", "/")]).hosts(&site, &["site.test", "www.site.test"]);
    let crawled = run(crawl);
    crawled.assert_lists(&[www.clone(), at("www.site.test", "/a")]);
    crawled.assert_excluded(&at("site.test", "/"), "redirect");
    crawled.assert_excluded(&at("site.test", "/b"), "out-of-scope");
    let said = crawled.summary()["notes"].to_string() + crawled.stderr();
    assert!(said.contains("www.site.test"), "the move is said: {said}");
}

#[test]
fn a_start_that_redirects_to_another_directory_moves_the_scope() {
    let site = mesh(&["/new/", "/new/a", "/old/b"]);
    site.redirect("/old/", "/new/", 302);
    let crawled = run(Crawl::from(&[site.url("/old/")]));
    crawled.assert_lists(&site.urls(&["/new/", "/new/a"]));
    crawled.assert_excluded(&site.url("/old/b"), "out-of-scope");
}

#[test]
fn a_start_that_redirects_out_of_its_domain_is_one_clear_error() {
    let (site, other) = (FakeSite::open(), FakeSite::open());
    let start = format!("http://site.test:{}/", site.port());
    let target = format!("http://other.example:{}/", other.port());
    site.redirect("/", &target, 301);
    other.page("/", "elsewhere");
    let crawl = Crawl::from(&[&start]).text().hosts(&site, &["site.test"]).hosts(&other, &["other.example"]);
    let crawled = crawl.run().exited(3);
    crawled.assert_says(&target);
    assert!(!crawled.has_sitemap());
    assert!(other.requests().is_empty(), "{:?}", other.requests());
    let naming = crawled.stderr().lines().filter(|line| line.contains(&target)).count();
    assert_eq!(naming, 1, "one clear error: {}", crawled.stderr());
}

#[test]
fn include_and_exclude_choose_the_visited_urls() {
    let site = mesh(&["/", "/blog/a", "/blog/b.draft", "/shop/c", "/blog/?page=2"]);
    let crawl = |words: &[&str]| run(Crawl::of(&site).args(words));
    let crawled = crawl(&["--exclude", r"\.draft$", "--exclude", "^http://[^/]+/shop/"]);
    crawled.assert_lists(&site.urls(&["/", "/blog/a", "/blog/?page=2"]));
    crawled.assert_excluded(&site.url("/blog/b.draft"), "excluded");
    crawled.assert_excluded(&site.url("/shop/c"), "excluded");
    assert_eq!(site.hits("/blog/b.draft") + site.hits("/shop/c"), 0);
    // Start URLs are always visited.
    let crawled = crawl(&["--include", "/blog/", "--exclude", r"\?page="]);
    assert!(crawled.listed().is_superset(&site.urls(&["/blog/a", "/blog/b.draft"]).into_iter().collect()));
    crawled.assert_excluded(&site.url("/shop/c"), "excluded");
    crawled.assert_excluded(&site.url("/blog/?page=2"), "excluded");
    assert_eq!(site.hits("/shop/c"), 0);
}

#[test]
fn no_list_is_crawled_and_not_listed() {
    let site = FakeSite::open();
    site.page("/", links(&["/tag/x"]))
        .page("/tag/x", links(&["/only-from-the-tag"]))
        .page("/only-from-the-tag", "page");
    let crawled = run(Crawl::of(&site).args(["--no-list", "/tag/"]));
    crawled.assert_lists(&site.urls(&["/", "/only-from-the-tag"]));
    crawled.assert_excluded(&site.url("/tag/x"), "no-list");
}

#[test]
fn a_bad_regular_expression_is_a_usage_error_that_names_it() {
    for flag in ["--include", "--exclude", "--no-list"] {
        for pattern in ["(", "[a-", "*x", r"\p{Nonsense}"] {
            let site = mesh(&["/"]);
            let crawled = Crawl::of(&site).args([flag, pattern]).run().exited(2);
            crawled.assert_says(flag);
            crawled.assert_says(pattern);
            assert!(site.requests().is_empty(), "reported before the first request");
        }
    }
}

#[test]
fn an_unknown_scope_is_a_usage_error() {
    let site = mesh(&["/"]);
    let crawled = Crawl::of(&site).args(["--scope", "galaxy"]).run().exited(2);
    crawled.assert_says("galaxy");
}
