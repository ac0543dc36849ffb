//! Fetching of pages: content codings, retries, secrets, limits.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::io::Write;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use mapwright_e2e::files::{contains, files_in};
use mapwright_e2e::{Workspace, binary};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, assert_listed, assert_not_listed};

// ---- content codings (RFC 9110, 8.4.1; RFC 7932; RFC 8878)

#[test]
fn gzip_is_decoded() {
    finds_the_link_of_a_page_in("gzip", mapwright_testkit::gzip(PAGE));
}

#[test]
fn br_is_decoded() {
    let mut packed = Vec::new();
    brotli::CompressorWriter::new(&mut packed, 4096, 5, 20).write_all(PAGE).unwrap();
    finds_the_link_of_a_page_in("br", packed);
}

/// RFC 9110, 8.4.1.2: `deflate` is the zlib format.
#[test]
fn deflate_is_decoded() {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(PAGE).unwrap();
    finds_the_link_of_a_page_in("deflate", packer.finish().unwrap());
}

#[test]
fn zstd_is_decoded() {
    finds_the_link_of_a_page_in("zstd", zstd::stream::encode_all(PAGE, 3).unwrap());
}

/// RFC 9110, 8.4: codings are listed in the order in which they were applied, and their names are case-insensitive.
#[test]
fn stacked_codings_are_decoded_in_reverse_order() {
    let gzipped = mapwright_testkit::gzip(PAGE);
    finds_the_link_of_a_page_in("GZIP, zstd", zstd::stream::encode_all(gzipped.as_slice(), 3).unwrap());
}

#[test]
fn each_supported_coding_is_accepted() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<h1>Home</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    let accepted = site.requests_for("/")[0].header("Accept-Encoding").unwrap_or_default().to_owned();
    for coding in ["gzip", "br", "deflate", "zstd"] {
        assert!(accepted.split(',').any(|item| item.trim().starts_with(coding)), "{coding} is not in {accepted:?}");
    }
}

const PAGE: &[u8] = b"<!doctype html><title>Packed</title><p>Some words.</p><a href=/behind>Behind</a>";

#[track_caller]
fn finds_the_link_of_a_page_in(coding: &str, packed: Vec<u8>) {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.answer("/", Response::html([]).encoded(coding, packed)).page("/behind", "<h1>Behind</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/behind"]));
}

// ---- retries

#[test]
fn transient_failures_are_retried() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let statuses = [429, 500, 502, 503, 504];
    let mut paths: Vec<String> = statuses.iter().map(|status| format!("/once/{status}")).collect();
    for (path, status) in paths.iter().zip(statuses) {
        site.first_n(path, 1, Response::new(status));
    }
    site.first_n("/once/reset", 1, mapwright_testkit::ServerAction::reset_after([]));
    site.first_n("/once/closed", 1, mapwright_testkit::ServerAction::raw([]));
    paths.extend(["/once/reset".to_owned(), "/once/closed".to_owned()]);
    for path in &paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    site.page("/", links(&paths));
    workspace.crawl_well(&site.url("/"), &[]);
    let expected: Vec<String> = paths.iter().map(|path| site.url(path)).chain([site.url("/")]).collect();
    assert_listed(&workspace.out(), &expected);
}

#[test]
fn two_retries_are_the_default_and_the_number_can_be_set() {
    for (retries, attempts) in [(None, 3), (Some("0"), 1)] {
        let (workspace, site) = (Workspace::new(), FakeSite::open());
        site.page("/", "<a href=/broken>Broken</a> <a href=/gone>Gone</a>").status("/broken", 500).status("/gone", 404);
        let more: Vec<&str> = retries.iter().flat_map(|n| ["--retries", n]).collect();
        workspace.crawl_well(&site.url("/"), &more);
        assert_eq!((site.hits("/broken"), site.hits("/gone")), (attempts, 1), "with --retries {retries:?}");
        assert_eq!(workspace.exclusion(&site.url("/broken")).reason, "http-error");
    }
}

/// RFC 9110, 10.2.3: delay-seconds.
#[test]
fn retry_after_in_seconds_is_obeyed() {
    let site = FakeSite::open();
    site.first_n("/busy", 1, Response::new(503).header("Retry-After", "2"));
    let waited = wait_before_the_second_try(&site);
    assert!(waited >= Duration::from_millis(1_900), "tried again after {waited:?}");
}

