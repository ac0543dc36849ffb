//! The user's headers, credentials and cookies go to the start URLs' origins, and nowhere else.

use mapwright_fetch::{CookiePolicy, FetchOptions, HttpFetch, SetupError, parse_cookie_file};
use mapwright_testkit::{Response, ServerAction};
use mapwright_web::Origin;
use mapwright_web::page_url::Userinfo;

use crate::site::{Site, fetcher, get, url};

const COOKIE_FILE: &str = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tcookie-secret\n";

fn userinfo(user: &str, password: &str) -> Userinfo {
    Userinfo { user: user.to_owned(), password: password.to_owned() }
}

/// Options with every kind of secret, for a crawl that starts at a site.
fn with_secrets(site: &Site) -> FetchOptions {
    FetchOptions {
        headers: vec![("X-Token".into(), "header-secret".into())],
        auth: Some(userinfo("user", "auth-secret")),
        cookies: parse_cookie_file(COOKIE_FILE).unwrap(),
        ..site.options()
    }
}

#[tokio::test]
async fn headers_credentials_and_cookies_go_to_the_start_urls_origin() {
    let site = Site::with(Response::html(""));
    site.get_with(with_secrets(&site)).await.unwrap();
    let request = site.request();
    assert_eq!(request.header("X-Token"), Some("header-secret"));
    // RFC 7617: base64 of `user:auth-secret`.
    assert_eq!(request.header("Authorization"), Some("Basic dXNlcjphdXRoLXNlY3JldA=="));
    assert_eq!(request.header("Cookie"), Some("sid=cookie-secret"));
}

#[tokio::test]
async fn another_port_of_the_same_host_gets_none_of_them() {
    let (first_party, other) = (Site::with(Response::html("")), Site::with(Response::html("")));
    get(&fetcher(with_secrets(&first_party)), &other.url("/")).await.unwrap();
    let request = other.request();
    assert!(!format!("{request:?}").to_ascii_lowercase().contains("secret"), "{request:?}");
    for name in ["X-Token", "Authorization", "Cookie"] {
        assert_eq!(request.header(name), None);
    }
}

#[tokio::test]
async fn a_start_url_that_moved_to_another_origin_leaves_them_behind() {
    let (first_party, moved) = (Site::with(Response::html("")), Site::with(Response::html("")));
    let fetch = fetcher(with_secrets(&first_party));
    assert!(!fetch.follow_redirect(&moved.origin()), "something was given, and does not go there");
    get(&fetch, &moved.url("/")).await.unwrap();
    let request = moved.request();
    for name in ["X-Token", "Authorization", "Cookie"] {
        assert_eq!(request.header(name), None);
    }
    let fetch = fetcher(first_party.options());
    assert!(fetch.follow_redirect(&moved.origin()), "nothing was given");
}

#[tokio::test]
async fn they_follow_from_http_to_https_of_the_same_host_and_never_back() {
    let origins = ["http://a.example/", "https://a.example/", "https://www.a.example/"].map(|text| url(text).origin());
    let [plain, secure, other] = &origins;
    let started = |at: &Origin| {
        let auth = Some(userinfo("user", "auth-secret"));
        fetcher(FetchOptions { first_party: vec![at.clone()], auth, ..FetchOptions::default() })
    };
    assert!(started(plain).follow_redirect(secure));
    assert!(!started(plain).follow_redirect(other));
    assert!(!started(secure).follow_redirect(plain) && !started(secure).follow_redirect(other));
}

#[tokio::test]
async fn a_cookie_that_the_site_renewed_is_not_undone_by_the_file() {
    let site = Site::with(Response::new(200).header("Set-Cookie", "sid=renewed; Path=/"));
    let fetch = fetcher(FetchOptions { cookie_policy: CookiePolicy::All, ..with_secrets(&site) });
    get(&fetch, &site.url("/")).await.unwrap();
    fetch.follow_redirect(&site.origin());
    get(&fetch, &site.url("/")).await.unwrap();
    assert_eq!(site.requests()[1].header("Cookie"), Some("sid=renewed"));
}

