//! The texts about start URLs that did not answer with a page, or whose page search engines leave out.

use crate::tls_hint::tls_hint;
use mapwright_model::{Outcome, Unfetched};
use mapwright_store::{RedirectEnd, StartStatus};
use mapwright_web::origin_of;

/// Returns the status of a start URL in one sentence.
pub(crate) fn in_words(status: &StartStatus) -> String {
    let detail = || status.detail.clone().or_else(|| status.failure.clone()).unwrap_or_else(|| "no cause known".into());
    match (status.outcome, &status.target, status.status) {
        (None, ..) => "was not requested".to_owned(),
        (Some(Outcome::Redirect), Some(target), _) => redirects(status, target),
        (Some(Outcome::Refused), ..) => match (status.robots_status, &status.robots_rule) {
            (Some(code), _) => format!("not requested: robots.txt answered {code}, which forbids everything"),
            (None, Some(rule)) => format!("disallowed by robots.txt ({rule})"),
            (None, None) => "disallowed by robots.txt".to_owned(),
        },
        (Some(Outcome::NoAnswer), ..) if status.failure.as_deref() == Some("internal") => {
            format!("not requested: {}", detail())
        }
        (Some(Outcome::NoAnswer | Outcome::Guarded | Outcome::Broken | Outcome::Failed), ..) => {
            format!("no answer: {}", detail())
        }
        (Some(_), _, Some(code)) => format!("answered {code}"),
        (Some(outcome), ..) => outcome.as_str().to_owned(),
    }
}

/// Returns a short description of an unsuccessful response, the same from run to run; `None` without a response.
pub(crate) fn instead(status: &StartStatus) -> Option<&'static str> {
    match (status.outcome, &status.end, status.status) {
        (Some(Outcome::Redirect), Some(RedirectEnd::At(end)), _) => instead(end),
        (Some(Outcome::Redirect), ..) => Some("leads elsewhere"),
        // An unavailable robots.txt disallows everything, which counts as no answer.
        (Some(Outcome::Refused), ..) if status.robots_status.is_none() => Some("is forbidden"),
        (Some(Outcome::Status), _, Some(404 | 410)) => Some("has no such page"),
        (Some(Outcome::Status), _, Some(401 | 403)) => Some("refuses access"),
        (Some(Outcome::Status), _, Some(400..=499)) => Some("answers a client error"),
        _ => None,
    }
}

/// Returns the hint on what to do about a start URL that did not answer with a page.
pub(crate) fn hint(status: &StartStatus) -> &'static str {
    match (status.outcome, status.failure.as_deref()) {
        (Some(Outcome::Redirect), _) => match &status.end {
            Some(RedirectEnd::At(end)) => hint(end),
            Some(RedirectEnd::Loop) => "fix the redirects on the server",
            Some(RedirectEnd::Guarded(..)) => "start from where it leads, or permit the address by --allow-address",
            Some(RedirectEnd::NotFollowed(_, Some(Unfetched::Excluded))) => "check --include and --exclude",
            Some(RedirectEnd::NotFollowed(_, Some(Unfetched::OutOfScope | Unfetched::Redirects))) | None => {
                "start from where it leads"
            }
            Some(RedirectEnd::NotFollowed(..)) => {
                "raise the limit that ended the crawl, or resume the crawl with mapwright resume"
            }
        },
        (_, Some("dns")) => "check the host's name",
        (_, Some("refused" | "unreachable")) => "check the host and port, and that the server is running",
        (_, Some("tls")) => tls_hint(status.detail.as_deref().unwrap_or_default()),
        (_, Some("timed-out")) => {
            "check that the server answers; --connect-timeout waits longer for a connection, --timeout for an answer"
        }
        (Some(Outcome::NoAnswer), Some("internal")) => "run again once that is done",
        (Some(Outcome::Guarded), _) => "--allow-address permits the address",
        (Some(Outcome::Refused), _) => "ask the site's owner; on a site of your own, --ignore-robots",
        (Some(Outcome::Status), _) if matches!(status.status, Some(401 | 403)) => {
            "log in by --auth, --header or --cookie-file, or, where the site refuses this agent, name another by \
             --user-agent"
        }
        (Some(Outcome::Throttled), _) => "crawl more slowly, or later: it may be under maintenance",
        _ if status.status == Some(407) => {
            "the proxy asks who you are: write user and password into its URL (--proxy http://user:password@host)"
        }
        _ => "check the URL",
    }
}

