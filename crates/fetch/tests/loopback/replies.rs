//! The content of replies and of requests.

use mapwright_fetch::{Accept, BodyState, Conditions, Fetch, Request, Version};
use mapwright_testkit::{Response, ServerAction};

use crate::site::{Site, fetcher, get, request};

#[tokio::test]
async fn a_page_is_a_reply() {
    let site = Site::with(Response::new(200).content_type("text/html").body("<p>hello"));
    let reply = site.get().await.unwrap();
    assert_eq!(reply.status, 200);
    assert_eq!(reply.version, Version::Http11);
    assert_eq!(reply.headers.content_type(), Some("text/html"));
    assert_eq!(reply.body, b"<p>hello");
    assert_eq!(reply.body_state, BodyState::Complete);
    assert_eq!(reply.wire_bytes, 8);
    assert_eq!(reply.address, Some(site.address()));
    assert!(reply.first_byte <= reply.total);
    assert!(!reply.set_cookie);
}

#[tokio::test]
async fn a_redirect_is_a_reply_and_not_followed() {
    let site = Site::with(Response::redirect(301, "/elsewhere").body("moved"));
    let reply = site.get().await.unwrap();
    assert_eq!((reply.status, reply.headers.location()), (301, Some("/elsewhere")));
    assert_eq!(site.requests().len(), 1);
}

#[tokio::test]
async fn errors_of_the_site_are_replies() {
    for status in [404, 429, 500, 503, 999] {
        let site = Site::with(Response::new(status).body("sorry"));
        let reply = site.get().await.unwrap();
        assert_eq!(reply.status, status);
        assert_eq!(site.requests().len(), 1, "{status} was retried");
    }
}

#[tokio::test]
async fn interim_answers_are_passed_over() {
    let early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n".to_vec();
    let site = Site::answering([early, Response::html("page").to_bytes()].concat());
    let reply = site.get().await.unwrap();
    assert_eq!((reply.status, reply.body.as_slice()), (200, &b"page"[..]));
}

#[tokio::test]
async fn answers_of_http_1_0_end_with_the_connection() {
    let site = Site::with(ServerAction::raw("HTTP/1.0 200 OK\r\n\r\nold page"));
    let reply = site.get().await.unwrap();
    assert_eq!((reply.version, reply.body.as_slice()), (Version::Http10, &b"old page"[..]));
    assert_eq!(reply.body_state, BodyState::Complete);
}

#[tokio::test]
async fn chunked_bodies_are_put_together() {
    let site = Site::answering(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;ext=1\r\npart\r\n2\r\ns!\r\n0\r\nTrailer: x\r\n\r\n",
    );
    assert_eq!(site.get().await.unwrap().body, b"parts!");
}

#[tokio::test]
async fn several_content_types_are_one_list() {
    let page =
        Response::new(200).header("Content-Type", "text/plain").header("Content-Type", "text/html;charset=utf-8");
    let headers = Site::with(page).get().await.unwrap().headers;
    assert_eq!(headers.content_type(), Some("text/plain, text/html;charset=utf-8"));
}

#[tokio::test]
async fn headers_are_read_in_any_case_and_any_encoding() {
    let page = Response::new(200)
        .header("ETAG", "\"v1\"")
        .header("last-modified", "Fri, 01 Jan 2026 00:00:00 GMT")
        .header("X-Name", "caf\u{e9}")
        .header("X-Latin", b"caf\xe9")
        .header("link", "a")
        .header("Link", "b");
    let headers = Site::with(page).get().await.unwrap().headers;
    assert_eq!(headers.etag(), Some("\"v1\""));
    assert_eq!(headers.last_modified(), Some("Fri, 01 Jan 2026 00:00:00 GMT"));
    assert_eq!(headers.get("X-NAME"), Some("caf\u{e9}"));
    assert_eq!(headers.get("x-latin"), Some("caf\u{e9}"));
    assert_eq!(headers.all("link").collect::<Vec<_>>(), ["a", "b"]);
}

