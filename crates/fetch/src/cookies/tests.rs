use super::*;
use crate::cookies::file::parse_cookie_file;
use crate::cookies::list::MAX_COOKIES;

fn origin(text: &str) -> Origin {
    text.parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn now() -> Timestamp {
    at("2026-01-01T00:00:00Z")
}

fn request(path: &str) -> Request {
    let url = mapwright_web::PageUrl::parse(&format!("http://a.example{path}"), &mapwright_web::UrlIdentity::default());
    Request {
        method: crate::Method::Get,
        url: url.unwrap(),
        spelling: None,
        conditions: crate::Conditions::default(),
        accept: crate::Accept::Page,
        max_body: 0,
        full_body_kinds: mapwright_web::media::Kinds::PAGES,
        cookie_wall: false,
        scripted: None,
    }
}

fn behind_wall(path: &str) -> Request {
    Request { cookie_wall: true, ..request(path) }
}

/// A jar of this policy after two responses of an origin, the first of them a redirect.
fn jar_of(policy: CookiePolicy, redirect: &str, page: &str) -> (CookieJar, Origin) {
    let (jar, home) = (CookieJar::new(policy), origin("http://a.example"));
    jar.take(&home, ("/", SetBy::Redirect), [redirect].into_iter(), now());
    jar.take(&home, ("/", SetBy::Other), [page].into_iter(), now());
    (jar, home)
}

/// A jar after one origin set these cookies at `/`.
fn jar_with(set: &[&str]) -> (CookieJar, Origin) {
    let (jar, origin) = (CookieJar::new(CookiePolicy::All), origin("http://a.example"));
    jar.take(&origin, ("/", SetBy::Other), set.iter().copied(), now());
    (jar, origin)
}

#[test]
fn cookies_go_back_to_their_origin_and_to_no_other() {
    let (jar, home) = jar_with(&["a=1; Domain=a.example"]);
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("a=1"));
    for other in ["https://a.example", "http://a.example:8080", "http://www.a.example", "http://b.example"] {
        assert_eq!(jar.header(&origin(other), &request("/"), now()), None, "{other}");
    }
}

#[test]
fn longer_paths_come_first_and_foreign_paths_not_at_all() {
    let (jar, home) = jar_with(&["a=1; Path=/", "b=2; Path=/docs", "c=3; Path=/docs/web", "d=4; Path=/shop"]);
    assert_eq!(jar.header(&home, &request("/docs/web/x"), now()).as_deref(), Some("c=3; b=2; a=1"));
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("a=1"));
}

#[test]
fn a_cookie_ends_when_it_says() {
    let (jar, home) = jar_with(&["a=1; Max-Age=60", "b=2"]);
    assert_eq!(jar.header(&home, &request("/"), at("2026-01-01T00:00:59Z")).as_deref(), Some("a=1; b=2"));
    assert_eq!(jar.header(&home, &request("/"), at("2026-01-01T00:01:00Z")).as_deref(), Some("b=2"));
}

#[test]
fn a_cookie_of_the_same_name_and_path_replaces_and_an_old_one_deletes() {
    let (jar, home) = jar_with(&["a=1", "b=2", "a=3"]);
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("a=3; b=2"));
    assert!(!jar.take(&home, ("/", SetBy::Other), ["a=; Max-Age=0"].into_iter(), now()), "a deletion sets no cookie");
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("b=2"));
}

#[test]
fn whether_a_cookie_was_set_is_reported() {
    let (jar, home) = (CookieJar::new(CookiePolicy::All), origin("http://a.example"));
    assert!(jar.take(&home, ("/", SetBy::Other), ["a=1"].into_iter(), now()));
    assert!(!jar.take(&home, ("/", SetBy::Other), ["nonsense"].into_iter(), now()));
    assert!(!jar.take(&home, ("/", SetBy::Other), std::iter::empty(), now()));
}

#[test]
fn the_fifty_latest_cookies_of_an_origin_are_kept() {
    let (jar, home) = (CookieJar::new(CookiePolicy::All), origin("http://a.example"));
    for number in 0..200 {
        jar.take(&home, ("/", SetBy::Other), [format!("c{number}=1").as_str()].into_iter(), now());
    }
    let header = jar.header(&home, &request("/"), now()).unwrap();
    assert_eq!(header.split("; ").count(), MAX_COOKIES);
    assert!(header.starts_with("c150=1; ") && header.ends_with("c199=1"), "{header}");
}

#[test]
fn the_header_stays_within_16_kib() {
    let (jar, home) = (CookieJar::new(CookiePolicy::All), origin("http://a.example"));
    for number in 0..40 {
        jar.take(&home, ("/", SetBy::Other), [format!("c{number}={}", "x".repeat(1_000)).as_str()].into_iter(), now());
    }
    let header = jar.header(&home, &request("/"), now()).unwrap();
    assert!(header.len() <= 16 << 10 && header.len() > 14 << 10, "{}", header.len());
    assert!(header.contains("c39="), "the latest is among them");
}

