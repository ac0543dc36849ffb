//! Fetching through a proxy.

use mapwright_fetch::{FetchOptions, ProxyVariables};
use mapwright_model::FailureKind;
use mapwright_testkit::{Response, ServerAction};
use tokio::net::TcpListener;

use crate::site::{Site, fetcher, get, url};
use crate::tls::{Authority, TlsSite};

/// Options for a crawl of a public site through the proxy.
fn through(proxy: &Site) -> FetchOptions {
    FetchOptions {
        first_party: vec![url("http://site.example/").origin()],
        proxy: Some(format!("http://user:p%40ss@{}", proxy.address())),
        ..FetchOptions::default()
    }
}

#[tokio::test]
async fn plain_requests_go_to_the_proxy_in_absolute_form() {
    let proxy = Site::with(Response::html("by proxy"));
    let reply = get(&fetcher(through(&proxy)), &url("http://site.example/a?b")).await.unwrap();
    assert_eq!(reply.body, b"by proxy");
    let request = proxy.request();
    assert_eq!(request.line, "GET http://site.example/a?b HTTP/1.1");
    assert_eq!(request.header("Host"), Some("site.example"));
    // Base64 of `user:p@ss`.
    assert_eq!(request.header("Proxy-Authorization"), Some("Basic dXNlcjpwQHNz"));
}

#[tokio::test]
async fn secure_requests_go_through_a_tunnel_that_hides_them() {
    let authority = Authority::new();
    let site = TlsSite::answering(&authority, "site.example", "behind the tunnel").await;
    let proxy = Site::with(ServerAction::Tunnel(site.address));
    let options = FetchOptions { ca_cert: Some(authority.pem()), ..through(&proxy) };
    let reply = get(&fetcher(options), &url("https://site.example/secret-path")).await.unwrap();
    assert_eq!(reply.body, b"behind the tunnel");
    let request = proxy.request();
    assert_eq!(request.line, "CONNECT site.example:443 HTTP/1.1");
    assert!(!format!("{request:?}").contains("secret-path"));
    assert_eq!(request.header("Proxy-Authorization"), Some("Basic dXNlcjpwQHNz"));
}

#[tokio::test]
async fn a_tunnel_that_is_denied_is_the_proxys_failure() {
    let proxy = Site::with(Response::new(403));
    let failure = get(&fetcher(through(&proxy)), &url("https://site.example/")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::ProxyFailed, "{failure}");
    assert!(!failure.detail.contains("p@ss") && !failure.detail.contains("p%40ss"), "{failure}");
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_the_proxys_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = Some(listener.local_addr().unwrap().to_string());
    drop(listener);
    let fetch = fetcher(FetchOptions { proxy, ..FetchOptions::default() });
    for target in ["http://site.example/", "https://site.example/"] {
        let failure = get(&fetch, &url(target)).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::ProxyFailed, "{failure}");
    }
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_not_the_proxys_failure() {
    let site = TlsSite::answering(&Authority::new(), "site.example", "").await;
    let proxy = Site::with(ServerAction::Tunnel(site.address));
    let failure = get(&fetcher(through(&proxy)), &url("https://site.example/")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
}

#[tokio::test]
async fn the_guard_is_blind_behind_a_proxy_except_for_literal_addresses_in_urls() {
    let proxy = Site::with(Response::html(""));
    let fetch = fetcher(through(&proxy));
    assert!(fetch.guard_is_bypassed());
    assert!(!fetcher(FetchOptions::default()).guard_is_bypassed());
    for target in ["http://169.254.169.254/", "http://[::1]/", "http://localhost/", "http://x.localhost:8080/"] {
        assert_eq!(get(&fetch, &url(target)).await.unwrap_err().kind, FailureKind::Guarded, "{target}");
    }
    assert_eq!(proxy.requests().len(), 0);
}

#[tokio::test]
async fn hosts_of_no_proxy_are_reached_directly_and_guarded() {
    let (site, proxy) = (Site::with(Response::html("direct")), Site::with(Response::html("by proxy")));
    let proxy_variables = ProxyVariables {
        http: Some(proxy.address().to_string()),
        no_proxy: Some("127.0.0.0/8,evil.example".into()),
        ..ProxyVariables::default()
    };
    let resolve = vec![("evil.example".to_owned(), 0, "127.0.0.2".parse().unwrap())];
    let fetch = fetcher(FetchOptions { proxy_variables, resolve, ..site.options() });
    assert_eq!(get(&fetch, &site.url("/")).await.unwrap().body, b"direct");
    assert_eq!(get(&fetch, &url("http://other.example/")).await.unwrap().body, b"by proxy");
    assert_eq!(get(&fetch, &url("http://evil.example/")).await.unwrap_err().kind, FailureKind::Guarded);
}

#[tokio::test]
async fn a_proxy_named_by_its_host_may_be_anywhere() {
    let proxy = Site::with(Response::html("by proxy"));
    let options = FetchOptions {
        proxy: Some(format!("proxy.example:{}", proxy.port())),
        resolve: vec![("proxy.example".to_owned(), 0, "127.0.0.1".parse().unwrap())],
        ..FetchOptions::default()
    };
    assert_eq!(get(&fetcher(options), &url("http://site.example/")).await.unwrap().body, b"by proxy");
}
