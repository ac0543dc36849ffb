//! What is told of a start URL that did not answer.

use crate::site::Site;
use mapwright_fetch::FailureKind;
use mapwright_store::StartFate;

/// The fate of the start URL of this site.
fn fate(site: &Site) -> StartFate {
    let fates = site.crawled().record().start_fates().unwrap();
    fates.into_iter().next().unwrap()
}

#[test]
fn a_start_that_redirects_tells_where_that_ended_and_what_to_do() {
    let to = |target: &str| Site::default().redirect("/", target);
    let long = (1..14).fold(to("/1"), |site, n| site.redirect(&format!("/{n}"), &format!("/{}", n + 1)));
    let text = [("content-type", "text/plain")];
    let robots = |site: Site| site.answer("/robots.txt", 200, &text, "User-agent: *\nDisallow: /b");
    let cases = [
        (to("/"), "redirects to itself", "mend the redirects on the server"),
        (to("/b").redirect("/b", "/"), "redirects in a loop, by way of B", "mend the redirects on the server"),
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
            "redirects to B, which was not fetched",
            "raise the limit that ended the crawl, or go on with mapwright resume",
        ),
        (to("http://b.example/x"), "redirects to another site, http://b.example/x", "start from where it leads"),
    ];
    for (site, words, remedy) in cases {
        let fate = fate(&site);
        let told = fate.in_words().replace("http://example.com/b", "B").replace("http://example.com/1", "B");
        assert_eq!((told.as_str(), fate.remedy()), (words, remedy));
    }
}

#[test]
fn a_proxy_that_asks_for_a_login_is_named() {
    let remedy = fate(&Site::default().answer("/", 407, &[], "")).remedy();
    assert!(remedy.contains("--proxy http://user:password@host"), "{remedy}");
}

#[test]
fn a_bound_of_time_names_both_its_flags() {
    let remedy = fate(&Site::default().fails("/", FailureKind::TimedOut)).remedy();
    assert!(remedy.contains("--connect-timeout") && remedy.contains("--timeout "), "{remedy}");
}
