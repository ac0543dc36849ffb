//! The fake site sends what it is set to send, checked from a plain socket.
#![allow(clippy::unwrap_used, reason = "the client fails the test by panicking; the lint knows test functions alone")]

mod client;

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use client::Client;
use flate2::read::GzDecoder;
use mapwright_testkit::{Canary, FakeSite, Response, ResponseGate, ServerAction};

#[test]
fn a_page_is_html_and_anything_else_is_not_found() {
    let site = FakeSite::open();
    site.page("/a", "<h1>A</h1>");
    let mut client = Client::to(&site);
    let page = client.get("/a");
    assert_eq!((page.status(), page.body.as_slice()), ("200", b"<h1>A</h1>".as_slice()));
    assert_eq!(page.header("Content-Type"), Some("text/html; charset=utf-8"));
    assert_eq!(client.get("/b").status(), "404");
}

#[test]
fn one_connection_serves_many_requests_even_sent_at_once() {
    let site = FakeSite::open();
    site.page("/a", "one").page("/b", "two");
    let mut client = Client::to(&site);
    client.request("GET", "/a");
    client.request("GET", "/b");
    assert_eq!((client.reply().body, client.reply().body), (b"one".to_vec(), b"two".to_vec()));
    assert_eq!((site.connections(), site.requests().len()), (1, 2));
}

#[test]
fn redirects_and_statuses_are_sent_as_set() {
    let site = FakeSite::open();
    site.redirect("/old", "/new?x", 308).status("/gone", 410);
    let mut client = Client::to(&site);
    let moved = client.get("/old");
    assert_eq!((moved.status(), moved.header("Location")), ("308", Some("/new?x")));
    assert_eq!(client.get("/gone").status(), "410");
}

