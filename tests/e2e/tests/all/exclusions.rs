//! Every URL of the record is listed, or excluded for exactly one reason, by a fixed precedence.

use mapwright_e2e::{Cases, Crawl, Crawled, document, links};
use mapwright_testkit::{Canary, FakeSite, Response, ResponseGate, ServerAction};

const NOINDEX: &str = "<meta name=robots content=noindex>";

#[track_caller]
fn run(crawl: Crawl) -> Crawled {
    let crawled = crawl.run().exited(0);
    crawled.assert_accounts_for_all();
    crawled
}

#[test]
fn each_reason_of_a_page_that_was_fetched() {
    let mut cases = Cases::open();
    cases.case("status").body(links(&["q"])).answer("q", Response::html("x").status(410)).excludes("q", "http-error");
    for status in [201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 418, 451, 501, 505] {
        let answer = Response::html("x").status(status);
        cases.case(&format!("status {status}")).body(links(&["q"])).answer("q", answer).excludes("q", "http-error");
    }
    cases.case("redirect").body(links(&["q"])).redirect("q", "p", 301).excludes("q", "redirect").lists(&["p"]);
    let pdf = Response::new(200).content_type("application/pdf").body("%PDF-1.7\n");
    cases.case("media-type").body(links(&["q"])).answer("q", pdf).excludes("q", "media-type");
    cases.case("noindex").head(NOINDEX).excludes("", "noindex");
    cases.case("canonical").head("<link rel=canonical href=p>").excludes("", "canonical").lists(&["p"]);
    let variant = || Response::html("<title>t</title>the same bytes");
    let case = cases.case("duplicate");
    case.body(links(&["d", "d/"]))
        .answer("d", variant())
        .answer("d/", variant())
        .lists(&["d"])
        .excludes("d/", "duplicate");
    cases.case("no-list").body(links(&["unlisted"])).excludes("unlisted", "no-list");
    cases.check_with(cases.crawl().args(["--no-list", "/unlisted$"]));
}

#[test]
fn a_203_is_a_page() {
    // RFC 9110, 15.3.4: a 200 that a proxy has transformed.
    let mut cases = Cases::open();
    let answer = Response::html(document("transformed", "", &links(&["q"]))).status(203);
    cases.case("status 203").body(links(&["p"])).answer("p", answer).lists(&["p", "q"]);
    cases.check();
}

#[test]
fn each_reason_of_a_url_that_was_not_fetched() {
    let mut cases = Cases::open();
    cases.site().robots("User-agent: *\nDisallow: /private\n");
    cases
        .case("out-of-scope")
        .body(links(&["http://elsewhere.test/q"]))
        .excludes("http://elsewhere.test/q", "out-of-scope");
    cases.case("excluded").body(links(&["left-out"])).excludes("left-out", "excluded").not_requested(&["left-out"]);
    cases.case("nofollow").body("<a href=q rel=nofollow>x</a>").excludes("q", "nofollow").not_requested(&["q"]);
    cases.case("resource").body("<img src=q alt=x>").excludes("q", "resource").not_requested(&["q"]);
    cases.case("robots").body(links(&["/private"])).excludes("/private", "robots").not_requested(&["/private"]);
    cases.check_with(cases.crawl().args(["--exclude", "left-out"]));
}

/// The order of the two does not matter, on one page or on several.
#[test]
fn the_target_of_a_nofollow_link_and_an_image_counts_as_linked() {
    let mut cases = Cases::open();
    let (image, link) = ("<img src=x>", "<a rel=nofollow href=x>x</a>");
    cases.case("image first").body(format!("{image}{link}")).excludes("x", "nofollow");
    cases.case("link first").body(format!("{link}{image}")).excludes("x", "nofollow");
    cases.case("two pages").body(links(&["p"]) + image).page("p", link).lists(&["p"]).excludes("x", "nofollow");
    cases.check();
}

#[test]
fn each_reason_of_a_url_without_a_good_response() {
    let mut cases = Cases::open();
    cases.case("a reset").body(links(&["q"])).answer("q", ServerAction::reset_after([])).excludes("q", "no-answer");
    cases.case("a close").body(links(&["q"])).answer("q", ServerAction::raw([])).excludes("q", "no-answer");
    let throttled = || Response::new(429).header("Retry-After", "3600");
    cases.case("429 for an hour").body(links(&["q"])).answer("q", throttled()).excludes("q", "throttled");
    cases.case("429 for ever").body(links(&["q"])).answer("q", Response::new(429)).excludes("q", "throttled");
    let garbage = Response::html("x").encoded("gzip", "this is no gzip");
    cases.case("a coding that lies").body(links(&["q"])).answer("q", garbage).excludes("q", "broken-answer");
    let short = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<title>cut";
    cases
        .case("a body that breaks off")
        .body(links(&["q"]))
        .answer("q", ServerAction::raw(short))
        .excludes("q", "broken-answer");
    cases.check_with(cases.crawl().args(["--retries", "0"]));
}

