//! HTTP/2, which is negotiated over TLS only.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mapwright_fetch::{FetchOptions, Version};
use mapwright_model::FailureKind;
use mapwright_testkit::Response;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::site::{fetcher, get};
use crate::tls::{Authority, HOST, TlsSite, fetch_with, read_head};

/// An HTTP/2 server that passes each request to `handle`, with its number across all connections.
async fn http2<F>(authority: &Authority, handle: F) -> TlsSite
where
    F: Fn(usize, h2::server::SendResponse<hyper::body::Bytes>) -> Then + Send + Sync + 'static,
{
    let (handle, requests) = (Arc::new(handle), Arc::new(AtomicUsize::new(0)));
    TlsSite::talking(authority, HOST, &["h2", "http/1.1"], move |stream, _| {
        let (handle, requests) = (handle.clone(), requests.clone());
        async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_, respond))) = connection.accept().await {
                match handle(requests.fetch_add(1, Ordering::SeqCst), respond) {
                    Then::GoOn => {}
                    Then::GoAway => connection.graceful_shutdown(),
                }
            }
        }
    })
    .await
}

/// The next step of an HTTP/2 server after a request.
enum Then {
    GoOn,
    GoAway,
}

fn respond_with(mut respond: h2::server::SendResponse<hyper::body::Bytes>, body: &'static str) {
    let head = hyper::Response::builder().status(200).header("content-type", "text/html").body(()).unwrap();
    let mut stream = respond.send_response(head, false).unwrap();
    stream.send_data(hyper::body::Bytes::from_static(body.as_bytes()), true).unwrap();
}

fn trusting(authority: &Authority, site: &TlsSite) -> FetchOptions {
    FetchOptions { ca_cert: Some(authority.pem()), ..site.options(HOST) }
}

#[tokio::test]
async fn http_2_is_negotiated_and_one_connection_carries_all() {
    let authority = Authority::new();
    let site = http2(&authority, |_, respond| {
        respond_with(respond, "by two");
        Then::GoOn
    })
    .await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..5 {
        let reply = get(&fetch, &site.url(HOST)).await.unwrap();
        assert_eq!((reply.version, reply.body.as_slice()), (Version::Http2, &b"by two"[..]));
    }
    assert_eq!(site.connections(), 1);
}

#[tokio::test]
async fn http_2_is_not_spoken_where_it_is_off() {
    let authority = Authority::new();
    let site = TlsSite::talking(&authority, HOST, &["h2", "http/1.1"], |mut stream, _| async move {
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        read_head(&mut stream).await;
        let _ = stream.write_all(&Response::html("by one").to_bytes()).await;
    })
    .await;
    let options = FetchOptions { http2: false, ..trusting(&authority, &site) };
    assert_eq!(fetch_with(&site, options).await.unwrap().version, Version::Http11);
}

#[tokio::test]
async fn a_refused_stream_is_sent_again_without_a_failure() {
    let authority = Authority::new();
    let site = http2(&authority, |number, mut respond| {
        match number {
            0..3 => respond.send_reset(h2::Reason::REFUSED_STREAM),
            _ => respond_with(respond, "at the fourth time"),
        }
        Then::GoOn
    })
    .await;
    let reply = fetch_with(&site, trusting(&authority, &site)).await.unwrap();
    assert_eq!(reply.body, b"at the fourth time");
}