#[tokio::test]
async fn credentials_of_a_start_url_are_for_its_origin_alone() {
    let (one, two) = (Site::with(Response::html("")), Site::with(Response::html("")));
    let options = FetchOptions {
        first_party: vec![one.origin(), two.origin()],
        userinfo: vec![(one.origin(), userinfo("one", "pass:word"))],
        ..FetchOptions::default()
    };
    let fetch = fetcher(options);
    get(&fetch, &one.url("/")).await.unwrap();
    get(&fetch, &two.url("/")).await.unwrap();
    // Base64 of `one:pass:word`.
    assert_eq!(one.request().header("Authorization"), Some("Basic b25lOnBhc3M6d29yZA=="));
    assert_eq!(two.request().header("Authorization"), None);
}

#[tokio::test]
async fn credentials_of_a_start_url_come_before_those_for_all() {
    let site = Site::with(Response::html(""));
    let options = FetchOptions {
        userinfo: vec![(site.origin(), userinfo("own", ""))],
        auth: Some(userinfo("all", "x")),
        ..site.options()
    };
    site.get_with(options).await.unwrap();
    // Base64 of `own:`.
    assert_eq!(site.request().header("Authorization"), Some("Basic b3duOg=="));
}

#[tokio::test]
async fn a_header_of_the_user_takes_the_place_of_ours() {
    let site = Site::with(Response::html(""));
    let headers = [("User-Agent", "other/1"), ("accept", "text/plain"), ("X-Two", "a"), ("X-Two", "b")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    site.get_with(FetchOptions { headers, ..site.options() }).await.unwrap();
    let request = site.request();
    assert_eq!(request.header("User-Agent"), Some("other/1"));
    assert_eq!(request.header("Accept"), Some("text/plain"));
    assert_eq!(request.headers.iter().filter(|(name, _)| name == "X-Two").count(), 2);
    assert_eq!(request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("accept")).count(), 1);
}

#[tokio::test]
async fn a_cookie_header_of_the_user_stands_beside_the_jars() {
    let site = Site::with(Response::html(""));
    let options = FetchOptions { headers: vec![("Cookie".into(), "own=1".into())], ..with_secrets(&site) };
    site.get_with(options).await.unwrap();
    assert_eq!(site.request().header("Cookie"), Some("own=1; sid=cookie-secret"));
}

#[tokio::test]
async fn secrets_are_in_no_debug_text_and_in_no_failure() {
    let site = Site::with(ServerAction::raw([]));
    let options = FetchOptions {
        userinfo: vec![(site.origin(), userinfo("start-secret", "start-secret"))],
        proxy_variables: mapwright_fetch::ProxyVariables {
            https: Some("http://u:proxy-secret@127.0.0.1:1".into()),
            ..Default::default()
        },
        ..with_secrets(&site)
    };
    assert!(!format!("{options:?}").contains("secret"), "{options:?}");
    let fetch = fetcher(options);
    assert!(!format!("{fetch:?}").contains("secret"));
    let failure = get(&fetch, &site.url("/")).await.unwrap_err();
    assert!(!format!("{failure:?} {failure}").contains("secret"), "{failure:?}");
    let secure = crate::site::url(&format!("https://{}/", site.address()));
    let failure = get(&fetch, &secure).await.unwrap_err();
    assert!(!format!("{failure:?} {failure}").contains("secret"), "{failure:?}");
}

#[test]
fn headers_that_cannot_be_sent_are_named_without_their_value() {
    for (name, value) in [
        ("X Token", "secret"),
        ("X-Token", "secret\r\nEvil: 1"),
        ("Content-Length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("", "secret"),
    ] {
        let options = FetchOptions { headers: vec![(name.into(), value.into())], ..FetchOptions::default() };
        let error = HttpFetch::new(options).unwrap_err();
        assert!(matches!(&error, SetupError::Header { name: named, .. } if named == name), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn a_user_agent_that_cannot_be_sent_is_refused() {
    for user_agent in ["", "two\r\nlines", "umläut"] {
        let options = FetchOptions { user_agent: user_agent.into(), ..FetchOptions::default() };
        assert!(matches!(HttpFetch::new(options), Err(SetupError::UserAgent(_))), "{user_agent:?}");
    }
}