#[test]
fn robots_unavailable() {
    let site = FakeSite::open();
    let at = |host: &str| format!("http://{host}.site.test:{}/", site.port());
    site.page("//www.site.test/", links(&[&at("failing")])).status("//failing.site.test/robots.txt", 500);
    let crawl = Crawl::from(&[at("www")]).args(["--scope", "domain", "--retries", "0"]);
    let crawled = run(crawl.hosts(&site, &["www.site.test", "failing.site.test"]));
    crawled.assert_excluded(&at("failing"), "robots-unavailable");
}

#[test]
fn depth_limit_and_url_limit() {
    let site = FakeSite::open();
    site.page("/", links(&["/1"])).page("/1", links(&["/2"])).page("/2", links(&["/3"]));
    let crawled = run(Crawl::of(&site).args(["--max-depth", "1"]));
    crawled.assert_lists(&site.urls(&["/", "/1"]));
    crawled.assert_excluded(&site.url("/2"), "depth-limit");
    let crawled = run(Crawl::of(&site).args(["--max-urls", "2"]));
    crawled.assert_lists(&site.urls(&["/", "/1"]));
    crawled.assert_excluded(&site.url("/2"), "url-limit");
}

#[test]
fn redirect_limit() {
    let site = FakeSite::open();
    site.page("/", links(&["/hop1", "/ten1"]));
    for hop in 1..=12 {
        site.redirect(&format!("/hop{hop}"), &format!("/hop{}", hop + 1), 301);
    }
    for hop in 1..=10 {
        site.redirect(&format!("/ten{hop}"), &format!("/ten{}", hop + 1), 301);
    }
    site.page("/hop13", "too far").page("/ten11", "ten hops away");
    let crawled = run(Crawl::of(&site));
    // "Each redirect hop a task (at most ten)".
    crawled.assert_lists(&site.urls(&["/", "/ten11"]));
    crawled.assert_excluded(&site.url("/hop1"), "redirect");
    crawled.assert_excluded(&site.url("/hop11"), "redirect");
    crawled.assert_excluded(&site.url("/hop12"), "redirect-limit");
    assert_eq!(site.hits("/hop12") + site.hits("/hop13"), 0);
    let crawled = run(Crawl::of(&site).args(["--max-redirects", "2"]));
    crawled.assert_excluded(&site.url("/ten4"), "redirect-limit");
}

#[test]
fn endless_pattern() {
    let site = FakeSite::open();
    site.page("/", links(&["/good", "/trap/"])).page("/good", "good");
    site.handler("/trap/*", |request| Response::html(document(request.path(), "", "<a href=deeper/>deeper</a>")));
    let crawled = run(Crawl::of(&site).args(["--pattern-budget", "5"]));
    assert!(crawled.listed().contains(&site.url("/good")));
    let endless = crawled.excluded().values().filter(|gone| gone.reason == "endless-pattern").count();
    assert!(endless > 0, "{:#?}", crawled.excluded());
}

#[test]
fn not_reached() {
    let site = FakeSite::open();
    let gate = ResponseGate::closed();
    site.page("/", links(&["/held", "/never"]))
        .answer("/held", Response::html("held").held_by(&gate))
        .page("/never", "x");
    let crawl = Crawl::of(&site).args(["--concurrency", "1"]);
    let mut running = crawl.spawn();
    site.wait_for("/held", 1);
    running.process().interrupt();
    let crawled = running.wait().exited(130);
    assert!(!crawled.has_sitemap(), "a crawl that was cut publishes nothing");
    crawled.assert_excluded(&site.url("/never"), "not-reached");
    crawled.assert_excluded(&site.url("/held"), "not-reached");
}

#[test]
fn address() {
    // The address guard permits the address of the start URLs, 127.0.0.1, and no other private address.
    let site = FakeSite::open();
    let canary = Canary::at("127.0.0.9:0");
    site.page("/", "home").redirect("/robots.txt", &canary.url("/rules"), 302);
    let crawled = Crawl::of(&site).run();
    crawled.assert_excluded(&canary.url("/rules"), "address");
    canary.assert_untouched();
}

#[test]
fn address_of_a_page_whose_robots_txt_is_refused_for_the_same_cause() {
    // "URLs of an origin whose robots.txt gets no answer count as no answer for the same cause": here the cause is the
    // address, which has its own reason and hint.
    let site = FakeSite::open();
    let canary = Canary::at("127.0.0.9:0");
    site.page("/", "home").redirect("/sitemap.xml", &canary.url("/map.xml"), 302);
    let crawled = run(Crawl::of(&site));
    crawled.assert_excluded(&canary.url("/robots.txt"), "address");
    crawled.assert_excluded(&canary.url("/map.xml"), "address");
    canary.assert_untouched();
}

#[test]
fn too_long() {
    let site = FakeSite::open();
    let of_length = |length: usize| format!("/{}", "x".repeat(length - site.url("/").len()));
    let (fits, long) = (of_length(2_047), of_length(2_048));
    site.page("/", links(&[&fits, &long])).page(&fits, "fits").page(&long, "long");
    let crawled = run(Crawl::of(&site));
    // sitemaps.org: a location is less than 2,048 characters long.
    crawled.assert_lists(&[site.url("/"), site.url(&fits)]);
    crawled.assert_excluded(&site.url(&long), "too-long");
}

