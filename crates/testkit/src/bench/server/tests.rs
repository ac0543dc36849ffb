use std::io::{Read, Write};
use std::net::SocketAddr;

use flate2::read::GzDecoder;

use super::*;
use crate::bench::{Served, SitePlan};

fn site(plan: SitePlan) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let options = ServerOptions { threads: 1, latency: Duration::ZERO, origins: Origins::new(1) };
    // The thread ends with the test process, as the benchmark's own process does.
    std::thread::spawn(move || serve(listener, PageGenerator::new(plan), options));
    address
}

/// Sends a request on a fresh connection and returns head and body.
fn get(address: SocketAddr, path: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = end_of_head(&answer).unwrap();
    let body = answer.split_off(end);
    (String::from_utf8(answer).unwrap(), body)
}

fn one(plan: &SitePlan, kind: PageKind) -> u64 {
    (1..plan.pages()).find(|number| plan.kind(*number) == kind).unwrap()
}

#[test]
fn each_kind_is_answered_as_planned() {
    let plan = SitePlan::new(300, 1);
    let address = site(plan);
    let status = |path: &str| get(address, path, "").0.lines().next().unwrap().to_owned();
    assert_eq!(status("/"), "HTTP/1.1 200 OK");
    assert_eq!(status("/robots.txt"), "HTTP/1.1 200 OK");
    assert_eq!(status("/sitemap.xml"), "HTTP/1.1 404 Not Found");
    for kind in [PageKind::Ordinary, PageKind::Moved, PageKind::NoIndex, PageKind::Duplicate, PageKind::Blocked] {
        assert_eq!(status(&plan.path(one(&plan, kind))), "HTTP/1.1 200 OK", "{kind:?}");
    }
    assert_eq!(status(&plan.path(one(&plan, PageKind::Missing))), "HTTP/1.1 404 Not Found");
    let moved = one(&plan, PageKind::Moved);
    let (head, _) = get(address, &plan.href(moved), "");
    assert!(head.starts_with("HTTP/1.1 301 "), "{head}");
    assert!(head.contains(&format!("\r\nLocation: {}\r\n", plan.path(moved))), "{head}");
}

#[test]
fn gzip_is_sent_to_those_who_take_it() {
    let address = site(SitePlan::new(300, 1));
    let (plain_head, plain) = get(address, "/", "");
    let (packed_head, packed) = get(address, "/", "accept-encoding: br, gzip\r\n");
    assert!(!plain_head.contains("Content-Encoding") && packed_head.contains("Content-Encoding: gzip"));
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain);
}

#[test]
fn blocked_pages_lie_where_robots_txt_forbids() {
    let plan = SitePlan::new(300, 1);
    let (_, robots) = get(site(plan), "/robots.txt", "");
    assert!(String::from_utf8(robots).unwrap().contains("Disallow: /private/"));
    assert!(plan.path(one(&plan, PageKind::Blocked)).starts_with("/private/"));
    let others = (0..300).filter(|number| plan.kind(*number) != PageKind::Blocked);
    assert!(others.map(|number| plan.path(number)).all(|path| !path.starts_with("/private/")));
}

#[test]
fn a_conditional_request_for_an_unchanged_page_gets_a_304() {
    let plan = SitePlan::new(300, 1);
    let address = site(plan);
    let (head, _) = get(address, "/", "");
    let tag = field(&head, "etag").unwrap().trim();
    let (again, body) = get(address, "/", &format!("If-None-Match: {tag}\r\n"));
    assert!(again.starts_with("HTTP/1.1 304 ") && body.is_empty(), "{again}");
    let (other, _) = get(address, "/", "If-None-Match: W/\"7\"\r\n");
    assert!(other.starts_with("HTTP/1.1 200 "), "{other}");
}

#[test]
fn the_site_reports_what_it_served() {
    let plan = SitePlan::new(300, 1);
    let address = site(plan);
    let noindex = plan.path(one(&plan, PageKind::NoIndex));
    for path in ["/", "/", noindex.as_str(), "/robots.txt", "/nowhere"] {
        get(address, path, "");
    }
    let served = Served::take(&format!("http://{address}/")).unwrap();
    assert_eq!((served.requests, served.pages, served.belonging), (5, 2, 1));
    assert_eq!(Served::take(&format!("http://{address}")).unwrap().requests, 0);
}
