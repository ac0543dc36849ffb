//! The addresses that are reached: a canary on loopback records every request that should not be sent.

use std::net::IpAddr;

use mapwright_fetch::{FetchOptions, GuardOptions, HttpFetch};
use mapwright_model::FailureKind;
use mapwright_testkit::Response;

use crate::site::{Site, fetcher, get, url};

fn canary() -> Site {
    Site::with(Response::html("the secret of the inner network"))
}

/// A fetcher whose crawl starts elsewhere, with these pinned names.
fn stranger(pins: &[(&str, &str)]) -> HttpFetch {
    fetcher(FetchOptions {
        first_party: vec![url("http://start.example/").origin()],
        resolve: pinned(pins),
        ..FetchOptions::default()
    })
}

fn pinned(pins: &[(&str, &str)]) -> Vec<(String, u16, IpAddr)> {
    pins.iter().map(|(host, address)| ((*host).to_owned(), 0, address.parse().unwrap())).collect()
}

async fn assert_guarded(fetch: &HttpFetch, address: &str) {
    let failure = get(fetch, &url(address)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Guarded, "{address}: {failure}");
    assert!(failure.detail.contains("address guard"), "{failure}");
}

#[tokio::test]
async fn addresses_in_urls_are_refused_in_every_spelling() {
    let canary = canary();
    let port = canary.port();
    let fetch = stranger(&[]);
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "１２７.0.0.1",
    ] {
        assert_guarded(&fetch, &format!("http://{host}:{port}/")).await;
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn inner_and_metadata_addresses_are_refused() {
    let fetch = stranger(&[]);
    for host in
        ["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200", "[fd00:ec2::254]", "[fe80::1]"]
    {
        assert_guarded(&fetch, &format!("http://{host}/latest/meta-data/")).await;
    }
}

#[tokio::test]
async fn names_that_have_refused_addresses_are_refused() {
    let canary = canary();
    let fetch = stranger(&[
        ("evil.example", "127.0.0.1"),
        ("six.example", "::1"),
        ("mapped.example", "::ffff:127.0.0.1"),
        ("zero.example", "0.0.0.0"),
    ]);
    for host in ["evil.example", "six.example", "mapped.example", "zero.example", "EVIL.example.", "localhost"] {
        assert_guarded(&fetch, &format!("http://{host}:{}/", canary.port())).await;
    }
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_start_urls_address_is_reached_and_its_neighbours_are_not() {
    let site = canary();
    assert!(site.get().await.is_ok());
    let fetch = fetcher(site.options());
    assert_guarded(&fetch, &format!("http://127.0.0.2:{}/", site.port())).await;
}

#[tokio::test]
async fn a_start_urls_name_is_reached_wherever_it_is() {
    let site = canary();
    let start = url(&format!("http://intranet.example:{}/", site.port()));
    let fetch = fetcher(FetchOptions {
        first_party: vec![start.origin()],
        resolve: pinned(&[("intranet.example", "127.0.0.1")]),
        ..FetchOptions::default()
    });
    assert_eq!(get(&fetch, &start).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_host_at_a_start_urls_address_is_reached_too() {
    let site = canary();
    let port = site.port();
    let fetch = fetcher(FetchOptions { resolve: pinned(&[("alias.example", "127.0.0.1")]), ..site.options() });
    assert_eq!(get(&fetch, &url(&format!("http://alias.example:{port}/"))).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_start_url_that_moved_takes_its_new_host_along() {
    let site = canary();
    let moved = url(&format!("http://www.intranet.example:{}/", site.port()));
    let fetch = stranger(&[("www.intranet.example", "127.0.0.1")]);
    assert_guarded(&fetch, moved.as_str()).await;
    fetch.follow_redirect(&moved.origin());
    assert_eq!(get(&fetch, &moved).await.unwrap().status, 200);
}

#[tokio::test]
async fn options_open_blocks_or_private_networks() {
    let site = canary();
    let target = site.url("/");
    let first_party = vec![url("http://start.example/").origin()];
    let named = GuardOptions { allow: vec!["127.0.0.0/8".parse().unwrap()], allow_private: false };
    let all = GuardOptions { allow: vec![], allow_private: true };
    for guard in [named, all] {
        let fetch = fetcher(FetchOptions { first_party: first_party.clone(), guard, ..FetchOptions::default() });
        assert_eq!(get(&fetch, &target).await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn pins_hold_for_their_port_alone() {
    let (one, two) = (Site::with(Response::html("one")), Site::with(Response::html("two")));
    let (port_one, port_two) = (one.port(), two.port());
    let pin = |port: u16, address: &str| ("site.example".to_owned(), port, address.parse::<IpAddr>().unwrap());
    let fetch = fetcher(FetchOptions {
        first_party: vec![url("http://site.example/").origin()],
        resolve: vec![pin(port_one, "127.0.0.1"), pin(port_two, "127.0.0.9")],
        ..FetchOptions::default()
    });
    let reply = get(&fetch, &url(&format!("http://site.example:{port_one}/"))).await.unwrap();
    assert_eq!(reply.body, b"one");
    let other = get(&fetch, &url(&format!("http://site.example:{port_two}/"))).await;
    // No server listens at 127.0.0.9, so the pin of the second port was used.
    assert_eq!(other.unwrap_err().kind, FailureKind::Refused);
}

#[tokio::test]
async fn localhost_is_a_start_url_like_any_other() {
    let site = canary();
    let start = url(&format!("http://localhost:{}/", site.port()));
    let fetch = fetcher(FetchOptions { first_party: vec![start.origin()], ..FetchOptions::default() });
    assert_eq!(get(&fetch, &start).await.unwrap().status, 200);
}
