//! The use of connections.

use std::sync::atomic::{AtomicU64, Ordering};

use mapwright_fetch::FetchOptions;
use mapwright_testkit::{FakeSite, Response, ServerAction};

use crate::site::{Site, fetcher, get};

#[tokio::test]
async fn a_connection_is_used_again() {
    let site = Site::with(Response::html("page"));
    let fetch = fetcher(site.options());
    for _ in 0..5 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!((site.requests().len(), site.connections()), (5, 1));
}

#[tokio::test]
async fn a_connection_that_the_server_ends_is_not_used_again() {
    let site = Site::with(Response::html("page").closing());
    let fetch = fetcher(site.options());
    for _ in 0..3 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!(site.connections(), 3);
}

#[tokio::test]
async fn a_body_that_was_cut_ends_its_connection_and_the_next_fetch_works() {
    let site = Site::with(Response::html(vec![b'x'; 4 << 20]));
    let fetch = fetcher(site.options());
    for _ in 0..2 {
        assert_eq!(get(&fetch, &site.url("/")).await.unwrap().body.len(), 1 << 20);
    }
    assert_eq!(site.connections(), 2);
}

#[tokio::test]
async fn no_connection_is_kept_where_none_shall_be() {
    let site = Site::with(Response::html("page"));
    let fetch = fetcher(FetchOptions { max_idle: 0, ..site.options() });
    for _ in 0..3 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!(site.connections(), 3);
}

/// A server may close a connection at any time (RFC 9112, section 9.5), and some do so without notice.
#[tokio::test]
async fn connections_that_are_closed_again_and_again_before_an_answer_are_used_once() {
    let (site, last) = (Site(FakeSite::open()), AtomicU64::new(0));
    site.handler("/*", move |request| {
        let again = last.swap(request.connection, Ordering::SeqCst) == request.connection;
        if again { ServerAction::raw([]) } else { Response::html("page").into() }
    });
    let fetch = fetcher(site.options());
    let mut failed = 0;
    for _ in 0..20 {
        failed += u32::from(get(&fetch, &site.url("/")).await.is_err());
    }
    assert_eq!(failed, 3);
}