/// Returns the directive that keeps search engines from the start page or its links, in one sentence, with the option
/// that ignores it. `follows_nofollow`: this crawl ignored nofollow.
pub(crate) fn exclusion_notice(status: &StartStatus, follows_nofollow: bool) -> Option<String> {
    let page = if let Some(RedirectEnd::At(end)) = &status.end { end.as_ref() } else { status };
    if page.outcome == Some(Outcome::Refused) && page.robots_status.is_none() {
        let rule = page.robots_rule.as_deref().map(|rule| format!(" ({rule})")).unwrap_or_default();
        return Some(format!(
            "the start page {} is disallowed by robots.txt{rule}, and was not requested; on a site of your own, \
             --ignore-robots requests it",
            page.url
        ));
    }
    let links = match follows_nofollow {
        true => "search engines follow none of its links; this crawl did (--follow-nofollow)",
        false => "none of its links was followed; --follow-nofollow follows them",
    };
    let says = match (page.noindex, page.nofollow) {
        _ if page.outcome != Some(Outcome::Page) => return None,
        (true, true) => format!("says noindex and nofollow: search engines leave it out, and {links}"),
        (true, false) => {
            "says noindex: search engines leave it out, and so does the sitemap, until the directive is removed; \
             its links were followed"
                .to_owned()
        }
        (false, true) => format!("says nofollow: {links}"),
        (false, false) => return None,
    };
    Some(format!("the start page {} {says}", page.url))
}

/// Returns the end of the redirects in words.
fn redirects(status: &StartStatus, target: &str) -> String {
    match &status.end {
        Some(RedirectEnd::Loop) if *target == status.url => "redirects to itself".to_owned(),
        Some(RedirectEnd::Loop) => format!("redirects in a loop, by way of {target}"),
        Some(RedirectEnd::At(end)) => format!("redirects to {}: {}", end.url, in_words(end)),
        Some(RedirectEnd::Guarded(last, why)) => format!("redirects to {last}, which was not requested: {why}"),
        Some(RedirectEnd::NotFollowed(last, why)) => not_followed(status, last, *why),
        None => format!("redirects to {target}"),
    }
}