#[test]
fn origins_are_bounded_and_the_one_used_longest_ago_goes_first() {
    let jar = CookieJar::new(CookiePolicy::All);
    let site = |number: usize| origin(&format!("http://s{number}.example"));
    for number in 0..MAX_ORIGINS {
        jar.take(&site(number), ("/", SetBy::Other), ["a=1"].into_iter(), now());
    }
    assert!(jar.header(&site(0), &request("/"), now()).is_some());
    jar.take(&site(MAX_ORIGINS), ("/", SetBy::Other), ["a=1"].into_iter(), now());
    assert!(jar.header(&site(0), &request("/"), now()).is_some(), "used a moment ago");
    assert!(jar.header(&site(1), &request("/"), now()).is_none());
    assert_eq!(jar.lock().origins.len(), MAX_ORIGINS);
}

#[test]
fn a_cookie_file_seeds_the_origins_it_fits() {
    let file = ".a.example\tTRUE\t/\tFALSE\t0\twide\t1\n\
        a.example\tFALSE\t/\tTRUE\t0\tsecure\t2\n\
        b.example\tFALSE\t/\tFALSE\t0\tother\t3\n\
        a.example\tFALSE\t/\tFALSE\t1\tover\t4\n";
    let cookies = parse_cookie_file(file).unwrap();
    let jar = CookieJar::new(CookiePolicy::All);
    let sent = |text: &str| {
        jar.seed(&origin(text), &cookies, now());
        jar.header(&origin(text), &request("/"), now())
    };
    assert_eq!(sent("http://a.example").as_deref(), Some("wide=1"));
    assert_eq!(sent("https://a.example").as_deref(), Some("wide=1; secure=2"));
    assert_eq!(sent("http://www.a.example").as_deref(), Some("wide=1"));
    assert_eq!(sent("http://c.example"), None);
}

#[test]
fn cookies_of_a_site_are_sent_back_only_behind_a_wall() {
    let (jar, home) = jar_of(CookiePolicy::Needed, "pass=1", "trail=1");
    assert_eq!(jar.header(&home, &request("/"), now()), None);
    assert_eq!(jar.header(&home, &behind_wall("/"), now()).as_deref(), Some("pass=1"));
    assert_eq!(jar.header(&home, &request("/"), now()), None, "nothing says that it opened");
    jar.pass_wall(&home, now());
    jar.take(&home, ("/", SetBy::Redirect), ["trail=2"].into_iter(), now());
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("pass=1"));
    assert_eq!(jar.header(&origin("http://b.example"), &behind_wall("/"), now()), None);
}

#[test]
fn all_or_none_of_what_a_site_sets_is_sent_back_by_choice() {
    let (jar, home) = jar_of(CookiePolicy::All, "pass=1", "trail=1");
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("pass=1; trail=1"));
    let (jar, home) = jar_of(CookiePolicy::None, "pass=1", "trail=1");
    assert!(!jar.take(&home, ("/", SetBy::Redirect), ["pass=1"].into_iter(), now()));
    assert!(!jar.keep_needed(&home, "/", "sid=1", now()));
    assert_eq!(jar.header(&home, &behind_wall("/"), now()), None);
}

#[test]
fn the_first_cookie_that_is_needed_stays() {
    let (jar, home) = jar_of(CookiePolicy::Needed, "", "");
    assert!(jar.keep_needed(&home, "/a/b", "sid=1; path=/", now()));
    assert!(jar.keep_needed(&home, "/a/b", "sid=2; path=/", now()));
    assert!(!jar.keep_needed(&home, "/a/b", "over=1; Max-Age=0", now()));
    assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some("sid=1"));
}

#[test]
fn the_cookie_file_is_sent_whatever_the_policy_and_only_all_replaces_it() {
    let file = parse_cookie_file("a.example\tFALSE\t/\tFALSE\t0\tsid\tmine\n").unwrap();
    for (policy, expected) in
        [(CookiePolicy::None, "sid=mine"), (CookiePolicy::Needed, "sid=mine"), (CookiePolicy::All, "sid=theirs")]
    {
        let (jar, home) = (CookieJar::new(policy), origin("http://a.example"));
        jar.seed(&home, &file, now());
        jar.take(&home, ("/", SetBy::Redirect), ["sid=theirs"].into_iter(), now());
        jar.keep_needed(&home, "/", "sid=theirs", now());
        jar.pass_wall(&home, now());
        assert_eq!(jar.header(&home, &request("/"), now()).as_deref(), Some(expected), "{policy:?}");
    }
}

#[test]
fn a_url_that_looks_for_a_cookie_gets_what_redirects_set() {
    let (jar, home) = jar_of(CookiePolicy::Needed, "test=1", "trail=1");
    jar.note_check(&home, "http://a.example/?check=1");
    assert_eq!(jar.header(&home, &request("/?check=1"), now()).as_deref(), Some("test=1"));
    assert_eq!(jar.header(&home, &request("/"), now()), None);
    assert_eq!(jar.header(&home, &request("/?check=2"), now()), None);
}