#[test]
fn the_first_reason_in_precedence_counts() {
    let mut cases = Cases::open();
    cases.site().robots("User-agent: *\nDisallow: /private\n");
    let canonical = "<link rel=canonical href=p>";
    let both = |head: &str| document("page", &format!("{NOINDEX}{head}"), "");
    let case = cases.case("scope before --exclude");
    case.body(links(&["http://elsewhere.test/left-out"])).excludes("http://elsewhere.test/left-out", "out-of-scope");
    cases
        .case("scope before robots")
        .body(links(&["http://elsewhere.test/private"]))
        .excludes("http://elsewhere.test/private", "out-of-scope");
    cases.case("robots before --no-list").body(links(&["/private/unlisted"])).excludes("/private/unlisted", "robots");
    let answer = Response::html(both("")).status(404);
    cases.case("status before noindex").body(links(&["q"])).answer("q", answer).excludes("q", "http-error");
    let answer = Response::new(404).content_type("application/pdf").body("x");
    cases.case("status before media type").body(links(&["q"])).answer("q", answer).excludes("q", "http-error");
    let answer = Response::redirect(301, "p").header("X-Robots-Tag", "noindex");
    cases
        .case("redirect before noindex")
        .body(links(&["q"]))
        .answer("q", answer)
        .excludes("q", "redirect")
        .lists(&["p"]);
    let refresh = format!("{NOINDEX}<meta http-equiv=refresh content='0;url=p'>");
    cases.case("refresh before noindex").head(refresh).excludes("", "redirect").lists(&["p"]);
    let refresh = format!("{canonical}<meta http-equiv=refresh content='0;url=r'>");
    cases.case("refresh before canonical").head(refresh).excludes("", "redirect").lists(&["p", "r"]);
    let answer =
        Response::new(200).content_type("application/pdf").header("X-Robots-Tag", "noindex").body("%PDF-1.7\n");
    cases.case("media type before noindex").body(links(&["q"])).answer("q", answer).excludes("q", "media-type");
    cases.case("noindex before canonical").head(NOINDEX.to_owned() + canonical).excludes("", "noindex").lists(&["p"]);
    let case = cases.case("canonical before --no-list");
    case.body(links(&["unlisted"]))
        .page_with_head("unlisted", canonical, "")
        .excludes("unlisted", "canonical")
        .lists(&["p"]);
    cases
        .case("noindex before --no-list")
        .body(links(&["unlisted"]))
        .page_with_head("unlisted", NOINDEX, "")
        .excludes("unlisted", "noindex");
    let variant = || Response::html("<title>t</title>equal bytes");
    let case = cases.case("duplicate before --no-list");
    case.body(links(&["d", "d?unlisted"])).answer("d", variant()).answer("d?unlisted", variant());
    case.lists(&["d"]).excludes("d?unlisted", "duplicate");
    let long = format!("unlisted{}", "x".repeat(2_048));
    cases.case("--no-list before too long").body(links(&[&long])).excludes(&long, "no-list");
    let long = format!("q{}", "x".repeat(2_048));
    cases
        .case("noindex before too long")
        .body(links(&[&long]))
        .page_with_head(&long, NOINDEX, "")
        .excludes(&long, "noindex");
    cases.check_with(cases.crawl().args(["--exclude", "left-out", "--no-list", "unlisted"]));
}

#[test]
fn the_evidence_is_reported() {
    let site = FakeSite::open();
    site.page("/", links(&["/old", "/gone", "/reset"]))
        .redirect("/old", "/new", 301)
        .page("/new", "new")
        .status("/gone", 410);
    site.reset("/reset");
    let excluded = run(Crawl::of(&site).args(["--retries", "0"])).excluded();
    assert_eq!(excluded[&site.url("/old")].evidence, Some(site.url("/new")));
    assert_eq!(excluded[&site.url("/old")].status, Some(301));
    assert_eq!(excluded[&site.url("/gone")].status, Some(410));
    assert!(excluded[&site.url("/reset")].failure.is_some(), "{:?}", excluded[&site.url("/reset")]);
}

#[test]
fn csv_reports_the_same_as_jsonl() {
    let site = FakeSite::open();
    site.page("/", links(&["/gone", "/a,b", "/private"])).robots("User-agent: *\nDisallow: /private\n");
    let crawled = run(Crawl::of(&site));
    let command =
        mapwright_e2e::Command::new(["export", "excluded", "--format", "csv", "--state"]).arg(crawled.state());
    let csv = command.run().exited(0).stdout;
    let mut rows = csv.lines();
    // RFC 4180: a header line, and quotes around fields with a comma.
    assert!(rows.next().is_some_and(|header| header.contains("url") && header.contains("reason")), "{csv}");
    assert_eq!(rows.count(), crawled.excluded().len(), "{csv}");
    assert!(csv.contains(&format!("\"{}\"", site.url("/a,b"))), "{csv}");
}
