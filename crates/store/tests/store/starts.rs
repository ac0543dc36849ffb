//! The reported status of a start URL that did not answer with a page.

use crate::site::Site;
use mapwright_model::FailureKind;
use mapwright_store::StartStatus;

/// The fetch status of the start URL of this site.
fn fetch_status(site: &Site) -> StartStatus {
    let rows = site.crawled().record().start_statuses().unwrap();
    rows.into_iter().next().unwrap()
}

#[test]
fn the_status_of_a_start_url_that_redirects_says_where_it_ended_and_what_to_do() {
    let to = |target: &str| Site::default().redirect("/", target);
    let long = (1..14).fold(to("/1"), |site, n| site.redirect(&format!("/{n}"), &format!("/{}", n + 1)));
    let text = [("content-type", "text/plain")];
    let robots = |site: Site| site.answer("/robots.txt", 200, &text, "User-agent: *\nDisallow: /b");
    let cases = [
        (to("/"), "redirects to itself", "fix the redirects on the server"),
        (to("/b").redirect("/b", "/"), "redirects in a loop, by way of B", "fix the redirects on the server"),
        (to("/b"), "redirects to B: answered 404", "check the URL"),
        (to("/a").redirect("/a", "/b").answer("/b", 500, &[], ""), "redirects to B: answered 500", "check the URL"),
        (
            to("/b").fails("/b", FailureKind::Tls),
            "redirects to B: no answer: tls",
            "check the certificate, and that the site is not http://; --ca-cert trusts one, -k (--insecure) trusts any",
        ),
        (
            robots(to("/b")),
            "redirects to B: disallowed by robots.txt (Disallow: /b)",
            "ask the site's owner; on a site of your own, --ignore-robots",
        ),
        (long, "redirects more often than is followed, the last time to B1", "start from where it leads"),
        (
            to("/b").with_budget(1),
            "redirects to B, which was not requested",
            "raise the limit that ended the crawl, or resume the crawl with mapwright resume",
        ),
        (to("http://b.example/x"), "redirects to another site, http://b.example/x", "start from where it leads"),
    ];
    for (site, words, hint) in cases {
        let fetch_status = fetch_status(&site);
        let reported =
            fetch_status.in_words().replace("http://example.com/b", "B").replace("http://example.com/1", "B");
        assert_eq!((reported.as_str(), fetch_status.hint()), (words, hint));
    }
}

#[test]
fn a_proxy_that_requires_a_login_is_reported() {
    let hint = fetch_status(&Site::default().answer("/", 407, &[], "")).hint();
    assert!(hint.contains("--proxy http://user:password@host"), "{hint}");
}

#[test]
fn the_hint_for_a_timeout_names_both_options() {
    let hint = fetch_status(&Site::default().fails("/", FailureKind::TimedOut)).hint();
    assert!(hint.contains("--connect-timeout") && hint.contains("--timeout "), "{hint}");
}
