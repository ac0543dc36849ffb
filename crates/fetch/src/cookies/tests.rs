use super::*;
use crate::netscape::parse_cookie_file;

fn origin(text: &str) -> Origin {
    text.parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn now() -> Timestamp {
    at("2026-01-01T00:00:00Z")
}

/// A jar after one origin has set cookies at `/`.
fn jar_with(set: &[&str]) -> (CookieJar, Origin) {
    let (jar, origin) = (CookieJar::default(), origin("http://a.example"));
    jar.take(&origin, "/", set.iter().copied(), now());
    (jar, origin)
}

#[test]
fn cookies_go_back_to_their_origin_and_to_no_other() {
    let (jar, home) = jar_with(&["a=1; Domain=a.example"]);
    assert_eq!(jar.header(&home, "/", now()).as_deref(), Some("a=1"));
    for other in ["https://a.example", "http://a.example:8080", "http://www.a.example", "http://b.example"] {
        assert_eq!(jar.header(&origin(other), "/", now()), None, "{other}");
    }
}

#[test]
fn longer_paths_come_first_and_foreign_paths_not_at_all() {
    let (jar, home) = jar_with(&["a=1; Path=/", "b=2; Path=/docs", "c=3; Path=/docs/web", "d=4; Path=/shop"]);
    assert_eq!(jar.header(&home, "/docs/web/x", now()).as_deref(), Some("c=3; b=2; a=1"));
    assert_eq!(jar.header(&home, "/", now()).as_deref(), Some("a=1"));
}

#[test]
fn a_cookie_ends_when_it_says() {
    let (jar, home) = jar_with(&["a=1; Max-Age=60", "b=2"]);
    assert_eq!(jar.header(&home, "/", at("2026-01-01T00:00:59Z")).as_deref(), Some("a=1; b=2"));
    assert_eq!(jar.header(&home, "/", at("2026-01-01T00:01:00Z")).as_deref(), Some("b=2"));
}

#[test]
fn a_cookie_of_the_same_name_and_path_replaces_and_an_old_one_deletes() {
    let (jar, home) = jar_with(&["a=1", "b=2", "a=3"]);
    assert_eq!(jar.header(&home, "/", now()).as_deref(), Some("a=3; b=2"));
    assert!(!jar.take(&home, "/", ["a=; Max-Age=0"].into_iter(), now()), "a deletion sets no cookie");
    assert_eq!(jar.header(&home, "/", now()).as_deref(), Some("b=2"));
}

#[test]
fn whether_a_cookie_was_set_is_told() {
    let (jar, home) = (CookieJar::default(), origin("http://a.example"));
    assert!(jar.take(&home, "/", ["a=1"].into_iter(), now()));
    assert!(!jar.take(&home, "/", ["nonsense"].into_iter(), now()));
    assert!(!jar.take(&home, "/", std::iter::empty(), now()));
}

#[test]
fn the_fifty_latest_cookies_of_an_origin_are_kept() {
    let (jar, home) = (CookieJar::default(), origin("http://a.example"));
    for number in 0..200 {
        jar.take(&home, "/", [format!("c{number}=1").as_str()].into_iter(), now());
    }
    let header = jar.header(&home, "/", now()).unwrap();
    assert_eq!(header.split("; ").count(), MAX_COOKIES);
    assert!(header.starts_with("c150=1; ") && header.ends_with("c199=1"), "{header}");
}

#[test]
fn the_header_stays_within_16_kib() {
    let (jar, home) = (CookieJar::default(), origin("http://a.example"));
    for number in 0..40 {
        jar.take(&home, "/", [format!("c{number}={}", "x".repeat(1_000)).as_str()].into_iter(), now());
    }
    let header = jar.header(&home, "/", now()).unwrap();
    assert!(header.len() <= 16 << 10 && header.len() > 14 << 10, "{}", header.len());
    assert!(header.contains("c39="), "the latest is among them");
}

#[test]
fn origins_are_bounded_and_the_one_used_longest_ago_goes_first() {
    let jar = CookieJar::default();
    let site = |number: usize| origin(&format!("http://s{number}.example"));
    for number in 0..MAX_ORIGINS {
        jar.take(&site(number), "/", ["a=1"].into_iter(), now());
    }
    assert!(jar.header(&site(0), "/", now()).is_some());
    jar.take(&site(MAX_ORIGINS), "/", ["a=1"].into_iter(), now());
    assert!(jar.header(&site(0), "/", now()).is_some(), "used a moment ago");
    assert!(jar.header(&site(1), "/", now()).is_none());
    assert_eq!(jar.lock().origins.len(), MAX_ORIGINS);
}

#[test]
fn a_cookie_file_seeds_the_origins_it_fits() {
    let file = ".a.example\tTRUE\t/\tFALSE\t0\twide\t1\n\
        a.example\tFALSE\t/\tTRUE\t0\tsecure\t2\n\
        b.example\tFALSE\t/\tFALSE\t0\tother\t3\n\
        a.example\tFALSE\t/\tFALSE\t1\tover\t4\n";
    let cookies = parse_cookie_file(file).unwrap();
    let jar = CookieJar::default();
    let sent = |text: &str| {
        jar.seed(&origin(text), &cookies, now());
        jar.header(&origin(text), "/", now())
    };
    assert_eq!(sent("http://a.example").as_deref(), Some("wide=1"));
    assert_eq!(sent("https://a.example").as_deref(), Some("wide=1; secure=2"));
    assert_eq!(sent("http://www.a.example").as_deref(), Some("wide=1"));
    assert_eq!(sent("http://c.example"), None);
}