/// RFC 9110, 10.2.3: HTTP-date. It has a resolution of one second, so the wait may be a second shorter than the
/// difference.
#[test]
fn retry_after_as_a_date_is_obeyed() {
    let site = FakeSite::open();
    let format = ["-u", "-d", "+4 seconds", "+%a, %d %b %Y %H:%M:%S GMT"];
    let date = Command::new("date").env("LC_ALL", "C").args(format).output().unwrap().stdout;
    let date = String::from_utf8(date).unwrap();
    let reported = Instant::now();
    site.first_n("/busy", 1, Response::new(429).header("Retry-After", date.trim()));
    wait_before_the_second_try(&site);
    let second = site.requests_for("/busy")[1].at;
    assert!(
        second - reported >= Duration::from_millis(2_900),
        "tried again {:?} after the date was written",
        second - reported
    );
}

#[track_caller]
fn wait_before_the_second_try(site: &FakeSite) -> Duration {
    let workspace = Workspace::new();
    site.page("/", "<a href=/busy>Busy</a>").page("/busy", "<h1>At last</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/busy"]));
    let tries = site.requests_for("/busy");
    assert_eq!(tries.len(), 2);
    tries[1].at - tries[0].at
}

#[test]
fn a_longer_retry_after_is_throttling_and_no_broken_page() {
    for status in [429, 503] {
        let (workspace, site) = (Workspace::new(), FakeSite::open());
        site.page("/", "<a href=/later>Later</a>");
        site.answer("/later", Response::new(status).header("Retry-After", "3600"));
        let run = workspace.crawl_well(&site.url("/"), &[]);
        assert!(run.took < Duration::from_secs(60), "{:?}", run.took);
        assert_eq!(site.hits("/later"), 1, "requested again before the time that the site named");
        let reported = workspace.exclusion(&site.url("/later"));
        assert_ne!(reported.reason, "http-error", "throttling ({status}) is reported as a broken page: {reported:?}");
        assert!(format!("{reported:?}").contains("throttled"), "{reported:?}");
    }
}

// ---- headers and credentials

#[test]
fn headers_authorization_and_cookies_go_to_the_origins_of_the_start_urls_only() {
    let (workspace, home, other) = (Workspace::new(), FakeSite::open(), FakeSite::open());
    home.robots(format!("Sitemap: {}\n", other.url("/sitemap.xml")));
    home.page("/", "<a href=/a>A</a>").page("/a", "<h1>A</h1>");
    other.sitemap("/sitemap.xml", &[]);
    let cookies = workspace.file("cookies.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc123\n");
    let more = ["-H", "X-Staging: let-me-in", "--auth", "maria:open sesame", "--cookie-file", &cookies];
    workspace.crawl_well(&home.url("/"), &more);
    for request in [&home.requests_for("/")[0], &home.requests_for("/a")[0]] {
        assert_eq!(request.header("X-Staging"), Some("let-me-in"));
        // RFC 7617: base64 of `maria:open sesame`.
        assert_eq!(request.header("Authorization"), Some("Basic bWFyaWE6b3BlbiBzZXNhbWU="));
        assert!(request.header("Cookie").is_some_and(|cookie| cookie.contains("session=abc123")), "{request:?}");
    }
    assert_eq!(other.hits("/sitemap.xml"), 1);
    for request in other.requests() {
        for name in ["X-Staging", "Authorization", "Cookie"] {
            assert_eq!(request.header(name), None, "{name} was sent to another origin: {request:?}");
        }
    }
}

#[test]
fn another_host_of_the_domain_is_another_origin() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let port = site.port();
    site.page("//www.shop.test/", format!("<a href=http://cdn.shop.test:{port}/>CDN</a>"));
    site.page("//cdn.shop.test/", "<h1>CDN</h1>");
    let pins = [format!("www.shop.test:{port}:127.0.0.1"), format!("cdn.shop.test:{port}:127.0.0.1")];
    let more =
        ["--resolve", &pins[0], "--resolve", &pins[1], "--scope", "domain", "-H", "X-Staging: yes", "--auth", "u:p"];
    workspace.crawl_well(&format!("http://www.shop.test:{port}/"), &more);
    assert_eq!(site.requests_for("//www.shop.test/")[0].header("X-Staging"), Some("yes"));
    let there = site.requests_for("//cdn.shop.test/");
    assert_eq!(there.len(), 1);
    assert_eq!((there[0].header("X-Staging"), there[0].header("Authorization")), (None, None));
}