/// Returns the reason in words for which the redirects were not followed to `last`.
fn not_followed(status: &StartStatus, last: &str, why: Option<Unfetched>) -> String {
    match why {
        Some(Unfetched::Redirects) => format!("redirects more often than is followed, the last time to {last}"),
        Some(Unfetched::OutOfScope) if origin_of(last) != origin_of(&status.url) => {
            format!("redirects to another site, {last}")
        }
        Some(Unfetched::OutOfScope) => format!("redirects to {last}, which is out of scope"),
        Some(Unfetched::Excluded) => format!("redirects to {last}, which --include or --exclude leaves out"),
        _ => format!("redirects to {last}, which was not requested"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(outcome: Outcome) -> StartStatus {
        StartStatus {
            url: "http://a.example/".to_owned(),
            outcome: Some(outcome),
            status: None,
            failure: None,
            detail: None,
            target: None,
            robots_rule: None,
            robots_status: None,
            end: None,
            noindex: false,
            nofollow: false,
        }
    }

    #[test]
    fn directives_that_keep_search_engines_from_a_start_page_are_reported() {
        let page = |noindex, nofollow| StartStatus { noindex, nofollow, ..status(Outcome::Page) };
        let reported = |status: &StartStatus| exclusion_notice(status, false).unwrap_or_default();
        assert!(
            reported(&page(true, true)).contains("noindex and nofollow")
                && reported(&page(true, true)).contains("--follow")
        );
        assert!(reported(&page(true, false)).contains("says noindex:"));
        assert!(reported(&page(false, true)).contains("--follow-nofollow follows them"));
        assert!(exclusion_notice(&page(false, true), true).is_some_and(|reported| reported.contains("this crawl did")));
        assert_eq!(exclusion_notice(&page(false, false), false), None);
        let blocked = StartStatus { robots_rule: Some("Disallow: /".to_owned()), ..status(Outcome::Refused) };
        assert!(reported(&blocked).contains("(Disallow: /)") && reported(&blocked).contains("--ignore-robots"));
        let end = Some(RedirectEnd::At(Box::new(page(true, false))));
        assert!(reported(&StartStatus { end, ..status(Outcome::Redirect) }).contains("says noindex:"));
        let gone = StartStatus { noindex: true, status: Some(404), ..status(Outcome::Status) };
        assert_eq!(exclusion_notice(&gone, false), None);
    }

    #[test]
    fn the_reason_for_a_redirect_that_is_not_followed_is_reported() {
        let cases = [
            ("http://a.example/b", Some(Unfetched::OutOfScope), "is out of scope", "start from"),
            ("http://b.example/", Some(Unfetched::OutOfScope), "to another site, http://b.example/", "start from"),
            ("http://a.example/b", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://b.example/", Some(Unfetched::Excluded), "--include or --exclude leaves out", "check --include"),
            ("http://a.example/b", None, "was not requested", "raise the limit"),
            ("http://b.example/", None, "was not requested", "raise the limit"),
        ];
        for (last, why, words, hint) in cases {
            let end = Some(RedirectEnd::NotFollowed(last.to_owned(), why));
            let status = StartStatus { target: Some(last.to_owned()), end, ..status(Outcome::Redirect) };
            assert!(in_words(&status).ends_with(words), "{last} {why:?}: {}", in_words(&status));
            assert!(super::hint(&status).starts_with(hint), "{last} {why:?}: {}", super::hint(&status));
        }
    }

    #[test]
    fn the_status_of_a_start_url_that_redirects_says_where_it_ended_and_what_to_do() {
        let end_at = |status| RedirectEnd::At(Box::new(StartStatus { url: "B".to_owned(), ..status }));
        let answered = |code| StartStatus { status: Some(code), ..status(Outcome::Status) };
        let tls = StartStatus {
            failure: Some("tls".to_owned()),
            detail: Some("tls".to_owned()),
            ..status(Outcome::NoAnswer)
        };
        let blocked = StartStatus { robots_rule: Some("Disallow: /b".to_owned()), ..status(Outcome::Refused) };
        let not_followed = |url: &str, why| RedirectEnd::NotFollowed(url.to_owned(), why);
        let cases = [
            ("http://a.example/", RedirectEnd::Loop, "redirects to itself", "fix the redirects on the server"),
            ("B", RedirectEnd::Loop, "redirects in a loop, by way of B", "fix the redirects on the server"),
            ("B", end_at(answered(404)), "redirects to B: answered 404", "check the URL"),
            ("A", end_at(answered(500)), "redirects to B: answered 500", "check the URL"),
            (
                "B",
                end_at(tls),
                "redirects to B: no answer: tls",
                "check the certificate, and that the site is not http://; --ca-cert trusts one, -k (--insecure) trusts any",
            ),
            (
                "B",
                end_at(blocked),
                "redirects to B: disallowed by robots.txt (Disallow: /b)",
                "ask the site's owner; on a site of your own, --ignore-robots",
            ),
            (
                "B",
                not_followed("B1", Some(Unfetched::Redirects)),
                "redirects more often than is followed, the last time to B1",
                "start from where it leads",
            ),
            (
                "B",
                not_followed("B", None),
                "redirects to B, which was not requested",
                "raise the limit that ended the crawl, or resume the crawl with mapwright resume",
            ),
            (
                "http://b.example/x",
                not_followed("http://b.example/x", Some(Unfetched::OutOfScope)),
                "redirects to another site, http://b.example/x",
                "start from where it leads",
            ),
        ];
        for (target, end, words, hint) in cases {
            let status = StartStatus { target: Some(target.to_owned()), end: Some(end), ..status(Outcome::Redirect) };
            assert_eq!((in_words(&status).as_str(), super::hint(&status)), (words, hint));
        }
    }

    #[test]
    fn a_proxy_that_requires_a_login_is_reported() {
        let hint = hint(&StartStatus { status: Some(407), ..status(Outcome::Status) });
        assert!(hint.contains("--proxy http://user:password@host"), "{hint}");
    }

    #[test]
    fn the_hint_for_a_timeout_names_both_options() {
        let hint = hint(&StartStatus { failure: Some("timed-out".to_owned()), ..status(Outcome::NoAnswer) });
        assert!(hint.contains("--connect-timeout") && hint.contains("--timeout "), "{hint}");
    }
}
