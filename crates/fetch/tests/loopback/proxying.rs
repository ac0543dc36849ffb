//! Fetching through a proxy.

use std::sync::Arc;

use mapwright_fetch::{FetchOptions, ProxyVariables};
use mapwright_model::FailureKind;
use tokio::net::{TcpListener, TcpStream};

use crate::site::{Site, Talk, fetcher, get, header, ok, url};
use crate::tls::{Authority, TlsSite};

/// Options for a crawl of a public site through the proxy.
fn through(proxy: &Site) -> FetchOptions {
    FetchOptions {
        first_party: vec![url("http://site.example/").origin()],
        proxy: Some(format!("http://user:p%40ss@{}", proxy.address)),
        ..FetchOptions::default()
    }
}

/// A proxy that opens tunnels to one target, whatever host is requested.
async fn tunnel_to(target: std::net::SocketAddr) -> Site {
    Site::talking(move |mut talk: Talk| async move {
        if talk.request().await.is_some_and(|head| head.starts_with("CONNECT ")) {
            let mut onward = TcpStream::connect(target).await.unwrap();
            talk.say("HTTP/1.1 200 Connection established\r\n\r\n").await;
            let _ = tokio::io::copy_bidirectional(&mut talk.socket, &mut onward).await;
        }
    })
    .await
}

#[tokio::test]
async fn plain_requests_go_to_the_proxy_in_absolute_form() {
    let proxy = Site::answering(ok("by proxy")).await;
    let reply = get(&fetcher(through(&proxy)), &url("http://site.example/a?b")).await.unwrap();
    assert_eq!(reply.body, b"by proxy");
    let head = proxy.request();
    assert!(head.starts_with("GET http://site.example/a?b HTTP/1.1\r\n"), "{head}");
    assert_eq!(header(&head, "Host"), Some("site.example"));
    // Base64 of `user:p@ss`.
    assert_eq!(header(&head, "Proxy-Authorization"), Some("Basic dXNlcjpwQHNz"));
}

#[tokio::test]
async fn secure_requests_go_through_a_tunnel_that_hides_them() {
    let authority = Authority::new();
    let site = TlsSite::answering(&authority, "site.example", "behind the tunnel").await;
    let proxy = tunnel_to(site.address).await;
    let options = FetchOptions { ca_cert: Some(authority.pem()), ..through(&proxy) };
    let reply = get(&fetcher(options), &url("https://site.example/secret-path")).await.unwrap();
    assert_eq!(reply.body, b"behind the tunnel");
    let head = proxy.request();
    assert!(head.starts_with("CONNECT site.example:443 HTTP/1.1\r\n"), "{head}");
    assert!(!head.contains("secret-path"));
    assert_eq!(header(&head, "Proxy-Authorization"), Some("Basic dXNlcjpwQHNz"));
}

#[tokio::test]
async fn a_tunnel_that_is_denied_is_the_proxys_failure() {
    let proxy = Site::answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").await;
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
    let proxy = tunnel_to(site.address).await;
    let failure = get(&fetcher(through(&proxy)), &url("https://site.example/")).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
}

#[tokio::test]
async fn the_guard_is_blind_behind_a_proxy_except_for_literal_addresses_in_urls() {
    let proxy = Site::answering(ok("")).await;
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
    let (site, proxy) = (Site::answering(ok("direct")).await, Site::answering(ok("by proxy")).await);
    let proxy_variables = ProxyVariables {
        http: Some(proxy.address.to_string()),
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
    let proxy = Arc::new(Site::answering(ok("by proxy")).await);
    let options = FetchOptions {
        proxy: Some(format!("proxy.example:{}", proxy.address.port())),
        resolve: vec![("proxy.example".to_owned(), 0, "127.0.0.1".parse().unwrap())],
        ..FetchOptions::default()
    };
    assert_eq!(get(&fetcher(options), &url("http://site.example/")).await.unwrap().body, b"by proxy");
}