#[test]
fn a_password_in_the_start_url_works_and_is_nowhere_to_be_found() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let locked = |html: &'static str| {
        move |request: &ReceivedRequest| match request.header("Authorization") {
            // RFC 7617: base64 of `maria:Xyzzy-4711`.
            Some("Basic bWFyaWE6WHl6enktNDcxMQ==") => Response::html(html),
            _ => Response::new(401).header("WWW-Authenticate", "Basic realm=\"staging\""),
        }
    };
    site.handler("/", locked("<a href=/a>A</a> <a href=/missing>M</a>")).handler("/a", locked("<h1>A</h1>"));
    let start = format!("http://maria:Xyzzy-4711@{}/", site.address());
    for format in ["text", "json"] {
        let run = workspace.crawl_well(&start, &["-vvv", "--format", format]);
        assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
        for secret in ["Xyzzy-4711", "bWFyaWE6WHl6enktNDcxMQ"] {
            assert!(!run.stdout.contains(secret), "{secret} is on standard output: {}", run.stdout);
            assert!(!run.stderr.contains(secret), "{secret} is on standard error: {}", run.stderr);
            for (name, bytes) in files_in(&workspace.path("")) {
                assert!(!contains(&bytes, secret), "{secret} is in {name}");
            }
        }
    }
}

#[test]
fn links_with_credentials_are_followed_without_them() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let address = site.address();
    site.page("/", format!("<a href=http://root:Hunter-99@{address}/a>A</a>")).page("/a", "<h1>A</h1>");
    let run = workspace.crawl_well(&site.url("/"), &["-vvv"]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/a"]));
    assert_eq!(site.requests_for("/a")[0].header("Authorization"), None);
    assert!(!run.said().contains("Hunter-99"), "{}", run.said());
    assert!(
        files_in(&workspace.path("")).values().all(|bytes| !contains(bytes, "Hunter-99")),
        "the password was stored"
    );
}

#[test]
fn the_user_agent_names_the_program_and_can_be_set() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<h1>Home</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    let agent = site.requests_for("/")[0].header("User-Agent").unwrap_or_default().to_owned();
    let contact = agent.strip_prefix(&format!("mapwright/{} (+http", env!("CARGO_PKG_VERSION")));
    assert!(contact.is_some_and(|rest| rest.ends_with(')')), "{agent:?}");
    workspace.crawl_well(&site.url("/"), &["-A", "Archivist/2.0"]);
    assert!(site.requests().iter().rev().take(2).all(|request| request.header("User-Agent") == Some("Archivist/2.0")));
}

// ---- limits of time and size

#[test]
fn an_attempt_ends_at_its_timeout() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/stuck>Stuck</a> <a href=/half>Half</a> <a href=/good>Good</a>")
        .page("/good", "<h1>Good</h1>");
    site.stall("/stuck");
    let half = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<h1>Half".to_vec();
    site.answer("/half", mapwright_testkit::ServerAction::stall_after(half));
    let run = workspace.crawl_well(&site.url("/"), &["--timeout", "1s", "--retries", "0"]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/good"]));
    assert!(run.took < Duration::from_secs(15), "{:?}", run.took);
    let reported = workspace.exclusion(&site.url("/stuck"));
    assert_eq!(reported.reason, "no-answer", "{reported:?}");
    assert!(reported.failure.as_ref().is_some_and(|cause| cause.contains("time")), "{reported:?}");
}

#[test]
fn a_body_is_read_up_to_the_limit_only() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/endless>Endless</a> <a href=/good>Good</a>").page("/good", "<h1>Good</h1>");
    site.endless("/endless", "<p>and so on</p>\n");
    workspace.crawl_well(&site.url("/"), &["--max-body", "1MiB"]);
    assert!(workspace.listed().is_superset(&site.urls(&["/", "/good"]).into_iter().collect()));
    // The read bytes, and those that may still be in the buffers of the sockets.
    assert!(site.bytes_sent("/endless") < 24 << 20, "{} bytes", site.bytes_sent("/endless"));
}

#[test]
fn the_limit_of_a_body_counts_decoded_bytes() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let padded = format!("<a href=/early>Early</a>{}<a href=/late>Late</a>", " ".repeat(1 << 20));
    site.page("/", "<a href=/packed>Packed</a>").answer("/packed", Response::html(padded).gzip());
    site.page("/early", "<h1>Early</h1>").page("/late", "<h1>Late</h1>");
    workspace.crawl_well(&site.url("/"), &["--max-body", "64KiB"]);
    assert_eq!(site.hits("/late"), 0, "a link beyond the limit was read");
    workspace.crawl_well(&site.url("/"), &["--max-body", "2MiB"]);
    assert_eq!(site.hits("/late"), 1);
}

// ---- connections

#[test]
fn connections_are_reused() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..60).map(|n| format!("/page/{n}")).collect();
    for path in &paths {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    site.page("/", links(&paths));
    workspace.crawl_well(&site.url("/"), &["-c", "1"]);
    assert_eq!(workspace.listed().len(), 61);
    assert!(site.connections() <= 2, "{} connections for 63 requests one after the other", site.connections());
}