#[test]
fn a_head_request_gets_the_head_alone() {
    let site = FakeSite::open();
    site.page("/a", "12345");
    let mut client = Client::to(&site);
    client.send(b"HEAD /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let answer = String::from_utf8(client.rest()).unwrap();
    assert!(answer.contains("Content-Length: 5\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
}

#[test]
fn a_304_has_no_body_and_no_length() {
    let site = FakeSite::open();
    site.answer("/", Response::new(304).body("never").closing());
    let mut client = Client::to(&site);
    client.request("GET", "/");
    assert_eq!(client.rest(), b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
}

#[test]
fn raw_bytes_reach_the_wire_unchanged_and_end_in_a_close() {
    let site = FakeSite::open();
    let lie = b"HTTP/1.1 200 \xff\r\nContent-Length: 99\r\n\r\nshort";
    site.raw("/", lie);
    let mut client = Client::to(&site);
    client.request("GET", "/");
    assert_eq!(client.rest(), lie);
}

#[test]
fn raw_bytes_may_leave_the_connection_open() {
    let site = FakeSite::open();
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabEXTRA".to_vec();
    site.answer("/", ServerAction::Raw { bytes, then: mapwright_testkit::Ending::KeepAlive });
    let mut client = Client::to(&site);
    assert_eq!(client.get("/").body, b"ab");
    assert_eq!(client.take(5), b"EXTRA");
    assert_eq!(client.get("/").body, b"ab");
}

#[test]
fn a_drip_takes_its_time_and_arrives_complete() {
    let site = FakeSite::open();
    let bytes = Response::html("slow").to_bytes();
    site.drip("/", bytes.clone(), Duration::from_millis(1));
    let mut client = Client::to(&site);
    let start = Instant::now();
    client.request("GET", "/");
    assert_eq!(client.rest(), bytes);
    assert!(start.elapsed() >= Duration::from_millis(bytes.len() as u64));
}

#[test]
fn a_stall_holds_the_connection_and_others_are_served() {
    let site = FakeSite::open();
    site.stall("/stuck").answer("/half", ServerAction::stall_after("HTTP/1.1 200 OK\r\n")).page("/", "fine");
    let (mut stuck, mut half) = (Client::to(&site), Client::to(&site));
    stuck.request("GET", "/stuck");
    half.request("GET", "/half");
    assert_eq!(half.take(17), b"HTTP/1.1 200 OK\r\n");
    site.wait_for("/stuck", 1);
    assert_eq!(Client::to(&site).get("/").status(), "200");
    assert!(stuck.is_silent() && half.is_silent());
    assert_eq!(site.max_in_flight(), 3);
}

#[test]
fn a_reset_is_one_and_may_cut_a_body() {
    let site = FakeSite::open();
    site.reset("/").answer("/half", ServerAction::reset_after("HTTP/1.1 200 OK\r\n"));
    let mut client = Client::to(&site);
    client.request("GET", "/");
    assert_eq!(client.rest_until_reset(), b"");
    let mut client = Client::to(&site);
    client.request("GET", "/half");
    client.rest_until_reset();
    assert_eq!(site.hits("/half"), 1);
}

#[test]
fn a_close_without_an_answer_is_orderly() {
    let site = FakeSite::open();
    site.close("/");
    let mut client = Client::to(&site);
    client.request("GET", "/");
    assert_eq!(client.rest(), b"");
}

#[test]
fn an_endless_page_goes_on_until_the_client_leaves() {
    let site = FakeSite::open();
    site.endless("/", "<p>more</p>").page("/next", "served all the same");
    let mut client = Client::to(&site);
    client.request("GET", "/");
    let taken = String::from_utf8(client.take(8 << 20)).unwrap();
    assert!(taken.contains("\r\n\r\n<p>more</p><p>more</p>"));
    assert_eq!(Client::to(&site).get("/next").status(), "200");
    drop(client);
    assert!(site.bytes_sent("/") >= 8 << 20);
}

#[test]
fn a_head_may_have_no_end() {
    let site = FakeSite::open();
    let (prefix, chunk) = (b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-More: y\r\n".to_vec());
    site.answer("/", ServerAction::Endless { prefix, chunk, gap: Duration::from_millis(1) });
    let mut client = Client::to(&site);
    client.request("GET", "/");
    assert!(String::from_utf8(client.take(17 + 33)).unwrap().ends_with("X-More: y\r\nX-More: y\r\nX-More: y\r\n"));
}

#[test]
fn bodies_may_be_packed_chunked_or_without_length() {
    let site = FakeSite::open();
    let text = "word ".repeat(1_000);
    site.answer("/gzip", Response::html(text.clone()).gzip())
        .answer("/chunked", Response::html("abc").chunked().closing())
        .answer("/open", Response::html("abc").until_close());
    let packed = Client::to(&site).get("/gzip");
    assert_eq!(packed.header("Content-Encoding"), Some("gzip"));
    let mut unpacked = String::new();
    GzDecoder::new(packed.body.as_slice()).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, text);

    let mut client = Client::to(&site);
    client.request("GET", "/chunked");
    assert!(String::from_utf8(client.rest()).unwrap().ends_with("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
    let mut client = Client::to(&site);
    client.request("GET", "/open");
    let answer = String::from_utf8(client.rest()).unwrap();
    assert!(answer.ends_with("\r\n\r\nabc") && !answer.contains("Content-Length"), "{answer}");
}

#[test]
fn the_first_answers_give_way_to_the_next_and_then_to_the_rule() {
    let site = FakeSite::open();
    site.page("/", "up").first_n("/", 2, Response::new(503).header("Retry-After", "1")).first_n(
        "/",
        1,
        Response::new(429),
    );
    let mut client = Client::to(&site);
    let statuses: Vec<_> = (0..4).map(|_| client.get("/").status().to_owned()).collect();
    assert_eq!(statuses, ["503", "503", "429", "200"]);
}

#[test]
fn the_most_specific_entry_answers() {
    let site = FakeSite::open();
    site.page("/*", "any")
        .page("/a/*", "below a")
        .page("/a/b", "b")
        .page("/a/b?x", "b with x")
        .page("//other.test/a/b", "b elsewhere");
    let body = |host: &str, target: &str| String::from_utf8(Client::to(&site).for_host(host).get(target).body).unwrap();
    assert_eq!(body("h.test", "/z"), "any");
    assert_eq!(body("h.test", "/a/z"), "below a");
    assert_eq!(body("h.test", "/a/b?y"), "b");
    assert_eq!(body("h.test", "/a/b?x"), "b with x");
    assert_eq!(body("other.test:81", "/a/b"), "b elsewhere");
    assert_eq!(site.hits("//other.test/a/b"), 1);
    assert_eq!(site.hits("/a/b"), 3);
}

#[test]
fn a_handler_sees_the_request() {
    let site = FakeSite::open();
    site.handler("/echo*", |request| {
        let agent = request.header("user-agent").unwrap_or("none");
        Response::text(format!("{} {agent} {}", request.method, String::from_utf8_lossy(&request.body)))
    });
    let mut client = Client::to(&site);
    client.send(b"POST /echo?1 HTTP/1.1\r\nUser-Agent: me\r\nContent-Length: 4\r\n\r\nbody");
    assert_eq!(client.reply().body, b"POST me body");
    assert_eq!(client.get("/echo/deeper").body, b"GET none ");
}

#[test]
fn the_site_may_be_taken_for_a_proxy() {
    let site = FakeSite::open();
    site.page("//far.test/x", "from far");
    let mut client = Client::to(&site);
    assert_eq!(client.get("http://far.test/x").body, b"from far");
    assert_eq!(site.hits("//far.test/x"), 1);
}

#[test]
fn requests_are_remembered_in_order_with_their_fields() {
    let site = FakeSite::open();
    let mut client = Client::to(&site);
    client.get("/one?x=1");
    client.get("/two");
    let requests = site.requests();
    let targets: Vec<_> = requests.iter().map(|request| request.target.as_str()).collect();
    assert_eq!(targets, ["/one?x=1", "/two"]);
    assert!(requests[0].at <= requests[1].at && requests[0].connection == requests[1].connection);
    assert_eq!((site.hits("/one"), site.hits("/one?x=1"), site.hits("/one?x=2")), (1, 1, 0));
    assert_eq!(site.requests_for("/two").len(), 1);
}

#[tokio::test]
async fn a_gate_holds_answers_until_it_opens() {
    let site = FakeSite::start().await;
    let gate = ResponseGate::closed();
    site.answer("/", Response::html("through").held_by(&gate));
    let mut clients: Vec<_> = (0..5).map(|_| Client::to(&site)).collect();
    for client in &mut clients {
        client.request("GET", "/");
    }
    site.wait_for_requests("/", 5).await;
    assert!(clients.iter_mut().all(Client::is_silent));
    gate.open();
    assert!(clients.iter_mut().all(|client| client.reply().body == b"through"));
    assert_eq!(site.max_in_flight(), 5);
}

#[test]
fn latency_and_delay_add_up() {
    let site = FakeSite::open();
    site.latency(Duration::from_millis(20)).answer("/", Response::html("x").delay(Duration::from_millis(30)));
    let start = Instant::now();
    Client::to(&site).get("/");
    assert!(start.elapsed() >= Duration::from_millis(50));
}

#[test]
fn bytes_that_are_not_http_end_the_connection() {
    let site = FakeSite::open();
    let mut client = Client::to(&site);
    client.send(b"\x16\x03\x01hello\r\n\r\n");
    assert_eq!(client.rest(), b"");
    assert!(site.requests().is_empty());
}

#[test]
fn sitemaps_and_robots_are_offered() {
    let site = FakeSite::open();
    site.robots("User-agent: *\nDisallow:\n").sitemap("/sitemap.xml", &["/a?b&c"]).sitemap_index("/i.xml", &["/s.xml"]);
    let mut client = Client::to(&site);
    assert_eq!(client.get("/robots.txt").header("Content-Type"), Some("text/plain; charset=utf-8"));
    let sitemap = String::from_utf8(client.get("/sitemap.xml").body).unwrap();
    assert!(sitemap.contains(&format!("<loc>{}/a?b&amp;c</loc>", site.base())), "{sitemap}");
    assert!(String::from_utf8(client.get("/i.xml").body).unwrap().contains("<sitemapindex"));
}

#[test]
fn a_site_that_is_dropped_is_gone_and_its_port_free() {
    let site = FakeSite::open();
    site.stall("/");
    let address = site.address();
    let mut client = Client::to(&site);
    client.request("GET", "/");
    site.wait_for("/", 1);
    drop(site);
    assert_eq!(client.rest(), b"");
    assert!(TcpStream::connect(address).is_err());
    assert_eq!(FakeSite::at(address).port(), address.port());
}

#[test]
fn a_site_may_live_on_another_loopback_address() {
    let site = FakeSite::at("127.0.0.2:0");
    site.page("/", "here");
    assert!(site.base().starts_with("http://127.0.0.2:"));
    assert_eq!(Client::to(&site).get("/").body, b"here");
}

#[test]
fn a_canary_counts_contacts_exactly() {
    let canary = Canary::open();
    canary.assert_untouched();
    for _ in 0..3 {
        drop(TcpStream::connect(canary.address()).unwrap());
    }
    assert_eq!(canary.contacts(), 3);
    assert_eq!(canary.contacts(), 3);
    assert!(TcpListener::bind(canary.address()).is_err(), "the canary holds its port");
}