#[tokio::test]
async fn slightly_wrong_heads_are_read_as_browsers_read_them() {
    let site = Site::answering(
        "HTTP/1.1 200 OK\r\nContent-Type : text/html\r\nbad header line\r\nX-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
    );
    let reply = site.get().await.unwrap();
    assert_eq!((reply.headers.content_type(), reply.body.as_slice()), (Some("text/html"), &b"ok"[..]));
}

#[tokio::test]
async fn the_request_names_host_agent_and_what_it_takes() {
    let site = Site::with(Response::html(""));
    site.get().await.unwrap();
    let request = site.request();
    assert_eq!(request.line, "GET / HTTP/1.1");
    assert_eq!(request.headers[0], ("Host".to_owned(), site.address().to_string()));
    assert!(request.header("User-Agent").unwrap().starts_with("mapwright/"), "{request:?}");
    assert!(request.header("Accept").unwrap().starts_with("text/html"), "{request:?}");
    assert_eq!(request.header("Accept-Encoding"), Some("gzip, br, zstd, deflate"));
    for absent in ["Cookie", "Authorization", "Referer", "If-None-Match", "If-Modified-Since"] {
        assert_eq!(request.header(absent), None);
    }
}

#[tokio::test]
async fn each_kind_of_document_has_its_accept_header() {
    let site = Site::with(Response::html(""));
    let fetch = fetcher(site.options());
    for accept in [Accept::Robots, Accept::Sitemap] {
        fetch.fetch(Request { accept, ..request(&site.url("/")) }).await.unwrap();
    }
    let requests = site.requests();
    assert_eq!(requests[0].header("Accept"), Some("text/plain,*/*;q=0.8"));
    assert!(requests[1].header("Accept").unwrap().starts_with("application/xml"));
}

#[tokio::test]
async fn conditions_are_sent_and_304_is_a_reply() {
    let site = Site::with(Response::new(304).header("ETag", "\"v1\"").header("Content-Encoding", "gzip"));
    let conditions =
        Conditions { etag: Some("W/\"v1\"".into()), modified: Some("Fri, 01 Jan 2026 00:00:00 GMT".into()) };
    let reply = fetcher(site.options()).fetch(Request { conditions, ..request(&site.url("/")) }).await.unwrap();
    assert_eq!((reply.status, reply.body_state), (304, BodyState::Complete));
    let request = site.request();
    assert_eq!(request.header("If-None-Match"), Some("W/\"v1\""));
    assert_eq!(request.header("If-Modified-Since"), Some("Fri, 01 Jan 2026 00:00:00 GMT"));
}

/// Apache's compression (`DeflateAlterETag AddSuffix`, the default) sends `"x-gzip"` but compares with `"x"` only.
#[tokio::test]
async fn the_tag_of_a_packed_copy_is_sent_without_its_suffix_too() {
    for (known, sent) in
        [("\"x-gzip\"", "\"x-gzip\", \"x\""), ("W/\"x-br\"", "W/\"x-br\", W/\"x\""), ("\"gzip\"", "\"gzip\"")]
    {
        let site = Site::with(Response::html(""));
        let conditions = Conditions { etag: Some(known.into()), modified: None };
        fetcher(site.options()).fetch(Request { conditions, ..request(&site.url("/")) }).await.unwrap();
        assert_eq!(site.request().header("If-None-Match"), Some(sent));
    }
}

#[tokio::test]
async fn a_validator_that_would_split_the_header_is_not_sent() {
    let site = Site::with(Response::html(""));
    let conditions = Conditions { etag: Some("\"a\"\r\nEvil: 1".into()), modified: None };
    fetcher(site.options()).fetch(Request { conditions, ..request(&site.url("/")) }).await.unwrap();
    assert!(!format!("{:?}", site.request()).contains("Evil"));
}

#[tokio::test]
async fn the_query_is_sent_and_the_fragment_is_not() {
    let site = Site::with(Response::html(""));
    get(&fetcher(site.options()), &site.url("/a%20b?q=1&r=%C3%A9#part")).await.unwrap();
    assert_eq!(site.request().line, "GET /a%20b?q=1&r=%C3%A9 HTTP/1.1");
}
