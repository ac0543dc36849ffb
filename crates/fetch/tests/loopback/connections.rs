//! The use of connections.

use mapwright_fetch::FetchOptions;

use crate::site::{Site, answer, fetcher, get, ok};

#[tokio::test]
async fn a_connection_is_used_again() {
    let site = Site::answering(ok("page")).await;
    let fetch = fetcher(site.options());
    for _ in 0..5 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!((site.requests().len(), site.connections()), (5, 1));
}

#[tokio::test]
async fn a_connection_that_the_server_ends_is_not_used_again() {
    let site = Site::answering_once(answer("200 OK", &["Connection: close"], "page")).await;
    let fetch = fetcher(site.options());
    for _ in 0..3 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!(site.connections(), 3);
}

#[tokio::test]
async fn a_body_that_was_cut_ends_its_connection_and_the_next_fetch_works() {
    let site = Site::answering(ok(vec![b'x'; 4 << 20])).await;
    let fetch = fetcher(site.options());
    for _ in 0..2 {
        assert_eq!(get(&fetch, &site.url("/")).await.unwrap().body.len(), 1 << 20);
    }
    assert_eq!(site.connections(), 2);
}

#[tokio::test]
async fn no_connection_is_kept_where_none_shall_be() {
    let site = Site::answering(ok("page")).await;
    let fetch = fetcher(FetchOptions { max_idle: 0, ..site.options() });
    for _ in 0..3 {
        get(&fetch, &site.url("/")).await.unwrap();
    }
    assert_eq!(site.connections(), 3);
}

/// A server may close a connection at any time (RFC 9112, section 9.5), and some do so without notice.
#[tokio::test]
async fn connections_that_are_closed_again_and_again_before_an_answer_are_used_once() {
    let site = Site::talking(|mut talk| async move {
        talk.request().await;
        talk.say(&ok("page")).await;
        talk.request().await;
    })
    .await;
    let fetch = fetcher(site.options());
    let mut failed = 0;
    for _ in 0..20 {
        failed += u32::from(get(&fetch, &site.url("/")).await.is_err());
    }
    assert_eq!(failed, 3);
}