#[tokio::test]
async fn a_stream_that_is_always_refused_is_a_reset_after_eight_more_times() {
    let authority = Authority::new();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let site = http2(&authority, move |_, mut respond| {
        count.fetch_add(1, Ordering::SeqCst);
        respond.send_reset(h2::Reason::REFUSED_STREAM);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Reset, "{failure}");
    assert_eq!(seen.load(Ordering::SeqCst), 9);
}

#[tokio::test]
async fn a_stream_that_is_reset_for_another_reason_is_a_reset_at_once() {
    let authority = Authority::new();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let site = http2(&authority, move |_, mut respond| {
        count.fetch_add(1, Ordering::SeqCst);
        respond.send_reset(h2::Reason::INTERNAL_ERROR);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Reset, "{failure}");
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_goes_away_between_requests_is_requested_again() {
    let authority = Authority::new();
    let site = http2(&authority, |_, respond| {
        respond_with(respond, "last words");
        Then::GoAway
    })
    .await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..4 {
        assert_eq!(get(&fetch, &site.url(HOST)).await.unwrap().body, b"last words");
    }
    assert!(site.connections() > 1);
}

#[tokio::test]
async fn a_request_that_a_server_going_away_has_not_looked_at_is_sent_again() {
    // RFC 9113, section 6.8: SETTINGS, then GOAWAY with stream 0 as the last one processed and no error.
    const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
    const GO_AWAY: &[u8] = &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let authority = Authority::new();
    let site = TlsSite::talking(&authority, HOST, &["h2"], |mut stream, number| async move {
        if number < 2 {
            stream.write_all(SETTINGS).await.unwrap();
            read_until_headers(&mut stream).await;
            stream.write_all(GO_AWAY).await.unwrap();
            while stream.read_u8().await.is_ok() {}
            return;
        }
        let mut connection = h2::server::handshake(stream).await.unwrap();
        while let Some(Ok((_, respond))) = connection.accept().await {
            respond_with(respond, "on the third connection");
        }
    })
    .await;
    let reply = fetch_with(&site, trusting(&authority, &site)).await.unwrap();
    assert_eq!(reply.body, b"on the third connection");
    assert_eq!(site.connections(), 3);
}

#[tokio::test]
async fn requests_that_waited_for_their_turn_on_a_connection_that_ends_are_sent_again() {
    let authority = Authority::new();
    let site = TlsSite::talking(&authority, HOST, &["h2"], |stream, _| async move {
        let mut server = h2::server::Builder::new();
        // The client drops connections that it does not need after all.
        let Ok(mut connection) = server.max_concurrent_streams(4).handshake(stream).await else { return };
        let mut seen = 0;
        while let Some(Ok((_, respond))) = connection.accept().await {
            respond_with(respond, "in turn");
            seen += 1;
            if seen == 100 {
                connection.graceful_shutdown();
            }
        }
    })
    .await;
    let fetch = fetcher(trusting(&authority, &site));
    let mut visitors = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (fetch, url) = (fetch.clone(), site.url(HOST));
        visitors.spawn(async move {
            for _ in 0..100 {
                assert_eq!(get(&fetch, &url).await.unwrap().body, b"in turn");
            }
        });
    }
    visitors.join_all().await;
}

/// Reads frames until a HEADERS frame has come.
async fn read_until_headers(stream: &mut TlsStream<TcpStream>) {
    const PREFACE: usize = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len();
    const HEADERS: u8 = 1;
    stream.read_exact(&mut [0; PREFACE]).await.unwrap();
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.unwrap();
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        stream.read_exact(&mut vec![0; length]).await.unwrap();
        if head[3] == HEADERS {
            return;
        }
    }
}

#[tokio::test]
async fn a_header_list_beyond_the_bound_is_a_breach_of_protocol() {
    let authority = Authority::new();
    let site = http2(&authority, |_, mut respond| {
        let head = hyper::Response::builder().header("x-long", "y".repeat(80 << 10)).body(()).unwrap();
        let _ = respond.send_response(head, true);
        Then::GoOn
    })
    .await;
    let failure = fetch_with(&site, trusting(&authority, &site)).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Protocol, "{failure}");
}

/// A server whose HTTP/2 connections are passed to `spoil` once a request has arrived, and whose HTTP/1.1 works.
async fn spoiled<F, Fut>(authority: &Authority, protocols: &[&str], spoil: F) -> TlsSite
where
    F: Fn(TlsStream<TcpStream>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let spoil = Arc::new(spoil);
    TlsSite::talking(authority, HOST, protocols, move |mut stream, _| {
        let spoil = spoil.clone();
        async move {
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                // RFC 9113, section 6.5: SETTINGS without a setting.
                stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).await.unwrap();
                read_until_headers(&mut stream).await;
                return spoil(stream).await;
            }
            read_head(&mut stream).await;
            let _ = stream.write_all(&Response::html("by one").to_bytes()).await;
        }
    })
    .await
}

/// DATA on stream 0, which is an error of the connection (RFC 9113, section 6.1).
async fn break_connection(mut stream: TlsStream<TcpStream>) {
    let _ = stream.write_all(&[0, 0, 1, 0, 0, 0, 0, 0, 0, b'x']).await;
    while stream.read_u8().await.is_ok() {}
}

const BOTH: &[&str] = &["h2", "http/1.1"];

#[tokio::test]
async fn a_connection_of_http_2_that_breaks_says_nothing_of_the_request() {
    let authority = Authority::new();
    let site = spoiled(&authority, BOTH, break_connection).await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..3 {
        let reply = get(&fetch, &site.url(HOST)).await.unwrap();
        assert_eq!((reply.version, reply.body.as_slice()), (Version::Http11, &b"by one"[..]));
    }
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_reset_where_there_is_no_other_way() {
    let authority = Authority::new();
    let site = spoiled(&authority, &["h2"], break_connection).await;
    let fetch = fetcher(trusting(&authority, &site));
    for _ in 0..2 {
        let failure = get(&fetch, &site.url(HOST)).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Reset, "{failure}");
    }
}

#[tokio::test]
async fn a_server_that_requires_http_1_1_gets_it() {
    let authority = Authority::new();
    let site = spoiled(&authority, BOTH, |mut stream| async move {
        // RST_STREAM of stream 1 for HTTP_1_1_REQUIRED (RFC 9113, sections 6.4 and 7).
        let _ = stream.write_all(&[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0xd]).await;
        while stream.read_u8().await.is_ok() {}
    })
    .await;
    assert_eq!(fetch_with(&site, trusting(&authority, &site)).await.unwrap().body, b"by one");
}

#[tokio::test]
async fn a_connection_that_falls_silent_is_not_used_again() {
    let authority = Authority::new();
    let site = spoiled(&authority, BOTH, |mut stream| async move { while stream.read_u8().await.is_ok() {} }).await;
    let options = FetchOptions { first_byte_timeout: Duration::from_millis(500), ..trusting(&authority, &site) };
    let fetch = fetcher(options);
    assert_eq!(get(&fetch, &site.url(HOST)).await.unwrap_err().kind, FailureKind::TimedOut);
    assert_eq!(get(&fetch, &site.url(HOST)).await.unwrap().body, b"by one");
}