#[test]
fn a_proxy_gets_every_request_in_absolute_form() {
    let (workspace, proxy) = (Workspace::new(), FakeSite::open());
    proxy.page("//far.example/", "<a href=/a>A</a>").page("//far.example/a", "<h1>A</h1>");
    workspace.crawl_well("http://far.example/", &["--proxy", &proxy.base()]);
    assert_listed(&workspace.out(), &["http://far.example/", "http://far.example/a"]);
    // RFC 9112, 3.2.2.
    assert!(proxy.requests().iter().all(|request| request.target.starts_with("http://far.example/")));
}

#[test]
fn a_proxy_of_the_environment_gets_connect_requests_for_https() {
    let (workspace, proxy) = (Workspace::new(), FakeSite::open());
    let crawl = workspace.plan("https://far.example/", &["--retries", "0"]).env("HTTPS_PROXY", proxy.base());
    let _ = crawl.run().exited(3);
    let requested = proxy.requests();
    // RFC 9110, 9.3.6.
    assert!(
        !requested.is_empty()
            && requested.iter().all(|request| request.method == "CONNECT" && request.target == "far.example:443")
    );
}

#[test]
fn a_crawl_through_a_proxy_says_that_addresses_cannot_be_checked() {
    let (workspace, proxy) = (Workspace::new(), FakeSite::open());
    proxy.page("//far.example/", "<h1>Far</h1>");
    let run = workspace.crawl_well("http://far.example/", &["--proxy", &proxy.base()]);
    assert!(run.said().to_lowercase().contains("proxy"), "{}", run.said());
}

// ---- origins that are down

#[test]
fn an_origin_that_goes_down_ends_the_crawl_and_nothing_is_published() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..400).map(|n| format!("/page/{n}")).collect();
    site.page("/", links(&paths));
    let served = AtomicUsize::new(0);
    site.handler("/page/*", move |request: &ReceivedRequest| match served.fetch_add(1, Ordering::Relaxed) {
        0..40 => mapwright_testkit::ServerAction::from(Response::html(format!("<h1>{}</h1>", request.path()))),
        _ => mapwright_testkit::ServerAction::reset_after([]),
    });
    let run = workspace.crawl(&site.url("/"), &[]);
    let run = run.exited(4);
    assert!(workspace.published().is_empty(), "{:?}", workspace.published().keys());
    let requested = site.requests().len();
    assert!(requested < 300, "{requested} requests to a site that is down");
    assert!(run.said().contains(&site.address().to_string()), "the origin is not named: {}", run.said());
}

#[test]
fn nothing_is_published_if_no_start_url_answers() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.status("/", 500);
    workspace.crawl(&site.url("/"), &["--retries", "0"]).exited(3);
    assert!(workspace.published().is_empty());
}

pub(crate) fn links<S: AsRef<str>>(paths: &[S]) -> String {
    paths.iter().map(|path| format!("<a href=\"{}\">x</a>\n", path.as_ref())).collect()
}

#[test]
fn an_unlisted_target_is_no_page() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", "<a href=/moved>Moved</a>").redirect("/moved", "/gone", 301).status("/gone", 410);
    workspace.crawl_well(&site.url("/"), &[]);
    assert_not_listed(&workspace.out(), &site.url("/gone"));
    assert_not_listed(&workspace.out(), &site.url("/moved"));
}

// ---- limits of the system

/// A low soft limit of open files, as shells set it, is raised.
#[test]
fn many_requests_at_once_fit_under_a_low_limit_of_open_files() {
    assert_fits_under("-Sn 40");
}

/// If the limit cannot be raised, requests wait for others to end, and no page is lost or reported as failing.
#[test]
fn many_requests_at_once_fit_under_a_limit_of_open_files_that_stays() {
    assert_fits_under("-n 40");
}

#[track_caller]
fn assert_fits_under(limit: &str) {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..120).map(|n| format!("/{n}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    for path in &paths {
        site.answer(path, Response::html(format!("<h1>{path}</h1>")).delay(Duration::from_millis(300)));
    }
    let (out, state) = (workspace.path("out"), workspace.path("state"));
    let ran = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit {limit}; exec \"$0\" crawl \"$1\" --out \"$2\" --state \"$3\" -c 100 --retries 0"))
        .args([binary::path().as_os_str(), site.url("/").as_ref(), out.as_os_str(), state.as_os_str()])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let sitemap = std::fs::read_to_string(out.join("sitemap.xml")).unwrap();
    assert_eq!(sitemap.matches("<loc>").count(), 121);
}
