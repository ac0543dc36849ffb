//! Every limit of a response.

use std::time::{Duration, Instant};

use mapwright_fetch::{BodyState, Fetch, FetchOptions, Request};
use mapwright_model::FailureKind;
use mapwright_testkit::{Response, ServerAction};
use mapwright_web::media::{Kinds, MediaKind};

use crate::site::{Site, fetcher, get, request};

const SHORT: Duration = Duration::from_millis(300);

/// Asserts that the fetch ended long before a patient client would give up.
fn soon(started: Instant) {
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
}

#[tokio::test]
async fn an_endless_body_is_cut_at_the_bound() {
    for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n"] {
        let site = Site::endless(head, [b'x'; 65_536], Duration::ZERO);
        let reply = site.get().await.unwrap();
        assert_eq!((reply.body.len(), reply.body_state), (1 << 20, BodyState::Cut));
        assert!(reply.wire_bytes < 4 << 20);
        assert!(reply.body.capacity() <= 4 << 20, "a claimed length allocates nothing");
    }
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_complete() {
    let site = Site::with(Response::html(vec![b'x'; 5_000]));
    let fetch = fetcher(site.options());
    let request = |max_body| Request { max_body, ..request(&site.url("/")) };
    assert_eq!(fetch.fetch(request(5_000)).await.unwrap().body_state, BodyState::Complete);
    let cut = fetch.fetch(request(4_999)).await.unwrap();
    assert_eq!((cut.body.len(), cut.body_state), (4_999, BodyState::Cut));
}

#[tokio::test]
async fn a_server_that_never_answers_is_left_after_the_bound_for_the_first_byte() {
    let site = Site::with(ServerAction::stall_after([]));
    let started = Instant::now();
    let options = FetchOptions { first_byte_timeout: SHORT, ..site.options() };
    let failure = site.get_with(options).await.unwrap_err();
    assert_eq!((failure.kind, failure.head_seen), (FailureKind::TimedOut, false));
    assert!(failure.after >= SHORT);
    soon(started);
}

#[tokio::test]
async fn a_head_that_drips_is_left_after_the_bound() {
    let site = Site::endless("HTTP/1.1 200 OK\r\nX-Slow: ", "x", Duration::from_millis(20));
    let started = Instant::now();
    let failure = site.get_with(FetchOptions { timeout: SHORT, ..site.options() }).await.unwrap_err();
    assert_eq!((failure.kind, failure.head_seen), (FailureKind::TimedOut, false));
    soon(started);
}

#[tokio::test]
async fn a_body_that_drips_never_outlives_the_attempt() {
    let site = Site::endless("HTTP/1.1 200 OK\r\n\r\n", "x", Duration::from_millis(20));
    let started = Instant::now();
    let failure = site.get_with(FetchOptions { timeout: SHORT, ..site.options() }).await.unwrap_err();
    assert_eq!((failure.kind, failure.head_seen), (FailureKind::TimedOut, true));
    assert!(failure.detail.contains("0.3 s"), "{failure}");
    soon(started);
}

#[tokio::test]
async fn a_body_that_falls_silent_is_left_after_the_bound_for_silence() {
    let site = Site::with(ServerAction::stall_after("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbeginning"));
    let started = Instant::now();
    let failure = site.get_with(FetchOptions { idle_timeout: SHORT, ..site.options() }).await.unwrap_err();
    assert_eq!((failure.kind, failure.head_seen), (FailureKind::TimedOut, true));
    soon(started);
}

#[tokio::test]
async fn an_answer_that_needs_no_body_stands_though_its_body_never_comes() {
    for status in ["301 Moved", "404 Not Found", "503 Busy"] {
        let head = format!("HTTP/1.1 {status}\r\nLocation: /new\r\nContent-Length: 100\r\n\r\n");
        let site = Site::with(ServerAction::stall_after(head));
        let started = Instant::now();
        let reply = site.get_with(FetchOptions { idle_timeout: SHORT, ..site.options() }).await.unwrap();
        assert_eq!((reply.status.to_string().as_str(), reply.headers.get("location")), (&status[..3], Some("/new")));
        assert_eq!(reply.body_state, BodyState::Enough);
        soon(started);
    }
}

/// A site with an endless file of this type, which is sent slowly after the first `at_once` bytes.
fn file(kind: &str, at_once: usize) -> Site {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 900000000\r\n\r\n");
    Site::endless(head + &"x".repeat(at_once), "x", Duration::from_millis(20))
}

#[tokio::test]
async fn of_a_document_that_is_not_read_the_beginning_is_taken() {
    for kind in ["video/mp4", "application/zip", "application/pdf", "image/png", "text/plain"] {
        let site = file(kind, 2 << 20);
        let started = Instant::now();
        let reply = site.get().await.unwrap();
        assert_eq!((reply.body.len(), reply.body_state), (256 << 10, BodyState::Enough), "{kind}");
        assert!(reply.wire_bytes < 1 << 20, "{kind}: {} bytes", reply.wire_bytes);
        soon(started);
    }
}

