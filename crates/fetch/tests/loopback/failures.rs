//! Each kind of failure, distinguished from the others.

use std::time::{Duration, Instant};

use mapwright_fetch::{BodyState, Failure, FetchOptions};
use mapwright_model::FailureKind;
use mapwright_testkit::{Response, ServerAction};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::site::{Site, fetcher, get, url};

async fn failure_of(address: &str) -> Failure {
    let url = url(address);
    get(&fetcher(FetchOptions { first_party: vec![url.origin()], ..FetchOptions::default() }), &url).await.unwrap_err()
}

#[tokio::test]
async fn a_closed_port_refuses_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let failure = failure_of(&format!("http://{address}/")).await;
    assert_eq!(failure.kind, FailureKind::Refused);
    assert_eq!(failure.detail, format!("http://{address} refuses connections"));
}

#[tokio::test]
async fn a_name_that_does_not_exist_fails_at_once() {
    let started = Instant::now();
    let failure = failure_of("http://no-such-host.invalid/").await;
    assert_eq!(failure.kind, FailureKind::Dns);
    assert_eq!(failure.detail, "no-such-host.invalid: no such host");
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_connection_that_closes_before_an_answer_is_a_reset() {
    let site = Site::with(ServerAction::raw([]));
    let failure = site.get().await.unwrap_err();
    assert_eq!((failure.kind, failure.head_seen), (FailureKind::Reset, false));
    assert_eq!(site.requests().len(), 1, "it was requested again");
}

#[tokio::test]
async fn a_connection_that_is_reset_is_a_reset() {
    let site = Site::with(ServerAction::reset_after([]));
    assert_eq!(site.get().await.unwrap_err().kind, FailureKind::Reset);
}

#[tokio::test]
async fn a_head_that_breaks_off_is_a_reset() {
    let site = Site::with(ServerAction::raw("HTTP/1.1 200 OK\r\nContent-Ty"));
    assert_eq!(site.get().await.unwrap_err().kind, FailureKind::Reset);
}

#[tokio::test]
async fn a_response_that_is_not_http_is_a_protocol_failure() {
    for answer in ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 banana\r\n\r\n", "<html>no head at all</html>\r\n\r\n"] {
        let site = Site::with(ServerAction::raw(answer));
        let failure = site.get().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Protocol, "{answer:?}: {failure}");
        assert!(!failure.kind.transient());
    }
}

#[tokio::test]
async fn https_to_a_plain_server_is_a_failure_of_tls() {
    // A `FakeSite` answers complete requests only, and none will come.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read_u8().await;
            let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nspeak plainly").await;
            while socket.read_u8().await.is_ok() {}
        }
    });
    let failure = failure_of(&format!("https://{address}/")).await;
    assert_eq!(failure.kind, FailureKind::Tls, "{failure}");
}

#[tokio::test]
async fn a_host_that_takes_no_connection_times_out() {
    // A listener with a full backlog accepts no further connection and refuses none.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut fillers = Vec::new();
    for _ in 0..8 {
        let filler = tokio::spawn(tokio::net::TcpStream::connect(address));
        fillers.push(filler);
    }
    let mut filled = 0;
    for filler in &mut fillers {
        if let Ok(Ok(Ok(_))) = tokio::time::timeout(Duration::from_millis(100), filler).await {
            filled += 1;
        }
    }
    assert!((1..8).contains(&filled), "{filled} connections filled the backlog");
    let url = url(&format!("http://{address}/"));
    let connect_timeout = Duration::from_millis(300);
    let options = FetchOptions { first_party: vec![url.origin()], connect_timeout, ..FetchOptions::default() };
    let failure = get(&fetcher(options), &url).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut, "{failure}");
    assert_eq!(failure.detail, format!("http://{address} took no connection for 0.3 s"));
}

#[tokio::test]
async fn a_network_without_a_way_is_unreachable() {
    // Loopback has no route to a broadcast address, which needs a permission that the test does not have.
    let first_party = url("http://255.255.255.255/");
    let options = FetchOptions { first_party: vec![first_party.origin()], ..FetchOptions::default() };
    let failure = get(&fetcher(options), &first_party).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable, "{failure}");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_reply_with_what_came() {
    let framings = ["Content-Length: 100\r\n\r\nbeginning", "Transfer-Encoding: chunked\r\n\r\n9\r\nbeginning\r\n"];
    for framing in framings {
        let site = Site::with(ServerAction::raw(format!("HTTP/1.1 200 OK\r\n{framing}")));
        let reply = site.get().await.unwrap();
        assert_eq!(reply.body, b"beginning");
        assert!(matches!(reply.body_state, BodyState::Broken(_)), "{:?}", reply.body_state);
    }
}

#[tokio::test]
async fn a_chunk_that_is_none_breaks_the_body() {
    let site = Site::answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\nzz\r\n");
    let reply = site.get().await.unwrap();
    assert_eq!(reply.body, b"part");
    assert!(matches!(reply.body_state, BodyState::Broken(_)));
}

#[tokio::test]
async fn the_words_of_the_server_are_shown_without_control_characters() {
    let site = Site::with(ServerAction::raw("HTTP/1.1 200 OK\r\nContent-Length: \x1b[31mred\r\n\r\n"));
    if let Err(failure) = site.get().await {
        assert!(!failure.detail.contains('\x1b'), "{:?}", failure.detail);
    }
}

#[test]
fn each_kind_has_a_name_of_its_own_and_is_known_by_it() {
    for kind in FailureKind::ALL {
        assert_eq!(FailureKind::from_name(kind.as_str()), Some(kind));
    }
    assert_eq!(FailureKind::from_name("nonsense"), None);
}

#[tokio::test]
async fn a_failure_leaves_the_fetcher_as_it_was() {
    let site = Site::with(Response::html("fine"));
    let fetch = fetcher(site.options());
    assert!(get(&fetch, &url("http://no-such-host.invalid/")).await.is_err());
    assert_eq!(get(&fetch, &site.url("/")).await.unwrap().body, b"fine");
}
