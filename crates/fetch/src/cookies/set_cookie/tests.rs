use super::*;

const SETTER: Setter<'_> = Setter { host: "www.example.com", path: "/shop/cart", https: true };

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn set(value: &str) -> Option<StoredCookie> {
    parse(value, SETTER, now())
}

fn end_of(value: &str) -> Option<String> {
    set(value).unwrap().expires.map(|end| end.to_string())
}

#[test]
fn a_plain_cookie_is_the_sessions_and_the_directorys() {
    let cookie = set("sid=a b\"c").unwrap();
    assert_eq!((cookie.name.as_str(), cookie.value.as_str()), ("sid", "a b\"c"));
    assert_eq!(cookie.path, "/shop");
    assert_eq!(cookie.expires, None);
}

#[test]
fn max_age_and_expires_end_a_cookie_and_max_age_wins() {
    assert_eq!(end_of("a=b; Max-Age=60").as_deref(), Some("2026-01-01T00:01:00Z"));
    assert_eq!(end_of("a=b; Expires=Wed, 09 Jun 2027 10:18:14 GMT").as_deref(), Some("2027-06-09T10:18:14Z"));
    assert_eq!(
        end_of("a=b; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Max-Age=1").as_deref(),
        Some("2026-01-01T00:00:01Z")
    );
    assert!(set("a=b; Max-Age=0").unwrap().is_over(now()));
    assert!(set("a=b; Max-Age=-5").unwrap().is_over(now()));
    assert!(set("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT").unwrap().is_over(now()));
    assert!(!set("a=b; Max-Age=99999999999999999999").unwrap().is_over(now()));
    assert_eq!(end_of("a=b; Expires=whenever"), None);
}

#[test]
fn the_path_binds_as_the_rfc_has_it() {
    let cookie = set("a=b; Path=/docs").unwrap();
    for path in ["/docs", "/docs/", "/docs/web"] {
        assert!(cookie.matches_path(path), "{path}");
    }
    for path in ["/", "/docsets", "/en/docs"] {
        assert!(!cookie.matches_path(path), "{path}");
    }
    assert_eq!(set("a=b; Path=relative").unwrap().path, "/shop");
    assert!(set("a=b; Path=/").unwrap().matches_path("/anything"));
}

#[test]
fn the_default_path_is_the_directory() {
    for (path, expected) in [("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("", "/")] {
        assert_eq!(default_path(path), expected, "{path}");
    }
}

#[test]
fn a_cookie_for_another_host_is_not_kept() {
    assert!(set("a=b; Domain=example.com").is_some());
    assert!(set("a=b; Domain=.WWW.example.com").is_some());
    assert!(set("a=b; Domain=other.example").is_none());
    assert!(set("a=b; Domain=ww.example.com").is_none());
}

#[test]
fn secure_cookies_come_from_secure_connections_alone() {
    assert!(set("a=b; Secure").is_some());
    assert!(parse("a=b; Secure", Setter { https: false, ..SETTER }, now()).is_none());
}

#[test]
fn prefixes_are_promises() {
    assert!(set("__Secure-a=b; Secure").is_some());
    assert!(set("__Secure-a=b").is_none());
    assert!(set("__Host-a=b; Secure; Path=/").is_some());
    assert!(set("__Host-a=b; Secure; Path=/; Domain=example.com").is_none());
    assert!(set("__Host-a=b; Secure").is_none());
}

#[test]
fn invalid_and_oversized_cookies_are_not_kept() {
    for value in ["", "novalue", "=b", "a=b\u{7}"] {
        assert!(set(value).is_none(), "{value:?}");
    }
    assert!(set(&format!("a={}", "x".repeat(MAX_COOKIE - 1))).is_some());
    assert!(set(&format!("a={}", "x".repeat(MAX_COOKIE))).is_none());
    assert!(set(&format!("a=b; Comment={}", "x".repeat(MAX_HEADER))).is_none());
}