#[tokio::test]
async fn a_document_that_is_not_read_answers_though_it_is_slow() {
    let site = file("application/zip", 10);
    let options = || FetchOptions { timeout: SHORT, ..site.options() };
    assert_eq!(site.get_with(options()).await.unwrap().body_state, BodyState::Enough);
    // If all of it is needed, it is read as far as it arrives.
    let listed = Request { full_body_kinds: Kinds::PAGES.and(MediaKind::Other), ..request(&site.url("/")) };
    let reply = fetcher(options()).fetch(listed).await.unwrap();
    assert_eq!(reply.body_state, BodyState::Enough);
    assert!(reply.total >= SHORT);
    for read in ["text/html", "application/xhtml+xml", "nonsense"] {
        let site = file(read, 10);
        let failure = site.get_with(FetchOptions { timeout: SHORT, ..site.options() }).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::TimedOut, "{read}");
    }
}

#[tokio::test]
async fn a_document_that_is_needed_completely_is_read_up_to_the_limit() {
    let site = file("application/pdf", 2 << 20);
    let wanted = Request { full_body_kinds: Kinds::PAGES.and(MediaKind::Pdf), ..request(&site.url("/")) };
    let reply = fetcher(site.options()).fetch(wanted).await.unwrap();
    assert_eq!((reply.body.len(), reply.body_state), (1 << 20, BodyState::Cut));
}

#[tokio::test]
async fn a_small_document_that_is_not_parsed_is_complete() {
    let site = Site::with(Response::new(200).content_type("image/png").body("picture"));
    let reply = site.get().await.unwrap();
    assert_eq!((reply.body.as_slice(), reply.body_state), (&b"picture"[..], BodyState::Complete));
}

#[tokio::test]
async fn interim_answers_without_end_are_left_after_the_bound() {
    let site = Site::endless("", "HTTP/1.1 102 Processing\r\n\r\n", Duration::from_millis(1));
    let started = Instant::now();
    let failure = site.get_with(FetchOptions { timeout: SHORT, ..site.options() }).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut);
    soon(started);
}

#[tokio::test]
async fn two_hundred_and_fifty_six_header_fields_are_read_and_one_more_is_not() {
    // The `Content-Length` is one more field.
    for (count, works) in [(255, true), (256, false), (5_000, false)] {
        let page = (0..count).fold(Response::new(200), |page, number| page.header(&format!("X-{number}"), "y"));
        let site = Site::with(page);
        match site.get().await {
            Ok(reply) => assert!(works && reply.headers.len() == 256),
            Err(failure) => {
                assert!(!works, "{failure}");
                assert_eq!(failure.kind, FailureKind::Protocol);
            }
        }
    }
}

#[tokio::test]
async fn sixty_four_kib_of_header_fields_are_read_and_more_are_not() {
    for (kib, works) in [(60, true), (70, false), (300, false)] {
        let site = Site::with(Response::new(200).header("X-Long", "y".repeat(kib << 10)));
        match site.get().await {
            Ok(_) => assert!(works, "{kib} KiB were taken"),
            Err(failure) => {
                assert!(!works, "{failure}");
                assert_eq!((failure.kind, failure.head_seen), (FailureKind::Protocol, true));
            }
        }
    }
}

#[tokio::test]
async fn heads_without_end_are_refused() {
    for (start, flood) in [
        ("HTTP/1.1 200 ", "reason reason reason "),
        ("HTTP/1.1 200 OK\r\nX-Long: ", "yyyyyyyyyyyyyyyyyyyyyyy"),
        ("HTTP/1.1 200 OK\r\n", "X-Many: y\r\n"),
    ] {
        let site = Site::endless(start, flood, Duration::ZERO);
        let started = Instant::now();
        let failure = site.get().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Protocol, "{start:?}: {failure}");
        soon(started);
    }
}

#[tokio::test]
async fn bodies_beyond_the_memory_for_all_wait_for_each_other_and_all_arrive() {
    let site = Site::with(Response::html(vec![b'x'; 1 << 20]));
    let fetch = fetcher(FetchOptions { bytes_in_flight: 1 << 20, ..site.options() });
    let fetches: Vec<_> = (0..8)
        .map(|_| {
            let (fetch, url) = (fetch.clone(), site.url("/"));
            tokio::spawn(async move { get(&fetch, &url).await.map(|reply| reply.body.len()) })
        })
        .collect();
    for done in fetches {
        assert_eq!(done.await.unwrap(), Ok(1 << 20));
    }
}

#[tokio::test]
async fn a_reply_that_is_kept_holds_its_memory() {
    let site = Site::with(Response::html(vec![b'x'; 1 << 20]));
    let fetch = fetcher(FetchOptions { bytes_in_flight: 1 << 20, ..site.options() });
    let url = site.url("/");
    let request = || get(&fetch, &url);
    let (first, second) = (request().await.unwrap(), request().await.unwrap());
    // The budget and one more body are in use now, so a third has to wait.
    let mut third = Box::pin(request());
    let waits = tokio::time::timeout(SHORT, &mut third).await.is_err();
    assert!(waits, "three bodies of a MiB fit into one");
    drop((first, second));
    assert_eq!(third.await.unwrap().body.len(), 1 << 20);
}
