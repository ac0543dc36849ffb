//! The reported status of a start URL that did not answer with a page.

use mapwright_model::{FailureKind, Outcome, Unfetched};
use mapwright_store::{RedirectEnd, StartStatus};
use mapwright_testcrawl::Web;

/// The fetch status of the start URL of this site.
fn fetch_status(site: &Web) -> StartStatus {
    let rows = site.crawled().record().start_statuses().unwrap();
    rows.into_iter().next().unwrap()
}

#[test]
fn the_status_of_a_start_url_that_redirects_has_the_end_of_its_redirects() {
    let to = |target: &str| Web::default().redirect("/", target);
    let long = (1..14).fold(to("/1"), |site, n| site.redirect(&format!("/{n}"), &format!("/{}", n + 1)));
    let text = [("content-type", "text/plain")];
    let robots = |site: Web| site.replies("/robots.txt", 200, &text, "User-agent: *\nDisallow: /b");
    let end = |site: &Web| fetch_status(site).end.unwrap();
    let at = |site: &Web| if let RedirectEnd::At(end) = end(site) { *end } else { panic!("{:?}", end(site)) };
    assert_eq!([end(&to("/")), end(&to("/b").redirect("/b", "/"))], [RedirectEnd::Loop, RedirectEnd::Loop]);
    let gone = at(&to("/b"));
    assert_eq!((gone.url.as_str(), gone.status), ("http://example.com/b", Some(404)));
    let faulty = at(&to("/a").redirect("/a", "/b").replies("/b", 500, &[], ""));
    assert_eq!((faulty.url.as_str(), faulty.status), ("http://example.com/b", Some(500)));
    let silent = at(&to("/b").fails("/b", FailureKind::Tls));
    assert_eq!((silent.outcome, silent.failure.as_deref()), (Some(Outcome::NoAnswer), Some("tls")));
    let blocked = at(&robots(to("/b")));
    assert_eq!((blocked.outcome, blocked.robots_rule.as_deref()), (Some(Outcome::Refused), Some("Disallow: /b")));
    let not_followed = |url: &str, why| RedirectEnd::NotFollowed(url.to_owned(), why);
    assert!(matches!(end(&long), RedirectEnd::NotFollowed(last, Some(Unfetched::Redirects)) if last.contains("/1")));
    assert_eq!(end(&to("/b").with_budget(1)), not_followed("http://example.com/b", None));
    let elsewhere = not_followed("http://b.example/x", Some(Unfetched::OutOfScope));
    assert_eq!(end(&to("http://b.example/x")), elsewhere);
}

#[test]
fn the_status_of_a_start_url_has_its_answer_or_its_failure() {
    assert_eq!(fetch_status(&Web::default().replies("/", 407, &[], "")).status, Some(407));
    let silent = fetch_status(&Web::default().fails("/", FailureKind::TimedOut));
    assert_eq!((silent.status, silent.failure.as_deref()), (None, Some("timed-out")));
}
